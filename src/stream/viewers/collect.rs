//! Collects the viewers of a terrain, in its own coordinates.

use super::place::ViewerPlaces;
use super::{KeepGround, Velocity};
use crate::chunk::ViewerPoint;
use crate::chunk::plan::PlanViewer;
use crate::stream::components::{TerrainViewer, ViewerLens};
use crate::stream::place::TerrainOrigin;
use bevy::ecs::system::SystemParam;
use bevy::math::{DAffine3, DVec3};
use bevy::prelude::*;

/// What somebody asks of terrain, in metres of the world.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Wish {
    view_distance: f32,
    lens: ViewerLens,
    is_body: bool,
}

/// What all places follow from: known if neither the terrain nor any viewer is a child of something else.
#[derive(Default)]
pub(in crate::stream) struct Scene {
    terrain: Option<(Transform, TerrainOrigin)>,
    viewers: Vec<(Entity, Wish, Transform)>,
}

type Viewers = (Entity, Option<&'static TerrainViewer>, Option<&'static KeepGround>, Option<&'static ViewerLens>);

/// Collects the viewers of terrains.
#[derive(SystemParam)]
pub(in crate::stream) struct ViewerCollector<'w, 's> {
    viewers: Query<'w, 's, Viewers, Or<(With<TerrainViewer>, With<KeepGround>)>>,
    places: ViewerPlaces<'w, 's>,
    has_warned: Local<'s, bool>,
}

fn wish(viewer: Option<&TerrainViewer>, body: Option<&KeepGround>, lens: Option<&ViewerLens>) -> Wish {
    let is_body = viewer.is_none();
    let [view, radius] = [viewer.map(|viewer| viewer.view_distance), body.map(|body| body.radius)];
    // A view distance that is not a number stays one, and is reported.
    let view_distance = match (view, radius) {
        (Some(view), Some(radius)) if radius > view => radius,
        (view, radius) => view.or(radius).unwrap_or_default(),
    };
    Wish { view_distance, lens: lens.copied().unwrap_or_default(), is_body }
}

impl ViewerCollector<'_, '_> {
    /// Whether there is any viewer at all.
    pub fn is_empty(&self) -> bool {
        self.viewers.is_empty()
    }

    /// Whether nothing changed since `scene` of `terrain` was collected. A still camera costs no more than this.
    pub fn is_same(&self, terrain: Entity, scene: &Scene) -> bool {
        let is_same = |((viewer, wants, body, lens), then): ((Entity, _, _, _), &(Entity, Wish, Transform))| {
            self.places.alone(viewer).is_some_and(|&place| (viewer, wish(wants, body, lens), place) == *then)
        };
        scene.terrain.is_some()
            && scene.terrain == self.places.terrain_alone(terrain)
            && self.viewers.iter().len() == scene.viewers.len()
            && self.viewers.iter().zip(&scene.viewers).all(is_same)
    }

    /// Replaces `viewers` by all viewers, in the coordinates of `terrain`, and what their places follow from. The velocities
    /// are those of `moved`, after so many `seconds`.
    pub fn collect(
        &mut self,
        terrain: Entity,
        scene: &mut Scene,
        moved: &mut Vec<(Entity, Velocity)>,
        seconds: f64,
        viewers: &mut Vec<PlanViewer>,
    ) {
        scene.viewers.clear();
        for (viewer, wants, body, lens) in &self.viewers {
            let place = self.places.alone(viewer);
            scene.viewers.extend(place.map(|&place| (viewer, wish(wants, body, lens), place)));
        }
        let are_alone = scene.viewers.len() == self.viewers.iter().len();
        scene.terrain = self.places.terrain_alone(terrain).filter(|_| are_alone);
        let scale = self.places.scale(terrain);
        viewers.clear();
        let mut velocities = Vec::with_capacity(moved.len());
        for (viewer, wants, body, lens) in &self.viewers {
            let wish = wish(wants, body, lens);
            let place = self.places.in_terrain(viewer, terrain);
            let point = place.map(|to_terrain| viewer_point(&to_terrain, scale, wish));
            let Some(point) = point.filter(ViewerPoint::is_finite) else {
                if !std::mem::replace(&mut *self.has_warned, true) {
                    warn!(
                        "{viewer} sees no terrain: its place, its `TerrainViewer::view_distance` and its `ViewerLens` \
                         must be finite numbers, and whatever it is a child of needs a `Transform`"
                    );
                }
                continue;
            };
            let known = moved.iter().find(|(known, _)| *known == viewer);
            let mut velocity = known.map_or(Velocity::default(), |(_, velocity)| *velocity);
            velocity.follow(point.position, seconds);
            velocities.push((viewer, velocity));
            viewers.push(PlanViewer {
                id: viewer.to_bits(),
                point,
                velocity: velocity.per_second(),
                is_body: wish.is_body,
            });
        }
        *moved = velocities;
    }
}

/// A viewer in the coordinates of a terrain, which has `scale` metres of the world for each of its own. `to_terrain` leads
/// there from the viewer's own coordinates.
fn viewer_point(to_terrain: &DAffine3, scale: f64, wish: Wish) -> ViewerPoint {
    let forward = to_terrain.transform_vector3(DVec3::NEG_Z).with_y(0.0).normalize_or_zero();
    // A number that is none stays one.
    let view_distance = if wish.view_distance < 0.0 { 0.0 } else { f64::from(wish.view_distance) };
    ViewerPoint {
        position: to_terrain.translation.to_array(),
        forward: [forward.x, forward.z],
        view_distance: view_distance / scale,
        projection_scale: wish.lens.projection_scale(),
    }
}
