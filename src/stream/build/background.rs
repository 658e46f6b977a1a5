//! Work beside the frame.

use bevy::prelude::*;
use bevy::tasks::{AsyncComputeTaskPool, Task};

/// Whether there are threads to build chunks on.
#[derive(Resource, Clone, Copy)]
pub(in crate::stream) struct StreamThreads(pub bool);

/// Does `work` in a task.
pub(crate) fn in_background<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Task<T> {
    AsyncComputeTaskPool::get().spawn(async move {
        give_way();
        work()
    })
}

/// Drops `value` in a task, where there are threads.
///
/// To free much memory takes long: an allocator that gives it back does so for all that lies together, in whichever thread frees
/// the last of it.
pub(in crate::stream) fn drop_in_background<T: Send + 'static>(value: T, threads: StreamThreads) {
    if threads.0 {
        in_background(move || drop(value)).detach();
    }
}

/// Lets the frame go on first, where it shares a core with this thread; costs next to nothing where it has one for itself. To be
/// called between the parts of long work.
///
/// A thread that has slept and is woken up may take the core from the very frame that woke it, and keep it for as long as it
/// has work: on two cores that held up a frame in five that began a reload, by 3 ms.
pub(in crate::stream) fn give_way() {
    std::thread::yield_now();
}
