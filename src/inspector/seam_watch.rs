//! Adds the seam check to the selected terrain while the panel is open.

use super::TerrainInspector;
use crate::stream::{SeamWatch, Terrain};
use bevy::prelude::*;

/// Adds a [`SeamWatch`] to the selected terrain while the panel is open. Keeps one that the game added.
pub(super) fn watch_shown_terrain(
    mut commands: Commands,
    inspector: Res<TerrainInspector>,
    terrains: Query<Has<SeamWatch>, With<Terrain>>,
    mut watched: Local<Option<Entity>>,
) {
    let shown = inspector.terrain().filter(|_| inspector.open);
    if *watched == shown {
        return;
    }
    if let Some(entity) = watched.take()
        && let Ok(mut entity) = commands.get_entity(entity)
    {
        entity.try_remove::<SeamWatch>();
    }
    if let Some(entity) = shown
        && terrains.get(entity).is_ok_and(|is_watched| !is_watched)
    {
        commands.entity(entity).try_insert(SeamWatch::default());
        *watched = Some(entity);
    }
}
