//! Heights of a rectangle of vertices, and a maximum mipmap over its quads.

mod maxima;

use crate::field::{HeightField, NodeGrid};
use crate::noise::NoiseScratch;
pub(super) use maxima::Maxima;

/// The heights of a rectangle of vertices of the world grid, and the highest of them over ever larger squares of quads.
///
/// Rays, boxes, colliders and navigation read the ground from tiles. A [`TileCache`](super::TileCache) keeps those of whole chunks.
/// A task that wants other squares makes them itself, with scratch memory of its own:
///
/// ```
/// use perlin_terrain::chunk::{ChunkLayout, ChunkSettings};
/// use perlin_terrain::field::{FieldSettings, HeightField};
/// use perlin_terrain::ground::{HeightTile, TileScratch};
///
/// let field = HeightField::new(&FieldSettings::default());
/// let layout = ChunkLayout::new(&ChunkSettings::default());
/// // 32 by 32 quads of level 0. The vertex at their north-west corner has the index (-320, 64).
/// let tile = HeightTile::new(&field, &layout.square([-320, 64], 32), &mut TileScratch::default());
/// assert_eq!(tile.heights().len(), 33 * 33);
/// assert_eq!(tile.height(1, 2), field.height(-319.0 * 4.0, 66.0 * 4.0));
/// ```
///
/// A tile of 65 by 65 vertices has 17 kB of heights and 5.5 kB of maxima.
#[derive(Clone, Debug, PartialEq)]
pub struct HeightTile {
    grid: NodeGrid,
    heights: Box<[f32]>,
    maxima: Maxima,
    lowest: f32,
}

/// Scratch memory for making tiles.
#[derive(Debug, Default)]
pub struct TileScratch {
    noise: NoiseScratch,
    planes: Vec<f32>,
}

impl HeightTile {
    /// The heights of `field` at the vertices of `grid`. Each has the same bits as [`HeightField::height`], and as the vertex that
    /// is drawn.
    ///
    /// # Panics
    ///
    /// If `grid` has fewer than two vertices along a side.
    #[must_use]
    pub fn new(field: &HeightField, grid: &NodeGrid, scratch: &mut TileScratch) -> Self {
        assert!(grid.size.into_iter().all(|side| side >= 2), "a tile has at least one quad");
        field.fill(grid, &mut scratch.noise, &mut scratch.planes);
        Self::of_heights(grid, scratch.planes.as_slice().into())
    }

    /// The tile whose `heights` are known: those of the vertices of `grid`, row by row.
    #[doc(hidden)]
    #[must_use]
    pub fn of_heights(grid: &NodeGrid, heights: Box<[f32]>) -> Self {
        let maxima = Maxima::new(&heights, grid.size[0]);
        let lowest = heights.iter().copied().fold(f32::INFINITY, f32::min);
        Self { grid: *grid, heights, maxima, lowest }
    }

    /// The vertices.
    #[must_use]
    pub const fn grid(&self) -> &NodeGrid {
        &self.grid
    }

    /// All heights in metres, row by row: the vertex in column `x` and row `z` is at `z * grid.size[0] + x`.
    #[must_use]
    pub const fn heights(&self) -> &[f32] {
        &self.heights
    }

    /// The height, in metres, of the vertex in this column and this row.
    ///
    /// # Panics
    ///
    /// If the tile has no such row or, in its last row, no such column.
    #[must_use]
    pub const fn height(&self, column: usize, row: usize) -> f32 {
        self.heights[row * self.grid.size[0] + column]
    }

    /// The lowest and the highest height, in metres.
    #[must_use]
    pub fn height_range(&self) -> [f32; 2] {
        [self.lowest, self.maxima.highest()]
    }

    /// The size of the tile in memory, in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        size_of::<Self>() + size_of_val(&*self.heights) + self.maxima.bytes()
    }

    /// The distance between neighboring vertices, in metres.
    #[doc(hidden)]
    #[must_use]
    pub fn spacing(&self) -> f64 {
        self.grid.spacing * self.grid.stride as f64
    }

    /// The heights of the corners of a quad, in the order of [`quad_height`](crate::chunk::quad_height).
    pub(super) fn corners(&self, [column, row]: [usize; 2]) -> [f64; 4] {
        let north = row * self.grid.size[0] + column;
        let south = north + self.grid.size[0];
        [north, north + 1, south, south + 1].map(|vertex| self.heights[vertex].into())
    }

    pub(super) const fn maxima(&self) -> &Maxima {
        &self.maxima
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chunk::{ChunkBuilder, ChunkCoord, ChunkLayout, ChunkSettings};
    use crate::field::FieldSettings;

    #[test]
    fn a_tile_has_the_vertices_of_its_chunk_at_any_level() {
        let field = HeightField::new(&FieldSettings::default());
        let layout = ChunkLayout::new(&ChunkSettings { quads: 16, spacing: 1.0 / 3.0 });
        let mut scratch = TileScratch::default();
        for (level, x, z) in [(0, 3, -7), (2, -1, 0), (0, 1 << 40, -(1 << 40))] {
            let chunk = ChunkCoord { level, x, z };
            let tile = HeightTile::new(&field, &layout.grid(chunk, 0), &mut scratch);
            let geometry = ChunkBuilder::default().build(&field, &layout, chunk);
            let drawn: Vec<f32> = geometry.positions.iter().map(|vertex| vertex[1]).collect();
            assert_eq!(tile.heights(), drawn, "{chunk:?}");
            assert_eq!(tile.height_range(), geometry.height_range);
            assert_eq!(tile.spacing(), layout.spacing(level));
        }
    }

    #[test]
    fn a_tile_counts_its_bytes() {
        let field = HeightField::new(&FieldSettings::default());
        let layout = ChunkLayout::new(&ChunkSettings { quads: 64, spacing: 4.0 });
        let tile = HeightTile::new(&field, &layout.square([0, 0], 64), &mut TileScratch::default());
        let maxima: usize = [32, 16, 8, 4, 2, 1].map(|side| side * side * 4).iter().sum();
        assert_eq!(tile.bytes() - size_of::<HeightTile>(), 65 * 65 * 4 + maxima);
        assert!(tile.bytes() < 23_000);
    }
}
