//! The plugin that draws.

use super::TerrainView;
use super::edges::{PendingStitchMasks, extract_edges, follow_edges, write_edges};
use super::lens::{follow_cameras, warn_of_near_far_planes};
use super::material::{TerrainMaterial, TerrainMaterials, create_materials, update_look};
use super::morph::{MorphUniforms, extract_morphs, reset_morph_buffers, write_morphs};
use super::surfaces::{finish_surfaces, show_chunks};
use super::uploads::{NewChunkMeshes, extract_new_chunk_meshes, has_new_chunk_meshes, prepare_chunks_first};
use super::water::{ChunkWater, WaterSheet, fit_water};
use crate::stream::{Terrain, TerrainSystems};
use bevy::asset::{RenderAssetUsages, embedded_asset};
use bevy::camera::CameraUpdateSystems;
use bevy::prelude::*;
use bevy::render::mesh::RenderMesh;
use bevy::render::mesh::allocator::allocate_and_free_meshes;
use bevy::render::render_asset::prepare_assets;
use bevy::render::{ExtractSchedule, Render, RenderApp, RenderStartup, RenderSystems};
use bevy::shader::load_shader_library;

/// Turns chunk surfaces into meshes and gives the ground its look.
///
/// In an app without Bevy's `PbrPlugin` there is nothing to draw with, and the plugin does nothing.
///
/// # Reading the meshes of chunks
///
/// Bevy moves the vertices of a chunk's mesh to the graphics card and keeps no copy: they are
/// [`RENDER_WORLD`](bevy::asset::RenderAssetUsages::RENDER_WORLD) assets. After that, `Mesh::attribute` and the like panic, also
/// where another crate calls them, for mesh picking, colliders or navigation meshes, say. Three things can help:
///
/// - [`TerrainGround`](crate::ground::TerrainGround) answers where the ground is, and costs nothing.
/// - [`keep_surfaces`](Self::keep_surfaces) keeps a [`ChunkSurface`](crate::stream::ChunkSurface) for colliders of the game's own.
/// - [`readable_meshes`](Self::readable_meshes) keeps a copy of each mesh, for crates that read `Mesh3d`.
#[derive(Clone, Copy, Debug, Default)]
pub struct TerrainRenderPlugin {
    /// Keeps the [`ChunkSurface`](crate::stream::ChunkSurface) of every chunk after its mesh is made, for colliders and the
    /// like, at 36 bytes a vertex. Default: false.
    pub keep_surfaces: bool,
    /// Makes meshes for any material, as [`chunk_mesh`](super::chunk_mesh) does, and leaves the material to the game.
    /// Default: false.
    ///
    /// A level of detail then appears at once, rather than moving into place. A game gives chunks a material as soon as they
    /// have a mesh; all of them have bounds:
    ///
    /// ```
    /// use bevy::prelude::*;
    /// use bevy_perlin_terrain::prelude::*;
    /// use bevy_perlin_terrain::render::TerrainRenderPlugin;
    ///
    /// #[derive(Resource)]
    /// struct Ground(Handle<StandardMaterial>);
    ///
    /// fn add_material(mesh: On<Add, Mesh3d>, grounds: Query<&ChunkBounds>, look: Res<Ground>, mut commands: Commands) {
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
    /// For a game's own shader with levels that move into place see [`TerrainMorph`](super::TerrainMorph), which goes
    /// without this.
    pub plain_meshes: bool,
    /// Keeps the meshes of chunks in main memory too, as [`RenderAssetUsages::all`](bevy::asset::RenderAssetUsages) does, so that
    /// other crates can read them. Without, `Mesh::attribute` panics on them once they are uploaded. Costs 24 bytes a vertex
    /// and 12 bytes a quad. Default: false.
    ///
    /// Their triangles are those without a coarser neighbor: borders are stitched on the graphics card alone.
    pub readable_meshes: bool,
}

impl Plugin for TerrainRenderPlugin {
    fn build(&self, app: &mut App) {
        if !app.is_plugin_added::<bevy::pbr::PbrPlugin>() {
            warn!("`TerrainRenderPlugin` does nothing without Bevy's `PbrPlugin`: add it after `DefaultPlugins`");
            return;
        }
        load_shader_library!(app, "morph.wgsl");
        embedded_asset!(app, "morph_vertex.wgsl");
        embedded_asset!(app, "terrain.wgsl");
        let usage = if self.readable_meshes { RenderAssetUsages::all() } else { RenderAssetUsages::RENDER_WORLD };
        app.add_plugins(MaterialPlugin::<TerrainMaterial>::default())
            .insert_resource(finish_surfaces(self.keep_surfaces, self.plain_meshes, usage))
            .init_resource::<TerrainView>()
            .init_resource::<WaterSheet>()
            .register_type::<TerrainMaterials>()
            .register_type::<TerrainView>()
            .register_type::<ChunkWater>();
        app.register_required_components::<Terrain, Visibility>();
        app.add_systems(Last, warn_of_near_far_planes);
        app.add_systems(
            PostUpdate,
            (
                follow_cameras.after(CameraUpdateSystems).after(TerrainSystems::React).before(TerrainSystems::Select),
                // New chunks ask for the materials.
                create_materials.after(TerrainSystems::React).before(TerrainSystems::Select),
                (update_look, show_chunks, follow_edges, fit_water)
                    .chain()
                    .in_set(TerrainSystems::Render)
                    .before(bevy::camera::visibility::VisibilitySystems::VisibilityPropagate),
            ),
        );
        let Some(render_app) = app.get_sub_app_mut(RenderApp) else {
            return;
        };
        render_app
            .init_resource::<MorphUniforms>()
            .init_resource::<PendingStitchMasks>()
            .init_resource::<NewChunkMeshes>()
            .add_systems(RenderStartup, reset_morph_buffers)
            .add_systems(ExtractSchedule, (extract_morphs, extract_edges, extract_new_chunk_meshes))
            .add_systems(
                Render,
                (
                    write_morphs.after(RenderSystems::ExtractCommands).before(RenderSystems::PrepareAssets),
                    (write_edges, prepare_chunks_first::<RenderMesh>.run_if(has_new_chunk_meshes))
                        .chain()
                        .in_set(RenderSystems::PrepareAssets)
                        .after(allocate_and_free_meshes)
                        // Which forgets the meshes that were removed.
                        .before(prepare_assets::<RenderMesh>),
                ),
            );
    }
}
