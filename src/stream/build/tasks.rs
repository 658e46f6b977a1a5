//! The background tasks of a ground, one for each chunk that is being built.

use super::{BuiltChunk, SurfaceFinish, in_background};
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
    begun: CoordSet,
    /// The chunk that is built on the main thread, where there are no others.
    slices: Option<ChunkSlices>,
}

impl BuildTasks {
    /// Tasks that are not finished or not taken yet.
    pub const fn len(&self) -> usize {
        self.tasks.len()
    }

    /// Cancels the tasks of chunks that are not wanted, and returns how many those were.
    ///
    /// Dropping a task cancels it: one that waits never runs, and the result of one that runs is dropped.
    pub fn retain(&mut self, is_wanted: impl Fn(ChunkCoord) -> bool) -> usize {
        let before = self.tasks.len();
        self.slices.take_if(|slices| !is_wanted(slices.chunk()));
        self.tasks.retain(|task| is_wanted(task.coord));
        self.begun.retain(|&coord| is_wanted(coord));
        before - self.tasks.len()
    }

    /// Starts tasks for the missing chunks in front of the queue of `planner`, until there are `most`.
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
            if !self.begun.insert(coord) {
                continue;
            }
            let (field, finish) = (Arc::clone(field), finish.clone());
            let task = in_background(move || BuiltChunk::build(&field, &layout, coord, &finish));
            self.tasks.push(BuildTask { coord, task });
        }
    }

    /// Takes a finished chunk, in the order in which tasks were started.
    pub fn take_finished(&mut self) -> Option<BuiltChunk> {
        let (at, built) = (self.tasks.iter_mut().enumerate())
            .find_map(|(at, BuildTask { task, .. })| Some((at, check_ready(task)?)))?;
        self.tasks.remove(at);
        self.begun.remove(&built.coord);
        Some(built)
    }

    /// Builds a slice of the chunk that was begun, or else of the next in the queue of `planner`, on this thread. Returns whether there was
    /// anything to build, and the chunk after its last slice.
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

/// So few chunks are built sooner by one thread than by several that have to be woken up.
const FEW_CHUNKS: usize = 4;

/// Builds chunks within this frame, on all threads if there are any.
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
