//! Walk over the Alps in third person, with bodies of avian3d.
//!
//! Controls: W A S D walk, Shift runs, Space jumps. Drag with the mouse to turn the camera, and change its distance with the wheel.
//!
//! Look at:
//!
//! - `spawn`: `KeepGround` is all that a character and crates need to stand on the terrain.
//! - `bevy_perlin_terrain_avian::walk` is the character, the same one as in the example `character` of that crate.
//! - `keys`: the keys move it relative to the camera.
//! - `camera`: the camera follows it, stays above the ground, and never lets a hill or a crate come between.
//!
//! `look` has all that needs a window, and a loading screen. The rest runs without one, as the tests do.

mod camera;
mod keys;
mod look;
#[cfg(test)]
mod tests;

use avian3d::prelude::*;
use bevy::prelude::*;
use bevy_perlin_terrain::prelude::*;
use bevy_perlin_terrain_avian::TerrainColliderPlugin;
use bevy_perlin_terrain_avian::walk::character;
use camera::FollowCamera;

fn main() -> AppExit {
    App::new().add_plugins((DefaultPlugins.set(assets()), TerrainPlugins, game, look::plugin)).run()
}

fn assets() -> AssetPlugin {
    AssetPlugin { file_path: concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets").into(), ..default() }
}

/// The game, without a window.
fn game(app: &mut App) {
    app.add_plugins((PhysicsPlugins::default(), TerrainColliderPlugin, OriginShiftPlugin::default()))
        .add_plugins((keys::plugin, camera::plugin))
        .add_systems(Startup, spawn);
}

/// A box to push around.
#[derive(Component)]
struct Crate;

impl Crate {
    /// Metres.
    const SIZE: f32 = 0.8;
}

/// Level ground with a view, far below it: bodies with `KeepGround` are put on top.
const START: Vec3 = Vec3::new(-2200.0, -1000.0, 440.0);
/// Where the view is, in radians.
const YAW: f32 = 1.05;

fn spawn(mut commands: Commands, assets: Res<AssetServer>) {
    commands.spawn(Terrain(assets.load("terrain/alps.terrain.ron")));
    commands.spawn(FollowCamera { yaw: YAW, pitch: -0.15, distance: 6.0 });
    let start = Transform::from_translation(START).with_rotation(Quat::from_rotation_y(YAW));
    // With interpolation, bodies move in every frame and not only in the ticks of the engine.
    commands.spawn((character(), TransformInterpolation, start));
    for [right, ahead] in [[-2.5, 4.0], [-1.2, 6.5], [1.5, 5.0], [2.8, 7.0]] {
        commands.spawn((
            Crate,
            (RigidBody::Dynamic, Collider::cuboid(Crate::SIZE, Crate::SIZE, Crate::SIZE)),
            KeepGround::default(),
            TransformInterpolation,
            start * Transform::from_xyz(right, 0.0, -ahead),
        ));
    }
}
