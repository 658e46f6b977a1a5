//! Updates viewers from their cameras.

use super::quality::TerrainQuality;
use crate::stream::{Faults, TerrainStats, TerrainSystems, TerrainViewer, ViewerLens};
use bevy::camera::{Camera, Projection};
use bevy::prelude::*;

/// Copies the lens of every viewer that is a camera to its [`ViewerLens`].
///
/// With a lower [`TerrainQuality`], an image counts as one with fewer rows. A camera without a viewport size keeps its lens.
pub(super) fn update_lenses(
    mut viewers: Query<(&Camera, &mut ViewerLens), With<TerrainViewer>>,
    quality: Res<TerrainQuality>,
    mut stats: ResMut<TerrainStats>,
) {
    stats.time(TerrainSystems::Select, |_| {
        for (camera, mut lens) in &mut viewers {
            // A minimized window has height 0. Keep the detail of the ground.
            if let Some(size) = camera.physical_viewport_size().filter(|size| size.y > 0)
                && let Some(seen) = lens_of(camera.clip_from_view(), (size.y as f32 * quality.rows()).round())
            {
                lens.set_if_neq(seen);
            }
        }
    });
}

/// The lens of a camera whose image has `height` rows. From the matrix, so that it is right for a part of an image, an oblique
/// near plane, and a projection of the game's own. `None` if the matrix is not valid.
fn lens_of(clip_from_view: Mat4, height: f32) -> Option<ViewerLens> {
    // How much of half the image a metre upward takes; at a distance of one metre in a perspective.
    let upward = clip_from_view.y_axis.y.abs();
    // The part of the distance in what the image is divided by.
    let is_orthographic = clip_from_view.z_axis.w == 0.0;
    let lens = if is_orthographic {
        ViewerLens::Orthographic { pixels_per_metre: upward * height / 2.0 }
    } else {
        ViewerLens::Perspective { height, field_of_view: 2.0 * (1.0 / upward).atan() }
    };
    (upward > 0.0 && upward.is_finite()).then_some(lens)
}

type ViewChanged = Or<(Changed<Projection>, Changed<TerrainViewer>)>;

/// Warns about each camera whose far plane is nearer than its view distance, once for as long as it is.
pub(super) fn warn_of_near_far_planes(
    viewers: Query<(Entity, &Projection, &TerrainViewer), ViewChanged>,
    mut faults: Local<Faults<Entity>>,
) {
    for (entity, projection, viewer) in &viewers {
        let far = projection.far();
        if faults.begins(entity, far < viewer.view_distance) {
            warn!(
                "camera {entity} draws nothing beyond its far plane at {far} m, but its `TerrainViewer` has a `view_distance` of \
                 {0} m; set `far` of its projection to at least {0}, or lower `view_distance`",
                viewer.view_distance
            );
        }
    }
}
