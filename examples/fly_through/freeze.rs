//! Freezes the viewer while the camera flies on, to show the levels of detail from outside.

use bevy::prelude::*;
use bevy_perlin_terrain::prelude::*;

/// The frozen viewer.
#[derive(Component)]
pub struct FrozenViewer;

/// Detaches the viewer from the camera, or attaches it again.
pub fn toggle(
    mut commands: Commands,
    cameras: Query<(Entity, &Transform, Option<&TerrainViewer>, &ViewerLens), With<Camera3d>>,
    frozen: Query<(Entity, &TerrainViewer), With<FrozenViewer>>,
) {
    for (camera, place, viewer, lens) in &cameras {
        match (viewer, frozen.iter().next()) {
            (Some(viewer), _) => {
                commands.entity(camera).remove::<TerrainViewer>();
                commands.spawn((FrozenViewer, *viewer, *lens, *place));
            }
            (None, Some((frozen, viewer))) => {
                commands.entity(camera).insert(*viewer);
                commands.entity(frozen).despawn();
            }
            (None, None) => {}
        }
    }
}

/// Draws the frozen viewer, if no camera is close to it.
pub fn draw_frozen_viewer(
    mut gizmos: Gizmos,
    frozen: Query<&Transform, With<FrozenViewer>>,
    cameras: Query<&Transform, (With<Camera3d>, Without<FrozenViewer>)>,
) {
    let is_apart = |place: &&Transform| cameras.iter().all(|at| at.translation.distance(place.translation) > 15.0);
    for place in frozen.iter().filter(is_apart) {
        gizmos.sphere(place.to_isometry(), 6.0, Color::srgb(1.0, 0.9, 0.2));
        gizmos.arrow(place.translation, place.translation + place.forward() * 60.0, Color::srgb(1.0, 0.9, 0.2));
    }
}
