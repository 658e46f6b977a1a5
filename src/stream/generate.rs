//! Chunks are missing: builds them in the background.

use super::finish::SurfaceFinish;
use super::generation::Generation;
use super::pace::{Pace, time_budget};
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
    mut pace: ResMut<Pace>,
    mut stats: ResMut<TerrainStats>,
) {
    stats.time(TerrainSystems::Generate, |stats| {
        (stats.tasks_in_flight, stats.chunks_queued) = (0, 0);
        for mut state in &mut terrains {
            let is_queue_outdated = state.is_queue_outdated();
            let TerrainState {
                shown: Some(shown), incoming, settings: Some(settings), is_busy, have_tasks_waited, ..
            } = &mut *state
            else {
                continue;
            };
            let budget = time_budget(&settings.stream);
            // Tasks that run already have enough to do for a frame, as a rule.
            let has_no_time = || is_queue_outdated && !pace.has_time_to_line_up(stats.time_left(budget));
            *have_tasks_waited = !*have_tasks_waited && (*is_busy || has_no_time());
            if threads.0 && !*have_tasks_waited {
                let most = settings.stream.max_tasks as usize;
                let has_time = || !stats.time_left(budget).is_zero();
                let mut start = || start_tasks_of(shown, incoming.as_mut(), most, &finish, has_time);
                if is_queue_outdated { pace.line_up(start) } else { start() }
            }
            for generation in [Some(&*shown), incoming.as_ref()].into_iter().flatten() {
                stats.tasks_in_flight += generation.workshop.tasks();
                stats.chunks_queued += generation.queued();
            }
        }
    });
}

fn start_tasks_of(
    shown: &mut Generation,
    incoming: Option<&mut Generation>,
    max_tasks: usize,
    finish: &SurfaceFinish,
    has_time: impl Fn() -> bool,
) {
    let most = max_tasks.min(TASKS_PER_THREAD * AsyncComputeTaskPool::get().thread_num());
    shown.measure();
    let Some(incoming) = incoming else {
        shown.start_tasks(most, finish, has_time);
        return;
    };
    incoming.measure();
    // The ground that is shown goes on in front of a moving viewer, with a part of the tasks.
    shown.start_tasks((most / 4).max(1), finish, &has_time);
    incoming.start_tasks(most.saturating_sub(shown.workshop.tasks()).max(1), finish, &has_time);
}
