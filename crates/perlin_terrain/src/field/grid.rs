//! Heights on a rectangle of the world grid.

use super::HeightField;
use super::positions::GridPositions;
use super::program::DRAINAGE;
use crate::noise::{FixedCoord, NoiseScratch, SampleGrid, TICKS_PER_UNIT};

/// A rectangle of vertices of the world grid.
///
/// A vertex has a global index `(x, z)`. Its position is `index * spacing` metres. The height of a vertex has the same bits in
/// every rectangle that contains it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NodeGrid {
    /// Index of the first vertex, along x and z.
    pub origin: [i64; 2],
    /// Difference between the indices of neighboring vertices: 1 at level 0, `2^l` at level `l`.
    pub stride: i64,
    /// Number of vertices along x and along z.
    pub size: [usize; 2],
    /// Distance between neighboring level-0 vertices, in metres. Rounded to 1/1024 m.
    pub spacing: f64,
}

impl NodeGrid {
    /// The position of the vertex in column `column` and row `row`, in metres.
    #[must_use]
    pub fn position(&self, column: usize, row: usize) -> [f64; 2] {
        let position = |origin: i64, i: usize| {
            let index = origin.wrapping_add(self.stride.wrapping_mul(i as i64));
            index.wrapping_mul(self.ticks()) as f64 / TICKS_PER_UNIT as f64
        };
        [position(self.origin[0], column), position(self.origin[1], row)]
    }

    /// Distance between neighboring level-0 vertices, in ticks.
    fn ticks(&self) -> i64 {
        (self.spacing * TICKS_PER_UNIT as f64).round() as i64
    }

    /// The sample positions of the noise.
    fn samples(&self) -> SampleGrid {
        let ticks = self.ticks();
        SampleGrid {
            origin: self.origin.map(|index| FixedCoord::from_ticks(index.wrapping_mul(ticks))),
            step_ticks: self.stride.wrapping_mul(ticks),
            size: self.size,
        }
    }
}

impl HeightField {
    /// Replaces `heights` by the heights of `grid`, row by row: the vertex in column `x` and row `z` is at
    /// `z * grid.size[0] + x`. Each height has the same bits as that of [`height`](Self::height).
    ///
    /// Reuses the memory of `heights` and of `scratch`. Allocates nothing once both are large enough.
    pub fn fill(&self, grid: &NodeGrid, scratch: &mut NoiseScratch, heights: &mut Vec<f32>) {
        let count = self.run(grid, scratch, heights);
        heights.truncate(count);
    }

    /// The same as [`fill`](Self::fill), and replaces `drainage` by the [drainage](Self::drainage) at each vertex.
    pub fn fill_with_drainage(
        &self,
        grid: &NodeGrid,
        scratch: &mut NoiseScratch,
        heights: &mut Vec<f32>,
        drainage: &mut Vec<f32>,
    ) {
        let count = self.run(grid, scratch, heights);
        drainage.clear();
        if self.program.has_drainage() {
            drainage.extend_from_slice(&heights[DRAINAGE * count..][..count]);
        } else {
            drainage.resize(count, 0.0);
        }
        heights.truncate(count);
    }

    /// Computes all planes of the program. The heights are the first one. Returns the number of vertices.
    fn run(&self, grid: &NodeGrid, scratch: &mut NoiseScratch, planes: &mut Vec<f32>) -> usize {
        let count = grid.size[0] * grid.size[1];
        planes.resize(count * self.program.planes(), 0.0);
        let grid = grid.samples();
        self.program.run(&mut GridPositions { grid, scratch }, planes);
        let (heights, others) = planes.split_at_mut(count);
        let drainage = self.program.has_drainage().then(|| &mut others[(DRAINAGE - 1) * count..][..count]);
        self.edits.apply_to_grid(&grid, heights, drainage);
        count
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::FieldSettings;

    #[test]
    fn overlapping_rectangles_agree_bit_for_bit() {
        let field = HeightField::new(&FieldSettings::default());
        let fill = |origin, stride, size| {
            let mut heights = Vec::new();
            field.fill(&NodeGrid { origin, stride, size, spacing: 2.5 }, &mut NoiseScratch::default(), &mut heights);
            heights
        };
        let whole = fill([-20, -20], 1, [41, 41]);
        let coarse = fill([-20, -20], 4, [11, 11]);
        for row in 0..11 {
            for column in 0..11 {
                assert_eq!(coarse[row * 11 + column].to_bits(), whole[row * 4 * 41 + column * 4].to_bits());
            }
        }
        let part = fill([3, -7], 1, [5, 2]);
        assert_eq!(part[5 + 4].to_bits(), whole[14 * 41 + 27].to_bits());
    }
}
