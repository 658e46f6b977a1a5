//! Vertices move from one level of detail to the next, under any fragment shader.

#[cfg(test)]
mod agreement;
mod buffers;
mod pattern;
mod uniform;

use super::mesh::{ATTRIBUTE_COARSE_HEIGHT, ATTRIBUTE_NORMALS};
use bevy::ecs::system::SystemParamItem;
use bevy::ecs::system::lifetimeless::SRes;
use bevy::mesh::MeshVertexBufferLayoutRef;
use bevy::pbr::{MaterialExtension, MaterialExtensionKey, MaterialExtensionPipeline};
use bevy::prelude::*;
use bevy::render::render_resource::binding_types::uniform_buffer;
use bevy::render::render_resource::{
    AsBindGroup, AsBindGroupError, BindGroupLayout, BindGroupLayoutEntry, BindingResources, OwnedBindingResource,
    RenderPipelineDescriptor, ShaderStages, SpecializedMeshPipelineError, UnpreparedBindGroup,
};
use bevy::render::renderer::RenderDevice;
use bevy::shader::ShaderRef;
use buffers::MorphBuffers;
pub(super) use buffers::{MorphUniforms, extract_morphs, reset_morph_buffers, write_morphs};
use uniform::MorphUniform;

/// Moves the vertices of a terrain's chunks from one level of detail to the next, as viewers come and go.
///
/// A part of a material that has vertex shaders alone: for the picture, and for depth, shadows, normals and motion vectors,
/// which all must draw a vertex in the same place. Below it lies any material that draws meshes, and on top of it any
/// extension with a fragment shader, so that a game's own ground moves as [`TerrainMaterial`](super::TerrainMaterial) does:
///
/// ```
/// use bevy::pbr::{ExtendedMaterial, MaterialExtension};
/// use bevy::prelude::*;
/// use bevy::render::render_resource::AsBindGroup;
/// use bevy::shader::ShaderRef;
/// use bevy_perlin_terrain::prelude::*;
/// use bevy_perlin_terrain::render::{TerrainMaterial, TerrainMorph};
///
/// /// Colors the ground in the game's own way.
/// #[derive(Asset, AsBindGroup, TypePath, Clone)]
/// struct MyLook {
///     #[uniform(100)]
///     tint: LinearRgba,
/// }
///
/// impl MaterialExtension for MyLook {
///     fn fragment_shader() -> ShaderRef {
///         "shaders/my_ground.wgsl".into()
///     }
/// }
///
/// type MyGround = ExtendedMaterial<ExtendedMaterial<StandardMaterial, TerrainMorph>, MyLook>;
///
/// /// The terrain's material.
/// #[derive(Component)]
/// struct MyMaterial(Handle<MyGround>);
///
/// fn add_material(terrain: On<Add, Terrain>, mut materials: ResMut<Assets<MyGround>>, mut commands: Commands) {
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
/// /// Gives every chunk, and what stands in for chunks, the game's material in place of the crate's.
/// fn use_material(
///     ground: On<Add, MeshMaterial3d<TerrainMaterial>>,
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
/// The uniform is at binding 101 of the material's group. A fragment shader gets it, and the factor by which the ground has
/// moved at a place, by `#import bevy_perlin_terrain::morph::{terrain_morph, morph_factor}`; the level of a chunk is
/// `bevy_pbr::mesh_functions::get_tag(in.instance_index)`. The arithmetic is that of [`Morph`](crate::chunk::Morph).
/// `terrain_morph.pattern` tells where the lattices lie that the crate's own look draws its fine pattern on; they stay on the
/// ground when the terrain or the world is moved.
///
/// The meshes are those of [`morphing_chunk_mesh`](super::morphing_chunk_mesh): a mesh without its attributes is not drawn.
///
/// Terrains with more than 16 viewers do not move at all, as with
/// [`LodSettings::morph`](crate::chunk::LodSettings::morph) off. The uniform is written once a frame, behind the material's
/// back: the material itself does not change, so no chunk has to be looked at when viewers move.
#[derive(Asset, Reflect, Clone, Copy, Debug, PartialEq, Eq)]
pub struct TerrainMorph {
    terrain: Entity,
}

impl TerrainMorph {
    /// For chunks of `terrain`, an entity with [`Terrain`](crate::stream::Terrain).
    ///
    /// Until that entity exists, what has the material is not drawn.
    #[must_use]
    pub const fn new(terrain: Entity) -> Self {
        Self { terrain }
    }

    /// Where the uniform is, in the group of the material.
    const BINDING: u32 = 101;

    const VERTEX_SHADER: &str = "embedded://bevy_perlin_terrain/render/morph_vertex.wgsl";
}

impl MaterialExtension for TerrainMorph {
    fn vertex_shader() -> ShaderRef {
        Self::VERTEX_SHADER.into()
    }

    fn prepass_vertex_shader() -> ShaderRef {
        Self::VERTEX_SHADER.into()
    }

    fn deferred_vertex_shader() -> ShaderRef {
        Self::VERTEX_SHADER.into()
    }

    /// For all passes: the vertex shader takes the same attributes in each.
    fn specialize(
        _: &MaterialExtensionPipeline,
        descriptor: &mut RenderPipelineDescriptor,
        layout: &MeshVertexBufferLayoutRef,
        _: MaterialExtensionKey<Self>,
    ) -> Result<(), SpecializedMeshPipelineError> {
        descriptor.vertex.buffers = vec![layout.0.get_layout(&[
            Mesh::ATTRIBUTE_POSITION.at_shader_location(0),
            ATTRIBUTE_NORMALS.at_shader_location(1),
            ATTRIBUTE_COARSE_HEIGHT.at_shader_location(2),
        ])?];
        Ok(())
    }
}

/// By hand, because the buffer is not the material's own.
impl AsBindGroup for TerrainMorph {
    type Data = ();
    type Param = SRes<MorphBuffers>;

    fn label() -> &'static str {
        "terrain_morph"
    }

    fn bind_group_data(&self) -> Self::Data {}

    fn unprepared_bind_group(
        &self,
        _: &BindGroupLayout,
        _: &RenderDevice,
        buffers: &mut SystemParamItem<'_, '_, Self::Param>,
        _: bool,
    ) -> Result<UnpreparedBindGroup, AsBindGroupError> {
        let buffer = buffers.get(self.terrain).ok_or(AsBindGroupError::RetryNextUpdate)?;
        let bindings = BindingResources(vec![(Self::BINDING, OwnedBindingResource::Buffer(buffer.clone()))]);
        Ok(UnpreparedBindGroup { bindings })
    }

    fn bind_group_layout_entries(_: &RenderDevice, _: bool) -> Vec<BindGroupLayoutEntry> {
        vec![uniform_buffer::<MorphUniform>(false).build(Self::BINDING, ShaderStages::VERTEX_FRAGMENT)]
    }
}
