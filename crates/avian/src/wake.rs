//! Wakes bodies whose ground was edited.

use avian3d::math::ToF32Precision;
use avian3d::prelude::*;
use bevy::prelude::*;
use bevy_perlin_terrain::prelude::*;

/// Wakes all bodies on and beside a new tile. It may replace one whose ground they sleep on, and avian lets bodies sleep when static
/// ground changes.
pub fn wake_bodies(
    added: On<Add<ColliderTile>>,
    tiles: Query<&ColliderTile>,
    terrains: Query<TerrainPosition>,
    bodies: Query<(Entity, &Position), With<Sleeping>>,
    mut commands: Commands,
) {
    let Ok(tile) = tiles.get(added.entity) else { return };
    let Ok(terrain) = terrains.get(tile.terrain) else { return };
    let frame = terrain.frame();
    // A body may lie on a border.
    let beside = tile.size() / 2.0;
    for (body, position) in &bodies {
        let from_center = frame.to_terrain(position.f32()) - tile.bounds.center();
        if from_center.x.abs().max(from_center.z.abs()) <= tile.size() / 2.0 + beside {
            commands.queue_silenced(WakeBody(body));
        }
    }
}
