//! Presses keys and touches a screen without a window, a GPU or a clock.

use crate::options::Options;
use crate::picture::Photographer;

use crate::shot::surface;
use crate::tour::{Opening, PRESETS};
use crate::window::controls;
use bevy::camera::RenderTarget;
use bevy::camera_controller::free_camera::FreeCamera;
use bevy::input::ButtonState;
use bevy::input::InputPlugin;
use bevy::input::keyboard::{Key, KeyboardInput};
use bevy::input::touch::{TouchInput, TouchPhase};
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_perlin_terrain::inspector::TerrainInspector;
use bevy_perlin_terrain::light::{SkySettings, Sun};
use bevy_perlin_terrain::prelude::*;
use bevy_perlin_terrain::stream::{TerrainPlace, WorldOrigin};
use clap::Parser;
use std::time::Duration;

/// A flight that stands above its start. Each frame takes 1/50 s, however long it really takes.
fn flight(options: &[&str]) -> App {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin, AssetPlugin::default(), InputPlugin, TerrainMinimalPlugins))
        .insert_resource(Options::parse_from([&["fly_through"], options].concat()))
        .insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_millis(20)))
        .init_resource::<TerrainInspector>()
        .init_asset::<Image>()
        .init_asset::<SkySettings>()
        .add_plugins((OriginShiftPlugin::default(), controls));
    app.finish();
    app.cleanup();
    pump_until(&mut app, is_above_ground);
    app
}

/// Runs frames until `condition` holds. Files are read in tasks, so the number of frames is not known.
fn pump_until(app: &mut App, condition: impl Fn(&mut App) -> bool) {
    for _ in 0..20_000 {
        app.update();
        if condition(app) {
            return;
        }
        std::thread::yield_now();
    }
    panic!("it takes too long: {:?}", app.world().resource::<TerrainStats>());
}

fn is_above_ground(app: &mut App) -> bool {
    let mut starting = app.world_mut().query_filtered::<(), With<crate::scene::StartAboveGround>>();
    starting.iter(app.world()).len() == 0
}

fn camera(app: &mut App) -> Transform {
    *app.world_mut().query_filtered::<&Transform, With<FreeCamera>>().single(app.world()).expect("one camera")
}

/// The position of the camera on the terrain, in metres.
fn place(app: &mut App) -> [f64; 2] {
    let at = camera(app).translation;
    let mut terrains = app.world_mut().query::<TerrainPlace>();
    let place = terrains.single(app.world()).expect("one terrain").frame().to_terrain(at);
    [place.x, place.z]
}

/// Presses or releases a key, and runs a frame.
fn key(app: &mut App, key_code: KeyCode, state: ButtonState) {
    let logical_key = Key::Unidentified(bevy::input::keyboard::NativeKey::Unidentified);
    let window = Entity::PLACEHOLDER;
    app.world_mut().write_message(KeyboardInput { key_code, logical_key, state, text: None, repeat: false, window });
    app.update();
}

fn tap(app: &mut App, code: KeyCode) {
    key(app, code, ButtonState::Pressed);
    key(app, code, ButtonState::Released);
}

/// Moves fingers, and runs a frame.
fn touch(app: &mut App, phase: TouchPhase, fingers: &[(u64, [f32; 2])]) {
    for &(id, position) in fingers {
        let touch = TouchInput { phase, position: position.into(), window: Entity::PLACEHOLDER, force: None, id };
        app.world_mut().write_message(touch);
    }
    app.update();
}

#[track_caller]
fn assert_near(found: [f64; 2], expected: [f64; 2]) {
    let gap = (found[0] - expected[0]).hypot(found[1] - expected[1]);
    assert!(gap < 0.01, "at {found:?}, expected: {expected:?}");
}

#[test]
fn the_keys_1_to_8_go_to_the_view_of_a_preset() {
    use KeyCode::{Digit1, Digit2, Digit3, Digit4, Digit5, Digit6, Digit7, Digit8};
    let mut app = flight(&["--camera", "0,100,0,0,0"]);
    let keys = [Digit2, Digit3, Digit4, Digit5, Digit6, Digit7, Digit8, Digit1];
    for (code, preset) in keys.into_iter().zip(PRESETS.iter().cycle().skip(1)) {
        tap(&mut app, code);
        assert_eq!(app.world().resource::<Options>().settings, preset.settings);
        pump_until(&mut app, is_above_ground);
        let [x, up, z, yaw, _] = preset.camera;
        assert_near(place(&mut app), [x.into(), z.into()]);
        let at = camera(&mut app);
        let (found, ..) = at.rotation.to_euler(EulerRot::YXZ);
        assert!((found - yaw.to_radians()).sin().abs() < 1e-3, "{}: it looks {found}", preset.settings);
        let height = app.world_mut().run_system_cached_with(height, at.translation).expect("the system runs");
        let above = at.translation.y - height.expect("the ground is loaded");
        assert!((above - up).abs() < 0.01, "{}: {above} m above the ground", preset.settings);
        let mut viewers = app.world_mut().query::<&TerrainViewer>();
        assert_eq!(viewers.single(app.world()).expect("one viewer").view_distance, preset.view);
    }
}

/// The height of the ground or of the water above it.
fn height(In(place): In<Vec3>, ground: TerrainGround, terrain: Single<&TerrainState>) -> Option<f32> {
    ground.height(place).map(|height| surface(&terrain, height))
}

#[test]
fn a_start_beyond_a_shift_of_the_origin_is_at_its_place_on_the_terrain() {
    let mut app = flight(&["--camera", "9000,50,-300,0,0", "--origin", "1e6,-2e6"]);
    assert_near(place(&mut app), [1_009_000.0, -2_000_300.0]);
    app.update();
    assert_ne!(app.world().resource::<WorldOrigin>().0.x, 0.0);
    assert_near(place(&mut app), [1_009_000.0, -2_000_300.0]);
    // The origin shifts between the key and the start.
    key(&mut app, KeyCode::Digit3, ButtonState::Pressed);
    let mut cameras = app.world_mut().query_filtered::<&mut Transform, With<FreeCamera>>();
    cameras.single_mut(app.world_mut()).expect("one camera").translation.x += 20_000.0;
    pump_until(&mut app, is_above_ground);
    let [x, _, z, ..] = PRESETS[2].camera;
    assert_near(place(&mut app), [x.into(), z.into()]);
}

#[test]
fn time_passes_while_t_is_pressed_and_goes_back_with_shift() {
    let mut app = flight(&[]);
    let sky = app.world_mut().query::<&TerrainSky>().single(app.world()).expect("one sky").0.id();
    let skies = app.world_mut().resource_mut::<Assets<SkySettings>>().into_inner();
    skies.insert(sky, SkySettings::default()).expect("the camera has the handle");
    let hour = |app: &App| match &app.world().resource::<Assets<SkySettings>>().get(sky).expect("just added").sun {
        Sun::Time(at) => Some(at.hour),
        _ => None,
    };
    app.update();
    assert_eq!(hour(&app), None, "the sun of the file has angles");
    key(&mut app, KeyCode::KeyT, ButtonState::Pressed);
    let start = hour(&app).expect("the sun has a time");
    (0..50).for_each(|_| app.update());
    let later = hour(&app).expect("the sun has a time");
    assert!((later - start - 1.0).abs() < 1e-6, "{start} to {later}");
    key(&mut app, KeyCode::ShiftLeft, ButtonState::Pressed);
    (0..49).for_each(|_| app.update());
    let back = hour(&app).expect("the sun has a time");
    assert!((back - start).abs() < 1e-6, "{later} back to {back}");
    key(&mut app, KeyCode::KeyT, ButtonState::Released);
    let stopped = hour(&app);
    app.update();
    assert_eq!(hour(&app), stopped);
}

#[test]
fn f12_takes_a_large_picture_from_the_place_of_the_camera() {
    let mut app = flight(&["--camera", "100,20,300,45,-10"]);
    tap(&mut app, KeyCode::F12);
    let at = camera(&mut app).translation;
    let mut photographers = app.world_mut().query_filtered::<(&Transform, &RenderTarget), With<Photographer>>();
    let (place, target) = photographers.single(app.world()).expect("one photographer");
    assert!(place.translation.distance(at) < 0.01);
    let image = target.as_image().and_then(|image| app.world().resource::<Assets<Image>>().get(image));
    assert_eq!(image.map(Image::size), Some(UVec2::new(3840, 2160)));
}

#[test]
fn one_finger_looks_around() {
    let mut app = flight(&["--camera", "0,100,0,0,0"]);
    let before = camera(&mut app);
    touch(&mut app, TouchPhase::Started, &[(1, [200.0, 200.0])]);
    touch(&mut app, TouchPhase::Moved, &[(1, [300.0, 250.0])]);
    let after = camera(&mut app);
    assert_eq!(after.translation, before.translation);
    // Right and down.
    assert!(after.forward().x > 0.05 && after.forward().y < -0.02, "it looks {:?}", after.forward());
}

#[test]
fn two_fingers_fly_and_do_not_look_around() {
    let mut app = flight(&["--camera", "0,100,0,0,0"]);
    let before = camera(&mut app);
    touch(&mut app, TouchPhase::Started, &[(1, [200.0, 400.0]), (2, [300.0, 400.0])]);
    touch(&mut app, TouchPhase::Moved, &[(1, [200.0, 340.0]), (2, [300.0, 340.0])]);
    // They rest at 60 pixels for a second, at the speed of the keys: 60 m/s.
    (0..49).for_each(|_| app.update());
    let after = camera(&mut app);
    assert_eq!(after.rotation, before.rotation);
    let way = after.translation - before.translation;
    assert!(way.distance(Vec3::NEG_Z * 60.0) < 0.1, "it flew {way}");
    touch(&mut app, TouchPhase::Moved, &[(1, [260.0, 400.0]), (2, [360.0, 400.0])]);
    let aside = camera(&mut app).translation - after.translation;
    assert!(aside.distance(Vec3::X * 1.2) < 0.01, "it flew {aside}");
    // The finger that stays looks around again, from where it is.
    touch(&mut app, TouchPhase::Ended, &[(2, [360.0, 400.0])]);
    let before = camera(&mut app);
    touch(&mut app, TouchPhase::Moved, &[(1, [300.0, 400.0])]);
    let after = camera(&mut app);
    assert_eq!(after.translation, before.translation);
    assert!(after.forward().x > 0.02, "it looks {:?}", after.forward());
}

#[test]
fn a_touch_ends_the_opening() {
    let mut app = flight(&[]);
    let is_gliding = |app: &mut App| app.world_mut().query::<&Opening>().iter(app.world()).len() == 1;
    let start = camera(&mut app).translation;
    (0..10).for_each(|_| app.update());
    assert!(is_gliding(&mut app));
    assert!(camera(&mut app).translation.distance(start) > 1.0);
    touch(&mut app, TouchPhase::Started, &[(1, [200.0, 200.0])]);
    assert!(!is_gliding(&mut app));
}
