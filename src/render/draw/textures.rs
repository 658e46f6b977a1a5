//! Bakes the textures of the ground in the background.

use super::material::TerrainMaterial;
use crate::render::textures::{TextureKind, TextureMips, mip_levels};
use bevy::asset::RenderAssetUsages;
use bevy::image::{ImageAddressMode, ImageFilterMode, ImageSampler, ImageSamplerDescriptor};
use bevy::prelude::*;
use bevy::render::render_resource::{Extent3d, TextureDimension, TextureFormat};
use bevy::tasks::futures_lite::future::yield_now;
use bevy::tasks::{AsyncComputeTaskPool, Task, block_on, poll_once};

/// The textures of the ground: two texture arrays that all terrains share.
///
/// They are baked in the background, first small ones, then ones of the full size. Until then, ground has the plain colors of its
/// layers.
#[derive(Resource, Debug)]
pub struct GroundTextures {
    pub(super) images: TextureImages,
    /// The sizes to come, in texels.
    sizes: Vec<u32>,
    task: Option<Task<[Image; 2]>>,
}

/// The images of the textures: factors of the color with the height, and slopes with roughness and openness.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct TextureImages {
    pub color: Handle<Image>,
    pub relief: Handle<Image>,
}

impl GroundTextures {
    /// The size that is baked first, in texels.
    const FIRST_SIZE: u32 = 256;

    /// Textures of one texel each, with the plain colors of the layers, and a plan to bake some with a side of `size` texels.
    pub(super) fn new(size: u32, images: &mut Assets<Image>) -> Self {
        let mut sizes = Vec::new();
        if size > 0 {
            let size = size.clamp(16, 2048).next_power_of_two();
            sizes.push(size);
            if size > Self::FIRST_SIZE {
                sizes.push(Self::FIRST_SIZE);
            }
        }
        let plain = [[128, 128, 128, 128], [128, 128, 235, 255]];
        let [color, relief] = plain.map(|texel| images.add(array(1, texel.repeat(TextureKind::ALL.len()))));
        Self { images: TextureImages { color, relief }, sizes, task: None }
    }

    /// Whether the textures have their full size.
    #[must_use]
    pub fn are_complete(&self) -> bool {
        self.sizes.is_empty() && self.task.is_none()
    }
}

/// Bakes all textures with a side of `size` texels.
async fn bake(size: u32) -> [Image; 2] {
    let mut layers: Vec<TextureMips> = Vec::new();
    for kind in TextureKind::ALL {
        layers.push(kind.bake(size as usize));
        // Chunks of ground are more urgent.
        yield_now().await;
    }
    let joined = |part: fn(&TextureMips) -> &[u8]| layers.iter().flat_map(part).copied().collect();
    [array(size, joined(|mips| &mips.color)), array(size, joined(|mips| &mips.relief))]
}

/// A texture array with all mip levels.
fn array(size: u32, texels: Vec<u8>) -> Image {
    let extent = Extent3d { width: size, height: size, depth_or_array_layers: TextureKind::ALL.len() as u32 };
    let format = TextureFormat::Rgba8Unorm;
    let mut image = Image::new_uninit(extent, TextureDimension::D2, format, RenderAssetUsages::RENDER_WORLD);
    image.texture_descriptor.mip_level_count = mip_levels(size as usize);
    image.data = Some(texels);
    image.sampler = ImageSampler::Descriptor(ImageSamplerDescriptor {
        label: Some("ground textures".into()),
        address_mode_u: ImageAddressMode::Repeat,
        address_mode_v: ImageAddressMode::Repeat,
        mag_filter: ImageFilterMode::Linear,
        min_filter: ImageFilterMode::Linear,
        mipmap_filter: ImageFilterMode::Linear,
        anisotropy_clamp: 16,
        ..default()
    });
    image
}

/// Bakes what is missing, and gives it to all materials when it is whole.
pub(super) fn bake_textures(
    mut textures: ResMut<GroundTextures>,
    mut images: ResMut<Assets<Image>>,
    mut materials: ResMut<Assets<TerrainMaterial>>,
) {
    if let Some(task) = &mut textures.bypass_change_detection().task {
        let Some(baked) = block_on(poll_once(task)) else { return };
        let [color, relief] = baked.map(|image| images.add(image));
        textures.task = None;
        textures.images = TextureImages { color, relief };
        for (_, material) in materials.iter_mut() {
            material.base.set_textures(&textures.images);
        }
    }
    if let Some(size) = textures.bypass_change_detection().sizes.pop() {
        textures.bypass_change_detection().task = Some(AsyncComputeTaskPool::get().spawn(bake(size)));
    }
}
