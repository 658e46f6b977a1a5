//! Heights on a rectangle of the world grid.

use super::HeightField;

/// A rectangle of the world grid: which vertices, by their global index, and how far apart level-0 vertices are.
///
/// A vertex is named by its index `(x, z)`; its place is `index * spacing` metres. Whoever asks for the height of the same
/// index gets the same bits, through whichever rectangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NodeGrid {
    /// Index of the first vertex, along x and z.
    pub origin: [i64; 2],
    /// Index difference between neighbours of the rectangle: 1 at level 0, `2^l` at level `l`.
    pub stride: i64,
    /// Vertices along x and along z.
    pub size: [usize; 2],
    /// Metres between level-0 vertices.
    pub spacing: f64,
}

impl NodeGrid {
    /// The place of the vertex in column `column` and row `row`, in metres.
    #[must_use]
    pub fn position(&self, column: usize, row: usize) -> [f64; 2] {
        let place =
            |origin: i64, i: usize| origin.wrapping_add(self.stride.wrapping_mul(i as i64)) as f64 * self.spacing;
        [place(self.origin[0], column), place(self.origin[1], row)]
    }
}

impl HeightField {
    /// Replaces `heights` by the heights of `grid`, row by row: column `x` of row `z` is at `z * grid.size[0] + x`.
    ///
    /// Reuses the vector's memory.
    pub fn fill(&self, grid: &NodeGrid, heights: &mut Vec<f32>) {
        let [columns, rows] = grid.size;
        heights.clear();
        heights.reserve(columns * rows);
        for row in 0..rows {
            heights.extend((0..columns).map(|column| {
                let [x, z] = grid.position(column, row);
                self.height(x, z)
            }));
        }
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
            field.fill(&NodeGrid { origin, stride, size, spacing: 2.5 }, &mut heights);
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
