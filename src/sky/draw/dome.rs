//! The sky as a dome with colors of its own, for devices that can't compute, such as a browser with WebGL 2.

use super::camera::{SkyInForce, SkyOf};
use super::color::exposed;
use super::haze::horizon;
use crate::sky::SkySettings;
use bevy::camera::visibility::{NoFrustumCulling, RenderLayers};
use bevy::light::{NotShadowCaster, NotShadowReceiver};
use bevy::prelude::*;

/// Gives each camera with new settings a dome.
pub(super) fn update_domes(
    mut commands: Commands,
    cameras: Query<(Entity, &SkyInForce, Option<&RenderLayers>), Changed<SkyInForce>>,
    domes: Query<(Entity, &SkyOf)>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
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
