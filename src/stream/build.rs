//! Builds chunks: in background tasks, in slices on the main thread if there are no threads, or at once if a frame needs them.

mod background;
mod built;
mod measurement;
mod store;
mod task_list;
mod tasks;

pub(crate) use background::StreamThreads;
pub(crate) use background::{Background, drop_in_background};
#[cfg(feature = "render")]
pub(crate) use built::Finished;
pub(crate) use built::SurfaceFinish;
pub(super) use built::{BuiltChunk, warm_up};
pub(super) use measurement::Measurement;
pub(crate) use store::ChunkStore;
pub(crate) use task_list::{TaskList, build_now};
pub(super) use tasks::start_tasks;
