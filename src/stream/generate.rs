//! Chunks are missing: builds them in the background.

use super::{TerrainState, TerrainStats};
use bevy::prelude::*;

/// Starts tasks for the most urgent missing chunks of every terrain.
pub(super) fn start_tasks(mut terrains: Query<&mut TerrainState>, mut stats: ResMut<TerrainStats>) {
    stats.time(|stats| {
        stats.tasks_in_flight = 0;
        for mut state in &mut terrains {
            let TerrainState { shown, incoming, cover, settings: Some(settings), .. } = &mut *state else {
                continue;
            };
            if let Some(generation) = incoming.as_mut().or(shown.as_mut()) {
                generation.start_tasks(cover, settings.stream.max_tasks as usize);
                stats.tasks_in_flight += generation.tasks();
            }
        }
    });
}
