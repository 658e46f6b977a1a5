//! Builds a chunk in slices.

use super::{ChunkBuilder, ChunkCoord, ChunkHeights, ChunkLayout};
use crate::field::{HeightField, NodeGrid};

/// A chunk that is built a few rows at a time. For platforms without threads, where a frame must not wait for a whole chunk.
///
/// The result has the same bits as that of [`ChunkBuilder::heights`].
#[derive(Clone, Debug)]
pub struct ChunkSlices {
    chunk: ChunkCoord,
    layout: ChunkLayout,
    grid: NodeGrid,
    /// The heights of the rows sampled so far, from north to south.
    heights: Vec<f32>,
}

impl ChunkSlices {
    /// The approximate number of heights per slice. They take a fraction of a millisecond.
    const HEIGHTS: usize = 1024;

    /// Starts to build `chunk`.
    #[must_use]
    pub fn new(layout: &ChunkLayout, chunk: ChunkCoord) -> Self {
        let grid = layout.grid(chunk, ChunkHeights::APRON);
        Self { chunk, layout: *layout, grid, heights: Vec::with_capacity(grid.size[0] * grid.size[1]) }
    }

    /// The chunk that is built.
    #[must_use]
    pub const fn chunk(&self) -> ChunkCoord {
        self.chunk
    }

    /// The layout of the chunk.
    #[must_use]
    pub const fn layout(&self) -> &ChunkLayout {
        &self.layout
    }

    /// Builds the next slice, with the scratch memory of `builder`. The last call returns the heights; drop `self` after
    /// that.
    pub fn advance(&mut self, builder: &mut ChunkBuilder, field: &HeightField) -> Option<ChunkHeights> {
        let [width, rows] = self.grid.size;
        let done = self.heights.len() / width;
        if done == rows {
            let heights = std::mem::take(&mut self.heights).into_boxed_slice();
            return Some(ChunkHeights::new(&self.layout, self.chunk.level, heights));
        }
        let mut slice = self.grid;
        slice.origin[1] = slice.origin[1].wrapping_add(slice.stride.wrapping_mul(done as i64));
        slice.size[1] = (Self::HEIGHTS / width).clamp(1, rows - done);
        self.heights.extend_from_slice(builder.sample(field, &slice));
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chunk::ChunkSettings;
    use crate::field::FieldSettings;

    #[test]
    fn slices_give_the_same_chunk_as_a_single_build() {
        let field = HeightField::new(&FieldSettings::default());
        let (mut builder, mut other) = (ChunkBuilder::default(), ChunkBuilder::default());
        for (quads, level) in [(8, 0), (64, 3), (128, 1), (128, 9)] {
            let layout = ChunkLayout::new(&ChunkSettings { quads, spacing: 4.0 });
            for (x, z) in [(0, 0), (-3, 7), (1 << 40, -5)] {
                let chunk = ChunkCoord { level, x, z };
                let mut slices = ChunkSlices::new(&layout, chunk);
                let mut count = 0;
                let whole = loop {
                    count += 1;
                    // The builder may build another chunk between two slices.
                    other.build(&field, &layout, ChunkCoord { level: 0, x: count, z: 0 });
                    if let Some(whole) = slices.advance(&mut other, &field) {
                        break whole;
                    }
                };
                assert_eq!(whole, builder.heights(&field, &layout, chunk), "{chunk:?} of {quads} quads");
                let heights = i64::from(quads + 5).pow(2);
                assert!((2 + heights / 1100..3 + heights / 800).contains(&count), "{count} slices of {quads} quads");
            }
        }
    }
}
