//! The camera behind the character. The mouse turns it and changes its distance. It never goes below the ground, and never behind
//! a hill or a crate.

use avian3d::prelude::*;
use bevy::input::mouse::{AccumulatedMouseMotion, AccumulatedMouseScroll, MouseScrollPixelsPerLine};
use bevy::prelude::*;
use bevy_perlin_terrain::ground::RaySettings;
use bevy_perlin_terrain::prelude::*;
use bevy_perlin_terrain_avian::walk::{HALF, Walk};

/// How far the player sees, in metres.
pub const VIEW_DISTANCE: f32 = 12_000.0;
/// The camera is at least this far above the ground, in metres.
pub const CLEARANCE: f32 = 0.4;
/// Radians for each pixel that the mouse moves.
const TURN_PER_PIXEL: f32 = 0.005;
/// The distance after one step of the mouse wheel, compared with the one before.
const ZOOM: f32 = 0.9;

/// The camera.
#[derive(Component)]
#[require(Transform, TerrainViewer { view_distance: VIEW_DISTANCE })]
pub struct FollowCamera {
    /// Radians around the character. At 0 it looks north.
    pub yaw: f32,
    /// Radians upwards.
    pub pitch: f32,
    /// Metres from the head of the character, where neither ground nor a body is in the way.
    pub distance: f32,
}

impl FollowCamera {
    /// The horizontal direction in which the camera looks.
    pub fn heading(&self) -> Vec3 {
        Quat::from_rotation_y(self.yaw) * Vec3::NEG_Z
    }
}

pub fn plugin(app: &mut App) {
    app.add_systems(Update, (turn, zoom))
        // After the bodies have moved, and before the terrain collects its viewers.
        .add_systems(PostUpdate, follow.in_set(TerrainSystems::First));
}

fn turn(
    buttons: Res<ButtonInput<MouseButton>>,
    mouse: Res<AccumulatedMouseMotion>,
    mut camera: Single<&mut FollowCamera>,
) {
    if buttons.any_pressed([MouseButton::Left, MouseButton::Right]) {
        camera.yaw -= mouse.delta.x * TURN_PER_PIXEL;
        camera.pitch = (camera.pitch - mouse.delta.y * TURN_PER_PIXEL).clamp(-1.4, 0.7);
    }
}

fn zoom(
    wheel: Res<AccumulatedMouseScroll>,
    pixels_per_line: Res<MouseScrollPixelsPerLine>,
    mut camera: Single<&mut FollowCamera>,
) {
    let steps = wheel.to_lines(&pixels_per_line).delta.y;
    camera.distance = (camera.distance * ZOOM.powf(steps)).clamp(2.0, 40.0);
}

/// The target of the camera: the head.
pub fn target(character: &Transform) -> Vec3 {
    character.translation + Vec3::Y * HALF
}

fn follow(
    character: Single<(Entity, &Transform), With<Walk>>,
    camera: Single<(&mut Transform, &FollowCamera), Without<Walk>>,
    ground: TerrainGround,
    bodies: SpatialQuery,
) {
    let ((character, at), (mut transform, camera)) = (character.into_inner(), camera.into_inner());
    let target = target(at);
    let back = Quat::from_euler(EulerRot::YXZ, camera.yaw, camera.pitch, 0.0) * Dir3::Z;
    // In front of a hill or a crate, not in it or behind it. Only the ground near bodies has colliders, so ask the terrain too.
    let hill = ground.ray(Ray3d::new(target, back), &RaySettings::up_to(camera.distance.into()));
    let distance = hill.ok().flatten().map_or(camera.distance, |hit| hit.distance);
    let others = SpatialQueryFilter::from_excluded_entities([character]);
    let distance = bodies.cast_ray(target, back, distance, true, &others).map_or(distance, |hit| hit.distance);
    let mut eye = target + back * distance;
    if let Some(height) = ground.height(eye) {
        eye.y = eye.y.max(height + CLEARANCE);
    }
    *transform = Transform::from_translation(eye).looking_at(target, Vec3::Y);
}
