//! A long time: what is there when nothing is going on stays the same, and a still camera costs nothing.
//!
//! In a process of its own: allocations are counted by the allocator of the process, and its pools of threads have one each.

mod common;

use bevy::app::TaskPoolOptions;
use bevy::ecs::schedule::ScheduleCleanupPolicy;
use bevy::prelude::*;
use bevy_perlin_terrain::chunk::LodSettings;
use bevy_perlin_terrain::noise::NoiseRng;
use bevy_perlin_terrain::prelude::*;
use bevy_perlin_terrain::render::{TerrainMaterial, TerrainRenderPlugin};
use common::render::render_app;
use common::*;
use std::sync::MutexGuard;

/// Lets tests run one at a time, and iterations over entities on one thread: those on several allocate.
fn begin() -> MutexGuard<'static, ()> {
    let guard = alone();
    TaskPoolOptions::with_num_threads(1).create_default_pools();
    guard
}

/// How much there is of everything that terrain makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Level {
    entities: usize,
    chunks: usize,
    meshes: usize,
    ground_materials: usize,
    other_materials: usize,
    settings: usize,
    tasks: usize,
}

impl Level {
    /// Counts after a few frames, in which Bevy drops the assets that nobody holds any more.
    fn of(app: &mut App) -> Self {
        pump(app, 3);
        let entities = app.world_mut().query::<Entity>().iter(app.world()).count();
        let chunks = chunk_entities(app);
        let world = app.world();
        Self {
            entities,
            chunks,
            meshes: world.resource::<Assets<Mesh>>().len(),
            ground_materials: world.resource::<Assets<TerrainMaterial>>().len(),
            other_materials: world.resource::<Assets<StandardMaterial>>().len(),
            settings: world.resource::<Assets<TerrainSettings>>().len(),
            tasks: stats(app).tasks_in_flight,
        }
    }
}

/// The settings at home: several levels, and some water.
fn home_settings() -> TerrainSettings {
    let mut settings = small_settings();
    settings.lod = LodSettings { pixel_error: 8.0, ..Default::default() };
    (settings.look.water, settings.look.water_height) = (true, 10.0);
    settings
}

/// How far the viewer sees at home.
const VIEW: f32 = 700.0;

/// Flies at random for `frames` frames, with teleports, reloads, and a second viewer that comes and goes.
fn fly(app: &mut App, terrain: Entity, viewer: Entity, rng: &mut NoiseRng, frames: usize) {
    let mut place = Vec2::ZERO;
    let mut other = None;
    let (mut heading, mut speed) = (0.0, 0.0);
    for frame in 0..frames {
        let mut up_to = |most: f32| rng.next_unit() as f32 * most;
        if frame % 30 == 0 {
            (heading, speed) = (up_to(6.0), up_to(400.0));
            match rng.next_u32() % 9 {
                0 => place = Vec2::new(rng.next_unit() as f32, rng.next_unit() as f32) * 1e5,
                1 => edit(app, terrain, |settings| settings.field.seed += 1),
                2 => edit(app, terrain, |settings| settings.look.grass[1] = rng.next_unit() as f32),
                3 => edit(app, terrain, |settings| settings.look.water = !settings.look.water),
                4 => edit(app, terrain, |settings| settings.chunks.quads = 24 - settings.chunks.quads),
                5 => edit(app, terrain, |settings| settings.lod.pixel_error = 4.0 + 8.0 * rng.next_unit()),
                6 => see(app, viewer, 200.0 + 800.0 * rng.next_unit() as f32),
                7 if other.is_none() => other = Some(add_viewer(app, place.x + 500.0, place.y, 300.0)),
                7 => _ = app.world_mut().despawn(other.take().expect("it is there")),
                _ => place += Vec2::new(rng.next_unit() as f32, rng.next_unit() as f32) * 1000.0,
            }
        }
        place += Vec2::from_angle(heading) * speed / 60.0;
        move_to(app, viewer, place.x, place.y);
        pump(app, 1);
    }
    if let Some(other) = other {
        app.world_mut().despawn(other);
    }
}

/// Brings the viewer and the settings back to where they were at first, by a reload in which nothing is left of the flight.
fn go_home(app: &mut App, terrain: Entity, viewer: Entity) {
    see(app, viewer, VIEW);
    move_to(app, viewer, 0.0, 0.0);
    edit(app, terrain, |settings| {
        *settings = home_settings();
        settings.field.seed = 1 << 40;
    });
    settle(app, terrain);
    edit(app, terrain, |settings| *settings = home_settings());
    settle(app, terrain);
}

#[test]
fn after_every_flight_there_is_as_much_as_before_it() {
    let _alone = begin();
    let mut app = render_app(TerrainRenderPlugin::default());
    let viewer = add_viewer(&mut app, 0.0, 0.0, VIEW);
    let mut rng = NoiseRng::new(3, 0);
    let terrain = add_terrain(&mut app, home_settings());
    settle(&mut app, terrain);
    go_home(&mut app, terrain, viewer);
    let at_first = Level::of(&mut app);
    assert!(at_first.meshes > 100 && at_first.tasks == 0, "{at_first:?}");
    for flight in 0..3 {
        fly(&mut app, terrain, viewer, &mut rng, 120);
        go_home(&mut app, terrain, viewer);
        assert_eq!(Level::of(&mut app), at_first, "after flight {flight}");
        assert_nothing_left(&mut app);
    }
}

#[test]
fn when_a_terrain_is_gone_nothing_of_it_is_left() {
    let _alone = begin();
    let mut app = render_app(TerrainRenderPlugin::default());
    let viewer = add_viewer(&mut app, 0.0, 0.0, VIEW);
    let without_terrain = Level::of(&mut app);
    let mut rng = NoiseRng::new(4, 0);
    for _ in 0..2 {
        let terrain = add_terrain(&mut app, home_settings());
        settle(&mut app, terrain);
        fly(&mut app, terrain, viewer, &mut rng, 120);
        // In the middle of the work.
        move_to(&mut app, viewer, 5000.0, 0.0);
        pump(&mut app, 2);
        app.world_mut().despawn(terrain);
        assert_eq!(Level::of(&mut app), without_terrain);
    }
}

/// Allocations of the main thread in 100 frames of `app`, which runs all its systems on it.
fn allocations(app: &mut App) -> u64 {
    on_this_thread(app);
    // Bevy's propagation of transforms starts tasks, now more of them and now fewer.
    app.remove_systems_in_set(PostUpdate, TransformSystems::Propagate, ScheduleCleanupPolicy::RemoveSystemsOnly)
        .expect("the schedule is there");
    // Bevy's own buffers grow to their size.
    pump(app, 100);
    allocation_counter::measure(|| (0..100).for_each(|_| app.update())).count_total
}

/// Settled terrain, and a viewer that stands still.
fn add_still_camera(app: &mut App) -> Entity {
    let terrain = add_terrain(app, home_settings());
    add_viewer(app, 0.0, 0.0, VIEW);
    settle(app, terrain);
    terrain
}

#[test]
fn a_still_camera_over_settled_terrain_allocates_nothing() {
    let _alone = begin();
    let mut app = headless_app();
    add_still_camera(&mut app);
    assert_eq!(allocations(&mut app), 0);
}

#[test]
fn a_still_camera_over_drawn_terrain_allocates_no_more_than_over_none() {
    let _alone = begin();
    let mut app = render_app(TerrainRenderPlugin::default());
    let terrain = add_still_camera(&mut app);
    let with = allocations(&mut app);
    // In the same app, for what Bevy allocates depends on every kind of entity that there ever was.
    app.world_mut().despawn(terrain);
    let without = allocations(&mut app);
    assert!(with <= without, "{with} allocations in 100 frames with terrain, {without} without");
}
