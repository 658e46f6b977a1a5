//! How chunks come and go, as plain data.

use crate::param::{Param, ParamMut, ParamVisitor, Params};
use serde::{Deserialize, Serialize};

/// How fast chunks are made and how long they stay.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bevy", derive(bevy::reflect::Reflect))]
#[serde(deny_unknown_fields, default)]
pub struct StreamSettings {
    /// Chunks of a terrain that are built at the same time, in background tasks; no more than 128 for each thread that builds
    /// them. Of the ground shown and of another on its way, one at least each. A frame that has no time left goes up to half of them.
    /// \[Limit: 1 to 1024\] Default: 64.
    pub max_tasks: u32,
    /// Finished chunks that are put into the world in one frame at most, of all terrains together. \[Limit: 1 to 1024\]
    /// Default: 64.
    pub chunks_per_frame: u32,
    /// Time that all terrains together may take on the main thread in one frame: what can wait for the next frame does, which
    /// is to put chunks into the world and to remove them. \[Limit: 0.05 to 100\] \[Units: ms\] Default: 1.
    pub time_budget: f64,
    /// Vertices and indices of new chunks that may go to the graphics card in one frame. One chunk a frame always may.
    /// \[Limit: 0.1 to 1000\] \[Units: MB\] Default: 4.
    pub upload_budget: f64,
    /// Memory that the vertices and indices of all chunks of a terrain may take. What would take more is made coarser, other
    /// than the coarsest chunks. While another ground is on its way there are two of them, and each may take as much.
    /// \[Limit: 1 to 100000\] \[Units: MB\] Default: 1024.
    pub memory_limit: f64,
    /// How long before a moving viewer gets there chunks are built. \[Limit: 0 to 10\] \[Units: s\] Default: 0.5.
    pub look_ahead: f64,
    /// How far behind the view distance one of the coarsest chunks may fall before it is hidden. It is removed a quarter of its
    /// side later. \[Limit: 0 to 10000\] \[Units: m\] Default: 200.
    pub keep_margin: f64,
}

impl Default for StreamSettings {
    fn default() -> Self {
        Self {
            max_tasks: 64,
            chunks_per_frame: 64,
            time_budget: 1.0,
            upload_budget: 4.0,
            memory_limit: 1024.0,
            look_ahead: 0.5,
            keep_margin: 200.0,
        }
    }
}

static MAX_TASKS: Param =
    Param::new("max_tasks", "", 1.0, 1024.0, "Chunks that are built at the same time, in the background.");
static CHUNKS_PER_FRAME: Param = Param::new(
    "chunks_per_frame",
    "",
    1.0,
    1024.0,
    "Finished chunks that are put into the world in one frame at most, whatever the budgets allow.",
);
static TIME_BUDGET: Param = Param::new(
    "time_budget",
    "ms",
    0.05,
    100.0,
    "Time that terrain may take on the main thread in one frame. Less makes smoother frames, more fills the view sooner.",
);
static UPLOAD_BUDGET: Param = Param::new(
    "upload_budget",
    "MB",
    0.1,
    1000.0,
    "Vertices and indices of new chunks that may go to the graphics card in one frame.",
);
static MEMORY_LIMIT: Param = Param::new(
    "memory_limit",
    "MB",
    1.0,
    100_000.0,
    "Memory that the vertices and indices of all chunks may take. What would take more is made coarser.",
);
static LOOK_AHEAD: Param =
    Param::new("look_ahead", "s", 0.0, 10.0, "How long before a moving viewer gets there chunks are built.");
static KEEP_MARGIN: Param = Param::new(
    "keep_margin",
    "m",
    0.0,
    10_000.0,
    "How far behind the view distance one of the coarsest chunks may fall before it is hidden.",
);

impl Params for StreamSettings {
    fn visit(&mut self, visitor: &mut ParamVisitor<'_>) {
        visitor.param(&MAX_TASKS, ParamMut::Count(&mut self.max_tasks));
        visitor.param(&CHUNKS_PER_FRAME, ParamMut::Count(&mut self.chunks_per_frame));
        visitor.param(&TIME_BUDGET, ParamMut::Float(&mut self.time_budget));
        visitor.param(&UPLOAD_BUDGET, ParamMut::Float(&mut self.upload_budget));
        visitor.param(&MEMORY_LIMIT, ParamMut::Float(&mut self.memory_limit));
        visitor.param(&LOOK_AHEAD, ParamMut::Float(&mut self.look_ahead));
        visitor.param(&KEEP_MARGIN, ParamMut::Float(&mut self.keep_margin));
    }
}
