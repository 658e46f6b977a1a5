//! Despawning of chunks that are no longer needed.

use super::FrameBudget;
use crate::stream::build::{StreamThreads, drop_in_background};
use crate::stream::components::{ChunkSurface, TerrainChunk};
use crate::stream::report::TerrainStats;
use crate::stream::schedule::StreamWork;
use crate::stream::schedule::TerrainSystems;
use crate::stream::state::TerrainState;
use crate::stream::streamed_terrain::{LoadedChunk, StreamedTerrain};
use crate::stream::terrain::Terrain;
use bevy::prelude::*;

/// The memory of despawned chunks, until a task frees it: for many chunks that takes several milliseconds.
#[derive(Resource, Default)]
pub(in crate::stream) struct Discarded(Vec<ChunkSurface>);

/// As many chunks are despawned in every frame, however little time it has.
const DESPAWNED_AT_LEAST: usize = 8;

/// Moves chunks that are neither drawn nor wanted into the despawn queue; looks at all of them if `at_once`.
pub(super) fn evict(state: &mut TerrainState, at_once: bool) {
    let TerrainState { drawn, incoming, despawning, despawning_bytes, .. } = state;
    for streamed in drawn.iter_mut().chain(incoming) {
        streamed.evict(at_once, |chunk| {
            *despawning_bytes += chunk.bytes;
            despawning.push(chunk);
        });
    }
}

/// Despawns chunks of a terrain: as many as there is time for, and all that its `memory` does not allow.
pub(super) fn despawn_unwanted(world: &mut World, terrain: Entity, frame: &FrameBudget, memory: u64) {
    let Some(mut state) = world.get_mut::<TerrainState>(terrain) else {
        return;
    };
    let before = state.despawning.len();
    // Another chunk has to fit, or none would be spawned.
    let is_over = state.bytes() + state.newest().map_or(0, |streamed| streamed.bytes_per_chunk) > memory;
    evict(&mut state, is_over);
    let evicted = (state.despawning.len() - before) as u64;
    world.resource_mut::<TerrainStats>().chunks_removed += evicted;
    despawn_down_to(world, terrain, memory);
    let mut despawned = 0;
    while (despawned < DESPAWNED_AT_LEAST || frame.has_time(1.0)) && despawn_one(world, terrain) {
        despawned += 1;
    }
}

/// Despawns waiting chunks of a terrain until all its chunks take no more than so many bytes, or none waits.
pub(super) fn despawn_down_to(world: &mut World, terrain: Entity, bytes: u64) {
    while world.get::<TerrainState>(terrain).is_some_and(|state| state.bytes() > bytes) && despawn_one(world, terrain) {
    }
}

/// Despawns the next chunk in the queue of a terrain. Returns `false` if there is none.
pub(super) fn despawn_one(world: &mut World, terrain: Entity) -> bool {
    let Some(mut state) = world.get_mut::<TerrainState>(terrain) else {
        return false;
    };
    let Some(chunk) = state.despawning.pop() else {
        return false;
    };
    state.despawning_bytes -= chunk.bytes;
    despawn_chunk(world, chunk);
    true
}

fn despawn_chunk(world: &mut World, chunk: LoadedChunk) {
    // Something else may have despawned it.
    let surface = world.get_entity_mut(chunk.entity).ok().and_then(|mut chunk| {
        let surface = chunk.take::<ChunkSurface>();
        chunk.despawn();
        surface
    });
    world.resource_mut::<Discarded>().0.extend(surface);
}

/// Despawns chunks whose entity is no longer a terrain, or became one again.
pub(super) fn despawn_orphans(world: &mut World) {
    let lost = std::mem::take(&mut world.resource_mut::<StreamWork>().lost_terrains);
    if lost.is_empty() {
        return;
    }
    let mut chunks = world.query::<(Entity, &TerrainChunk)>();
    let is_loaded = |chunk: Entity, of: &TerrainChunk| {
        let state = world.get::<TerrainState>(of.terrain).filter(|_| world.get::<Terrain>(of.terrain).is_some());
        state.is_some_and(|state| {
            let is_here =
                |streamed: &StreamedTerrain| streamed.chunk(of.coord).is_some_and(|loaded| loaded.entity == chunk);
            state.drawn.iter().chain(&state.incoming).any(is_here)
                || state.despawning.iter().any(|waiting| waiting.entity == chunk)
        })
    };
    let orphans: Vec<Entity> = chunks
        .iter(world)
        .filter(|(chunk, of)| lost.contains(&of.terrain) && !is_loaded(*chunk, of))
        .map(|(chunk, _)| chunk)
        .collect();
    for orphan in orphans {
        // It may be gone already, with another of them.
        let _ = world.try_despawn(orphan);
    }
}

/// Frees what is left of despawned chunks: in the background, if there are threads.
pub(in crate::stream) fn free_discarded(
    mut discarded: ResMut<Discarded>,
    threads: Res<StreamThreads>,
    mut stats: ResMut<TerrainStats>,
) {
    if !discarded.0.is_empty() {
        stats.time(TerrainSystems::Generate, |_| drop_in_background(std::mem::take(&mut discarded.0), threads.0));
    }
}
