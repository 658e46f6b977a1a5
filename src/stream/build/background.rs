//! Work in the background.

use bevy::prelude::*;
use bevy::tasks::{AsyncComputeTaskPool, Task, futures::check_ready};
use std::fmt;
use std::pin::Pin;

/// Whether chunks are built on threads.
#[derive(Resource, Clone, Copy)]
pub(crate) struct StreamThreads(pub bool);

/// Work in the background, until its result is taken. The default is no work.
///
/// Systems [take](Self::take) the result in one of the next frames. Assigning other work, or dropping this, cancels the work: if it
/// waits, it never runs; if it runs, its result is dropped.
pub(crate) struct Background<T>(Option<Pin<Box<dyn Future<Output = T> + Send + Sync>>>);

impl<T> Background<T> {
    /// Whether there is work whose result was not taken.
    pub const fn is_running(&self) -> bool {
        self.0.is_some()
    }

    /// Takes the result. Returns `None` until the work is done.
    ///
    /// # Panics
    ///
    /// Panics, with the same message, if the work panicked. Then there is no work any more.
    pub fn take(&mut self) -> Option<T> {
        let mut work = self.0.take()?;
        let result = check_ready(&mut work);
        if result.is_none() {
            self.0 = Some(work);
        }
        result
    }
}

impl<T: Send + 'static> Background<T> {
    /// Starts `work` in a task. Without threads, it blocks the main thread.
    pub fn start(work: impl FnOnce() -> T + Send + 'static) -> Self {
        in_background(work).into()
    }

    /// Starts work that yields after each step. Without threads, each [`take`](Self::take) does a step.
    #[cfg(feature = "render")]
    pub fn start_steps(steps: impl Future<Output = T> + Send + Sync + 'static) -> Self {
        if crate::stream::TerrainStreamPlugin::HAS_THREADS {
            AsyncComputeTaskPool::get().spawn(steps).into()
        } else {
            Self(Some(Box::pin(steps)))
        }
    }

    /// Waits until the work is done, in tests.
    #[cfg(test)]
    pub fn finish(&mut self)
    where
        T: Sync,
    {
        if let Some(work) = self.0.take() {
            self.0 = Some(Box::pin(std::future::ready(bevy::tasks::block_on(work))));
        }
    }
}

/// Work that a task does already.
impl<T: Send + 'static> From<Task<T>> for Background<T> {
    fn from(task: Task<T>) -> Self {
        Self(Some(Box::pin(task)))
    }
}

impl<T> Default for Background<T> {
    fn default() -> Self {
        Self(None)
    }
}

impl<T> fmt::Debug for Background<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Background").field("is_running", &self.is_running()).finish_non_exhaustive()
    }
}

/// Runs `work` in a task.
fn in_background<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Task<T> {
    AsyncComputeTaskPool::get().spawn(async move {
        yield_to_frame();
        work()
    })
}

/// Drops `value`, in a task if there are threads.
///
/// Freeing much memory is slow, because the allocator may return it to the system. The thread that frees the last part of a block
/// pays for all of it.
pub(crate) fn drop_in_background<T: Send + 'static>(value: T, has_threads: bool) {
    if has_threads {
        in_background(move || drop(value)).detach();
    }
}

/// Yields to the main thread if both share a core. Costs almost nothing otherwise. Call it between the parts of long work.
///
/// A task that starts may take the core from the frame that started it, and keep it until the task ends. Measured on two cores
/// without this call: one in five frames that start a reload takes 3 ms longer.
pub(in crate::stream) fn yield_to_frame() {
    std::thread::yield_now();
}

#[cfg(test)]
mod tests {
    use super::*;
    use bevy::tasks::TaskPool;
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::mpsc::channel;

    #[test]
    fn a_result_is_taken_once_when_it_is_there() {
        AsyncComputeTaskPool::get_or_init(TaskPool::new);
        let (sender, receiver) = channel();
        let mut work = Background::start(move || receiver.recv());
        assert_eq!((work.is_running(), work.take()), (true, None));
        sender.send(7).expect("the work waits for it");
        work.finish();
        assert!(work.is_running(), "the result was not taken");
        assert_eq!(work.take(), Some(Ok(7)));
        assert_eq!((work.is_running(), work.take()), (false, None));
    }

    #[test]
    fn other_work_replaces_the_work_that_runs() {
        AsyncComputeTaskPool::get_or_init(TaskPool::new);
        let (sender, receiver) = channel();
        let mut work = Background::start(move || receiver.recv().map_or(0, |()| 1));
        assert_eq!(work.take(), None);
        work = Background::start(|| 2);
        // It ends the first work, unless that never ran.
        let _ = sender.send(());
        work.finish();
        assert_eq!(work.take(), Some(2));
    }

    #[test]
    fn work_that_panics_makes_take_panic_and_is_gone() {
        AsyncComputeTaskPool::get_or_init(TaskPool::new);
        let mut work = Background::start(|| -> u32 { panic!("a broken field") });
        let panic = loop {
            match catch_unwind(AssertUnwindSafe(|| work.take())) {
                Ok(result) => assert_eq!(result, None),
                Err(panic) => break panic,
            }
            std::thread::yield_now();
        };
        assert_eq!(panic.downcast_ref(), Some(&"a broken field"));
        assert_eq!((work.is_running(), work.take()), (false, None));
    }

    #[cfg(feature = "render")]
    #[test]
    fn without_a_task_each_take_does_a_step() {
        use bevy::tasks::futures_lite::future::yield_now;
        let (sender, receiver) = channel();
        let steps = async move {
            for step in 0..2 {
                sender.send(step).expect("the test reads it");
                yield_now().await;
            }
            7
        };
        let mut work = Background(Some(Box::pin(steps)));
        let steps = || receiver.try_iter().count();
        assert_eq!((steps(), work.take(), steps(), work.take(), steps()), (0, None, 1, None, 1));
        assert_eq!((work.take(), work.is_running()), (Some(7), false));
        assert!(receiver.recv().is_err(), "the work is dropped");
    }
}
