//! Apps without a window, which run frame by frame.

use bevy::app::{PluginGroupBuilder, PluginsState};
use bevy::asset::UnapprovedPathMode;
use bevy::prelude::*;
use bevy::render::RenderPlugin;
use bevy::tasks::tick_global_task_pools_on_main_thread;
use bevy::time::TimeUpdateStrategy;
use bevy::window::ExitCondition;
use bevy::winit::WinitPlugin;
use bevy_perlin_terrain::prelude::*;
use std::path::Path;
use std::time::{Duration, Instant};

/// The time that passes in a frame, however long it really takes.
pub const FRAME: Duration = Duration::from_nanos(16_666_667);

/// A terrain that is not settled after this time is an error.
const PATIENCE: Duration = Duration::from_mins(10);

/// Bevy's default plugins, without a window.
pub fn windowless(render: RenderPlugin) -> PluginGroupBuilder {
    DefaultPlugins
        .build()
        .disable::<WinitPlugin>()
        .set(asset_plugin())
        .set(WindowPlugin { primary_window: None, exit_condition: ExitCondition::DontExit, ..default() })
        .set(render)
}

/// Loads files from the `assets/` of the repository, and from anywhere.
pub fn asset_plugin() -> AssetPlugin {
    let file_path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets").into();
    AssetPlugin { file_path, unapproved_path_mode: UnapprovedPathMode::Allow, ..default() }
}

/// The asset path of a file. A file outside of `assets/` has its full path.
pub fn asset_path(file: &str) -> String {
    match Path::new(file).canonicalize() {
        Ok(full) => full.to_string_lossy().into_owned(),
        Err(_) => file.to_owned(),
    }
}

/// Makes an app ready for its first frame.
pub fn start(app: &mut App) {
    app.insert_resource(TimeUpdateStrategy::ManualDuration(FRAME));
    while app.plugins_state() == PluginsState::Adding {
        tick_global_task_pools_on_main_thread();
    }
    app.finish();
    app.cleanup();
}

/// Runs frames until `is_done`, and sleeps for `pause` after each. Returns an error if a terrain has a problem, or if it takes
/// longer than ten minutes.
pub fn update_until(app: &mut App, pause: Duration, mut is_done: impl FnMut(&mut App) -> bool) -> Result<(), String> {
    let started = Instant::now();
    while started.elapsed() < PATIENCE {
        app.update();
        if is_done(app) {
            return Ok(());
        }
        let world = app.world_mut();
        if let Some(problem) = world.query::<&TerrainState>().iter(world).find_map(|state| state.problems().next()) {
            return Err(problem.to_string());
        }
        std::thread::sleep(pause);
    }
    Err(format!("the terrain is not settled after ten minutes: {:?}", app.world().resource::<TerrainStats>()))
}
