//! The vertices, normals and triangles of one chunk.

use super::{ChunkCoord, ChunkLayout};
use crate::field::{HeightField, normal_from_neighbours};
use crate::noise::NoiseScratch;

/// The surface of one chunk, ready to become a mesh or a collider.
///
/// Vertices are laid out row by row, `n = quads + 1` along each side:
///
/// ```text
///   0 ---- 1 ---- 2   -> +x         vertex z * n + x
///   |    / |    / |                 two triangles a quad, split along the same diagonal
///   |  /   |  /   |                 everywhere, counter-clockwise seen from above
///   n --- n+1 -- n+2
///   v +z
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ChunkGeometry {
    /// Positions in metres, relative to the chunk's north-west corner along x and z; y is the height itself.
    pub positions: Vec<[f32; 3]>,
    /// Unit normals, one per position.
    pub normals: Vec<[f32; 3]>,
    /// The lowest and the highest y of all positions.
    pub height_range: [f32; 2],
    /// Vertices along each side.
    pub side: u32,
}

impl ChunkGeometry {
    /// Bytes of vertex data.
    #[must_use]
    pub const fn vertex_bytes(&self) -> usize {
        (self.positions.len() + self.normals.len()) * size_of::<[f32; 3]>()
    }
}

/// Builds chunks, reusing its scratch memory from one to the next.
#[derive(Debug, Default)]
pub struct ChunkBuilder {
    heights: Vec<f32>,
    noise: NoiseScratch,
}

impl ChunkBuilder {
    /// The surface of `chunk`.
    ///
    /// Heights are sampled on the chunk's vertices and one more row on every side, so a border normal is computed from the
    /// same five samples on both sides of the border, bit for bit.
    pub fn build(&mut self, field: &HeightField, layout: &ChunkLayout, chunk: ChunkCoord) -> ChunkGeometry {
        let grid = layout.grid(chunk, 1);
        field.fill(&grid, &mut self.noise, &mut self.heights);

        let side = layout.vertices() as usize;
        let spacing = layout.spacing(chunk.level) as f32;
        let mut positions = Vec::with_capacity(side * side);
        let mut normals = Vec::with_capacity(side * side);
        let mut height_range = [f32::INFINITY, f32::NEG_INFINITY];
        // A row of vertices between its neighbours in the north and in the south.
        for (row, three) in self.heights.windows(3 * grid.size[0]).step_by(grid.size[0]).enumerate() {
            let (north, rest) = three.split_at(grid.size[0]);
            let (here, south) = rest.split_at(grid.size[0]);
            let (heights, z) = (&here[1..=side], row as f32 * spacing);
            positions.extend(heights.iter().enumerate().map(|(column, &height)| [column as f32 * spacing, height, z]));
            let along = here.iter().zip(&here[2..]);
            let across = north[1..=side].iter().zip(&south[1..=side]);
            normals.extend(
                along.zip(across).map(|((&west, &east), (&north, &south))| {
                    normal_from_neighbours([west, east, north, south], spacing)
                }),
            );
            for &height in heights {
                height_range = [height_range[0].min(height), height_range[1].max(height)];
            }
        }
        ChunkGeometry { positions, normals, height_range, side: layout.vertices() }
    }
}

/// The triangles of a chunk with `side` vertices along each side, at most 256: three indices each, the same for every chunk.
#[must_use]
pub fn triangle_indices(side: u32) -> Vec<u16> {
    debug_assert!(side <= 256, "more than 65536 vertices need wider indices");
    let quads = side.saturating_sub(1);
    let mut indices = Vec::with_capacity((quads * quads * 6) as usize);
    for z in 0..quads {
        for x in 0..quads {
            let [north_west, north_east] = [z * side + x, z * side + x + 1];
            let [south_west, south_east] = [north_west + side, north_east + side];
            for index in [north_west, south_west, north_east, north_east, south_west, south_east] {
                indices.push(index as u16);
            }
        }
    }
    indices
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chunk::ChunkSettings;
    use crate::field::FieldSettings;

    fn build(chunk: ChunkCoord) -> (ChunkLayout, ChunkGeometry) {
        let layout = ChunkLayout::new(&ChunkSettings { quads: 16, spacing: 3.0 });
        let field = HeightField::new(&FieldSettings::default());
        (layout, ChunkBuilder::default().build(&field, &layout, chunk))
    }

    #[test]
    fn vertices_stand_on_the_height_field() {
        let field = HeightField::new(&FieldSettings::default());
        for level in [0, 2] {
            let chunk = ChunkCoord { level, x: -3, z: 2 };
            let (layout, geometry) = build(chunk);
            let [west, north] = layout.origin(chunk);
            for [x, y, z] in &geometry.positions {
                assert_eq!(*y, field.height(west + f64::from(*x), north + f64::from(*z)));
                assert!((geometry.height_range[0]..=geometry.height_range[1]).contains(y));
            }
        }
    }

    #[test]
    fn triangles_cover_the_square_once_and_face_up() {
        let (_, geometry) = build(ChunkCoord::finest(0, 0));
        let indices = triangle_indices(geometry.side);
        let mut area = 0.0;
        for triangle in indices.chunks(3) {
            let [a, b, c] = [0, 1, 2].map(|i| geometry.positions[usize::from(triangle[i])]);
            let (u, v) = ([b[0] - a[0], b[2] - a[2]], [c[0] - a[0], c[2] - a[2]]);
            let up = (u[1] * v[0] - u[0] * v[1]) / 2.0;
            assert!(up > 0.0, "a triangle faces down");
            area += up;
        }
        assert_eq!(area, (16.0_f32 * 3.0).powi(2));
    }

    #[test]
    fn normals_have_unit_length_and_face_up() {
        let (_, geometry) = build(ChunkCoord::finest(7, -7));
        for [x, y, z] in geometry.normals {
            assert!(y > 0.0);
            assert!(((x * x + y * y + z * z).sqrt() - 1.0).abs() < 1e-6);
        }
    }

    #[test]
    fn a_reused_builder_gives_the_same_as_a_fresh_one() {
        let layout = ChunkLayout::new(&ChunkSettings::default());
        let field = HeightField::new(&FieldSettings::default());
        let mut reused = ChunkBuilder::default();
        reused.build(&field, &layout, ChunkCoord::finest(100, 100));
        let chunk = ChunkCoord::finest(-1, 5);
        assert_eq!(reused.build(&field, &layout, chunk), ChunkBuilder::default().build(&field, &layout, chunk));
    }

    #[test]
    fn the_largest_chunk_fits_sixteen_bit_indices() {
        assert_eq!(triangle_indices(129).iter().max(), Some(&(129 * 129 - 1)));
    }
}
