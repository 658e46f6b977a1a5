//! What terrain may cost: time and bytes in a frame, and memory in all.

mod common;

use bevy::prelude::*;
use bevy_perlin_terrain::chunk::{ChunkSettings, LodCost};
use bevy_perlin_terrain::prelude::*;
use bevy_perlin_terrain::stream::StreamSettings;
use common::*;

#[test]
fn no_frame_uploads_more_than_it_may() {
    let mut app = headless_app();
    let stream = StreamSettings { upload_budget: 0.1, ..small_settings().stream };
    let terrain = add_terrain(&mut app, settings_with(stream));
    let viewer = add_viewer(&mut app, 0.0, 0.0, 600.0);
    let (mut most, mut leaving) = (0, 0);
    // With little time, what was left behind goes bit by bit.
    for (place, time_budget) in [(0.0, 100.0), (5000.0, 0.05)] {
        edit(&mut app, terrain, |settings| settings.stream.time_budget = time_budget);
        move_to(&mut app, viewer, place, place);
        pump_until(&mut app, "settled", |app| {
            let state = state(app, terrain);
            let bytes = state.layout().map_or(1, LodCost::bytes_per_chunk) as u64;
            let TerrainStats { chunks_loaded, chunks_waiting, chunks_leaving, .. } = stats(app);
            let chunks = (chunks_loaded + chunks_waiting + chunks_leaving) as u64;
            assert_eq!(stats(app).bytes_loaded, chunks * bytes);
            leaving += usize::from(chunks_leaving > 0);
            // The coarsest chunks, without which there would be a hole, come at any price.
            let roots = state.cover().roots().len() as u64;
            assert!(stats(app).bytes_uploaded <= 100_000 + roots * bytes, "{:?}", stats(app));
            most = most.max(stats(app).bytes_uploaded);
            state.is_settled()
        });
        assert_eq!(stats(&app).bytes_loaded, {
            let bytes = state(&app, terrain).layout().map_or(1, LodCost::bytes_per_chunk);
            (chunk_entities(&mut app) * bytes) as u64
        });
    }
    assert!(most > 50_000, "at most {most} bytes in a frame");
    assert!(leaving > 0, "bytes were never counted while chunks left");
}

#[test]
fn without_any_time_to_spare_there_is_ground_and_then_detail() {
    for mut app in [headless_app(), app_without_threads()] {
        let stream = StreamSettings { time_budget: 0.05, ..small_settings().stream };
        let terrain = add_terrain(&mut app, settings_with(stream));
        let viewer = add_viewer(&mut app, 0.0, 0.0, 400.0);
        app.update();
        assert_seamless(&mut app, terrain);
        settle(&mut app, terrain);
        let here = shown(&mut app, terrain).len();
        move_to(&mut app, viewer, 3000.0, -9000.0);
        app.update();
        assert_seamless(&mut app, terrain);
        edit(&mut app, terrain, |settings| settings.field.seed += 1);
        settle(&mut app, terrain);
        assert_seamless(&mut app, terrain);
        assert_nothing_left(&mut app);
        assert!(here > 50);
    }
}

#[test]
fn without_threads_the_same_chunks_come_without_tasks() {
    let settings = settings_with(small_settings().stream);
    let [with, without] = [headless_app(), app_without_threads()].map(|mut app| {
        let terrain = add_terrain(&mut app, settings.clone());
        let threads = app.world().resource::<TerrainStats>().tasks_in_flight;
        assert_eq!(threads, 0);
        add_viewer(&mut app, 70.0, -30.0, 500.0);
        let mut most_tasks = 0;
        pump_until(&mut app, "settled", |app| {
            most_tasks = most_tasks.max(stats(app).tasks_in_flight);
            state(app, terrain).is_settled()
        });
        let chunks = shown(&mut app, terrain);
        let surfaces: Vec<_> = (chunks.iter())
            .map(|(&coord, &chunk)| (coord, app.world().get::<ChunkSurface>(chunk).expect("a surface").0.clone()))
            .collect();
        (most_tasks, surfaces)
    });
    assert!(with.0 > 0);
    assert_eq!(without.0, 0);
    assert_eq!(with.1, without.1);
}

#[test]
fn memory_costs_detail_and_not_ground() {
    let mut app = headless_app();
    let all = settings_with(small_settings().stream);
    let terrain = add_terrain(&mut app, all.clone());
    let viewer = add_viewer(&mut app, 0.0, 0.0, 1000.0);
    settle(&mut app, terrain);
    let (whole, chunks) = (stats(&app).bytes_loaded, shown(&mut app, terrain).len());
    assert!(!state(&app, terrain).is_limited_by_memory());

    let limit = whole as f64 * 0.5;
    edit(&mut app, terrain, |settings| settings.stream.memory_limit = limit / 1e6);
    settle(&mut app, terrain);
    for place in [0.0, 333.0, 4321.0] {
        move_to(&mut app, viewer, place, 0.0);
        settle(&mut app, terrain);
        let bytes = stats(&app).bytes_loaded as f64;
        assert!((0.5..=1.0).contains(&(bytes / limit)), "{bytes} of {limit} bytes");
        assert!(state(&app, terrain).is_limited_by_memory());
        assert_seamless(&mut app, terrain);
        assert_nothing_left(&mut app);
    }
    move_to(&mut app, viewer, 0.0, 0.0);
    settle(&mut app, terrain);
    edit(&mut app, terrain, |settings| settings.stream = all.stream.clone());
    settle(&mut app, terrain);
    assert!(!state(&app, terrain).is_limited_by_memory());
    assert!(shown(&mut app, terrain).len() >= chunks);
}

#[test]
fn detail_comes_back_to_who_stands_when_others_need_no_memory_any_more() {
    let mut app = headless_app();
    let terrain = add_terrain(&mut app, settings_with(small_settings().stream));
    let viewers = [0.0, 20_000.0].map(|x| add_viewer(&mut app, x, 0.0, 1000.0));
    settle(&mut app, terrain);
    let limit = 0.5 * stats(&app).bytes_loaded as f64;
    edit(&mut app, terrain, |settings| settings.stream.memory_limit = limit / 1e6);
    settle(&mut app, terrain);
    assert!(state(&app, terrain).is_limited_by_memory());
    let little = shown(&mut app, terrain).len() / 2;
    move_to(&mut app, viewers[1], 0.0, 0.0);
    settle(&mut app, terrain);
    assert!(stats(&app).bytes_loaded as f64 > 0.7 * limit, "{:?}", stats(&app));
    let detail = shown(&mut app, terrain).len();
    assert!(detail > little * 5 / 4, "{little} chunks around each, and then {detail} around both");
    assert_seamless(&mut app, terrain);
    assert_nothing_left(&mut app);
}

#[test]
fn where_a_frame_has_room_for_one_chunk_all_terrains_have_their_turn() {
    let mut app = app_without_threads();
    let one_a_frame = || TerrainSettings {
        chunks: ChunkSettings { quads: 64, spacing: 0.5 },
        stream: StreamSettings { upload_budget: 0.1, ..small_settings().stream },
        ..small_settings()
    };
    let terrains = [0, 1].map(|_| add_terrain(&mut app, one_a_frame()));
    add_viewer(&mut app, 0.0, 0.0, 250.0);
    pump_until(&mut app, "some chunks are there", |app| chunk_entities(app) > 100);
    let counts = terrains.map(|terrain| {
        let mut chunks = app.world_mut().query::<&TerrainChunk>();
        chunks.iter(app.world()).filter(|chunk| chunk.terrain == terrain).count()
    });
    assert!(counts.iter().all(|&count| count > 40), "{counts:?} chunks");
    for terrain in terrains {
        settle(&mut app, terrain);
    }
    // The same for the ground that is shown and the one that is to take its place.
    let here = terrains.map(|terrain| shown(&mut app, terrain));
    for terrain in terrains {
        edit(&mut app, terrain, |settings| settings.field.seed += 1);
    }
    app.update();
    for &chunk in here.iter().flat_map(|here| here.values().take(10)) {
        app.world_mut().despawn(chunk);
    }
    pump(&mut app, 120);
    for (terrain, here) in terrains.into_iter().zip(here) {
        assert!(state(&app, terrain).is_reloading(), "the new ground came in no time");
        assert_seamless(&mut app, terrain);
        assert_eq!(shown(&mut app, terrain).len(), here.len());
    }
}

#[test]
fn what_nobody_wants_goes_also_while_somebody_jumps_in_every_frame() {
    let mut app = app_without_threads();
    let terrain =
        add_terrain(&mut app, settings_with(StreamSettings { chunks_per_frame: 4, ..small_settings().stream }));
    let jumper = add_viewer(&mut app, 0.0, 0.0, 600.0);
    settle(&mut app, terrain);
    let before = chunk_entities(&mut app);
    for frame in 1..=160_u8 {
        move_to(&mut app, jumper, 0.0, 3000.0 * f32::from(frame));
        app.update();
        assert!(state(&app, terrain).stand_ins().next().is_some(), "some frames have time, which tests nothing");
    }
    let left = chunk_entities(&mut app);
    assert!(left < before / 4, "{before} chunks at first, and {left} after jumps that wanted none of them");
}

#[test]
fn the_coarsest_chunks_come_at_any_price() {
    let mut app = headless_app();
    let mut settings = settings_with(StreamSettings { memory_limit: 1.0, ..small_settings().stream });
    settings.chunks.quads = 128;
    let terrain = add_terrain(&mut app, settings);
    add_viewer(&mut app, 0.0, 0.0, 2000.0);
    settle(&mut app, terrain);
    assert!(state(&app, terrain).is_limited_by_memory());
    assert_seamless(&mut app, terrain);
    assert_eq!(state(&app, terrain).cover().leaves(), state(&app, terrain).cover().roots());
    // Also where somebody takes one away: there would be a hole.
    let (coord, root) = shown(&mut app, terrain).into_iter().next().expect("chunks are shown");
    app.world_mut().despawn(root);
    app.update();
    assert_seamless(&mut app, terrain);
    assert_ne!(shown(&mut app, terrain)[&coord], root);
}

/// Flies east at 120 m/s with so many seconds of looking ahead, on a machine that builds four chunks a frame. Returns the part
/// of the frames in which the finest level reaches as far as it should.
fn flight_with(look_ahead: f64) -> f64 {
    let mut app = app_without_threads();
    let stream = StreamSettings { look_ahead, chunks_per_frame: 4, ..small_settings().stream };
    let terrain = add_terrain(&mut app, settings_with(stream));
    let viewer = add_viewer(&mut app, 0.0, 0.0, 300.0);
    settle(&mut app, terrain);
    let reach = state(&app, terrain).viewers()[0].ranges;
    let mut whole = 0;
    for frame in 0..600_u16 {
        move_to(&mut app, viewer, f32::from(frame) * 2.0, 0.0);
        app.update();
        whole += u32::from(state(&app, terrain).viewers()[0].ranges.split(1) >= reach.split(1));
    }
    f64::from(whole) / 600.0
}

#[test]
fn who_moves_finds_chunks_built() {
    let (with, without) = (flight_with(0.5), flight_with(0.0));
    assert!(with > 0.95 && without < 0.85, "{with} with, {without} without");
}

#[test]
fn tasks_are_started_when_all_else_is_done() {
    #[derive(Resource, Default)]
    struct Order(Vec<&'static str>);
    let note = |name| move |mut order: ResMut<Order>| order.0.push(name);
    let mut app = headless_app();
    app.init_resource::<Order>().add_systems(
        PostUpdate,
        (
            note("generate").in_set(TerrainSystems::Generate),
            note("render").in_set(TerrainSystems::Render),
            note("apply").in_set(TerrainSystems::Apply),
            note("select").in_set(TerrainSystems::Select),
        ),
    );
    app.update();
    // On few cores, the threads that they wake would get in the way of the rest.
    assert_eq!(app.world().resource::<Order>().0, ["select", "apply", "render", "generate"]);
}
