//! Long flights leak nothing, and a still camera allocates nothing.
//!
//! These tests have a process of their own, because its allocator counts allocations and its task pools have one thread each.

use bevy::app::TaskPoolOptions;
use bevy::ecs::schedule::ScheduleCleanupPolicy;
use bevy::prelude::*;
use bevy_perlin_terrain::chunk::LodSettings;
use bevy_perlin_terrain::noise::NoiseRng;
use bevy_perlin_terrain::prelude::*;
use bevy_perlin_terrain::render::{TerrainMaterial, TerrainRenderPlugin, TerrainWater};
use std::sync::MutexGuard;
use testing::app::render::render_app;
use testing::app::*;

/// Runs tests one at a time, and parallel iterations on one thread: on several, they allocate.
fn begin() -> MutexGuard<'static, ()> {
    let guard = alone();
    TaskPoolOptions::with_num_threads(1).create_default_pools();
    guard
}

/// The number of things of every kind that terrain creates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Counts {
    entities: usize,
    chunks: usize,
    meshes: usize,
    ground_materials: usize,
    water_materials: usize,
    other_materials: usize,
    settings: usize,
    tasks: usize,
}

impl Counts {
    /// Counts after a few frames, in which Bevy drops assets without handles.
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
            water_materials: world.resource::<Assets<TerrainWater>>().len(),
            other_materials: world.resource::<Assets<StandardMaterial>>().len(),
            settings: world.resource::<Assets<TerrainSettings>>().len(),
            tasks: stats(app).tasks_in_flight,
        }
    }
}

/// The settings before and after each flight: several levels, and some water.
fn home_settings() -> TerrainSettings {
    let mut settings = small_settings();
    settings.lod = LodSettings { pixel_error: 8.0, ..Default::default() };
    (settings.look.water, settings.look.water_height) = (true, 10.0);
    settings
}

/// The view distance before and after each flight, in metres.
const VIEW: f32 = 700.0;

/// Flies at random for `frames` frames, with teleports, reloads, and a second viewer that spawns and despawns.
fn fly(app: &mut App, terrain: Entity, viewer: Entity, rng: &mut NoiseRng, frames: usize) {
    let mut position = Vec2::ZERO;
    let mut other = None;
    let (mut heading, mut speed) = (0.0, 0.0);
    for frame in 0..frames {
        let mut up_to = |max: f32| rng.next_unit() as f32 * max;
        if frame % 30 == 0 {
            (heading, speed) = (up_to(6.0), up_to(400.0));
            match rng.next_u32() % 9 {
                0 => position = Vec2::new(rng.next_unit() as f32, rng.next_unit() as f32) * 1e5,
                1 => edit(app, terrain, |settings| settings.field.seed += 1),
                2 => edit(app, terrain, |settings| settings.look.layers[0].color[1] = rng.next_unit() as f32),
                3 => edit(app, terrain, |settings| settings.look.water = !settings.look.water),
                4 => edit(app, terrain, |settings| settings.chunks.quads = 24 - settings.chunks.quads),
                5 => edit(app, terrain, |settings| settings.lod.pixel_error = 4.0 + 8.0 * rng.next_unit()),
                6 => set_view_distance(app, viewer, 200.0 + 800.0 * rng.next_unit() as f32),
                7 if other.is_none() => other = Some(add_viewer(app, position.x + 500.0, position.y, 300.0)),
                7 => _ = app.world_mut().despawn(other.take().expect("there is a second viewer")),
                _ => position += Vec2::new(rng.next_unit() as f32, rng.next_unit() as f32) * 1000.0,
            }
        }
        position += Vec2::from_angle(heading) * speed / 60.0;
        move_to(app, viewer, position.x, position.y);
        pump(app, 1);
    }
    if let Some(other) = other {
        app.world_mut().despawn(other);
    }
}

/// Moves the viewer and the settings back to the start. A reload in between replaces everything that is left of the flight.
fn go_home(app: &mut App, terrain: Entity, viewer: Entity) {
    set_view_distance(app, viewer, VIEW);
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
fn counts_are_the_same_after_every_flight() {
    let _alone = begin();
    let mut app = render_app(TerrainRenderPlugin::default());
    let viewer = add_viewer(&mut app, 0.0, 0.0, VIEW);
    let mut rng = NoiseRng::new(3, 0);
    let terrain = add_terrain(&mut app, home_settings());
    settle(&mut app, terrain);
    go_home(&mut app, terrain, viewer);
    let at_start = Counts::of(&mut app);
    assert!(at_start.chunks > 100 && at_start.tasks == 0, "{at_start:?}");
    for flight in 0..3 {
        fly(&mut app, terrain, viewer, &mut rng, 120);
        go_home(&mut app, terrain, viewer);
        assert_eq!(Counts::of(&mut app), at_start, "after flight {flight}");
        assert_nothing_left(&mut app);
    }
}

#[test]
fn a_despawned_terrain_leaves_no_entities_and_no_assets() {
    let _alone = begin();
    let mut app = render_app(TerrainRenderPlugin::default());
    let viewer = add_viewer(&mut app, 0.0, 0.0, VIEW);
    let without_terrain = Counts::of(&mut app);
    let mut rng = NoiseRng::new(4, 0);
    for _ in 0..2 {
        let terrain = add_terrain(&mut app, home_settings());
        settle(&mut app, terrain);
        fly(&mut app, terrain, viewer, &mut rng, 120);
        // While work is in progress.
        move_to(&mut app, viewer, 5000.0, 0.0);
        pump(&mut app, 2);
        app.world_mut().despawn(terrain);
        assert_eq!(Counts::of(&mut app), without_terrain);
    }
}

/// Allocations of the main thread in 100 frames of `app`, which runs all its systems on it.
fn allocations(app: &mut App) -> u64 {
    on_this_thread(app);
    // Bevy's propagation of transforms starts a varying number of tasks.
    app.remove_systems_in_set(PostUpdate, TransformSystems::Propagate, ScheduleCleanupPolicy::RemoveSystemsOnly)
        .expect("the schedule exists");
    // Bevy's own buffers grow to their final size.
    pump(app, 100);
    allocation_counter::measure(|| (0..100).for_each(|_| app.update())).count_total
}

/// Adds a terrain and a still viewer, and settles the terrain.
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
fn a_still_camera_allocates_no_more_with_drawn_terrain_than_without() {
    let _alone = begin();
    let mut app = render_app(TerrainRenderPlugin::default());
    let terrain = add_still_camera(&mut app);
    let with = allocations(&mut app);
    // In the same app, because Bevy's allocations depend on all archetypes that ever existed.
    app.world_mut().despawn(terrain);
    let without = allocations(&mut app);
    assert!(with <= without, "{with} allocations in 100 frames with terrain, {without} without");
}
