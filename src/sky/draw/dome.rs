//! The sky as a dome with colors of its own, for devices that can't compute, such as a browser with WebGL 2.

use super::camera::{SkyInForce, SkyOf};
use super::color::{exposed, linear};
use super::haze::horizon;
use crate::sky::SkySettings;
use bevy::camera::visibility::{NoFrustumCulling, RenderLayers};
use bevy::light::{EnvironmentMapLight, NotShadowCaster, NotShadowReceiver};
use bevy::prelude::*;

/// Gives each camera with new settings a dome, and light from all sides.
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
        let [zenith, horizon] = [[0.0, 1.0, 0.0], horizon(settings)[1]].map(|direction| settings.radiance(direction));
        // An image of one color has values up to 1; the intensity has the rest.
        let brightest = horizon.into_iter().chain(zenith).fold(1e-6, f64::max);
        let part = |radiance: [f64; 3], factor: f64| linear(radiance.map(|part| part * factor / brightest));
        let [top, middle, bottom] = [part(zenith, 1.0), part(horizon, 1.0), part(horizon, 0.3)];
        let mut light = EnvironmentMapLight::hemispherical_gradient(&mut images, top, middle, bottom);
        light.intensity = brightest as f32;
        commands.entity(camera).try_insert(light);
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
    let horizon = settings.radiance(horizon(settings)[1]);
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
