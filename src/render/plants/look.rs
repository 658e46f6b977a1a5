//! The material of plants.

use super::rings::Rings;
use super::tile_mesh::{CENTER, COLOR, OFFSET, PLACE};
use crate::plants::Plants;
use crate::render::lighting::TerrainLighting;
use crate::render::shaders;
use bevy::mesh::MeshVertexBufferLayoutRef;
use bevy::pbr::{ExtendedMaterial, MaterialPipeline, MaterialPipelineKey};
use bevy::prelude::*;
use bevy::render::render_resource::{AsBindGroup, RenderPipelineDescriptor, ShaderType, SpecializedMeshPipelineError};
use bevy::shader::ShaderRef;

/// The material of plants: [`PlantLook`] extended by [`TerrainLighting`].
pub(super) type PlantMaterial = ExtendedMaterial<PlantLook, TerrainLighting>;

/// Groups of four layers of plants.
pub(in crate::render) const STARTS: usize = Plants::MAX_LAYERS.div_ceil(4);

/// Leaves, trunks and stones, or pictures of plants.
#[derive(Asset, AsBindGroup, Reflect, Clone, Debug)]
pub(super) struct PlantLook {
    #[uniform(0)]
    #[reflect(ignore)]
    pub uniform: PlantUniform,
    #[texture(1, dimension = "2d_array")]
    #[sampler(3)]
    pub color: Handle<Image>,
    #[texture(2, dimension = "2d_array")]
    pub normal: Handle<Image>,
}

/// The distances of the forms, as `Plants` in `plant.wesl`.
#[derive(ShaderType, Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct PlantUniform {
    /// Where near cards, far cards and pictures end, in metres.
    ends: Vec3,
    /// Of each layer of plants: nothing is drawn before this distance, in metres.
    starts: [Vec4; STARTS],
}

impl PlantUniform {
    pub fn new(rings: Rings, plants: &Plants) -> Self {
        let mut uniform = Self::of_rings(rings);
        for (number, layer) in plants.layers().enumerate() {
            uniform.starts[number / 4][number % 4] = if layer.own { layer.entities as f32 } else { 0.0 };
        }
        uniform
    }

    /// Where everything is drawn from the camera on.
    pub fn of_rings(rings: Rings) -> Self {
        let [near, middle, far] = rings.ends().map(|end| end as f32);
        Self { ends: Vec3::new(near, middle, far), starts: [Vec4::ZERO; STARTS] }
    }
}

impl Material for PlantLook {
    fn vertex_shader() -> ShaderRef {
        shaders::PLANT_VERTEX.into()
    }

    fn prepass_vertex_shader() -> ShaderRef {
        shaders::PLANT_VERTEX.into()
    }

    fn fragment_shader() -> ShaderRef {
        shaders::PLANTS.into()
    }

    fn prepass_fragment_shader() -> ShaderRef {
        shaders::PLANTS.into()
    }

    fn alpha_mode(&self) -> AlphaMode {
        AlphaMode::Mask(0.5)
    }

    fn specialize(
        _: &MaterialPipeline,
        descriptor: &mut RenderPipelineDescriptor,
        layout: &MeshVertexBufferLayoutRef,
        _: MaterialPipelineKey<Self>,
    ) -> Result<(), SpecializedMeshPipelineError> {
        descriptor.vertex.buffers = vec![layout.0.get_layout(&[
            CENTER.at_shader_location(0),
            OFFSET.at_shader_location(1),
            COLOR.at_shader_location(2),
            PLACE.at_shader_location(3),
        ])?];
        // Leaves are seen from both sides.
        descriptor.primitive.cull_mode = None;
        Ok(())
    }
}
