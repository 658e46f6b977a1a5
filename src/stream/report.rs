//! Reports about streaming: messages, readiness, statistics and seam checks.

mod despawned;
mod diagnostics;
mod history;
pub mod messages;
pub mod readiness;
mod ready;
mod seam_watch;
mod stats;

pub(super) use despawned::{DespawnedChunks, clear_removed_terrain, record_despawned, send_chunk_hidden};
pub use diagnostics::TerrainDiagnosticsPlugin;
pub use history::{TerrainHistory, TerrainHistoryPlugin};
pub use messages::{ChunkHidden, ChunkLevelChanged, ChunkShown, GroundEdited, GroundHidden, GroundShown, TerrainReady};
pub use readiness::{TerrainStreamState, is_terrain_ready, terrain_ready_around};
pub(super) use ready::send_ready;
pub use seam_watch::{SeamWatch, TerrainSeamPlugin};
pub use stats::{StageTimes, TerrainStats};
pub(super) use stats::{reset_frame, stage_span};
