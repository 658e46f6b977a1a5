//! Builds chunks and tiles: one in a task, or many at once in a frame.

use super::background::Background;
use crate::chunk::{ChunkCoord, CoordSet};
use bevy::tasks::ComputeTaskPool;

/// The chunks or tiles of a ground that are being built, each in a task.
pub(crate) struct TaskList<T> {
    /// In the order in which they were started.
    tasks: Vec<(ChunkCoord, Background<T>)>,
    /// The chunks of `tasks`.
    started: CoordSet,
}

impl<T> Default for TaskList<T> {
    fn default() -> Self {
        Self { tasks: Vec::new(), started: CoordSet::default() }
    }
}

impl<T: Send + 'static> TaskList<T> {
    /// The number of tasks whose results were not taken yet.
    pub const fn len(&self) -> usize {
        self.tasks.len()
    }

    /// Cancels the tasks of chunks that are not wanted. Returns the number of canceled tasks.
    pub fn retain(&mut self, is_wanted: impl Fn(ChunkCoord) -> bool) -> usize {
        let before = self.tasks.len();
        self.tasks.retain(|&(coord, _)| is_wanted(coord));
        self.started.retain(|&coord| is_wanted(coord));
        before - self.tasks.len()
    }

    /// Starts tasks for the first of `chunks` that have none, until there are `max` tasks.
    pub fn start<Build: FnOnce() -> T + Send + 'static>(
        &mut self,
        max: usize,
        chunks: impl Iterator<Item = ChunkCoord>,
        build: impl Fn(ChunkCoord) -> Build,
    ) {
        self.start_each(max, chunks, |coord| Background::start(build(coord)));
    }

    /// The same for work in steps. Without threads, each [`take_finished`](Self::take_finished) does a step of each task.
    #[cfg(feature = "render")]
    pub fn start_steps<Steps: Future<Output = T> + Send + Sync + 'static>(
        &mut self,
        max: usize,
        chunks: impl Iterator<Item = ChunkCoord>,
        build: impl Fn(ChunkCoord) -> Steps,
    ) {
        self.start_each(max, chunks, |coord| Background::start_steps(build(coord)));
    }

    fn start_each(
        &mut self,
        max: usize,
        mut chunks: impl Iterator<Item = ChunkCoord>,
        start: impl Fn(ChunkCoord) -> Background<T>,
    ) {
        while self.tasks.len() < max
            && let Some(coord) = chunks.next()
        {
            if self.started.insert(coord) {
                self.tasks.push((coord, start(coord)));
            }
        }
    }

    /// Takes a finished chunk among those that are `wanted`. Returns `None` if none of their tasks is finished. Earlier tasks come first.
    pub fn take_finished(&mut self, wanted: impl Fn(ChunkCoord) -> bool) -> Option<(ChunkCoord, T)> {
        let mut tasks = self.tasks.iter_mut().enumerate().filter(|(_, (coord, _))| wanted(*coord));
        let (at, built) = tasks.find_map(|(at, (_, task))| Some((at, task.take()?)))?;
        let (coord, _) = self.tasks.remove(at);
        self.started.remove(&coord);
        Some((coord, built))
    }
}

/// Up to this number of chunks, one thread is faster than waking up several.
const FEW: usize = 4;

/// Builds chunks in this frame, on all threads if there are threads.
pub(crate) fn build_now<T: Send + 'static>(
    chunks: &[ChunkCoord],
    has_threads: bool,
    build: impl Fn(ChunkCoord) -> T + Sync,
) -> Vec<T> {
    if !has_threads || chunks.len() <= FEW {
        return chunks.iter().map(|&coord| build(coord)).collect();
    }
    let build = &build;
    ComputeTaskPool::get().scope(|scope| {
        for &coord in chunks {
            scope.spawn(async move { build(coord) });
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use bevy::tasks::{AsyncComputeTaskPool, TaskPool};

    fn chunk(x: i64) -> ChunkCoord {
        ChunkCoord::finest(x, 0)
    }

    fn start(list: &mut TaskList<i64>, max: usize, chunks: impl IntoIterator<Item = i64>) {
        AsyncComputeTaskPool::get_or_init(TaskPool::new);
        list.start(max, chunks.into_iter().map(chunk), |coord| move || 10 * coord.x);
    }

    fn finished(list: &mut TaskList<i64>) -> Vec<(i64, i64)> {
        list.tasks.iter_mut().for_each(|(_, task)| task.finish());
        std::iter::from_fn(|| list.take_finished(|_| true)).map(|(coord, built)| (coord.x, built)).collect()
    }

    #[test]
    fn the_first_chunks_without_a_task_get_one_until_there_are_enough() {
        let mut list = TaskList::default();
        let mut queue = 0..9;
        start(&mut list, 2, &mut queue);
        assert_eq!((list.len(), queue.next()), (2, Some(2)), "the rest of the queue waits");
        start(&mut list, 4, [1, 0, 5, 1, 6, 7]);
        assert_eq!(list.len(), 4);
        start(&mut list, 1, [8]);
        assert_eq!(finished(&mut list), [(0, 0), (1, 10), (5, 50), (6, 60)]);
        assert_eq!(list.len(), 0);
    }

    #[test]
    fn chunks_that_are_not_wanted_lose_their_tasks_and_may_get_new_ones() {
        let mut list = TaskList::default();
        start(&mut list, 9, 0..5);
        assert_eq!(list.retain(|coord| coord.x % 2 == 0), 2);
        assert_eq!(list.len(), 3);
        start(&mut list, 9, 0..2);
        assert_eq!(finished(&mut list), [(0, 0), (2, 20), (4, 40), (1, 10)]);
        // Their results were taken, so they may be built again.
        start(&mut list, 9, [2]);
        assert_eq!(finished(&mut list), [(2, 20)]);
    }
}
