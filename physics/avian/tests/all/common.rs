//! What the tests share: an app without a window and with a manual clock, rough ground, and a bounded number of frames.

use avian3d::math::ToF32Precision;
use avian3d::prelude::*;
use bevy::app::PluginsState;
use bevy::prelude::*;
use bevy::tasks::AsyncComputeTaskPool;
use bevy::time::TimeUpdateStrategy;
use bevy_perlin_terrain::chunk::{ChunkSettings, surface_height};
use bevy_perlin_terrain::field::FieldSettings;
use bevy_perlin_terrain::noise::NoiseSettings;
use bevy_perlin_terrain::prelude::*;
use std::time::Duration;

/// Ticks of physics in a second. Each frame has one tick.
pub const HZ: u32 = 60;

/// An app with terrain and physics, without colliders.
pub fn app_without_colliders() -> App {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin, AssetPlugin::default(), TerrainMinimalPlugins))
        .add_plugins(PhysicsPlugins::default())
        .insert_resource(Time::<Fixed>::from_hz(HZ.into()))
        .insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs(1) / HZ));
    app
}

/// An app with terrain and physics.
pub fn app() -> App {
    let mut app = app_without_colliders();
    app.add_plugins(bevy_perlin_terrain_avian::TerrainColliderPlugin);
    app
}

/// Hills of 60 m with slopes of up to 45 degrees, and stones.
pub fn rough() -> TerrainSettings {
    let hills = NoiseSettings { octaves: 4, frequency: 0.006, height_scale: 60.0, ..default() };
    let stones = NoiseSettings { octaves: 2, frequency: 0.08, height_scale: 1.5, ..default() };
    TerrainSettings {
        field: FieldSettings { seed: 11, base_height: 20.0, layers: vec![hills.into(), stones.into()] },
        chunks: ChunkSettings { quads: 16, spacing: 2.0 },
        ..default()
    }
}

/// Level ground at a height of 20 m.
pub fn flat() -> TerrainSettings {
    let mut settings = rough();
    settings.field.layers.clear();
    settings
}

/// The side of a square of [`rough`], in metres.
pub const SIZE: f32 = 64.0;

/// Spawns a terrain with position `(x, z)` at the origin of the world.
pub fn add_terrain(app: &mut App, settings: TerrainSettings, [x, z]: [f64; 2]) -> Entity {
    let handle = app.world_mut().resource_mut::<Assets<TerrainSettings>>().add(settings);
    app.world_mut().spawn((Terrain(handle), TerrainOrigin::new(x, z))).id()
}

/// Finishes the plugins, and runs frames until all squares are there and no body waits, and some ticks of physics.
pub fn start(app: &mut App) {
    while app.plugins_state() == PluginsState::Adding {}
    app.finish();
    app.cleanup();
    settle(app);
    run(app, 0.1);
}

/// Runs frames until all squares are there and no body waits.
pub fn settle(app: &mut App) {
    for _ in 0..10_000 {
        app.update();
        // Runs the tasks that wait on this thread too.
        AsyncComputeTaskPool::get().scope(|scope| scope.spawn(async {}));
        let mut states = app.world_mut().query::<&TerrainState>();
        let is_there = states.iter(app.world()).all(TerrainState::has_all_squares);
        if is_there && app.world().resource::<TerrainStats>().bodies_waiting == 0 {
            return;
        }
    }
    panic!("no ground after 10 000 frames: {:?}", app.world().resource::<TerrainStats>());
}

/// Runs so many seconds.
pub fn run(app: &mut App, seconds: f32) {
    for _ in 0..(seconds * HZ as f32) as u32 {
        app.update();
    }
}

/// The height of the ground at a position of the world. The terrain is neither moved nor rotated.
pub fn ground(app: &mut App, x: f32, z: f32) -> f32 {
    let mut terrains = app.world_mut().query::<(&TerrainState, &TerrainOrigin)>();
    let (state, origin) = terrains.single(app.world()).expect("one terrain");
    let (field, layout) = (state.field().expect("a ground"), state.layout().expect("a ground"));
    surface_height(field, layout, origin.x() + f64::from(x), origin.z() + f64::from(z)) as f32
}

/// Where a body is.
pub fn place(app: &App, body: Entity) -> Vec3 {
    app.world().get::<Position>(body).expect("a body").0.f32()
}

/// How fast a body is.
pub fn velocity(app: &App, body: Entity) -> Vec3 {
    app.world().get::<LinearVelocity>(body).expect("a body").0
}

/// Teleports a body.
pub fn teleport(app: &mut App, body: Entity, to: Vec3) {
    app.world_mut().get_mut::<Transform>(body).expect("a body").translation = to;
}
