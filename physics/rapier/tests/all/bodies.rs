//! Nothing falls through the ground.

use crate::common::*;
use bevy::prelude::*;
use bevy_perlin_terrain::prelude::*;
use bevy_perlin_terrain_rapier::MayGoBelow;
use bevy_rapier3d::prelude::*;

/// Bodies on the corners and borders of squares, 100 of them, a metre above the ground.
fn add_bodies(app: &mut App) -> Vec<Entity> {
    (0..100_u8)
        .map(|number| {
            let [x, z] = [number % 10, number / 10].map(|i| f32::from(i) * SIZE / 4.0 - 2.0 * SIZE);
            let y = ground(app, x, z) + 1.5;
            let shape = if number % 2 == 0 { Collider::ball(0.5) } else { Collider::capsule_y(0.4, 0.3) };
            let body =
                (RigidBody::Dynamic, shape, Velocity::zero(), Transform::from_xyz(x, y, z), KeepGround { radius: 16.0, ..default() });
            app.world_mut().spawn(body).id()
        })
        .collect()
}

fn roll(seconds: f32, origin: [f64; 2]) {
    let mut app = app();
    add_terrain(&mut app, rough(), origin);
    start(&mut app);
    let bodies = add_bodies(&mut app);
    let mut lowest = f32::INFINITY;
    for _ in 0..(seconds * HZ as f32) as u32 {
        app.update();
        for &body in &bodies {
            let at = place(&app, body);
            let above = at.y - ground(&mut app, at.x, at.z);
            assert!(above > -0.01, "{body} is {above} m above the ground at {at} and {origin:?}");
            lowest = lowest.min(above);
        }
    }
    let moved = bodies.iter().filter(|&&body| velocity(&app, body).length() > 0.5).count();
    println!("{origin:?}: {moved} of 100 still move after {seconds} s; the lowest was {lowest} m above the ground");
}

#[test]
fn a_hundred_bodies_on_borders_and_slopes_stay_above_the_ground() {
    for origin in [[0.0, 0.0], [1e9, -1e6]] {
        roll(4.0, origin);
    }
}

#[test]
#[ignore = "ten minutes of simulated time; .ci/physics runs it"]
fn a_hundred_bodies_stay_above_the_ground_for_ten_minutes() {
    for origin in [[0.0, 0.0], [1e6, 1e6], [1e9, -1e9]] {
        roll(600.0, origin);
    }
}

#[test]
fn a_body_that_teleports_stands_in_the_first_frame() {
    let mut app = app();
    add_terrain(&mut app, rough(), [0.0; 2]);
    let body = app.world_mut().spawn((
        RigidBody::Dynamic,
        Collider::capsule_y(0.4, 0.3),
        LockedAxes::ROTATION_LOCKED,
        Velocity::zero(),
        Friction::coefficient(2.0),
        Transform::from_xyz(0.0, 200.0, 0.0),
        KeepGround::default(),
    ));
    let body = body.id();
    start(&mut app);
    for [x, z] in [[50_000.0, 0.0], [50_000.0, -50_000.0], [3.0, 4.0]] {
        let y = ground(&mut app, x, z) + 0.75;
        teleport(&mut app, body, Vec3::new(x, y, z));
        *app.world_mut().get_mut::<Velocity>(body).expect("a body") = Velocity::zero();
        for _ in 0..30 {
            app.update();
            let at = place(&app, body);
            let above = at.y - ground(&mut app, at.x, at.z);
            assert!((0.6..0.9).contains(&above), "{above} m above the ground at {at}");
        }
    }
}

#[test]
fn bodies_without_ground_are_held_and_then_let_go() {
    let mut app = app();
    add_terrain(&mut app, rough(), [0.0; 2]);
    start(&mut app);
    let bodies: Vec<Entity> = (0..60_u8)
        .map(|number| {
            let place = Transform::from_xyz(1000.0 * f32::from(number), 400.0, 30.0);
            app.world_mut().spawn((RigidBody::Dynamic, Collider::ball(0.5), place, KeepGround::default())).id()
        })
        .collect();
    app.update();
    let held: Vec<Entity> =
        bodies.iter().copied().filter(|&body| app.world().get::<WaitsForGround>(body).is_some()).collect();
    assert!((30..=55).contains(&held.len()), "{} are held", held.len());
    let places: Vec<Vec3> = held.iter().map(|&body| place(&app, body)).collect();
    app.update();
    for (&body, &before) in held.iter().zip(&places) {
        let is_held = app.world().get::<WaitsForGround>(body).is_some();
        assert!(place(&app, body) == before || !is_held);
    }
    settle(&mut app);
    run(&mut app, 0.5);
    for body in bodies {
        assert!(app.world().get::<WaitsForGround>(body).is_none());
        assert!(place(&app, body).y < 400.0, "it falls");
    }
}

#[test]
fn a_body_below_the_ground_is_put_on_top_unless_it_may_be_there() {
    let mut app = app();
    add_terrain(&mut app, flat(), [0.0; 2]);
    start(&mut app);
    let mut spawn = |x: f32, may: bool| {
        let y = ground(&mut app, x, 30.0) - 20.0;
        let body = (
            RigidBody::Dynamic,
            Collider::ball(0.5),
            Transform::from_xyz(x, y, 30.0),
            Velocity::linear(Vec3::new(0.0, -100.0, 0.0)),
            KeepGround::default(),
        );
        let mut body = app.world_mut().spawn(body);
        if may {
            body.insert(MayGoBelow);
        }
        body.id()
    };
    let (kept, free) = (spawn(10.0, false), spawn(40.0, true));
    app.update();
    app.update();
    let at = place(&app, kept);
    assert!((0.4..1.0).contains(&(at.y - ground(&mut app, at.x, at.z))), "{at}");
    assert!(velocity(&app, kept).y > -1.0);
    let at = place(&app, free);
    assert!(at.y < ground(&mut app, at.x, at.z) - 20.0, "{at}");
}
