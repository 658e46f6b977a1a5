//! The material of the surface of water, and what water looks like in the layout of the shaders.

#[cfg(test)]
mod absorption_on_gpu;

use super::lighting::TerrainLighting;
use super::quality::TerrainQuality;
use super::shaders;
use crate::look::LookSettings;
use crate::look::water::WaterColor;
use bevy::mesh::MeshVertexBufferLayoutRef;
use bevy::pbr::{ExtendedMaterial, MaterialPipeline, MaterialPipelineKey};
use bevy::prelude::*;
use bevy::render::render_resource::{AsBindGroup, RenderPipelineDescriptor, ShaderType, SpecializedMeshPipelineError};
use bevy::shader::ShaderRef;

/// The material of the surface of water: [`WaterLook`] extended by [`TerrainLighting`].
///
/// It has what the surface mirrors: the sky, the sun, lamps, and how hills darken them. It covers more of what is below the lower one looks.
/// The color of the water is not here: the material of the ground draws what is in the water, and so it ends where the ground is.
pub type TerrainWater = ExtendedMaterial<WaterLook, TerrainLighting>;

/// The surface of water: waves, and what they mirror.
#[derive(Asset, AsBindGroup, Reflect, Clone, Debug)]
#[bind_group_data(TerrainQuality)]
pub struct WaterLook {
    #[uniform(0)]
    #[reflect(ignore)]
    uniform: WaterUniform,
    quality: TerrainQuality,
}

impl From<&WaterLook> for TerrainQuality {
    fn from(look: &WaterLook) -> Self {
        look.quality
    }
}

/// The water of a terrain, as `Water` in `water.wesl`.
#[derive(ShaderType, Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct WaterUniform {
    /// The linear color of deep water; its level in metres of the terrain.
    scattered: Vec4,
    /// How much of the light is lost in a metre; the strength of the waves.
    absorption: Vec4,
}

/// The color of the water of a look.
pub(crate) fn water_color(look: &LookSettings) -> WaterColor {
    let [red, green, blue] = look.water_color;
    let color = Color::srgb(red, green, blue).to_linear().to_vec3();
    WaterColor::new(color.into(), look.water_clarity as f32)
}

impl From<&LookSettings> for WaterUniform {
    fn from(look: &LookSettings) -> Self {
        /// Below all ground.
        const NONE: f32 = -1e9;
        let WaterColor { scattered, absorption } = water_color(look);
        let level = if look.water { look.water_height as f32 } else { NONE };
        Self {
            scattered: Vec3::from(scattered).extend(level),
            absorption: Vec3::from(absorption).extend(look.waves as f32),
        }
    }
}

impl WaterLook {
    pub(super) fn new(look: &LookSettings, quality: TerrainQuality) -> Self {
        Self { uniform: look.into(), quality }
    }

    pub(super) const fn quality(&self) -> TerrainQuality {
        self.quality
    }
}

impl Material for WaterLook {
    fn vertex_shader() -> ShaderRef {
        shaders::WATER_VERTEX.into()
    }

    fn fragment_shader() -> ShaderRef {
        shaders::WATER_SURFACE.into()
    }

    fn alpha_mode(&self) -> AlphaMode {
        AlphaMode::Blend
    }

    /// Behind all else that is transparent, such as smoke above the water, and before the sky.
    fn depth_bias(&self) -> f32 {
        -1e5
    }

    fn enable_prepass() -> bool {
        false
    }

    fn enable_shadows() -> bool {
        false
    }

    fn specialize(
        _: &MaterialPipeline,
        descriptor: &mut RenderPipelineDescriptor,
        layout: &MeshVertexBufferLayoutRef,
        key: MaterialPipelineKey<Self>,
    ) -> Result<(), SpecializedMeshPipelineError> {
        key.bind_group_data.define(descriptor);
        descriptor.vertex.buffers = vec![layout.0.get_layout(&[Mesh::ATTRIBUTE_POSITION.at_shader_location(0)])?];
        // It is seen from below too.
        descriptor.primitive.cull_mode = None;
        Ok(())
    }
}
