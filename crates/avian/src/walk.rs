//! A character: a capsule that walks, runs and jumps. The game decides where to, and how it looks.
//!
//! Spawn [`character`] with a `Transform`, set its [`Walk`] from keys or from an agent, and add [`walk`] to `FixedUpdate`. It follows
//! slopes downhill, closes small gaps, stands still on slopes up to 60 degrees, and jumps from bodies too. For another size or other
//! speeds, copy this file.

use avian3d::prelude::*;
use bevy::prelude::*;
use bevy_perlin_terrain::prelude::*;

/// The movement that the game wants.
#[derive(Component, Default)]
pub struct Walk {
    /// Metres per second along x and z.
    pub velocity: Vec2,
    /// Whether it jumps when it stands on something.
    pub jumps: bool,
    is_rising: bool,
}

/// The capsule's radius, in metres.
pub const RADIUS: f32 = 0.3;
/// Half the height of the capsule, in metres.
pub const HALF: f32 = 0.9;
/// Metres per second upwards: a metre high.
const JUMP: f32 = 4.5;
/// It slides down ground that is steeper than 60 degrees. This is the cosine.
const STEEPEST: f32 = 0.5;
/// How far below its center the character finds ground to stand on, in metres. On the steepest ground it is 1.2 m.
const REACH: f32 = 1.3;
/// How fast the feet come to the ground: the part of the gap that they close in a second.
const SETTLING: f32 = 10.0;
/// The part of the missing velocity that it gets in a tick in the air.
const STEERING: f32 = 0.03;

/// A character. It is on top of the ground in the first tick in which the ground is there, even if it is far below it.
pub fn character() -> impl Bundle {
    (
        Walk::default(),
        (RigidBody::Dynamic, Collider::capsule(RADIUS, 2.0 * (HALF - RADIUS))),
        LockedAxes::ROTATION_LOCKED,
        // `walk` decides the velocity, so nothing brakes the capsule.
        (Friction::ZERO.with_combine_rule(CoefficientCombine::Min), SleepingDisabled),
        KeepGround::default(),
    )
}

/// Moves all characters. It belongs into `FixedUpdate`.
pub fn walk(
    mut walkers: Query<(Entity, &mut Walk, &Position, &mut LinearVelocity), Without<WaitsForGround>>,
    bodies: SpatialQuery,
    gravity: Res<Gravity>,
    time: Res<Time>,
) {
    for (walker, mut walk, position, mut velocity) in &mut walkers {
        let wanted = Vec3::new(walk.velocity.x, 0.0, walk.velocity.y);
        walk.is_rising &= velocity.y > 0.0;
        // The ground, or a body on it.
        let others = SpatialQueryFilter::from_excluded_entities([walker]);
        let below = bodies.cast_ray(position.0, Dir3::NEG_Y, REACH, true, &others);
        let Some(below) = below.filter(|hit| hit.normal.y > STEEPEST && !walk.is_rising) else {
            let missing = wanted - velocity.0;
            velocity.0 += STEERING * Vec3::new(missing.x, 0.0, missing.z);
            continue;
        };
        // Along the slope, as fast as on level ground.
        let along = wanted - Vec3::Y * wanted.dot(below.normal) / below.normal.y;
        velocity.0 = along.normalize_or_zero() * wanted.length();
        // Towards the height at which the capsule touches the slope. So it follows the ground downhill. Nothing pulls it down the
        // slope, so it doesn't slide while it stands.
        let gap = below.distance - (HALF - RADIUS) - RADIUS / below.normal.y;
        velocity.0 -= SETTLING * gap * Vec3::Y + gravity.0 * time.delta_secs();
        if walk.jumps {
            velocity.y = velocity.y.max(0.0) + JUMP;
            walk.is_rising = true;
        }
    }
}
