//! The mouse turns the camera.

use crate::camera::FollowCamera;
use crate::hold_mouse::TURN_PER_PIXEL;
use bevy::input::mouse::AccumulatedMouseMotion;
use bevy::prelude::*;
use bevy::window::{CursorOptions, PrimaryWindow};

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
