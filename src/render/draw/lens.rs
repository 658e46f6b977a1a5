//! Updates viewers from their cameras.

use super::quality::TerrainQuality;
use crate::stream::{TerrainStats, TerrainSystems, TerrainViewer, ViewerLens};
use bevy::camera::{Camera, Projection};
use bevy::ecs::entity::EntityHashSet;
use bevy::prelude::*;

/// Copies the viewport height and the field of view of every viewer that is a perspective camera to its [`ViewerLens`].
///
/// With a lower [`TerrainQuality`], a picture counts as one with fewer rows. A camera without a viewport size keeps its lens.
pub(super) fn update_lenses(
    mut viewers: Query<(&Camera, &Projection, &mut ViewerLens), With<TerrainViewer>>,
    quality: Res<TerrainQuality>,
    mut stats: ResMut<TerrainStats>,
) {
    stats.time(TerrainSystems::Select, |_| {
        for (camera, projection, mut lens) in &mut viewers {
            if let (Projection::Perspective(perspective), Some(size)) = (projection, camera.physical_viewport_size()) {
                let seen =
                    ViewerLens { height: (size.y as f32 * quality.rows()).round(), field_of_view: perspective.fov };
                // A minimized window has height 0. Keep the detail of the ground.
                if size.y > 0 {
                    lens.set_if_neq(seen);
                }
            }
        }
    });
}

type ViewChanged = Or<(Changed<Projection>, Changed<TerrainViewer>)>;

/// Warns once about each camera whose far plane is nearer than its view distance.
pub(super) fn warn_of_near_far_planes(
    viewers: Query<(Entity, &Projection, &TerrainViewer), ViewChanged>,
    mut warned: Local<EntityHashSet>,
) {
    for (entity, projection, viewer) in &viewers {
        let far = projection.far();
        if far < viewer.view_distance && warned.insert(entity) {
            warn!(
                "camera {entity} draws nothing beyond its far plane at {far} m, but its `TerrainViewer` has a `view_distance` of \
                 {0} m; set `far` of its projection to at least {0}, or lower `view_distance`",
                viewer.view_distance
            );
        }
    }
}
