//! Chunks follow the viewers, and a frame does no more than it may.

use crate::common::log::warnings_of;
use crate::common::*;
use bevy::diagnostic::DiagnosticsPlugin;
use bevy::ecs::system::RunSystemOnce;
use bevy::prelude::*;
use bevy_perlin_terrain::chunk::{ChunkCoord, LodRanges};
use bevy_perlin_terrain::prelude::*;
use bevy_perlin_terrain::stream::{StageTimes, TerrainDiagnosticsPlugin};
use std::collections::BTreeSet;

/// Side length of a chunk of [`small_settings`].
const SIDE: f64 = 32.0;

/// A chunk stays visible a little longer than it is in view: the hysteresis.
const SLACK: f64 = LodRanges::HYSTERESIS * SIDE;

/// Horizontal distance from a place to a chunk of [`small_settings`], worked out without the crate.
fn distance(chunk: ChunkCoord, [x, z]: [f64; 2]) -> f64 {
    let outside = |place: f64, index: i64| {
        let start = index as f64 * SIDE;
        if place < start {
            start - place
        } else if place > start + SIDE {
            place - start - SIDE
        } else {
            0.0
        }
    };
    outside(x, chunk.x).hypot(outside(z, chunk.z))
}

/// Every chunk of the finest level nearer than `reach` to a place.
fn chunks_within(reach: f64, place: [f64; 2]) -> BTreeSet<ChunkCoord> {
    let [x, z] = place.map(|p| (p / SIDE).floor() as i64);
    let most = (reach / SIDE) as i64 + 2;
    (-most..=most)
        .flat_map(|dz| (-most..=most).map(move |dx| ChunkCoord::finest(x + dx, z + dz)))
        .filter(|&chunk| distance(chunk, place) < reach)
        .collect()
}

/// Asserts that what is shown is what viewers at `places` want: the finest chunks everywhere within view, and only coarser
/// ones far beyond it, which meet without a seam.
#[track_caller]
fn assert_shown_around(app: &mut App, terrain: Entity, view_distance: f64, places: &[[f64; 2]]) {
    let shown: BTreeSet<ChunkCoord> = shown(app, terrain).into_keys().collect();
    for &place in places {
        for chunk in chunks_within(view_distance, place) {
            assert!(shown.contains(&chunk), "{chunk:?} is within view of {place:?} and not shown");
        }
    }
    for chunk in shown.into_iter().filter(|chunk| chunk.level == 0) {
        let nearest = places.iter().map(|&place| distance(chunk, place)).fold(f64::INFINITY, f64::min);
        assert!(nearest <= view_distance + SLACK, "{chunk:?} is shown, {nearest} m from the nearest viewer");
    }
    assert_seamless(app, terrain);
}

#[test]
fn what_is_wanted_is_shown_once_the_terrain_is_settled() {
    let mut app = headless_app();
    let terrain = add_terrain(&mut app, small_settings());
    let viewer = add_viewer(&mut app, 0.0, 0.0, 150.0);
    for place in [[0.0, 0.0], [13.7, -5.2], [-77.0, 1000.0], [-80.5, 1003.0]] {
        move_to(&mut app, viewer, place[0] as f32, place[1] as f32);
        settle(&mut app, terrain);
        assert_shown_around(&mut app, terrain, 150.0, &[place]);
        assert_nothing_left(&mut app);
        for (coord, entity) in shown(&mut app, terrain) {
            assert_eq!(state(&app, terrain).chunk(coord), Some(entity));
        }
    }
}

#[test]
fn a_teleport_leaves_nothing_behind() {
    let mut app = headless_app();
    let terrain = add_terrain(&mut app, small_settings());
    let viewer = add_viewer(&mut app, 0.0, 0.0, 120.0);
    settle(&mut app, terrain);
    for place in [[50_000.0, -20_000.0], [-3.0, 4.0]] {
        move_to(&mut app, viewer, place[0] as f32, place[1] as f32);
        settle(&mut app, terrain);
        assert_shown_around(&mut app, terrain, 120.0, &[place]);
        assert_nothing_left(&mut app);
    }
}

#[test]
fn two_viewers_see_the_union_and_one_leaves_with_its_own() {
    let mut app = headless_app();
    let terrain = add_terrain(&mut app, small_settings());
    add_viewer(&mut app, 0.0, 0.0, 100.0);
    let second = add_viewer(&mut app, 150.0, 20.0, 100.0);
    settle(&mut app, terrain);
    assert_shown_around(&mut app, terrain, 100.0, &[[0.0, 0.0], [150.0, 20.0]]);
    app.world_mut().despawn(second);
    settle(&mut app, terrain);
    assert_shown_around(&mut app, terrain, 100.0, &[[0.0, 0.0]]);
}

#[test]
fn a_viewer_may_come_late_and_vanish() {
    let mut app = headless_app();
    let terrain = add_terrain(&mut app, small_settings());
    pump(&mut app, 20);
    assert_eq!(chunk_entities(&mut app), 0);
    let viewer = add_viewer(&mut app, -40.0, 40.0, 90.0);
    settle(&mut app, terrain);
    assert_shown_around(&mut app, terrain, 90.0, &[[-40.0, 40.0]]);
    app.world_mut().entity_mut(viewer).remove::<TerrainViewer>();
    app.update();
    assert!(shown(&mut app, terrain).is_empty() && state(&app, terrain).is_settled());
    settle(&mut app, terrain);
    assert_eq!(chunk_entities(&mut app), 0);
}

#[test]
fn a_terrain_without_a_viewer_warns_once_and_with_a_body_not_at_all() {
    let _alone = alone();
    // The thread may run systems of other tests meanwhile, whose terrains have other names.
    let add_terrain = |app: &mut App, name: &'static str| {
        let terrain = add_terrain(app, small_settings());
        app.world_mut().entity_mut(terrain).insert(Name::new(name));
        terrain
    };
    let about = |lines: Vec<String>, name: &str| {
        lines.iter().filter(|line| line.contains("no viewer") && line.contains(name)).count()
    };
    let mut app = headless_app();
    let told = warnings_of(&mut app, |app| {
        pump(app, 3);
        let terrain = add_terrain(app, "a lonely terrain");
        pump(app, 20);
        let viewer = add_viewer(app, 0.0, 0.0, 60.0);
        settle(app, terrain);
        app.world_mut().despawn(viewer);
        add_terrain(app, "a lonely terrain");
        pump(app, 20);
    });
    assert_eq!(about(told, "a lonely terrain"), 1);
    let mut app = headless_app();
    let told = warnings_of(&mut app, |app| {
        app.world_mut().spawn(KeepGround::default());
        let terrain = add_terrain(app, "a terrain with a body");
        settle(app, terrain);
    });
    assert_eq!(about(told, "a terrain with a body"), 0);
}

#[test]
fn a_viewer_that_moves_in_every_frame_is_followed() {
    let mut app = headless_app();
    let terrain = add_terrain(&mut app, small_settings());
    let viewer = add_viewer(&mut app, 0.0, 0.0, 100.0);
    for frame in 0..300 {
        let x = frame as f32 * 3.1;
        move_to(&mut app, viewer, x, -x / 2.0);
        app.update();
        for chunk in shown(&mut app, terrain).into_keys().filter(|chunk| chunk.level == 0) {
            let distance = distance(chunk, [f64::from(x), f64::from(-x / 2.0)]);
            assert!(distance <= 100.0 + SLACK, "frame {frame}: {chunk:?} lies {distance} m off");
        }
        assert_seamless(&mut app, terrain);
        // A rest now and then, in which the ground catches up.
        if frame % 50 == 49 {
            settle(&mut app, terrain);
            assert_shown_around(&mut app, terrain, 100.0, &[[f64::from(x), f64::from(-x / 2.0)]]);
        }
    }
}

#[test]
fn a_settled_terrain_starts_no_more_work() {
    let mut app = headless_app();
    let terrain = add_terrain(&mut app, small_settings());
    let viewer = add_viewer(&mut app, 0.0, 0.0, 100.0);
    settle(&mut app, terrain);
    // To and fro by less than the hysteresis. What comes into view the first time stays.
    let go = |app: &mut App, frame: u8| {
        move_to(app, viewer, f32::from(frame % 3), -f32::from(frame % 2));
        app.update();
    };
    (0..6).for_each(|frame| go(&mut app, frame));
    settle(&mut app, terrain);
    let (before, entities) = (stats(&app), shown(&mut app, terrain));
    for frame in 0..100 {
        go(&mut app, frame);
        assert_eq!(shown(&mut app, terrain), entities, "frame {frame}");
    }
    let after = stats(&app);
    assert_eq!((after.chunks_built, after.tasks_in_flight), (before.chunks_built, 0));
}

#[test]
fn at_rest_only_the_viewers_are_looked_at() {
    let mut app = headless_app();
    let terrain = add_terrain(&mut app, small_settings());
    let viewer = add_viewer(&mut app, 0.0, 0.0, 100.0);
    settle(&mut app, terrain);
    let worked = |app: &mut App| {
        app.update();
        let StageTimes { generate, apply, .. } = stats(app).stage_times;
        !(generate.is_zero() && apply.is_zero())
    };
    app.update();
    assert!(!worked(&mut app));
    move_to(&mut app, viewer, 500.0, 0.0);
    assert!(worked(&mut app));
    settle(&mut app, terrain);
    app.update();
    assert!(!worked(&mut app));
    // Another takes its place, and has no settings yet.
    app.world_mut().despawn(terrain);
    app.world_mut().spawn(Terrain::default());
    assert!(worked(&mut app));
    assert!(!worked(&mut app));
    assert_eq!((stats(&app).chunks_loaded, stats(&app).chunks_drawn), (0, 0));
}

#[test]
fn a_moved_and_turned_terrain_follows_in_its_own_coordinates() {
    let mut app = headless_app();
    let terrain = add_terrain(&mut app, small_settings());
    let place = moved_and_turned();
    app.world_mut().entity_mut(terrain).insert(place);
    let local = Vec3::new(300.0, 0.0, 70.0);
    let world = place.transform_point(local);
    // In metres of the world, of which there are two to one of the terrain's.
    add_viewer(&mut app, world.x, world.z, 240.0);
    settle(&mut app, terrain);
    assert_shown_around(&mut app, terrain, 120.0, &[[300.0, 70.0]]);

    // And its ground is where its vertices are drawn.
    app.update();
    let mut chunks = app.world_mut().query::<(&ChunkSurface, &GlobalTransform)>();
    let vertices: Vec<Vec3> = chunks
        .iter(app.world())
        .map(|(surface, transform)| transform.transform_point(Vec3::from_array(surface.0.positions[40])))
        .collect();
    let heights = app
        .world_mut()
        .run_system_once(move |ground: TerrainGround| {
            vertices.iter().map(|&vertex| (vertex, ground.height(vertex))).collect::<Vec<_>>()
        })
        .expect("the query runs");
    assert!(!heights.is_empty());
    for (vertex, height) in heights {
        // Thousands of metres in f32 are off by 2.4e-4 m, at slopes around 1.
        let off = (height.expect("there is ground") - vertex.y).abs();
        assert!(off < 4e-3, "the ground is {off} m off the vertex at {vertex}");
    }
}

#[test]
fn ten_thousand_kilometres_away_there_is_ground_too() {
    let mut app = headless_app();
    let terrain = add_terrain(&mut app, small_settings());
    let place = [10_000_000.0, -10_000_000.0];
    add_viewer(&mut app, place[0] as f32, place[1] as f32, 100.0);
    settle(&mut app, terrain);
    assert_shown_around(&mut app, terrain, 100.0, &[place]);
    for (coord, entity) in shown(&mut app, terrain).into_iter().filter(|(coord, _)| coord.level == 0) {
        let at = app.world().get::<Transform>(entity).expect("a chunk has a place").translation;
        // Multiples of 32 below 2^24 * 32 are exact in f32.
        assert_eq!([f64::from(at.x), f64::from(at.z)], [coord.x, coord.z].map(|i| i as f64 * SIDE));
        let surface = &app.world().get::<ChunkSurface>(entity).expect("a surface").0;
        assert_eq!(surface.positions[8], [32.0, surface.positions[8][1], 0.0], "vertices are relative to the chunk");
    }
}

/// Flies `app` about, and returns how many chunks it builds in a frame at most: of those that can wait, and of those that can't.
fn most_in_a_frame(mut app: App) -> [u64; 2] {
    set_budget(&mut app, |budget| (budget.chunks_per_frame, budget.max_tasks) = (3, 5));
    let terrain = add_terrain(&mut app, small_settings());
    let viewer = add_viewer(&mut app, 0.0, 0.0, 150.0);
    let (mut before, mut most, mut most_now) = (0, 0, 0);
    for goal in [[0.0, 0.0], [700.0, 0.0]] {
        move_to(&mut app, viewer, goal[0], goal[1]);
        pump_until(&mut app, "settled", |app| {
            let TerrainStats { tasks_in_flight, chunks_built, chunks_built_now, .. } = stats(app);
            assert!(tasks_in_flight <= 5, "{tasks_in_flight} tasks in flight");
            let built_now = chunks_built_now as u64;
            (most, most_now) = (most.max(chunks_built - before - built_now), most_now.max(built_now));
            before = chunks_built;
            state(app, terrain).is_settled()
        });
    }
    [most, most_now]
}

#[test]
fn a_frame_stays_within_its_limits() {
    let [most, most_now] = most_in_a_frame(headless_app());
    // What a frame can't do without is built beside the budget. On a busy machine, tasks may take longer than frames.
    assert!((1..=3).contains(&most), "{most} chunks in a frame");
    assert!((20..=TerrainBudget::MOST_BUILT_NOW as u64).contains(&most_now), "{most_now} chunks at once");
    let [most, most_now] = most_in_a_frame(app_without_threads());
    assert!(most == 3 && (20..=32).contains(&most_now), "{most} chunks in a frame, and {most_now} at once");
}

#[test]
fn a_teleport_cancels_what_nobody_wants_any_more() {
    let mut app = with_chunks_per_frame(headless_app(), 1);
    let terrain = add_terrain(&mut app, small_settings());
    let viewer = add_viewer(&mut app, 0.0, 0.0, 200.0);
    pump_until(&mut app, "many tasks are in flight", |app| stats(app).tasks_in_flight > 40);
    let before = stats(&app);
    move_to(&mut app, viewer, 5000.0, 0.0);
    app.update();
    // All were for the old place; one may have been taken.
    let canceled = stats(&app).tasks_canceled - before.tasks_canceled;
    assert!(canceled as usize >= before.tasks_in_flight - 1, "{:?}", stats(&app));
    settle(&mut app, terrain);
    assert_shown_around(&mut app, terrain, 200.0, &[[5000.0, 0.0]]);
}

#[test]
fn a_drawn_chunk_that_is_despawned_comes_back_in_the_next_frame() {
    let mut app = headless_app();
    let terrain = add_terrain(&mut app, small_settings());
    add_viewer(&mut app, 0.0, 0.0, 80.0);
    settle(&mut app, terrain);
    let before = shown(&mut app, terrain);
    let (&coord, &entity) = before.iter().next().expect("chunks are shown");
    app.world_mut().despawn(entity);
    app.update();
    assert_eq!(stats(&app).chunks_built_now, 1);
    let after = shown(&mut app, terrain);
    assert_seamless(&mut app, terrain);
    settle(&mut app, terrain);
    assert_eq!(shown(&mut app, terrain), after);
    assert_ne!(after[&coord], entity);
    assert!(after.keys().eq(before.keys()));
}

#[test]
fn despawning_a_terrain_leaves_no_chunk_at_any_moment() {
    for frames in [0, 1, 2, 500] {
        let mut app = headless_app();
        set_budget(&mut app, |budget| budget.chunks_per_frame = 2);
        let terrain = add_terrain(&mut app, small_settings());
        add_viewer(&mut app, 0.0, 0.0, 120.0);
        pump(&mut app, frames);
        app.world_mut().despawn(terrain);
        pump(&mut app, 5);
        assert_eq!(chunk_entities(&mut app), 0, "after {frames} frames");
        assert_eq!(stats(&app).tasks_in_flight, 0);
    }
}

#[test]
fn a_terrain_that_is_one_no_more_leaves_nothing_and_may_become_one_again() {
    let mut app = headless_app();
    let terrain = add_terrain(&mut app, small_settings());
    add_viewer(&mut app, 0.0, 0.0, 120.0);
    settle(&mut app, terrain);
    let before = chunk_entities(&mut app);
    let component = app.world_mut().entity_mut(terrain).take::<Terrain>().expect("it is a terrain");
    app.update();
    assert_eq!(chunk_entities(&mut app), 0);
    app.world_mut().entity_mut(terrain).insert(component);
    settle(&mut app, terrain);
    assert_eq!(chunk_entities(&mut app), before);
}

#[test]
fn a_viewer_that_is_nowhere_is_ignored() {
    let mut app = headless_app();
    let terrain = add_terrain(&mut app, small_settings());
    add_viewer(&mut app, 10.0, 10.0, 80.0);
    add_viewer(&mut app, f32::NAN, 0.0, 80.0);
    add_viewer(&mut app, 0.0, f32::INFINITY, 80.0);
    add_viewer(&mut app, 5000.0, 0.0, f32::NAN);
    let no_size = Transform::from_xyz(20.0, 0.0, 10.0).with_scale(Vec3::ZERO);
    app.world_mut().spawn((TerrainViewer { view_distance: 30.0 }, no_size));
    settle(&mut app, terrain);
    assert_shown_around(&mut app, terrain, 80.0, &[[10.0, 10.0]]);
}

#[test]
fn a_viewer_that_sees_no_further_than_its_feet_stands_on_something() {
    let mut app = headless_app();
    let terrain = add_terrain(&mut app, small_settings());
    for (x, view_distance) in [(1000.0, 0.0), (5000.0, -10.0)] {
        add_viewer(&mut app, x, 0.0, view_distance);
    }
    settle(&mut app, terrain);
    let shown = shown(&mut app, terrain);
    let layout = *state(&app, terrain).layout().expect("there is ground");
    for x in [1000.0, 5000.0] {
        let over = (0..=3).filter(|&level| shown.contains_key(&layout.chunk_at(level, x, 0.0)));
        assert_eq!(over.count(), 1);
    }
    assert!(shown.len() < 40, "{} chunks", shown.len());
}

#[test]
fn terrains_stand_side_by_side() {
    let mut app = headless_app();
    let flat = add_terrain(&mut app, small_settings());
    let mut other = small_settings();
    other.field.seed = 99;
    let far = add_terrain(&mut app, other);
    app.world_mut().entity_mut(far).insert(Transform::from_xyz(0.0, 0.0, 320.0));
    add_viewer(&mut app, 0.0, 0.0, 90.0);
    settle(&mut app, flat);
    settle(&mut app, far);
    assert_shown_around(&mut app, flat, 90.0, &[[0.0, 0.0]]);
    assert_shown_around(&mut app, far, 90.0, &[[0.0, -320.0]]);
    assert_ne!(state(&app, flat).field(), state(&app, far).field());
    app.world_mut().despawn(far);
    app.update();
    assert_nothing_left(&mut app);
}

#[test]
fn no_system_of_the_terrain_is_in_doubt_about_its_order() {
    let mut plain = App::new();
    plain.add_plugins((MinimalPlugins, TransformPlugin, AssetPlugin::default(), DiagnosticsPlugin));
    plain.update();
    let mut app = headless_app();
    app.add_plugins((DiagnosticsPlugin, TerrainDiagnosticsPlugin));
    app.update();
    let found = ambiguities(&app, PostUpdate, TERRAIN_SETS);
    assert!(found.is_empty(), "{found:#?}");
    // Systems outside the sets: there are no more doubts than Bevy has by itself.
    let count = |app: &App| {
        [ambiguities(app, PreUpdate, &[]), ambiguities(app, PostUpdate, &[]), ambiguities(app, Last, &[])].concat()
    };
    assert_eq!(count(&app).len(), count(&plain).len(), "{:#?}", count(&app));
}
