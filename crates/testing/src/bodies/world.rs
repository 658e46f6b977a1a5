//! An app with physics, and ground to stand on.

use super::Engine;
use crate::app::{finish, headless_app, pump, pump_until};
use bevy::prelude::*;
use bevy_perlin_terrain::chunk::{ChunkSettings, surface_height};
use bevy_perlin_terrain::field::FieldSettings;
use bevy_perlin_terrain::noise::NoiseSettings;
use bevy_perlin_terrain::prelude::*;

/// Ticks of physics in a second. Each frame has one tick.
pub const HZ: u32 = 60;

/// An app with terrain and with the physics that `add` adds.
pub fn app_with(add: impl FnOnce(&mut App)) -> App {
    let mut app = headless_app();
    app.insert_resource(Time::<Fixed>::from_hz(HZ.into()));
    add(&mut app);
    app
}

/// An app with terrain and physics.
pub fn app<E: Engine>() -> App {
    app_with(E::WAYS[0])
}

/// Hills of 60 m with slopes of up to 45 degrees, and stones.
pub fn rough() -> TerrainSettings {
    let hills = NoiseSettings { octaves: 4, frequency: 0.006, height_scale: 60.0, ..default() };
    let stones = NoiseSettings { octaves: 2, frequency: 0.08, height_scale: 1.5, ..default() };
    TerrainSettings {
        field: FieldSettings { seed: 11, base_height: 20.0, layers: vec![hills.into(), stones.into()], edits: vec![] },
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

/// Finishes the plugins, and runs frames until all tiles are there and no body waits, and some ticks of physics.
pub fn start(app: &mut App) {
    finish(app);
    wait_for_ground(app);
    run(app, 0.1);
}

/// Runs frames until all tiles are there and no body waits.
pub fn wait_for_ground(app: &mut App) {
    pump_until(app, "all ground is there", |app| {
        let mut states = app.world_mut().query::<&TerrainState>();
        let is_there = states.iter(app.world()).all(TerrainState::has_all_collider_tiles);
        is_there && app.world().resource::<TerrainStats>().bodies_waiting == 0
    });
}

/// Runs so many seconds.
pub fn run(app: &mut App, seconds: f32) {
    pump(app, (seconds * HZ as f32) as usize);
}

/// The height of the ground at a position of the world. The terrain is neither moved nor rotated.
pub fn ground(app: &mut App, x: f32, z: f32) -> f32 {
    let mut terrains = app.world_mut().query::<(&TerrainState, &TerrainOrigin)>();
    let (state, origin) = terrains.single(app.world()).expect("one terrain");
    let (field, layout) = (state.field().expect("a ground"), state.layout().expect("a ground"));
    surface_height(field, layout, origin.x() + f64::from(x), origin.z() + f64::from(z)) as f32
}

/// How far a body is above the ground right below it, in metres.
pub fn above_ground<E: Engine>(app: &mut App, body: Entity) -> f32 {
    let at = E::place(app, body);
    at.y - ground(app, at.x, at.z)
}

/// Teleports a body.
pub fn teleport(app: &mut App, body: Entity, to: Vec3) {
    app.world_mut().get_mut::<Transform>(body).expect("a body").translation = to;
}

/// Whether a body waits for ground.
pub fn waits(app: &App, body: Entity) -> bool {
    app.world().get::<WaitsForGround>(body).is_some()
}
