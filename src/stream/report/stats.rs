//! Statistics: numbers of chunks and tasks, bytes and times.

use crate::stream::schedule::TerrainSystems;
use bevy::log::debug_span;
use bevy::log::tracing::span::EnteredSpan;
use bevy::platform::time::Instant;
use bevy::prelude::*;
use std::time::Duration;

/// Statistics of all terrains together. They are complete for the current frame in [`TerrainSystems::Last`] and in later
/// schedules.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct TerrainStats {
    /// Drawn chunks.
    pub chunks_drawn: usize,
    /// Loaded chunks: drawn chunks, their parents, chunks that will soon be needed, and, for some frames, chunks that are no longer
    /// wanted. Without [`chunks_incoming`](Self::chunks_incoming).
    pub chunks_loaded: usize,
    /// Loaded chunks of the new ground that a reload builds. They are hidden until all of it is ready.
    pub chunks_incoming: usize,
    /// Chunks in the build queue: wanted, and without a task.
    pub chunks_queued: usize,
    /// Chunks in the despawn queue: no longer wanted, to be despawned in the next frames.
    pub chunks_despawning: usize,
    /// Background tasks that run or wait, after this frame started new ones.
    pub tasks_in_flight: usize,
    /// Chunks that were built and spawned, since the app started.
    pub chunks_built: u64,
    /// Chunks that were built at once in this frame, because a hole would have been visible without them.
    pub chunks_built_now: usize,
    /// Drawn chunks that were built again in this frame, because their ground was edited.
    pub chunks_rebuilt: usize,
    /// Tasks that were canceled because their chunk was no longer wanted, since the app started.
    pub tasks_canceled: u64,
    /// Chunks that were evicted because they were no longer wanted, since the app started. Does not count chunks that a reload
    /// replaces.
    pub chunks_removed: u64,
    /// Collider tiles around bodies. Each has 4.9 kB of heights.
    pub collider_tiles_loaded: usize,
    /// Collider tiles that were built and spawned, since the app started.
    pub collider_tiles_built: u64,
    /// Collider tiles that were built at once in this frame, because a body was on them.
    pub collider_tiles_built_now: usize,
    /// Bodies that [wait for ground](crate::stream::WaitsForGround).
    pub bodies_waiting: usize,
    /// Bytes of the heights of all chunks, or of their plain meshes, including chunks in the despawn queue.
    pub bytes_loaded: u64,
    /// Bytes of the chunks that were spawned in this frame, and of the plain meshes whose
    /// [stitch mask](crate::stream::ChunkStitchMask) changed in it.
    pub bytes_uploaded: u64,
    /// Time of the terrain's systems and of their commands on the main schedule, in this frame.
    pub frame_time: Duration,
    /// The parts of [`frame_time`](Self::frame_time).
    pub stage_times: StageTimes,
}

/// Time of each stage on the main schedule in this frame. The stages are those of [`TerrainSystems`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct StageTimes {
    /// Time to apply settings and find warnings.
    pub react: Duration,
    /// Time to plan. Without threads, also to measure level errors.
    pub select: Duration,
    /// Time to spawn, show, hide and despawn chunks, and plants that are entities.
    pub apply: Duration,
    /// Time of the render layer, with the tiles of plants.
    pub render: Duration,
    /// Time to start tasks.
    pub generate: Duration,
}

impl TerrainStats {
    /// Runs the work of a system and adds its time to `stage`.
    pub(crate) fn time<R>(&mut self, stage: TerrainSystems, work: impl FnOnce(&mut Self) -> R) -> R {
        let _span = stage_span(stage);
        let start = Instant::now();
        let result = work(self);
        self.count(stage, start.elapsed());
        result
    }

    /// Adds a time to `stage`.
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

/// Resets the numbers that count one frame.
pub(in crate::stream) fn reset_frame(mut stats: ResMut<TerrainStats>) {
    (stats.frame_time, stats.stage_times, stats.bytes_uploaded, stats.chunks_built_now) = default();
    (stats.collider_tiles_built_now, stats.chunks_rebuilt) = (0, 0);
}
