//! The camera, the sun and the sky.

use crate::flight::Rails;
use crate::options::Options;
use bevy::camera::Exposure;
use bevy::camera_controller::free_camera::{FreeCamera, FreeCameraState};
use bevy::core_pipeline::tonemapping::Tonemapping;
use bevy::light::{CascadeShadowConfigBuilder, NotShadowCaster, NotShadowReceiver};
use bevy::pbr::wireframe::NoWireframe;
use bevy::prelude::*;
use bevy_perlin_terrain::prelude::*;
use std::f32::consts::FRAC_PI_2;

/// Brighter than 1: the tone mapping reduces it.
pub const HORIZON: Color = Color::linear_rgb(0.80, 0.98, 1.25);
const ZENITH: Color = Color::linear_rgb(0.08, 0.24, 0.78);
const SUN_DIRECTION: Vec3 = Vec3::new(-0.72, -0.52, -0.30);

/// The sky dome. It moves with the camera.
#[derive(Component)]
pub struct Sky;

pub fn spawn_scene(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
    options: Res<Options>,
) {
    let view = options.view;
    let mut camera = commands.spawn((
        Camera3d::default(),
        Projection::from(PerspectiveProjection { far: view * 4.0, fov: 0.95, ..default() }),
        Exposure { ev100: 12.0 },
        Tonemapping::AcesFitted,
        TerrainViewer { view_distance: view },
        Transform::from_xyz(0.0, 600.0, 0.0).with_rotation(Quat::from_euler(EulerRot::YXZ, -0.8, -0.2, 0.0)),
        DistanceFog {
            color: HORIZON,
            directional_light_color: Color::srgba(1.0, 0.93, 0.80, 0.35),
            directional_light_exponent: 12.0,
            falloff: FogFalloff::Linear { start: view * 0.3, end: view * 0.97 },
        },
    ));
    if options.on_rails() {
        camera.insert(Rails::default());
    } else {
        let [x, up, z, yaw, pitch] = options.camera.unwrap_or([0.0, 120.0, 0.0, -45.0, -12.0]);
        camera.insert((
            FreeCamera {
                walk_speed: 60.0,
                run_speed: 300.0,
                key_up: KeyCode::KeyE,
                key_down: KeyCode::KeyQ,
                ..default()
            },
            StartAboveGround { place: [x, z], up, yaw, pitch },
        ));
    }
    commands.spawn((
        DirectionalLight {
            color: Color::srgb(1.0, 0.95, 0.86),
            illuminance: 42_000.0,
            shadow_maps_enabled: true,
            ..default()
        },
        CascadeShadowConfigBuilder {
            num_cascades: 4,
            first_cascade_far_bound: 120.0,
            maximum_distance: view.min(3000.0),
            ..default()
        }
        .build(),
        Transform::default().looking_to(SUN_DIRECTION, Vec3::Y),
    ));
    let unlit = StandardMaterial { unlit: true, fog_enabled: false, cull_mode: None, ..default() };
    commands.spawn((
        Sky,
        Mesh3d(meshes.add(sky_dome())),
        MeshMaterial3d(materials.add(unlit)),
        Transform::from_scale(Vec3::splat(view * 3.0)),
        NotShadowCaster,
        NotShadowReceiver,
        NoWireframe,
    ));
}

/// A sphere with the color of the fog at the horizon, blue at the zenith, and brighter around the sun.
fn sky_dome() -> Mesh {
    let mesh = Sphere::new(1.0).mesh().uv(96, 64);
    let positions = mesh.attribute(Mesh::ATTRIBUTE_POSITION).and_then(|positions| positions.as_float3());
    let sun = -SUN_DIRECTION.normalize();
    let (horizon, zenith) = (HORIZON.to_linear(), ZENITH.to_linear());
    let colors: Vec<[f32; 4]> = positions
        .unwrap_or_default()
        .iter()
        .map(|&position| {
            let direction = Vec3::from_array(position).normalize();
            let up = direction.y.max(0.0).powf(0.55);
            let glow = direction.dot(sun).max(0.0);
            // No glow at the horizon, where the sky must have the color of the fog.
            let glow = (glow.powi(6) * 0.25 + glow.powi(48) * 0.5) * (direction.y * 6.0).clamp(0.0, 1.0);
            let color = horizon.to_vec4().lerp(zenith.to_vec4(), up) + Vec4::new(1.0, 0.92, 0.78, 0.0) * glow;
            color.with_w(1.0).to_array()
        })
        .collect();
    mesh.with_inserted_attribute(Mesh::ATTRIBUTE_COLOR, colors)
}

pub fn keep_sky_around_camera(
    cameras: Query<&Transform, (With<Camera3d>, Without<Sky>)>,
    mut sky: Query<&mut Transform, With<Sky>>,
) {
    if let (Some(camera), Ok(mut sky)) = (cameras.iter().next(), sky.single_mut()) {
        sky.translation = camera.translation;
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
