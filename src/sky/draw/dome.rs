//! The sky as a dome with colors of its own, for devices that can't compute, such as a browser with WebGL 2.

use super::camera::{SkyInForce, SkyOf};
use crate::sky::SkySettings;
use bevy::camera::visibility::{NoFrustumCulling, RenderLayers};
use bevy::light::{EnvironmentMapLight, NotShadowCaster, NotShadowReceiver};
use bevy::prelude::*;

/// What a camera with a dome has.
pub(super) type DomeParts = (DistanceFog, EnvironmentMapLight);

/// Gives each camera with new settings a dome, fog of the same color, and light from all sides.
pub(super) fn update_domes(
    mut commands: Commands,
    cameras: Query<(Entity, &SkyInForce, Option<&RenderLayers>), Changed<SkyInForce>>,
    domes: Query<(Entity, &SkyOf)>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
    mut images: ResMut<Assets<Image>>,
) {
    for (camera, sky, layers) in &cameras {
        for (old, _) in domes.iter().filter(|(_, of)| of.0 == camera) {
            commands.entity(old).despawn();
        }
        let settings = &sky.settings;
        let unlit = StandardMaterial { unlit: true, fog_enabled: false, cull_mode: None, ..default() };
        let mut dome = commands.spawn((
            Name::new("Sky"),
            SkyOf(camera),
            Mesh3d(meshes.add(dome(settings))),
            MeshMaterial3d(materials.add(unlit)),
            // Beyond all ground.
            Transform::from_scale(Vec3::splat(sky.view_distance * 1.5)),
            NoFrustumCulling,
            NotShadowCaster,
            NotShadowReceiver,
        ));
        dome.insert(layers.cloned().unwrap_or_default());
        let [zenith, horizon] =
            [[0.0, 1.0, 0.0], horizon_beside_sun(settings)].map(|direction| settings.radiance(direction));
        // An image of one color has values up to 1; the intensity has the rest.
        let brightest = horizon.into_iter().chain(zenith).fold(1e-6, f64::max);
        let part = |radiance: [f64; 3], factor: f64| color(radiance.map(|part| part * factor / brightest));
        let [top, middle, bottom] = [part(zenith, 1.0), part(horizon, 1.0), part(horizon, 0.3)];
        let mut light = EnvironmentMapLight::hemispherical_gradient(&mut images, top, middle, bottom);
        light.intensity = brightest as f32;
        let density = (3.912 / settings.visibility_for(sky.view_distance.into())) as f32;
        commands.entity(camera).try_insert((
            DistanceFog {
                color: exposed(settings, horizon),
                falloff: FogFalloff::Exponential { density },
                ..default()
            },
            light,
        ));
    }
}

/// Keeps each dome around its camera.
pub(super) fn follow_cameras(
    cameras: Query<&GlobalTransform, Without<SkyOf>>,
    mut domes: Query<(&SkyOf, &mut Transform)>,
) {
    for (of, mut dome) in &mut domes {
        if let Ok(camera) = cameras.get(of.0)
            && dome.translation != camera.translation()
        {
            dome.translation = camera.translation();
        }
    }
}

/// A sphere with the colors of the sky. Bevy shows them as they are, so they are exposed here.
fn dome(settings: &SkySettings) -> Mesh {
    let mesh = Sphere::new(1.0).mesh().uv(96, 64);
    let positions = mesh.attribute(Mesh::ATTRIBUTE_POSITION).and_then(|positions| positions.as_float3());
    let horizon = settings.radiance(horizon_beside_sun(settings));
    let colors: Vec<[f32; 4]> = positions
        .unwrap_or_default()
        .iter()
        .map(|&position| {
            let [x, y, z] = position.map(f64::from);
            // The fog has one color. The sky takes it at the horizon, and below.
            let above = (y * 8.0).clamp(0.0, 1.0);
            let sky = settings.radiance([x, y.max(0.0), z]);
            let mixed = std::array::from_fn(|i| horizon[i] + above * (sky[i] - horizon[i]));
            exposed(settings, mixed).to_linear().to_f32_array()
        })
        .collect();
    mesh.with_inserted_attribute(Mesh::ATTRIBUTE_COLOR, colors)
}

/// A direction at the horizon, at a right angle to the sun.
fn horizon_beside_sun(settings: &SkySettings) -> [f64; 3] {
    let [x, _, z] = settings.sun.direction();
    let length = (x * x + z * z).sqrt();
    if length > 1e-6 { [-z / length, 0.0, x / length] } else { [1.0, 0.0, 0.0] }
}

/// A radiance, as the camera shows it.
fn exposed(settings: &SkySettings, radiance: [f64; 3]) -> Color {
    // Bevy's exposure: 1.2 is the attenuation of a lens.
    let exposure = (-settings.exposure_value()).exp2() / 1.2;
    color(radiance.map(|part| part * exposure))
}

fn color([red, green, blue]: [f64; 3]) -> Color {
    Color::linear_rgb(red as f32, green as f32, blue as f32)
}
