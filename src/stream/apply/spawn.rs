//! Finished chunks are spawned, hidden, within the budgets.

use super::{Applier, FrameBudget};
use crate::chunk::StitchMask;
use crate::stream::build::{BuiltChunk, StreamThreads, SurfaceFinish};
use crate::stream::components::{ChunkDrawn, ChunkStitchMask, TerrainChunk};
use crate::stream::position::{ChunkBounds, TerrainPlace, TerrainPosition};
use crate::stream::report::TerrainStats;
use crate::stream::state::TerrainState;
use crate::stream::streamed_terrain::LoadedChunk;
use bevy::prelude::*;

/// As many chunks of a ground are spawned even above the memory limit: without the coarsest ones nothing is drawn.
const CHUNKS_AT_LEAST: usize = 4;

/// Spawns finished chunks of a terrain, alternating between both grounds, until `part` of the time is used or the terrain has
/// its share of the chunks among `terrains` that are still to come.
pub(super) fn spawn_finished(
    world: &mut World,
    applier: &mut Applier,
    terrain: Entity,
    frame: &mut FrameBudget,
    part: f64,
    terrains: usize,
) {
    let mut share = frame.chunks.div_ceil(terrains);
    let mut has_more = [true; 2];
    let mut is_incoming = true;
    while share > 0 && has_more.contains(&true) {
        is_incoming = !is_incoming;
        let has_more = &mut has_more[usize::from(is_incoming)];
        if !*has_more {
            continue;
        }
        let Some(state) = world.get::<TerrainState>(terrain) else {
            return;
        };
        let Some(streamed) = (if is_incoming { &state.incoming } else { &state.drawn }) else {
            *has_more = false;
            continue;
        };
        let bytes = streamed.bytes_per_chunk;
        let is_allowed = state.bytes() + bytes <= state.max_bytes(applier.memory) || streamed.len() < CHUNKS_AT_LEAST;
        let has_room = is_allowed && world.resource::<SurfaceFinish>().store.free_chunks(&streamed.layout) > 0;
        if !has_room || !frame.may_spawn(bytes, part) {
            return;
        }
        match take_built(world, terrain, is_incoming, frame, part) {
            Some(built) => {
                share -= 1;
                frame.count_spawned(bytes);
                spawn_chunk(world, &mut applier.positions, terrain, built, is_incoming);
            }
            None => *has_more = false,
        }
    }
}

/// Takes a finished chunk; without threads, it builds one slice by slice, as long as there is time.
fn take_built(
    world: &mut World,
    terrain: Entity,
    is_incoming: bool,
    frame: &FrameBudget,
    part: f64,
) -> Option<BuiltChunk> {
    let (finish, threads) = (world.resource::<SurfaceFinish>().clone(), world.resource::<StreamThreads>().0);
    let mut state = world.get_mut::<TerrainState>(terrain)?;
    let state = &mut *state;
    let streamed = if is_incoming { &mut state.incoming } else { &mut state.drawn };
    let streamed = streamed.as_mut()?;
    loop {
        let built = if threads {
            streamed.take_finished(&finish)?
        } else {
            let (has_built, built) = streamed.build_slice(&finish);
            match built {
                Some(built) => built,
                None if has_built && frame.has_time(part) => continue,
                None => return None,
            }
        };
        // It may have been built at once meanwhile.
        if !streamed.planner.is_loaded(built.coord) {
            return Some(built);
        }
    }
}

/// Spawns a chunk of the incoming ground, or of the one that is drawn.
pub(super) fn spawn_chunk(
    world: &mut World,
    positions: &mut QueryState<TerrainPosition>,
    terrain: Entity,
    built: BuiltChunk,
    is_incoming: bool,
) {
    let BuiltChunk { coord, heights, finished } = built;
    let Some((layout, bytes)) = world.get::<TerrainState>(terrain).and_then(|state| {
        let streamed = if is_incoming { &state.incoming } else { &state.drawn };
        streamed.as_ref().map(|streamed| (streamed.layout, streamed.bytes_per_chunk))
    }) else {
        return;
    };
    let bounds = ChunkBounds::new(&layout, coord, heights);
    let place = TerrainPlace::level(bounds.min);
    let Ok(placed) = positions.get(world, terrain).map(|position| place.on(&position)) else { return };
    let bundle = (
        Name::new(format!("Chunk {} {} (level {})", coord.x, coord.z, coord.level)),
        TerrainChunk { terrain, coord },
        ChunkStitchMask(StitchMask::NONE),
        ChunkDrawn(false),
        bounds,
        ChildOf(terrain),
    );
    let mut chunk = placed.spawn(world, bundle);
    let entity = chunk.id();
    // An observer may have despawned it.
    if !chunk.is_despawned() {
        finished.insert_into(&mut chunk);
    }
    let mut stats = world.resource_mut::<TerrainStats>();
    stats.chunks_built += 1;
    stats.bytes_uploaded += bytes;
    let is_there = world.get_entity(entity).is_ok();
    if let Some(mut state) = world.get_mut::<TerrainState>(terrain) {
        let state = &mut *state;
        let streamed = if is_incoming { &mut state.incoming } else { &mut state.drawn };
        if let Some(streamed) = streamed {
            streamed.insert(coord, LoadedChunk { entity, heights, bytes });
            if !is_there {
                streamed.forget(coord, entity);
            }
        }
    }
}
