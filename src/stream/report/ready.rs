//! Sends [`TerrainReady`].

use super::TerrainReady;
use crate::stream::state::TerrainState;
use crate::stream::terrain::Terrain;
use bevy::prelude::*;

/// Sends [`TerrainReady`] for each terrain that became ready in this frame.
pub(in crate::stream) fn send_ready(
    mut terrains: Query<(Entity, &mut TerrainState), With<Terrain>>,
    mut commands: Commands,
    mut messages: MessageWriter<TerrainReady>,
) {
    for (terrain, mut state) in &mut terrains {
        let is_ready = state.is_settled() && !state.viewers.is_empty();
        if std::mem::replace(&mut state.was_ready, is_ready) != is_ready && is_ready {
            messages.write(TerrainReady { terrain });
            commands.trigger(TerrainReady { terrain });
        }
    }
}
