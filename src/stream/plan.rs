//! The one call of the planner in a frame. `apply` carries out its result.

use super::budget::{MemoryShare, TerrainBudget, TerrainClock};
use super::build::{ChunkStore, StreamThreads, SurfaceFinish};
use super::changes::Changes;
use super::collider_tiles::KeepGround;
use super::faults::Faults;
use super::position::MovedTerrain;
use super::report::{DespawnedChunks, TerrainStats};
use super::schedule::{StreamWork, TerrainSystems};
use super::state::TerrainState;
use super::streamed_terrain::PlanParams;
use super::terrain::Terrain;
use super::viewers::ViewerCollector;
use crate::chunk::plan::PlanDiff;
use bevy::prelude::*;
use bevy::time::Real;

/// The longest time for which ranges grow in one frame, in seconds. After a long frame, detail grows as if it had been short:
/// it should not jump.
const MAX_FRAME_SECONDS: f64 = 1.0 / 30.0;

/// Plans every terrain whose viewers moved or whose chunks changed.
pub(super) fn plan_terrains(
    mut terrains: Query<(NameOrEntity, &mut TerrainState), With<Terrain>>,
    (mut collector, moved): (ViewerCollector, Query<(), MovedTerrain>),
    mut despawned: ResMut<DespawnedChunks>,
    (budget, clock, threads, finish): (Res<TerrainBudget>, Res<TerrainClock>, Res<StreamThreads>, Res<SurfaceFinish>),
    time: Option<Res<Time<Real>>>,
    (mut work, mut stats): (ResMut<StreamWork>, ResMut<TerrainStats>),
    (bodies, mut unseen): (Query<(), With<KeepGround>>, Local<Faults<Entity>>),
) {
    let seconds = time.map_or(MAX_FRAME_SECONDS, |time| time.delta_secs_f64());
    stats.time(TerrainSystems::Select, |stats| {
        for (terrain, coord, chunk) in despawned.0.drain(..) {
            if let Ok((_, mut state)) = terrains.get_mut(terrain) {
                state.all_streamed().for_each(|streamed| _ = streamed.forget(coord, chunk));
            }
        }
        work.start = clock.now();
        work.upload_bytes = budget.upload_bytes();
        work.is_left = !work.lost_terrains.is_empty() || !moved.is_empty();
        let count = terrains.iter().len();
        let share = budget.memory_share(finish.store.capacity(), count);
        let max_built_now = TerrainBudget::max_built_now(threads.0, count);
        for (name, mut state) in &mut terrains {
            let entity = name.entity;
            let state = &mut *state;
            // Another terrain may leave room for what is missing.
            let has_all = state.is_still() && !state.is_limited_by_memory();
            if has_all && !budget.is_changed() && collector.is_same(entity, &state.scene) {
                continue;
            }
            work.is_left = true;
            let TerrainState { scene, velocities, viewers, .. } = state;
            collector.collect(entity, scene, velocities, seconds, viewers);
            let is_unseen = collector.is_empty() && bodies.is_empty() && state.settings.is_some();
            if unseen.begins(entity, is_unseen) {
                warn!(
                    "the terrain {name} has no viewer: put a `TerrainViewer` on the camera, or `KeepGround` on a body; \
                     a server that only asks `TerrainGround` needs neither"
                );
            }
            for streamed in state.all_streamed() {
                if threads.0 {
                    streamed.measurement.advance(&streamed.field, &streamed.layout);
                } else {
                    let half = budget.time() / 2;
                    let has_time = || clock.now().saturating_sub(work.start) < half;
                    streamed.measurement.advance_here(&streamed.field, &streamed.layout, has_time);
                }
            }
            plan_terrain(state, share, &*finish.store, max_built_now, seconds.min(MAX_FRAME_SECONDS), stats);
        }
    });
}

/// Plans both grounds of a terrain, and decides whether the incoming one takes over.
fn plan_terrain(
    state: &mut TerrainState,
    share: MemoryShare,
    store: &dyn ChunkStore,
    max_built_now: usize,
    seconds: f64,
    stats: &mut TerrainStats,
) {
    state.replan = false;
    let TerrainState {
        settings: Some(settings),
        drawn: Some(streamed),
        incoming,
        viewers,
        changes,
        bytes_at_reload,
        ..
    } = state
    else {
        return;
    };
    let [of_drawn, of_incoming] =
        if incoming.is_some() { share.of_reload(*bytes_at_reload) } else { [share.ground, 0] };
    let mut params = PlanParams {
        settings,
        viewers,
        max_bytes: of_drawn,
        free_chunks: store.free_chunks(&streamed.layout),
        max_built_now,
        seconds,
    };
    let before = incoming.is_some().then(|| streamed.planner.plan().clone());
    let diff = streamed.plan(&params);
    changes.add(streamed, diff);
    stats.tasks_canceled += streamed.cancel_tasks(true);
    let Some(new) = incoming else {
        return;
    };
    // The incoming ground is hidden, so it grows at once and builds nothing in this frame. After a jump it may build, so that it
    // can take over.
    params.seconds = f64::INFINITY;
    (params.max_bytes, params.free_chunks) = (of_incoming, store.free_chunks(&new.layout));
    if !streamed.planner.plan().viewers().iter().any(|viewer| viewer.has_jumped) {
        params.max_built_now = 0;
    }
    new.plan(&params);
    let can_replace = new.planner.plan().can_replace(&new.layout, streamed.planner.plan(), &streamed.layout);
    // Somebody may edit meanwhile.
    let has_edits = new.stale_drawn().count() <= max_built_now;
    if !(can_replace && has_edits && new.collider_tiles.can_replace()) {
        // Tasks build all of its chunks.
        stats.tasks_canceled += new.cancel_tasks(false);
    } else {
        stats.tasks_canceled += new.cancel_tasks(true);
        // One diff from the ground that was drawn to the new one, in one frame: part of it would open cracks.
        let before = before.unwrap_or_default();
        let mut edited = std::mem::take(&mut changes.edited);
        edited.extend(new.field.edited_since(&streamed.field).unwrap_or_default());
        *changes = Changes { edited, ..Changes::default() };
        changes.add(streamed, PlanDiff::vanish(&before));
        let appear = PlanDiff::appear(new.planner.plan());
        changes.add(new, appear);
        let old = std::mem::replace(&mut state.drawn, state.incoming.take());
        if let Some(old) = old {
            stats.tasks_canceled += state.discard(old) as u64;
        }
    }
}
