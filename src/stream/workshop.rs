//! Chunks that are to be built, and those that are being built.

use super::finish::{BuiltChunk, SurfaceFinish};
use crate::chunk::{ChunkCoord, ChunkLayout, CoordSet};
use crate::field::HeightField;
use bevy::tasks::{AsyncComputeTaskPool, Task, futures::check_ready};
use std::sync::Arc;

/// A task that builds one chunk.
struct Building {
    coord: ChunkCoord,
    task: Task<BuiltChunk>,
}

/// The chunks of a generation that are to be built, the most urgent first, and those that tasks are building.
#[derive(Default)]
pub(super) struct Workshop {
    building: Vec<Building>,
    /// The most urgent last.
    queue: Vec<ChunkCoord>,
}

impl Workshop {
    /// Tasks that are not finished or not taken yet.
    pub fn tasks(&self) -> usize {
        self.building.len()
    }

    /// Chunks for which no task was started yet.
    pub fn queued(&self) -> usize {
        self.queue.len()
    }

    /// Whether there is nothing to do.
    pub const fn is_idle(&self) -> bool {
        self.queue.is_empty() && self.building.is_empty()
    }

    /// Whether everything that is to be built is being built.
    pub const fn is_queue_empty(&self) -> bool {
        self.queue.is_empty()
    }

    /// Cancels the tasks of chunks that are not wanted, and returns how many those were.
    ///
    /// Dropping a task cancels it: one that waits never runs, one that runs is finished and thrown away.
    pub fn cancel_unwanted(&mut self, is_wanted: impl Fn(ChunkCoord) -> bool) -> usize {
        let before = self.building.len();
        self.building.retain(|building| is_wanted(building.coord));
        before - self.building.len()
    }

    /// Cancels every task, and returns how many those were.
    pub fn cancel_all(&mut self) -> usize {
        self.queue.clear();
        self.building.drain(..).count()
    }

    /// Lines up the `missing` chunks that are not being built, those with the least `urgency` last.
    pub fn line_up(&mut self, missing: impl Iterator<Item = ChunkCoord>, urgency: impl Fn(ChunkCoord) -> f64) {
        let started: CoordSet = self.building.iter().map(|building| building.coord).collect();
        let mut ranked: Vec<(f64, ChunkCoord)> =
            missing.filter(|coord| !started.contains(coord)).map(|coord| (urgency(coord), coord)).collect();
        ranked.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(b.1.cmp(&a.1)));
        self.queue.clear();
        self.queue.extend(ranked.into_iter().map(|(_, coord)| coord));
    }

    /// Lines up what is lined up already, by another urgency.
    pub fn line_up_again(&mut self, urgency: impl Fn(ChunkCoord) -> f64) {
        let queue = std::mem::take(&mut self.queue);
        self.line_up(queue.into_iter(), urgency);
    }

    /// Lines up one more chunk, as the most urgent.
    pub fn add(&mut self, coord: ChunkCoord) {
        self.queue.push(coord);
    }

    /// Takes a chunk off every list.
    pub fn remove(&mut self, coord: ChunkCoord) {
        self.building.retain(|building| building.coord != coord);
        self.queue.retain(|&queued| queued != coord);
    }

    /// Starts tasks for the most urgent chunks, as long as there are fewer than `max_tasks`.
    pub fn start_tasks(
        &mut self,
        max_tasks: usize,
        field: &Arc<HeightField>,
        layout: ChunkLayout,
        finish: &SurfaceFinish,
    ) {
        while self.building.len() < max_tasks {
            let Some(coord) = self.queue.pop() else {
                break;
            };
            let (field, finish) = (Arc::clone(field), finish.clone());
            let task =
                AsyncComputeTaskPool::get().spawn(async move { BuiltChunk::build(&field, &layout, coord, &finish) });
            self.building.push(Building { coord, task });
        }
    }

    /// Takes the most urgent chunk off the queue.
    pub fn next_queued(&mut self) -> Option<ChunkCoord> {
        self.queue.pop()
    }

    /// Takes up to `most` finished chunks, in the order in which they were started.
    pub fn take_finished(&mut self, most: usize) -> Vec<BuiltChunk> {
        let mut finished = Vec::new();
        self.building.retain_mut(|building| {
            if finished.len() == most {
                return true;
            }
            match check_ready(&mut building.task) {
                Some(built) => {
                    finished.push(built);
                    false
                }
                None => true,
            }
        });
        finished
    }
}
