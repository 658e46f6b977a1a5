//! Keeps interpolated bodies on their way in an origin shift.
//!
//! Rapier copies the positions of bodies from their transforms when these change. In an origin shift, that moves all bodies in one
//! tick. But the transform of an interpolated body is behind its position, and rapier ends the interpolation: the body would jump
//! back. So its shifted position is kept, and set again after rapier has copied the transforms.

use bevy::ecs::entity::EntityHashMap;
use bevy::prelude::*;
use bevy_perlin_terrain::prelude::*;
use bevy_rapier3d::prelude::*;
use bevy_rapier3d::rapier::math::Pose;

/// The positions and interpolations of bodies after a shift, until rapier has copied the transforms.
#[derive(Resource, Default)]
pub struct Shifted(EntityHashMap<(Pose, TransformInterpolation)>);

type Interpolated = (
    Entity,
    &'static RapierContextEntityLink,
    &'static RapierRigidBodyHandle,
    &'static TransformInterpolation,
    &'static Transform,
    &'static GlobalTransform,
);

/// Shifts the positions of interpolated bodies, and both ends of their interpolation.
pub fn keep_interpolation(
    mut shifts: MessageReader<OriginShifted>,
    bodies: Query<Interpolated, Without<ChildOf>>,
    contexts: Query<&RapierRigidBodySet>,
    mut shifted: ResMut<Shifted>,
) {
    let offset: Vec3 = shifts.read().map(|shift| shift.offset).sum();
    if offset == Vec3::ZERO {
        return;
    }
    for (entity, link, body, interpolation, transform, before) in &bodies {
        let position = contexts.get(link.0).ok().and_then(|set| set.bodies.get(body.0)).map(|body| *body.position());
        let kept = shifted.0.remove(&entity).or_else(|| position.map(|position| (position, *interpolation)));
        // The game may have moved the body too, or kept it from shifts.
        if transform.translation == before.translation() - offset
            && let Some((mut position, mut interpolation)) = kept
        {
            let ends = interpolation.start.iter_mut().chain(&mut interpolation.end);
            ends.chain([&mut position]).for_each(|position| position.translation -= offset);
            shifted.0.insert(entity, (position, interpolation));
        }
    }
}

/// Sets the shifted positions, after rapier has copied the transforms.
pub fn restore_interpolation(
    mut shifted: ResMut<Shifted>,
    mut bodies: Query<(&RapierContextEntityLink, &RapierRigidBodyHandle, &mut TransformInterpolation)>,
    mut contexts: Query<&mut RapierRigidBodySet>,
) {
    for (entity, (position, kept)) in shifted.0.drain() {
        if let Ok((link, body, mut interpolation)) = bodies.get_mut(entity)
            && let Ok(mut set) = contexts.get_mut(link.0)
            && let Some(body) = set.bodies.get_mut(body.0)
        {
            body.set_position(position, true);
            *interpolation = kept;
        }
    }
}
