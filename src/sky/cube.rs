//! Cubes of colors in all directions, as images.

use bevy::asset::RenderAssetUsages;
use bevy::prelude::*;
use bevy::render::render_resource::{
    Extent3d, TextureDimension, TextureFormat, TextureViewDescriptor, TextureViewDimension,
};
use perlin_terrain::half::half;

/// The colors of a cube or of one of its mip levels: face by face, then row by row.
pub(super) type Texels = Vec<Vec3>;

/// A cube with these mip levels, whose faces have `side` texels along each side.
pub(super) fn cube_image(side: usize, mips: &[Texels]) -> Image {
    let mut bytes = Vec::new();
    for face in 0..6 {
        for (mip, level) in mips.iter().enumerate() {
            let texels = (side >> mip).pow(2);
            for texel in &level[face * texels..(face + 1) * texels] {
                bytes.extend(texel.extend(1.0).to_array().map(half).as_flattened());
            }
        }
    }
    let side = side as u32;
    let mut image = Image::new_uninit(
        Extent3d { width: side, height: side, depth_or_array_layers: 6 },
        TextureDimension::D2,
        TextureFormat::Rgba16Float,
        RenderAssetUsages::RENDER_WORLD,
    );
    image.texture_descriptor.mip_level_count = mips.len() as u32;
    image.texture_view_descriptor =
        Some(TextureViewDescriptor { dimension: Some(TextureViewDimension::Cube), ..default() });
    image.data = Some(bytes);
    image
}
