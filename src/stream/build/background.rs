//! Work in background tasks.

use bevy::prelude::*;
use bevy::tasks::{AsyncComputeTaskPool, Task};

/// Whether chunks are built on threads.
#[derive(Resource, Clone, Copy)]
pub(in crate::stream) struct StreamThreads(pub bool);

/// Runs `work` in a task.
pub(crate) fn in_background<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Task<T> {
    AsyncComputeTaskPool::get().spawn(async move {
        yield_to_frame();
        work()
    })
}

/// Drops `value`, in a task if there are threads.
///
/// Freeing much memory is slow, because the allocator may return it to the system. The thread that frees the last part of a block
/// pays for all of it.
pub(in crate::stream) fn drop_in_background<T: Send + 'static>(value: T, threads: StreamThreads) {
    if threads.0 {
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
