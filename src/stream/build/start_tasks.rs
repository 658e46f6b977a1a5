//! Starts background tasks for the first chunks in the build queues.

use super::background::StreamThreads;
use super::built::SurfaceFinish;
use crate::stream::budget::TerrainBudget;
use crate::stream::ground::Ground;
use crate::stream::report::TerrainStats;
use crate::stream::schedule::TerrainSystems;
use crate::stream::state::TerrainState;
use crate::stream::terrain::Terrain;
use bevy::prelude::*;
use bevy::tasks::AsyncComputeTaskPool;

/// Starts tasks for every terrain, if there are threads. All grounds get equal shares, also the two grounds of a reload.
pub(in crate::stream) fn start_tasks(
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
            let most = TerrainBudget::TASKS_PER_THREAD * AsyncComputeTaskPool::get().thread_num();
            (most.min(budget.tasks()) / grounds.max(1)).max(1)
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
