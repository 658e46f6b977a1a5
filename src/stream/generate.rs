//! Chunks are missing: builds them in the background.

use super::{TerrainState, TerrainStats};
use bevy::prelude::*;

/// Starts tasks for the most urgent missing chunks of every terrain.
pub(super) fn start_tasks(mut terrains: Query<&mut TerrainState>, mut stats: ResMut<TerrainStats>) {
    stats.time(|stats| {
        stats.tasks_in_flight = 0;
        for mut state in &mut terrains {
            let TerrainState { shown: Some(shown), incoming, settings: Some(settings), .. } = &mut *state else {
                continue;
            };
            let most = settings.stream.max_tasks as usize;
            if let Some(incoming) = incoming {
                // The ground that is shown goes on in front of a moving viewer, with a part of the tasks.
                shown.start_tasks((most / 4).max(1));
                incoming.start_tasks(most.saturating_sub(shown.tasks()).max(1));
                stats.tasks_in_flight += incoming.tasks();
            } else {
                shown.start_tasks(most);
            }
            stats.tasks_in_flight += shown.tasks();
        }
    });
}
