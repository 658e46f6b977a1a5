//! Collects the viewers of a terrain, in its own coordinates.

use super::viewer_positions::ViewerPositions;
use super::{MainViewer, Velocity};
use crate::chunk::ViewerPoint;
use crate::chunk::plan::PlanViewer;
use crate::stream::components::{TerrainViewer, ViewerLens};
use crate::stream::faults::Faults;
use crate::stream::position::TerrainOrigin;
use bevy::ecs::system::SystemParam;
use bevy::math::{DAffine3, DVec3};
use bevy::prelude::*;

/// The transforms of the last collection, to detect whether anything changed. `terrain` is `None` if the terrain or a viewer has
/// a parent; then a change can't be detected here.
#[derive(Default)]
pub(in crate::stream) struct Scene {
    terrain: Option<(Transform, TerrainOrigin)>,
    main: MainViewer,
    viewers: Vec<(Entity, TerrainViewer, ViewerLens, Transform)>,
}

type Viewers = (Entity, &'static TerrainViewer, &'static ViewerLens);

/// Collects the viewers of terrains.
#[derive(SystemParam)]
pub(in crate::stream) struct ViewerCollector<'w, 's> {
    viewers: Query<'w, 's, Viewers>,
    positions: ViewerPositions<'w, 's>,
    main: Res<'w, MainViewer>,
    /// Viewers that are not finite, with the terrain.
    faults: Local<'s, Faults<(Entity, Entity)>>,
}

impl ViewerCollector<'_, '_> {
    /// Whether there is no viewer.
    pub fn is_empty(&self) -> bool {
        self.viewers.is_empty()
    }

    /// Whether nothing changed since `scene` of `terrain` was collected. This is the whole cost of a still camera.
    pub fn is_same(&self, terrain: Entity, scene: &Scene) -> bool {
        let is_same = |((viewer, view, lens), then): ((Entity, &TerrainViewer, &ViewerLens), &_)| {
            self.positions.root_transform(viewer).is_some_and(|&position| (viewer, *view, *lens, position) == *then)
        };
        scene.terrain.is_some()
            && scene.main == *self.main
            && scene.terrain == self.positions.root_terrain(terrain)
            && self.viewers.iter().len() == scene.viewers.len()
            && self.viewers.iter().zip(&scene.viewers).all(is_same)
    }

    /// Replaces `viewers` by all viewers, in the coordinates of `terrain`, and updates `scene`. The main viewer comes first. Also
    /// updates the velocities in `moved`. `seconds` have passed since the last call.
    ///
    /// A viewer that is not finite keeps its last position: a game that computes with zero for one frame should not lose its ground.
    pub fn collect(
        &mut self,
        terrain: Entity,
        scene: &mut Scene,
        moved: &mut Vec<(Entity, Velocity)>,
        seconds: f64,
        viewers: &mut Vec<PlanViewer>,
    ) {
        scene.viewers.clear();
        for (viewer, view, lens) in &self.viewers {
            let position = self.positions.root_transform(viewer);
            scene.viewers.extend(position.map(|&position| (viewer, *view, *lens, position)));
        }
        let are_roots = scene.viewers.len() == self.viewers.iter().len();
        scene.main = *self.main;
        scene.terrain = self.positions.root_terrain(terrain).filter(|_| are_roots);
        let scale = self.positions.scale(terrain);
        let before = std::mem::take(viewers);
        let mut velocities = Vec::with_capacity(moved.len());
        for (viewer, view, lens) in &self.viewers {
            let position = self.positions.in_terrain(viewer, terrain);
            let point = position.map(|to_terrain| viewer_point(&to_terrain, scale, view.view_distance, lens));
            let point = point.filter(ViewerPoint::is_finite);
            let last = before.iter().find(|before| before.id == viewer.to_bits()).map(|before| before.point);
            if self.faults.begins((viewer, terrain), point.is_none()) {
                let consequence = if last.is_some() { "keeps its last position" } else { "is ignored" };
                warn!(
                    "the viewer {viewer} {consequence}: its position, its `TerrainViewer::view_distance` and its `ViewerLens` \
                     must be finite numbers, and all its parents need a `Transform`"
                );
            }
            let Some(point) = point.or(last) else { continue };
            let known = moved.iter().find(|(known, _)| *known == viewer);
            let mut velocity = known.map_or(Velocity::default(), |(_, velocity)| *velocity);
            velocity.update(point.position, seconds);
            velocities.push((viewer, velocity));
            viewers.push(PlanViewer { id: viewer.to_bits(), point, velocity: velocity.per_second() });
        }
        if let Some(main) = viewers.iter().position(|viewer| self.main.is(viewer.id)) {
            viewers[..=main].rotate_right(1);
        }
        *moved = velocities;
    }
}

/// Converts a viewer to the coordinates of a terrain. `to_terrain` transforms from the viewer's coordinates; `scale` is the scale
/// of the terrain in the world.
fn viewer_point(to_terrain: &DAffine3, scale: f64, view_distance: f32, lens: &ViewerLens) -> ViewerPoint {
    let forward = to_terrain.transform_vector3(DVec3::NEG_Z).with_y(0.0).normalize_or_zero();
    // Unlike `max`, this keeps NaN.
    let view_distance = if view_distance < 0.0 { 0.0 } else { f64::from(view_distance) };
    let is_orthographic = matches!(lens, ViewerLens::Orthographic { .. });
    ViewerPoint {
        position: to_terrain.translation.to_array(),
        forward: [forward.x, forward.z],
        view_distance: view_distance / scale,
        projection_scale: lens.projection_scale() * if is_orthographic { scale } else { 1.0 },
        is_orthographic,
    }
}
