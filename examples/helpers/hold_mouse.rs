//! The mouse turns the view of the player.

use bevy::prelude::*;
use bevy::window::{CursorGrabMode, CursorOptions, PrimaryWindow};

/// Radians for each pixel that the mouse moves.
pub const TURN_PER_PIXEL: f32 = 0.003;

/// A click hides the mouse pointer and gives the mouse to the player. Escape releases it.
pub fn hold_mouse(
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
