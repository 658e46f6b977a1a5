//! Builds drawn chunks anew whose ground was edited.

use crate::stream::build::{BuiltChunk, StreamThreads, SurfaceFinish, build_now};
use crate::stream::position::ChunkBounds;
use crate::stream::report::TerrainStats;
use crate::stream::state::TerrainState;
use bevy::prelude::*;

/// Builds the edited chunks that both grounds of a terrain draw, and writes them anew. Their entities stay.
pub(super) fn rebuild_edited(world: &mut World, terrain: Entity) {
    let (finish, threads) = (world.resource::<SurfaceFinish>().clone(), world.resource::<StreamThreads>().0);
    for is_incoming in [false, true] {
        let Some(mut state) = world.get_mut::<TerrainState>(terrain) else {
            return;
        };
        let state = &mut *state;
        let streamed = if is_incoming { &mut state.incoming } else { &mut state.drawn };
        let Some(streamed) = streamed else { continue };
        let mut chunks = std::mem::take(&mut streamed.rebuilt);
        // Something else may have despawned some.
        chunks.retain(|&chunk| streamed.chunk(chunk).is_some());
        if chunks.is_empty() {
            continue;
        }
        let (field, layout, bytes) = (&streamed.field, streamed.layout, streamed.bytes_per_chunk);
        let built = build_now(&chunks, threads, |coord| BuiltChunk::build(field, &layout, coord, &finish));
        let mut rewritten = Vec::with_capacity(built.len());
        for BuiltChunk { coord, heights, finished } in built {
            streamed.set_heights(coord, heights);
            rewritten.extend(streamed.chunk(coord).map(|chunk| (coord, chunk, finished)));
        }
        let mut stats = world.resource_mut::<TerrainStats>();
        stats.chunks_rebuilt += rewritten.len();
        stats.bytes_uploaded += bytes * rewritten.len() as u64;
        for (coord, chunk, finished) in rewritten {
            // An observer may have despawned it.
            if let Ok(mut entity) = world.get_entity_mut(chunk.entity) {
                entity.insert(ChunkBounds::new(&layout, coord, chunk.heights));
                if !entity.is_despawned() {
                    finished.insert_into(&mut entity);
                }
            }
        }
    }
}
