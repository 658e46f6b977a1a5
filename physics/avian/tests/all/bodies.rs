//! Nothing falls through the ground.

use crate::common::*;
use avian3d::prelude::*;
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_perlin_terrain::prelude::*;
use bevy_perlin_terrain_avian::MayGoBelow;
use std::time::Duration;

/// The radius of a ball, in metres.
const RADIUS: f32 = 0.5;

/// Bodies on the corners and borders of squares, 100 of them, a metre above the ground.
fn add_bodies(app: &mut App) -> Vec<Entity> {
    (0..100_u8)
        .map(|number| {
            let [x, z] = [number % 10, number / 10].map(|i| f32::from(i) * SIZE / 4.0 - 2.0 * SIZE);
            let y = ground(app, x, z) + 1.5;
            let shape = if number % 2 == 0 { Collider::sphere(0.5) } else { Collider::capsule(0.3, 0.8) };
            let body =
                (RigidBody::Dynamic, shape, Transform::from_xyz(x, y, z), KeepGround { radius: 16.0, ..default() });
            app.world_mut().spawn(body).id()
        })
        .collect()
}

/// Whether the ground beside a ball that lies at `at` is lower, so that it would roll on if nothing caught it.
fn is_caught(app: &mut App, at: Vec3) -> bool {
    // The height of the center of a ball that lies on the ground there: it touches the highest place below it.
    let mut lies = |x: f32, z: f32| {
        let places = (-10..=10).flat_map(|i| (-10..=10).map(move |j| [i, j].map(|i| i as f32 / 20.0)));
        let above = places.filter(|[dx, dz]| dx.hypot(*dz) <= RADIUS);
        above
            .map(|[dx, dz]| ground(app, x + dx, z + dz) + (RADIUS * RADIUS - dx * dx - dz * dz).sqrt())
            .fold(f32::NEG_INFINITY, f32::max)
    };
    let here = lies(at.x, at.z);
    // By more than a slope of 1 in 10.
    let mut sides = (0..8_u8).map(|side| 0.1 * Vec2::from_angle(f32::from(side) * std::f32::consts::FRAC_PI_4));
    sides.any(|side| lies(at.x + side.x, at.z + side.y) < here - 0.01)
}

fn roll(seconds: f32, origin: [f64; 2]) {
    let mut app = app();
    add_terrain(&mut app, rough(), origin);
    start(&mut app);
    let bodies = add_bodies(&mut app);
    // For how many ticks each body lies still.
    let mut still = vec![0_u32; bodies.len()];
    let (mut lowest, mut rests) = (f32::INFINITY, 0);
    for _ in 0..(seconds * HZ as f32) as u32 {
        app.update();
        let places: Vec<Vec3> = bodies.iter().map(|&body| place(&app, body)).collect();
        for (number, (&body, &at)) in bodies.iter().zip(&places).enumerate() {
            let above = at.y - ground(&mut app, at.x, at.z);
            assert!(above > -0.01, "{body} is {above} m above the ground at {at} and {origin:?}");
            lowest = lowest.min(above);
            still[number] = if velocity(&app, body).length() < 0.05 { still[number] + 1 } else { 0 };
            // A second is long enough: gravity pulls a ball out of the way within a tenth.
            let is_ball = number % 2 == 0;
            let is_alone = places.iter().filter(|place| place.distance(at) < 2.0).count() == 1;
            if still[number] == HZ && is_ball && is_alone {
                rests += 1;
                assert!(!is_caught(&mut app, at), "{body} lies on a slope at {at} and {origin:?}");
            }
        }
    }
    let moved = bodies.iter().filter(|&&body| velocity(&app, body).length() > 0.5).count();
    println!(
        "{origin:?}: {moved} of 100 still move after {seconds} s; the lowest was {lowest} m above the ground; balls came to rest \
         {rests} times, none on a slope"
    );
}

#[test]
fn a_hundred_bodies_on_borders_and_slopes_stay_above_the_ground_and_none_is_caught() {
    for origin in [[0.0, 0.0], [1e9, -1e6]] {
        roll(4.0, origin);
    }
}

#[test]
#[ignore = "ten minutes of simulated time; .ci/physics runs it"]
fn a_hundred_bodies_stay_above_the_ground_for_ten_minutes_and_none_is_caught() {
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
        Collider::capsule(0.3, 0.8),
        LockedAxes::ROTATION_LOCKED,
        Friction::new(2.0),
        Transform::from_xyz(0.0, 200.0, 0.0),
        KeepGround::default(),
    ));
    let body = body.id();
    start(&mut app);
    for [x, z] in [[50_000.0, 0.0], [50_000.0, -50_000.0], [3.0, 4.0]] {
        let y = ground(&mut app, x, z) + 0.75;
        teleport(&mut app, body, Vec3::new(x, y, z));
        app.world_mut().get_mut::<LinearVelocity>(body).expect("a body").0 = Vec3::ZERO;
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
            app.world_mut().spawn((RigidBody::Dynamic, Collider::sphere(0.5), place, KeepGround::default())).id()
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
            Collider::sphere(0.5),
            Transform::from_xyz(x, y, 30.0),
            LinearVelocity(Vec3::new(0.0, -100.0, 0.0)),
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

#[test]
fn an_interpolated_body_is_never_drawn_on_its_way_from_below_the_ground() {
    let mut app = app();
    add_terrain(&mut app, flat(), [0.0; 2]);
    start(&mut app);
    // Four frames for each tick.
    app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs(1) / (4 * HZ)));
    let body = (
        RigidBody::Dynamic,
        Collider::sphere(0.5),
        Transform::from_xyz(10.0, -980.0, 30.0),
        KeepGround::default(),
        TransformInterpolation,
    );
    let body = app.world_mut().spawn(body).id();
    let mut drawn = vec![];
    for _ in 0..40 {
        app.update();
        drawn.push(app.world().get::<Transform>(body).expect("a body").translation.y);
    }
    assert!((20.4..20.6).contains(&drawn[39]), "{drawn:?}");
    assert!(drawn.iter().all(|y| *y == -980.0 || *y > 20.3), "{drawn:?}");
}

#[test]
fn what_becomes_a_body_while_it_waits_is_held_too() {
    let mut app = app();
    let handle = app.world().resource::<Assets<TerrainSettings>>().reserve_handle();
    let start_at = Vec3::new(5.0, 300.0, 5.0);
    start(&mut app);
    app.world_mut().spawn(Terrain(handle.clone()));
    let player = app.world_mut().spawn((Transform::from_translation(start_at), KeepGround::default())).id();
    run(&mut app, 0.2);
    assert!(app.world().get::<WaitsForGround>(player).is_some());
    // Its model is loaded before its ground.
    app.world_mut().entity_mut(player).insert((RigidBody::Dynamic, Collider::sphere(0.5)));
    run(&mut app, 2.0);
    assert!(app.world().get::<WaitsForGround>(player).is_some());
    let fallen = start_at.y - place(&app, player).y;
    assert!(fallen.abs() < 0.01, "it fell {fallen} m while it waited");
    app.world_mut().resource_mut::<Assets<TerrainSettings>>().insert(&handle, flat()).expect("the handle is reserved");
    settle(&mut app);
    run(&mut app, 0.5);
    assert!(place(&app, player).y < start_at.y - 0.5, "it falls");
}
