//! Presses keys and touches a screen without a window, a GPU or a clock.

use crate::Options;
use crate::flight::{self, Autopilot, PRESETS, Start};
use crate::window::camera_plugin;
use bevy::camera_controller::free_camera::FreeCamera;
use bevy::input::touch::{TouchInput, TouchPhase};
use bevy::input::{ButtonState, InputPlugin, keyboard::*};
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_perlin_terrain::inspector::TerrainInspector;
use bevy_perlin_terrain::light::SkySettings;
use bevy_perlin_terrain::prelude::*;
use bevy_perlin_terrain::stream::TerrainPosition;
use clap::Parser;
use std::time::Duration;
use testing::app::{finish, headless_app, pump, pump_until};

/// A flight that stands above its start. Each frame takes 1/50 s, however long it really takes.
fn flight(options: &[&str]) -> App {
    let mut app = headless_app();
    app.add_plugins(InputPlugin)
        .insert_resource(Options::parse_from([&["fly_through"], options].concat()))
        .insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_millis(20)))
        .init_resource::<TerrainInspector>()
        .init_asset::<SkySettings>()
        .add_plugins((OriginShiftPlugin::default(), flight::plugin, camera_plugin));
    finish(&mut app);
    pump_until(&mut app, "the flight stands above its start", has_started);
    app
}

fn has_started(app: &mut App) -> bool {
    app.world_mut().query::<&Start>().iter(app.world()).len() == 0
}

fn camera(app: &mut App) -> Mut<'_, Transform> {
    app.world_mut().query_filtered::<&mut Transform, With<Camera3d>>().single_mut(app.world_mut()).expect("one camera")
}

/// The position of the camera on the terrain, and its height above the ground or the water, in metres.
fn position(
    camera: Single<&Transform, With<Camera3d>>,
    ground: TerrainGround,
    terrain: Single<(&TerrainState, TerrainPosition)>,
) -> Vec3 {
    let (state, position) = &*terrain;
    let at = position.frame().to_terrain(camera.translation).as_vec3();
    let look = &state.settings().expect("the settings are loaded").look;
    let water = if look.water { look.water_height as f32 } else { f32::MIN };
    at.with_y(camera.translation.y - ground.height(camera.translation).expect("the ground is there").max(water))
}

#[test]
fn the_keys_1_to_8_go_to_the_view_of_a_preset() {
    use KeyCode::{Digit1, Digit2, Digit3, Digit4, Digit5, Digit6, Digit7, Digit8};
    let mut app = flight(&[]);
    let keys = [Digit2, Digit3, Digit4, Digit5, Digit6, Digit7, Digit8, Digit1];
    for (key_code, preset) in keys.into_iter().zip(PRESETS.iter().cycle().skip(1)) {
        for state in [ButtonState::Pressed, ButtonState::Released] {
            let (logical_key, window) = (Key::Unidentified(NativeKey::Unidentified), Entity::PLACEHOLDER);
            let key = KeyboardInput { key_code, logical_key, state, text: None, repeat: false, window };
            app.world_mut().write_message(key);
            app.update();
        }
        // The origin of the world shifts between the key and the start.
        camera(&mut app).translation.x += 20_000.0;
        pump_until(&mut app, "the flight stands above its start", has_started);
        let Start([x, z, up, yaw, _]) = preset.start;
        let found = app.world_mut().run_system_cached(position).expect("there is ground");
        assert!(found.distance(Vec3::new(x, up, z)) < 0.05, "{}: {found}", preset.name);
        let (turned, ..) = camera(&mut app).rotation.to_euler(EulerRot::YXZ);
        assert!((turned - yaw.to_radians()).sin().abs() < 1e-3, "{}: {turned}", preset.name);
        assert_eq!(app.world().resource::<Options>().settings, preset.file());
    }
}

#[test]
fn the_autopilot_flies_ahead_above_the_ground() {
    let mut app = flight(&["--frames", "500", "--view", "500"]);
    let start = camera(&mut app).translation;
    pump_until(&mut app, "the flight ends", |app| {
        app.world_mut().query::<&Autopilot>().iter(app.world()).all(|pilot| pilot.0 == 500)
    });
    // 10 s at 60 m/s to the north.
    let way = camera(&mut app).translation - start;
    assert!(way.with_y(0.0).distance(Vec3::NEG_Z * 600.0) < 1.0, "{way}");
    let position = app.world_mut().run_system_cached(position).expect("there is ground");
    assert!((20.0..400.0).contains(&position.y), "{position}");
}

#[test]
fn two_fingers_fly_ahead() {
    let mut app = flight(&[]);
    let start = *camera(&mut app);
    for id in [1, 2] {
        let touch = TouchInput {
            phase: TouchPhase::Started,
            position: Vec2::new(200.0, 400.0),
            window: Entity::PLACEHOLDER,
            force: None,
            id,
        };
        app.world_mut().write_message(touch);
    }
    pump(&mut app, 50);
    let speed = app.world_mut().query::<&FreeCamera>().single(app.world()).expect("one camera").walk_speed;
    let expected = start.translation + start.forward() * speed;
    assert!(camera(&mut app).translation.distance(expected) < 0.1);
}
