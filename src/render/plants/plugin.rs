//! The plugin that draws plants.

use super::keep::{draw_plants, follow_edits, forget_removed_terrain};
use super::look::PlantMaterial;
use super::textures::PlantTextures;
use super::tiles::DrawnPlants;
use crate::render::materials::update_look;
use crate::stream::{Terrain, TerrainSystems};
use bevy::prelude::*;

/// Draws the plants around viewers.
pub(in crate::render) struct PlantRenderPlugin;

impl Plugin for PlantRenderPlugin {
    fn build(&self, app: &mut App) {
        app.add_plugins(MaterialPlugin::<PlantMaterial>::default())
            .init_resource::<PlantTextures>()
            .register_required_components::<Terrain, DrawnPlants>()
            .add_observer(follow_edits)
            .add_observer(forget_removed_terrain)
            .add_systems(
                PostUpdate,
                // Before meshes follow their terrain: new ones do so in this frame.
                draw_plants.in_set(TerrainSystems::Render).before(update_look),
            );
    }
}
