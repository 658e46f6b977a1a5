//! Shifts the world origin as a viewer travels. For games without `big_space`.

use super::TerrainOrigin;
use crate::stream::components::TerrainViewer;
use crate::stream::faults::Faults;
use crate::stream::schedule::TerrainSystems;
use crate::stream::terrain::Terrain;
use crate::stream::viewers::{MainViewer, choose, choose_main_viewer};
use bevy::math::DVec3;
use bevy::prelude::*;

/// Keeps a viewer near the world origin by shifting the whole world when the viewer is far away.
///
/// Bevy's transforms are `f32`: 50 km from the origin, positions are rounded to 4 mm, and moving objects jitter. When the viewer
/// is farther than [`threshold`](Self::threshold) from the origin, this plugin moves it to within 725 m of the origin. All other
/// entities move by the same offset in the same frame, so the shift is invisible. A terrain changes its [`TerrainOrigin`] instead of
/// its `Transform`: its chunks are not rebuilt, and the ground stays exact.
///
/// ```no_run
/// use bevy::prelude::*;
/// use bevy_perlin_terrain::prelude::*;
///
/// fn main() {
///     App::new()
///         .add_plugins((DefaultPlugins, TerrainPlugins, OriginShiftPlugin::default()))
///         .add_systems(Update, follow)
///         .run();
/// }
///
/// /// A world position that is not in a `Transform`.
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
/// Every entity with a `Transform` and no parent moves, and so do its children. Entities with [`OriginFixed`] and entities in a
/// `BigSpace` do not move. Do not give the terrain a parent: a child moves with its parent, and the parent's `Transform` grows
/// with every shift.
///
/// Offsets are horizontal, in whole multiples of 1024 m per axis. An entity that a shift brings nearer to the origin keeps its
/// exact position; this includes the viewer and its surroundings. An entity that gets farther away is rounded to `f32` there. To
/// save a position, or to send it to another machine, add [`WorldOrigin`] to it.
///
/// # When
///
/// In `PostUpdate`, after [`TerrainSystems::First`], before all other terrain systems and before transform propagation. If a
/// physics engine stores its own positions, read [`OriginShifted`] and shift them too.
#[derive(Clone, Copy, Debug)]
pub struct OriginShiftPlugin {
    /// The largest distance of the viewer from the origin along x or z, in metres. At least 1024. Default: 4096, where positions
    /// are rounded to 0.2 mm.
    pub threshold: f32,
}

impl Default for OriginShiftPlugin {
    fn default() -> Self {
        Self { threshold: 4096.0 }
    }
}

impl Plugin for OriginShiftPlugin {
    fn build(&self, app: &mut App) {
        // NaN counts as the least threshold too.
        let threshold = self.threshold.max(STEP);
        if threshold != self.threshold {
            warn!("`OriginShiftPlugin::threshold` is {}; it counts as {STEP} m, the least", self.threshold);
        }
        app.insert_resource(Threshold(threshold))
            .init_resource::<WorldOrigin>()
            .init_resource::<MainViewer>()
            .register_type::<WorldOrigin>()
            .register_type::<OriginAnchor>()
            .register_type::<OriginFixed>()
            .add_message::<OriginShifted>()
            .add_systems(
                PostUpdate,
                shift_origin
                    .after(TerrainSystems::First)
                    .after(choose_main_viewer)
                    .before(TerrainSystems::React)
                    .before(TransformSystems::Propagate),
            );
    }
}

/// Offsets are whole multiples of this, in metres.
const STEP: f32 = 1024.0;

#[derive(Resource)]
struct Threshold(f32);

/// Marks the entity that stays near the origin: any entity with a `Transform`, such as the body of the player.
///
/// Of several anchors, the plugin uses one for as long as it lives. Without an anchor, it uses the [`TerrainViewer`]. If there are
/// several viewers, it uses an active camera if there is one, and logs a warning. With neither an anchor nor a viewer, as on a server,
/// nothing is shifted.
#[derive(Component, Clone, Copy, Debug, Default, Reflect)]
#[reflect(Component, Default)]
pub struct OriginAnchor;

/// Excludes an entity without a parent from origin shifts: its `Transform` stays the same.
///
/// A terrain with this component keeps its [`TerrainOrigin`] too.
#[derive(Component, Clone, Copy, Debug, Default, Reflect)]
#[reflect(Component, Default)]
pub struct OriginFixed;

/// The sum of all origin shifts since the app started, in metres.
///
/// The position of an entity in an unshifted world is `world_origin.0 + transform.translation.as_dvec3()`.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Reflect)]
#[reflect(Resource, Default)]
pub struct WorldOrigin(pub DVec3);

/// The world origin was shifted by `offset`: an entity that was at `p` is now at `p - offset`.
#[derive(Message, Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct OriginShifted {
    /// The offset, in metres.
    pub offset: Vec3,
}

type Movable = (Without<ChildOf>, Without<OriginFixed>);

fn shift_origin(
    threshold: Res<Threshold>,
    (anchors, viewers, main): (Query<Entity, With<OriginAnchor>>, Query<(), With<TerrainViewer>>, Res<MainViewer>),
    parents: Query<&ChildOf>,
    mut transforms: ParamSet<(
        TransformHelper,
        Query<(&mut Transform, Option<&mut TerrainOrigin>, Has<Terrain>), Movable>,
    )>,
    mut origin: ResMut<WorldOrigin>,
    mut shifted: MessageWriter<OriginShifted>,
    (mut chosen, mut ambiguous): (Local<Option<Entity>>, Local<Faults<()>>),
) {
    *chosen = choose(*chosen, anchors.iter().map(|anchor| (anchor, true)));
    let anchor = chosen.or(main.entity());
    let is_ambiguous = anchors.is_empty() && viewers.iter().len() > 1;
    let begins = ambiguous.begins((), is_ambiguous);
    let Some(anchor) = anchor else { return };
    if begins {
        warn!(
            "`OriginShiftPlugin` follows {anchor}, one of several viewers; add an `OriginAnchor` to the entity to follow"
        );
    }
    let Ok(position) = transforms.p0().compute_global_transform(anchor).map(|transform| transform.translation()) else {
        return;
    };
    // Shifting would not bring a fixed anchor nearer to the origin.
    let moves = transforms.p1().contains(parents.root_ancestor(anchor));
    if !moves || !position.is_finite() || position.x.abs().max(position.z.abs()) <= threshold.0 {
        return;
    }
    let offset = (position / STEP).round().with_y(0.0) * STEP;
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

/// The new origin of a terrain after a shift by `offset` metres of the world, and the rest of the offset, which its `Transform`
/// takes. The rest is zero if the terrain is neither rotated nor scaled.
fn moved(transform: &Transform, origin: TerrainOrigin, offset: Vec3) -> (TerrainOrigin, Vec3) {
    let (rotation, scale) = (transform.rotation.as_dquat(), transform.scale.as_dvec3());
    let offset = offset.as_dvec3();
    let position = origin.position() + (rotation.inverse() * offset) / scale;
    if !position.is_finite() {
        return (origin, offset.as_vec3());
    }
    let at = TerrainOrigin::new(position.x, position.z);
    let rest = offset - rotation * ((at.position() - origin.position()) * scale);
    (at, rest.as_vec3())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stream::TerrainFrame;
    use std::f32::consts::FRAC_PI_2;

    const OFFSET: Vec3 = Vec3::new(5.0 * STEP, 0.0, -2.0 * STEP);

    #[test]
    fn a_terrain_without_rotation_moves_only_by_its_origin() {
        let origin = TerrainOrigin::new(1e9, 0.25);
        let (at, rest) = moved(&Transform::from_xyz(3.0, 4.0, 5.0), origin, OFFSET);
        assert_eq!((at, rest), (TerrainOrigin::new(1e9 + 5120.0, 0.25 - 2048.0), Vec3::ZERO));
    }

    #[test]
    fn a_rotated_and_scaled_terrain_moves_by_the_offset() {
        for (angle, scale) in [(0.7, 1.0), (FRAC_PI_2, 1.0), (-2.0, 3.0), (0.0, 0.1)] {
            let mut transform = Transform::from_xyz(10.0, -3.0, 20.0)
                .with_rotation(Quat::from_rotation_y(angle))
                .with_scale(Vec3::splat(scale));
            let origin = TerrainOrigin::new(1e7, -500.0);
            let before = TerrainFrame::new(&transform.into(), origin);
            let position = origin.position() + DVec3::new(1000.0, 50.0, 200.0);
            let (at, rest) = moved(&transform, origin, OFFSET);
            assert!(rest.length() < 0.001 * scale + 0.001, "{rest} is left");
            transform.translation -= rest;
            let after = TerrainFrame::new(&transform.into(), at);
            // The precision of `f32` at 8000 m, and of a unit quaternion at that distance.
            let gap = before.to_world(position) - OFFSET - after.to_world(position);
            assert!(gap.length() < 2e-3, "{gap} for {angle} and {scale}");
        }
    }

    #[test]
    fn a_terrain_with_a_scale_of_zero_moves_by_its_transform() {
        let origin = TerrainOrigin::new(7.0, 8.0);
        assert_eq!(moved(&Transform::from_scale(Vec3::ZERO), origin, OFFSET), (origin, OFFSET));
    }
}
