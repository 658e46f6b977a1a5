//! Chunks follow the viewers, within the limits of a frame.

use bevy::diagnostic::DiagnosticsPlugin;
use bevy::ecs::system::RunSystemOnce;
use bevy::prelude::*;
use bevy_perlin_terrain::chunk::{ChunkCoord, LodRanges};
use bevy_perlin_terrain::prelude::*;
use bevy_perlin_terrain::stream::{StageTimes, TerrainDiagnosticsPlugin};
use std::collections::BTreeSet;
use testing::app::log::warnings_of;
use testing::app::messages::{record_messages, take_messages};
use testing::app::*;

/// Side length of a chunk of [`small_settings`].
const SIDE: f64 = 32.0;

/// A chunk stays drawn until it is this far out of view, in metres.
const HYSTERESIS: f64 = LodRanges::HYSTERESIS * SIDE;

/// Horizontal distance from a position to a chunk of [`small_settings`], computed without the crate.
fn distance(chunk: ChunkCoord, [x, z]: [f64; 2]) -> f64 {
    let outside = |position: f64, index: i64| {
        let start = index as f64 * SIDE;
        if position < start {
            start - position
        } else if position > start + SIDE {
            position - start - SIDE
        } else {
            0.0
        }
    };
    outside(x, chunk.x).hypot(outside(z, chunk.z))
}

/// Every chunk of the finest level nearer than `radius` metres to a position.
fn chunks_within(radius: f64, position: [f64; 2]) -> BTreeSet<ChunkCoord> {
    let [x, z] = position.map(|p| (p / SIDE).floor() as i64);
    let max = (radius / SIDE) as i64 + 2;
    (-max..=max)
        .flat_map(|dz| (-max..=max).map(move |dx| ChunkCoord::finest(x + dx, z + dz)))
        .filter(|&chunk| distance(chunk, position) < radius)
        .collect()
}

/// Asserts that the drawn chunks are those that viewers at `positions` want: the finest chunks everywhere within view, only coarser
/// ones beyond it, and no seam.
#[track_caller]
fn assert_drawn_around(app: &mut App, terrain: Entity, view_distance: f64, positions: &[[f64; 2]]) {
    let drawn: BTreeSet<ChunkCoord> = drawn_chunks(app, terrain).into_keys().collect();
    for &position in positions {
        for chunk in chunks_within(view_distance, position) {
            assert!(drawn.contains(&chunk), "{chunk:?} is within view of {position:?} and not drawn");
        }
    }
    for chunk in drawn.into_iter().filter(|chunk| chunk.level == 0) {
        let nearest = positions.iter().map(|&position| distance(chunk, position)).fold(f64::INFINITY, f64::min);
        assert!(nearest <= view_distance + HYSTERESIS, "{chunk:?} is drawn, {nearest} m from the nearest viewer");
    }
    assert_seamless(app, terrain);
}

#[test]
fn a_settled_terrain_shows_all_wanted_chunks() {
    let mut app = headless_app();
    let terrain = add_terrain(&mut app, small_settings());
    let viewer = add_viewer(&mut app, 0.0, 0.0, 150.0);
    for position in [[0.0, 0.0], [13.7, -5.2], [-77.0, 1000.0], [-80.5, 1003.0]] {
        move_to(&mut app, viewer, position[0] as f32, position[1] as f32);
        settle(&mut app, terrain);
        assert_drawn_around(&mut app, terrain, 150.0, &[position]);
        assert_nothing_left(&mut app);
        for (coord, entity) in drawn_chunks(&mut app, terrain) {
            assert_eq!(state(&app, terrain).chunk(coord), Some(entity));
        }
    }
}

#[test]
fn a_teleport_leaves_no_old_chunks() {
    let (mut app, terrain, viewer) = settled(headless_app(), small_settings(), 120.0);
    for position in [[50_000.0, -20_000.0], [-3.0, 4.0]] {
        move_to(&mut app, viewer, position[0] as f32, position[1] as f32);
        settle(&mut app, terrain);
        assert_drawn_around(&mut app, terrain, 120.0, &[position]);
        assert_nothing_left(&mut app);
    }
}

#[test]
fn the_chunks_of_two_viewers_are_a_union_and_those_of_one_are_despawned_with_it() {
    let mut app = headless_app();
    let terrain = add_terrain(&mut app, small_settings());
    add_viewer(&mut app, 0.0, 0.0, 100.0);
    let second = add_viewer(&mut app, 150.0, 20.0, 100.0);
    settle(&mut app, terrain);
    assert_drawn_around(&mut app, terrain, 100.0, &[[0.0, 0.0], [150.0, 20.0]]);
    app.world_mut().despawn(second);
    settle(&mut app, terrain);
    assert_drawn_around(&mut app, terrain, 100.0, &[[0.0, 0.0]]);
}

#[test]
fn a_viewer_can_be_added_late_and_removed() {
    let mut app = headless_app();
    let terrain = add_terrain(&mut app, small_settings());
    pump(&mut app, 20);
    assert_eq!(chunk_entities(&mut app), 0);
    let viewer = add_viewer(&mut app, -40.0, 40.0, 90.0);
    settle(&mut app, terrain);
    assert_drawn_around(&mut app, terrain, 90.0, &[[-40.0, 40.0]]);
    app.world_mut().entity_mut(viewer).remove::<TerrainViewer>();
    app.update();
    assert!(drawn_chunks(&mut app, terrain).is_empty() && state(&app, terrain).is_settled());
    settle(&mut app, terrain);
    assert_eq!(chunk_entities(&mut app), 0);
}

#[test]
fn a_terrain_without_a_viewer_or_a_body_warns_once_for_as_long_as_it_has_none() {
    let _alone = alone();
    // The names tell these terrains apart from those of other tests, whose systems may run on this thread.
    let add_terrain = |app: &mut App, name: &'static str| {
        let terrain = add_terrain(app, small_settings());
        app.world_mut().entity_mut(terrain).insert(Name::new(name));
        terrain
    };
    let about = |lines: Vec<String>, name: &str| {
        lines.iter().filter(|line| line.contains("no viewer") && line.contains(name)).count()
    };
    let mut app = headless_app();
    let warnings = warnings_of(&mut app, |app| {
        pump(app, 3);
        let terrain = add_terrain(app, "a terrain without viewers");
        pump(app, 20);
        let viewer = add_viewer(app, 0.0, 0.0, 60.0);
        settle(app, terrain);
        app.world_mut().despawn(viewer);
        add_terrain(app, "a terrain without viewers");
        pump(app, 20);
    });
    assert_eq!(about(warnings, "a terrain without viewers"), 3, "the first one twice, the second one once");
    let mut app = headless_app();
    let warnings = warnings_of(&mut app, |app| {
        app.world_mut().spawn(KeepGround::default());
        add_terrain(app, "a terrain with a body");
        pump(app, 20);
    });
    assert_eq!(about(warnings, "a terrain with a body"), 0);
}

#[test]
fn chunks_follow_a_viewer_that_moves_in_every_frame() {
    let mut app = headless_app();
    let terrain = add_terrain(&mut app, small_settings());
    let viewer = add_viewer(&mut app, 0.0, 0.0, 100.0);
    for frame in 0..300 {
        let x = frame as f32 * 3.1;
        move_to(&mut app, viewer, x, -x / 2.0);
        app.update();
        for chunk in drawn_chunks(&mut app, terrain).into_keys().filter(|chunk| chunk.level == 0) {
            let distance = distance(chunk, [f64::from(x), f64::from(-x / 2.0)]);
            assert!(distance <= 100.0 + HYSTERESIS, "frame {frame}: {chunk:?} is {distance} m away");
        }
        assert_seamless(&mut app, terrain);
        // The viewer stops every 50 frames until the ground is complete.
        if frame % 50 == 49 {
            settle(&mut app, terrain);
            assert_drawn_around(&mut app, terrain, 100.0, &[[f64::from(x), f64::from(-x / 2.0)]]);
        }
    }
}

#[test]
fn moves_within_the_hysteresis_build_nothing() {
    let (mut app, terrain, viewer) = settled(headless_app(), small_settings(), 100.0);
    // Moves back and forth by less than the hysteresis. Chunks that come into view stay loaded.
    let go = |app: &mut App, frame: u8| {
        move_to(app, viewer, f32::from(frame % 3), -f32::from(frame % 2));
        app.update();
    };
    (0..6).for_each(|frame| go(&mut app, frame));
    settle(&mut app, terrain);
    let (before, entities) = (stats(&app), drawn_chunks(&mut app, terrain));
    for frame in 0..100 {
        go(&mut app, frame);
        assert_eq!(drawn_chunks(&mut app, terrain), entities, "frame {frame}");
    }
    let after = stats(&app);
    assert_eq!((after.chunks_built, after.tasks_in_flight), (before.chunks_built, 0));
}

#[test]
fn a_still_viewer_causes_no_work() {
    let (mut app, terrain, viewer) = settled(headless_app(), small_settings(), 100.0);
    let has_worked = |app: &mut App| {
        app.update();
        let StageTimes { generate, apply, .. } = stats(app).stage_times;
        !(generate.is_zero() && apply.is_zero())
    };
    app.update();
    assert!(!has_worked(&mut app));
    move_to(&mut app, viewer, 500.0, 0.0);
    assert!(has_worked(&mut app));
    settle(&mut app, terrain);
    app.update();
    assert!(!has_worked(&mut app));
    // Another terrain replaces it, and has no settings yet.
    app.world_mut().despawn(terrain);
    app.world_mut().spawn(Terrain::default());
    assert!(has_worked(&mut app));
    assert!(!has_worked(&mut app));
    assert_eq!((stats(&app).chunks_loaded, stats(&app).chunks_drawn), (0, 0));
}

#[test]
fn a_moved_and_rotated_terrain_follows_viewers_in_its_own_coordinates() {
    let mut app = headless_app();
    let terrain = add_terrain(&mut app, small_settings());
    let transform = moved_and_rotated();
    app.world_mut().entity_mut(terrain).insert(transform);
    let local = Vec3::new(300.0, 0.0, 70.0);
    let world = transform.transform_point(local);
    // 240 m of the world are 120 m of the terrain.
    add_viewer(&mut app, world.x, world.z, 240.0);
    settle(&mut app, terrain);
    assert_drawn_around(&mut app, terrain, 120.0, &[[300.0, 70.0]]);

    // Ground queries return the heights of the drawn vertices.
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
        // An `f32` of thousands of metres is rounded by up to 2.4e-4 m, at slopes around 1.
        let off = (height.expect("there is ground") - vertex.y).abs();
        assert!(off < 4e-3, "the height differs by {off} m from the vertex at {vertex}");
    }
}

#[test]
fn ground_is_exact_ten_thousand_kilometres_away() {
    let mut app = headless_app();
    let terrain = add_terrain(&mut app, small_settings());
    let position = [10_000_000.0, -10_000_000.0];
    add_viewer(&mut app, position[0] as f32, position[1] as f32, 100.0);
    settle(&mut app, terrain);
    assert_drawn_around(&mut app, terrain, 100.0, &[position]);
    for (coord, entity) in drawn_chunks(&mut app, terrain).into_iter().filter(|(coord, _)| coord.level == 0) {
        let at = app.world().get::<Transform>(entity).expect("a chunk has a transform").translation;
        // Multiples of 32 below 2^24 * 32 are exact in f32.
        assert_eq!([f64::from(at.x), f64::from(at.z)], [coord.x, coord.z].map(|i| i as f64 * SIDE));
        let surface = &app.world().get::<ChunkSurface>(entity).expect("a surface").0;
        assert_eq!(surface.positions[8], [32.0, surface.positions[8][1], 0.0], "vertices are relative to the chunk");
    }
}

/// Moves a viewer of `app`. Returns the largest numbers of chunks in a frame: finished by tasks, and built within the frame.
fn max_in_a_frame(mut app: App) -> [u64; 2] {
    set_budget(&mut app, |budget| (budget.chunks_per_frame, budget.max_tasks) = (3, 5));
    let terrain = add_terrain(&mut app, small_settings());
    let viewer = add_viewer(&mut app, 0.0, 0.0, 150.0);
    let (mut before, mut max, mut max_now) = (0, 0, 0);
    for goal in [[0.0, 0.0], [700.0, 0.0]] {
        move_to(&mut app, viewer, goal[0], goal[1]);
        pump_until(&mut app, "settled", |app| {
            let TerrainStats { tasks_in_flight, chunks_built, chunks_built_now, .. } = stats(app);
            assert!(tasks_in_flight <= 5, "{tasks_in_flight} tasks in flight");
            let built_now = chunks_built_now as u64;
            (max, max_now) = (max.max(chunks_built - before - built_now), max_now.max(built_now));
            before = chunks_built;
            state(app, terrain).is_settled()
        });
    }
    [max, max_now]
}

#[test]
fn every_frame_stays_within_the_limits_of_chunks_and_tasks() {
    let [max, max_now] = max_in_a_frame(headless_app());
    // Chunks that are built within the frame do not count. On a busy machine, tasks may take longer than frames.
    assert!((1..=3).contains(&max), "{max} chunks in a frame");
    assert!((20..=TerrainBudget::MAX_BUILT_NOW as u64).contains(&max_now), "{max_now} chunks built within a frame");
    let [max, max_now] = max_in_a_frame(app_without_threads());
    assert!(max == 3 && (20..=32).contains(&max_now), "{max} chunks in a frame, and {max_now} built within it");
}

#[test]
fn a_teleport_cancels_the_tasks_of_unwanted_chunks() {
    let mut app = with_chunks_per_frame(headless_app(), 1);
    let terrain = add_terrain(&mut app, small_settings());
    let viewer = add_viewer(&mut app, 0.0, 0.0, 200.0);
    pump_until(&mut app, "many tasks are in flight", |app| stats(app).tasks_in_flight > 40);
    let before = stats(&app);
    move_to(&mut app, viewer, 5000.0, 0.0);
    app.update();
    // All tasks were for the old position. One may have been finished and taken.
    let canceled = stats(&app).tasks_canceled - before.tasks_canceled;
    assert!(canceled as usize >= before.tasks_in_flight - 1, "{:?}", stats(&app));
    settle(&mut app, terrain);
    assert_drawn_around(&mut app, terrain, 200.0, &[[5000.0, 0.0]]);
}

#[test]
fn a_drawn_chunk_that_is_despawned_is_rebuilt_in_the_next_frame() {
    let (mut app, terrain, _) = settled(headless_app(), small_settings(), 80.0);
    let before = drawn_chunks(&mut app, terrain);
    let (&coord, &entity) = before.iter().next().expect("chunks are shown");
    app.world_mut().despawn(entity);
    app.update();
    assert_eq!(stats(&app).chunks_built_now, 1);
    let after = drawn_chunks(&mut app, terrain);
    assert_seamless(&mut app, terrain);
    settle(&mut app, terrain);
    assert_eq!(drawn_chunks(&mut app, terrain), after);
    assert_ne!(after[&coord], entity);
    assert!(after.keys().eq(before.keys()));
}

#[test]
fn a_terrain_that_is_despawned_at_any_time_leaves_no_chunk() {
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
fn the_terrain_component_can_be_removed_and_added_again() {
    let (mut app, terrain, _) = settled(headless_app(), small_settings(), 120.0);
    let before = chunk_entities(&mut app);
    let component = app.world_mut().entity_mut(terrain).take::<Terrain>().expect("it is a terrain");
    app.update();
    assert_eq!(chunk_entities(&mut app), 0);
    app.world_mut().entity_mut(terrain).insert(component);
    settle(&mut app, terrain);
    assert_eq!(chunk_entities(&mut app), before);
}

#[test]
fn a_viewer_without_a_finite_position_is_ignored() {
    let mut app = headless_app();
    let terrain = add_terrain(&mut app, small_settings());
    add_viewer(&mut app, 10.0, 10.0, 80.0);
    add_viewer(&mut app, f32::NAN, 0.0, 80.0);
    add_viewer(&mut app, 0.0, f32::INFINITY, 80.0);
    add_viewer(&mut app, 5000.0, 0.0, f32::NAN);
    let no_size = Transform::from_xyz(20.0, 0.0, 10.0).with_scale(Vec3::ZERO);
    app.world_mut().spawn((TerrainViewer { view_distance: 30.0 }, no_size));
    settle(&mut app, terrain);
    assert_drawn_around(&mut app, terrain, 80.0, &[[10.0, 10.0]]);
}

#[test]
fn a_viewer_that_is_not_finite_for_a_moment_keeps_its_ground() {
    let _alone = alone();
    let mut app = headless_app();
    record_messages(&mut app);
    let terrain = add_terrain(&mut app, settings_with_levels(3.0));
    let viewer = add_viewer(&mut app, 0.0, 0.0, 1500.0);
    settle(&mut app, terrain);
    let before = drawn_chunks(&mut app, terrain);
    take_messages(&mut app);
    let good = (Transform::from_xyz(0.0, 0.0, 0.0), TerrainViewer { view_distance: 1500.0 });
    let bad = [
        (Transform::from_translation(Vec3::NAN), good.1),
        (Transform::from_xyz(f32::INFINITY, 0.0, 0.0), good.1),
        (Transform::from_rotation(Quat::from_array([f32::NAN; 4])), good.1),
        (good.0, TerrainViewer { view_distance: f32::NAN }),
    ];
    let warnings = warnings_of(&mut app, |app| {
        for bundle in bad {
            for _ in 0..3 {
                app.world_mut().entity_mut(viewer).insert(bundle);
                app.update();
                assert_eq!(drawn_chunks(app, terrain), before, "{bundle:?}");
            }
            app.world_mut().entity_mut(viewer).insert(good);
            app.update();
            assert_eq!(drawn_chunks(app, terrain), before, "after {bundle:?}");
        }
        // A direction that is not finite is none. The terrain has no size for a moment.
        app.world_mut().entity_mut(terrain).insert(Transform::from_scale(Vec3::ZERO));
        pump(app, 3);
        app.world_mut().entity_mut(terrain).insert(Transform::default());
        pump(app, 3);
        assert_eq!(drawn_chunks(app, terrain), before);
    });
    let told = take_messages(&mut app);
    assert!(told.ground_hidden.is_empty() && told.hidden.is_empty(), "{told:?}");
    let about = |text: &str| warnings.iter().filter(|line| line.contains(text)).count();
    assert_eq!((about("keeps its last position"), about("has a scale of zero")), (4, 1), "{warnings:?}");
}

/// The position of the viewer around which far maps are made.
fn first_viewer(app: &App, terrain: Entity) -> f64 {
    state(app, terrain).viewers().next().map_or(f64::NAN, |viewer| viewer.xz()[0])
}

#[cfg(feature = "render")]
#[test]
fn the_first_viewer_is_an_active_camera_and_stays_the_same_one() {
    use bevy::camera::{Camera, Camera3d};
    let mut app = headless_app();
    let terrain = add_terrain(&mut app, small_settings());
    let add = |app: &mut App, x: f32, is_active: Option<bool>| {
        let viewer = add_viewer(app, x, 0.0, 80.0);
        if let Some(is_active) = is_active {
            app.world_mut().entity_mut(viewer).insert((Camera3d::default(), Camera { is_active, ..default() }));
        }
        settle(app, terrain);
        viewer
    };
    add(&mut app, 9000.0, None);
    assert_eq!(first_viewer(&app, terrain), 9000.0, "there is no other");
    let inactive = add(&mut app, 1000.0, Some(false));
    assert_eq!(first_viewer(&app, terrain), 9000.0, "it stays");
    let camera = add(&mut app, 2000.0, Some(true));
    assert_eq!(first_viewer(&app, terrain), 2000.0, "an active camera is better");
    app.world_mut().get_mut::<Camera>(inactive).expect("a camera").is_active = true;
    pump(&mut app, 3);
    assert_eq!(first_viewer(&app, terrain), 2000.0, "it stays");
    assert!(state(&app, terrain).viewers().len() == 3, "all are viewers");
    app.world_mut().get_mut::<Camera>(camera).expect("a camera").is_active = false;
    pump(&mut app, 3);
    assert_eq!(first_viewer(&app, terrain), 1000.0, "the active one");
    app.world_mut().entity_mut(inactive).remove::<TerrainViewer>();
    pump(&mut app, 3);
    assert_ne!(first_viewer(&app, terrain), 1000.0, "it is no viewer");
}

#[test]
fn terrains_that_are_placed_as_they_may_not_be_are_reported_once() {
    let _alone = alone();
    let (mut app, terrain, _) = settled(headless_app(), small_settings(), 60.0);
    let warnings = warnings_of(&mut app, |app| {
        let mut position = |transform: Transform| {
            for _ in 0..3 {
                app.world_mut().entity_mut(terrain).insert(transform);
                app.update();
            }
        };
        position(moved_and_rotated());
        position(Transform::from_rotation(Quat::from_rotation_x(0.3)));
        position(Transform::default());
        position(Transform::from_scale(Vec3::new(-1.0, 1.0, 1.0)));
        position(Transform::from_scale(Vec3::splat(2.0)));
    });
    let about: Vec<bool> =
        warnings.iter().map(|line| line.contains("is tilted") || line.contains("is mirrored")).collect();
    assert_eq!(about, [true, true], "{warnings:?}");
}

#[test]
fn a_viewer_with_a_view_distance_of_zero_has_ground_below_it() {
    let mut app = headless_app();
    let terrain = add_terrain(&mut app, small_settings());
    for (x, view_distance) in [(1000.0, 0.0), (5000.0, -10.0)] {
        add_viewer(&mut app, x, 0.0, view_distance);
    }
    settle(&mut app, terrain);
    let drawn = drawn_chunks(&mut app, terrain);
    let layout = *state(&app, terrain).layout().expect("there is ground");
    for x in [1000.0, 5000.0] {
        let over = (0..=3).filter(|&level| drawn.contains_key(&layout.chunk_at(level, x, 0.0)));
        assert_eq!(over.count(), 1);
    }
    assert!(drawn.len() < 40, "{} chunks", drawn.len());
}

#[test]
fn several_terrains_can_be_side_by_side() {
    let mut app = headless_app();
    let flat = add_terrain(&mut app, small_settings());
    let mut other = small_settings();
    other.field.seed = 99;
    let far = add_terrain(&mut app, other);
    app.world_mut().entity_mut(far).insert(Transform::from_xyz(0.0, 0.0, 320.0));
    add_viewer(&mut app, 0.0, 0.0, 90.0);
    settle(&mut app, flat);
    settle(&mut app, far);
    assert_drawn_around(&mut app, flat, 90.0, &[[0.0, 0.0]]);
    assert_drawn_around(&mut app, far, 90.0, &[[0.0, -320.0]]);
    assert_ne!(state(&app, flat).field(), state(&app, far).field());
    app.world_mut().despawn(far);
    app.update();
    assert_nothing_left(&mut app);
}

#[test]
fn no_system_of_the_terrain_is_ambiguous() {
    let mut plain = App::new();
    plain.add_plugins((MinimalPlugins, TransformPlugin, AssetPlugin::default(), DiagnosticsPlugin));
    plain.update();
    let mut app = headless_app();
    app.add_plugins((DiagnosticsPlugin, TerrainDiagnosticsPlugin));
    app.update();
    let found = ambiguities(&app, PostUpdate, TERRAIN_SETS);
    assert!(found.is_empty(), "{found:#?}");
    // Systems outside the sets add no ambiguities to those of Bevy.
    let count = |app: &App| {
        [ambiguities(app, PreUpdate, &[]), ambiguities(app, PostUpdate, &[]), ambiguities(app, Last, &[])].concat()
    };
    assert_eq!(count(&app).len(), count(&plain).len(), "{:#?}", count(&app));
}
