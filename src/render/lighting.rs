//! The material extension with which shaders know the light on a terrain.

mod buffers;
#[cfg(test)]
mod light_on_gpu;
mod pattern;
#[cfg(test)]
mod pattern_noise_on_gpu;
mod uniform;
mod waves;

use super::cloud_texture::CloudTexture;
use bevy::ecs::system::SystemParamItem;
use bevy::ecs::system::lifetimeless::SRes;
use bevy::pbr::MaterialExtension;
use bevy::prelude::*;
use bevy::render::render_resource::binding_types::{self, texture_2d, texture_2d_array, uniform_buffer};
use bevy::render::render_resource::{
    AsBindGroup, AsBindGroupError, BindGroupBuilder, BindGroupLayout, BindGroupLayoutEntry, Sampler,
    SamplerBindingType, ShaderStages, TextureSampleType, TextureView, TextureViewDimension, UnpreparedBindingResource,
};
use bevy::render::renderer::RenderDevice;
use buffers::TerrainBuffers;
pub(super) use buffers::{ExtractedTerrains, FarMapSize, extract_terrains, reset_terrain_buffers, write_terrains};
pub(super) use uniform::TerrainUniform;

/// A material extension with which the shader of any material knows the light on a terrain: how much of the sun hills and
/// clouds leave, and how open a place is to the sky.
///
/// It has no shader of its own. Shadow maps end within a kilometre; what a game puts on the ground farther away stays in the light of the
/// sun while the valley around it lies in shade. With this extension, its fragment shader asks `light_at` of the module
/// `bevy_perlin_terrain::light`. The page for games, `docs/games.md`, has a house with such a shader.
///
/// A material with it, for example `ExtendedMaterial<ExtendedMaterial<StandardMaterial, TerrainLighting>, MyShader>`, is drawn as soon as the
/// terrain exists.
///
/// The uniform of the terrain is at binding 101 of the material's bind group, as `terrain` of the module
/// `bevy_perlin_terrain::terrain_uniform`; maps of far ground and their sampler are at 102 to 104, the pattern of
/// clouds and its sampler at 105 and 106. Besides, the uniform has
/// `terrain.time_and_wind`: the time of this frame and of the last one, in seconds modulo an hour, so after a full hour the last time is
/// larger; and the [wind](super::TerrainWind) in m/s along x and z.
///
/// The uniform is written once per frame, directly into its buffer. The material asset does not change.
#[derive(Asset, Reflect, Clone, Copy, Debug, PartialEq, Eq)]
pub struct TerrainLighting {
    terrain: Entity,
}

impl TerrainLighting {
    /// Creates the extension for meshes on `terrain`, an entity with a [`Terrain`](crate::stream::Terrain).
    ///
    /// Meshes with the material are not drawn until that entity exists.
    #[must_use]
    pub const fn new(terrain: Entity) -> Self {
        Self { terrain }
    }

    /// The bindings of the uniform, of the normals and the shapes of far ground, of their sampler, of the pattern of clouds and of its sampler
    /// in the material's bind group.
    const BINDINGS: [u32; 6] = [101, 102, 103, 104, 105, 106];
}

impl MaterialExtension for TerrainLighting {}

/// Not derived, because the material owns neither the buffer nor the textures.
impl AsBindGroup for TerrainLighting {
    type Data = ();
    type Param = (SRes<TerrainBuffers>, SRes<CloudTexture>);

    fn label() -> &'static str {
        "terrain_lighting"
    }

    fn bind_group_data(&self) -> Self::Data {}

    fn build_bind_group(
        &self,
        _: &BindGroupLayout,
        _: &RenderDevice,
        (buffers, clouds): &mut SystemParamItem<'_, '_, Self::Param>,
        _: bool,
        output: &mut BindGroupBuilder,
    ) -> Result<(), AsBindGroupError> {
        let (buffer, [normals, shape], of_maps) = buffers.get(self.terrain).ok_or(AsBindGroupError::RetryNextUpdate)?;
        let (pattern, repeating) = clouds.bindings();
        let texture = |dimension, view: &TextureView| UnpreparedBindingResource::TextureView(dimension, view.clone());
        let maps = |view| texture(TextureViewDimension::D2Array, view);
        let sampler =
            |sampler: &Sampler| UnpreparedBindingResource::Sampler(SamplerBindingType::Filtering, sampler.clone());
        let [first, second, third, fourth, fifth, sixth] = Self::BINDINGS;
        output.binding_resources.extend([
            (first, UnpreparedBindingResource::Buffer(buffer.clone())),
            (second, maps(normals)),
            (third, maps(shape)),
            (fourth, sampler(of_maps)),
            (fifth, texture(TextureViewDimension::D2, pattern)),
            (sixth, sampler(repeating)),
        ]);
        Ok(())
    }

    fn bind_group_layout_entries(_: &RenderDevice, _: bool) -> Vec<BindGroupLayoutEntry> {
        let [first, second, third, fourth, fifth, sixth] = Self::BINDINGS;
        let filterable = TextureSampleType::Float { filterable: true };
        let maps = || texture_2d_array(filterable);
        let sampler = || binding_types::sampler(SamplerBindingType::Filtering);
        vec![
            uniform_buffer::<TerrainUniform>(false).build(first, ShaderStages::VERTEX_FRAGMENT),
            maps().build(second, ShaderStages::FRAGMENT),
            maps().build(third, ShaderStages::FRAGMENT),
            sampler().build(fourth, ShaderStages::FRAGMENT),
            texture_2d(filterable).build(fifth, ShaderStages::FRAGMENT),
            sampler().build(sixth, ShaderStages::FRAGMENT),
        ]
    }
}
