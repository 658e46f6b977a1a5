//! The cost of drawing plants: triangles and memory.

use super::Plants;
use super::forms::PlantForm;
use std::f64::consts::PI;
use std::iter::Sum;
use std::ops::Add;

/// The GPU cost of the plants around a viewer, in all directions: triangles to draw, and memory.
///
/// ```
/// use perlin_terrain::chunk::ChunkLayout;
/// use perlin_terrain::field::HeightField;
/// use perlin_terrain::ground::Ground;
/// use perlin_terrain::plants::{PlantCost, PlantLayer, Plants};
/// use perlin_terrain::settings::TerrainSettings;
/// use std::sync::Arc;
///
/// let settings = TerrainSettings::default();
/// let ground = Ground::new(Arc::new(HeightField::new(&settings.field)), ChunkLayout::new(&settings.chunks));
/// let plants = Plants::new(ground, 0, &[PlantLayer::default()], &settings.look);
/// // All leaves up to 48 m away, fewer ones up to 200 m, and pictures up to 1200 m.
/// let cost = PlantCost::expected(&plants, 0, [0.0, 0.0], [48.0, 200.0, 1200.0]);
/// assert!(cost.per_hectare > 100.0 && cost.triangles < 5_000_000 && cost.megabytes() < 200.0);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct PlantCost {
    /// How many plants stand on a hectare, on average.
    pub per_hectare: f64,
    /// The triangles of all plants that are drawn, in front of the camera or behind it.
    pub triangles: usize,
    /// Bytes of the vertices and indices of their tiles, which reach beyond what is drawn.
    pub bytes: usize,
}

/// Squares in which plants are counted, along each axis.
const SAMPLES: u32 = 4;

/// The side of such a square, in spacings.
const SIDE: f64 = 16.0;

impl PlantCost {
    /// Bytes of a vertex of a plant.
    pub const BYTES_PER_VERTEX: usize = 24;

    /// Bytes of the indices of a triangle of a plant.
    pub const BYTES_PER_TRIANGLE: usize = 6;

    /// Estimates the cost of a layer of plants for a viewer at x and z, in metres, once all are loaded. `ends` are the distances at which
    /// plants lose some of their leaves, become pictures, and end, in metres. Use it to preview settings. Takes some milliseconds, because it
    /// counts the plants of some places.
    ///
    /// Removed plants count too. The cost is 0 if a number is not finite.
    ///
    /// # Panics
    ///
    /// If there is no such layer.
    #[must_use]
    pub fn expected(plants: &Plants, layer: usize, viewer: [f64; 2], ends: [f64; 3]) -> Self {
        let placed = &plants.layers.plants[layer];
        if !viewer.iter().chain(&ends).all(|number| number.is_finite()) {
            return Self::default();
        }
        let side = SIDE * 2.0 * placed.room();
        let apart = 2.0 * ends[2] / f64::from(SAMPLES);
        let samples = (0..SAMPLES).flat_map(|z| (0..SAMPLES).map(move |x| [x, z]));
        let (mut count, mut triangles, mut bytes) = (0_usize, [0; 3], [0; 3]);
        for sample in samples {
            let middle = |axis: usize| viewer[axis] - ends[2] + (f64::from(sample[axis]) + 0.5) * apart;
            let min = [0, 1].map(|axis| middle(axis) - 0.5 * side);
            let found = plants.in_box(layer, min, min.map(|along| along + side)).unwrap_or_default();
            count += found.len();
            for plant in found {
                let parts = PlantForm::parts(placed.settings.kind, plant.variant.into(), plant.size);
                for (ring, part) in parts.into_iter().enumerate() {
                    let [part_vertices, part_triangles] = [part.vertices.len(), part.triangles.len()];
                    triangles[ring] += part_triangles;
                    bytes[ring] += part_vertices * Self::BYTES_PER_VERTEX + part_triangles * Self::BYTES_PER_TRIANGLE;
                }
            }
        }
        let area = side * side * f64::from(SAMPLES * SAMPLES);
        let disks = ends.map(|end| PI * end * end / area);
        // Squares of a grid that a disk meets, on average.
        let tiles = |ring: usize| {
            let (end, side) = (ends[ring], PlantForm::TILE_SIDES[ring]);
            if end == 0.0 { 0.0 } else { (PI * end * end + 4.0 * end * side + side * side) / area }
        };
        // A tile lies below those of finer rings, which are drawn in its place.
        let drawn = [disks[0], disks[1] - disks[0], disks[2] - disks[1]];
        let total = |numbers: [usize; 3], areas: [f64; 3]| {
            numbers.into_iter().zip(areas).map(|(number, area)| number as f64 * area).sum::<f64>().round() as usize
        };
        Self {
            per_hectare: count as f64 / area * 1e4,
            triangles: total(triangles, drawn),
            bytes: total(bytes, [0, 1, 2].map(tiles)),
        }
    }

    /// Memory, in megabytes of 10^6 bytes.
    #[must_use]
    pub const fn megabytes(&self) -> f64 {
        self.bytes as f64 / 1e6
    }
}

impl Add for PlantCost {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            per_hectare: self.per_hectare + other.per_hectare,
            triangles: self.triangles + other.triangles,
            bytes: self.bytes + other.bytes,
        }
    }
}

impl Sum for PlantCost {
    fn sum<I: Iterator<Item = Self>>(costs: I) -> Self {
        costs.fold(Self::default(), Self::add)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plants::tests::plants as plants_of;
    use crate::plants::{PlantKind, PlantLayer, PlantSize};

    const ENDS: [f64; 3] = [30.0, 100.0, 400.0];

    fn spruces() -> PlantLayer {
        PlantLayer { kind: PlantKind::Conifer, spacing: 4.0, ..PlantLayer::default() }
    }

    #[test]
    fn the_estimate_is_near_the_count_of_all_plants() {
        let plants = plants_of(&[spruces()]);
        let viewers = [[50.0, -700.0], [11.0, -730.0], [88.0, -650.0], [-30.0, -790.0]];
        let cost: PlantCost = viewers.map(|viewer| PlantCost::expected(&plants, 0, viewer, ENDS)).into_iter().sum();
        let (mut triangles, mut bytes) = (0, 0);
        for viewer in viewers {
            for plant in plants.near(0, viewer, ENDS[2] + 400.0).expect("the circle is valid") {
                let place = [plant.position[0], plant.position[2]];
                let distance = (place[0] - viewer[0]).hypot(place[1] - viewer[1]);
                let parts = PlantForm::parts(PlantKind::Conifer, plant.variant.into(), plant.size);
                if let Some(ring) = ENDS.iter().position(|end| distance < *end) {
                    triangles += parts[ring].triangles.len();
                }
                for ring in 0..3 {
                    let side = PlantForm::TILE_SIDES[ring];
                    let [x, z] = [0, 1].map(|axis| {
                        let first = (place[axis] / side).floor() * side;
                        viewer[axis].clamp(first, first + side) - viewer[axis]
                    });
                    if x.hypot(z) <= ENDS[ring] {
                        bytes += 24 * parts[ring].vertices.len() + 6 * parts[ring].triangles.len();
                    }
                }
            }
        }
        let is_near = |estimate: usize, count: usize| (estimate as f64 / count as f64 - 1.0).abs() < 0.08;
        assert!(is_near(cost.triangles, triangles), "{cost:?}, {triangles} triangles");
        assert!(is_near(cost.bytes, bytes), "{cost:?}, {bytes} bytes");
    }

    #[test]
    fn fewer_and_smaller_plants_cost_less_and_those_that_are_not_drawn_nothing() {
        let cost = |layer: PlantLayer| PlantCost::expected(&plants_of(&[layer]), 0, [0.0; 2], ENDS);
        let wood = cost(spruces());
        let half = cost(PlantLayer { chance: 0.5, ..spruces() });
        assert!((half.per_hectare / wood.per_hectare - 0.5).abs() < 0.05, "{half:?} and {wood:?}");
        // Plants of 2 m have no pictures.
        let low = cost(PlantLayer { size: PlantSize { from: 1.0, to: 2.0 }, ..spruces() });
        assert!(low.triangles < wood.triangles && low.per_hectare == wood.per_hectare);
        let empty = cost(PlantLayer { kind: PlantKind::Empty, ..spruces() });
        assert!(empty.triangles == 0 && empty.bytes == 0 && empty.per_hectare == wood.per_hectare);
        let both: PlantCost = [wood, half].into_iter().sum();
        assert_eq!(both.triangles, wood.triangles + half.triangles);
        assert_eq!(both.megabytes(), both.bytes as f64 / 1e6);
    }

    #[test]
    fn numbers_that_are_not_finite_cost_nothing() {
        let plants = plants_of(&[spruces()]);
        for (viewer, ends) in [([f64::NAN, 0.0], ENDS), ([0.0; 2], [30.0, 100.0, f64::INFINITY])] {
            assert_eq!(PlantCost::expected(&plants, 0, viewer, ends), PlantCost::default());
        }
    }
}
