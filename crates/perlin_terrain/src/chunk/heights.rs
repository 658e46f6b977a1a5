//! The heights of one chunk, from which everything else about it follows.

use super::extremes::Extremes;
use super::{ChunkLayout, StitchMask};
use crate::field::normal_from_neighbors;

/// The heights of a chunk's vertices and of an apron around them.
///
/// A renderer needs nothing else: positions, normals and the surface of the next coarser level follow from them, as
/// [`vertex`](Self::vertex) computes them.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ChunkHeights {
    /// The heights in metres, row by row from north to south, of the vertices and of [`APRON`](Self::APRON) more on every side.
    pub heights: Box<[f32]>,
    /// The lowest and the highest height of the vertices, in metres. The heights of the next coarser level are in this range too.
    pub height_range: [f32; 2],
    /// Vertices along each side.
    pub side: u32,
    /// The distance between neighboring vertices, in metres.
    pub spacing: f32,
}

/// A vertex of a chunk, on its own level and on the next coarser one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChunkVertex {
    /// The position in metres, relative to the north-west corner of the chunk; y is the height.
    pub position: [f32; 3],
    /// The unit normal.
    pub normal: [f32; 3],
    /// The height of the next coarser level there, in metres.
    pub coarse_height: f32,
    /// x and z of the unit normal of the next coarser level there.
    pub coarse_normal: [f32; 2],
}

impl ChunkHeights {
    /// The number of heights beyond the vertices of each side. The normals of the next coarser level need two. Both chunks at a border
    /// compute its normals from the same heights, with the same bits.
    pub const APRON: u32 = 2;

    /// Wraps the heights of a chunk of `level`.
    pub(super) fn new(layout: &ChunkLayout, level: u8, heights: Box<[f32]>) -> Self {
        let (side, spacing) = (layout.vertices(), layout.spacing(level) as f32);
        let mut heights = Self { heights, height_range: [0.0; 2], side, spacing };
        let mut extremes = Extremes::new();
        heights.rows().for_each(|row| extremes.add(row));
        heights.height_range = extremes.height_range();
        heights
    }

    /// The number of heights along each side.
    #[must_use]
    pub const fn width(layout: &ChunkLayout) -> u32 {
        layout.vertices() + 2 * Self::APRON
    }

    /// The heights of the vertices, without the apron, row by row from north to south.
    pub fn rows(&self) -> impl Iterator<Item = &[f32]> {
        let (apron, side) = (Self::APRON as usize, self.side as usize);
        let rows = self.heights.chunks_exact(side + 2 * apron).skip(apron).take(side);
        rows.map(move |row| &row[apron..apron + side])
    }

    /// The height of a vertex, in metres: that in this column and row, from -2 to `side + 1`.
    fn at(&self, [column, row]: [i32; 2]) -> f32 {
        let width = (self.side + 2 * Self::APRON) as usize;
        let [column, row] = [column, row].map(|along| (along + Self::APRON.cast_signed()).cast_unsigned() as usize);
        self.heights[row * width + column]
    }

    /// The vertex that is drawn for the one in `column` and `row` if the neighbors on the sides of `edges` are coarser, each from 0 to
    /// `side - 1`. The vertex shader of terrain does the same.
    ///
    /// Toward a coarser neighbor, every second vertex of the border [moves](StitchMask::moved) onto another one.
    #[must_use]
    pub fn vertex(&self, vertex: [u32; 2], edges: StitchMask) -> ChunkVertex {
        let [column, row] = edges.moved(self.side, vertex).map(u32::cast_signed);
        let height = self.at([column, row]);
        // The vertices of the next coarser level that it lies between: the same one twice, if that level has it.
        let [one, other] = match [column & 1, row & 1] {
            [0, 0] => [[column, row]; 2],
            [_, 0] => [[column - 1, row], [column + 1, row]],
            [0, _] => [[column, row - 1], [column, row + 1]],
            _ => [[column + 1, row - 1], [column - 1, row + 1]],
        };
        let mean = |a: f32, b: f32| (a + b) * 0.5;
        let [[x, _, z], [other_x, _, other_z]] = [one, other].map(|vertex| self.normal(vertex, 2));
        ChunkVertex {
            position: [column as f32 * self.spacing, height, row as f32 * self.spacing],
            normal: self.normal([column, row], 1),
            coarse_height: mean(self.at(one), self.at(other)),
            coarse_normal: [mean(x, other_x), mean(z, other_z)],
        }
    }

    /// The unit normal at a vertex, from the heights so many quads to its four sides.
    fn normal(&self, [column, row]: [i32; 2], away: i32) -> [f32; 3] {
        let neighbors = [[column - away, row], [column + away, row], [column, row - away], [column, row + away]];
        normal_from_neighbors(neighbors.map(|neighbor| self.at(neighbor)), away as f32 * self.spacing)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chunk::{ChunkBuilder, ChunkCoord, ChunkSettings, triangle_indices};
    use crate::field::{FieldSettings, HeightField};

    #[test]
    fn moved_vertices_give_the_triangles_of_every_mask() {
        for side in [9, 17, 33, 65, 129] {
            let plain = triangle_indices(side, StitchMask::NONE);
            for edges in StitchMask::all() {
                let moved = plain.iter().map(|&index| {
                    let [column, row] = edges.moved(side, [u32::from(index) % side, u32::from(index) / side]);
                    (row * side + column) as u16
                });
                assert!(moved.eq(triangle_indices(side, edges)), "{edges:?} of {side}");
            }
        }
    }

    #[test]
    fn the_apron_of_a_chunk_is_made_of_vertices_of_its_neighbors() {
        let field = HeightField::new(&FieldSettings::default());
        let layout = ChunkLayout::new(&ChunkSettings { quads: 8, spacing: 4.0 });
        let [here, east] =
            [0, 1].map(|x| ChunkBuilder::default().heights(&field, &layout, ChunkCoord { level: 3, x, z: -1 }));
        for row in -2..11 {
            for column in -2..3 {
                assert_eq!(east.at([column, row]).to_bits(), here.at([column + 8, row]).to_bits());
            }
        }
    }
}
