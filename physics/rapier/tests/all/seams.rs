//! Bodies that cross the border between squares keep their speed, against the same bodies on one large height field.

use crate::common::*;
use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use bevy_perlin_terrain::prelude::*;
use bevy_perlin_terrain_rapier::{TerrainColliderPlugin, TerrainHooks};
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

/// An app with colliders of squares, or with one height field in their place, and ground over 100 m around the origin.
fn app_with_ground(is_one: bool) -> App {
    let mut app = if is_one { app_without_colliders() } else { app() };
    add_terrain(&mut app, hills(), [0.0; 2]);
    app.world_mut().spawn((Transform::default(), KeepGround { radius: 100.0, ..default() }));
    start(&mut app);
    if is_one {
        let field = one_field(&mut app);
        app.world_mut().spawn((field, Transform::default()));
    }
    app
}

/// The velocity of a body that has crossed the border at x = 0.
fn after_crossing(is_one: bool, shape: Shape, speed: f32, from: [f32; 2]) -> Vec3 {
    let mut app = app_with_ground(is_one);
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
            let lost = (0..6_u8).map(|number| {
                let from = [-12.0 - 0.37 * f32::from(number), 3.0 + 0.53 * f32::from(number)];
                let [one, squares] = [true, false].map(|is_one| after_crossing(is_one, shape, speed, from).length());
                (one - squares) / one
            });
            // In the mean: a wheel that rolls on its two rims differs by up to 2 %, to both sides, after any change in rounding.
            let lost: f32 = lost.sum::<f32>() / 6.0;
            println!("{shape:?} at {speed} m/s loses {:.3} %", lost * 100.0);
            assert!(lost.abs() < 0.01, "{shape:?} at {speed} m/s loses {lost} of its speed");
        }
    }
}

#[test]
fn balls_that_land_beside_a_border_bounce_as_on_one_height_field() {
    for speed in [2.0, 10.0, 30.0] {
        let velocities = [true, false].map(|is_one| {
            let mut app = app_with_ground(is_one);
            let balls: Vec<Entity> = (0..60_u8)
                .map(|number| {
                    // Up to the end of the overlap, 2 m beyond the border, on both sides.
                    let [x, z] = [-3.0 + 0.1 * f32::from(number), -45.0 + 1.5 * f32::from(number)];
                    let y = ground(&mut app, x, z) + 1.5 + 0.1 * speed * f32::from(number % 7) / 7.0;
                    let ball = (RigidBody::Dynamic, Collider::ball(RADIUS), Velocity::linear(Vec3::NEG_Y * speed));
                    app.world_mut().spawn((ball, Transform::from_xyz(x, y, z))).id()
                })
                .collect();
            run(&mut app, 0.5);
            balls.iter().map(|&ball| velocity(&app, ball)).collect::<Vec<_>>()
        });
        for (number, (one, squares)) in velocities[0].iter().zip(&velocities[1]).enumerate() {
            assert!((*one - *squares).length() < 0.1, "{number} at {speed} m/s: {squares} for {one}");
        }
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
                let ball = (RigidBody::Dynamic, Collider::ball(RADIUS), Velocity::linear(Vec3::new(8.0, 0.0, 5.0)));
                // They don't touch each other.
                let groups = CollisionGroups::new(Group::GROUP_2, Group::GROUP_1);
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

/// The game's hooks, with those of the terrain in them.
#[derive(SystemParam)]
struct GameHooks<'w, 's> {
    terrain: TerrainHooks<'w, 's>,
    slippery: Query<'w, 's, (), With<KeepGround>>,
}

impl BevyPhysicsHooks for GameHooks<'_, '_> {
    fn modify_solver_contacts(&self, mut contacts: ContactModificationContextView) {
        self.terrain.leave_to_neighbors(&mut contacts);
        if self.slippery.contains(contacts.collider1()) || self.slippery.contains(contacts.collider2()) {
            *contacts.raw.rigid_mut().expect("no body is soft").friction = 0.0;
        }
    }
}

#[test]
fn hooks_of_the_game_can_call_those_of_the_terrain() {
    let speeds = [false, true].map(|has_own| {
        let mut app = if has_own {
            app_with((RapierPhysicsPlugin::<GameHooks>::default(), TerrainColliderPlugin::default()))
        } else {
            app()
        };
        add_terrain(&mut app, flat(), [0.0; 2]);
        app.world_mut().spawn((Transform::default(), KeepGround { radius: 100.0, ..default() }));
        start(&mut app);
        let sliding = (
            RigidBody::Dynamic,
            Collider::cuboid(0.5, 0.5, 0.5),
            Velocity::linear(Vec3::X * 10.0),
            Transform::from_xyz(-4.0, 20.5, 3.0),
            KeepGround::default(),
        );
        let sliding = app.world_mut().spawn(sliding).id();
        run(&mut app, 1.0);
        velocity(&app, sliding).x
    });
    assert!(speeds[0] < 6.0 && speeds[1] > 9.9, "{speeds:?}");
}
