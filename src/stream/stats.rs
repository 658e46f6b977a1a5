//! How much there is, and what it costs.

use super::TerrainSystems;
use crate::chunk::CoverCost;
use bevy::log::debug_span;
use bevy::log::tracing::span::EnteredSpan;
use bevy::platform::time::Instant;
use bevy::prelude::*;
use std::time::Duration;

/// Numbers of all terrains together. A system in [`TerrainSystems::Last`], or in a schedule after it, reads those of this very
/// frame.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TerrainStats {
    /// Chunks that are part of the world.
    pub chunks_shown: usize,
    /// Chunks that are there: those that are part of the world, those that finer ones are shown in place of, those that will soon
    /// be needed, and for some frames those that are not wanted any more.
    pub chunks_loaded: usize,
    /// Chunks that wait, unseen, for the rest of their generation.
    pub chunks_waiting: usize,
    /// Chunks that are wanted and not there, and for which no task was started yet.
    pub chunks_queued: usize,
    /// Chunks that nobody sees or wants any more, and that will be removed in the next frames.
    pub chunks_leaving: usize,
    /// Background tasks that were running or waiting after new ones were started in this frame.
    pub tasks_in_flight: usize,
    /// Chunks that were built and put into the world, since the start.
    pub tasks_done: u64,
    /// Tasks that were thrown away because nobody wanted their chunk any more, since the start.
    pub tasks_cancelled: u64,
    /// Chunks that were given up because nobody wants them any more, since the start; what a reload replaces aside.
    pub chunks_removed: u64,
    /// Bytes that the vertices and indices of all chunks take which are there, wait or leave, as a render layer uploads them.
    pub bytes_loaded: u64,
    /// Bytes of the chunks that were put into the world in this frame, of patches that stand in for them, and of the borders of
    /// chunks that are drawn with other [edges](super::ChunkEdges) than before.
    pub bytes_uploaded: u64,
    /// Time that the terrain took on the main schedule in this frame: its systems, and the commands with which they change
    /// the world.
    pub frame_time: Duration,
    /// The parts of `frame_time`.
    pub stage_times: StageTimes,
    /// When the system began that is running.
    running_since: Option<Instant>,
}

/// Time that each stage took on the main schedule in this frame, as [`TerrainSystems`] names them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StageTimes {
    /// Settings and warnings.
    pub react: Duration,
    /// Finding what is wanted, and where there are no threads, how rough the levels are.
    pub select: Duration,
    /// Chunks that appear, are shown, hidden and removed.
    pub apply: Duration,
    /// What the render layer does.
    pub render: Duration,
    /// Starting tasks.
    pub generate: Duration,
}

impl TerrainStats {
    /// Bytes of each vertex, of which [`bytes_loaded`](Self::bytes_loaded) are made up, beside the indices.
    pub const BYTES_PER_VERTEX: usize = CoverCost::VERTEX_BYTES;

    /// Runs a system's work and counts the time that it takes as that of `stage`.
    pub(crate) fn time<R>(&mut self, stage: TerrainSystems, work: impl FnOnce(&mut Self) -> R) -> R {
        let _span = stage_span(stage);
        self.running_since = Some(Instant::now());
        let result = work(self);
        let took = self.running_since.take().map(|start| start.elapsed());
        self.count(stage, took.unwrap_or_default());
        result
    }

    /// Counts a time as that of `stage`.
    pub(super) fn count(&mut self, stage: TerrainSystems, took: Duration) {
        self.frame_time += took;
        let times = &mut self.stage_times;
        match stage {
            TerrainSystems::First | TerrainSystems::React | TerrainSystems::Last => times.react += took,
            TerrainSystems::Select => times.select += took,
            TerrainSystems::Generate => times.generate += took,
            TerrainSystems::Apply => times.apply += took,
            TerrainSystems::Render => times.render += took,
        }
    }

    /// What is left of `budget` in this frame, at this moment.
    pub(super) fn time_left(&self, budget: Duration) -> Duration {
        let running = self.running_since.map(|start| start.elapsed()).unwrap_or_default();
        budget.saturating_sub(self.frame_time + running)
    }
}

/// Enters the span of `stage`.
pub(super) fn stage_span(stage: TerrainSystems) -> EnteredSpan {
    match stage {
        TerrainSystems::First | TerrainSystems::React | TerrainSystems::Last => debug_span!("terrain_react"),
        TerrainSystems::Select => debug_span!("terrain_select"),
        TerrainSystems::Generate => debug_span!("terrain_generate"),
        TerrainSystems::Apply => debug_span!("terrain_apply"),
        TerrainSystems::Render => debug_span!("terrain_render"),
    }
    .entered()
}

/// A frame begins.
pub(super) fn reset_frame(mut stats: ResMut<TerrainStats>) {
    (stats.frame_time, stats.stage_times, stats.bytes_uploaded) = default();
}
