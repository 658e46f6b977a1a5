//! A dome around each camera: all of the sky for devices that can't compute, such as a browser with WebGL 2, and elsewhere the clouds and the
//! haze before Bevy's atmosphere. So ground that fades into haze ends in the same color, and no edge of the world shows.

use super::camera::{CurrentSky, SkyOf};
use super::color::exposed;
use super::dome_look::DomeLook;
use super::method::SkyMethod;
use crate::light::SkySettings;
use crate::light::sun::Sky;
use crate::render::TerrainQuality;
use bevy::camera::visibility::{NoFrustumCulling, RenderLayers, VisibleEntities};
use bevy::light::{NotShadowCaster, NotShadowReceiver};
use bevy::prelude::*;
use std::any::TypeId;
use std::f32::consts::FRAC_PI_2;

/// The part of a sky that is a mesh.
type IsDome = With<Mesh3d>;

/// Gives each camera with new settings a dome.
pub(super) fn update_domes(
    mut commands: Commands,
    cameras: Query<(Entity, &CurrentSky), Changed<CurrentSky>>,
    domes: Query<(&SkyOf, &Mesh3d)>,
    method: Res<SkyMethod>,
    quality: Option<Res<TerrainQuality>>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<DomeLook>>,
) {
    for (camera, CurrentSky { settings, .. }) in &cameras {
        match domes.iter().find(|(of, _)| of.0 == camera) {
            // Only the sky has vertex colors.
            Some((_, Mesh3d(handle))) if *method == SkyMethod::Dome => {
                if let Some(mut old) = meshes.get_mut(handle) {
                    *old = dome(settings, *method);
                }
            }
            Some(_) => {}
            None => {
                let quality = quality.as_deref().copied().unwrap_or_default();
                let material = materials.add(DomeLook { camera, method: *method, quality });
                let look = (Mesh3d(meshes.add(dome(settings, *method))), MeshMaterial3d(material));
                let without_shadow = (NotShadowCaster, NotShadowReceiver);
                commands.spawn((Name::new("Sky"), SkyOf(camera), look, NoFrustumCulling, without_shadow));
            }
        }
    }
}

/// Draws all domes with another quality.
pub(super) fn update_quality(quality: Res<TerrainQuality>, mut materials: ResMut<Assets<DomeLook>>) {
    for (_, look) in materials.iter_mut() {
        look.quality = *quality;
    }
}

/// Keeps each dome on the layers of its camera.
pub(super) fn update_layers(
    mut commands: Commands,
    cameras: Query<Option<&RenderLayers>, Without<SkyOf>>,
    domes: Query<(Entity, &SkyOf, Option<&RenderLayers>), IsDome>,
) {
    for (dome, of, layers) in &domes {
        let Ok(seen) = cameras.get(of.0) else { continue };
        if layers.cloned().unwrap_or_default() != seen.cloned().unwrap_or_default() {
            commands.entity(dome).try_insert(seen.cloned().unwrap_or_default());
        }
    }
}

/// Keeps each dome around its camera, beyond all ground.
pub(super) fn follow_cameras(
    cameras: Query<(&GlobalTransform, &CurrentSky), Without<SkyOf>>,
    mut domes: Query<(&SkyOf, &mut GlobalTransform), IsDome>,
) {
    for (of, mut dome) in &mut domes {
        if let Ok((camera, sky)) = cameras.get(of.0) {
            let transform =
                Transform::from_translation(camera.translation()).with_scale(Vec3::splat(1.5 * sky.view_distance));
            dome.set_if_neq(transform.into());
        }
    }
}

/// Hides each dome from all cameras but its own. To another one that is far away, it would be a wall.
pub(super) fn hide_from_others(
    mut cameras: Query<(Entity, &mut VisibleEntities)>,
    domes: Query<(Entity, &SkyOf), IsDome>,
) {
    for (camera, mut visible) in &mut cameras {
        for (dome, _) in domes.iter().filter(|(_, of)| of.0 != camera) {
            visible.get_mut(TypeId::of::<Mesh3d>()).retain(|&entity| entity != dome);
        }
    }
}

/// A sphere, with [`SkyMethod::Dome`] in the colors of the sky. Bevy shows them as they are, so they are exposed here.
fn dome(settings: &SkySettings, method: SkyMethod) -> Mesh {
    // Bevy's sphere has its poles at -z and z.
    let mut mesh = Sphere::new(1.0).mesh().uv(48, 96).rotated_by(Quat::from_rotation_x(-FRAC_PI_2));
    let even = mesh.attribute(Mesh::ATTRIBUTE_POSITION).and_then(|positions| positions.as_float3());
    let positions: Vec<[f32; 3]> = even.unwrap_or_default().iter().copied().map(toward_horizon).collect();
    if method == SkyMethod::Dome {
        let sky = Sky::new(settings);
        let color = |&[x, y, z]: &[f32; 3]| {
            let direction = [x, y.max(0.0), z].map(f64::from);
            exposed(settings, sky.radiance(direction)).to_linear().to_f32_array()
        };
        let colors: Vec<[f32; 4]> = positions.iter().map(color).collect();
        mesh.insert_attribute(Mesh::ATTRIBUTE_COLOR, colors);
    }
    mesh.with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, positions)
}

/// Moves a vertex of a sphere nearer to the horizon, where the color changes most.
fn toward_horizon([x, y, z]: [f32; 3]) -> [f32; 3] {
    let elevation = y.clamp(-1.0, 1.0).asin();
    let (y, across) = (elevation * elevation.abs() / FRAC_PI_2).sin_cos();
    let length = (x * x + z * z).sqrt().max(1e-9);
    [x / length * across, y, z / length * across]
}
