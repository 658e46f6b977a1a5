//! Builds loaded chunks again whose ground was edited.

use super::FrameBudget;
use crate::stream::build::{BuiltChunk, StreamThreads, SurfaceFinish, build_now};
use crate::stream::position::ChunkBounds;
use crate::stream::report::TerrainStats;
use crate::stream::state::TerrainState;
use bevy::prelude::*;

/// Builds the edited chunks again that a terrain draws.
pub(super) fn rebuild_drawn(world: &mut World, terrain: Entity) {
    let (finish, threads) = (world.resource::<SurfaceFinish>().clone(), world.resource::<StreamThreads>().0);
    let Some(streamed) = world.get::<TerrainState>(terrain).and_then(|state| state.drawn.as_ref()) else {
        return;
    };
    let chunks: Vec<_> = streamed.stale_drawn().collect();
    if chunks.is_empty() {
        return;
    }
    let (field, layout) = (&streamed.field, streamed.layout);
    let built = build_now(&chunks, threads, |coord| BuiltChunk::build(field, &layout, coord, &finish));
    world.resource_mut::<TerrainStats>().chunks_rebuilt += built.len();
    built.into_iter().for_each(|built| rewrite_chunk(world, terrain, built, false));
}

/// Rewrites edited chunks that are not drawn, within the budget of the frame. Without threads it builds them.
pub(super) fn renew_hidden(world: &mut World, terrain: Entity, frame: &mut FrameBudget, part: f64) {
    let (finish, threads) = (world.resource::<SurfaceFinish>().clone(), world.resource::<StreamThreads>().0);
    // Those of the drawn ground can wait.
    for is_incoming in [true, false] {
        loop {
            let Some(mut state) = world.get_mut::<TerrainState>(terrain) else {
                return;
            };
            let state = &mut *state;
            let streamed = if is_incoming { &mut state.incoming } else { &mut state.drawn };
            let Some(streamed) = streamed else { break };
            let bytes = streamed.bytes_per_chunk;
            if !frame.may_spawn(bytes, part) {
                return;
            }
            let Some(built) = streamed.take_renewed(threads, &finish) else { break };
            frame.count_renewed(bytes);
            rewrite_chunk(world, terrain, built, is_incoming);
        }
    }
}

/// Rewrites a loaded chunk. Its entity stays.
pub(super) fn rewrite_chunk(world: &mut World, terrain: Entity, built: BuiltChunk, is_incoming: bool) {
    let BuiltChunk { coord, heights, finished } = built;
    let Some(mut state) = world.get_mut::<TerrainState>(terrain) else {
        return;
    };
    let state = &mut *state;
    let streamed = if is_incoming { &mut state.incoming } else { &mut state.drawn };
    let Some(streamed) = streamed else { return };
    let Some(chunk) = streamed.renew(coord, heights) else { return };
    let (layout, bytes) = (streamed.layout, streamed.bytes_per_chunk);
    world.resource_mut::<TerrainStats>().bytes_uploaded += bytes;
    // Something else may have despawned it.
    if let Ok(mut entity) = world.get_entity_mut(chunk.entity) {
        entity.insert(ChunkBounds::new(&layout, coord, chunk.heights));
        if !entity.is_despawned() {
            finished.insert_into(&mut entity);
        }
    }
}
