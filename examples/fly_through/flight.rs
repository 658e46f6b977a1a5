//! The terrain, its presets, and a viewer above it. Needs no window.

use crate::Options;
use bevy::camera_controller::free_camera::FreeCameraState;
use bevy::math::DVec3;
use bevy::prelude::*;
use bevy_perlin_terrain::prelude::*;
use bevy_perlin_terrain::stream::TerrainPosition;
use std::path::Path;

/// A file in `assets/terrain/`, and a position that is worth a look.
pub struct Preset {
    pub name: &'static str,
    pub start: Start,
    /// The view distance in metres.
    pub view: f32,
}

/// Where a viewer starts: x and z on the terrain and the height above the ground in metres, yaw and pitch in degrees.
#[derive(Component, Clone, Copy)]
pub struct Start(pub [f32; 5]);

pub const PRESETS: [Preset; 8] = [
    Preset { name: "alps", start: Start([17.0, -1153.0, 220.0, 0.0, -6.0]), view: 24_000.0 },
    Preset { name: "rolling_hills", start: Start([-126.0, 5312.0, 40.0, 330.0, -6.0]), view: 12_000.0 },
    Preset { name: "islands", start: Start([-4500.0, -2400.0, 60.0, -15.0, -9.0]), view: 16_000.0 },
    Preset { name: "fjords", start: Start([-141.0, 623.0, 200.0, 0.0, -4.0]), view: 24_000.0 },
    Preset { name: "dunes", start: Start([-3925.0, -3834.0, 35.0, 0.0, -6.0]), view: 12_000.0 },
    Preset { name: "canyon", start: Start([-563.0, -1063.0, 120.0, 210.0, -12.0]), view: 12_000.0 },
    Preset { name: "badlands", start: Start([-810.0, -984.0, 75.0, 20.0, -6.0]), view: 8000.0 },
    Preset { name: "savanna", start: Start([166.0, 3478.0, 40.0, 0.0, -3.0]), view: 12_000.0 },
];

impl Preset {
    pub fn file(&self) -> String {
        format!("terrain/{}.terrain.ron", self.name)
    }

    pub fn viewer(&self, options: &Options) -> (TerrainViewer, Start) {
        // A browser draws with less.
        let max = if cfg!(target_family = "wasm") { 8000.0 } else { f32::MAX };
        (TerrainViewer { view_distance: options.view.unwrap_or(self.view.min(max)) }, self.start)
    }
}

pub fn plugin(app: &mut App) {
    app.add_systems(Startup, spawn).add_systems(Update, (start_above_ground, fly_ahead, end_without_ground).chain());
}

fn spawn(mut commands: Commands, assets: Res<AssetServer>, options: Res<Options>) {
    // A file outside of `assets/` has its full path.
    let file = Path::new(&options.settings).canonicalize().unwrap_or_else(|_| options.settings.clone().into());
    commands.spawn(Terrain(assets.load(file)));
    let other = Preset { name: "", start: Start([0.0, 0.0, 120.0, -45.0, -12.0]), view: 8000.0 };
    let preset = PRESETS.into_iter().find(|preset| options.settings.ends_with(&preset.file())).unwrap_or(other);
    let mut viewer = commands.spawn((preset.viewer(&options), Transform::default()));
    if options.last_frame().is_some() {
        viewer.insert(Autopilot::default());
    }
}

/// Puts viewers above the ground, or above the water, as soon as the settings are loaded.
fn start_above_ground(
    mut commands: Commands,
    mut viewers: Query<(Entity, &Start, &mut Transform, Option<&mut FreeCameraState>)>,
    terrain: Single<(&TerrainState, TerrainPosition)>,
    ground: TerrainGround,
) {
    let (state, position) = &*terrain;
    for (viewer, &Start([x, z, up, yaw, pitch]), mut transform, camera) in &mut viewers {
        // The origin of the world may have shifted.
        let at = position.frame().to_world(DVec3::new(x.into(), 0.0, z.into()));
        let Some((height, settings)) = ground.height(at).zip(state.settings()) else { continue };
        let look = &settings.look;
        let surface = if look.water { height.max(look.water_height as f32) } else { height };
        let [yaw, pitch] = [yaw, pitch].map(f32::to_radians);
        let rotation = Quat::from_euler(EulerRot::YXZ, yaw, pitch, 0.0);
        *transform = Transform::from_translation(at.with_y(surface + up)).with_rotation(rotation);
        if let Some(mut camera) = camera {
            (camera.yaw, camera.pitch) = (yaw, pitch);
        }
        commands.entity(viewer).remove::<Start>();
    }
}

/// A viewer that flies ahead, and the number of frames that it flew.
#[derive(Component, Default)]
pub struct Autopilot(pub u32);

/// Flies at 60 m/s, 90 m above the ground of the next seconds. Waits for the ground first.
fn fly_ahead(
    mut viewers: Query<(&mut Transform, &mut Autopilot), Without<Start>>,
    terrain: Single<&TerrainState>,
    ground: TerrainGround,
    time: Res<Time>,
) {
    for (mut transform, mut autopilot) in &mut viewers {
        if autopilot.0 == 0 && !terrain.is_settled() {
            continue;
        }
        autopilot.0 += 1;
        let position = transform.translation;
        let velocity = 60.0 * transform.forward().with_y(0.0).normalize_or_zero();
        let heights = (0..6_u8).filter_map(|second| ground.height(position + velocity * f32::from(second)));
        let height = heights.fold(0.0, f32::max) + 90.0;
        transform.translation += (velocity + Vec3::Y * 0.8 * (height - position.y)) * time.delta_secs().min(0.1);
    }
}

/// Whether a flight that has an end is in its last frame.
pub fn is_last_frame(options: Res<Options>, viewers: Query<&Autopilot>) -> bool {
    viewers.iter().any(|autopilot| Some(autopilot.0) == options.last_frame())
}

/// Ends a flight that would wait for its ground forever.
fn end_without_ground(terrain: Single<&TerrainState>, _: Single<&Autopilot>, mut exit: MessageWriter<AppExit>) {
    if let (None, Some(problem)) = (terrain.settings(), terrain.problems().next()) {
        eprintln!("error: {problem}");
        exit.write(AppExit::error());
    }
}
