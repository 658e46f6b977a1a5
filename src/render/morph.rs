//! The material extension that draws chunks from their heights, and morphs vertices between levels of detail. Works with any
//! fragment shader.

use super::height_atlas::HeightTexture;
use super::lighting::TerrainLighting;
use super::shaders;
use bevy::ecs::system::SystemParamItem;
use bevy::ecs::system::lifetimeless::SRes;
use bevy::mesh::MeshVertexBufferLayoutRef;
use bevy::pbr::{MaterialExtension, MaterialExtensionKey, MaterialExtensionPipeline};
use bevy::prelude::*;
use bevy::render::render_resource::binding_types::texture_2d_array;
use bevy::render::render_resource::{
    AsBindGroup, AsBindGroupError, BindGroupBuilder, BindGroupLayout, BindGroupLayoutEntry, RenderPipelineDescriptor,
    ShaderStages, SpecializedMeshPipelineError, TextureSampleType, TextureViewDimension, UnpreparedBindingResource,
};
use bevy::render::renderer::RenderDevice;
use bevy::shader::ShaderRef;

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
/// It has all that [`TerrainLighting`] has, so a fragment shader can ask for the light on the ground too. Besides, the heights of chunks
/// are at binding 110, for the vertex shader alone. A fragment shader can import the morph factor of a position with
/// `import bevy_perlin_terrain::morph::morph_factor;`. These names stay the same when files of this crate move.
/// `ChunkPoint` of the same module is a second parameter of a fragment shader: the position and the normal along the terrain's axes,
/// and the level of the chunk. The arithmetic is that of [`Morph`](crate::chunk::Morph).
/// `terrain.pattern` of `bevy_perlin_terrain::terrain_uniform` has the lattices of the fine pattern that
/// [`TerrainLook`](super::TerrainLook) draws. They stay in position on the ground when the terrain or the world origin moves.
///
/// The `Mesh3d` of a chunk is a flat grid that all chunks share. The vertex shader finds the heights of the chunk by its
/// [`MeshTag`](bevy::mesh::MeshTag). `terrain_level(instance_index)` of `bevy_perlin_terrain::chunk` reads the level from the tag.
///
/// Terrains with more than 16 viewers do not morph, as if [`LodSettings::morph`](crate::chunk::LodSettings::morph) were off. Moving
/// viewers add no cost per chunk: they are in the uniform.
#[derive(Asset, Reflect, Clone, Copy, Debug, PartialEq, Eq)]
pub struct TerrainMorph {
    lighting: TerrainLighting,
}

impl TerrainMorph {
    /// Creates the extension for chunks of `terrain`, an entity with a [`Terrain`](crate::stream::Terrain).
    ///
    /// Meshes with the material are not drawn until that entity exists.
    #[must_use]
    pub const fn new(terrain: Entity) -> Self {
        Self { lighting: TerrainLighting::new(terrain) }
    }

    /// The binding of the heights of chunks in the material's bind group.
    const HEIGHTS: u32 = 110;
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

/// Not derived, because the material owns no texture.
impl AsBindGroup for TerrainMorph {
    type Data = ();
    type Param = (<TerrainLighting as AsBindGroup>::Param, SRes<HeightTexture>);

    fn label() -> &'static str {
        "terrain_morph"
    }

    fn bind_group_data(&self) -> Self::Data {}

    fn build_bind_group(
        &self,
        layout: &BindGroupLayout,
        device: &RenderDevice,
        (lighting, heights): &mut SystemParamItem<'_, '_, Self::Param>,
        force_no_bindless: bool,
        output: &mut BindGroupBuilder,
    ) -> Result<(), AsBindGroupError> {
        self.lighting.build_bind_group(layout, device, lighting, force_no_bindless, output)?;
        let heights = UnpreparedBindingResource::TextureView(TextureViewDimension::D2Array, heights.view().clone());
        output.binding_resources.push((Self::HEIGHTS, heights));
        Ok(())
    }

    fn bind_group_layout_entries(device: &RenderDevice, force_no_bindless: bool) -> Vec<BindGroupLayoutEntry> {
        let mut entries = TerrainLighting::bind_group_layout_entries(device, force_no_bindless);
        // The fragment shader has no texture to spare in WebGL 2.
        let heights = texture_2d_array(TextureSampleType::Float { filterable: false });
        entries.push(heights.build(Self::HEIGHTS, ShaderStages::VERTEX));
        entries
    }
}
