//! Touch: one finger looks around, which `FreeCamera` does, and two fingers fly.

use crate::scene::StartAboveGround;
use bevy::camera_controller::free_camera::{FreeCamera, FreeCameraState};
use bevy::input::InputSystems;
use bevy::input::touch::{Touch, Touches};
use bevy::prelude::*;

/// Two fingers that moved by this many pixels fly at the speed of the keys. The speed grows with the distance.
const STROKE: f32 = 60.0;

/// Flies while two fingers touch the screen: ahead if they moved up, and to the side that they moved to.
fn fly(
    touches: Res<Touches>,
    time: Res<Time>,
    mut cameras: Query<(&mut Transform, &mut FreeCamera, &FreeCameraState), Without<StartAboveGround>>,
    mut start: Local<Option<Vec2>>,
) {
    let fingers: Vec<Vec2> = touches.iter().map(Touch::position).collect();
    let is_flying = fingers.len() > 1;
    let middle = fingers.iter().sum::<Vec2>() / fingers.len().max(1) as f32;
    let stroke = match *start {
        Some(start) if is_flying => middle - start,
        _ => Vec2::ZERO,
    };
    *start = is_flying.then_some(middle - stroke);
    for (mut transform, mut camera, state) in &mut cameras {
        // Each finger would look around, also while they fly.
        let sensitivity = if is_flying { 0.0 } else { FreeCamera::default().sensitivity };
        if camera.sensitivity != sensitivity {
            camera.sensitivity = sensitivity;
        }
        if stroke == Vec2::ZERO || !state.enabled {
            continue;
        }
        let speed = (camera.walk_speed * stroke / STROKE).clamp_length_max(camera.run_speed) * state.speed_multiplier;
        let way = transform.right() * speed.x - transform.forward() * speed.y;
        transform.translation += way * time.delta_secs().min(0.1);
    }
}

/// The systems of this file.
pub fn plugin(app: &mut App) {
    // Before the camera looks around.
    app.add_systems(PreUpdate, fly.after(InputSystems));
}
