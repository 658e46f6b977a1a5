//! Chunks and terrains that a game despawns or removes.

use super::{ChunkHidden, GroundHidden};
use crate::chunk::ChunkCoord;
use crate::stream::build::{StreamThreads, drop_in_background};
use crate::stream::components::{ChunkDrawn, TerrainChunk};
use crate::stream::schedule::StreamWork;
use crate::stream::state::TerrainState;
use crate::stream::terrain::Terrain;
use bevy::ecs::lifecycle::HookContext;
use bevy::ecs::world::DeferredWorld;
use bevy::prelude::*;

/// Chunks that something other than the terrain despawned since the last plan: terrain, coordinates and entity.
#[derive(Resource, Default)]
pub(in crate::stream) struct DespawnedChunks(pub Vec<(Entity, ChunkCoord, Entity)>);

/// Records a chunk that something other than the terrain despawns.
pub(in crate::stream) fn record_despawned(
    removed: On<Remove<TerrainChunk>>,
    chunks: Query<&TerrainChunk>,
    terrains: Query<&TerrainState>,
    mut despawned: ResMut<DespawnedChunks>,
) {
    if let Ok(&TerrainChunk { terrain, coord }) = chunks.get(removed.entity) {
        // The terrain removes a chunk from its ground before it despawns the chunk.
        let is_known = terrains.get(terrain).is_ok_and(|state| {
            let mut all = state.drawn.iter().chain(&state.incoming);
            all.any(|streamed| streamed.chunk(coord).is_some_and(|chunk| chunk.entity == removed.entity))
        });
        if is_known {
            despawned.0.push((terrain, coord, removed.entity));
        }
    }
}

/// Sends [`ChunkHidden`] for a drawn chunk that is despawned. A hook of [`ChunkDrawn`], because a hook is faster than an observer.
pub(in crate::stream) fn send_chunk_hidden(mut world: DeferredWorld, HookContext { entity: chunk, .. }: HookContext) {
    if !world.get::<ChunkDrawn>(chunk).is_some_and(ChunkDrawn::is_drawn) {
        return;
    }
    if let (Some(&TerrainChunk { terrain, coord }), Some(&bounds)) = (world.get(chunk), world.get(chunk)) {
        let hidden = ChunkHidden { terrain, chunk, coord, bounds };
        world.write_message(hidden);
        world.trigger(hidden);
        // If the terrain stays, it builds the chunk again, so its ground is not hidden.
        let state = world.get::<TerrainState>(terrain).filter(|_| world.get::<Terrain>(terrain).is_some());
        if state.is_none_or(|state| state.drawn.is_none()) {
            let gone = GroundHidden { terrain, area: coord, bounds };
            world.write_message(gone);
            world.trigger(gone);
        }
    }
}

/// Clears the state of an entity whose [`Terrain`] is removed, and despawns its tiles. The applier then despawns its chunks.
pub(in crate::stream) fn clear_removed_terrain(
    removed: On<Remove<Terrain>>,
    mut terrains: Query<&mut TerrainState>,
    mut work: ResMut<StreamWork>,
    threads: Res<StreamThreads>,
    mut commands: Commands,
) {
    work.lost_terrains.push(removed.entity);
    if let Ok(mut state) = terrains.get_mut(removed.entity) {
        let mut state = std::mem::take(&mut *state);
        let tiles = state.all_streamed().flat_map(|streamed| streamed.collider_tiles.take_spawned());
        tiles.for_each(|tile| commands.entity(tile).try_despawn());
        drop_in_background(state, threads.0);
    }
}
