//! Puts bodies that are below the ground on top of it.

use bevy::prelude::*;
use bevy_perlin_terrain::prelude::*;
use bevy_rapier3d::prelude::*;
use bevy_rapier3d::rapier::geometry::ColliderHandle;

/// The body may go below the ground, into a cave of the game's own: it isn't put back on top.
///
/// It still collides with the ground's triangles. Take it out of their [`CollisionGroups`] where the cave is.
#[derive(Component, Clone, Copy, Debug, Default, Reflect)]
#[reflect(Component, Default)]
pub struct MayGoBelow;

type Anchor = (
    &'static RapierContextEntityLink,
    Option<&'static RapierRigidBodyHandle>,
    Option<&'static RapierColliderHandle>,
    Option<&'static mut TransformInterpolation>,
    &'static GlobalTransform,
    &'static mut Transform,
);
type Rescued = (With<KeepGround>, Without<MayGoBelow>, Without<WaitsForGround>, Without<RigidBodyDisabled>);

/// Puts bodies, and colliders without a body, on top of the ground if their position is below it. Removes the velocity of bodies
/// into the ground.
pub fn put_on_top(
    ground: TerrainGround,
    mut contexts: Query<(&mut RapierRigidBodySet, &RapierContextColliders)>,
    mut anchors: Query<Anchor, Rescued>,
) {
    for (link, body, collider, interpolation, global, mut transform) in &mut anchors {
        let Ok((mut bodies, RapierContextColliders { colliders, .. })) = contexts.get_mut(link.0) else {
            continue;
        };
        let body = body.map(|handle| handle.0);
        let position = match body.and_then(|body| bodies.bodies.get(body)) {
            Some(body) => body.translation(),
            None => global.translation(),
        };
        let Some(height) = ground.height(position).filter(|height| position.y < *height) else {
            continue;
        };
        // The lowest point of the colliders goes to the height below the center.
        let lowest = |collider: ColliderHandle| {
            let collider = colliders.get(collider).filter(|collider| !collider.is_sensor())?;
            Some(collider.compute_aabb().mins.y)
        };
        let rise =
            |bottom: Option<f32>| height - position.y + bottom.map_or(0.0, |bottom| position.y - bottom).max(0.0);
        let Some(body) = body.and_then(|body| bodies.bodies.get_mut(body)) else {
            if let Some(collider) = collider {
                transform.translation.y += rise(lowest(collider.0));
            }
            continue;
        };
        let bottom = body.colliders().iter().filter_map(|collider| lowest(*collider)).reduce(f32::min);
        body.set_translation(position + Vec3::Y * rise(bottom), true);
        if let Some(mut interpolation) = interpolation {
            *interpolation = TransformInterpolation::default();
        }
        let normal = ground.normal(position).unwrap_or(Vec3::Y);
        let into = body.linvel().dot(normal);
        if into < 0.0 {
            body.set_linvel(body.linvel() - normal * into, true);
        }
    }
}
