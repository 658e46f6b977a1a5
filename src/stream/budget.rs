//! The limits of what terrain takes of the machine.

use crate::param::{self, params};
use bevy::platform::time::Instant;
use bevy::prelude::*;
use std::sync::Arc;
use std::time::Duration;

/// The limits of all terrains together: time on the main thread, uploads, memory and tasks.
///
/// A resource. Set it through [`TerrainStreamPlugin::budget`](super::TerrainStreamPlugin), change it at any time, or in the
/// inspector. It belongs to the machine and the game, so no terrain's settings file has it.
///
/// A value out of its limits counts as the nearest one within them, and the log says so.
///
/// All terrains get equal shares, also of the chunks that are built at once. A different terrain goes first in each frame.
#[params]
#[derive(Resource, Clone, Debug, PartialEq, Reflect)]
#[reflect(Resource, Default)]
pub struct TerrainBudget {
    /// Chunks that are built at the same time, in the background.
    ///
    /// There are at most [`TASKS_PER_THREAD`](Self::TASKS_PER_THREAD) for each thread.
    #[param(default = 256, range = 1..=1024)]
    pub max_tasks: u32,
    /// Finished chunks that are spawned in one frame at most, whatever the budgets allow.
    #[param(default = 256, range = 1..=1024)]
    pub chunks_per_frame: u32,
    /// Time on the main thread in one frame for work that can wait: spawning finished chunks and despawning old ones. Less makes
    /// smoother frames, more fills the view sooner.
    #[param(default = 1.0, range = 0.05..=100.0, unit = "ms")]
    pub time_budget: f64,
    /// Heights of new chunks, and then meshes of plants, that may be uploaded to the GPU in one frame. One chunk and one tile of plants
    /// always may.
    ///
    /// With [plain meshes](crate::render::TerrainRenderPlugin::plain_meshes), it counts their vertices and indices.
    #[param(default = 4.0, range = 0.01..=1000.0, unit = "MB")]
    pub upload_budget: f64,
    /// Memory that the heights of all chunks may take. What would take more is made coarser.
    ///
    /// Chunks that are about to be despawned count too. Detail far away is left out first, then the far end of the view, and the
    /// ground near viewers last. During a reload, the new ground, which is built unseen, may take as much again. Drawn chunks must also
    /// fit into the [height atlas](crate::render::TerrainRenderPlugin::height_pages). With
    /// [plain meshes](crate::render::TerrainRenderPlugin::plain_meshes), the limit counts their vertices and indices.
    #[param(default = 1024.0, range = 0.1..=100_000.0, unit = "MB")]
    pub memory_limit: f64,
    /// Memory for the heights that rays and other ground queries keep. With less, a query that returns to a place is as slow as the
    /// first one there.
    ///
    /// The queries are those of [`TerrainGround`](crate::ground::TerrainGround).
    #[param(default = 16.0, range = 0.0..=10_000.0, unit = "MB")]
    pub query_memory: f64,
}

impl TerrainBudget {
    /// The largest number of chunks that are built at once in a frame, for all terrains together: chunks without which there
    /// would be a hole. They ignore the other budgets.
    pub const MAX_BUILT_NOW: usize = 64;

    /// [`MAX_BUILT_NOW`](Self::MAX_BUILT_NOW) without threads, as in a browser. An estimate of what builds in 8 ms.
    pub const MAX_BUILT_NOW_WITHOUT_THREADS: usize = 32;

    /// The largest number of chunks of each of so many terrains that are built at once.
    pub(super) const fn max_built_now(has_threads: bool, terrains: usize) -> usize {
        let max = if has_threads { Self::MAX_BUILT_NOW } else { Self::MAX_BUILT_NOW_WITHOUT_THREADS };
        max.div_ceil(if terrains == 0 { 1 } else { terrains })
    }

    /// Background tasks.
    pub(super) fn tasks(&self) -> usize {
        Self::MAX_TASKS.nearest(self.max_tasks.into()) as usize
    }

    /// Chunks that may be spawned in a frame.
    pub(super) fn chunks(&self) -> usize {
        Self::CHUNKS_PER_FRAME.nearest(self.chunks_per_frame.into()) as usize
    }

    /// The time on the main thread.
    pub(super) fn time(&self) -> Duration {
        Duration::from_secs_f64(Self::TIME_BUDGET.nearest(self.time_budget) / 1e3)
    }

    /// Bytes that may be uploaded.
    pub(super) fn upload_bytes(&self) -> u64 {
        (Self::UPLOAD_BUDGET.nearest(self.upload_budget) * 1e6) as u64
    }

    /// The memory of each of so many terrains, if chunks can be kept in so many bytes.
    pub(super) fn memory_share(&self, capacity: u64, terrains: usize) -> MemoryShare {
        let terrains = terrains.max(1);
        let limit = (Self::MEMORY_LIMIT.nearest(self.memory_limit) * 1e6 / terrains as f64) as u64;
        let capacity = capacity / terrains as u64;
        MemoryShare { ground: limit.min(capacity - capacity / 8), terrain: (2 * limit).min(capacity) }
    }

    /// Bytes that ground queries may keep.
    pub(crate) fn query_bytes(&self) -> usize {
        (Self::QUERY_MEMORY.nearest(self.query_memory) * 1e6) as usize
    }

    /// The largest number of background tasks per thread, whatever [`max_tasks`](Self::max_tasks) allows. A thread finishes them in a
    /// few milliseconds, so the build queue can follow a viewer that turns away.
    pub const TASKS_PER_THREAD: usize = 128;
}

/// The bytes that the chunks of a terrain may take.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct MemoryShare {
    /// Those of one ground. Some is left for the start of a reload.
    pub ground: u64,
    /// Those of both grounds of a reload.
    pub terrain: u64,
}

impl MemoryShare {
    /// What the drawn ground and the incoming one may take in a reload. `before` are the bytes of the drawn ground at its start.
    ///
    /// Both stay the same until it ends, so the two grounds do not take memory from each other.
    pub fn of_reload(self, before: u64) -> [u64; 2] {
        let drawn = before.max(self.terrain / 2).min(self.ground);
        [drawn, self.ground.min(self.terrain - drawn)]
    }
}

/// Logs each value that is out of its limits, once for as long as it is.
pub(super) fn check_budget(budget: Res<TerrainBudget>, mut reported: Local<Vec<String>>) {
    if !budget.is_changed() {
        return;
    }
    let errors = param::check(&mut budget.clone());
    for error in errors.iter().filter(|error| !reported.contains(&error.path)) {
        warn!("`TerrainBudget`: {error}; it counts as the nearest allowed value");
    }
    *reported = errors.into_iter().map(|error| error.path).collect();
}

/// Tells the time that [`TerrainBudget::time_budget`] is measured with. Default: the machine's clock.
///
/// A test that must not depend on the speed of the machine puts a counter in its place.
#[derive(Resource, Clone)]
pub struct TerrainClock(Arc<dyn Fn() -> Duration + Send + Sync>);

impl TerrainClock {
    /// A clock that is read with `now`: the time since any moment in the past.
    pub fn new(now: impl Fn() -> Duration + Send + Sync + 'static) -> Self {
        Self(Arc::new(now))
    }

    /// The time since some moment in the past.
    #[must_use]
    pub fn now(&self) -> Duration {
        (self.0)()
    }
}

impl Default for TerrainClock {
    fn default() -> Self {
        let start = Instant::now();
        Self::new(move || start.elapsed())
    }
}
