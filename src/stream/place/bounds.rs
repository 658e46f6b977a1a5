//! The box around a chunk.

use crate::chunk::{ChunkCoord, ChunkLayout};
use bevy::math::DVec3;
use bevy::prelude::*;

/// The box around the ground of a chunk, in the terrain's own coordinates and in metres: a component of every chunk, drawn or
/// not, and a part of what [`ChunkShown`](crate::stream::ChunkShown) and its like tell.
///
/// In `f64`, so that it is exact at any distance; [`TerrainPlace`](crate::stream::TerrainPlace) finds such a place in the world. While
/// vertices move from one level to the next, they stay within the box. The chunk's `Transform` is the north-west corner less
/// the [`TerrainOrigin`](crate::stream::TerrainOrigin); in a `BigSpace` it is what remains of that in the chunk's cell.
#[derive(Component, Clone, Copy, Debug, PartialEq, Reflect)]
#[reflect(Component)]
pub struct ChunkBounds {
    /// The north-west corner, at the lowest height.
    pub min: DVec3,
    /// The south-east corner, at the highest height.
    pub max: DVec3,
}

impl ChunkBounds {
    /// The box around `chunk`, whose ground lies between the two heights.
    pub(in crate::stream) fn new(layout: &ChunkLayout, chunk: ChunkCoord, heights: [f32; 2]) -> Self {
        let ([west, north], size) = (layout.origin(chunk), layout.chunk_size(chunk.level));
        let ([east, south], [lowest, highest]) = ([west + size, north + size], heights);
        Self { min: DVec3::new(west, lowest.into(), north), max: DVec3::new(east, highest.into(), south) }
    }

    /// The lengths of its sides.
    #[must_use]
    pub fn size(&self) -> DVec3 {
        self.max - self.min
    }

    /// Its middle.
    #[must_use]
    pub fn center(&self) -> DVec3 {
        (self.min + self.max) / 2.0
    }

    /// Whether the place `(x, z)` lies on this ground, at whatever height. The west and the north border belong to it, the
    /// others to its neighbors: every place in view lies in exactly one of the drawn chunks.
    #[must_use]
    pub fn contains(&self, x: f64, z: f64) -> bool {
        (self.min.x..self.max.x).contains(&x) && (self.min.z..self.max.z).contains(&z)
    }

    /// The box around both.
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
    fn chunks_side_by_side_share_a_border_that_belongs_to_one_of_them() {
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
