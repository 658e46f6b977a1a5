//! Walk in a wood, fell its trees, gather its mushrooms; save all of that and load it.
//!
//! Controls: W A S D walk, Shift runs. Click into the window to look around with the mouse, Escape releases it. F fells the tree ahead.
//! Walk over a mushroom to gather it. F5 saves, F9 loads.
//!
//! Look at:
//!
//! - `assets/examples/forest.terrain.ron`: the wood, in some lines.
//! - `player`: trunks and stones stop it.
//! - `felling`: a felled tree stays felled, and leaves a stump.
//! - `mushrooms`: plants that the terrain doesn't draw. The game gives those near the player a model of its own.
//! - `save`: a save is the list of what was removed.
//!
//! `look` has all that needs a window. The rest runs without one: `cargo test --example forest`.

mod felling;
#[path = "../helpers/hold_mouse.rs"]
mod hold_mouse;
mod look;
mod mushrooms;
mod player;
mod save;
#[cfg(test)]
mod tests;
#[path = "../helpers/trunks.rs"]
mod trunks;

use bevy::prelude::*;
use bevy_perlin_terrain::prelude::*;

fn main() -> AppExit {
    App::new().add_plugins((DefaultPlugins, TerrainPlugins, game, look::plugin)).run()
}

/// The game, without a window.
fn game(app: &mut App) {
    app.add_plugins((player::plugin, felling::plugin, mushrooms::plugin, save::plugin)).add_systems(
        Startup,
        |mut commands: Commands, assets: Res<AssetServer>| {
            commands.spawn(Terrain(assets.load("examples/forest.terrain.ron")));
        },
    );
}
