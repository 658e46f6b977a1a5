//! The plugin that draws.

use super::material::{TerrainMaterial, TerrainMaterials, create_materials, update_look};
use super::mesh::{show_chunks, upload_surfaces};
use super::water::{ChunkWater, WaterSheet, fit_water};
use crate::stream::{Terrain, TerrainSystems};
use bevy::asset::embedded_asset;
use bevy::prelude::*;

/// Turns chunk surfaces into meshes and gives the ground its look.
///
/// In an app without Bevy's `PbrPlugin` there is nothing to draw with, and the plugin does nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct TerrainRenderPlugin {
    /// Keeps the [`ChunkSurface`](crate::stream::ChunkSurface) of every chunk after its mesh is made, for colliders and the
    /// like, at 24 bytes a vertex. Default: false.
    pub keep_surfaces: bool,
}

/// What the plugin was told, for its systems.
#[derive(Resource)]
pub(super) struct KeepSurfaces(pub bool);

impl Plugin for TerrainRenderPlugin {
    fn build(&self, app: &mut App) {
        if !app.is_plugin_added::<bevy::pbr::PbrPlugin>() {
            warn!("`TerrainRenderPlugin` does nothing without Bevy's `PbrPlugin`: add it after `DefaultPlugins`");
            return;
        }
        embedded_asset!(app, "terrain.wgsl");
        app.add_plugins(MaterialPlugin::<TerrainMaterial>::default())
            .insert_resource(KeepSurfaces(self.keep_surfaces))
            .init_resource::<WaterSheet>()
            .register_type::<TerrainMaterials>()
            .register_type::<ChunkWater>();
        app.register_required_components::<Terrain, Visibility>();
        app.add_systems(
            PostUpdate,
            (create_materials, update_look, upload_surfaces, show_chunks, fit_water)
                .chain()
                .in_set(TerrainSystems::Render)
                .before(bevy::camera::visibility::VisibilitySystems::VisibilityPropagate),
        );
    }
}
