//! Builds chunks: in background tasks, in slices on the main thread if there are no threads, or at once if a frame needs them.

mod background;
mod built;
mod measurement;
mod start_tasks;
mod tasks;

pub(crate) use background::in_background;
pub(super) use background::{StreamThreads, drop_in_background};
#[cfg(feature = "render")]
pub(crate) use built::Finished;
pub(crate) use built::SurfaceFinish;
pub(super) use built::{BuiltChunk, warm_up};
pub(super) use measurement::Measurement;
pub(super) use start_tasks::start_tasks;
pub(super) use tasks::{BuildTasks, build_now};
