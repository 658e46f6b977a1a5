//! The plugin that draws the terrain.

use super::TerrainView;
use super::far_maps::TerrainFarMaps;
use super::follow::follow_terrains;
use super::grid::{ChunkGrids, update_tags};
use super::height_atlas::{HeightAtlas, MAX_PAGES, NewHeights, create_texture, extract_heights, write_heights};
use super::lens::{update_lenses, warn_of_near_far_planes};
use super::lighting::{ExtractedTerrains, FarMapSize, extract_terrains, reset_terrain_buffers, write_terrains};
use super::material::{TerrainMaterial, TerrainMaterials};
use super::materials::{create_materials, update_look, update_materials};
use super::plain_mesh::{stitch_plain_meshes, warn_of_limited_uploads};
use super::plants::PlantRenderPlugin;
use super::quality::TerrainQuality;
use super::surface_textures::{SurfaceTextures, bake_textures, follow_settings, watch_images};
use super::surfaces::{finish_in_atlas, finish_plain_meshes, show_chunks};
use super::texture_upload::{Uploads, upload_textures};
use super::water::{ChunkWater, WaterSheet, update_water, update_water_tags};
use super::water_look::TerrainWater;
use super::weather::WeatherPlugin;
use crate::stream::{Terrain, TerrainSystems};
use bevy::camera::CameraUpdateSystems;
use bevy::prelude::*;
use bevy::render::render_asset::RenderAssetBytesPerFrame;
use bevy::render::{ExtractSchedule, Render, RenderApp, RenderStartup, RenderSystems};

/// Draws chunks with a [`TerrainMaterial`], from their heights in a texture.
///
/// Does nothing in an app without Bevy's `PbrPlugin`, except log a warning.
///
/// # Reading the meshes of chunks
///
/// The mesh of every chunk is the same flat grid, and the GPU alone has it. Crates that read meshes, for example for mesh picking,
/// colliders or navigation, find no ground there. There are three alternatives:
///
/// - [`TerrainGround`](crate::ground::TerrainGround) returns heights and normals of the ground, and needs no extra memory.
/// - [`keep_surfaces`](Self::keep_surfaces) keeps a [`ChunkSurface`](crate::stream::ChunkSurface), for the game's own colliders.
/// - [`plain_meshes`](Self::plain_meshes) makes meshes that any crate can read.
#[derive(Clone, Copy, Debug)]
pub struct TerrainRenderPlugin {
    /// Keeps a [`ChunkSurface`](crate::stream::ChunkSurface) of every chunk, for example for colliders.
    /// Costs 36 bytes per vertex. Default: false.
    pub keep_surfaces: bool,
    /// Makes meshes for any material, with [`chunk_mesh`](super::chunk_mesh), and adds no material. Default: false.
    ///
    /// Main memory has a copy of each mesh, so other crates can read what is drawn. A mesh takes 24 bytes per vertex and 12 bytes per
    /// quad, eight times as much as the heights of a chunk, and is uploaded as a whole when the level of a neighbor changes. A new
    /// level of detail appears at once instead of morphing.
    ///
    /// What is in the water is drawn by the ground's own material. With another one, the water is its surface alone, which is clear where one
    /// looks down: replace the [`TerrainWater`] of every [`ChunkWater`] too.
    ///
    /// The game adds a material to each chunk when it gets its mesh. Every chunk has a [`ChunkBounds`](crate::stream::ChunkBounds),
    /// which distinguishes it from other meshes:
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
    /// No plants are drawn then. A game's own shader that should morph uses [`TerrainMorph`](super::TerrainMorph) instead,
    /// with this field off.
    pub plain_meshes: bool,
    /// The pages of the height atlas, the texture that has the heights of all chunks of all terrains: 2 to 256; other numbers count as
    /// the nearest of them. Default: 16, and 8 in browsers.
    ///
    /// A page takes 4 MiB of memory on the GPU, and has room for 196 chunks of 64 quads, or for 441 of 32. What does not fit is made
    /// coarser, as with [`TerrainBudget::memory_limit`](crate::stream::TerrainBudget::memory_limit); an eighth is left for the ground
    /// that a reload builds. Plain meshes need no atlas.
    pub height_pages: u32,
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
            height_pages: quality.height_pages(),
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
        WeatherPlugin::add_to(app);
        let has_renderer = app.get_sub_app(RenderApp).is_some();
        let pages = if self.plain_meshes { 2 } else { self.height_pages.clamp(2, MAX_PAGES) };
        let atlas = HeightAtlas::new(pages, has_renderer);
        let grids = ChunkGrids::new(&mut app.world_mut().resource_mut::<Assets<Mesh>>());
        let finish = if self.plain_meshes {
            finish_plain_meshes(self.keep_surfaces)
        } else {
            finish_in_atlas(atlas.clone(), self.keep_surfaces)
        };
        app.add_plugins((MaterialPlugin::<TerrainMaterial>::default(), MaterialPlugin::<TerrainWater>::default()))
            .insert_resource(finish)
            .insert_resource(grids)
            .insert_resource(atlas.clone())
            .insert_resource(self.quality)
            .init_resource::<TerrainView>()
            .init_resource::<WaterSheet>()
            .register_type::<TerrainMaterials>()
            .register_type::<TerrainQuality>()
            .register_type::<TerrainView>()
            .register_type::<ChunkWater>();
        // Without a renderer, or with other materials, no one sees textures.
        let is_seen = has_renderer && !self.plain_meshes;
        let texture_size = if is_seen { self.texture_size } else { 0 };
        let textures = SurfaceTextures::new(texture_size, &mut app.world_mut().resource_mut::<Assets<Image>>());
        let uploads = Uploads::default();
        app.insert_resource(textures).insert_resource(uploads.clone());
        app.register_required_components::<Terrain, Visibility>();
        app.add_systems(Last, warn_of_near_far_planes);
        if self.plain_meshes {
            let is_limited = resource_exists_and_changed::<RenderAssetBytesPerFrame>;
            app.add_systems(Last, warn_of_limited_uploads.run_if(is_limited));
        } else {
            app.add_plugins(PlantRenderPlugin);
        }
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
                (
                    update_look,
                    show_chunks,
                    update_tags,
                    stitch_plain_meshes,
                    update_water_tags,
                    update_water,
                    follow_terrains(),
                )
                    .chain()
                    .in_set(TerrainSystems::Render)
                    .before(bevy::camera::visibility::VisibilitySystems::VisibilityPropagate),
            ),
        );
        // As chunks: the target of a pointer is the terrain. An error means that the game has its own rule for water.
        #[cfg(feature = "picking")]
        let _ = app.try_register_required_components_with::<ChunkWater, _>(|| Pickable::IGNORE);
        if !has_renderer {
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
            .init_resource::<ExtractedTerrains>()
            .insert_resource(atlas)
            .init_resource::<NewHeights>()
            .add_systems(RenderStartup, (reset_terrain_buffers, create_texture))
            .add_systems(ExtractSchedule, (extract_terrains, extract_heights))
            .add_systems(
                Render,
                (
                    write_terrains.after(RenderSystems::ExtractCommands).before(RenderSystems::PrepareAssets),
                    (upload_textures, write_heights).in_set(RenderSystems::PrepareResources),
                ),
            );
    }
}
