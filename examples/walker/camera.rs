//! The camera behind the walker.

use crate::walker::Walker;
use bevy::prelude::*;
use bevy_perlin_terrain::prelude::*;

/// How far the player sees, in metres.
pub const VIEW_DISTANCE: f32 = 6000.0;
/// The camera looks at a point this far above the feet, from this distance, in metres.
const ABOVE: f32 = 2.2;
const DISTANCE: f32 = 7.0;

/// The camera. Angles are in radians.
#[derive(Component)]
#[require(Transform, TerrainViewer { view_distance: VIEW_DISTANCE })]
pub struct FollowCamera {
    pub yaw: f32,
    pub pitch: f32,
}

impl Default for FollowCamera {
    fn default() -> Self {
        Self { yaw: 0.0, pitch: -0.15 }
    }
}

impl FollowCamera {
    /// The horizontal direction in which the camera looks.
    pub fn heading(&self) -> Vec3 {
        Quat::from_rotation_y(self.yaw) * Vec3::NEG_Z
    }
}

pub fn plugin(app: &mut App) {
    // After the walker has moved, and before the terrain collects its viewers.
    app.add_systems(PostUpdate, follow.in_set(TerrainSystems::First));
}

fn follow(
    walker: Single<&Transform, With<Walker>>,
    camera: Single<(&mut Transform, &FollowCamera), Without<Walker>>,
    ground: TerrainGround,
) {
    let (mut transform, camera) = camera.into_inner();
    let target = walker.translation + Vec3::Y * ABOVE;
    let rotation = Quat::from_euler(EulerRot::YXZ, camera.yaw, camera.pitch, 0.0);
    let mut eye = target + rotation * Vec3::Z * DISTANCE;
    if let Some(height) = ground.height(eye) {
        eye.y = eye.y.max(height + 0.5);
    }
    *transform = Transform::from_translation(eye).looking_at(target, Vec3::Y);
}
