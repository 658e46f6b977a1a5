//! Bakes the textures of plants in the background.

use crate::plants::PlantKind;
use crate::render::texture_array::array_layers;
use crate::stream::Background;
use bevy::asset::RenderAssetUsages;
use bevy::image::{ImageFilterMode, ImageSampler, ImageSamplerDescriptor};
use bevy::prelude::*;
use bevy::render::render_resource::{Extent3d, TextureDimension, TextureFormat};
use bevy::tasks::futures_lite::future::yield_now;
use perlin_terrain::plants::forms::{CardTexture, PlantForm, PlantTexture};

/// The images of a material: colors, and normals.
pub(super) type Images = [Handle<Image>; 2];

/// The textures of plants, which all terrains share. They are baked when the first terrain needs them.
#[derive(Resource, Default)]
pub(super) struct PlantTextures {
    task: Background<[Arrays; 2]>,
    /// Those of cards, and the pictures.
    images: Option<[Images; 2]>,
    /// Images to come, so that one is uploaded in a frame.
    baked: Vec<Image>,
    uploaded: Vec<Handle<Image>>,
}

/// The texels of a texture array: colors, and normals.
struct Arrays {
    size: usize,
    layers: usize,
    texels: [Vec<u8>; 2],
}

impl Arrays {
    fn new(size: usize) -> Self {
        Self { size, layers: 0, texels: [Vec::new(), Vec::new()] }
    }

    fn push(&mut self, layer: &PlantTexture) {
        self.layers += 1;
        self.texels[0].extend(&layer.color);
        self.texels[1].extend(&layer.normal);
    }

    fn images(self) -> [Image; 2] {
        let Self { size, layers, texels } = self;
        texels.map(|mut texels| {
            let all_layers = array_layers(layers as u32);
            texels.resize(texels.len() / layers * all_layers as usize, 0);
            let extent = Extent3d { width: size as u32, height: size as u32, depth_or_array_layers: all_layers };
            let mut image = Image::new_uninit(
                extent,
                TextureDimension::D2,
                TextureFormat::Rgba8Unorm,
                RenderAssetUsages::RENDER_WORLD,
            );
            image.texture_descriptor.mip_level_count = PlantTexture::mip_levels(size);
            image.data = Some(texels);
            image.sampler = ImageSampler::Descriptor(ImageSamplerDescriptor {
                label: Some("plants".into()),
                mag_filter: ImageFilterMode::Linear,
                min_filter: ImageFilterMode::Linear,
                mipmap_filter: ImageFilterMode::Linear,
                ..default()
            });
            image
        })
    }
}

/// Bakes what is on cards, and the pictures of all plants.
async fn bake() -> [Arrays; 2] {
    let mut cards = Arrays::new(PlantTexture::CARD_SIZE);
    for texture in CardTexture::ALL {
        cards.push(&PlantTexture::card(texture));
        // Chunks of ground are more urgent.
        yield_now().await;
    }
    let mut pictures = Arrays::new(PlantTexture::PICTURE_SIZE);
    for kind in PlantKind::DRAWN {
        for variant in 0..PlantForm::VARIANTS {
            PlantTexture::pictures(kind, variant).iter().for_each(|picture| pictures.push(picture));
            yield_now().await;
        }
    }
    [cards, pictures]
}

impl PlantTextures {
    /// The images of cards and of pictures. Starts to bake them at the first call; `None` until they are there.
    pub fn get(&mut self, images: &mut Assets<Image>) -> Option<&[Images; 2]> {
        if self.images.is_none() && !self.task.is_running() && self.baked.is_empty() {
            self.task = Background::start_steps(bake());
        }
        if self.images.is_none() {
            if let Some(arrays) = self.task.take() {
                self.baked = arrays.into_iter().flat_map(Arrays::images).rev().collect();
            }
            if let Some(image) = self.baked.pop() {
                self.uploaded.push(images.add(image));
            }
            if let [a, b, c, d] = self.uploaded.as_slice() {
                self.images = Some([[a.clone(), b.clone()], [c.clone(), d.clone()]]);
            }
        }
        self.images.as_ref()
    }
}
