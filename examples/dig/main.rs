//! Dig craters, level the ground for houses and lay roads; save them and load them.
//!
//! Controls: a click digs a crater. H levels the ground under the pointer for a house. R begins a road, each click takes it on, and R
//! ends it. Z takes the last edit back, S saves all edits, L loads them. The arrow keys, Page Up and Page Down fly, Shift is fast. Hold the
//! middle mouse button to look around.
//!
//! Look at:
//!
//! - `tools`: an edit is a few numbers, and the ground follows in the same frame, also far away.
//! - `save`: a save is the list of edits.
//!
//! The plants of the settings follow the ground by themselves.
//!
//! `look` has all that needs a window. The rest runs without one: `cargo test --example dig --features picking`.

mod look;
mod save;
#[cfg(test)]
mod tests;
mod tools;

use bevy::camera_controller::free_camera::FreeCameraPlugin;
use bevy::prelude::*;
use bevy_perlin_terrain::prelude::*;

fn main() {
    App::new().add_plugins((DefaultPlugins, FreeCameraPlugin, TerrainPlugins, game, look::plugin)).run();
}

/// The game, without a window.
fn game(app: &mut App) {
    app.add_plugins((tools::plugin, save::plugin)).add_systems(
        Startup,
        |mut commands: Commands, assets: Res<AssetServer>| {
            commands.spawn(Terrain(assets.load("terrain/rolling_hills.terrain.ron")));
        },
    );
}
