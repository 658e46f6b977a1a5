//! Nothing falls through the ground.

use super::*;
use crate::app::add_terrain_at;
use bevy_perlin_terrain::field::{
    EditChange, EditCircle, EditHeight, EditHill, EditShape, HillShape, Raise, TerrainEdit,
};
use bevy_perlin_terrain::prelude::*;

/// The side of a tile of [`rough`], in metres.
const SIZE: f32 = 64.0;

/// The radius of [`BALL`].
const RADIUS: f32 = 0.5;

/// Bodies on the corners and borders of tiles, 100 of them, a metre above the ground.
fn add_bodies<E: Engine>(app: &mut App) -> Vec<Entity> {
    (0..100_u8)
        .map(|number| {
            let [x, z] = [number % 10, number / 10].map(|i| f32::from(i) * SIZE / 4.0 - 2.0 * SIZE);
            let y = ground(app, x, z) + 1.5;
            let body = E::body(if number % 2 == 0 { BALL } else { PERSON });
            let place = (Transform::from_xyz(x, y, z), KeepGround { radius: 16.0, ..default() });
            app.world_mut().spawn((body, E::motion(Vec3::ZERO, Vec3::ZERO), place)).id()
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

fn roll<E: Engine>(seconds: f32, origin: [f64; 2]) {
    let mut app = app::<E>();
    add_terrain_at(&mut app, rough(), origin);
    start(&mut app);
    let bodies = add_bodies::<E>(&mut app);
    // For how many ticks each body lies still.
    let mut still = vec![0_u32; bodies.len()];
    let (mut lowest, mut rests) = (f32::INFINITY, 0);
    for _ in 0..(seconds * HZ as f32) as u32 {
        app.update();
        let places: Vec<Vec3> = bodies.iter().map(|&body| E::place(&app, body)).collect();
        for (number, (&body, &at)) in bodies.iter().zip(&places).enumerate() {
            let above = above_ground::<E>(&mut app, body);
            assert!(above > -0.01, "{body} is {above} m above the ground at {at} and {origin:?}");
            lowest = lowest.min(above);
            still[number] = if E::velocity(&app, body).length() < 0.05 { still[number] + 1 } else { 0 };
            // A second is long enough: gravity pulls a ball out of the way within a tenth.
            let is_ball = number % 2 == 0;
            let is_alone = places.iter().filter(|place| place.distance(at) < 2.0).count() == 1;
            if still[number] == HZ && is_ball && is_alone {
                rests += 1;
                assert!(!is_caught(&mut app, at), "{body} lies on a slope at {at} and {origin:?}");
            }
        }
    }
    let moved = bodies.iter().filter(|&&body| E::velocity(&app, body).length() > 0.5).count();
    println!(
        "{origin:?}: {moved} of 100 still move after {seconds} s; the lowest was {lowest} m above the ground; balls came to rest \
         {rests} times, none on a slope"
    );
}

pub fn a_hundred_bodies_on_borders_and_slopes_stay_above_the_ground_and_none_is_caught<E: Engine>() {
    for origin in [[0.0, 0.0], [1e9, -1e6]] {
        roll::<E>(4.0, origin);
    }
}

pub fn a_hundred_bodies_stay_above_the_ground_for_ten_minutes_and_none_is_caught<E: Engine>() {
    for origin in [[0.0, 0.0], [1e6, 1e6], [1e9, -1e9]] {
        roll::<E>(600.0, origin);
    }
}

pub fn a_body_that_teleports_stands_in_the_first_frame<E: Engine>() {
    for mut app in E::WAYS.iter().map(app_with) {
        add_terrain_at(&mut app, rough(), [0.0; 2]);
        let still = || E::motion(Vec3::ZERO, Vec3::ZERO);
        let body = (E::body(PERSON), E::upright(), E::friction(2.0), still());
        let body = app.world_mut().spawn((body, Transform::from_xyz(0.0, 200.0, 0.0), KeepGround::default())).id();
        start(&mut app);
        for [x, z] in [[50_000.0, 0.0], [50_000.0, -50_000.0], [3.0, 4.0]] {
            let y = ground(&mut app, x, z) + 0.75;
            teleport(&mut app, body, Vec3::new(x, y, z));
            app.world_mut().entity_mut(body).insert(still());
            for _ in 0..30 {
                app.update();
                let above = above_ground::<E>(&mut app, body);
                assert!((0.6..0.9).contains(&above), "{above} m above the ground at {}", E::place(&app, body));
            }
        }
    }
}

pub fn bodies_without_ground_are_held_and_then_let_go_with_their_velocity<E: Engine>() {
    for mut app in E::WAYS.iter().map(app_with) {
        add_terrain_at(&mut app, rough(), [0.0; 2]);
        start(&mut app);
        let bodies: Vec<Entity> = (0..60_u8)
            .map(|number| {
                let place = Transform::from_xyz(1000.0 * f32::from(number), 400.0, 30.0);
                let body = (E::body(BALL), E::motion(Vec3::Z * 3.0, Vec3::ZERO));
                app.world_mut().spawn((body, place, KeepGround::default())).id()
            })
            .collect();
        app.world_mut().entity_mut(bodies[59]).insert(E::disabled());
        app.update();
        let held: Vec<Entity> = bodies.iter().copied().filter(|&body| waits(&app, body)).collect();
        assert!((30..=55).contains(&held.len()) && held.contains(&bodies[59]), "{} are held", held.len());
        let places: Vec<Vec3> = held.iter().map(|&body| E::place(&app, body)).collect();
        app.update();
        for (&body, &before) in held.iter().zip(&places) {
            assert!(E::place(&app, body) == before || !waits(&app, body));
        }
        wait_for_ground(&mut app);
        run(&mut app, 0.5);
        for &body in &bodies[..59] {
            assert!(!waits(&app, body));
            assert!(E::place(&app, body).y < 400.0, "it falls");
            let velocity = E::velocity(&app, body);
            assert!((velocity.z - 3.0).abs() < 1e-3, "it flies on: {velocity}");
        }
        assert_eq!(E::place(&app, bodies[59]).y, 400.0, "it stays disabled");
    }
}

pub fn a_body_below_the_ground_is_put_on_top_unless_it_may_be_there<E: Engine>() {
    for mut app in E::WAYS.iter().map(app_with) {
        add_terrain_at(&mut app, flat(), [0.0; 2]);
        start(&mut app);
        let [kept, free] = [10.0, 40.0].map(|x| {
            let y = ground(&mut app, x, 30.0) - 20.0;
            let body = (E::body(BALL), E::motion(Vec3::NEG_Y * 100.0, Vec3::ZERO));
            app.world_mut().spawn((body, Transform::from_xyz(x, y, 30.0), KeepGround::default())).id()
        });
        app.world_mut().entity_mut(free).insert(E::may_go_below());
        for _ in 0..2 {
            app.update();
            let above = above_ground::<E>(&mut app, kept);
            assert!((0.4..1.0).contains(&above), "{above} m above the ground");
            assert!(E::velocity(&app, kept).y > -1.0, "{}", E::velocity(&app, kept));
        }
        let above = above_ground::<E>(&mut app, free);
        assert!(above < -20.0, "{above} m above the ground");
    }
}

/// Edits the ground around a place.
fn edit_ground(app: &mut App, id: u64, [x, z]: [f32; 2], radius: f64, change: EditChange) {
    let mut terrains = app.world_mut().query::<(&mut TerrainEdits, &TerrainOrigin)>();
    let (mut edits, origin) = terrains.single_mut(app.world_mut()).expect("one terrain");
    let (x, z) = (origin.x() + f64::from(x), origin.z() + f64::from(z));
    let shape = EditShape::Circle(EditCircle { x, z, radius });
    let edit = TerrainEdit { shape, change, fade: 2.0, ..TerrainEdit::default() };
    edits.set(id, edit).expect("the edit is allowed");
}

/// Asserts that a crate of a metre lies on the ground.
#[track_caller]
fn assert_lies<E: Engine>(app: &mut App, body: Entity) {
    let above = above_ground::<E>(app, body);
    assert!((0.45..0.9).contains(&above), "{above} m above the ground, {}", E::place(app, body));
}

pub fn sleeping_bodies_follow_the_ground_that_is_edited<E: Engine>() {
    for origin in [[0.0, 0.0], [1e8, -1e8]] {
        let mut app = app::<E>();
        add_terrain_at(&mut app, flat(), origin);
        start(&mut app);
        // The last one lies on the border of two tiles.
        let places = [[10.0, 10.0], [40.0, 10.0], [10.0, 50.0], [64.0, 30.0]];
        let bodies = places.map(|[x, z]| {
            let y = ground(&mut app, x, z) + 0.5;
            let body = (E::body(Shape::Cube { side: 1.0 }), E::motion(Vec3::ZERO, Vec3::ZERO), KeepGround::default());
            app.world_mut().spawn((body, Transform::from_xyz(x, y, z))).id()
        });
        run(&mut app, 4.0);
        assert!(bodies.iter().all(|&body| E::sleeps(&app, body)), "crates on level ground fall asleep");
        let before = bodies.map(|body| E::place(&app, body).y);
        let lower = EditChange::Raise(Raise { height: -4.0 });
        edit_ground(&mut app, 0, places[0], 6.0, lower.clone());
        edit_ground(&mut app, 1, places[1], 6.0, EditChange::Flatten(EditHeight::above_ground(3.0)));
        edit_ground(&mut app, 3, places[3], 6.0, lower);
        run(&mut app, 3.0);
        let moved = |app: &App| [0, 1, 2, 3].map(|index| (E::place(app, bodies[index]).y - before[index]).round());
        assert_eq!(moved(&app), [-4.0, 3.0, 0.0, -4.0], "at {origin:?}");
        bodies.into_iter().for_each(|body| assert_lies::<E>(&mut app, body));
    }
}

pub fn none_falls_through_ground_that_is_edited_a_thousand_times<E: Engine>() {
    let mut app = app::<E>();
    add_terrain_at(&mut app, rough(), [0.0; 2]);
    start(&mut app);
    let bodies = add_bodies::<E>(&mut app);
    for frame in 0..1000_usize {
        // Every third one is where a body is, and some replace others.
        let at = E::place(&app, bodies[frame * 7 % bodies.len()]);
        let offset = if frame.is_multiple_of(3) { 0.0 } else { 3.0 };
        let change = match frame % 4 {
            0 | 1 => EditChange::Hill(EditHill { shape: HillShape::Dome, height: -1.5 }),
            2 => EditChange::Flatten(EditHeight::above_ground(-1.0)),
            _ => EditChange::Raise(Raise { height: 1.0 }),
        };
        edit_ground(&mut app, frame as u64 % 300, [at.x + offset, at.z], 2.0 + (frame % 5) as f64, change);
        // Engines may step before the ground is edited. Then the next step puts bodies on top of ground that has risen.
        run(&mut app, 2.0 / HZ as f32);
        for &body in &bodies {
            let above = above_ground::<E>(&mut app, body);
            assert!(above > -0.01, "{body} is {above} m above the ground after {frame} edits");
        }
    }
}

pub fn what_becomes_a_body_while_it_waits_is_held_too<E: Engine>() {
    let mut app = app::<E>();
    let handle = app.world().resource::<Assets<TerrainSettings>>().reserve_handle();
    let start_at = Vec3::new(5.0, 300.0, 5.0);
    start(&mut app);
    app.world_mut().spawn(Terrain(handle.clone()));
    let player = app.world_mut().spawn((Transform::from_translation(start_at), KeepGround::default())).id();
    run(&mut app, 0.2);
    assert!(waits(&app, player));
    // Its model is loaded before its ground.
    app.world_mut().entity_mut(player).insert((E::body(BALL), E::motion(Vec3::ZERO, Vec3::ZERO)));
    run(&mut app, 2.0);
    assert!(waits(&app, player));
    let fallen = start_at.y - E::place(&app, player).y;
    assert!(fallen.abs() < 0.01, "it fell {fallen} m while it waited");
    app.world_mut().resource_mut::<Assets<TerrainSettings>>().insert(&handle, flat()).expect("the handle is reserved");
    wait_for_ground(&mut app);
    run(&mut app, 0.5);
    assert!(E::place(&app, player).y < start_at.y - 0.5, "it falls");
}
