//! Chunks that are to be built, and those that are being built.

use super::background::in_background;
use super::finish::{BuiltChunk, SurfaceFinish};
use super::queue::Queue;
use crate::chunk::{ChunkCoord, ChunkLayout, ChunkSlices, CoordSet};
use crate::field::HeightField;
use bevy::tasks::{Task, futures::check_ready};
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
    /// The one that is built on the main thread, slice by slice.
    slices: Option<ChunkSlices>,
    queue: Queue,
}

impl Workshop {
    /// Tasks that are not finished or not taken yet.
    pub fn tasks(&self) -> usize {
        self.building.len()
    }

    /// Chunks that were begun.
    pub fn begun(&self) -> usize {
        self.building.len() + usize::from(self.slices.is_some())
    }

    /// Gives up the chunks that are not wanted, and returns how many tasks were cancelled for that.
    ///
    /// Dropping a task cancels it: one that waits never runs, one that runs is finished and thrown away.
    pub fn cancel_unwanted(&mut self, is_wanted: impl Fn(ChunkCoord) -> bool) -> usize {
        let before = self.building.len();
        self.slices.take_if(|slices| !is_wanted(slices.chunk()));
        self.building.retain(|building| is_wanted(building.coord));
        before - self.building.len()
    }

    /// Gives up everything, and returns how many tasks were cancelled for that.
    pub fn cancel_all(&mut self) -> usize {
        self.queue.clear();
        self.slices = None;
        self.building.drain(..).count()
    }

    /// Lines up the `missing` chunks that are not being built, those with the least `urgency` first.
    pub fn line_up(&mut self, missing: impl Iterator<Item = ChunkCoord>, urgency: impl Fn(ChunkCoord) -> f64) {
        let sliced = self.slices.iter().map(ChunkSlices::chunk);
        let started: CoordSet = self.building.iter().map(|building| building.coord).chain(sliced).collect();
        let missing = missing.filter(|coord| !started.contains(coord));
        self.queue.line_up(missing.map(|coord| (urgency(coord), coord)));
    }

    /// Lines up one more chunk, unless it is being built.
    pub fn add(&mut self, coord: ChunkCoord, urgency: f64) {
        let is_started = self.building.iter().any(|building| building.coord == coord)
            || self.slices.as_ref().is_some_and(|slices| slices.chunk() == coord);
        if !is_started {
            self.queue.add(urgency, coord);
        }
    }

    /// Takes a chunk off every list.
    pub fn remove(&mut self, coord: ChunkCoord) {
        self.building.retain(|building| building.coord != coord);
        self.slices.take_if(|slices| slices.chunk() == coord);
        self.queue.remove(coord);
    }

    /// Starts tasks for the most urgent chunks, until there are `max_tasks`: half of them in any case, and more while it `has_time`.
    pub fn start_tasks(
        &mut self,
        max_tasks: usize,
        field: &Arc<HeightField>,
        layout: ChunkLayout,
        finish: &SurfaceFinish,
        has_time: impl Fn() -> bool,
    ) {
        while self.building.len() < max_tasks && (self.building.len() < max_tasks.div_ceil(2) || has_time()) {
            let Some(coord) = self.queue.pop() else {
                break;
            };
            let (field, finish) = (Arc::clone(field), finish.clone());
            let task = in_background(move || BuiltChunk::build(&field, &layout, coord, &finish));
            self.building.push(Building { coord, task });
        }
    }

    /// Builds a slice of the chunk that was begun, or else of the most urgent one. Returns the chunk when that was its last.
    pub fn build_slice(
        &mut self,
        field: &HeightField,
        layout: &ChunkLayout,
        finish: &SurfaceFinish,
    ) -> Option<BuiltChunk> {
        if self.slices.is_none() {
            self.slices = self.queue.pop().map(|chunk| ChunkSlices::new(layout, chunk));
        }
        let built = BuiltChunk::build_slice(field, self.slices.as_mut()?, finish)?;
        self.slices = None;
        Some(built)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chunk::ChunkSettings;
    use crate::field::FieldSettings;
    use bevy::tasks::{AsyncComputeTaskPool, TaskPool};

    #[test]
    fn half_of_the_tasks_are_started_at_once_and_the_others_while_there_is_time() {
        AsyncComputeTaskPool::get_or_init(TaskPool::default);
        let field = Arc::new(HeightField::new(&FieldSettings::default()));
        let layout = ChunkLayout::new(&ChunkSettings { quads: 8, spacing: 4.0 });
        let mut workshop = Workshop::default();
        workshop.line_up((0..20).map(|x| ChunkCoord::finest(x, 0)), |chunk| chunk.x as f64);
        let mut start = |has_time: bool| {
            workshop.start_tasks(9, &field, layout, &SurfaceFinish::default(), || has_time);
            workshop.building.iter().map(|building| building.coord.x).collect::<Vec<_>>()
        };
        assert_eq!(start(false), (0..5).collect::<Vec<_>>(), "the most urgent");
        assert_eq!(start(false).len(), 5);
        assert_eq!(start(true), (0..9).collect::<Vec<_>>());
        assert_eq!(start(true).len(), 9);
    }

    #[test]
    fn a_chunk_that_is_built_in_slices_is_in_no_queue_and_may_be_given_up() {
        let field = HeightField::new(&FieldSettings::default());
        let layout = ChunkLayout::new(&ChunkSettings { quads: 64, spacing: 4.0 });
        let finish = SurfaceFinish::default();
        let chunks: [ChunkCoord; 3] = [0, 1, 2].map(|x| ChunkCoord { level: 0, x, z: 0 });
        let urgency = |chunk: ChunkCoord| chunk.x as f64;
        let mut workshop = Workshop::default();
        let build_slice = |workshop: &mut Workshop| workshop.build_slice(&field, &layout, &finish);
        workshop.line_up(chunks.into_iter(), urgency);
        assert!(build_slice(&mut workshop).is_none(), "one slice is not a chunk");
        assert_eq!(workshop.queue.len(), 2);
        // Others are more urgent by now: what was begun is built first all the same, and not a second time.
        workshop.line_up(chunks.into_iter(), |chunk| -urgency(chunk));
        assert_eq!(workshop.queue.len(), 2);
        let next = |workshop: &mut Workshop| (0..100).find_map(|_| build_slice(workshop)).map(|built| built.coord);
        assert_eq!(next(&mut workshop), Some(chunks[0]));
        assert_eq!(next(&mut workshop), Some(chunks[2]));
        assert!(build_slice(&mut workshop).is_none());
        assert_eq!((workshop.queue.len(), workshop.begun()), (0, 1));
        // It is not lined up a second time when it may come.
        workshop.add(chunks[1], 0.0);
        assert_eq!(workshop.queue.len(), 0);
        workshop.cancel_unwanted(|chunk| chunk != chunks[1]);
        assert_eq!(workshop.begun(), 0);
        assert!(build_slice(&mut workshop).is_none());
        workshop.add(chunks[1], 0.0);
        assert_eq!(next(&mut workshop), Some(chunks[1]));
    }
}
