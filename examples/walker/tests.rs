//! Plays the game without a window, a GPU or a clock.

use crate::camera::FollowCamera;
use crate::travel::{Fade, Game, READY_RADIUS};
use crate::walker::Walker;
use bevy::ecs::system::RunSystemOnce;
use bevy::math::DVec3;
use bevy::prelude::*;
use bevy::state::app::StatesPlugin;
use bevy_perlin_terrain::field::{Constant, Layer, LayerKind};
use bevy_perlin_terrain::prelude::*;
use bevy_perlin_terrain::stream::WorldOrigin;
use testing::app::{edit, headless_app, pump, pump_until};

/// A game in its first frame. Each frame takes 1/60 s, however long it really takes.
fn loading_game() -> App {
    let mut app = headless_app();
    app.add_plugins((StatesPlugin, OriginShiftPlugin::default(), crate::game)).init_resource::<ButtonInput<KeyCode>>();
    app.update();
    app
}

/// A game in which the walker may walk.
fn playing_game() -> App {
    let mut app = loading_game();
    pump_until(&mut app, "the walker may walk", is_playing);
    app
}

fn is_playing(app: &mut App) -> bool {
    *app.world().resource::<State<Game>>().get() == Game::Playing
}

fn keys(app: &mut App) -> Mut<'_, ButtonInput<KeyCode>> {
    app.world_mut().resource_mut()
}

/// Presses a key for one frame.
fn tap(app: &mut App, key: KeyCode) {
    keys(app).press(key);
    app.update();
    keys(app).reset_all();
}

/// Asks the ground, as a system of the game does.
fn ground<T: 'static>(app: &mut App, ask: impl Fn(&TerrainGround) -> Option<T> + Send + Sync + 'static) -> T {
    let answer = app.world_mut().run_system_once(move |ground: TerrainGround| ask(&ground));
    answer.expect("the system runs").expect("the settings are loaded")
}

/// Asserts that the player sees nothing but black, or ready ground.
#[track_caller]
fn assert_black_or_ready(app: &mut App) {
    let (feet, fade) = (feet(app), app.world().resource::<Fade>().0);
    let is_ready = move |chunks: TerrainStreamState| chunks.is_ready(feet, READY_RADIUS);
    let is_ready = app.world_mut().run_system_once(is_ready).expect("the system runs");
    assert!(fade == 1.0 || is_ready, "the player sees ground that is not ready");
}

fn feet(app: &mut App) -> Vec3 {
    app.world_mut().query_filtered::<&Transform, With<Walker>>().single(app.world()).expect("one walker").translation
}

/// How far the feet are above the ground, in metres.
fn feet_above_ground(app: &mut App) -> f32 {
    let feet = feet(app);
    feet.y - ground(app, move |ground| ground.height(feet))
}

/// Turns the camera, and with it the way of the walker.
fn look(app: &mut App, yaw: f32) {
    app.world_mut().query::<&mut FollowCamera>().single_mut(app.world_mut()).expect("one camera").yaw = yaw;
}

fn look_uphill(app: &mut App) {
    let feet = feet(app);
    let normal = ground(app, move |ground| ground.field_normal(feet));
    look(app, normal.x.atan2(normal.z));
}

/// Where something is in terrain coordinates: no origin shift changes that.
fn terrain_position(app: &mut App, position: Vec3) -> DVec3 {
    let mut terrains = app.world_mut().query::<TerrainPosition>();
    terrains.single(app.world()).expect("one terrain").frame().to_terrain(position)
}

fn terrain_state(app: &mut App) -> &TerrainState {
    app.world_mut().query::<&TerrainState>().single(app.world()).expect("one terrain")
}

fn edit_settings(app: &mut App, change: impl FnOnce(&mut TerrainSettings)) {
    let terrain = app.world_mut().query_filtered::<Entity, With<Terrain>>().single(app.world()).expect("one terrain");
    edit(app, terrain, change);
}

#[test]
fn the_screen_is_black_until_the_walker_stands_on_ready_ground() {
    let mut app = loading_game();
    assert!(!is_playing(&mut app) && app.world().resource::<Fade>().0 == 1.0);
    pump_until(&mut app, "the walker may walk", |app| {
        assert_black_or_ready(app);
        is_playing(app)
    });
    assert_eq!(feet_above_ground(&mut app), 0.0);
    let feet = feet(&mut app);
    let [x, z] = [feet.x, feet.z].map(f64::from);
    let state = terrain_state(&mut app);
    let under_feet = state.layout().expect("loaded").chunk_at(0, x, z);
    assert!(state.chunk(under_feet).is_some(), "full detail is drawn under the feet");
    assert!(feet.y > state.settings().expect("loaded").look.water_height as f32, "on dry land");
    pump(&mut app, 60);
    assert_eq!(app.world().resource::<Fade>().0, 0.0);
}

#[test]
fn the_walker_walks_uphill_with_its_feet_on_the_ground() {
    let mut app = playing_game();
    let start = feet(&mut app);
    look_uphill(&mut app);
    keys(&mut app).press(KeyCode::KeyW);
    let mut last = start;
    for _ in 0..120 {
        app.update();
        let now = feet(&mut app);
        assert_eq!(feet_above_ground(&mut app), 0.0);
        let metres = now.distance(last);
        assert!((0.05..0.11).contains(&metres), "{metres} m in a frame at 5 m/s");
        last = now;
    }
    let climbed = last.y - start.y;
    assert!(climbed > 0.3, "it climbed {climbed} m");
}

#[test]
fn trunks_stop_the_walker() {
    let mut app = playing_game();
    let start = feet(&mut app);
    let find = move |plants: TerrainPlants, terrain: Single<Entity, With<Terrain>>| {
        let reach = Vec3::splat(400.0);
        plants.colliders_in(*terrain, [start - reach, start + reach]).expect("the settings are loaded")
    };
    let trunk = app.world_mut().run_system_once(find).expect("it runs")[0];
    let foot = trunk.transform.translation;
    let mut walkers = app.world_mut().query_filtered::<&mut Transform, With<Walker>>();
    walkers.single_mut(app.world_mut()).expect("one walker").translation = foot + Vec3::Z * 3.0;
    look(&mut app, 0.0);
    keys(&mut app).press(KeyCode::KeyW);
    let distances: Vec<f32> = (0..60)
        .map(|_| {
            app.update();
            feet(&mut app).xz().distance(foot.xz())
        })
        .collect();
    let least = 0.35 + trunk.collider.expect("a trunk").radius();
    assert!(distances.iter().all(|&distance| distance > least - 0.01), "{distances:?}, less than {least}");
    assert!(distances[59] < least + 0.1, "it reaches the trunk: {distances:?}");
}

#[test]
fn the_walker_wades_and_does_not_dive() {
    let mut app = playing_game();
    let shore = feet(&mut app).y;
    edit_settings(&mut app, |settings| {
        (settings.look.water, settings.look.water_height) = (true, shore.into());
    });
    look_uphill(&mut app);
    // Runs backward, downhill.
    keys(&mut app).press(KeyCode::ShiftLeft);
    keys(&mut app).press(KeyCode::KeyS);
    let depths: Vec<f32> = (0..500)
        .map(|_| {
            app.update();
            shore - feet(&mut app).y
        })
        .collect();
    let deepest = depths.iter().copied().fold(0.0, f32::max);
    assert!((0.9..1.0).contains(&deepest), "{deepest} m");
    keys(&mut app).release(KeyCode::KeyS);
    keys(&mut app).press(KeyCode::KeyW);
    pump(&mut app, 100);
    assert!(shore - feet(&mut app).y < 0.5, "it comes out again");
}

#[test]
fn the_walker_climbs_no_wall() {
    let mut app = playing_game();
    edit_settings(&mut app, |settings| {
        settings.field.layers[0].noise_mut().expect("a layer of noise").height_scale = 8000.0;
    });
    pump_until(&mut app, "the terrain is settled", |app| terrain_state(app).is_settled());
    app.update();
    keys(&mut app).press(KeyCode::KeyW);
    let (mut steps, mut stops) = (0, 0);
    for turn in 0..8_u8 {
        look(&mut app, f32::from(turn));
        let mut last = feet(&mut app);
        for _ in 0..120 {
            app.update();
            let now = feet(&mut app);
            let (rise, run) = (now.y - last.y, now.xz().distance(last.xz()));
            // A step may end on a steeper triangle than it began.
            assert!(rise <= 1.3 * run + 0.05, "{rise} m up in {run} m");
            *(if run > 0.0 { &mut steps } else { &mut stops }) += 1;
            last = now;
        }
    }
    assert!(steps > 100 && stops > 100, "{steps} steps, {stops} stops");
}

#[test]
fn the_walker_lands_on_the_ground_after_a_jump() {
    let mut app = playing_game();
    keys(&mut app).press(KeyCode::KeyW);
    tap(&mut app, KeyCode::Space);
    keys(&mut app).press(KeyCode::KeyW);
    let heights: Vec<f32> = (0..120)
        .map(|_| {
            app.update();
            feet_above_ground(&mut app)
        })
        .collect();
    let highest = heights.iter().copied().fold(0.0, f32::max);
    assert!((0.8..3.0).contains(&highest), "{highest} m");
    assert!(heights.iter().all(|&height| height >= 0.0));
    assert_eq!(heights[110..], [0.0; 10]);
}

#[test]
fn after_a_journey_the_walker_stands_on_the_ground_50_km_away() {
    let mut app = playing_game();
    let start = feet(&mut app);
    let start = terrain_position(&mut app, start);
    for journey in 1..=2 {
        pump_until(&mut app, "the screen is not black", |app| app.world().resource::<Fade>().0 == 0.0);
        tap(&mut app, KeyCode::KeyT);
        pump_until(&mut app, "the journey ends", |app| {
            assert_black_or_ready(app);
            let is_moved = app.world().resource::<WorldOrigin>().0.length() > f64::from(journey) * 49_000.0;
            is_moved && is_playing(app)
        });
        let feet = feet(&mut app);
        assert_eq!(feet_above_ground(&mut app), 0.0);
        assert!(feet.length() < 5000.0, "{feet} is far from the origin of the world");
        let way = terrain_position(&mut app, feet).with_y(start.y) - start;
        assert!((way.length() - 50_000.0 * f64::from(journey)).abs() < 10_000.0, "{} m", way.length());
    }
}

#[test]
fn the_walker_follows_a_reload_of_the_ground() {
    let mut app = playing_game();
    let raise = Layer::from(LayerKind::Constant(Constant { height: 30.0 }));
    edit_settings(&mut app, |settings| settings.field.layers.push(raise.clone()));
    let before = feet(&mut app).y;
    pump_until(&mut app, "the terrain is settled", |app| terrain_state(app).is_settled());
    app.update();
    assert_eq!(feet_above_ground(&mut app), 0.0);
    assert!((feet(&mut app).y - before - 30.0).abs() < 0.1);
}

#[test]
fn the_season_changes_colors_and_rebuilds_no_chunk() {
    let mut app = playing_game();
    pump_until(&mut app, "the terrain is settled", |app| terrain_state(app).is_settled());
    let colors = |app: &mut App| terrain_state(app).settings().expect("loaded").look.clone();
    let built = app.world().resource::<TerrainStats>().chunks_built;
    let summer = colors(&mut app);
    tap(&mut app, KeyCode::KeyF);
    let winter = colors(&mut app);
    let ground = &winter.layers[0];
    assert!(ground.color.iter().all(|&channel| channel > 0.8), "{ground:?}");
    pump(&mut app, 30);
    assert!(terrain_state(&mut app).is_settled());
    assert_eq!(app.world().resource::<TerrainStats>().chunks_built, built);
    tap(&mut app, KeyCode::KeyF);
    assert_eq!(colors(&mut app), summer);
}
