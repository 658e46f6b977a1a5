//! Invalid input: positions that are not finite, values out of range, bursts of reloads, clocks that jump. Nothing panics, a
//! warning is logged once, and the terrain is complete when the input is valid again.
//!
//! These tests have a process of their own, because its task pools have one thread each.

use bevy::app::{TaskPoolOptions, TaskPoolPlugin};
use bevy::prelude::*;
use bevy::tasks::{AsyncComputeTaskPool, ComputeTaskPool};
use bevy::time::TimeUpdateStrategy;
use bevy_perlin_terrain::noise::NoiseRng;
use bevy_perlin_terrain::param::{Param, ParamValue, ParamVisitor, Params, Scale};
use bevy_perlin_terrain::prelude::*;
use bevy_perlin_terrain::stream::ViewerLens;
use std::time::Duration;
use testing::app::log::warnings_of;
use testing::app::*;

/// An app with terrain, and one thread for all background tasks.
fn one_thread_app() -> App {
    let mut app = with_manual_clock(App::new());
    let pools = TaskPoolPlugin { task_pool_options: TaskPoolOptions::with_num_threads(1) };
    app.add_plugins((MinimalPlugins.set(pools), TransformPlugin, AssetPlugin::default(), TerrainMinimalPlugins));
    assert_eq!([AsyncComputeTaskPool::get().thread_num(), ComputeTaskPool::get().thread_num()], [1; 2]);
    app
}

/// Settings with chunks of several levels.
fn levels() -> TerrainSettings {
    settings_with_levels(8.0)
}

/// The view distance of the viewer, in metres.
const VIEW: f32 = 400.0;

/// A settled terrain, and a viewer at the origin.
fn settled_app() -> (App, Entity, Entity) {
    settled(one_thread_app(), levels(), VIEW)
}

/// Moves the viewer back to its start, and asserts that the terrain is complete.
#[track_caller]
fn assert_recovers(app: &mut App, terrain: Entity, viewer: Entity) {
    app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs(1) / 60));
    app.world_mut().entity_mut(terrain).insert(Transform::default());
    app.world_mut().entity_mut(viewer).insert((
        TerrainViewer { view_distance: VIEW },
        Transform::default(),
        ViewerLens::default(),
    ));
    app.update();
    settle(app, terrain);
    assert_seamless(app, terrain);
    assert_nothing_left(app);
    assert_eq!(state(app, terrain).viewers().len(), 1);
    assert!(drawn_chunks(app, terrain).len() > 20);
}

fn at(x: f32, y: f32, z: f32) -> Transform {
    Transform::from_xyz(x, y, z)
}

/// Transforms without a valid position, rotation or scale, and very far positions.
fn bad_transforms() -> Vec<Transform> {
    use std::f32::consts::PI;
    let rotated = |rotation| Transform::from_rotation(rotation);
    let mut transforms = vec![
        rotated(Quat::NAN),
        rotated(Quat::from_xyzw(0.0, 0.0, 0.0, 0.0)),
        rotated(Quat::from_xyzw(f32::INFINITY, 0.0, 0.0, 0.0)),
        rotated(Quat::from_rotation_x(PI / 2.0)),
        Transform::from_scale(Vec3::ZERO),
        Transform::from_scale(Vec3::NAN),
        Transform::from_scale(Vec3::splat(f32::INFINITY)),
        Transform::from_scale(Vec3::splat(f32::MIN_POSITIVE)),
        Transform::from_scale(Vec3::new(1.0, 0.0, -1.0)),
    ];
    for number in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX, f32::MIN, 1e30, -1e18, f32::MIN_POSITIVE] {
        transforms.extend([at(number, 0.0, 0.0), at(0.0, number, 0.0), at(0.0, 0.0, number)]);
        transforms.push(at(number, number, number));
    }
    transforms
}

#[test]
fn a_viewer_without_a_finite_position_warns_once_and_keeps_its_last_position() {
    let _alone = alone();
    let (mut app, terrain, viewer) = settled_app();
    let position = |app: &App| state(app, terrain).viewers().map(|viewer| viewer.xz()).collect::<Vec<_>>();
    let before = position(&app);
    let warnings = warnings_of(&mut app, |app| {
        for number in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            for transform in [at(number, 0.0, 0.0), at(0.0, number, 0.0), at(0.0, 0.0, number)] {
                app.world_mut().entity_mut(viewer).insert(transform);
                pump(app, 5);
            }
            assert_eq!(position(app), before, "a viewer at {number}");
        }
    });
    let about_viewers = warnings.iter().filter(|line| line.contains("keeps its last position")).count();
    assert_eq!(about_viewers, 1, "{warnings:#?}");
    assert_recovers(&mut app, terrain, viewer);
}

#[test]
fn invalid_transforms_of_a_viewer_do_not_break_the_terrain() {
    let _alone = alone();
    let (mut app, terrain, viewer) = settled_app();
    for transform in bad_transforms() {
        println!("viewer: {transform:?}");
        app.world_mut().entity_mut(viewer).insert(transform);
        pump(&mut app, 3);
        assert_recovers(&mut app, terrain, viewer);
    }
}

#[test]
fn invalid_transforms_of_a_terrain_do_not_break_it() {
    let _alone = alone();
    let (mut app, terrain, viewer) = settled_app();
    for transform in bad_transforms() {
        println!("terrain: {transform:?}");
        app.world_mut().entity_mut(terrain).insert(transform);
        pump(&mut app, 3);
        assert_recovers(&mut app, terrain, viewer);
    }
}

#[test]
fn invalid_view_distances_and_lenses_do_not_break_the_terrain() {
    let _alone = alone();
    let (mut app, terrain, viewer) = settled_app();
    let numbers =
        [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX, f32::MIN, 0.0, -1.0, f32::MIN_POSITIVE, 1e12, 1e6];
    for number in numbers {
        println!("view distance {number}");
        app.world_mut().entity_mut(viewer).insert(TerrainViewer { view_distance: number });
        pump(&mut app, 3);
        assert!(stats(&app).chunks_loaded < 20_000, "{:?}", stats(&app));
        assert_recovers(&mut app, terrain, viewer);
        for lens in [
            ViewerLens::Perspective { height: number, field_of_view: 0.8 },
            ViewerLens::Perspective { height: 1080.0, field_of_view: number },
            ViewerLens::Perspective { height: number, field_of_view: number },
        ] {
            println!("{lens:?}");
            app.world_mut().entity_mut(viewer).insert(lens);
            pump(&mut app, 3);
            assert!(stats(&app).chunks_loaded < 20_000, "{:?}", stats(&app));
            assert_recovers(&mut app, terrain, viewer);
        }
    }
}

#[test]
fn a_hundred_viewers_spawn_and_despawn_at_random_positions() {
    let _alone = alone();
    let (mut app, terrain, viewer) = settled_app();
    let mut rng = NoiseRng::new(11, 0);
    for _ in 0..20 {
        let mut others = Vec::new();
        for _ in 0..100 {
            let [x, z] = [0, 1].map(|_| (rng.next_unit() as f32 - 0.5) * 10_f32.powi((rng.next_u32() % 12) as i32));
            others.push(add_viewer(&mut app, x, z, 100.0 * rng.next_unit() as f32));
        }
        pump(&mut app, 2);
        for other in others {
            app.world_mut().despawn(other);
        }
    }
    assert_recovers(&mut app, terrain, viewer);
}

/// Every parameter of `settings`, in order.
fn params(settings: &TerrainSettings) -> Vec<(String, &'static Param, ParamValue)> {
    let mut params = Vec::new();
    settings.clone().visit(&mut ParamVisitor::new(&mut |path, param, value| {
        params.push((path.to_owned(), param, value.get()));
    }));
    params
}

/// `number` as a value of the same kind as `like`. `None` if it is not a number.
fn value_like(like: &ParamValue, number: f64) -> Option<ParamValue> {
    match like {
        ParamValue::Float(_) => Some(ParamValue::Float(number)),
        ParamValue::Count(_) => Some(ParamValue::Count(number as u32)),
        ParamValue::Color(_) => Some(ParamValue::Color([number as f32; 3])),
        ParamValue::Seed(_) => Some(ParamValue::Seed(number as u64)),
        _ => None,
    }
}

#[test]
fn values_out_of_range_are_refused_with_one_warning() {
    let _alone = alone();
    let (mut app, terrain, viewer) = settled_app();
    let numbers = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MAX, f64::MIN, 0.0, -1.0, 1e300, 1e10];
    let mut refused = 0;
    for (path, param, value) in params(&levels()) {
        for invalid in numbers.into_iter().filter_map(|number| value_like(&value, number)) {
            if param.allows(&invalid) {
                continue;
            }
            let warnings = warnings_of(&mut app, |app| {
                for _ in 0..3 {
                    edit(app, terrain, |settings| assert!(settings.set(&path, invalid.clone())));
                    pump(app, 2);
                }
            });
            assert_eq!(warnings.len(), 1, "{path} is {invalid}: {warnings:#?}");
            assert!(warnings[0].contains(&format!("`{path}` is {invalid}, allowed: ")), "{warnings:#?}");
            assert_eq!(state(&app, terrain).settings(), Some(&levels()));
            refused += 1;
            edit(&mut app, terrain, |settings| *settings = levels());
            app.update();
            assert_eq!(problems(&app, terrain), [""; 0]);
        }
    }
    assert!(refused > 100, "only {refused} values were refused");
    assert_recovers(&mut app, terrain, viewer);
}

/// Builds terrain with one parameter after the other at an end of its range, if it has a range.
fn build_every(end_of: impl Fn(&Param) -> f64) {
    let _alone = alone();
    // The first test creates the pools for all.
    TaskPoolOptions::with_num_threads(1).create_default_pools();
    // Without threads, so that the many reloads do not wait for a busy machine.
    let (mut app, terrain, viewer) = settled(app_without_threads(), levels(), VIEW);
    for (path, param, value) in params(&levels()) {
        let end = end_of(param);
        if !end.is_finite() {
            continue;
        }
        let end = match (param.scale, &value) {
            // The end of the range may not be a power of two; the next one is as good.
            (Scale::PowersOfTwo, ParamValue::Count(_)) => ParamValue::Count((end as u32).next_power_of_two()),
            (_, ParamValue::Text(_)) => ParamValue::Text("x".repeat(end as usize)),
            _ => value_like(&value, end).expect("a parameter with a range is a number"),
        };
        println!("{path} is {end}");
        edit(&mut app, terrain, |settings| assert!(settings.set(&path, end.clone())));
        pump(&mut app, 3);
        assert_eq!(problems(&app, terrain), [""; 0]);
        assert_eq!(state(&app, terrain).settings().and_then(|settings| settings.get(&path)), Some(end));
        settle(&mut app, terrain);
        assert!(stats(&app).chunks_loaded < 20_000, "{:?}", stats(&app));
        edit(&mut app, terrain, |settings| *settings = levels());
    }
    assert_recovers(&mut app, terrain, viewer);
}

#[test]
fn the_lowest_value_of_every_parameter_can_be_built() {
    build_every(|param| param.min);
}

#[test]
fn the_highest_value_of_every_parameter_can_be_built() {
    build_every(|param| param.max);
}

#[test]
fn a_burst_of_a_thousand_reloads_ends_with_the_last_and_builds_few_of_them() {
    let _alone = alone();
    let (mut app, terrain, viewer) = settled_app();
    let (before, wanted) = (stats(&app), state(&app, terrain).chunks_wanted() as u64);
    let mut rng = NoiseRng::new(2, 0);
    for reload in 0..1000 {
        edit(&mut app, terrain, |settings| {
            settings.field.seed = 1000 + reload;
            settings.chunks.spacing = [2.0, 4.0][rng.next_u32() as usize % 2];
        });
        // Some are a frame apart, others are in the same frame.
        if rng.next_u32().is_multiple_of(3) {
            app.update();
            assert_seamless(&mut app, terrain);
            assert!(stats(&app).tasks_in_flight <= TerrainBudget::default().max_tasks as usize);
        }
    }
    edit(&mut app, terrain, |settings| {
        *settings = levels();
        settings.field.seed = 77;
    });
    settle(&mut app, terrain);
    assert_eq!(state(&app, terrain).settings().map(|settings| settings.field.seed), Some(77));
    let built = stats(&app).chunks_built - before.chunks_built;
    assert!(built < 100 * wanted, "{built} chunks were built, and {wanted} are wanted");
    assert_recovers(&mut app, terrain, viewer);
}

#[test]
fn a_clock_that_jumps_or_stops_does_not_break_the_terrain() {
    let _alone = alone();
    let (mut app, terrain, viewer) = settled_app();
    let hour = Duration::from_secs(3600);
    let steps = [Duration::ZERO, hour, Duration::from_nanos(1), 1000 * hour, Duration::ZERO, 1_000_000 * hour];
    for (number, step) in (0_u8..).zip(steps) {
        app.insert_resource(TimeUpdateStrategy::ManualDuration(step));
        move_to(&mut app, viewer, 5000.0 * f32::from(number + 1), 0.0);
        for _ in 0..30 {
            app.update();
            assert_seamless(&mut app, terrain);
        }
    }
    assert_recovers(&mut app, terrain, viewer);
}

#[test]
fn while_the_clock_is_stopped_ground_is_drawn_and_detail_follows_when_it_runs_again() {
    let _alone = alone();
    let (mut app, terrain, viewer) = settled_app();
    app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::ZERO));
    move_to(&mut app, viewer, 9000.0, 0.0);
    for _ in 0..200 {
        app.update();
        assert_seamless(&mut app, terrain);
    }
    app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs(1) / 60));
    settle(&mut app, terrain);
    assert_recovers(&mut app, terrain, viewer);
}

#[test]
fn a_terrain_that_respawns_in_every_frame_leaves_no_chunks() {
    let _alone = alone();
    let (mut app, mut terrain, viewer) = settled_app();
    for _ in 0..200 {
        app.world_mut().despawn(terrain);
        terrain = add_terrain(&mut app, levels());
        app.update();
    }
    settle(&mut app, terrain);
    assert_recovers(&mut app, terrain, viewer);
    app.world_mut().despawn(terrain);
    pump(&mut app, 3);
    assert_eq!((chunk_entities(&mut app), stats(&app).tasks_in_flight), (0, 0));
}

#[cfg(feature = "render")]
#[test]
fn a_far_plane_nearer_than_the_view_distance_warns_once() {
    let _alone = alone();
    // The first test creates the pools for all.
    TaskPoolOptions::with_num_threads(1).create_default_pools();
    let mut app = render::render_app(bevy_perlin_terrain::render::TerrainRenderPlugin::default());
    let camera = |far, view_distance| {
        let projection = Projection::from(PerspectiveProjection { far, ..default() });
        (Camera3d::default(), projection, TerrainViewer { view_distance })
    };
    let near = app.world_mut().spawn(camera(1000.0, 8000.0)).id();
    app.world_mut().spawn(camera(1000.0, 1000.0));
    // This viewer is no camera, so it has no far plane.
    add_viewer(&mut app, 0.0, 0.0, 8000.0);
    let warnings = warnings_of(&mut app, |app| {
        pump(app, 3);
        set_view_distance(app, near, 9000.0);
        pump(app, 3);
    });
    let about: Vec<_> = warnings.iter().filter(|warning| warning.contains("far plane")).collect();
    assert_eq!(about.len(), 1, "{warnings:?}");
    let parts = [near.to_string(), "1000 m".to_owned(), "8000 m".to_owned()];
    assert!(parts.iter().all(|part| about[0].contains(part)), "{about:?}");
}

#[test]
fn chunks_that_a_game_despawns_when_they_are_added_are_built_again() {
    let _alone = alone();
    let mut app = one_thread_app();
    let mut chunks = 0;
    app.add_observer(move |added: On<Add<TerrainChunk>>, mut commands: Commands| {
        chunks += 1;
        if chunks % 3 == 1 && chunks < 200 {
            commands.entity(added.entity).despawn();
        }
    });
    let terrain = add_terrain(&mut app, levels());
    let viewer = add_viewer(&mut app, 0.0, 0.0, VIEW);
    settle(&mut app, terrain);
    assert_seamless(&mut app, terrain);
    move_to(&mut app, viewer, 9000.0, 0.0);
    settle(&mut app, terrain);
    assert_recovers(&mut app, terrain, viewer);
}
