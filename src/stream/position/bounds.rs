//! The bounding box of a chunk.

use crate::chunk::{ChunkCoord, ChunkLayout};
use crate::field::FieldArea;
use bevy::math::DVec3;
use bevy::prelude::*;

/// The bounding box of a chunk's ground, in the terrain's own coordinates, in metres.
///
/// Every chunk has this component, drawn or not. Messages such as [`ChunkShown`](crate::stream::ChunkShown) contain it too.
///
/// It is `f64`, so it is exact at any distance. Use [`TerrainPosition`](crate::stream::TerrainPosition) to convert it to world
/// coordinates. Morphing vertices stay inside the box. The chunk's `Transform` is the north-west corner minus the
/// [`TerrainOrigin`](crate::stream::TerrainOrigin); in a `BigSpace`, it is relative to the chunk's cell.
#[derive(Component, Clone, Copy, Debug, PartialEq, Reflect)]
#[reflect(Component)]
pub struct ChunkBounds {
    /// The north-west corner, at the lowest height.
    pub min: DVec3,
    /// The south-east corner, at the highest height.
    pub max: DVec3,
}

impl ChunkBounds {
    /// The bounding box of `chunk`. `heights` are its lowest and its highest height.
    pub(in crate::stream) fn new(layout: &ChunkLayout, chunk: ChunkCoord, heights: [f32; 2]) -> Self {
        let ([west, north], size) = (layout.origin(chunk), layout.chunk_size(chunk.level));
        let ([east, south], [lowest, highest]) = ([west + size, north + size], heights);
        Self { min: DVec3::new(west, lowest.into(), north), max: DVec3::new(east, highest.into(), south) }
    }

    /// The box over an area. `heights` are the lowest and the highest height.
    pub(in crate::stream) fn over(area: &FieldArea, (lowest, highest): (f32, f32)) -> Self {
        let corner = |[x, z]: [f64; 2], height: f32| DVec3::new(x, height.into(), z);
        Self { min: corner(area.min, lowest), max: corner(area.max, highest) }
    }

    /// The lengths of the sides.
    #[must_use]
    pub fn size(&self) -> DVec3 {
        self.max - self.min
    }

    /// The center.
    #[must_use]
    pub fn center(&self) -> DVec3 {
        (self.min + self.max) / 2.0
    }

    /// Whether `(x, z)` is inside, at any height. Includes the west and the north border, but not the east and the south border:
    /// so every position in view is in exactly one drawn chunk.
    #[must_use]
    pub fn contains(&self, x: f64, z: f64) -> bool {
        (self.min.x..self.max.x).contains(&x) && (self.min.z..self.max.z).contains(&z)
    }

    /// The bounding box of both boxes.
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chunk::ChunkSettings;

    #[test]
    fn a_shared_border_belongs_to_one_of_two_chunks() {
        let layout = ChunkLayout::new(&ChunkSettings { quads: 16, spacing: 2.0 });
        for x in [-1, 0, 1 << 40] {
            let west = ChunkCoord { level: 2, x, z: -3 };
            let [west, east] = [west, west.neighbor(1, 0)].map(|chunk| ChunkBounds::new(&layout, chunk, [-5.0, 7.5]));
            assert_eq!(west.max.x, east.min.x);
            assert_eq!(west.size(), DVec3::new(128.0, 12.5, 128.0));
            assert!(east.contains(west.max.x, -300.0) && !west.contains(west.max.x, -300.0));
            assert_eq!(west.union(&east).size(), DVec3::new(256.0, 12.5, 128.0));
            assert_eq!(west.union(&east).center(), DVec3::new(west.max.x, 1.25, -320.0));
        }
    }
}
