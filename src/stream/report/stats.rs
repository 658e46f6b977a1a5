//! How much there is, and what it costs.

use crate::chunk::LodCost;
use crate::stream::schedule::TerrainSystems;
use bevy::log::debug_span;
use bevy::log::tracing::span::EnteredSpan;
use bevy::platform::time::Instant;
use bevy::prelude::*;
use std::time::Duration;

/// Numbers of all terrains together. A system in [`TerrainSystems::Last`], or in a schedule after it, reads those of this very
/// frame.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TerrainStats {
    /// Chunks that are drawn.
    pub chunks_drawn: usize,
    /// Chunks that are loaded: those that are drawn, those that finer ones are drawn in place of, those that will soon be
    /// needed, and for some frames those that are no longer wanted.
    pub chunks_loaded: usize,
    /// Chunks that wait, hidden, for the rest of the ground that a reload builds.
    pub chunks_incoming: usize,
    /// Chunks that are wanted and for which no task was started yet.
    pub chunks_queued: usize,
    /// Chunks that are no longer wanted, and will be despawned in the next frames.
    pub chunks_despawning: usize,
    /// Background tasks that were running or waiting after new ones were started in this frame.
    pub tasks_in_flight: usize,
    /// Chunks that were built and spawned, since the start.
    pub chunks_built: u64,
    /// Chunks that were built within this frame, as there would have been a hole without them.
    pub chunks_built_now: usize,
    /// Tasks that were canceled because their chunk was no longer wanted, since the start.
    pub tasks_canceled: u64,
    /// Chunks that were given up because they were no longer wanted, since the start, without those that a reload replaces.
    pub chunks_removed: u64,
    /// Bytes of the vertices and indices of all chunks, as a render layer uploads them, also of those that are to be despawned.
    pub bytes_loaded: u64,
    /// Bytes of the chunks that were spawned in this frame, and of the borders of chunks whose
    /// [stitch mask](crate::stream::ChunkStitchMask) changed.
    pub bytes_uploaded: u64,
    /// Time that the terrain took on the main schedule in this frame: its systems, and the commands with which they change
    /// the world.
    pub frame_time: Duration,
    /// The parts of `frame_time`.
    pub stage_times: StageTimes,
}

/// Time that each stage took on the main schedule in this frame, as [`TerrainSystems`] names them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StageTimes {
    /// Settings and warnings.
    pub react: Duration,
    /// The plan, and without threads the measurement of level errors.
    pub select: Duration,
    /// Chunks that are spawned, shown, hidden and despawned.
    pub apply: Duration,
    /// What the render layer does.
    pub render: Duration,
    /// Starting tasks.
    pub generate: Duration,
}

impl TerrainStats {
    /// Bytes of each vertex, of which [`bytes_loaded`](Self::bytes_loaded) are made up, beside the indices.
    pub const BYTES_PER_VERTEX: usize = LodCost::VERTEX_BYTES;

    /// Runs a system's work and counts the time that it takes as that of `stage`.
    pub(crate) fn time<R>(&mut self, stage: TerrainSystems, work: impl FnOnce(&mut Self) -> R) -> R {
        let _span = stage_span(stage);
        let start = Instant::now();
        let result = work(self);
        self.count(stage, start.elapsed());
        result
    }

    /// Counts a time as that of `stage`.
    pub(in crate::stream) fn count(&mut self, stage: TerrainSystems, took: Duration) {
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
}

/// Enters the span of `stage`.
pub(in crate::stream) fn stage_span(stage: TerrainSystems) -> EnteredSpan {
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
pub(in crate::stream) fn reset_frame(mut stats: ResMut<TerrainStats>) {
    (stats.frame_time, stats.stage_times, stats.bytes_uploaded, stats.chunks_built_now) = default();
}
