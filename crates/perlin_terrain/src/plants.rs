//! Plants and stones: what stands on the ground, and where.
//!
//! A [`PlantLayer`] describes plants of one sort: how far apart they stand, how large they are, and on which ground they grow.
//! [`Plants`] says where each of them stands. Nothing is stored: the same settings and the same ground give the same plants on every
//! machine, at any place and in any order.
//!
//! ```
//! use perlin_terrain::chunk::ChunkLayout;
//! use perlin_terrain::field::HeightField;
//! use perlin_terrain::ground::Ground;
//! use perlin_terrain::look::LookSettings;
//! use perlin_terrain::plants::{PlantKind, PlantLayer, Plants};
//! use perlin_terrain::settings::TerrainSettings;
//! use std::sync::Arc;
//!
//! let settings = TerrainSettings::default();
//! let ground = Ground::new(Arc::new(HeightField::new(&settings.field)), ChunkLayout::new(&settings.chunks));
//! let spruces = PlantLayer { name: "spruce".to_owned(), kind: PlantKind::Conifer, ..PlantLayer::default() };
//! let plants = Plants::new(ground, settings.field.seed, &[spruces], &settings.look);
//!
//! // The spruces of 100 m by 100 m. Each keeps its distance from the others.
//! let wood = plants.in_box(0, [0.0, 0.0], [100.0, 100.0]).expect("the box is valid");
//! assert!(wood.len() > 100);
//! // The numbers of a plant are a function of its id, so a game saves ids.
//! assert_eq!(plants.get(wood[0].id), Some(wood[0]));
//! ```
//!
//! # Where plants stand
//!
//! 1. Each square cell, half a [spacing](PlantLayer::spacing) wide, has a candidate at a random place in it. Of candidates that are
//!    nearer to each other than the spacing, one is kept. The candidates are tried in the order of their hashes, and each is kept unless
//!    one that was kept before is too near. (That is dart throwing, as in Robert Cook, *Stochastic Sampling in Computer Graphics*,
//!    1986, with hashes of cells for random numbers: so a cell can be decided by its surroundings alone.)
//! 2. A plant leaves room for plants of layers with a larger spacing: it does not stand within half of its own spacing of one that was
//!    kept there.
//! 3. Each plant that is left has a [rank](Plant::rank) from 0 to 1. It grows where the rank is below the
//!    [chance](PlantLayer::chance), times how much of its layer the ground has there.
//!
//! The first two steps know nothing of the ground and of the chance. So a lower chance or other ground takes plants away or adds some,
//! and moves none.

mod collider;
mod cost;
mod error;
pub mod forms;
mod kind;
mod layer;
mod pattern;
mod placed_layer;
mod plant;
mod removed;
mod site;
#[cfg(test)]
mod tests;

pub use collider::PlantCollider;
pub use cost::PlantCost;
pub use error::PlantAreaError;
pub use kind::PlantKind;
pub use layer::{PlantLayer, PlantSize};
pub use plant::{Plant, PlantId};
pub use removed::{Clearing, RemovedPlants};

use crate::ground::Ground;
use crate::look::{LookSettings, SurfaceLayers};
use pattern::KeptCells;
use placed_layer::PlacedPlants;
use site::{CURVATURE, Feet, Needs, Site, ask_curvature};
use std::sync::Arc;

/// The plants of a terrain: where each of them stands.
///
/// A clone is cheap, so tasks can have one each. See the [module](self).
#[derive(Clone, Debug)]
pub struct Plants {
    ground: Ground,
    layers: Arc<Layers>,
}

/// All layers of plants, and the layers of the ground on which they grow.
#[derive(Debug)]
struct Layers {
    plants: Vec<PlacedPlants>,
    ground: SurfaceLayers,
}

impl Plants {
    /// The largest number of layers of plants.
    pub const MAX_LAYERS: usize = 16;

    /// The largest number of cells that may be looked at for a box, with those around it: a box of 5 km by 5 km with plants 5 m apart.
    pub const MAX_CELLS: u64 = 1 << 22;

    /// The plants of `layers` on `ground`. `seed` is that of the field, and `look` has the layers of the ground that
    /// [`PlantLayer::on`] names. Of a list that is too long, the first layers count.
    #[must_use]
    pub fn new(ground: Ground, seed: u64, layers: &[PlantLayer], look: &LookSettings) -> Self {
        let surface = SurfaceLayers::new(look);
        let layers = &layers[..layers.len().min(Self::MAX_LAYERS)];
        let plants = (0..layers.len()).map(|index| PlacedPlants::new(layers, index, seed, &surface)).collect();
        Self { ground, layers: Arc::new(Layers { plants, ground: surface }) }
    }

    /// The same plants on other ground, such as after an edit.
    #[must_use]
    pub fn on_ground(&self, ground: Ground) -> Self {
        Self { ground, layers: Arc::clone(&self.layers) }
    }

    /// The plants of other settings on the same ground. With settings that change no plant, such as another color of the ground, they still
    /// [have the same layers](Self::has_layers_of).
    #[must_use]
    pub fn with_settings(&self, seed: u64, layers: &[PlantLayer], look: &LookSettings) -> Self {
        let other = Self::new(self.ground.clone(), seed, layers, look);
        let (own, new) = (&self.layers, &other.layers);
        let is_same = own.plants == new.plants && own.ground.placed() == new.ground.placed();
        if is_same { self.clone() } else { other }
    }

    /// Whether both come from the same call of [`new`](Self::new), or one from the other: then they differ in nothing but their ground.
    #[must_use]
    pub fn has_layers_of(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.layers, &other.layers)
    }

    /// The ground on which the plants stand.
    #[must_use]
    pub const fn ground(&self) -> &Ground {
        &self.ground
    }

    /// The layers of plants, in the order of the settings.
    pub fn layers(&self) -> impl ExactSizeIterator<Item = &PlantLayer> {
        self.layers.plants.iter().map(|layer| &layer.settings)
    }

    /// The plants of a layer between two corners, as x and z in metres, in the order of their [ranks](Plant::rank). A plant on the
    /// border of two boxes is in one of them.
    ///
    /// Removed plants are among them: see [`RemovedPlants`].
    ///
    /// # Errors
    ///
    /// If the box is not valid, or too large: see [`MAX_CELLS`](Self::MAX_CELLS).
    ///
    /// # Panics
    ///
    /// If there is no such layer.
    pub fn in_box(&self, layer: usize, min: [f64; 2], max: [f64; 2]) -> Result<Vec<Plant>, PlantAreaError> {
        let placed = &self.layers.plants[layer];
        let is_inside = |[x, z]: [f64; 2]| (min[0]..max[0]).contains(&x) && (min[1]..max[1]).contains(&z);
        let [first, last] = placed.pattern.cells_between(min, max)?;
        let mut kept = KeptCells::new(&placed.pattern, first, last);
        let mut larger = self.larger(placed, min, max);
        let mut found = Vec::new();
        for cell in (first[1]..=last[1]).flat_map(|z| (first[0]..=last[0]).map(move |x| [x, z])) {
            let position = placed.pattern.position(cell);
            // The rank costs less than the neighbors, and the neighbors less than the ground.
            if is_inside(position) && placed.may_grow(cell) && kept.is_kept(cell) {
                let radius = placed.room();
                if !larger.iter_mut().any(|larger| larger.is_one_near(position, radius)) {
                    found.push((cell, position));
                }
            }
        }
        let mut plants = self.growing(placed, &found);
        plants.sort_unstable_by(Plant::by_rank);
        Ok(plants)
    }

    /// The plants of a layer up to `radius` metres from a position, as x and z in metres, in the order of their ranks.
    ///
    /// # Errors
    ///
    /// As for [`in_box`](Self::in_box).
    ///
    /// # Panics
    ///
    /// If there is no such layer.
    pub fn near(&self, layer: usize, [x, z]: [f64; 2], radius: f64) -> Result<Vec<Plant>, PlantAreaError> {
        let mut plants = self.in_box(layer, [x - radius, z - radius], [x + radius, z + radius])?;
        plants.retain(|plant| {
            let [dx, dz] = [plant.position[0] - x, plant.position[2] - z];
            dx * dx + dz * dz <= radius * radius
        });
        Ok(plants)
    }

    /// The layer and the plant with this id. `None` if none grows there: also for an id of other settings.
    #[must_use]
    pub fn find(&self, id: PlantId) -> Option<(usize, Plant)> {
        let (index, placed) = self.layers.plants.iter().enumerate().find(|(_, layer)| layer.stream == id.stream)?;
        let position = placed.pattern.position(id.cell);
        if !placed.pattern.has_cell(id.cell) || !placed.may_grow(id.cell) {
            return None;
        }
        let mut larger = self.larger(placed, position, position);
        let is_kept = KeptCells::new(&placed.pattern, id.cell, id.cell).is_kept(id.cell)
            && !larger.iter_mut().any(|larger| larger.is_one_near(position, placed.room()));
        let found = if is_kept { vec![(id.cell, position)] } else { Vec::new() };
        Some((index, self.growing(placed, &found).pop()?))
    }

    /// The plant with this id. `None` if none grows there: also for an id of other settings.
    #[must_use]
    pub fn get(&self, id: PlantId) -> Option<Plant> {
        self.find(id).map(|(_, plant)| plant)
    }

    /// Where the plant with this id stands if it grows, as x and z in metres. Costs next to nothing, since nothing asks the ground. `None` if
    /// no layer has its stream.
    #[must_use]
    pub fn place(&self, id: PlantId) -> Option<[f64; 2]> {
        let placed = self.layers.plants.iter().find(|layer| layer.stream == id.stream)?;
        Some(placed.pattern.position(id.cell))
    }

    /// The plants of layers for which `placed` leaves room, between two corners and a little beyond.
    fn larger(&self, placed: &PlacedPlants, min: [f64; 2], max: [f64; 2]) -> Vec<KeptCells<'_>> {
        let room = placed.room();
        let around = |layer: &usize| {
            let pattern = &self.layers.plants[*layer].pattern;
            let [first, last] = pattern.cells_around(min.map(|along| along - room), max.map(|along| along + room));
            KeptCells::new(pattern, first, last)
        };
        placed.larger.iter().map(around).collect()
    }

    /// Of candidates that were kept, those that grow on their ground.
    fn growing(&self, placed: &PlacedPlants, candidates: &[([i64; 2], [f64; 2])]) -> Vec<Plant> {
        let positions: Vec<[f64; 2]> = candidates.iter().map(|(_, position)| *position).collect();
        let (field, layout) = (self.ground.field(), self.ground.layout());
        let needs =
            if placed.on.is_some() { Needs::of(placed, self.layers.ground.placed()) } else { Needs::of(placed, &[]) };
        let feet = Feet::new(field, layout, &positions, needs);
        let covered = |site: &Site| placed.chance * placed.ranges.cover(&site.sample);
        // The curvature costs most.
        let knows_cover = placed.ranges.bands[CURVATURE].is_everything();
        let may_grow = |(index, (cell, position)): (usize, &([i64; 2], [f64; 2]))| {
            let mut site = feet.site(index, *position, layout.spacing(0));
            if !placed.ranges.may_cover(&site.sample) {
                return None;
            }
            if needs.noise {
                site.ask_noise();
            }
            let plant = placed.plant(*cell, &site);
            (!knows_cover || plant.rank < covered(&site)).then_some((plant, site))
        };
        let (plants, mut sites): (Vec<Plant>, Vec<Site>) = candidates.iter().enumerate().filter_map(may_grow).unzip();
        if needs.curvature {
            ask_curvature(field, &mut sites);
        }
        let part = |site: &Site, is_on: &[bool; LookSettings::MAX_LAYERS]| {
            let weights = self.layers.ground.weights(&site.sample);
            weights.iter().zip(is_on).filter(|(_, is_on)| **is_on).fold(0.0, |sum, (weight, _)| sum + weight)
        };
        let grows = |plant: &Plant, site: &Site| {
            let cover = covered(site);
            let is_covered = || plant.rank < cover * placed.on.as_ref().map_or(1.0, |is_on| part(site, is_on));
            plant.rank < cover && is_covered()
        };
        let all = plants.into_iter().zip(&sites);
        all.filter(|(plant, site)| grows(plant, site)).map(|(plant, _)| plant).collect()
    }
}
