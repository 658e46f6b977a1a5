//! The walker: feet on the ground, uphill and downhill, and jumps. Trunks stop it.

use crate::camera::FollowCamera;
use crate::dry_ground::water_height;
use crate::travel::Game;
use crate::trunks::push_out;
use bevy::prelude::*;
use bevy_perlin_terrain::prelude::*;

/// Metres per second.
const WALKING: f32 = 5.0;
const RUNNING: f32 = 15.0;
const JUMPING: f32 = 6.0;
/// Metres per second, per second.
const GRAVITY: f32 = 9.81;
/// The steepest slope that the walker climbs, in metres up per metre ahead: 50 degrees.
const STEEPEST: f32 = 1.2;
/// The deepest water that the walker wades through, in metres.
const DEEPEST: f32 = 1.0;
/// The radius of the walker, in metres.
const RADIUS: f32 = 0.35;

/// The player. Its `Transform` is at its feet.
#[derive(Component, Default)]
#[require(Transform)]
pub struct Walker {
    /// The upward speed during a jump, in metres per second. `None` on the ground.
    pub jump: Option<f32>,
}

pub fn plugin(app: &mut App) {
    app.add_systems(Update, (walk, jump).chain().run_if(in_state(Game::Playing)));
}

/// Walks relative to the camera.
fn walk(
    keys: Res<ButtonInput<KeyCode>>,
    time: Res<Time>,
    (ground, plants): (TerrainGround, TerrainPlants),
    terrain: Single<(Entity, &TerrainState)>,
    camera: Single<&FollowCamera>,
    walker: Single<(&mut Transform, &Walker)>,
) {
    let (terrain, state) = *terrain;
    let (mut feet, walker) = walker.into_inner();
    let axis = |more, less| f32::from(i8::from(keys.pressed(more)) - i8::from(keys.pressed(less)));
    let ahead = camera.heading() * axis(KeyCode::KeyW, KeyCode::KeyS);
    let right = camera.heading().cross(Vec3::Y) * axis(KeyCode::KeyD, KeyCode::KeyA);
    let Ok(direction) = Dir3::new(ahead + right) else {
        return;
    };
    feet.look_to(direction, Vec3::Y);
    let speed = if keys.pressed(KeyCode::ShiftLeft) { RUNNING } else { WALKING };
    let step = direction * speed * seconds(&time);
    let (Some(here), Some(there)) = (ground.height(feet.translation), ground.height(feet.translation + step)) else {
        return;
    };
    let slope = (there - here) / step.length().max(1e-3);
    let is_deep = there < here && there < water_height(state) - DEEPEST;
    if slope < STEEPEST && !is_deep {
        // As fast along a slope as on level ground.
        let there = feet.translation + step / slope.hypot(1.0);
        feet.translation = push_out(&plants, terrain, there, RADIUS);
    }
    if walker.jump.is_none() {
        feet.translation.y = ground.height(feet.translation).unwrap_or(here);
    }
}

fn jump(
    keys: Res<ButtonInput<KeyCode>>,
    time: Res<Time>,
    ground: TerrainGround,
    walker: Single<(&mut Transform, &mut Walker)>,
) {
    let (mut feet, mut walker) = walker.into_inner();
    let Some(height) = ground.height(feet.translation) else {
        return;
    };
    match &mut walker.jump {
        Some(speed) => {
            *speed -= GRAVITY * seconds(&time);
            feet.translation.y += *speed * seconds(&time);
            if feet.translation.y <= height {
                feet.translation.y = height;
                walker.jump = None;
            }
        }
        None if keys.just_pressed(KeyCode::Space) => walker.jump = Some(JUMPING),
        // Also while it stands still: a reload may change the ground.
        None => feet.translation.y = height,
    }
}

/// The time of this frame. A very long frame counts as a tenth of a second, so that the walker doesn't leap.
fn seconds(time: &Time) -> f32 {
    time.delta_secs().min(0.1)
}
