//! The atlas on the GPU.

use super::{HeightAtlas, HeightWrite, PAGE};
use crate::render::texture_array::array_layers;
use bevy::prelude::*;
use bevy::render::render_resource::{
    Extent3d, Origin3d, TexelCopyBufferLayout, TexelCopyTextureInfo, Texture, TextureDescriptor, TextureDimension,
    TextureFormat, TextureUsages, TextureView, TextureViewDescriptor, TextureViewDimension,
};
use bevy::render::renderer::{RenderDevice, RenderQueue};

/// The pages, as layers of a texture array.
#[derive(Resource)]
pub struct HeightTexture {
    texture: Texture,
    view: TextureView,
}

impl HeightTexture {
    pub const fn view(&self) -> &TextureView {
        &self.view
    }

    /// Pages that are all zero.
    pub fn new(device: &RenderDevice, pages: u32) -> Self {
        let texture = device.create_texture(&TextureDescriptor {
            label: Some("terrain_heights"),
            size: Extent3d { width: PAGE, height: PAGE, depth_or_array_layers: array_layers(pages) },
            mip_level_count: 1,
            sample_count: 1,
            dimension: TextureDimension::D2,
            format: TextureFormat::R32Float,
            usage: TextureUsages::TEXTURE_BINDING | TextureUsages::COPY_DST,
            view_formats: &[],
        });
        let view =
            texture.create_view(&TextureViewDescriptor { dimension: Some(TextureViewDimension::D2Array), ..default() });
        Self { texture, view }
    }

    /// Writes the heights of a chunk.
    pub(super) fn write(&self, HeightWrite { page, origin: [x, y], width, bytes }: &HeightWrite, queue: &RenderQueue) {
        let position =
            TexelCopyTextureInfo { origin: Origin3d { x: *x, y: *y, z: *page }, ..self.texture.as_image_copy() };
        let layout = TexelCopyBufferLayout {
            offset: 0,
            bytes_per_row: Some(width * size_of::<f32>() as u32),
            rows_per_image: None,
        };
        queue.write_texture(
            position,
            bytes.as_flattened(),
            layout,
            Extent3d { width: *width, height: *width, depth_or_array_layers: 1 },
        );
    }
}

/// Heights that the frame writes into their slots.
#[derive(Resource, Default)]
pub struct NewHeights(Vec<HeightWrite>);

/// Creates the texture at startup, and again after the render device was lost.
pub fn create_texture(mut commands: Commands, device: Res<RenderDevice>, atlas: Res<HeightAtlas>) {
    let (wanted, most) = (atlas.pages(), device.limits().max_texture_array_layers);
    if wanted > most {
        warn!("the height atlas has {most} pages of 4 MiB and not {wanted}, because the device allows no more");
        atlas.limit_pages(most);
    }
    commands.insert_resource(HeightTexture::new(&device, atlas.pages()));
}

/// Extracts new heights. Both worlds are at the same frame then: later, a slot may belong to a chunk of the next frame.
pub fn extract_heights(atlas: Res<HeightAtlas>, mut new: ResMut<NewHeights>) {
    new.0.append(&mut atlas.take_writes());
}

/// Writes new heights, in the frame in which their chunks are spawned.
pub fn write_heights(mut new: ResMut<NewHeights>, texture: Res<HeightTexture>, queue: Res<RenderQueue>) {
    for heights in new.0.drain(..) {
        texture.write(&heights, &queue);
    }
}
