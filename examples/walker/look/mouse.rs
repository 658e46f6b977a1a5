//! The mouse turns the camera.

use crate::camera::FollowCamera;
use bevy::input::mouse::AccumulatedMouseMotion;
use bevy::prelude::*;
use bevy::window::{CursorGrabMode, CursorOptions, PrimaryWindow};

/// Radians for each pixel that the mouse moves.
const TURN_PER_PIXEL: f32 = 0.003;

/// A click hides the mouse pointer and gives the mouse to the camera. Escape releases it.
pub fn hold(
    buttons: Res<ButtonInput<MouseButton>>,
    keys: Res<ButtonInput<KeyCode>>,
    mut cursor: Single<&mut CursorOptions, With<PrimaryWindow>>,
) {
    if buttons.just_pressed(MouseButton::Left) {
        (cursor.grab_mode, cursor.visible) = (CursorGrabMode::Locked, false);
    }
    if keys.just_pressed(KeyCode::Escape) {
        (cursor.grab_mode, cursor.visible) = (CursorGrabMode::None, true);
    }
}

pub fn turn_camera(
    mouse: Res<AccumulatedMouseMotion>,
    cursor: Single<&CursorOptions, With<PrimaryWindow>>,
    mut camera: Single<&mut FollowCamera>,
) {
    if !cursor.visible && mouse.delta != Vec2::ZERO {
        camera.yaw -= mouse.delta.x * TURN_PER_PIXEL;
        camera.pitch = (camera.pitch - mouse.delta.y * TURN_PER_PIXEL).clamp(-1.2, 0.4);
    }
}
