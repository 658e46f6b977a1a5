//! The applier: it alone spawns, shows, hides and despawns chunks.
//!
//! One exclusive system, so that what a change takes is measured when it is made. In each frame, for each terrain:
//!
//! 1. Build the drawn chunks again that were edited, and rewrite them. Spawn the chunks that the frame can't do without
//!    ([`Plan::build_now`](crate::chunk::plan::Plan::build_now)).
//! 2. Hide, restitch and show chunks as the [`PlanDiff`](crate::chunk::plan::PlanDiff) says, and tell games: gone before new.
//! 3. Spawn finished chunks, hidden, within the [`TerrainBudget`].
//! 4. Despawn chunks within the rest of the time, and harder above the memory limit.

#[cfg(feature = "render")]
mod commands;
mod despawn;
mod rebuild;
mod show;
mod spawn;

#[cfg(feature = "render")]
pub(crate) use commands::count_changes;
pub(super) use despawn::{Discarded, free_discarded};

use self::show::DrawnChunks;
use super::budget::{MemoryShare, TerrainBudget, TerrainClock};
use super::build::{BuiltChunk, StreamThreads, SurfaceFinish, build_now};
use super::position::TerrainPosition;
use super::report::{TerrainStats, stage_span};
use super::schedule::StreamWork;
use super::schedule::TerrainSystems;
use super::state::TerrainState;
use super::streamed_terrain::StreamedTerrain;
use super::terrain::Terrain;
use bevy::platform::time::Instant;
use bevy::prelude::*;
use std::time::Duration;

/// The rest of the frame's budget for work that can wait. Chunks that are built at once don't count.
struct FrameBudget {
    clock: TerrainClock,
    start: Duration,
    time: Duration,
    /// Bytes that may still be uploaded.
    upload_bytes: u64,
    /// Finished chunks that may still be spawned.
    chunks: usize,
    /// No finished chunk was spawned yet: one is, whatever the budget.
    is_first: bool,
}

impl FrameBudget {
    /// Whether less than `part` of the time is used.
    fn has_time(&self, part: f64) -> bool {
        self.clock.now().saturating_sub(self.start).as_secs_f64() < self.time.as_secs_f64() * part
    }

    /// Whether a finished chunk of so many bytes may be spawned while less than `part` of the time is used.
    fn may_spawn(&self, bytes: u64, part: f64) -> bool {
        self.is_first || bytes <= self.upload_bytes && self.has_time(part)
    }

    fn count_spawned(&mut self, bytes: u64) {
        self.chunks -= 1;
        self.count_renewed(bytes);
    }

    fn count_renewed(&mut self, bytes: u64) {
        self.is_first = false;
        self.upload_bytes = self.upload_bytes.saturating_sub(bytes);
    }
}

/// The part of the time budget after which no more finished chunks are spawned.
const SPAWN_TIME: f64 = 0.75;

/// The memory of the applier from frame to frame.
pub(super) struct Applier {
    terrains: QueryState<Entity, (With<Terrain>, With<TerrainState>)>,
    positions: QueryState<TerrainPosition>,
    drawn: DrawnChunks,
    memory: MemoryShare,
    /// Another terrain is first in every frame, so that none always takes the whole budget.
    turn: usize,
}

impl FromWorld for Applier {
    fn from_world(world: &mut World) -> Self {
        Self {
            terrains: world.query_filtered(),
            positions: world.query(),
            drawn: world.query(),
            memory: MemoryShare::default(),
            turn: 0,
        }
    }
}

/// Does what the plans ask for.
pub(super) fn apply_plans(world: &mut World, mut applier: Local<Applier>) {
    let span = stage_span(TerrainSystems::Apply);
    let start = Instant::now();
    let mut order: Vec<Entity> = applier.terrains.iter(world).collect();
    applier.turn = applier.turn.wrapping_add(1);
    let first = applier.turn % order.len().max(1);
    order.rotate_left(first);
    let budget = world.resource::<TerrainBudget>().clone();
    let capacity = world.resource::<SurfaceFinish>().store.capacity();
    applier.memory = budget.memory_share(capacity, order.len());
    for &terrain in &order {
        rebuild::rebuild_drawn(world, terrain);
        build_missing(world, &mut applier, terrain);
        show::apply_changes(world, &mut applier.drawn, terrain);
    }
    let clock = world.resource::<TerrainClock>().clone();
    // Reserve half of the time budget for finished chunks, however long planning took.
    let half_ago = clock.now().saturating_sub(budget.time() / 2);
    let mut frame = FrameBudget {
        clock,
        start: world.resource::<StreamWork>().start.max(half_ago),
        time: budget.time(),
        upload_bytes: world.resource::<StreamWork>().upload_bytes,
        chunks: budget.chunks(),
        is_first: true,
    };
    // Despawning has the last quarter of the time. Each terrain gets its share of the rest while others wait.
    for (number, &terrain) in order.iter().enumerate() {
        let share = (number + 1) as f64 / order.len() as f64;
        spawn::spawn_finished(world, &mut applier, terrain, &mut frame, SPAWN_TIME * share, order.len() - number);
        rebuild::renew_hidden(world, terrain, &mut frame, SPAWN_TIME * share);
    }
    for &terrain in &order {
        despawn::despawn_unwanted(world, terrain, &frame, applier.memory.ground);
    }
    world.resource_mut::<StreamWork>().upload_bytes = frame.upload_bytes;
    despawn::despawn_orphans(world);
    count_chunks(world, &order);
    let took = start.elapsed();
    world.resource_mut::<TerrainStats>().count(TerrainSystems::Apply, took);
    drop(span);
}

/// Builds and spawns the chunks without which there would be a hole.
fn build_missing(world: &mut World, applier: &mut Applier, terrain: Entity) {
    let (finish, threads) = (world.resource::<SurfaceFinish>().clone(), world.resource::<StreamThreads>().0);
    let Some(streamed) = world.get::<TerrainState>(terrain).and_then(|state| state.drawn.as_ref()) else {
        return;
    };
    let missing = streamed.planner.plan().build_now();
    let missing: Vec<_> = missing.iter().copied().filter(|&chunk| !streamed.planner.is_loaded(chunk)).collect();
    if missing.is_empty() {
        return;
    }
    let StreamedTerrain { field, layout, .. } = streamed;
    let built = build_now(&missing, threads, |coord| BuiltChunk::build(field, layout, coord, &finish));
    make_room(world, terrain, built.len(), applier.memory);
    world.resource_mut::<TerrainStats>().chunks_built_now += built.len();
    built.into_iter().for_each(|chunk| spawn::spawn_chunk(world, &mut applier.positions, terrain, chunk, false));
}

/// Despawns as many chunks as the memory limit asks for before so many more are spawned.
fn make_room(world: &mut World, terrain: Entity, chunks: usize, memory: MemoryShare) {
    let store = world.resource::<SurfaceFinish>().store.clone();
    let Some(mut state) = world.get_mut::<TerrainState>(terrain) else {
        return;
    };
    let Some(streamed) = &state.drawn else {
        return;
    };
    let (bytes, layout) = (streamed.bytes_per_chunk * chunks as u64, streamed.layout);
    let memory = state.max_bytes(memory);
    if state.bytes() + bytes > memory || store.free_chunks(&layout) < chunks {
        despawn::evict(&mut state, true);
        despawn::despawn_down_to(world, terrain, memory.saturating_sub(bytes));
        while store.free_chunks(&layout) < chunks && despawn::despawn_one(world, terrain) {}
    }
}

fn count_chunks(world: &mut World, terrains: &[Entity]) {
    let mut counts = [0; 4];
    let mut bytes = 0;
    for state in terrains.iter().filter_map(|&terrain| world.get::<TerrainState>(terrain)) {
        counts[0] += state.chunks_drawn();
        counts[1] += state.drawn.as_ref().map_or(0, StreamedTerrain::len);
        counts[2] += state.incoming.as_ref().map_or(0, StreamedTerrain::len);
        counts[3] += state.despawning.len();
        bytes += state.bytes();
    }
    let mut stats = world.resource_mut::<TerrainStats>();
    [stats.chunks_drawn, stats.chunks_loaded, stats.chunks_incoming, stats.chunks_despawning] = counts;
    stats.bytes_loaded = bytes;
}
