//! The statistics of the last frames.

use super::TerrainStats;
use bevy::prelude::*;
use std::collections::VecDeque;

/// Records the [`TerrainStats`] of the last frames, for graphs. The inspector adds this plugin.
#[derive(Clone, Copy, Debug, Default)]
pub struct TerrainHistoryPlugin;

impl Plugin for TerrainHistoryPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<TerrainHistory>().add_systems(Last, record.run_if(resource_exists::<TerrainStats>));
    }
}

/// The [`TerrainStats`] of the last [`FRAMES`](Self::FRAMES) frames, oldest first. Allocates its memory only once.
#[derive(Resource, Clone, Debug)]
pub struct TerrainHistory(VecDeque<TerrainStats>);

impl TerrainHistory {
    /// The number of frames that are kept: four seconds at 60 frames per second.
    pub const FRAMES: usize = 240;

    /// Adds a frame. Drops the oldest one if there are already [`FRAMES`](Self::FRAMES).
    pub fn push(&mut self, stats: TerrainStats) {
        if self.0.len() == Self::FRAMES {
            self.0.pop_front();
        }
        self.0.push_back(stats);
    }

    /// The frames, oldest first.
    pub fn frames(&self) -> impl ExactSizeIterator<Item = &TerrainStats> + DoubleEndedIterator {
        self.0.iter()
    }
}

impl Default for TerrainHistory {
    fn default() -> Self {
        Self(VecDeque::with_capacity(Self::FRAMES))
    }
}

fn record(stats: Res<TerrainStats>, mut history: ResMut<TerrainHistory>) {
    history.push(*stats);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_frames_are_kept_in_order_without_another_allocation() {
        let mut history = TerrainHistory::default();
        let capacity = history.0.capacity();
        let numbers = |history: &TerrainHistory| history.frames().map(|frame| frame.chunks_drawn).collect::<Vec<_>>();
        assert_eq!(numbers(&history), [0; 0]);
        for chunks_drawn in 0..TerrainHistory::FRAMES + 7 {
            history.push(TerrainStats { chunks_drawn, ..TerrainStats::default() });
        }
        assert_eq!(numbers(&history), (7..TerrainHistory::FRAMES + 7).collect::<Vec<_>>());
        assert_eq!(history.0.capacity(), capacity);
    }
}
