//! What the mesh of a tile is made from, and the steps of making it.

use super::rings::{Ring, TileCoord};
use super::tile_mesh::TileMesh;
use crate::plants::{Plant, Plants, RemovedPlants};
use bevy::prelude::*;
use bevy::tasks::futures_lite::future::yield_now;
use perlin_terrain::plants::forms::PlantForm;
use std::sync::Arc;

/// What a tile is made from.
#[derive(Clone)]
pub(super) struct TileSource {
    pub plants: Plants,
    pub removed: Arc<RemovedPlants>,
    /// Counts the changes of the layers.
    pub version: u64,
}

/// A tile that was made.
pub(super) struct BuiltTile {
    pub mesh: TileMesh,
    /// That of its source.
    pub version: u64,
}

impl TileSource {
    /// Whether the plants stand on the same ground.
    pub fn has_ground_of(&self, plants: &Plants) -> bool {
        Arc::ptr_eq(self.plants.ground().field(), plants.ground().field())
    }

    /// Whether other plants were removed.
    pub fn has_other(&self, removed: &Ref<RemovedPlants>) -> bool {
        removed.is_changed() && *self.removed != **removed
    }

    /// The mesh of a tile, in steps.
    pub async fn build(self, tile: TileCoord) -> BuiltTile {
        let mut plants = Vec::new();
        for area in areas(tile) {
            plants.extend(self.plants_in(tile.ring, area));
            // Chunks of ground are more urgent.
            yield_now().await;
        }
        BuiltTile { mesh: TileMesh::new(&self.plants, tile, plants), version: self.version }
    }

    /// The mesh of a tile, at once.
    pub fn build_now(&self, tile: TileCoord) -> BuiltTile {
        let plants = areas(tile).flat_map(|area| self.plants_in(tile.ring, area)).collect();
        BuiltTile { mesh: TileMesh::new(&self.plants, tile, plants), version: self.version }
    }

    /// The plants of an area that a ring draws, with the indices of their layers.
    fn plants_in(&self, ring: Ring, [min, max]: [[f64; 2]; 2]) -> Vec<(usize, Plant)> {
        let mut all = Vec::new();
        for (number, layer) in self.plants.layers().enumerate() {
            let largest = layer.size.from.max(layer.size.to) as f32;
            if PlantForm::parts(layer.kind, 0, largest)[ring as usize].vertices.is_empty() {
                continue;
            }
            // An area is small, and near a viewer, whose position is a number.
            let found = self.plants.in_box(number, min, max).unwrap_or_default();
            all.extend(found.into_iter().map(|plant| (number, plant)));
        }
        self.removed.take_from(&mut all, |(_, plant)| plant, min, max);
        all
    }
}

/// The parts of a tile that are a step each.
fn areas(tile: TileCoord) -> impl Iterator<Item = [[f64; 2]; 2]> {
    let squares = tile.squares().map(TileCoord::corners);
    let whole = (tile.ring != Ring::Far).then(|| tile.corners());
    squares.filter(move |_| tile.ring == Ring::Far).chain(whole)
}
