//! The world moves back to its origin as a viewer travels, for games without `big_space`.

use super::TerrainOrigin;
use crate::stream::components::TerrainViewer;
use crate::stream::schedule::TerrainSystems;
use crate::stream::terrain::Terrain;
use bevy::math::DVec3;
use bevy::prelude::*;

/// Keeps a viewer near the origin of the world, by moving the whole world back when it has gone far.
///
/// Bevy's transforms are `f32`: 50 km from the origin, places are rounded to 4 mm, and what moves there trembles. With this
/// plugin, a viewer that is further than [`threshold`](Self::threshold) from the origin finds itself, in the same frame, within
/// 725 m of it, and everything else moved along, so that no picture shows it. A terrain changes its [`TerrainOrigin`] rather
/// than its `Transform`: its chunks are not built anew, and the ground stays as exact as it is.
///
/// ```no_run
/// use bevy::prelude::*;
/// use bevy_perlin_terrain::prelude::*;
/// use bevy_perlin_terrain::stream::OriginShifted;
///
/// fn main() {
///     App::new()
///         .add_plugins((DefaultPlugins, TerrainPlugins, OriginShiftPlugin::default()))
///         .add_systems(Update, follow)
///         .run();
/// }
///
/// /// A place of the world that is kept outside of a `Transform`.
/// #[derive(Component)]
/// struct Target(Vec3);
///
/// fn follow(mut shifts: MessageReader<OriginShifted>, mut targets: Query<&mut Target>) {
///     for shift in shifts.read() {
///         targets.iter_mut().for_each(|mut target| target.0 -= shift.offset);
///     }
/// }
/// ```
///
/// # What moves
///
/// Every entity that has a `Transform` and no parent, and so its children; not what is marked [`OriginFixed`]. A terrain that
/// is a child moves with its parent, whose `Transform` grows: give it no parent. What lives in a `BigSpace` does not move.
///
/// Offsets are horizontal and whole multiples of 1024 m on each axis. What comes nearer to the origin by one keeps its place to
/// the bit, as do the viewer and its surroundings; what goes further away is rounded to an `f32` there. A game that keeps
/// things for good, or tells them to others, adds [`WorldOrigin`] to their places.
///
/// # When
///
/// In `PostUpdate`, after [`TerrainSystems::First`], before everything else of the terrain and before transforms are propagated.
/// Physics engines that keep places of their own must be told: read [`OriginShifted`].
#[derive(Clone, Copy, Debug)]
pub struct OriginShiftPlugin {
    /// How far along x or z the viewer may go, in metres; 1024 at least. Default: 4096, where places are rounded to 0.2 mm.
    pub threshold: f32,
}

impl Default for OriginShiftPlugin {
    fn default() -> Self {
        Self { threshold: 4096.0 }
    }
}

impl Plugin for OriginShiftPlugin {
    fn build(&self, app: &mut App) {
        app.insert_resource(Threshold(self.threshold.max(STEP)))
            .init_resource::<WorldOrigin>()
            .register_type::<WorldOrigin>()
            .register_type::<OriginAnchor>()
            .register_type::<OriginFixed>()
            .add_message::<OriginShifted>()
            .add_systems(
                PostUpdate,
                shift_origin
                    .after(TerrainSystems::First)
                    .before(TerrainSystems::React)
                    .before(TransformSystems::Propagate),
            );
    }
}

/// Offsets are whole multiples of this, in metres.
const STEP: f32 = 1024.0;

#[derive(Resource)]
struct Threshold(f32);

/// The entity that stays near the origin. Without one it is the only [`TerrainViewer`], or the first of several, with a
/// warning.
#[derive(Component, Clone, Copy, Debug, Default, Reflect)]
#[reflect(Component, Default)]
pub struct OriginAnchor;

/// Stays where it is when the origin shifts: for what has its place in the world's coordinates for its own reasons.
///
/// For entities without a parent. A terrain that has it keeps its [`TerrainOrigin`] too.
#[derive(Component, Clone, Copy, Debug, Default, Reflect)]
#[reflect(Component, Default)]
pub struct OriginFixed;

/// Where the world's origin lies now, in metres from where it was when the app began: the sum of all shifts.
///
/// A thing's place in a world that never shifts is `world_origin.0 + transform.translation.as_dvec3()`.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Reflect)]
#[reflect(Resource, Default)]
pub struct WorldOrigin(pub DVec3);

/// The origin of the world was moved by `offset`: what was at `p` is at `p - offset` now.
#[derive(Message, Clone, Copy, Debug, PartialEq)]
pub struct OriginShifted {
    /// How far, in metres.
    pub offset: Vec3,
}

type Movable = (Without<ChildOf>, Without<OriginFixed>);

fn shift_origin(
    threshold: Res<Threshold>,
    (anchors, viewers): (Query<Entity, With<OriginAnchor>>, Query<Entity, With<TerrainViewer>>),
    parents: Query<&ChildOf>,
    mut transforms: ParamSet<(
        TransformHelper,
        Query<(&mut Transform, Option<&mut TerrainOrigin>, Has<Terrain>), Movable>,
    )>,
    mut origin: ResMut<WorldOrigin>,
    mut shifted: MessageWriter<OriginShifted>,
    mut has_warned: Local<bool>,
) {
    let Some(anchor) = anchors.iter().min().or_else(|| viewers.iter().min()) else {
        return;
    };
    if anchors.is_empty() && viewers.iter().len() > 1 && !std::mem::replace(&mut *has_warned, true) {
        warn!(
            "`OriginShiftPlugin` follows {anchor}, one of several viewers: put an `OriginAnchor` on the one to follow"
        );
    }
    let Ok(place) = transforms.p0().compute_global_transform(anchor).map(|transform| transform.translation()) else {
        return;
    };
    // What does not move comes no nearer.
    let moves = transforms.p1().contains(parents.root_ancestor(anchor));
    if !moves || !place.is_finite() || place.x.abs().max(place.z.abs()) <= threshold.0 {
        return;
    }
    let offset = (place / STEP).round().with_y(0.0) * STEP;
    for (mut transform, terrain_origin, is_terrain) in &mut transforms.p1() {
        match terrain_origin {
            Some(mut terrain_origin) if is_terrain => {
                let (at, rest) = moved(&transform, *terrain_origin, offset);
                *terrain_origin = at;
                if rest != Vec3::ZERO {
                    transform.translation -= rest;
                }
            }
            _ => transform.translation -= offset,
        }
    }
    origin.0 += offset.as_dvec3();
    shifted.write(OriginShifted { offset });
}

/// The origin of a terrain that is moved back by `offset` metres of the world, and what is left for its `Transform`: nothing,
/// where the terrain is neither turned nor scaled.
fn moved(transform: &Transform, origin: TerrainOrigin, offset: Vec3) -> (TerrainOrigin, Vec3) {
    let (rotation, scale) = (transform.rotation.as_dquat(), transform.scale.as_dvec3());
    let offset = offset.as_dvec3();
    let place = origin.place() + (rotation.inverse() * offset) / scale;
    if !place.is_finite() {
        return (origin, offset.as_vec3());
    }
    let at = TerrainOrigin::new(place.x, place.z);
    let rest = offset - rotation * ((at.place() - origin.place()) * scale);
    (at, rest.as_vec3())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stream::TerrainFrame;
    use std::f32::consts::FRAC_PI_2;

    const OFFSET: Vec3 = Vec3::new(5.0 * STEP, 0.0, -2.0 * STEP);

    #[test]
    fn a_terrain_that_is_not_turned_moves_by_its_origin_alone() {
        let origin = TerrainOrigin::new(1e9, 0.25);
        let (at, rest) = moved(&Transform::from_xyz(3.0, 4.0, 5.0), origin, OFFSET);
        assert_eq!((at, rest), (TerrainOrigin::new(1e9 + 5120.0, 0.25 - 2048.0), Vec3::ZERO));
    }

    #[test]
    fn every_place_of_a_terrain_moves_by_the_offset_however_it_is_turned() {
        for (angle, scale) in [(0.7, 1.0), (FRAC_PI_2, 1.0), (-2.0, 3.0), (0.0, 0.1)] {
            let mut transform = Transform::from_xyz(10.0, -3.0, 20.0)
                .with_rotation(Quat::from_rotation_y(angle))
                .with_scale(Vec3::splat(scale));
            let origin = TerrainOrigin::new(1e7, -500.0);
            let before = TerrainFrame::new(&transform.into(), origin);
            let place = origin.place() + DVec3::new(1000.0, 50.0, 200.0);
            let (at, rest) = moved(&transform, origin, OFFSET);
            assert!(rest.length() < 0.001 * scale + 0.001, "{rest} is left");
            transform.translation -= rest;
            let after = TerrainFrame::new(&transform.into(), at);
            // Steps of `f32` at 8000 m, and of a unit quaternion over that distance.
            let gap = before.to_world(place) - OFFSET - after.to_world(place);
            assert!(gap.length() < 2e-3, "{gap} for {angle} and {scale}");
        }
    }

    #[test]
    fn a_terrain_without_extent_moves_by_its_transform() {
        let origin = TerrainOrigin::new(7.0, 8.0);
        assert_eq!(moved(&Transform::from_scale(Vec3::ZERO), origin, OFFSET), (origin, OFFSET));
    }
}
