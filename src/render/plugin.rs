//! The plugin that draws the terrain.

use super::TerrainView;
use super::edges::{PendingStitchMasks, extract_stitching, update_stitching, write_stitching};
use super::far_maps::TerrainFarMaps;
use super::follow::follow_terrains;
use super::lens::{update_lenses, warn_of_near_far_planes};
use super::material::{TerrainMaterial, TerrainMaterials};
use super::materials::{create_materials, update_look, update_materials};
use super::morph::{ExtractedMorphs, FarMapSize, extract_morphs, reset_morph_buffers, write_morphs};
use super::quality::TerrainQuality;
use super::shaders::add_shaders;
use super::surface_textures::{SurfaceTextures, bake_textures, follow_settings, watch_images};
use super::surfaces::{finish_surfaces, show_chunks};
use super::texture_upload::{Uploads, upload_textures};
use super::uploads::{
    NewChunkMeshes, extract_new_chunk_meshes, has_new_chunk_meshes, lacks_storage_buffers, prepare_chunks_first,
    remove_bounds,
};
use super::water::{ChunkWater, WaterSheet, update_water};
use crate::stream::{Terrain, TerrainSystems};
use bevy::asset::RenderAssetUsages;
use bevy::camera::CameraUpdateSystems;
use bevy::prelude::*;
use bevy::render::mesh::RenderMesh;
use bevy::render::mesh::allocator::allocate_and_free_meshes;
use bevy::render::render_asset::prepare_assets;
use bevy::render::{ExtractSchedule, Render, RenderApp, RenderStartup, RenderSystems};

/// Turns chunk surfaces into meshes and draws them with a [`TerrainMaterial`].
///
/// Does nothing in an app without Bevy's `PbrPlugin`, except log a warning.
///
/// # Reading the meshes of chunks
///
/// By default, the meshes of chunks are [`RENDER_WORLD`](bevy::asset::RenderAssetUsages::RENDER_WORLD) assets: Bevy moves the
/// vertices to the GPU and keeps no copy. After that, methods such as `Mesh::attribute` panic. This also affects other crates
/// that read meshes, for example for mesh picking, colliders or navigation. There are three alternatives:
///
/// - [`TerrainGround`](crate::ground::TerrainGround) returns heights and normals of the ground, and needs no extra memory.
/// - [`keep_surfaces`](Self::keep_surfaces) keeps a [`ChunkSurface`](crate::stream::ChunkSurface), for the game's own colliders.
/// - [`readable_meshes`](Self::readable_meshes) keeps a copy of each mesh, for crates that read `Mesh3d`.
#[derive(Clone, Copy, Debug)]
pub struct TerrainRenderPlugin {
    /// Keeps the [`ChunkSurface`](crate::stream::ChunkSurface) of every chunk after its mesh is made, for example for colliders.
    /// Costs 36 bytes per vertex. Default: false.
    pub keep_surfaces: bool,
    /// Makes meshes for any material, with [`chunk_mesh`](super::chunk_mesh), and adds no material. Default: false.
    ///
    /// A new level of detail then appears at once instead of morphing. The game adds a material to each chunk when it gets its
    /// mesh. Every chunk has a [`ChunkBounds`](crate::stream::ChunkBounds), which distinguishes it from other meshes:
    ///
    /// ```
    /// use bevy::prelude::*;
    /// use bevy_perlin_terrain::prelude::*;
    /// use bevy_perlin_terrain::render::TerrainRenderPlugin;
    ///
    /// #[derive(Resource)]
    /// struct Ground(Handle<StandardMaterial>);
    ///
    /// fn add_material(mesh: On<Add<Mesh3d>>, grounds: Query<&ChunkBounds>, look: Res<Ground>, mut commands: Commands) {
    ///     if grounds.contains(mesh.entity) {
    ///         commands.entity(mesh.entity).insert(MeshMaterial3d(look.0.clone()));
    ///     }
    /// }
    ///
    /// fn plugin(app: &mut App) {
    ///     app.add_plugins(TerrainPlugins.set(TerrainRenderPlugin { plain_meshes: true, ..default() }))
    ///         .add_observer(add_material);
    /// }
    /// ```
    ///
    /// A game's own shader that should morph uses [`TerrainMorph`](super::TerrainMorph) instead, with this field off.
    pub plain_meshes: bool,
    /// Keeps the meshes of chunks in main memory too, with [`RenderAssetUsages::all`](bevy::asset::RenderAssetUsages), so that
    /// other crates can read them. Otherwise, `Mesh::attribute` panics after their upload. Costs 24 bytes per vertex and 12 bytes
    /// per quad. Default: false.
    ///
    /// These meshes are not stitched to coarser neighbors. Stitching happens only on the GPU.
    pub readable_meshes: bool,
    /// The [`TerrainQuality`] at the start; to set the sizes below too, use [`with_quality`](Self::with_quality). Default: `High`, and
    /// `Low` in browsers.
    pub quality: TerrainQuality,
    /// The side of the ground's textures, in texels: a power of two from 16 to 2048; other numbers are rounded up. With 1024, a
    /// texel is 3 mm wide, and the textures take 78 MB of memory on the GPU; half of it takes a quarter. 0 means
    /// plain colors. Default: 1024, and 512 in browsers.
    pub texture_size: u32,
    /// The side of the five maps of [far ground](super::TerrainFarMaps), in texels: a multiple of 128 up to 2048; other numbers are
    /// rounded up. With 1024, the maps of a terrain take 50 MB of memory on the GPU, and reach 26 km; half of it takes a
    /// quarter and reaches half as far. 0 means no maps. Default: 1024, and 512 in browsers.
    pub far_map_size: u32,
}

impl Default for TerrainRenderPlugin {
    fn default() -> Self {
        Self::with_quality(TerrainQuality::default())
    }
}

impl TerrainRenderPlugin {
    /// The plugin with a quality, and with textures and maps of the size that belongs to it.
    #[must_use]
    pub const fn with_quality(quality: TerrainQuality) -> Self {
        Self {
            keep_surfaces: false,
            plain_meshes: false,
            readable_meshes: false,
            quality,
            texture_size: quality.texture_size(),
            far_map_size: quality.far_map_size(),
        }
    }
}

impl Plugin for TerrainRenderPlugin {
    fn build(&self, app: &mut App) {
        if !app.is_plugin_added::<bevy::pbr::PbrPlugin>() {
            warn!("`TerrainRenderPlugin` does nothing without Bevy's `PbrPlugin`: add it after `DefaultPlugins`");
            return;
        }
        add_shaders(app);
        let usage = if self.readable_meshes { RenderAssetUsages::all() } else { RenderAssetUsages::RENDER_WORLD };
        app.add_plugins(MaterialPlugin::<TerrainMaterial>::default())
            .insert_resource(finish_surfaces(self.keep_surfaces, self.plain_meshes, usage))
            .insert_resource(self.quality)
            .init_resource::<TerrainView>()
            .init_resource::<WaterSheet>()
            .register_type::<TerrainMaterials>()
            .register_type::<TerrainQuality>()
            .register_type::<TerrainView>()
            .register_type::<ChunkWater>();
        // Without a renderer, or with other materials, no one sees textures.
        let is_seen = app.get_sub_app(RenderApp).is_some() && !self.plain_meshes;
        let texture_size = if is_seen { self.texture_size } else { 0 };
        let textures = SurfaceTextures::new(texture_size, &mut app.world_mut().resource_mut::<Assets<Image>>());
        let uploads = Uploads::default();
        app.insert_resource(textures).insert_resource(uploads.clone());
        app.register_required_components::<Terrain, Visibility>();
        app.add_systems(Last, warn_of_near_far_planes);
        app.add_systems(
            PostUpdate,
            (
                update_lenses.after(CameraUpdateSystems).after(TerrainSystems::React).before(TerrainSystems::Select),
                // New chunks need the materials.
                (
                    follow_settings,
                    watch_images,
                    bake_textures,
                    update_materials
                        .run_if(resource_changed::<SurfaceTextures>.or_else(resource_changed::<TerrainQuality>)),
                    create_materials,
                )
                    .chain()
                    .after(TerrainSystems::React)
                    .before(TerrainSystems::Select),
                (update_look, show_chunks, update_stitching, update_water, follow_terrains())
                    .chain()
                    .in_set(TerrainSystems::Render)
                    .before(bevy::camera::visibility::VisibilitySystems::VisibilityPropagate),
            ),
        );
        // As chunks: the target of a pointer is the terrain. An error means that the game has its own rule for water.
        #[cfg(feature = "picking")]
        let _ = app.try_register_required_components_with::<ChunkWater, _>(|| Pickable::IGNORE);
        if app.get_sub_app(RenderApp).is_none() {
            return;
        }
        let far_map_size = if is_seen { self.far_map_size.min(2048).next_multiple_of(128) } else { 0 };
        if far_map_size > 0 {
            app.register_required_components::<Terrain, TerrainFarMaps>();
        }
        let render_app = app.sub_app_mut(RenderApp);
        render_app
            .insert_resource(FarMapSize(far_map_size))
            .insert_resource(uploads)
            .init_resource::<ExtractedMorphs>()
            .init_resource::<PendingStitchMasks>()
            .init_resource::<NewChunkMeshes>()
            .add_systems(RenderStartup, reset_morph_buffers)
            .add_systems(ExtractSchedule, (extract_morphs, extract_stitching, extract_new_chunk_meshes))
            .add_systems(
                Render,
                (
                    write_morphs.after(RenderSystems::ExtractCommands).before(RenderSystems::PrepareAssets),
                    upload_textures.in_set(RenderSystems::PrepareResources),
                    remove_bounds
                        .in_set(RenderSystems::PrepareAssets)
                        .before(allocate_and_free_meshes)
                        .run_if(lacks_storage_buffers),
                    (write_stitching, prepare_chunks_first::<RenderMesh>.run_if(has_new_chunk_meshes))
                        .chain()
                        .in_set(RenderSystems::PrepareAssets)
                        .after(allocate_and_free_meshes)
                        // That system clears `ExtractedAssets::removed`, which `write_stitching` reads.
                        .before(prepare_assets::<RenderMesh>),
                ),
            );
    }
}
