//! Puts bodies that are below the ground on top of it.

use avian3d::math::{RVector, ToF32Precision, ToRealPrecision};
use avian3d::prelude::*;
use bevy::prelude::*;
use bevy_perlin_terrain::prelude::*;
use bevy_transform_interpolation::TranslationEasingState;

/// The body may go below the ground, into a cave of the game's own: it isn't put back on top.
///
/// It still collides with the ground's triangles. Take it out of their [`CollisionLayers`] where the cave is.
#[derive(Component, Clone, Copy, Debug, Default, Reflect)]
#[reflect(Component, Default)]
pub struct MayGoBelow;

type Anchor = (
    &'static mut Position,
    &'static Rotation,
    Option<&'static mut LinearVelocity>,
    Option<&'static Collider>,
    Option<&'static mut TranslationEasingState>,
);
type Rescued = (With<KeepGround>, With<RigidBody>, Without<MayGoBelow>, Without<WaitsForGround>);

/// Puts bodies whose position is below the ground on top of it, and removes their velocity into the ground.
pub fn put_on_top(ground: TerrainGround, mut bodies: Query<Anchor, Rescued>) {
    for (mut position, rotation, velocity, collider, easing) in &mut bodies {
        let at = position.f32();
        let Some(height) = ground.height(at).filter(|height| at.y < *height) else {
            continue;
        };
        // The lowest point of the collider goes to the height below its center.
        // Not its `ColliderAabb`, which is larger.
        let reach = collider.map_or(0.0, |collider| -collider.aabb(RVector::ZERO, *rotation, 0.0).min.y);
        position.y = (height + reach.max(0.0)).real();
        // An interpolated body is not drawn on its way up.
        if let Some(mut easing) = easing {
            easing.start = None;
        }
        let Some(mut velocity) = velocity else { continue };
        let normal = ground.normal(at).unwrap_or(Vec3::Y);
        let into = velocity.dot(normal);
        if into < 0.0 {
            velocity.0 -= normal * into;
        }
    }
}
