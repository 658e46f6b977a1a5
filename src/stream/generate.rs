//! Chunks are missing: builds them in the background.

use super::finish::SurfaceFinish;
use super::{StreamThreads, TerrainState, TerrainStats, TerrainSystems};
use bevy::prelude::*;
use bevy::tasks::AsyncComputeTaskPool;

/// As many chunks as a thread builds in a few milliseconds: what waits longer could not follow a viewer that turns away.
const TASKS_PER_THREAD: usize = 128;

/// Starts tasks for the most urgent missing chunks of every terrain, where there are threads for them.
pub(super) fn start_tasks(
    mut terrains: Query<&mut TerrainState>,
    finish: Res<SurfaceFinish>,
    threads: Res<StreamThreads>,
    mut stats: ResMut<TerrainStats>,
) {
    stats.time(TerrainSystems::Generate, |stats| {
        stats.tasks_in_flight = 0;
        for mut state in &mut terrains {
            let TerrainState { shown: Some(shown), incoming, settings: Some(settings), .. } = &mut *state else {
                continue;
            };
            if !threads.0 {
                continue;
            }
            let most =
                (settings.stream.max_tasks as usize).min(TASKS_PER_THREAD * AsyncComputeTaskPool::get().thread_num());
            if let Some(incoming) = incoming {
                // The ground that is shown goes on in front of a moving viewer, with a part of the tasks.
                shown.start_tasks((most / 4).max(1), &finish);
                incoming.start_tasks(most.saturating_sub(shown.workshop.tasks()).max(1), &finish);
                stats.tasks_in_flight += incoming.workshop.tasks();
            } else {
                shown.start_tasks(most, &finish);
            }
            stats.tasks_in_flight += shown.workshop.tasks();
        }
    });
}
