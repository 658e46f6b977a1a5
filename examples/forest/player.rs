//! The player: the camera, at the height of the eyes. Trunks and stones stop it.

use crate::trunks::push_out;
use bevy::prelude::*;
use bevy_perlin_terrain::prelude::*;

/// How far the player sees, in metres.
pub const VIEW_DISTANCE: f32 = 4000.0;
/// The height of the eyes above the feet, in metres.
pub const EYES: f32 = 1.7;
/// The radius of the player, in metres.
pub const RADIUS: f32 = 0.35;
/// Metres per second.
const WALKING: f32 = 3.0;
const RUNNING: f32 = 8.0;

/// The player. Its `Transform` is at its eyes. Angles are in radians.
#[derive(Component, Default)]
#[require(Transform, TerrainViewer { view_distance: VIEW_DISTANCE })]
pub struct Player {
    pub yaw: f32,
    pub pitch: f32,
}

pub fn plugin(app: &mut App) {
    app.add_systems(Startup, |mut commands: Commands| _ = commands.spawn(Player::default())).add_systems(Update, walk);
}

fn walk(
    keys: Res<ButtonInput<KeyCode>>,
    time: Res<Time>,
    (ground, plants, terrain): (TerrainGround, TerrainPlants, Single<Entity, With<Terrain>>),
    player: Single<(&mut Transform, &Player)>,
) {
    let (mut eyes, player) = player.into_inner();
    eyes.rotation = Quat::from_euler(EulerRot::YXZ, player.yaw, player.pitch, 0.0);
    let axis = |more, less| f32::from(i8::from(keys.pressed(more)) - i8::from(keys.pressed(less)));
    let wanted = Vec3::new(axis(KeyCode::KeyD, KeyCode::KeyA), 0.0, axis(KeyCode::KeyS, KeyCode::KeyW));
    let direction = Quat::from_rotation_y(player.yaw) * wanted.normalize_or_zero();
    let speed = if keys.pressed(KeyCode::ShiftLeft) { RUNNING } else { WALKING };
    // A very long frame counts as a tenth of a second, so that the player doesn't leap over a trunk.
    let feet = eyes.translation - Vec3::Y * EYES + direction * speed * time.delta_secs().min(0.1);
    let feet = push_out(&plants, *terrain, feet, RADIUS);
    // There is no ground before the settings are loaded.
    if let Some(height) = ground.height(feet) {
        eyes.translation = feet.with_y(height + EYES);
    }
}
