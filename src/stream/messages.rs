//! What happened to chunks: told to games, and kept in the books.

use super::generation::Generation;
use super::{ChunkShown, Terrain, TerrainChunk, TerrainState};
use crate::chunk::ChunkCoord;
use bevy::prelude::*;

/// A chunk became part of the world: it is drawn from this frame on, in place of coarser or finer ones.
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChunkReady {
    /// The terrain.
    pub terrain: Entity,
    /// The chunk's entity.
    pub chunk: Entity,
    /// Which chunk of the terrain.
    pub coord: ChunkCoord,
}

/// A chunk is no longer part of the world, for whichever reason: coarser or finer ones took its place, it is out of view,
/// replaced by a reload, or despawned with its terrain. Its entity may be gone already.
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChunkRemoved {
    /// The terrain.
    pub terrain: Entity,
    /// The chunk's entity, as [`ChunkReady`] gave it.
    pub chunk: Entity,
    /// Which chunk of the terrain.
    pub coord: ChunkCoord,
}

pub(super) fn announce_ready(
    shown: On<Add, ChunkShown>,
    chunks: Query<&TerrainChunk>,
    mut messages: MessageWriter<ChunkReady>,
) {
    if let Ok(&TerrainChunk { terrain, coord }) = chunks.get(shown.entity) {
        messages.write(ChunkReady { terrain, chunk: shown.entity, coord });
    }
}

pub(super) fn announce_removed(
    hidden: On<Remove, ChunkShown>,
    chunks: Query<&TerrainChunk>,
    mut messages: MessageWriter<ChunkRemoved>,
) {
    if let Ok(&TerrainChunk { terrain, coord }) = chunks.get(hidden.entity) {
        messages.write(ChunkRemoved { terrain, chunk: hidden.entity, coord });
    }
}

/// Keeps the books right when something else despawns a chunk.
pub(super) fn forget_despawned(
    removed: On<Remove, TerrainChunk>,
    chunks: Query<&TerrainChunk>,
    mut terrains: Query<&mut TerrainState>,
) {
    if let Ok(&TerrainChunk { terrain, coord }) = chunks.get(removed.entity)
        && let Ok(mut state) = terrains.get_mut(terrain)
    {
        state.forget(coord, removed.entity);
    }
}

/// A terrain that is a terrain no more leaves nothing behind, also where its entity stays.
pub(super) fn clear_removed_terrain(
    removed: On<Remove, Terrain>,
    mut commands: Commands,
    mut terrains: Query<&mut TerrainState>,
) {
    if let Ok(mut state) = terrains.get_mut(removed.entity) {
        let mut chunks = std::mem::take(&mut state.leaving);
        chunks.extend(state.generations().flat_map(Generation::drain));
        for chunk in chunks {
            commands.entity(chunk).try_despawn();
        }
        *state = TerrainState::default();
    }
}
