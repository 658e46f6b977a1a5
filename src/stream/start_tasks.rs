//! Starts background tasks for the chunks in front of the build queues.

use super::budget::TerrainBudget;
use super::build::{StreamThreads, SurfaceFinish};
use super::ground::Ground;
use super::report::TerrainStats;
use super::schedule::TerrainSystems;
use super::state::TerrainState;
use super::terrain::Terrain;
use bevy::prelude::*;
use bevy::tasks::AsyncComputeTaskPool;

/// As many chunks as a thread builds in a few milliseconds: what waits longer could not follow a viewer that turns away.
const TASKS_PER_THREAD: usize = 128;

/// Starts tasks for every terrain, if there are threads for them. During a reload, each ground gets half of them.
pub(super) fn start_tasks(
    mut terrains: Query<&mut TerrainState, With<Terrain>>,
    finish: Res<SurfaceFinish>,
    threads: Res<StreamThreads>,
    budget: Res<TerrainBudget>,
    mut stats: ResMut<TerrainStats>,
) {
    stats.time(TerrainSystems::Generate, |stats| {
        (stats.tasks_in_flight, stats.chunks_queued) = (0, 0);
        let grounds: usize = terrains.iter_mut().map(|mut state| state.grounds().count()).sum();
        let most = if threads.0 {
            let most = TASKS_PER_THREAD * AsyncComputeTaskPool::get().thread_num();
            (most.min(budget.max_tasks as usize) / grounds.max(1)).max(1)
        } else {
            0
        };
        for mut state in &mut terrains {
            for Ground { planner, tasks, field, layout, .. } in state.grounds() {
                tasks.start(most, planner, field, *layout, &finish);
                stats.tasks_in_flight += tasks.len();
                stats.chunks_queued += planner.queue().len();
            }
        }
    });
}
