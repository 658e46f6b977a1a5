//! The material extension that draws chunks from their heights, and morphs vertices between levels of detail. Works with any
//! fragment shader.

mod buffers;
mod pattern;
#[cfg(test)]
mod pattern_noise_on_gpu;
mod uniform;

use super::height_atlas::HeightTexture;
use super::shaders;
use bevy::ecs::system::SystemParamItem;
use bevy::ecs::system::lifetimeless::SRes;
use bevy::mesh::MeshVertexBufferLayoutRef;
use bevy::pbr::{MaterialExtension, MaterialExtensionKey, MaterialExtensionPipeline};
use bevy::prelude::*;
use bevy::render::render_resource::binding_types::{self, texture_2d_array, uniform_buffer};
use bevy::render::render_resource::{
    AsBindGroup, AsBindGroupError, BindGroupBuilder, BindGroupLayout, BindGroupLayoutEntry, RenderPipelineDescriptor,
    SamplerBindingType, ShaderStages, SpecializedMeshPipelineError, TextureSampleType, TextureView,
    TextureViewDimension, UnpreparedBindingResource,
};
use bevy::render::renderer::RenderDevice;
use bevy::shader::ShaderRef;
use buffers::MorphBuffers;
pub(super) use buffers::{ExtractedMorphs, FarMapSize, extract_morphs, reset_morph_buffers, write_morphs};
pub(super) use uniform::MorphUniform;

/// A material extension that draws a terrain's chunks from their heights, and moves vertices from one level of detail to the next as
/// viewers move.
///
/// It has only vertex shaders. The same shader runs in the main pass and in the passes for depth, shadows, normals and motion
/// vectors, so all passes draw a vertex at the same position. Its base can be any material, and another extension can add a
/// fragment shader on top. So a game can morph its own ground like [`TerrainMaterial`](super::TerrainMaterial) does:
///
/// ```
/// use bevy::pbr::{ExtendedMaterial, MaterialExtension};
/// use bevy::prelude::*;
/// use bevy::render::render_resource::AsBindGroup;
/// use bevy::shader::ShaderRef;
/// use bevy_perlin_terrain::prelude::*;
/// use bevy_perlin_terrain::render::{TerrainMaterial, TerrainMorph};
///
/// /// The game's own colors.
/// #[derive(Asset, AsBindGroup, TypePath, Clone)]
/// struct MyLook {
///     #[uniform(100)]
///     tint: LinearRgba,
/// }
///
/// impl MaterialExtension for MyLook {
///     fn fragment_shader() -> ShaderRef {
///         "shaders/my_ground.wesl".into()
///     }
/// }
///
/// type MyGround = ExtendedMaterial<ExtendedMaterial<StandardMaterial, TerrainMorph>, MyLook>;
///
/// /// The terrain's material.
/// #[derive(Component)]
/// struct MyMaterial(Handle<MyGround>);
///
/// fn add_material(terrain: On<Add<Terrain>>, mut materials: ResMut<Assets<MyGround>>, mut commands: Commands) {
///     let material = materials.add(MyGround {
///         base: ExtendedMaterial {
///             base: StandardMaterial { perceptual_roughness: 0.9, ..default() },
///             extension: TerrainMorph::new(terrain.entity),
///         },
///         extension: MyLook { tint: LinearRgba::rgb(0.3, 0.5, 0.2) },
///     });
///     commands.entity(terrain.entity).insert(MyMaterial(material));
/// }
///
/// /// Replaces the crate's material of every chunk by the game's own.
/// fn use_material(
///     ground: On<Add<MeshMaterial3d<TerrainMaterial>>>,
///     parents: Query<&ChildOf>,
///     terrains: Query<&MyMaterial>,
///     mut commands: Commands,
/// ) -> Result {
///     let material = terrains.get(parents.get(ground.entity)?.parent())?;
///     commands
///         .entity(ground.entity)
///         .remove::<MeshMaterial3d<TerrainMaterial>>()
///         .insert(MeshMaterial3d(material.0.clone()));
///     Ok(())
/// }
///
/// fn plugin(app: &mut App) {
///     app.add_plugins(MaterialPlugin::<MyGround>::default()).add_observer(add_material).add_observer(use_material);
/// }
/// ```
///
/// # The shader
///
/// The uniform is at binding 101 of the material's bind group, maps of far ground are at 102 to 104, and the heights of chunks, for the
/// vertex shader alone, at 110. A fragment shader can import the uniform, and the morph factor of a position, with
/// `import bevy_perlin_terrain::morph::{terrain_morph, morph_factor};`. This path stays the same when files of this crate move.
/// `ChunkPoint` of the same module is a second parameter of a fragment shader: the position and the normal along the terrain's axes,
/// and the level of the chunk. The arithmetic is that of [`Morph`](crate::chunk::Morph).
/// `terrain_morph.pattern` has the lattices of the fine pattern that [`TerrainLook`](super::TerrainLook) draws. They stay in
/// position on the ground when the terrain or the world origin moves.
///
/// The `Mesh3d` of a chunk is a flat grid that all chunks share. The vertex shader finds the heights of the chunk by its
/// [`MeshTag`](bevy::mesh::MeshTag). `terrain_level(instance_index)` of `bevy_perlin_terrain::chunk` reads the level from the tag.
///
/// Terrains with more than 16 viewers do not morph, as if [`LodSettings::morph`](crate::chunk::LodSettings::morph) were off. The
/// uniform is written once per frame, directly into its buffer. The material asset does not change, so moving viewers add no
/// cost per chunk.
#[derive(Asset, Reflect, Clone, Copy, Debug, PartialEq, Eq)]
pub struct TerrainMorph {
    terrain: Entity,
}

impl TerrainMorph {
    /// Creates the extension for chunks of `terrain`, an entity with a [`Terrain`](crate::stream::Terrain).
    ///
    /// Meshes with the material are not drawn until that entity exists.
    #[must_use]
    pub const fn new(terrain: Entity) -> Self {
        Self { terrain }
    }

    /// The bindings of the uniform, of the normals and the shapes of far ground, of their sampler, and of the heights of chunks in the
    /// material's bind group.
    const BINDINGS: [u32; 5] = [101, 102, 103, 104, 110];
}

impl MaterialExtension for TerrainMorph {
    fn vertex_shader() -> ShaderRef {
        shaders::MORPH_VERTEX.into()
    }

    fn prepass_vertex_shader() -> ShaderRef {
        shaders::MORPH_VERTEX.into()
    }

    fn deferred_vertex_shader() -> ShaderRef {
        shaders::MORPH_VERTEX.into()
    }

    /// The vertex shader takes the same attribute in all passes.
    fn specialize(
        _: &MaterialExtensionPipeline,
        descriptor: &mut RenderPipelineDescriptor,
        layout: &MeshVertexBufferLayoutRef,
        _: MaterialExtensionKey<Self>,
    ) -> Result<(), SpecializedMeshPipelineError> {
        descriptor.vertex.buffers = vec![layout.0.get_layout(&[Mesh::ATTRIBUTE_POSITION.at_shader_location(0)])?];
        Ok(())
    }
}

/// Not derived, because the material owns neither the buffer nor the textures.
impl AsBindGroup for TerrainMorph {
    type Data = ();
    type Param = (SRes<MorphBuffers>, SRes<HeightTexture>);

    fn label() -> &'static str {
        "terrain_morph"
    }

    fn bind_group_data(&self) -> Self::Data {}

    fn build_bind_group(
        &self,
        _: &BindGroupLayout,
        _: &RenderDevice,
        (buffers, heights): &mut SystemParamItem<'_, '_, Self::Param>,
        _: bool,
        output: &mut BindGroupBuilder,
    ) -> Result<(), AsBindGroupError> {
        let (buffer, [normals, shape], sampler) = buffers.get(self.terrain).ok_or(AsBindGroupError::RetryNextUpdate)?;
        let texture =
            |view: &TextureView| UnpreparedBindingResource::TextureView(TextureViewDimension::D2Array, view.clone());
        let sampler = UnpreparedBindingResource::Sampler(SamplerBindingType::Filtering, sampler.clone());
        let [first, second, third, fourth, fifth] = Self::BINDINGS;
        output.binding_resources.extend([
            (first, UnpreparedBindingResource::Buffer(buffer.clone())),
            (second, texture(normals)),
            (third, texture(shape)),
            (fourth, sampler),
            (fifth, texture(heights.view())),
        ]);
        Ok(())
    }

    fn bind_group_layout_entries(_: &RenderDevice, _: bool) -> Vec<BindGroupLayoutEntry> {
        let [first, second, third, fourth, fifth] = Self::BINDINGS;
        let maps = || texture_2d_array(TextureSampleType::Float { filterable: true });
        vec![
            uniform_buffer::<MorphUniform>(false).build(first, ShaderStages::VERTEX_FRAGMENT),
            maps().build(second, ShaderStages::FRAGMENT),
            maps().build(third, ShaderStages::FRAGMENT),
            binding_types::sampler(SamplerBindingType::Filtering).build(fourth, ShaderStages::FRAGMENT),
            // The fragment shader has no texture to spare in WebGL 2.
            texture_2d_array(TextureSampleType::Float { filterable: false }).build(fifth, ShaderStages::VERTEX),
        ]
    }
}
