//! The keys move the character.

use crate::camera::FollowCamera;
use avian3d::prelude::*;
use bevy::app::{RunFixedMainLoop, RunFixedMainLoopSystems};
use bevy::prelude::*;
use bevy_perlin_terrain_avian::walk::{Walk, walk};

/// Metres per second.
const WALKING: f32 = 5.0;
const RUNNING: f32 = 12.0;
/// The part of the turn to its way that the character makes in a tick.
const TURNING: f32 = 0.2;

pub fn plugin(app: &mut App) {
    app.add_systems(RunFixedMainLoop, steer.in_set(RunFixedMainLoopSystems::BeforeFixedMainLoop))
        .add_systems(FixedUpdate, (walk, face_ahead));
}

/// Relative to the camera.
fn steer(keys: Res<ButtonInput<KeyCode>>, camera: Single<&FollowCamera>, mut character: Single<&mut Walk>) {
    let axis = |more, less| f32::from(i8::from(keys.pressed(more)) - i8::from(keys.pressed(less)));
    let ahead = camera.heading() * axis(KeyCode::KeyW, KeyCode::KeyS);
    let right = camera.heading().cross(Vec3::Y) * axis(KeyCode::KeyD, KeyCode::KeyA);
    let speed = if keys.any_pressed([KeyCode::ShiftLeft, KeyCode::ShiftRight]) { RUNNING } else { WALKING };
    character.velocity = speed * (ahead + right).xz().normalize_or_zero();
    character.jumps = keys.pressed(KeyCode::Space);
}

/// Turns the character to where it walks.
fn face_ahead(mut characters: Query<(&Walk, &mut Rotation)>) {
    for (walk, mut rotation) in &mut characters {
        let Vec2 { x, y: z } = walk.velocity;
        if walk.velocity != Vec2::ZERO {
            let ahead = Rotation(Quat::from_rotation_y((-x).atan2(-z)));
            *rotation = rotation.slerp(ahead, TURNING);
        }
    }
}
