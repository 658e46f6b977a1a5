//! Keeps maps of shade around the first viewer of each terrain, and gives them to its material.

use super::material::{TerrainMaterial, TerrainMaterials};
use crate::field::HeightField;
use crate::render::shade::ShadeMap;
use crate::stream::{TerrainFrame, TerrainPlace, TerrainState, TerrainStats, TerrainSystems};
use bevy::asset::RenderAssetUsages;
use bevy::image::{ImageAddressMode, ImageFilterMode, ImageSampler, ImageSamplerDescriptor};
use bevy::prelude::*;
use bevy::render::render_resource::{Extent3d, TextureDimension, TextureFormat};
use bevy::tasks::{AsyncComputeTaskPool, Task, block_on, poll_once};
use std::sync::Arc;

/// The width of a texel of each map, in metres: 8 km and 33 km wide.
const TEXELS: [f64; 2] = [16.0, 64.0];

/// The maps of a terrain.
#[derive(Component, Default)]
pub(super) struct TerrainShade([Level; 2]);

#[derive(Default)]
struct Level {
    /// What the newest map was made for, or is made for.
    made_for: Option<Purpose>,
    task: Option<Task<ShadeMap>>,
}

struct Purpose {
    field: Arc<HeightField>,
    center: [f64; 2],
    sun: Vec3,
}

/// The direction toward the brightest light, along the axes of a terrain.
fn sun_of(lights: &Query<(&DirectionalLight, &GlobalTransform)>, frame: &TerrainFrame) -> Vec3 {
    let brightest = lights.iter().max_by(|(a, _), (b, _)| a.illuminance.total_cmp(&b.illuminance));
    let toward = brightest.map_or(Vec3::Y, |(_, place)| place.back().as_vec3());
    (frame.to_terrain(1000.0 * toward) - frame.to_terrain(Vec3::ZERO)).as_vec3().normalize_or(Vec3::Y)
}

/// Makes a new map where the viewer, the sun or the ground moved too far from those of the last one.
pub(super) fn update_shade(
    mut terrains: Query<(&TerrainState, TerrainPlace, &TerrainMaterials, &mut TerrainShade)>,
    lights: Query<(&DirectionalLight, &GlobalTransform)>,
    mut materials: ResMut<Assets<TerrainMaterial>>,
    mut images: ResMut<Assets<Image>>,
    mut stats: ResMut<TerrainStats>,
) {
    stats.time(TerrainSystems::Render, |_| {
        for (state, place, handles, mut shade) in &mut terrains {
            let (Some(field), Some(viewer)) = (state.field(), state.viewers().next()) else { continue };
            let (center, sun) = (viewer.place(), sun_of(&lights, &place.frame()));
            for (number, (level, texel)) in shade.bypass_change_detection().0.iter_mut().zip(TEXELS).enumerate() {
                if let Some(task) = &mut level.task {
                    let Some(map) = block_on(poll_once(task)) else { continue };
                    level.task = None;
                    if let Some(mut material) = materials.get_mut(&handles.ground) {
                        let (corner, extent) = (map.corner, map.extent());
                        material.base.set_shade(number, images.add(image(map.texels)), corner, extent);
                    }
                }
                let limit = ShadeMap::SIZE as f64 * texel / 16.0;
                let is_current = level.made_for.as_ref().is_some_and(|made| {
                    Arc::ptr_eq(&made.field, field)
                        && (made.center[0] - center[0]).abs().max((made.center[1] - center[1]).abs()) < limit
                        // Half a degree, as wide as the sun.
                        && made.sun.angle_between(sun) < 0.01
                });
                if !is_current {
                    level.made_for = Some(Purpose { field: field.clone(), center, sun });
                    let field = field.clone();
                    let make = async move { ShadeMap::new(&field, center, texel, sun.to_array()) };
                    level.task = Some(AsyncComputeTaskPool::get().spawn(make));
                }
            }
        }
    });
}

/// The texture of a map.
fn image(texels: Vec<u8>) -> Image {
    let side = ShadeMap::SIZE as u32;
    let extent = Extent3d { width: side, height: side, depth_or_array_layers: 1 };
    let mut image =
        Image::new(extent, TextureDimension::D2, texels, TextureFormat::Rg8Unorm, RenderAssetUsages::RENDER_WORLD);
    image.sampler = ImageSampler::Descriptor(ImageSamplerDescriptor {
        label: Some("terrain shade".into()),
        address_mode_u: ImageAddressMode::ClampToEdge,
        address_mode_v: ImageAddressMode::ClampToEdge,
        mag_filter: ImageFilterMode::Linear,
        min_filter: ImageFilterMode::Linear,
        ..default()
    });
    image
}
