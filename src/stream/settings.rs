//! How chunks come and go, as plain data.

use crate::param::{Param, ParamMut, ParamVisitor, Params};
use serde::{Deserialize, Serialize};

/// How fast chunks are made and how long they stay.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bevy", derive(bevy::reflect::Reflect))]
#[serde(deny_unknown_fields, default)]
pub struct StreamSettings {
    /// Chunks that are built at the same time, in background tasks. \[Limit: 1 to 1024\] Default: 64.
    pub max_tasks: u32,
    /// Finished chunks that are put into the world in one frame. \[Limit: 1 to 1024\] Default: 16.
    pub chunks_per_frame: u32,
    /// How far behind the view distance one of the coarsest chunks may fall before it is removed. \[Limit: 0 to 10000\] \[Units: m\] Default: 200.
    pub keep_margin: f64,
}

impl Default for StreamSettings {
    fn default() -> Self {
        Self { max_tasks: 64, chunks_per_frame: 16, keep_margin: 200.0 }
    }
}

static MAX_TASKS: Param =
    Param::new("max_tasks", "", 1.0, 1024.0, "Chunks that are built at the same time, in the background.");
static CHUNKS_PER_FRAME: Param = Param::new(
    "chunks_per_frame",
    "",
    1.0,
    1024.0,
    "Finished chunks that are put into the world in one frame. Fewer make smoother frames, more fill the view sooner.",
);
static KEEP_MARGIN: Param = Param::new(
    "keep_margin",
    "m",
    0.0,
    10_000.0,
    "How far behind the view distance one of the coarsest chunks may fall before it is removed.",
);

impl Params for StreamSettings {
    fn visit(&mut self, visitor: &mut ParamVisitor<'_>) {
        visitor.param(&MAX_TASKS, ParamMut::Count(&mut self.max_tasks));
        visitor.param(&CHUNKS_PER_FRAME, ParamMut::Count(&mut self.chunks_per_frame));
        visitor.param(&KEEP_MARGIN, ParamMut::Float(&mut self.keep_margin));
    }
}
