//! Bodies that cross the border between squares keep their speed, against the same bodies on one large height field.

use crate::common::*;
use bevy::prelude::*;
use bevy_perlin_terrain::prelude::*;
use bevy_rapier3d::parry::shape::{HeightFieldFlags, SharedShape};
use bevy_rapier3d::parry::utils::Array2;
use bevy_rapier3d::prelude::*;

#[derive(Clone, Copy, Debug, PartialEq)]
enum Shape {
    Ball,
    Capsule,
    Wheel,
}

const RADIUS: f32 = 0.5;

/// Gentle hills, on which nothing takes off.
fn hills() -> TerrainSettings {
    let mut settings = rough();
    settings.field.layers.truncate(1);
    if let Some(noise) = settings.field.layers[0].noise_mut() {
        (noise.octaves, noise.height_scale) = (2, 15.0);
    }
    settings
}

/// A height field over 256 by 256 m around the origin.
fn one_field(app: &mut App) -> Collider {
    let heights = (0..129 * 129).map(|i| [i / 129, i % 129].map(|i| i as f32 * 2.0 - 128.0));
    let heights = heights.map(|[x, z]| ground(app, x, z)).collect();
    let scale = Vec3::new(256.0, 1.0, 256.0);
    let heights = Array2::new(129, 129, heights);
    SharedShape::heightfield_with_flags(heights, scale, HeightFieldFlags::FIX_INTERNAL_EDGES).into()
}

/// The velocity of a body that has crossed the border at x = 0.
fn after_crossing(is_one: bool, shape: Shape, speed: f32, from: [f32; 2]) -> Vec3 {
    let mut app = if is_one { app_without_colliders() } else { app() };
    add_terrain(&mut app, hills(), [0.0; 2]);
    app.world_mut().spawn((Transform::default(), KeepGround { radius: 100.0, ..default() }));
    start(&mut app);
    if is_one {
        let field = one_field(&mut app);
        app.world_mut().spawn((field, Transform::default()));
    }
    let heading = Vec3::new(1.0, 0.0, 0.1).normalize();
    let (collider, bottom) = match shape {
        Shape::Ball => (Collider::ball(RADIUS), RADIUS),
        Shape::Capsule => (Collider::capsule_y(0.5, RADIUS), RADIUS + 0.5),
        Shape::Wheel => (Collider::cylinder(0.2, RADIUS), RADIUS),
    };
    let rotation = match shape {
        // The axis of the wheel across its way.
        Shape::Wheel => Quat::from_rotation_arc(Vec3::Y, heading.cross(Vec3::Y).normalize()),
        Shape::Ball | Shape::Capsule => Quat::IDENTITY,
    };
    let slides = shape == Shape::Capsule;
    let spin = if slides { Vec3::ZERO } else { Vec3::Y.cross(heading * speed) / RADIUS };
    let y = ground(&mut app, from[0], from[1]) + bottom + 0.02;
    let body = (
        RigidBody::Dynamic,
        collider,
        Transform::from_xyz(from[0], y, from[1]).with_rotation(rotation),
        Velocity { linear: heading * speed, angular: spin },
        Friction::coefficient(if slides { 0.0 } else { 0.8 }),
        Sleeping::disabled(),
    );
    let mut body = app.world_mut().spawn(body);
    if slides {
        body.insert(LockedAxes::ROTATION_LOCKED);
    }
    let body = body.id();
    run(&mut app, 24.0 / speed);
    assert!(place(&app, body).x > 2.0, "it crossed the border");
    velocity(&app, body)
}

#[test]
fn a_ball_a_capsule_and_a_wheel_lose_no_speed_at_a_border() {
    for shape in [Shape::Ball, Shape::Capsule, Shape::Wheel] {
        for speed in [10.0, 60.0] {
            for number in 0..3_u8 {
                let from = [-12.0 - 0.37 * f32::from(number), 3.0 + 0.53 * f32::from(number)];
                let [one, squares] = [true, false].map(|is_one| after_crossing(is_one, shape, speed, from).length());
                let lost = (one - squares) / one;
                assert!(lost.abs() < 0.01, "{shape:?} at {speed} m/s from {from:?}: {squares} m/s for {one} m/s");
            }
        }
    }
}
