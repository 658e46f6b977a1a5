//! How sharply cameras see, and how far.

use crate::stream::{TerrainStats, TerrainSystems, TerrainViewer, ViewerLens};
use bevy::camera::{Camera, Projection};
use bevy::ecs::entity::EntityHashSet;
use bevy::prelude::*;

/// Takes over the height of the picture and the field of view of every viewer that is a camera with a perspective.
///
/// A camera that has no picture yet keeps the lens that it has.
pub(super) fn follow_cameras(
    mut viewers: Query<(&Camera, &Projection, &mut ViewerLens), With<TerrainViewer>>,
    mut stats: ResMut<TerrainStats>,
) {
    stats.time(TerrainSystems::Select, |_| {
        for (camera, projection, mut lens) in &mut viewers {
            if let (Projection::Perspective(perspective), Some(size)) = (projection, camera.physical_viewport_size()) {
                let seen = ViewerLens { height: size.y as f32, field_of_view: perspective.fov };
                // A window that is minimised has no height; detail should not go with it.
                if size.y > 0 {
                    lens.set_if_neq(seen);
                }
            }
        }
    });
}

type Reconsidered = Or<(Changed<Projection>, Changed<TerrainViewer>)>;

/// Warns of every camera, once, that ends before the terrain that it asks for.
pub(super) fn warn_of_near_far_planes(
    viewers: Query<(Entity, &Projection, &TerrainViewer), Reconsidered>,
    mut warned: Local<EntityHashSet>,
) {
    for (entity, projection, viewer) in &viewers {
        let far = projection.far();
        if far < viewer.view_distance && warned.insert(entity) {
            warn!(
                "camera {entity} draws nothing beyond its far plane at {far} m, but its `TerrainViewer` asks for terrain up to \
                 {} m: set `far` of its projection to that or more, or `view_distance` to less",
                viewer.view_distance
            );
        }
    }
}
