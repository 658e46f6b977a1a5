//! What the mesh of a tile is made from, and the steps of making it.

use super::rings::TileCoord;
use super::tile_mesh::{TileMesh, TileWriter};
use crate::plants::{Plant, PlantLayer, Plants, RemovedPlants};
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
        for (layer, area) in self.steps(tile) {
            plants.extend(self.plants_in(layer, area));
            // Chunks of ground are more urgent.
            yield_now().await;
        }
        let mut writer = TileWriter::new(&self.plants, tile, plants);
        while writer.step() {
            yield_now().await;
        }
        BuiltTile { mesh: writer.finish(), version: self.version }
    }

    /// The mesh of a tile, at once.
    pub fn build_now(&self, tile: TileCoord) -> BuiltTile {
        let plants = self.steps(tile).flat_map(|(layer, area)| self.plants_in(layer, area)).collect();
        let mut writer = TileWriter::new(&self.plants, tile, plants);
        while writer.step() {}
        BuiltTile { mesh: writer.finish(), version: self.version }
    }

    /// The areas of a tile in which the plants of a layer are found in a step: of the layers that the ring draws.
    fn steps(&self, tile: TileCoord) -> impl Iterator<Item = (usize, Area)> {
        let is_drawn = move |layer: &PlantLayer| {
            !PlantForm::parts(layer.kind, 0, layer.size.largest() as f32)[tile.ring as usize].vertices.is_empty()
        };
        let layers = self.plants.layers().enumerate().filter(move |(_, layer)| is_drawn(layer));
        layers.flat_map(move |(number, layer)| areas(tile, layer.spacing).map(move |area| (number, area)))
    }

    /// The plants of a layer in an area, with the index of the layer.
    fn plants_in(&self, layer: usize, [min, max]: Area) -> Vec<(usize, Plant)> {
        // An area is small, and near a viewer, whose position is a number.
        let mut found = self.plants.in_box(layer, min, max).unwrap_or_default();
        self.removed.take_from(&mut found, |plant| plant, min, max);
        found.into_iter().map(|plant| (layer, plant)).collect()
    }
}

/// Two corners, as x and z in metres.
type Area = [[f64; 2]; 2];

/// A step finds the plants of a layer on a square of so many spacings, or fewer: some tenths of a millisecond.
const STEP_SPACINGS: f64 = 12.0;

/// A tile has at most so many squares along each axis, which is enough for the smallest spacing.
const MAX_PARTS: f64 = 64.0;

/// The squares of a tile that are a step each for plants of this spacing.
fn areas(tile: TileCoord, spacing: f64) -> impl Iterator<Item = Area> {
    let [min, max] = tile.corners();
    let side = max[0] - min[0];
    let parts = (side / (STEP_SPACINGS * spacing)).ceil().clamp(1.0, MAX_PARTS) as u32;
    // The same number at a border for both of its squares.
    let border = move |axis: usize, number: u32| min[axis] + side * f64::from(number) / f64::from(parts);
    let corner = move |x: u32, z: u32| [border(0, x), border(1, z)];
    (0..parts).flat_map(move |z| (0..parts).map(move |x| [corner(x, z), corner(x + 1, z + 1)]))
}
