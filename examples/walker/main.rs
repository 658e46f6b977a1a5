//! Walk through endless terrain in third person.
//!
//! Controls: W A S D walk, Shift runs, Space jumps. Click into the window to turn the camera with the mouse, Escape releases
//! the mouse. T travels 50 km ahead, F turns summer into winter and back.
//!
//! Look at:
//!
//! - `travel`: the screen is black until the ground is ready, at the start and after a journey.
//! - `walker`: feet on the ground, uphill and downhill. Trunks stop it.
//! - `season`: colors change from code, and no chunk is rebuilt.
//!
//! `look` has all that needs a window. The rest runs without one: `cargo test --example walker`.

mod camera;
mod dry_ground;
#[path = "../helpers/hold_mouse.rs"]
mod hold_mouse;
mod look;
mod options;
mod season;
#[cfg(test)]
mod tests;
mod travel;
#[path = "../helpers/trunks.rs"]
mod trunks;
mod walker;

use bevy::prelude::*;
use bevy_egui::EguiPlugin;
use bevy_perlin_terrain::prelude::*;
use camera::FollowCamera;
use clap::Parser;
use walker::Walker;

fn main() -> AppExit {
    let options = options::Options::parse();
    App::new()
        .add_plugins((
            DefaultPlugins.set(options.window()).set(options.renderer()),
            EguiPlugin::default(),
            TerrainPlugins,
            OriginShiftPlugin::default(),
        ))
        .add_plugins((game, look::plugin))
        .add_plugins(options)
        .run()
}

/// The game, without a window.
fn game(app: &mut App) {
    app.add_systems(Startup, spawn).add_plugins((travel::plugin, walker::plugin, camera::plugin, season::plugin));
}

fn spawn(mut commands: Commands, assets: Res<AssetServer>) {
    commands.spawn(Terrain(assets.load("terrain/rolling_hills.terrain.ron")));
    // `travel` moves the walker onto the ground as soon as the settings are loaded.
    commands.spawn(Walker::default());
    commands.spawn(FollowCamera::default());
}
