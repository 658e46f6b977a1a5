//! The camera and its start.

use crate::flight::Rails;
use crate::options::{Numbers, Options};
use crate::tour::{Opening, preset_of};
use bevy::camera_controller::free_camera::{FreeCamera, FreeCameraState};
use bevy::prelude::*;
use bevy_perlin_terrain::prelude::*;
use std::f32::consts::FRAC_PI_2;

/// The vertical field of view of all cameras, in radians.
pub const FIELD_OF_VIEW: f32 = 0.95;

pub fn spawn_scene(mut commands: Commands, assets: Res<AssetServer>, options: Res<Options>) {
    let view = options.view_distance();
    let mut camera = commands.spawn((
        Camera3d::default(),
        Projection::from(PerspectiveProjection { far: view * 2.0, fov: FIELD_OF_VIEW, ..default() }),
        TerrainViewer { view_distance: view },
        TerrainSky(assets.load(options.sky_path())),
        Transform::from_xyz(0.0, 600.0, 0.0).with_rotation(Quat::from_euler(EulerRot::YXZ, -0.8, -0.2, 0.0)),
    ));
    if options.on_rails() {
        camera.insert(Rails::default());
    } else {
        camera.insert((
            FreeCamera {
                walk_speed: 60.0,
                run_speed: 300.0,
                key_up: KeyCode::KeyE,
                key_down: KeyCode::KeyQ,
                ..default()
            },
            StartAboveGround::at(options.camera.unwrap_or_else(|| preset_of(&options.settings).camera)),
        ));
        if options.camera.is_none() && options.last_frame().is_none() {
            camera.insert(Opening::default());
        }
    }
}

/// The start of the camera. `stand_above_ground` moves the camera there once the settings are loaded.
#[derive(Component)]
pub struct StartAboveGround {
    place: [f32; 2],
    up: f32,
    yaw: f32,
    pitch: f32,
}

impl StartAboveGround {
    /// x, height above the ground and z in metres, yaw and pitch in degrees.
    pub const fn at([x, up, z, yaw, pitch]: Numbers) -> Self {
        Self { place: [x, z], up, yaw, pitch }
    }
}

pub fn stand_above_ground(
    mut commands: Commands,
    mut cameras: Query<(Entity, &mut Transform, &mut FreeCameraState, &StartAboveGround)>,
    ground: TerrainGround,
) {
    for (entity, mut camera, mut state, start) in &mut cameras {
        let [x, z] = start.place;
        if let Some(height) = ground.height(Vec3::new(x, 0.0, z)) {
            (state.yaw, state.pitch) = (start.yaw.to_radians(), start.pitch.to_radians());
            *camera = Transform::from_xyz(x, height.max(0.0) + start.up, z).with_rotation(Quat::from_euler(
                EulerRot::YXZ,
                state.yaw,
                state.pitch.clamp(-FRAC_PI_2, FRAC_PI_2),
                0.0,
            ));
            commands.entity(entity).remove::<StartAboveGround>();
        }
    }
}
