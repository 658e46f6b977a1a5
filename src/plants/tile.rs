//! The plants of one tile, and their entities.

use super::components::TerrainPlant;
use super::needs::{LayerSet, SIDE, corners};
use super::{Plant, PlantCollider, PlantId, RemovedPlants};
use bevy::math::DVec3;
use bevy::platform::collections::HashMap;
use bevy::prelude::*;

/// A plant of a tile.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct TilePlant {
    /// The index of its layer.
    pub layer: usize,
    pub plant: Plant,
    /// What bodies bump into.
    pub collider: Option<PlantCollider>,
}

/// A tile near a viewer or a body.
pub(super) struct Tile {
    /// The parent of its plants.
    pub entity: Entity,
    /// The layers whose plants are here.
    pub layers: LayerSet,
    /// Whether the ground or the settings have changed since the plants were found.
    pub is_stale: bool,
    /// Whether it is stale because the ground was edited.
    pub is_edited: bool,
    /// Whether the entities have the layers of former settings.
    pub has_old_layers: bool,
    /// All plants, also those that were removed.
    plants: Vec<TilePlant>,
    /// The entities of those that were not, with what they were spawned for.
    entities: HashMap<PlantId, (Entity, TilePlant)>,
}

impl Tile {
    /// A tile without plants.
    pub fn new(entity: Entity) -> Self {
        Self {
            entity,
            layers: 0,
            is_stale: false,
            is_edited: false,
            has_old_layers: false,
            plants: Vec::new(),
            entities: HashMap::default(),
        }
    }

    /// The number of plants that are entities.
    pub fn len(&self) -> usize {
        self.entities.len()
    }

    /// Replaces the plants of `layers` by `found`.
    pub fn take(&mut self, layers: LayerSet, found: Vec<TilePlant>) {
        self.plants.retain(|plant| layers & 1 << plant.layer == 0);
        self.plants.extend(found);
        self.layers |= layers;
    }

    /// Takes out all plants, also those that were removed. Then the entities are to be despawned.
    pub fn take_plants(&mut self) -> Vec<TilePlant> {
        std::mem::take(&mut self.plants)
    }

    /// Drops the plants of other layers than `layers`.
    pub fn keep(&mut self, layers: LayerSet) {
        self.plants.retain(|plant| layers & 1 << plant.layer != 0);
        self.layers &= layers;
    }

    /// Notes that the settings have other layers: `new_index` has the new index of each old one. The plants of layers that are left
    /// stay until they are found again.
    pub fn change_layers(&mut self, new_index: &[Option<usize>]) {
        (self.is_stale, self.has_old_layers) = (true, true);
        let known = new_index.iter().enumerate().filter(|(old, _)| self.layers & 1 << old != 0);
        self.layers = known.filter_map(|(_, new)| *new).fold(0, |layers, new| layers | 1 << new);
        self.plants.retain_mut(|plant| {
            let new = new_index[plant.layer];
            plant.layer = new.unwrap_or(plant.layer);
            new.is_some()
        });
    }

    /// Spawns and despawns plants until all are entities that were not removed. Those that stay keep their entities. Returns how many were
    /// spawned.
    pub fn spawn(
        &mut self,
        commands: &mut Commands,
        terrain: Entity,
        coord: [i64; 2],
        removed: &RemovedPlants,
    ) -> usize {
        self.has_old_layers = false;
        let mut wanted = self.plants.clone();
        let [min, max] = corners(coord);
        removed.take_from(&mut wanted, |of_tile| &of_tile.plant, min, max);
        let mut left = std::mem::take(&mut self.entities);
        let mut spawned = 0;
        for of_tile in wanted {
            let TilePlant { layer, plant, collider } = of_tile;
            let component = TerrainPlant { terrain, layer, plant, collider };
            let transform = transform_in_tile(coord, &plant);
            let entity = match left.remove(&plant.id) {
                Some((entity, old)) => {
                    if old != of_tile {
                        // Without a removal and an addition that observers would see.
                        commands.entity(entity).try_insert((component, transform));
                    }
                    entity
                }
                None => {
                    spawned += 1;
                    let mut entity = commands.spawn((transform, ChildOf(self.entity)));
                    #[cfg(feature = "render")]
                    entity.insert(Visibility::default());
                    // Last, so that observers find the other components.
                    entity.insert(component).id()
                }
            };
            self.entities.insert(plant.id, (entity, of_tile));
        }
        for (entity, _) in left.into_values() {
            commands.entity(entity).try_despawn();
        }
        spawned
    }
}

/// The center of a tile at the height zero, in the terrain's own coordinates.
pub(super) fn center(coord: [i64; 2]) -> DVec3 {
    let [x, z] = coord.map(|index| (index as f64 + 0.5) * SIDE);
    DVec3::new(x, 0.0, z)
}

/// The transform of a plant relative to its tile.
fn transform_in_tile(coord: [i64; 2], plant: &Plant) -> Transform {
    let foot = DVec3::from_array(plant.position) - center(coord);
    Transform::from_translation(foot.as_vec3()).with_rotation(Quat::from_rotation_y(plant.yaw))
}
