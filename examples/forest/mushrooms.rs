//! Mushrooms, which the player gathers.
//!
//! Their layer has the kind `Empty`, so the terrain draws none, and `entities`, so those near the player are entities. `look` gives them a
//! model.

use crate::player::{EYES, Player, RADIUS};
use bevy::prelude::*;
use bevy_perlin_terrain::prelude::*;

/// The layer of the settings that can be gathered.
pub const MUSHROOMS: &str = "mushroom";

/// How many mushrooms the player has.
#[derive(Resource, Default)]
pub struct Basket(pub usize);

pub fn plugin(app: &mut App) {
    app.init_resource::<Basket>().add_systems(Update, (gather, count).chain());
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
fn count(terrain: Single<(Entity, Ref<RemovedPlants>)>, plants: Query<&TerrainState>, mut basket: ResMut<Basket>) {
    let (terrain, removed) = &*terrain;
    let layers = plants.get(*terrain).ok().and_then(TerrainState::settings).map(|settings| &settings.plants);
    let mushrooms = layers.into_iter().flatten().enumerate().find(|(_, layer)| layer.name == MUSHROOMS);
    if let Some((index, layer)) = mushrooms
        && removed.is_changed()
    {
        let stream = layer.stream_at(index);
        basket.0 = removed.ids().filter(|id| id.stream == stream).count();
    }
}
