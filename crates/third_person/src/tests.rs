//! Plays the game without a window, a GPU or a clock.

use crate::camera::{CLEARANCE, FollowCamera, target};
use crate::look::loading;
use crate::{Crate, START};
use avian3d::prelude::*;
use bevy::ecs::system::RunSystemOnce;
use bevy::input::InputPlugin;
use bevy::input::mouse::{MouseMotion, MouseScrollUnit, MouseWheel};
use bevy::input::touch::TouchPhase;
use bevy::math::DVec3;
use bevy::prelude::*;
use bevy_perlin_terrain::plants::PlantCollider;
use bevy_perlin_terrain::prelude::*;
use bevy_perlin_terrain::stream::WorldOrigin;
use bevy_perlin_terrain_avian::walk::{RADIUS, Walk};
use std::f32::consts::{FRAC_PI_2, PI, TAU};
use testing::app::{finish, pump, pump_until, with_manual_clock};

/// A game before its first frame.
fn new_game() -> App {
    let mut app = with_manual_clock(App::new());
    app.add_plugins((
        MinimalPlugins,
        TransformPlugin,
        InputPlugin,
        crate::assets(),
        TerrainMinimalPlugins,
        crate::game,
    ));
    finish(&mut app);
    app
}

/// A game in which the character stands on the ground.
fn game() -> App {
    let mut app = new_game();
    stand(&mut app);
    app
}

/// Runs until all bodies have ground, and for a second.
fn stand(app: &mut App) {
    pump_until(app, "all bodies have ground", |app| {
        let is_there = character(app).translation.y > START.y / 2.0;
        let mut waiting = app.world_mut().query_filtered::<(), With<WaitsForGround>>();
        is_there && waiting.iter(app.world()).next().is_none()
    });
    pump(app, 60);
}

fn character(app: &mut App) -> Transform {
    *app.world_mut().query_filtered::<&Transform, With<Walk>>().single(app.world()).expect("one character")
}

/// Teleports the character.
fn teleport(app: &mut App, x: f32, z: f32) {
    let mut characters = app.world_mut().query_filtered::<&mut Transform, With<Walk>>();
    let mut character = characters.single_mut(app.world_mut()).expect("one character");
    character.translation = Vec3::new(x, START.y, z);
}

/// Puts the character on the ground elsewhere.
fn go(app: &mut App, x: f32, z: f32) {
    teleport(app, x, z);
    stand(app);
}

fn camera(app: &mut App) -> Mut<'_, FollowCamera> {
    app.world_mut().query::<&mut FollowCamera>().single_mut(app.world_mut()).expect("one camera")
}

/// Where the camera is.
fn eye(app: &mut App) -> Transform {
    *app.world_mut().query_filtered::<&Transform, With<FollowCamera>>().single(app.world()).expect("one camera")
}

fn keys(app: &mut App) -> Mut<'_, ButtonInput<KeyCode>> {
    app.world_mut().resource_mut()
}

/// How far the character comes in a second while it presses these keys.
fn walk(app: &mut App, pressed: &[KeyCode]) -> Vec3 {
    let start = character(app).translation;
    pressed.iter().for_each(|&key| keys(app).press(key));
    pump(app, 60);
    keys(app).release_all();
    let way = character(app).translation - start;
    pump(app, 30);
    way
}

#[test]
fn the_camera_stays_above_the_ground_and_sees_the_character_while_it_is_turned_around_it() {
    let mut app = game();
    let mut near_a_hill = 0;
    for (x, z) in [(START.x, START.z), (17.0, -1153.0), (350.0, 420.0), (-1500.0, 800.0), (0.0, 0.0)] {
        go(&mut app, x, z);
        for turn in 0..16_u8 {
            for (pitch, distance) in [(-1.2, 6.0), (-0.15, 40.0), (0.7, 15.0)] {
                *camera(&mut app) = FollowCamera { yaw: TAU / 16.0 * f32::from(turn), pitch, distance };
                app.update();
                let (eye, head) = (eye(&mut app), target(&character(&mut app)));
                let ask = move |ground: TerrainGround| {
                    (ground.height(eye.translation), ground.line_of_sight(eye.translation, head))
                };
                let (height, sees) = app.world_mut().run_system_once(ask).expect("it runs");
                let above = eye.translation.y - height.expect("a ground");
                assert!(above > CLEARANCE - 0.01, "{above} m above the ground, at {x} {z}, turn {turn}, {pitch}");
                assert_eq!(sees, Ok(true), "at {x} {z}, turn {turn}, {pitch}");
                assert!(eye.forward().dot((head - eye.translation).normalize()) > 0.999);
                near_a_hill += u32::from(eye.translation.distance(head) < 0.9 * distance);
            }
        }
    }
    assert!(near_a_hill > 20, "{near_a_hill} of 240 views had a hill in the way");
}

#[test]
fn the_camera_stays_in_front_of_a_crate() {
    let mut app = game();
    *camera(&mut app) = FollowCamera { yaw: 0.0, pitch: -0.8, distance: 10.0 };
    app.update();
    let (from, head) = (eye(&mut app), target(&character(&mut app)));
    assert!((from.translation.distance(head) - 10.0).abs() < 0.01);
    let mut crates = app.world_mut().query_filtered::<Entity, With<Crate>>();
    let between = crates.iter(app.world()).next().expect("crates");
    let halfway = Transform::from_translation(head.midpoint(from.translation));
    app.world_mut().entity_mut(between).insert((RigidBody::Static, halfway));
    pump(&mut app, 3);
    let now = eye(&mut app).translation.distance(head);
    // Up to half the diagonal of the crate before its center.
    assert!((4.3..4.61).contains(&now), "the crate is 5 m away, the camera {now} m");
}

#[test]
fn the_loading_text_counts_until_the_ground_is_ready_and_stays_away_then() {
    let mut app = new_game();
    app.update();
    let mut texts = vec![];
    for _ in 0..20_000 {
        let Some(text) = app.world_mut().run_system_cached(loading).expect("it runs") else { break };
        texts.push(text);
        app.update();
        std::thread::yield_now();
    }
    texts.dedup();
    assert!(texts.len() > 1 && texts[0] == "Loading 0 %", "{texts:?}");
    teleport(&mut app, 40_000.0, 0.0);
    for _ in 0..10 {
        app.update();
        assert_eq!(app.world_mut().run_system_cached(loading).expect("it runs"), None);
    }
}

#[test]
fn keys_move_the_character_relative_to_the_camera() {
    let mut app = game();
    for yaw in [0.0_f32, FRAC_PI_2, PI, 4.0] {
        camera(&mut app).yaw = yaw;
        let heading = Vec3::new(-yaw.sin(), 0.0, -yaw.cos());
        let right = Vec3::new(yaw.cos(), 0.0, -yaw.sin());
        for (key, to) in
            [(KeyCode::KeyW, heading), (KeyCode::KeyS, -heading), (KeyCode::KeyD, right), (KeyCode::KeyA, -right)]
        {
            let way = walk(&mut app, &[key]).with_y(0.0);
            assert!(way.dot(to) > 3.0 && way.dot(to) > 0.99 * way.length(), "{way} for {key:?} and {yaw}");
            let faces = character(&mut app).forward().dot(to);
            assert!(faces > 0.99, "it looks {faces} along its way");
        }
    }
    let walked = walk(&mut app, &[KeyCode::KeyW]).length();
    let ran = walk(&mut app, &[KeyCode::KeyS, KeyCode::ShiftLeft]).length();
    assert!(ran > 2.0 * walked, "it walked {walked} m and ran {ran} m");
}

#[test]
fn trunks_stop_the_character() {
    let mut app = game();
    let terrain = app.world_mut().query_filtered::<Entity, With<Terrain>>().single(app.world()).expect("one terrain");
    let find = move |plants: TerrainPlants| {
        let corners = [-1.0, 1.0].map(|side| START + side * Vec3::new(800.0, 0.0, 800.0));
        plants.colliders_in(terrain, corners).expect("the ground is loaded")
    };
    let mut trunks = app.world_mut().run_system_once(find).expect("it runs");
    trunks.retain(|plant| matches!(plant.collider, Some(PlantCollider::Capsule { .. })));
    assert!(trunks.len() > 20, "{} trunks", trunks.len());
    let mut bumps = 0;
    for trunk in trunks.iter().take(6) {
        let place = trunk.transform.translation;
        let away = |app: &mut App| character(app).translation.xz().distance(place.xz());
        let mut characters = app.world_mut().query_filtered::<&mut Transform, With<Walk>>();
        characters.single_mut(app.world_mut()).expect("one character").translation = place + Vec3::new(0.0, 2.5, 4.0);
        stand(&mut app);
        camera(&mut app).yaw = 0.0;
        keys(&mut app).press(KeyCode::KeyW);
        let mut nearest = f32::INFINITY;
        for _ in 0..150 {
            app.update();
            nearest = nearest.min(away(&mut app));
        }
        keys(&mut app).release_all();
        let radius = trunk.collider.expect("a trunk").radius() + RADIUS;
        assert!(nearest > 0.9 * radius, "it came to {nearest} m from the middle of a trunk");
        // Another trunk or a slope may be in the way.
        bumps += u8::from(nearest < radius + 0.3);
    }
    assert!(bumps >= 3, "{bumps} of 6 trunks were reached");
}

#[test]
fn space_jumps_once() {
    let mut app = game();
    let start = character(&mut app).translation.y;
    keys(&mut app).press(KeyCode::Space);
    pump(&mut app, 6);
    keys(&mut app).release(KeyCode::Space);
    let heights: Vec<f32> = (0..90)
        .map(|_| {
            app.update();
            character(&mut app).translation.y - start
        })
        .collect();
    let highest = heights.iter().copied().fold(0.0, f32::max);
    assert!((0.8..1.3).contains(&highest), "{highest} m");
    assert!(heights[80..].iter().all(|height| height.abs() < 0.05), "{heights:?}");
}

#[test]
fn the_mouse_turns_the_camera_while_a_button_is_pressed_and_the_wheel_changes_its_distance() {
    let mut app = game();
    // From above, so that no hill is in the way.
    camera(&mut app).pitch = -0.8;
    let drag = |app: &mut App| {
        let before = camera(app).yaw;
        app.world_mut().write_message(MouseMotion { delta: Vec2::new(100.0, 0.0) });
        app.update();
        camera(app).yaw - before
    };
    assert_eq!(drag(&mut app), 0.0);
    app.world_mut().resource_mut::<ButtonInput<MouseButton>>().press(MouseButton::Right);
    assert!((-1.0..-0.2).contains(&drag(&mut app)));
    let before = camera(&mut app).distance;
    let wheel = MouseWheel {
        unit: MouseScrollUnit::Line,
        x: 0.0,
        y: 2.0,
        window: Entity::PLACEHOLDER,
        phase: TouchPhase::Moved,
    };
    app.world_mut().write_message(wheel);
    app.update();
    let (after, head) = (camera(&mut app).distance, target(&character(&mut app)));
    assert!(after < 0.9 * before, "from {before} to {after}");
    assert!((eye(&mut app).translation.distance(head) - after).abs() < 0.01);
}

#[test]
fn after_an_origin_shift_the_camera_is_where_it_was_relative_to_the_character() {
    let mut app = game();
    go(&mut app, 4090.0, -900.0);
    *camera(&mut app) = FollowCamera { yaw: -FRAC_PI_2, pitch: -0.8, distance: 10.0 };
    keys(&mut app).press(KeyCode::KeyW);
    keys(&mut app).press(KeyCode::ShiftLeft);
    pump(&mut app, 10);
    let look = |app: &mut App| {
        let origin = app.world().resource::<WorldOrigin>().0;
        let character = character(app).translation;
        (origin, origin + character.as_dvec3(), eye(app).translation - character)
    };
    let mut last = look(&mut app);
    let mut shifts = 0;
    for _ in 0..180 {
        app.update();
        let now = look(&mut app);
        // At most 12 m/s and a step of the ground; the precision of `f32` at 4 km.
        assert!(now.1.distance(last.1) < 0.4, "the character leaps from {} to {}", last.1, now.1);
        assert!(now.2.distance(last.2) < 1e-3, "the camera leaps from {} to {}", last.2, now.2);
        shifts += u32::from(now.0 != last.0);
        last = now;
    }
    assert!(shifts == 1 && last.1.x > 4100.0, "{shifts} shifts, at {}", last.1);
    assert_ne!(last.0, DVec3::ZERO);
}

#[test]
fn the_character_pushes_crates() {
    let mut app = game();
    let mut crates = app.world_mut().query_filtered::<(Entity, &Transform), With<Crate>>();
    let (pushed, position) =
        crates.iter(app.world()).next().map(|(pushed, at)| (pushed, at.translation)).expect("crates");
    let to = position - character(&mut app).translation;
    camera(&mut app).yaw = (-to.x).atan2(-to.z);
    walk(&mut app, &[KeyCode::KeyW]);
    walk(&mut app, &[KeyCode::KeyW]);
    let way = app.world().get::<Transform>(pushed).expect("a crate").translation - position;
    assert!(way.with_y(0.0).dot(to.with_y(0.0).normalize()) > 1.0, "it was pushed by {way}");
}
