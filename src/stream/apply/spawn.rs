//! Finished chunks are spawned, hidden, within the budgets.

use super::{Applier, FrameBudget};
use crate::chunk::StitchMask;
use crate::stream::build::{BuiltChunk, StreamThreads, SurfaceFinish};
use crate::stream::components::{ChunkDrawn, ChunkStitchMask, TerrainChunk};
use crate::stream::ground::{Ground, LoadedChunk};
use crate::stream::place::{ChunkBounds, ChunkPlace, TerrainPlace};
use crate::stream::report::TerrainStats;
use crate::stream::state::TerrainState;
use bevy::prelude::*;

/// Spawns the finished chunks of a terrain, of both its grounds in turn, while less than `part` of the frame's time is used.
/// Of what else there is, it takes its share among `terrains` that are still to come.
pub(super) fn spawn_finished(
    world: &mut World,
    applier: &mut Applier,
    terrain: Entity,
    frame: &mut FrameBudget,
    part: f64,
    terrains: usize,
) {
    let mut chunks = frame.chunks.div_ceil(terrains);
    let mut nothing_left = [false; 2];
    let mut is_incoming = true;
    while chunks > 0 && nothing_left != [true; 2] {
        is_incoming = !is_incoming;
        if nothing_left[usize::from(is_incoming)] {
            continue;
        }
        let is_first = world.resource::<TerrainStats>().bytes_uploaded == 0;
        if !is_first && !frame.has_time(part) {
            return;
        }
        let Some(state) = world.get::<TerrainState>(terrain) else {
            return;
        };
        let ground = if is_incoming { &state.incoming } else { &state.ground };
        let Some(bytes) = ground.as_ref().map(Ground::bytes_per_chunk) else {
            nothing_left[usize::from(is_incoming)] = true;
            continue;
        };
        let uploaded = world.resource::<TerrainStats>().bytes_uploaded;
        // The coarsest chunks are there at any price, or there would never be a ground.
        let has_room =
            state.bytes() + bytes <= applier.memory || ground.as_ref().is_some_and(|ground| ground.len() < 4);
        if !is_first && uploaded + bytes > frame.upload_bytes || !has_room {
            return;
        }
        match take_built(world, terrain, is_incoming, frame, part) {
            Some(built) => {
                chunks -= 1;
                frame.chunks -= 1;
                spawn_chunk(world, &mut applier.places, terrain, built, is_incoming);
            }
            None => nothing_left[usize::from(is_incoming)] = true,
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
    let ground = if is_incoming { &mut state.incoming } else { &mut state.ground };
    let ground = ground.as_mut()?;
    loop {
        let built = if threads {
            ground.tasks.take_finished()?
        } else {
            let (has_built, built) =
                ground.tasks.build_slice(&mut ground.planner, &ground.field, &ground.layout, &finish);
            match built {
                Some(built) => built,
                None if has_built && frame.has_time(part) => continue,
                None => return None,
            }
        };
        // It may have been built within a frame meanwhile.
        if !ground.planner.is_loaded(built.coord) {
            return Some(built);
        }
    }
}

/// Spawns a chunk of the incoming ground, or of the one that is drawn.
pub(super) fn spawn_chunk(
    world: &mut World,
    places: &mut QueryState<TerrainPlace>,
    terrain: Entity,
    built: BuiltChunk,
    is_incoming: bool,
) {
    let BuiltChunk { coord, heights, finished } = built;
    let Some((layout, bytes)) = world.get::<TerrainState>(terrain).and_then(|state| {
        let ground = if is_incoming { &state.incoming } else { &state.ground };
        ground.as_ref().map(|ground| (ground.layout, ground.bytes_per_chunk()))
    }) else {
        return;
    };
    let bounds = ChunkBounds::new(&layout, coord, heights);
    let Ok(place) = places.get(world, terrain).map(|place| ChunkPlace::new(&place, &bounds)) else {
        return;
    };
    let bundle = (
        Name::new(format!("Chunk {} {} (level {})", coord.x, coord.z, coord.level)),
        TerrainChunk { terrain, coord },
        ChunkStitchMask(StitchMask::NONE),
        ChunkDrawn(false),
        bounds,
        ChildOf(terrain),
    );
    let mut chunk = place.spawn(world, bundle);
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
        let ground = if is_incoming { &mut state.incoming } else { &mut state.ground };
        if let Some(ground) = ground {
            if is_there {
                ground.insert(coord, LoadedChunk { entity, heights });
            } else {
                ground.planner.fail(coord);
            }
        }
    }
}
