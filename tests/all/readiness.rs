//! Readiness: whether ground is ready, and which part of it.

use bevy::ecs::system::RunSystemOnce;
use bevy::prelude::*;
use bevy::state::app::StatesPlugin;
use bevy_perlin_terrain::chunk::ChunkCoord;
use bevy_perlin_terrain::prelude::*;
use testing::app::messages::{record_messages, take_messages};
use testing::app::*;

/// Runs a query of the readiness.
fn ask<R: 'static>(app: &mut App, question: impl Fn(&mut TerrainStreamState) -> R + Send + Sync + 'static) -> R {
    let answer = app.world_mut().run_system_once(move |mut terrain: TerrainStreamState| question(&mut terrain));
    answer.expect("the query runs")
}

fn is_settled(app: &mut App) -> bool {
    app.world_mut().run_system_once(is_terrain_ready).expect("the query runs")
}

fn is_ready(app: &mut App, position: Vec3, radius: f32) -> bool {
    ask(app, move |terrain| terrain.is_ready(position, radius))
}

fn progress(app: &mut App, position: Vec3, radius: f32) -> f32 {
    ask(app, move |terrain| terrain.progress(position, radius))
}

/// The drawn chunks within `radius` metres of a position.
fn drawn_within(app: &mut App, terrain: Entity, [x, z]: [f64; 2], radius: f64) -> Vec<ChunkCoord> {
    let layout = *state(app, terrain).layout().expect("there is ground");
    let drawn = drawn_chunks(app, terrain).into_keys();
    drawn.filter(|&chunk| layout.distance(chunk, [x, z]) <= radius).collect()
}

#[test]
fn ground_is_ready_when_its_final_chunks_are_drawn() {
    let mut app = slow_app();
    assert!(!is_ready(&mut app, Vec3::ZERO, 100.0), "without a terrain");
    let terrain = add_terrain(&mut app, settings_with_levels(30.0));
    let viewer = add_viewer(&mut app, 0.0, 0.0, 600.0);
    assert!(!is_ready(&mut app, Vec3::ZERO, 100.0), "without settings");
    let mut frames_apart = 0;
    for position in [[0.0, 0.0], [350.0, -80.0], [9000.0, 9000.0]] {
        let [x, z] = position;
        let here = Vec3::new(x, 1234.0, z);
        move_to(&mut app, viewer, x, z);
        let (mut near, mut last, mut frame) = (None, 0.0, 0);
        pump_until(&mut app, "settled", |app| {
            frame += 1;
            let (ready, part) = (is_ready(app, here, 60.0), progress(app, here, 60.0));
            assert_eq!(ready, part == 1.0, "{part} around {position:?}");
            assert!((0.0..=1.0).contains(&part));
            last = part;
            if ready && near.is_none() {
                near = Some((frame, drawn_within(app, terrain, position.map(f64::from), 60.0)));
            }
            assert_eq!(is_settled(app), state(app, terrain).is_settled());
            state(app, terrain).is_settled()
        });
        let (when, chunks) = near.expect("the position was ready");
        assert_eq!(chunks, drawn_within(&mut app, terrain, position.map(f64::from), 60.0));
        assert_eq!(last, 1.0);
        frames_apart += frame - when;
        assert!(is_ready(&mut app, here, f32::INFINITY), "everything is ready");
    }
    assert!(frames_apart > 10, "near ground was ready only {frames_apart} frames before all ground");
    for (position, radius) in [(Vec3::ZERO, 60.0), (Vec3::NAN, 60.0), (Vec3::INFINITY, f32::INFINITY)] {
        assert!(!is_ready(&mut app, position, radius), "{position} is out of view");
        assert_eq!(progress(&mut app, position, radius), 0.0);
    }
    for radius in [0.0, -5.0, f32::NAN] {
        assert!(
            is_ready(&mut app, Vec3::new(9000.0, 0.0, 9000.0), radius),
            "a radius of {radius} means the position itself"
        );
    }
}

#[test]
fn during_a_reload_ground_is_ready_when_the_new_ground_is_drawn() {
    let (mut app, terrain, _) = settled(slow_app(), settings_with_levels(30.0), 300.0);
    assert!(is_ready(&mut app, Vec3::ZERO, 300.0));
    edit(&mut app, terrain, |settings| settings.field.seed += 1);
    let mut parts = Vec::new();
    pump_until(&mut app, "reloaded", |app| {
        let is_new = state(app, terrain).field().expect("ground").height(3.0, 5.0)
            == HeightField::new(&state(app, terrain).settings().expect("settings").field).height(3.0, 5.0);
        let ready = is_ready(app, Vec3::ZERO, 50.0);
        assert!(is_new || !ready, "the old ground is not ready");
        parts.push(progress(app, Vec3::ZERO, 50.0));
        ready
    });
    assert!(parts.len() > 3 && parts[0] < 0.5, "{parts:?}");
    // With more detail, no ground is replaced, but ground that is too coarse is not ready.
    edit(&mut app, terrain, |settings| settings.lod.pixel_error = 5.0);

    app.update();

    assert!(!is_ready(&mut app, Vec3::ZERO, 300.0));
    settle(&mut app, terrain);
    assert!(is_ready(&mut app, Vec3::ZERO, 300.0));
}

#[test]
fn each_of_several_terrains_can_be_asked() {
    let mut app = slow_app();
    let transform = moved_and_rotated();
    let moved = add_terrain(&mut app, settings_with_levels(30.0));
    app.world_mut().entity_mut(moved).insert(transform);
    let at = transform.transform_point(Vec3::new(300.0, 0.0, 70.0));
    add_viewer(&mut app, at.x, at.z, 400.0);
    settle(&mut app, moved);
    app.update();
    assert!(is_ready(&mut app, at, 400.0));
    let away = at + Vec3::new(0.0, 0.0, 900.0);
    assert!(!is_ready(&mut app, away, 10.0), "out of view");
    let failed = app.world_mut().spawn(Terrain::default()).id();
    app.update();
    assert!(!is_ready(&mut app, at, 400.0), "one of them has no settings");
    assert_eq!(progress(&mut app, at, 400.0), 0.5);
    for (terrain, part) in [(moved, 1.0), (failed, 0.0), (Entity::PLACEHOLDER, 0.0)] {
        let found =
            ask(&mut app, move |state| (state.is_ready_of(terrain, at, 400.0), state.progress_of(terrain, at, 400.0)));
        assert_eq!(found, (part == 1.0, part));
    }
    assert!(!is_settled(&mut app));
}

/// The terrains that messages reported as ready since the last call.
fn ready_terrains(app: &mut App) -> Vec<Entity> {
    take_messages(app).ready.iter().map(|message| message.terrain).collect()
}

#[test]
fn a_terrain_sends_one_message_when_it_is_ready() {
    let mut app = slow_app();
    record_messages(&mut app);
    let terrain = add_terrain(&mut app, settings_with_levels(30.0));
    pump(&mut app, 30);
    assert_eq!(take_messages(&mut app).ready, [], "there is no viewer");
    let viewer = add_viewer(&mut app, 0.0, 0.0, 200.0);
    settle(&mut app, terrain);
    assert_eq!(ready_terrains(&mut app), [terrain]);
    pump(&mut app, 30);
    assert_eq!(take_messages(&mut app).ready, []);
    move_to(&mut app, viewer, 5000.0, 0.0);
    settle(&mut app, terrain);
    assert_eq!(ready_terrains(&mut app), [terrain]);
    edit(&mut app, terrain, |settings| settings.look.water_height += 1.0);
    pump(&mut app, 30);
    edit(&mut app, terrain, |settings| settings.field.seed += 1);
    settle(&mut app, terrain);
    assert_eq!(ready_terrains(&mut app).last(), Some(&terrain));
}

#[test]
fn a_loading_screen_waits_for_the_ground() {
    #[derive(States, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    enum Game {
        #[default]
        Loading,
        Playing,
    }
    const START: Vec3 = Vec3::new(40.0, 0.0, 25.0);
    #[derive(Resource, Default)]
    struct AllReady(u32);
    let mut app = slow_app();
    app.add_plugins(StatesPlugin).init_state::<Game>().init_resource::<AllReady>().add_systems(
        Update,
        (
            (|mut game: ResMut<NextState<Game>>| game.set(Game::Playing))
                .run_if(in_state(Game::Loading).and_then(terrain_ready_around(START, 100.0))),
            (|mut count: ResMut<AllReady>| count.0 += 1).run_if(is_terrain_ready),
        ),
    );
    let terrain = add_terrain(&mut app, settings_with_levels(30.0));
    pump(&mut app, 30);
    add_viewer(&mut app, START.x, START.z, 400.0);
    pump_until(&mut app, "playing", |app| {
        let was_ready = is_ready(app, START, 100.0);
        let is_playing = *app.world().resource::<State<Game>>() == Game::Playing;
        assert!(!is_playing || was_ready);
        is_playing
    });
    settle(&mut app, terrain);
    pump(&mut app, 1);
    assert!(app.world().resource::<AllReady>().0 > 0);
}

#[test]
fn messages_and_readiness_work_a_million_kilometres_away() {
    let mut app = slow_app();
    record_messages(&mut app);
    let terrain = add_terrain(&mut app, settings_with_levels(30.0));
    app.world_mut().entity_mut(terrain).insert(TerrainOrigin::new(1e9, -1e9));
    add_viewer(&mut app, 20.0, 30.0, 300.0);
    settle(&mut app, terrain);
    assert!(is_ready(&mut app, Vec3::new(20.0, 0.0, 30.0), 300.0));
    assert!(!is_ready(&mut app, Vec3::new(20.0, 0.0, 3000.0), 10.0), "out of view");
    let shown = take_messages(&mut app).shown;
    let below = shown.iter().filter(|shown| shown.coord.level == 0 && shown.bounds.contains(1e9 + 20.0, -1e9 + 30.0));
    assert_eq!(below.count(), 1);
    for ChunkShown { coord, bounds, .. } in shown {
        let side = 32.0 * f64::from(1 << coord.level);
        assert_eq!([bounds.min.x, bounds.min.z], [coord.x, coord.z].map(|along| along as f64 * side));
    }
}
