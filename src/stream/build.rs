//! Building chunks: in background tasks, in slices without threads, or at once where a frame can't do without.

mod background;
mod built;
mod measurement;
mod tasks;

pub(crate) use background::in_background;
pub(super) use background::{StreamThreads, drop_in_background, give_way};
#[cfg(feature = "render")]
pub(crate) use built::Finished;
pub(crate) use built::SurfaceFinish;
pub(super) use built::{BuiltChunk, warm_up};
pub(super) use measurement::Measurement;
pub(super) use tasks::{BuildTasks, build_now};
