//! Terrain statistics as Bevy diagnostics.

use super::TerrainStats;
use bevy::diagnostic::{Diagnostic, DiagnosticPath, Diagnostics, RegisterDiagnostic};
use bevy::prelude::*;

/// Adds [`TerrainStats`] to Bevy's diagnostics, for `LogDiagnosticsPlugin` and overlays.
#[derive(Clone, Copy, Debug, Default)]
pub struct TerrainDiagnosticsPlugin;

impl TerrainDiagnosticsPlugin {
    /// Chunks that are drawn.
    pub const CHUNKS_DRAWN: DiagnosticPath = DiagnosticPath::const_new("terrain/chunks_drawn");
    /// Chunks that are loaded.
    pub const CHUNKS_LOADED: DiagnosticPath = DiagnosticPath::const_new("terrain/chunks_loaded");
    /// Chunks in the build queue.
    pub const CHUNKS_QUEUED: DiagnosticPath = DiagnosticPath::const_new("terrain/chunks_queued");
    /// Background tasks in flight.
    pub const TASKS_IN_FLIGHT: DiagnosticPath = DiagnosticPath::const_new("terrain/tasks_in_flight");
    /// Chunks that were built and spawned since the app started.
    pub const CHUNKS_BUILT: DiagnosticPath = DiagnosticPath::const_new("terrain/chunks_built");
    /// Megabytes of the heights of all chunks, or of their plain meshes.
    pub const MEMORY: DiagnosticPath = DiagnosticPath::const_new("terrain/memory");
    /// Megabytes that were uploaded in a frame: new chunks and changed borders.
    pub const UPLOADED: DiagnosticPath = DiagnosticPath::const_new("terrain/uploaded");
    /// Milliseconds of all terrain systems on the main schedule in a frame.
    pub const FRAME_TIME: DiagnosticPath = DiagnosticPath::const_new("terrain/frame_time");
    /// The part of [`FRAME_TIME`](Self::FRAME_TIME) for planning.
    pub const SELECT_TIME: DiagnosticPath = DiagnosticPath::const_new("terrain/frame_time/select");
    /// The part of [`FRAME_TIME`](Self::FRAME_TIME) for spawning, showing, hiding and despawning chunks.
    pub const APPLY_TIME: DiagnosticPath = DiagnosticPath::const_new("terrain/frame_time/apply");
    /// The part of [`FRAME_TIME`](Self::FRAME_TIME) for the render layer.
    pub const RENDER_TIME: DiagnosticPath = DiagnosticPath::const_new("terrain/frame_time/render");
}

/// A diagnostic, its unit, and its value.
type Measure = (DiagnosticPath, &'static str, fn(&TerrainStats) -> f64);

const MEASURES: [Measure; 11] = {
    type P = TerrainDiagnosticsPlugin;
    [
        (P::CHUNKS_DRAWN, "", |stats| stats.chunks_drawn as f64),
        (P::CHUNKS_LOADED, "", |stats| stats.chunks_loaded as f64),
        (P::CHUNKS_QUEUED, "", |stats| stats.chunks_queued as f64),
        (P::TASKS_IN_FLIGHT, "", |stats| stats.tasks_in_flight as f64),
        (P::CHUNKS_BUILT, "", |stats| stats.chunks_built as f64),
        (P::MEMORY, "MB", |stats| stats.bytes_loaded as f64 / 1e6),
        (P::UPLOADED, "MB", |stats| stats.bytes_uploaded as f64 / 1e6),
        (P::FRAME_TIME, "ms", |stats| stats.frame_time.as_secs_f64() * 1e3),
        (P::SELECT_TIME, "ms", |stats| stats.stage_times.select.as_secs_f64() * 1e3),
        (P::APPLY_TIME, "ms", |stats| stats.stage_times.apply.as_secs_f64() * 1e3),
        (P::RENDER_TIME, "ms", |stats| stats.stage_times.render.as_secs_f64() * 1e3),
    ]
};

impl Plugin for TerrainDiagnosticsPlugin {
    fn build(&self, app: &mut App) {
        for (path, unit, _) in MEASURES {
            app.register_diagnostic(Diagnostic::new(path).with_suffix(unit));
        }
        app.add_systems(Last, measure.run_if(resource_exists::<TerrainStats>));
    }
}

fn measure(stats: Res<TerrainStats>, mut diagnostics: Diagnostics) {
    for (path, _, value) in &MEASURES {
        diagnostics.add_measurement(path, || value(&stats));
    }
}
