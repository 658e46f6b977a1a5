//! Chunks and terrains that something else despawns.

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

/// Chunks that were despawned since the last plan, each with its terrain. Most of them by the terrain itself.
#[derive(Resource, Default)]
pub(in crate::stream) struct DespawnedChunks(pub Vec<(Entity, ChunkCoord, Entity)>);

/// Notes a chunk that is despawned.
pub(in crate::stream) fn note_despawned(
    removed: On<Remove, TerrainChunk>,
    chunks: Query<&TerrainChunk>,
    terrains: Query<&TerrainState>,
    mut despawned: ResMut<DespawnedChunks>,
) {
    if let Ok(&TerrainChunk { terrain, coord }) = chunks.get(removed.entity) {
        // The terrain takes a chunk out of its books before it despawns it.
        let is_known = terrains.get(terrain).is_ok_and(|state| {
            let mut grounds = state.ground.iter().chain(&state.incoming);
            grounds.any(|ground| ground.chunk(coord).is_some_and(|chunk| chunk.entity == removed.entity))
        });
        if is_known {
            despawned.0.push((terrain, coord, removed.entity));
        }
    }
}

/// Tells of a drawn chunk that something else despawns. A hook of [`ChunkDrawn`], which takes less time than an observer.
pub(in crate::stream) fn tell_despawned(mut world: DeferredWorld, HookContext { entity: chunk, .. }: HookContext) {
    if !world.get::<ChunkDrawn>(chunk).is_some_and(ChunkDrawn::is_drawn) {
        return;
    }
    if let (Some(&TerrainChunk { terrain, coord }), Some(&bounds)) = (world.get(chunk), world.get(chunk)) {
        let hidden = ChunkHidden { terrain, chunk, coord, bounds };
        world.write_message(hidden);
        world.trigger(hidden);
        // Where the terrain stays, the chunk is built again, over the same ground.
        let state = world.get::<TerrainState>(terrain).filter(|_| world.get::<Terrain>(terrain).is_some());
        if state.is_none_or(|state| state.ground.is_none()) {
            let gone = GroundHidden { terrain, area: coord, bounds };
            world.write_message(gone);
            world.trigger(gone);
        }
    }
}

/// An entity that stops being a terrain leaves nothing behind.
pub(in crate::stream) fn clear_removed_terrain(
    removed: On<Remove, Terrain>,
    mut terrains: Query<&mut TerrainState>,
    mut work: ResMut<StreamWork>,
    threads: Res<StreamThreads>,
) {
    work.lost_terrains.push(removed.entity);
    if let Ok(mut state) = terrains.get_mut(removed.entity) {
        drop_in_background(std::mem::take(&mut *state), *threads);
    }
}
