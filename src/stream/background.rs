//! Work beside the frame.

use bevy::tasks::{AsyncComputeTaskPool, Task};

/// Does `work` in a task.
pub(crate) fn in_background<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Task<T> {
    AsyncComputeTaskPool::get().spawn(async move {
        give_way();
        work()
    })
}

/// Lets the frame go on first, where it shares a core with this thread; costs next to nothing where it has one for itself. To be
/// called between the parts of long work.
///
/// A thread that has slept and is woken up may take the core from the very frame that woke it, and keep it for as long as it
/// has work: on two cores that held up a frame in five that began a reload, by 3 ms.
pub(super) fn give_way() {
    std::thread::yield_now();
}
