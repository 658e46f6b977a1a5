//! The material of the ground: layers by height, slope and more.

#[cfg(test)]
mod layers_on_gpu;

use super::TerrainMorph;
use super::quality::TerrainQuality;
use super::shaders;
use super::water_look::{TerrainWater, WaterUniform};
use crate::field::Band;
use crate::look::surface_layers::PlacedLayer;
use crate::look::{LookSettings, SurfaceLayer, SurfaceLayers};
use bevy::material::OpaqueRendererMethod;
use bevy::mesh::MeshVertexBufferLayoutRef;
use bevy::pbr::{ExtendedMaterial, MaterialPipeline, MaterialPipelineKey, MeshPipelineKey};
use bevy::prelude::*;
use bevy::render::render_resource::{
    AsBindGroup, Face, RenderPipelineDescriptor, ShaderType, SpecializedMeshPipelineError,
};
use bevy::shader::ShaderRef;

/// The material of the ground: [`TerrainLook`] (colors) extended by [`TerrainMorph`] (vertices).
pub type TerrainMaterial = ExtendedMaterial<TerrainLook, TerrainMorph>;

/// The images of the textures: factors of the color with the height, and slopes with roughness and openness.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct TextureImages {
    pub color: Handle<Image>,
    pub relief: Handle<Image>,
}

/// The material that covers the ground with layers, each with a color and a texture.
#[derive(Asset, AsBindGroup, Reflect, Clone, Debug)]
#[bind_group_data(TerrainQuality)]
pub struct TerrainLook {
    #[uniform(0)]
    #[reflect(ignore)]
    uniform: LookUniform,
    #[texture(1, dimension = "2d_array")]
    #[sampler(3)]
    color: Handle<Image>,
    #[texture(2, dimension = "2d_array")]
    relief: Handle<Image>,
    quality: TerrainQuality,
}

impl From<&TerrainLook> for TerrainQuality {
    fn from(look: &TerrainLook) -> Self {
        look.quality
    }
}

/// [`LookSettings`] in the layout of the shader: linear colors, and numbers in groups of four.
#[derive(ShaderType, Clone, Copy, Debug, Default, PartialEq)]
struct LookUniform {
    layers: [LayerUniform; LookSettings::MAX_LAYERS],
    /// Variation; the number of layers; unused.
    detail: Vec4,
    water: WaterUniform,
}

/// A layer of the ground, as `Layer` in `layers.wesl`.
#[derive(ShaderType, Clone, Copy, Debug, Default, PartialEq)]
struct LayerUniform {
    color: Vec4,
    bands: [Vec4; 6],
    toward: Vec2,
    opacity: f32,
    inverted: u32,
    patches: Vec4,
    ragged: Vec4,
}

impl From<(&SurfaceLayer, &PlacedLayer)> for LayerUniform {
    fn from((layer, placed): (&SurfaceLayer, &PlacedLayer)) -> Self {
        let [red, green, blue] = layer.color;
        let bit = |(index, band): (usize, &Band)| u32::from(band.invert) << index;
        Self {
            color: Color::srgb(red, green, blue).to_linear().to_vec3().extend(layer.texture as u32 as f32),
            bands: placed.bands.map(|band| Vec4::new(band.start, band.per_rise, band.end, band.per_fall)),
            toward: placed.toward.into(),
            opacity: placed.opacity,
            inverted: placed.bands.iter().enumerate().map(bit).sum(),
            patches: placed.patches.into(),
            ragged: placed.ragged.into(),
        }
    }
}

impl From<&LookSettings> for LookUniform {
    fn from(look: &LookSettings) -> Self {
        let ground = SurfaceLayers::new(look);
        let mut layers = [LayerUniform::default(); LookSettings::MAX_LAYERS];
        for (slot, layer) in layers.iter_mut().zip(ground.layers().iter().zip(ground.placed())) {
            *slot = layer.into();
        }
        let detail = Vec4::new(look.variation as f32, ground.layers().len() as f32, 0.0, 0.0);
        Self { layers, detail, water: look.into() }
    }
}

impl TerrainLook {
    pub(super) fn new(look: &LookSettings, textures: &TextureImages, quality: TerrainQuality) -> Self {
        Self { uniform: look.into(), color: textures.color.clone(), relief: textures.relief.clone(), quality }
    }

    /// Whether it has these textures and this quality.
    pub(super) fn has(&self, textures: &TextureImages, quality: TerrainQuality) -> bool {
        (&self.color, &self.relief, self.quality) == (&textures.color, &textures.relief, quality)
    }

    /// Gives it other textures and another quality.
    pub(super) fn set_textures(&mut self, TextureImages { color, relief }: TextureImages, quality: TerrainQuality) {
        (self.color, self.relief, self.quality) = (color, relief, quality);
    }

    /// Gives it the layers and the water of other settings.
    pub(super) fn set_settings(&mut self, look: &LookSettings) {
        self.uniform = look.into();
    }
}

impl Material for TerrainLook {
    fn fragment_shader() -> ShaderRef {
        shaders::TERRAIN.into()
    }

    fn deferred_fragment_shader() -> ShaderRef {
        Self::fragment_shader()
    }

    /// As the camera draws.
    fn opaque_render_method(&self) -> OpaqueRendererMethod {
        OpaqueRendererMethod::Auto
    }

    fn specialize(
        _: &MaterialPipeline,
        descriptor: &mut RenderPipelineDescriptor,
        _: &MeshVertexBufferLayoutRef,
        key: MaterialPipelineKey<Self>,
    ) -> Result<(), SpecializedMeshPipelineError> {
        key.bind_group_data.define(descriptor);
        // In all passes, as Bevy's own materials: where one left the depth of the lower side, the main pass would draw a hole.
        let is_mirrored = key.mesh_key.contains(MeshPipelineKey::INVERT_CULLING);
        descriptor.primitive.cull_mode = Some(if is_mirrored { Face::Front } else { Face::Back });
        Ok(())
    }
}

/// The materials of a terrain's chunks. The plugin adds this component to every [`Terrain`](crate::stream::Terrain).
#[derive(Component, Clone, Debug, Reflect)]
#[reflect(Component)]
#[non_exhaustive]
pub struct TerrainMaterials {
    /// The material of the ground.
    pub ground: Handle<TerrainMaterial>,
    /// The material of the surface of the water.
    pub water: Handle<TerrainWater>,
}
