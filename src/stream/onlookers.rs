//! Viewers, in the coordinates of a terrain.

use super::viewer_place::ViewerPlaces;
use super::{TerrainViewer, ViewerLens};
use crate::chunk::ViewerPoint;
use bevy::ecs::system::SystemParam;
use bevy::math::{DAffine3, DVec3};
use bevy::prelude::*;

/// The viewers, as terrains see them.
#[derive(SystemParam)]
pub(super) struct Onlookers<'w, 's> {
    viewers: Query<'w, 's, (Entity, &'static TerrainViewer, &'static ViewerLens)>,
    places: ViewerPlaces<'w, 's>,
    /// Those that one terrain has.
    pub entities: Local<'s, Vec<Entity>>,
    /// Where in its coordinates they are.
    pub points: Local<'s, Vec<ViewerPoint>>,
    warned: Local<'s, bool>,
}

impl Onlookers<'_, '_> {
    /// Finds where all viewers are in the coordinates of `terrain`.
    pub fn look_at(&mut self, terrain: Entity) {
        let scale = self.places.scale(terrain);
        self.entities.clear();
        self.points.clear();
        for (viewer, wants, lens) in &self.viewers {
            let place = self.places.in_terrain(viewer, terrain);
            let point = place.map(|to_terrain| viewer_point(&to_terrain, scale, wants, lens));
            match point.filter(ViewerPoint::is_finite) {
                Some(point) => {
                    self.entities.push(viewer);
                    self.points.push(point);
                }
                None if !*self.warned => {
                    *self.warned = true;
                    warn!(
                        "{viewer} sees no terrain: its place, its `TerrainViewer::view_distance` and its `ViewerLens` must \
                         be finite numbers, and whatever it is a child of needs a `Transform`"
                    );
                }
                None => {}
            }
        }
    }
}

/// A viewer in the coordinates of a terrain, which has `scale` metres of the world for each of its own. `to_terrain` leads
/// there from the viewer's own coordinates.
fn viewer_point(to_terrain: &DAffine3, scale: f64, wants: &TerrainViewer, lens: &ViewerLens) -> ViewerPoint {
    let forward = to_terrain.transform_vector3(DVec3::NEG_Z).with_y(0.0).normalize_or_zero();
    // A number that is none stays one.
    let view_distance = if wants.view_distance < 0.0 { 0.0 } else { f64::from(wants.view_distance) };
    ViewerPoint {
        position: to_terrain.translation.to_array(),
        forward: [forward.x, forward.z],
        view_distance: view_distance / scale,
        sharpness: lens.sharpness(),
    }
}
