//! The plugin that makes plants near viewers and bodies entities.

use super::RemovedPlants;
use super::keep::{follow_edits, forget_removed_terrain, keep_plants};
use super::tiles::PlantTiles;
use crate::stream::{Terrain, TerrainSystems};
use bevy::prelude::*;

/// Makes plants near viewers and bodies entities, and remembers which plants a game has removed.
#[derive(Clone, Copy, Debug, Default)]
pub struct TerrainPlantsPlugin;

impl Plugin for TerrainPlantsPlugin {
    fn build(&self, app: &mut App) {
        app.register_required_components::<Terrain, RemovedPlants>()
            .register_required_components::<Terrain, PlantTiles>()
            .register_type::<RemovedPlants>()
            .add_observer(follow_edits)
            .add_observer(forget_removed_terrain)
            .add_systems(PostUpdate, keep_plants.in_set(TerrainSystems::Last));
    }
}
