//! Bodies that cross the border between squares keep their speed, against the same bodies on one large height field.

use crate::common::*;
use avian3d::math::{RVector, ToRealPrecision};
use avian3d::parry::shape::{HeightFieldFlags, SharedShape};
use avian3d::parry::utils::Array2;
use avian3d::prelude::*;
use bevy::prelude::*;
use bevy_perlin_terrain::prelude::*;

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
    let heights = heights.map(|[x, z]| ground(app, x, z).real()).collect();
    let scale = RVector::new(256.0, 1.0, 256.0);
    let heights = Array2::new(129, 129, heights);
    SharedShape::heightfield_with_flags(heights, scale, HeightFieldFlags::FIX_INTERNAL_EDGES).into()
}

/// An app with colliders of squares, or with one height field in their place, and ground over 100 m around the origin.
fn app_with_ground(is_one: bool) -> App {
    let mut app = if is_one { app_without_colliders() } else { app() };
    add_terrain(&mut app, hills(), [0.0; 2]);
    app.world_mut().spawn((Transform::default(), KeepGround { radius: 100.0, ..default() }));
    start(&mut app);
    if is_one {
        let field = one_field(&mut app);
        app.world_mut().spawn((RigidBody::Static, field, Transform::default()));
    }
    app
}

/// The velocity of a body that has crossed the border at x = 0.
fn after_crossing(is_one: bool, shape: Shape, speed: f32, from: [f32; 2]) -> Vec3 {
    let mut app = app_with_ground(is_one);
    let heading = Vec3::new(1.0, 0.0, 0.1).normalize();
    let (collider, bottom) = match shape {
        Shape::Ball => (Collider::sphere(RADIUS), RADIUS),
        Shape::Capsule => (Collider::capsule(RADIUS, 1.0), RADIUS + 0.5),
        Shape::Wheel => (Collider::cylinder(RADIUS, 0.4), RADIUS),
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
        LinearVelocity(heading * speed),
        AngularVelocity(spin),
        Friction::new(if slides { 0.0 } else { 0.8 }),
        SleepingDisabled,
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

/// avian keeps the contacts of bodies that hardly move, also those near a border.
#[test]
fn a_capsule_that_crosses_a_border_slowly_does_not_sink() {
    for speed in [0.2, 1.0, 3.0] {
        let [one, squares] = [true, false].map(|is_one| {
            let mut app = app_with_ground(is_one);
            let y = ground(&mut app, -2.97, 3.0) + RADIUS + 0.5;
            let body = (
                RigidBody::Dynamic,
                Collider::capsule(RADIUS, 1.0),
                Transform::from_xyz(-2.97, y, 3.0),
                LockedAxes::ROTATION_LOCKED,
                (Friction::new(0.0), SleepingDisabled),
            );
            let body = app.world_mut().spawn(body).id();
            let mut heights = vec![];
            while place(&app, body).x < 0.4 {
                // It neither slows down on a slope nor speeds up.
                app.world_mut().get_mut::<LinearVelocity>(body).expect("a body").0.x = speed;
                run(&mut app, 1.0 / HZ as f32);
                let at = place(&app, body);
                heights.push(at.y - ground(&mut app, at.x, at.z));
                assert!(heights.len() < 4000, "it crosses the border");
            }
            heights
        });
        // The first ticks let it settle on the ground.
        let lowest = |heights: &[f32]| heights[heights.len() / 4..].iter().copied().fold(f32::INFINITY, f32::min);
        let sunk = lowest(&one) - lowest(&squares);
        assert!(sunk < 1e-3, "at {speed} m/s it sinks by {sunk} m");
    }
}

#[test]
fn a_hundred_balls_roll_as_far_as_on_one_height_field() {
    let ways = [true, false].map(|is_one| {
        let mut app = app_with_ground(is_one);
        let balls: Vec<Entity> = (0..100_u8)
            .map(|number| {
                // Around a corner of four squares.
                let [x, z] = [number % 10, number / 10].map(|i| 3.0 * f32::from(i) - 13.5);
                let ball = (RigidBody::Dynamic, Collider::sphere(RADIUS));
                let ball = (ball, LinearVelocity(Vec3::new(8.0, 0.0, 5.0)));
                // They don't touch each other.
                let groups = CollisionLayers::from_bits(2, 1);
                let place = Transform::from_xyz(x, ground(&mut app, x, z) + 1.0, z);
                app.world_mut().spawn((ball, groups, place)).id()
            })
            .collect();
        let from: Vec<Vec3> = balls.iter().map(|&ball| place(&app, ball)).collect();
        run(&mut app, 4.0);
        balls.iter().zip(from).map(|(&ball, from)| place(&app, ball).distance(from)).collect::<Vec<f32>>()
    });
    let far = ways.each_ref().map(|ways| ways.iter().sum::<f32>());
    let most = ways[0].iter().zip(&ways[1]).map(|(one, squares)| (one - squares).abs()).fold(0.0, f32::max);
    println!(
        "100 balls roll {} m on one field and {} m on squares; the largest difference is {most} m",
        far[0], far[1]
    );
    assert!((far[0] - far[1]).abs() < 0.001 * far[0] && most < 0.1, "{far:?} m, {most} m");
}
