//! Mushrooms, which the player gathers.
//!
//! Their layer has the kind `Empty`, so the terrain draws none, and `entities`, so those near the player are entities. `look` gives them a
//! model.

use crate::felling::has_removals;
use crate::player::{EYES, Player, RADIUS};
use bevy::prelude::*;
use bevy_perlin_terrain::prelude::*;

/// The layer of the settings that can be gathered.
pub const MUSHROOMS: &str = "mushroom";

/// How many mushrooms the player has.
#[derive(Resource, Default)]
pub struct Basket(pub usize);

pub fn plugin(app: &mut App) {
    app.init_resource::<Basket>().add_systems(Update, (gather, count.run_if(has_removals)).chain());
}

/// Gathers the mushrooms at the feet of the player.
fn gather(terrain: Single<Entity, With<Terrain>>, mut plants: TerrainPlants, player: Single<&Transform, With<Player>>) {
    let Some(mushrooms) = plants.layer(*terrain, MUSHROOMS) else { return };
    let feet = player.translation - Vec3::Y * EYES;
    for mushroom in plants.near(*terrain, mushrooms, feet, 2.0 * RADIUS).unwrap_or_default() {
        plants.remove(*terrain, mushroom.plant.id);
    }
}

/// Counts those that were gathered, also those of a save.
fn count(terrain: Single<(&TerrainState, &RemovedPlants)>, mut basket: ResMut<Basket>) {
    let (state, removed) = *terrain;
    let mut layers = state.plants().into_iter().flat_map(|plants| plants.layers().enumerate());
    if let Some((index, layer)) = layers.find(|(_, layer)| layer.name == MUSHROOMS) {
        let stream = layer.stream_at(index);
        basket.0 = removed.ids().filter(|id| id.stream == stream).count();
    }
}
