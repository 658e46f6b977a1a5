//! The budgets: time, uploads and changes in a frame, and memory.

use bevy::prelude::*;
use bevy_perlin_terrain::chunk::{ChunkSettings, LodCost, StreamSettings};
use bevy_perlin_terrain::noise::NoiseRng;
use bevy_perlin_terrain::prelude::*;
use bevy_perlin_terrain::stream::TerrainClock;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use testing::app::log::warnings_of;
use testing::app::*;

/// Makes every read of the clock take longer than a frame, so that each frame does the least possible work.
fn leave_no_time(app: &mut App) {
    count_work(app, Duration::from_millis(200));
}

/// Moves a viewer of `app`. Returns the largest number of uploaded bytes in a frame, without chunks that are built within it.
fn max_uploaded(mut app: App) -> u64 {
    set_budget(&mut app, |budget| budget.upload_budget = 0.02);
    let terrain = add_terrain(&mut app, settings_with_levels(4.0));
    let viewer = add_viewer(&mut app, 0.0, 0.0, 600.0);
    let (mut max, mut despawning) = (0, 0);
    for position in [0.0, 5000.0, 10_000.0] {
        move_to(&mut app, viewer, position, position);
        pump_until(&mut app, "settled", |app| {
            let state = state(app, terrain);
            let bytes = state.layout().map_or(1, LodCost::bytes_per_chunk) as u64;
            let TerrainStats { chunks_loaded, chunks_incoming, chunks_despawning, chunks_built_now, .. } = stats(app);
            let chunks = (chunks_loaded + chunks_incoming + chunks_despawning) as u64;
            assert_eq!(stats(app).bytes_loaded, chunks * bytes);
            despawning += usize::from(chunks_despawning > 0);
            // Chunks that are built within the frame do not count.
            let uploaded = stats(app).bytes_uploaded - chunks_built_now as u64 * bytes;
            max = max.max(uploaded);
            state.is_settled()
        });
        settle(&mut app, terrain);
        let bytes = state(&app, terrain).layout().map_or(1, LodCost::bytes_per_chunk);
        assert_eq!(stats(&app).bytes_loaded, (chunk_entities(&mut app) * bytes) as u64);
        if position > 0.0 {
            leave_no_time(&mut app);
        }
    }
    assert!(despawning > 0, "no chunk waited to be despawned, so their bytes are not tested");
    max
}

#[test]
fn no_frame_uploads_more_than_the_upload_budget() {
    // On a busy machine, tasks may take longer than frames.
    assert!(max_uploaded(headless_app()) <= 20_000);
    let max = max_uploaded(app_without_threads());
    assert!((10_000..=20_000).contains(&max), "at most {max} bytes in a frame");
}

/// Settles, jumps and reloads without any time left in a frame.
fn run_without_time(mut app: App) {
    leave_no_time(&mut app);
    let terrain = add_terrain(&mut app, settings_with_levels(4.0));
    let viewer = add_viewer(&mut app, 0.0, 0.0, 400.0);
    app.update();
    assert_seamless(&mut app, terrain);
    assert!(!drawn_chunks(&mut app, terrain).is_empty(), "there is no ground");
    settle(&mut app, terrain);
    let here = drawn_chunks(&mut app, terrain).len();
    move_to(&mut app, viewer, 3000.0, -9000.0);
    app.update();
    assert_seamless(&mut app, terrain);
    edit(&mut app, terrain, |settings| settings.field.seed += 1);
    settle(&mut app, terrain);
    assert_seamless(&mut app, terrain);
    assert_nothing_left(&mut app);
    assert!(here > 50);
}

#[test]
fn without_any_time_left_ground_is_drawn_at_once_and_detail_follows() {
    run_without_time(headless_app());
}

#[test]
fn without_threads_and_without_any_time_left_ground_is_drawn_at_once_and_detail_follows() {
    run_without_time(app_without_threads());
}

#[test]
fn the_time_budget_is_measured_with_the_terrain_clock() {
    let built_with = |per_read: Duration| {
        let mut app = app_without_threads();
        set_budget(&mut app, |budget| budget.time_budget = 10.0);
        let terrain = add_terrain(&mut app, settings_with_levels(4.0));
        add_viewer(&mut app, 0.0, 0.0, 600.0);
        // Until the level errors are measured.
        pump(&mut app, 60);
        count_work(&mut app, per_read);
        edit(&mut app, terrain, |settings| settings.lod.pixel_error = 1.0);
        let mut max = 0;
        for _ in 0..5 {
            let before = stats(&app).chunks_built;
            app.update();
            max = max.max(stats(&app).chunks_built - before - stats(&app).chunks_built_now as u64);
        }
        max
    };
    let built = [20.0, 1.0, 0.1].map(|millis: f64| built_with(Duration::from_secs_f64(millis / 1e3)));
    assert!(built[0] == 1 && built[1] > 1 && built[1] < 10 && built[2] > built[1] * 2, "{built:?} chunks in a frame");
}

#[test]
fn a_long_plan_leaves_time_for_finished_chunks() {
    let mut app = app_without_threads();
    // The plan of every frame takes three times the budget. Nothing else takes any time.
    let (millis, clock) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicU64::new(0)));
    let (moved, read) = (millis.clone(), clock.clone());
    app.insert_resource(TerrainClock::new(move || Duration::from_millis(read.load(Ordering::Relaxed))));
    let plan = move || _ = clock.fetch_add(moved.load(Ordering::Relaxed), Ordering::Relaxed);
    app.add_systems(PostUpdate, plan.after(TerrainSystems::Select).before(TerrainSystems::Apply));
    let terrain = add_terrain(&mut app, settings_with_levels(4.0));
    add_viewer(&mut app, 0.0, 0.0, 600.0);
    settle(&mut app, terrain);
    millis.store(3, Ordering::Relaxed);
    edit(&mut app, terrain, |settings| settings.lod.pixel_error = 1.0);
    let before = stats(&app).chunks_built;
    pump(&mut app, 5);
    assert!(stats(&app).chunks_built - before > 20, "{:?}", stats(&app));
}

#[test]
fn without_threads_the_same_chunks_are_built_without_tasks() {
    let settings = settings_with_levels(4.0);
    let [with, without] = [headless_app(), app_without_threads()].map(|mut app| {
        let terrain = add_terrain(&mut app, settings.clone());
        add_viewer(&mut app, 70.0, -30.0, 500.0);
        let mut max_tasks = 0;
        pump_until(&mut app, "settled", |app| {
            max_tasks = max_tasks.max(stats(app).tasks_in_flight);
            state(app, terrain).is_settled()
        });
        let chunks = drawn_chunks(&mut app, terrain);
        let surfaces: Vec<_> = (chunks.iter())
            .map(|(&coord, &chunk)| (coord, app.world().get::<ChunkSurface>(chunk).expect("a surface").0.clone()))
            .collect();
        (max_tasks, surfaces)
    });
    assert!(with.0 > 0);
    assert_eq!(without.0, 0);
    assert_eq!(with.1, without.1);
}

#[test]
fn the_memory_limit_costs_detail_but_no_ground() {
    let (mut app, terrain, viewer) = settled(headless_app(), settings_with_levels(4.0), 1000.0);
    let (unlimited, chunks) = (stats(&app).bytes_loaded, drawn_chunks(&mut app, terrain).len());
    assert!(!state(&app, terrain).is_limited_by_memory());

    let limit = unlimited as f64 * 0.5;
    set_budget(&mut app, |budget| budget.memory_limit = limit / 1e6);
    settle(&mut app, terrain);
    for position in [0.0, 333.0, 4321.0] {
        move_to(&mut app, viewer, position, 0.0);
        settle(&mut app, terrain);
        let bytes = stats(&app).bytes_loaded as f64;
        assert!((0.5..=1.0).contains(&(bytes / limit)), "{bytes} of {limit} bytes");
        assert!(state(&app, terrain).is_limited_by_memory());
        assert_seamless(&mut app, terrain);
        assert_nothing_left(&mut app);
    }
    move_to(&mut app, viewer, 0.0, 0.0);
    settle(&mut app, terrain);
    set_budget(&mut app, |budget| *budget = TerrainBudget::default());
    settle(&mut app, terrain);
    assert!(!state(&app, terrain).is_limited_by_memory());
    assert!(drawn_chunks(&mut app, terrain).len() >= chunks);
}

/// The levels that are drawn under the viewer and 6 km to the east, if any is.
fn levels(app: &App, terrain: Entity) -> [Option<u8>; 2] {
    let state = state(app, terrain);
    let (tree, layout) = (state.quadtree().expect("ground"), state.layout().expect("ground"));
    [0.0, 6000.0].map(|x| tree.leaves_in(layout.chunk_at(0, x, 0.0)).first().map(|leaf| leaf.level))
}

#[test]
fn memory_is_taken_from_the_distance_and_the_ground_at_the_feet_goes_last() {
    let mut app = headless_app();
    let settings = TerrainSettings::from_ron(include_str!("../../assets/terrain/rolling_hills.terrain.ron"));
    let terrain = add_terrain(&mut app, settings.expect("the preset is valid"));
    add_viewer(&mut app, 0.0, 0.0, 8000.0);
    settle(&mut app, terrain);
    let [near, far] = levels(&app, terrain);
    assert_eq!(near, Some(0));
    let layout = *state(&app, terrain).layout().expect("ground");
    let wanted = state(&app, terrain).chunks_wanted();
    let mut settle_with = |chunks: usize| {
        // Half a chunk more, for rounding.
        let bytes = (chunks as f64 + 0.5) * LodCost::bytes_per_chunk(&layout) as f64;
        set_budget(&mut app, |budget| budget.memory_limit = bytes / 1e6);
        settle(&mut app, terrain);
        assert!(state(&app, terrain).is_limited_by_memory() && state(&app, terrain).chunks_wanted() <= chunks);
        assert_seamless(&mut app, terrain);
        let view = state(&app, terrain).viewers().next().expect("a viewer").point.view_distance;
        (levels(&app, terrain), view)
    };
    let (levels_of_most, view_of_most) = settle_with(wanted - 1);
    assert_eq!(levels_of_most[0], Some(0));
    assert!(levels_of_most[1] >= far && view_of_most > 6000.0, "{levels_of_most:?} to {view_of_most} m");
    let (levels_of_half, view_of_half) = settle_with(wanted / 2);
    assert!(levels_of_half[0] == Some(0) && (1000.0..view_of_most).contains(&view_of_half), "{view_of_half} m");
    // Too little for level 0, even in a short view.
    let (levels_of_few, view_of_few) = settle_with(20);
    assert!(levels_of_few[0] > Some(0) && (256.0..view_of_half).contains(&view_of_few), "{view_of_few} m");
}

#[test]
fn values_out_of_their_limits_count_as_the_nearest_ones_and_are_reported_once() {
    let _alone = alone();
    let changes: [(&str, fn(&mut TerrainBudget)); 8] = [
        ("max_tasks", |budget| budget.max_tasks = 0),
        ("chunks_per_frame", |budget| budget.chunks_per_frame = 0),
        ("memory_limit", |budget| budget.memory_limit = 0.0),
        ("memory_limit", |budget| budget.memory_limit = f64::NAN),
        ("upload_budget", |budget| budget.upload_budget = 0.0),
        ("upload_budget", |budget| budget.upload_budget = f64::NAN),
        ("time_budget", |budget| budget.time_budget = f64::NAN),
        ("query_memory", |budget| budget.query_memory = -1.0),
    ];
    for (name, change) in changes {
        let mut app = headless_app();
        let warnings = warnings_of(&mut app, |app| {
            set_budget(app, change);
            let terrain = add_terrain(app, settings_with_levels(3.0));
            add_viewer(app, 0.0, 0.0, 300.0);
            settle(app, terrain);
            set_budget(app, |_| ());
            pump(app, 2);
            assert_seamless(app, terrain);
        });
        let lines = warnings.iter().filter(|line| line.contains("TerrainBudget") && line.contains(name)).count();
        assert_eq!((lines, warnings.len()), (1, 1), "{name}: {warnings:?}");
    }
}

#[test]
fn detail_returns_to_a_still_viewer_when_another_viewer_frees_memory() {
    let mut app = headless_app();
    let terrain = add_terrain(&mut app, settings_with_levels(4.0));
    let viewers = [0.0, 20_000.0].map(|x| add_viewer(&mut app, x, 0.0, 1000.0));
    settle(&mut app, terrain);
    let limit = 0.5 * stats(&app).bytes_loaded as f64;
    set_budget(&mut app, |budget| budget.memory_limit = limit / 1e6);
    settle(&mut app, terrain);
    assert!(state(&app, terrain).is_limited_by_memory());
    let little = drawn_chunks(&mut app, terrain).len() / 2;
    move_to(&mut app, viewers[1], 0.0, 0.0);
    settle(&mut app, terrain);
    assert!(stats(&app).bytes_loaded as f64 > 0.7 * limit, "{:?}", stats(&app));
    let detail = drawn_chunks(&mut app, terrain).len();
    assert!(detail > little * 5 / 4, "{little} chunks around each of two positions, then {detail} around one");
    assert_seamless(&mut app, terrain);
    assert_nothing_left(&mut app);
}

#[test]
fn terrains_take_turns_when_a_frame_has_room_for_one_chunk() {
    let mut app = app_without_threads();
    let large_chunks = || TerrainSettings { chunks: ChunkSettings { quads: 64, spacing: 0.5 }, ..small_settings() };
    set_budget(&mut app, |budget| budget.upload_budget = 0.02);
    let terrains = [0, 1].map(|_| add_terrain(&mut app, large_chunks()));
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
    // The same for the drawn ground and the incoming one.
    let here = terrains.map(|terrain| drawn_chunks(&mut app, terrain));
    for terrain in terrains {
        edit(&mut app, terrain, |settings| settings.field.seed += 1);
    }
    app.update();
    for &chunk in here.iter().flat_map(|here| here.values().take(10)) {
        app.world_mut().despawn(chunk);
    }
    pump(&mut app, 120);
    for (terrain, here) in terrains.into_iter().zip(here) {
        assert!(state(&app, terrain).is_reloading(), "the reload ended too early");
        assert_seamless(&mut app, terrain);
        assert_eq!(drawn_chunks(&mut app, terrain).len(), here.len());
    }
}

#[test]
fn unwanted_chunks_are_despawned_while_a_viewer_jumps_in_every_frame() {
    let (mut app, _, jumper) =
        settled(with_chunks_per_frame(app_without_threads(), 4), settings_with_levels(4.0), 600.0);
    let before = all_chunks(&mut app);
    for frame in 1..=100_u8 {
        move_to(&mut app, jumper, 0.0, 3000.0 * f32::from(frame));
        app.update();
    }
    assert!(
        before.iter().all(|&chunk| app.world().get_entity(chunk).is_err()),
        "some of {} old chunks are left",
        before.len()
    );
    // Chunks of the last jumps are kept for some frames.
    let left = chunk_entities(&mut app);
    assert!(left < 1000, "{left} chunks are left");
}

#[test]
fn two_thousand_jumps_stay_within_the_memory_limit() {
    for has_time in [true, false] {
        let mut app = app_without_threads();
        set_budget(&mut app, |budget| budget.memory_limit = 0.5);
        if !has_time {
            leave_no_time(&mut app);
        }
        let terrain = add_terrain(&mut app, settings_with_levels(4.0));
        let viewers = [0.0, 500.0].map(|x| add_viewer(&mut app, x, 0.0, 400.0));
        let mut rng = NoiseRng::new(4, 0);
        let mut max = 0;
        for jump in 0..1000_usize {
            let [x, z] = [0, 1].map(|_| 1e6 * rng.next_unit() as f32);
            move_to(&mut app, viewers[jump % 2], x, z);
            app.update();
            let bytes = stats(&app).bytes_loaded;
            assert!(bytes <= 500_000, "{bytes} bytes after {jump} jumps");
            max = max.max(bytes);
        }
        assert!(has_time || max > 475_000, "at most {max} bytes: the limit is not tested");
        settle(&mut app, terrain);
        assert_nothing_left(&mut app);
    }
}

#[test]
fn the_number_of_chunks_built_within_a_frame_is_bounded() {
    for (mut app, bound) in [(headless_app(), TerrainBudget::MAX_BUILT_NOW), (app_without_threads(), 32)] {
        let terrain = add_terrain(&mut app, small_settings());
        let viewers: Vec<Entity> = (0..5_u8).map(|x| add_viewer(&mut app, 700.0 * f32::from(x), 0.0, 300.0)).collect();
        let mut rng = NoiseRng::new(6, 0);
        let mut max = 0;
        for frame in 0..120 {
            for &viewer in &viewers {
                if rng.next_unit() < 0.2 {
                    let [x, z] = [0, 1].map(|_| 3000.0 * rng.next_unit() as f32);
                    move_to(&mut app, viewer, x, z);
                }
            }
            // A game despawns some chunks.
            let drawn: Vec<Entity> = drawn_chunks(&mut app, terrain).into_values().step_by(13).collect();
            drawn.into_iter().for_each(|chunk| _ = app.world_mut().despawn(chunk));
            app.update();
            let now = stats(&app).chunks_built_now;
            assert!(now <= bound, "{now} chunks in frame {frame}");
            assert_tiled(&mut app, terrain);
            max = max.max(now);
        }
        assert_eq!(max, bound, "no frame reached the bound");
    }
}

#[test]
fn the_coarsest_chunks_are_loaded_above_the_memory_limit() {
    let mut app = headless_app();
    set_budget(&mut app, |budget| budget.memory_limit = 0.14);
    let mut settings = settings_with_levels(4.0);
    settings.chunks.quads = 128;
    let terrain = add_terrain(&mut app, settings);
    add_viewer(&mut app, 0.0, 0.0, 2000.0);
    settle(&mut app, terrain);
    assert!(state(&app, terrain).is_limited_by_memory());
    assert_seamless(&mut app, terrain);
    let drawn = drawn_chunks(&mut app, terrain);
    assert!(drawn.keys().all(|chunk| chunk.level > 0) && drawn.len() < 16, "{drawn:?}");
    // A chunk that a game despawns is rebuilt in spite of the limit.
    let (coord, chunk) = drawn.into_iter().next().expect("chunks are shown");
    app.world_mut().despawn(chunk);
    app.update();
    assert_seamless(&mut app, terrain);
    assert_ne!(drawn_chunks(&mut app, terrain)[&coord], chunk);
}

/// The events in the frames of a flight.
#[derive(Debug, Default)]
struct FlightFrames {
    /// The number of frames in which the ranges or the current view are not the wanted ones, or chunks are built within the frame.
    late: u32,
    /// The largest number of chunks that are shown, hidden or restitched in a frame, and the sum of all frames.
    max_changes: usize,
    changes: usize,
}

/// The stitch masks of the drawn chunks.
fn drawn_masks(app: &mut App) -> BTreeMap<Entity, ChunkStitchMask> {
    let mut chunks = app.world_mut().query::<(Entity, &ChunkDrawn, &ChunkStitchMask)>();
    let drawn = chunks.iter(app.world()).filter(|(_, drawn, _)| drawn.is_drawn());
    drawn.map(|(chunk, _, mask)| (chunk, *mask)).collect()
}

/// Flies east at 120 m/s for 600 frames, with eight chunks per frame.
fn flight_with(look_ahead: f64) -> FlightFrames {
    let mut app = with_chunks_per_frame(app_without_threads(), 8);
    let terrain =
        add_terrain(&mut app, TerrainSettings { stream: StreamSettings { look_ahead }, ..settings_with_levels(4.0) });
    let viewer = add_viewer(&mut app, 0.0, 0.0, 300.0);
    settle(&mut app, terrain);
    let (mut frames, mut before) = (FlightFrames::default(), drawn_masks(&mut app));
    for frame in 0..600_u16 {
        move_to(&mut app, viewer, f32::from(frame) * 2.0, 0.0);
        app.update();
        let plan = state(&app, terrain).plan().expect("there is ground");
        frames.late += u32::from(!plan.viewers()[0].is_settled() || !plan.build_now().is_empty());
        let now = drawn_masks(&mut app);
        let hidden = before.keys().filter(|chunk| !now.contains_key(chunk)).count();
        let shown_or_restitched = now.iter().filter(|(chunk, mask)| before.get(chunk) != Some(mask)).count();
        let changes = hidden + shown_or_restitched;
        (frames.max_changes, frames.changes) = (frames.max_changes.max(changes), frames.changes + changes);
        before = now;
    }
    frames
}

#[test]
fn look_ahead_builds_chunks_before_a_moving_viewer_needs_them() {
    let (with, without) = (flight_with(0.5).late, flight_with(0.0).late);
    assert!(with == 0 && without > 10, "late in {with} frames with look-ahead, in {without} without");
}

/// A frame of a flight shows, hides and restitches chunks at the borders of levels and of the view, and nothing else.
#[test]
fn the_changes_in_a_frame_of_a_flight_are_bounded() {
    let frames = flight_with(0.5);
    assert!(frames.max_changes <= 16, "{frames:?}");
    assert!(frames.changes > 1000, "{frames:?}");
}

#[test]
fn tasks_are_started_after_the_other_stages() {
    #[derive(Resource, Default)]
    struct Order(Vec<&'static str>);
    let record = |name| move |mut order: ResMut<Order>| order.0.push(name);
    let mut app = headless_app();
    app.init_resource::<Order>().add_systems(
        PostUpdate,
        (
            record("generate").in_set(TerrainSystems::Generate),
            record("render").in_set(TerrainSystems::Render),
            record("apply").in_set(TerrainSystems::Apply),
            record("select").in_set(TerrainSystems::Select),
        ),
    );
    app.update();
    // On few cores, tasks would slow down the other stages.
    assert_eq!(app.world().resource::<Order>().0, ["select", "apply", "render", "generate"]);
}
