//! The pattern of clouds as a texture that all terrains and all skies share.

use super::texture_upload::TextureUpload;
use crate::light::clouds::{Scale, TEXELS, texture};
use crate::stream::Background;
use bevy::prelude::*;
use bevy::render::render_resource::{
    AddressMode, Extent3d, FilterMode, MipmapFilterMode, Sampler, SamplerDescriptor, Texture, TextureDescriptor,
    TextureDimension, TextureFormat, TextureUsages, TextureView, TextureViewDescriptor,
};
use bevy::render::renderer::{RenderDevice, RenderQueue};
use bevy::tasks::futures_lite::future::yield_now;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

const MIPS: u32 = TEXELS.ilog2() + 1;

/// More bytes than it has. A part of it would show an edge across the sky.
const UPLOAD: usize = 2 << 20;

/// Tells the main world whether the pattern of clouds is drawn: it is baked in the background. A resource.
///
/// For images that are taken once, such as those of a test.
#[derive(Resource, Clone, Debug, Default)]
pub struct CloudPattern {
    is_complete: Arc<AtomicBool>,
}

impl CloudPattern {
    /// Whether the GPU has the pattern. False as long as no sky has clouds.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.is_complete.load(Ordering::Relaxed)
    }
}

/// The texture on the GPU. It stays the same, so no bind group changes when it is baked.
#[derive(Resource)]
pub struct CloudTexture {
    texture: Texture,
    view: TextureView,
    sampler: Sampler,
    work: Work,
}

enum Work {
    /// No sky has clouds. The texture is empty.
    None,
    Baking(Background<Vec<u8>>),
    Uploading(TextureUpload),
    Done,
}

impl CloudTexture {
    fn new(device: &RenderDevice) -> Self {
        let side = TEXELS as u32;
        let texture = device.create_texture(&TextureDescriptor {
            label: Some("clouds"),
            size: Extent3d { width: side, height: side, depth_or_array_layers: 1 },
            mip_level_count: MIPS,
            sample_count: 1,
            dimension: TextureDimension::D2,
            // Eight bits would show as steps in the edges of clouds.
            format: TextureFormat::Rg16Float,
            usage: TextureUsages::TEXTURE_BINDING | TextureUsages::COPY_DST,
            view_formats: &[],
        });
        let sampler = device.create_sampler(&SamplerDescriptor {
            label: Some("clouds"),
            address_mode_u: AddressMode::Repeat,
            address_mode_v: AddressMode::Repeat,
            mag_filter: FilterMode::Linear,
            min_filter: FilterMode::Linear,
            mipmap_filter: MipmapFilterMode::Linear,
            ..default()
        });
        let view = texture.create_view(&TextureViewDescriptor::default());
        Self { texture, view, sampler, work: Work::None }
    }

    /// A texture with these texels of all mip levels.
    #[cfg(test)]
    pub fn with(texels: Vec<u8>, device: &RenderDevice, queue: &RenderQueue) -> Self {
        let clouds = Self::new(device);
        upload_of(texels).advance(usize::MAX, [&clouds.texture; 2], queue);
        clouds
    }

    pub const fn bindings(&self) -> (&TextureView, &Sampler) {
        (&self.view, &self.sampler)
    }

    /// Bakes the pattern, unless that has begun.
    pub fn bake(&mut self) {
        if matches!(self.work, Work::None) {
            self.work = Work::Baking(Background::start_steps(bake()));
        }
    }
}

async fn bake() -> Vec<u8> {
    let coarse = Scale::Coarse.values();
    // Chunks of ground are more urgent.
    yield_now().await;
    let fine = Scale::Fine.values();
    yield_now().await;
    texture(coarse, fine)
}

fn upload_of(texels: Vec<u8>) -> TextureUpload {
    TextureUpload::new(TEXELS as u32, MIPS, [0..1, 0..0], [texels, Vec::new()])
}

/// Creates the texture at startup, and again after the render device was lost.
pub(super) fn create_cloud_texture(mut commands: Commands, pattern: Res<CloudPattern>, device: Res<RenderDevice>) {
    pattern.is_complete.store(false, Ordering::Relaxed);
    commands.insert_resource(CloudTexture::new(&device));
}

/// Uploads the pattern when it is baked.
pub(super) fn upload_clouds(mut clouds: ResMut<CloudTexture>, pattern: Res<CloudPattern>, queue: Res<RenderQueue>) {
    let CloudTexture { texture, work, .. } = &mut *clouds;
    if let Work::Baking(baking) = work
        && let Some(texels) = baking.take()
    {
        *work = Work::Uploading(upload_of(texels));
    }
    if let Work::Uploading(upload) = work
        && upload.advance(UPLOAD, [texture, texture], &queue)
    {
        *work = Work::Done;
        pattern.is_complete.store(true, Ordering::Relaxed);
    }
}
