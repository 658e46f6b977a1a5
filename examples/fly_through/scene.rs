//! The camera and its start.

use crate::flight::Rails;
use crate::options::{Numbers, Options, Place};
use crate::shot::{FIELD_OF_VIEW, surface};
use crate::tour::{Opening, preset_of};
use bevy::camera_controller::free_camera::{FreeCamera, FreeCameraState};
use bevy::math::DVec3;
use bevy::prelude::*;
use bevy_perlin_terrain::prelude::*;
use bevy_perlin_terrain::stream::TerrainPlace;
use std::f32::consts::FRAC_PI_2;

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
            StartAboveGround::at(options.camera.unwrap_or_else(|| preset_of(&options.settings).camera), options.origin),
        ));
        if options.camera.is_none() && options.last_frame().is_none() {
            camera.insert(Opening::default());
        }
    }
}

/// The start of the camera. `stand_above_ground` moves the camera there once the settings are loaded.
#[derive(Component)]
pub struct StartAboveGround {
    /// x and z on the terrain, in metres. The origin of the world may shift before the settings are loaded.
    place: Place,
    up: f32,
    yaw: f32,
    pitch: f32,
}

impl StartAboveGround {
    /// x, height above the ground and z in metres, yaw and pitch in degrees. x and z are relative to `origin`.
    pub fn at([x, up, z, yaw, pitch]: Numbers, origin: Place) -> Self {
        Self { place: [origin[0] + f64::from(x), origin[1] + f64::from(z)], up, yaw, pitch }
    }
}

pub fn stand_above_ground(
    mut commands: Commands,
    mut cameras: Query<(Entity, &mut Transform, &mut FreeCameraState, &StartAboveGround)>,
    terrains: Query<(&TerrainState, TerrainPlace)>,
    ground: TerrainGround,
) {
    let Some((terrain, frame)) = terrains.iter().next() else { return };
    for (entity, mut camera, mut state, start) in &mut cameras {
        let [x, z] = start.place;
        let place = frame.frame().to_world(DVec3::new(x, 0.0, z));
        if let Some(height) = ground.height(place) {
            (state.yaw, state.pitch) = (start.yaw.to_radians(), start.pitch.to_radians());
            *camera = Transform::from_translation(place.with_y(surface(terrain, height) + start.up)).with_rotation(
                Quat::from_euler(EulerRot::YXZ, state.yaw, state.pitch.clamp(-FRAC_PI_2, FRAC_PI_2), 0.0),
            );
            commands.entity(entity).remove::<StartAboveGround>();
        }
    }
}
