//! The background tasks of a ground, one per chunk.

use super::background::in_background;
use super::built::{BuiltChunk, SurfaceFinish};
use crate::chunk::plan::Planner;
use crate::chunk::{ChunkCoord, ChunkLayout, ChunkSlices, CoordSet};
use crate::field::HeightField;
use bevy::tasks::{ComputeTaskPool, Task, futures::check_ready};
use std::sync::Arc;

/// A task that builds one chunk.
struct BuildTask {
    coord: ChunkCoord,
    task: Task<BuiltChunk>,
}

/// The chunks of a ground that are being built.
#[derive(Default)]
pub(in crate::stream) struct BuildTasks {
    tasks: Vec<BuildTask>,
    /// The chunks of `tasks`.
    started: CoordSet,
    /// The chunk that the main thread builds in slices. Only without threads.
    slices: Option<ChunkSlices>,
}

impl BuildTasks {
    /// The number of tasks whose results were not taken yet.
    pub const fn len(&self) -> usize {
        self.tasks.len()
    }

    /// Cancels the tasks of chunks that are not wanted. Returns the number of canceled tasks.
    ///
    /// Dropping a task cancels it. A waiting task never runs; the result of a running task is dropped.
    pub fn retain(&mut self, is_wanted: impl Fn(ChunkCoord) -> bool) -> usize {
        let before = self.tasks.len();
        self.slices.take_if(|slices| !is_wanted(slices.chunk()));
        self.tasks.retain(|task| is_wanted(task.coord));
        self.started.retain(|&coord| is_wanted(coord));
        before - self.tasks.len()
    }

    /// Starts tasks for the first chunks in the build queue of `planner`, until there are `most` tasks.
    pub fn start(
        &mut self,
        most: usize,
        planner: &mut Planner,
        field: &Arc<HeightField>,
        layout: ChunkLayout,
        finish: &SurfaceFinish,
    ) {
        while self.tasks.len() < most {
            let Some(coord) = planner.next_to_build() else { break };
            if !self.started.insert(coord) {
                continue;
            }
            let (field, finish) = (Arc::clone(field), finish.clone());
            let task = in_background(move || BuiltChunk::build(&field, &layout, coord, &finish));
            self.tasks.push(BuildTask { coord, task });
        }
    }

    /// Takes a finished chunk. Returns `None` if no task is finished. Earlier tasks come first.
    pub fn take_finished(&mut self) -> Option<BuiltChunk> {
        let (at, built) = (self.tasks.iter_mut().enumerate())
            .find_map(|(at, BuildTask { task, .. })| Some((at, check_ready(task)?)))?;
        self.tasks.remove(at);
        self.started.remove(&built.coord);
        Some(built)
    }

    /// Builds one slice on this thread: of the chunk that was started, or of the first one in the build queue of `planner`. Returns
    /// whether there was a slice to build, and the chunk if this was its last slice.
    pub fn build_slice(
        &mut self,
        planner: &mut Planner,
        field: &HeightField,
        layout: &ChunkLayout,
        finish: &SurfaceFinish,
    ) -> (bool, Option<BuiltChunk>) {
        if self.slices.is_none() {
            self.slices = planner.next_to_build().map(|chunk| ChunkSlices::new(layout, chunk));
        }
        let Some(slices) = &mut self.slices else {
            return (false, None);
        };
        let built = BuiltChunk::build_slice(field, slices, finish);
        if built.is_some() {
            self.slices = None;
        }
        (true, built)
    }
}

/// Up to this number of chunks, one thread is faster than waking up several.
const FEW_CHUNKS: usize = 4;

/// Builds chunks in this frame, on all threads if there are threads.
pub(in crate::stream) fn build_now(
    chunks: &[ChunkCoord],
    field: &HeightField,
    layout: &ChunkLayout,
    finish: &SurfaceFinish,
    has_threads: bool,
) -> Vec<BuiltChunk> {
    let build = |coord| BuiltChunk::build(field, layout, coord, finish);
    if !has_threads || chunks.len() <= FEW_CHUNKS {
        return chunks.iter().map(|&coord| build(coord)).collect();
    }
    ComputeTaskPool::get().scope(|scope| {
        for &coord in chunks {
            scope.spawn(async move { build(coord) });
        }
    })
}
