//! How much there is, and what it costs.

use bevy::diagnostic::{Diagnostic, DiagnosticPath, Diagnostics, RegisterDiagnostic};
use bevy::platform::time::Instant;
use bevy::prelude::*;
use std::time::Duration;

/// Numbers of all terrains together, brought up to date in every frame by the last of the
/// [`TerrainSystems`](super::TerrainSystems).
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TerrainStats {
    /// Chunks that are part of the world.
    pub chunks_shown: usize,
    /// Chunks that are there: those that are part of the world, those that finer ones are shown in place of, and those that
    /// will soon be needed.
    pub chunks_loaded: usize,
    /// Chunks that wait, unseen, for the rest of their generation.
    pub chunks_waiting: usize,
    /// Background tasks that were running or waiting after new ones were started in this frame.
    pub tasks_in_flight: usize,
    /// Tasks whose chunk was put into the world, since the start.
    pub tasks_done: u64,
    /// Tasks that were thrown away because nobody wanted their chunk any more, since the start.
    pub tasks_cancelled: u64,
    /// Chunks that were removed because they fell out of view, since the start.
    pub chunks_removed: u64,
    /// Time that the terrain's own systems took on the main schedule in this frame. Spawning through commands, which Bevy
    /// does between systems, is not in it.
    pub frame_time: Duration,
}

impl TerrainStats {
    /// Runs a system's work and counts the time that it takes.
    pub(crate) fn time<R>(&mut self, work: impl FnOnce(&mut Self) -> R) -> R {
        let start = Instant::now();
        let result = work(self);
        self.frame_time += start.elapsed();
        result
    }
}

pub(super) fn reset_frame_time(mut stats: ResMut<TerrainStats>) {
    stats.frame_time = Duration::ZERO;
}

/// Feeds [`TerrainStats`] into Bevy's diagnostics, for `LogDiagnosticsPlugin` and overlays.
#[derive(Clone, Copy, Debug, Default)]
pub struct TerrainDiagnosticsPlugin;

impl TerrainDiagnosticsPlugin {
    /// Chunks that are part of the world.
    pub const CHUNKS_SHOWN: DiagnosticPath = DiagnosticPath::const_new("terrain/chunks_shown");
    /// Background tasks in flight.
    pub const TASKS_IN_FLIGHT: DiagnosticPath = DiagnosticPath::const_new("terrain/tasks_in_flight");
    /// Tasks done since the start.
    pub const TASKS_DONE: DiagnosticPath = DiagnosticPath::const_new("terrain/tasks_done");
    /// Milliseconds that the terrain's systems took in a frame.
    pub const FRAME_TIME: DiagnosticPath = DiagnosticPath::const_new("terrain/frame_time");
}

impl Plugin for TerrainDiagnosticsPlugin {
    fn build(&self, app: &mut App) {
        app.register_diagnostic(Diagnostic::new(Self::CHUNKS_SHOWN))
            .register_diagnostic(Diagnostic::new(Self::TASKS_IN_FLIGHT))
            .register_diagnostic(Diagnostic::new(Self::TASKS_DONE))
            .register_diagnostic(Diagnostic::new(Self::FRAME_TIME).with_suffix("ms"))
            .add_systems(Last, measure.run_if(resource_exists::<TerrainStats>));
    }
}

fn measure(stats: Res<TerrainStats>, mut diagnostics: Diagnostics) {
    diagnostics.add_measurement(&TerrainDiagnosticsPlugin::CHUNKS_SHOWN, || stats.chunks_shown as f64);
    diagnostics.add_measurement(&TerrainDiagnosticsPlugin::TASKS_IN_FLIGHT, || stats.tasks_in_flight as f64);
    diagnostics.add_measurement(&TerrainDiagnosticsPlugin::TASKS_DONE, || stats.tasks_done as f64);
    diagnostics.add_measurement(&TerrainDiagnosticsPlugin::FRAME_TIME, || stats.frame_time.as_secs_f64() * 1000.0);
}
