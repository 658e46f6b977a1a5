//! The vertices and normals of one chunk, and their morph targets on the next coarser level.

use super::{ChunkCoord, ChunkHeights, ChunkLayout};
use crate::field::{HeightField, NodeGrid, normal_from_neighbors};
use crate::noise::NoiseScratch;

/// The surface of one chunk, from which a mesh or a collider is made.
///
/// Vertices are stored row by row, with `n = quads + 1` along each side:
///
/// ```text
///   0 ---- 1 ---- 2   -> +x         vertex z * n + x
///   |    / |    / |                 two triangles per quad, split along the same diagonal
///   |  /   |  /   |                 everywhere, counter-clockwise seen from above
///   n --- n+1 -- n+2
///   v +z
/// ```
///
/// The next coarser level has every second vertex of every second row. Each other vertex lies halfway between two of these: in a
/// row, in a column, or on the diagonal of a coarse quad. So a chunk with all vertices at their `coarse_heights` has exactly the
/// surface of the coarser level.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct ChunkGeometry {
    /// Positions in metres. x and z are relative to the chunk's north-west corner; y is the height.
    pub positions: Vec<[f32; 3]>,
    /// Unit normals, one per position.
    pub normals: Vec<[f32; 3]>,
    /// The height of the next coarser level at each position, in metres.
    pub coarse_heights: Vec<f32>,
    /// x and z of the unit normal of the next coarser level at each position.
    pub coarse_normals: Vec<[f32; 2]>,
    /// The lowest and the highest y of all positions. The coarse heights are in this range too.
    pub height_range: [f32; 2],
    /// Vertices along each side.
    pub side: u32,
}

impl ChunkGeometry {
    /// An empty geometry with capacity for `side * side` vertices.
    fn with_capacity(side: u32) -> Self {
        let vertices = (side * side) as usize;
        Self {
            positions: Vec::with_capacity(vertices),
            normals: Vec::with_capacity(vertices),
            coarse_heights: Vec::with_capacity(vertices),
            coarse_normals: Vec::with_capacity(vertices),
            height_range: [f32::INFINITY, f32::NEG_INFINITY],
            side,
        }
    }

    /// The size of the positions and normals, in bytes.
    #[must_use]
    pub const fn vertex_bytes(&self) -> usize {
        (self.positions.len() + self.normals.len()) * size_of::<[f32; 3]>()
    }
}

/// Builds chunks and reuses its scratch memory.
#[derive(Debug, Default)]
pub struct ChunkBuilder {
    heights: Vec<f32>,
    noise: NoiseScratch,
    /// x and z of the coarse normals of one row of coarse vertices, and of the next row to the south.
    coarse_rows: [Vec<[f32; 2]>; 2],
}

impl ChunkBuilder {
    /// Builds the surface of `chunk`.
    pub fn build(&mut self, field: &HeightField, layout: &ChunkLayout, chunk: ChunkCoord) -> ChunkGeometry {
        self.sample(field, &layout.grid(chunk, ChunkHeights::APRON));
        let heights = ChunkHeights::new(layout, chunk.level, std::mem::take(&mut self.heights).into());
        let geometry = self.geometry(&heights);
        self.heights = heights.heights.into();
        geometry
    }

    /// The heights of `chunk` and of its apron.
    pub fn heights(&mut self, field: &HeightField, layout: &ChunkLayout, chunk: ChunkCoord) -> ChunkHeights {
        self.sample(field, &layout.grid(chunk, ChunkHeights::APRON));
        ChunkHeights::new(layout, chunk.level, self.heights.as_slice().into())
    }

    /// The heights of `grid`, in scratch memory.
    pub(super) fn sample(&mut self, field: &HeightField, grid: &NodeGrid) -> &[f32] {
        field.fill(grid, &mut self.noise, &mut self.heights);
        &self.heights
    }

    /// The surface of a chunk, from its heights.
    pub fn geometry(&mut self, heights: &ChunkHeights) -> ChunkGeometry {
        let spacing = heights.spacing;
        let mut geometry = ChunkGeometry::with_capacity(heights.side);
        geometry.height_range = heights.height_range;
        let samples = Samples::of(heights);
        let side = samples.side;
        let [above, below] = &mut self.coarse_rows;
        for row in 0..side {
            geometry.push_row(&samples, row, spacing);
            if row % 2 == 0 {
                std::mem::swap(above, below);
                if row == 0 {
                    samples.coarse_normals(0, spacing, above);
                }
                if row + 2 < side {
                    samples.coarse_normals(row + 2, spacing, below);
                }
                geometry.push_even_coarse_row(&samples, row, above);
            } else {
                geometry.push_odd_coarse_row(&samples, row, above, below);
            }
        }
        geometry
    }
}

/// The sampled heights of a chunk and its apron.
struct Samples<'a> {
    heights: &'a [f32],
    /// Vertices in a row.
    side: usize,
    /// Samples beyond each side.
    apron: usize,
}

impl<'a> Samples<'a> {
    fn of(heights: &'a ChunkHeights) -> Self {
        Self { heights: &heights.heights, side: heights.side as usize, apron: ChunkHeights::APRON as usize }
    }

    /// The heights of a row of vertices, with `before` more samples at both ends. Rows of the apron have negative numbers, or
    /// numbers from `side` on.
    fn row(&self, row: isize, before: usize) -> &[f32] {
        let width = self.side + 2 * self.apron;
        let start = (row + self.apron.cast_signed()).cast_unsigned() * width + self.apron - before;
        &self.heights[start..start + self.side + 2 * before]
    }

    /// Replaces `normals` by those of the coarse vertices in an even `row`.
    fn coarse_normals(&self, row: usize, spacing: f32, normals: &mut Vec<[f32; 2]>) {
        let row = row.cast_signed();
        let (here, north, south) = (self.row(row, 2), self.row(row - 2, 0), self.row(row + 2, 0));
        normals.clear();
        normals.extend((0..self.side).step_by(2).map(|column| {
            let neighbors = [here[column], here[column + 4], north[column], south[column]];
            let [x, _, z] = normal_from_neighbors(neighbors, 2.0 * spacing);
            [x, z]
        }));
    }
}

/// The mean of two numbers. Only the sum is rounded.
fn mean(a: f32, b: f32) -> f32 {
    (a + b) * 0.5
}

fn mean_normal(a: [f32; 2], b: [f32; 2]) -> [f32; 2] {
    [mean(a[0], b[0]), mean(a[1], b[1])]
}

impl ChunkGeometry {
    fn push_row(&mut self, samples: &Samples<'_>, row: usize, spacing: f32) {
        let z = row as f32 * spacing;
        let row = row.cast_signed();
        let (here, north, south) = (samples.row(row, 1), samples.row(row - 1, 0), samples.row(row + 1, 0));
        let heights = samples.row(row, 0);
        self.positions
            .extend(heights.iter().zip(0_u16..).map(|(&height, column)| [f32::from(column) * spacing, height, z]));
        let along = here.iter().zip(&here[2..]);
        let across = north.iter().zip(south);
        self.normals.extend(
            along
                .zip(across)
                .map(|((&west, &east), (&north, &south))| normal_from_neighbors([west, east, north, south], spacing)),
        );
    }

    /// Adds a row that the coarser level has too. Vertices between two coarse ones get their mean.
    fn push_even_coarse_row(&mut self, samples: &Samples<'_>, row: usize, normals: &[[f32; 2]]) {
        let here = samples.row(row.cast_signed(), 0);
        let pairs = west_of_quads(here).zip(east_of_quads(here));
        self.coarse_heights.extend(pairs.flat_map(|(west, east)| [west, mean(west, east)]));
        self.coarse_heights.extend(here.last());
        let pairs = normals.array_windows();
        self.coarse_normals.extend(pairs.flat_map(|&[west, east]| [west, mean_normal(west, east)]));
        self.coarse_normals.extend(normals.last());
    }

    /// Adds a row between two rows of the coarser level. Its vertices lie between two coarse vertices in a column, or on the diagonal
    /// of a coarse quad, which runs from north-east to south-west.
    fn push_odd_coarse_row(&mut self, samples: &Samples<'_>, row: usize, above: &[[f32; 2]], below: &[[f32; 2]]) {
        let row = row.cast_signed();
        let (north, south) = (samples.row(row - 1, 0), samples.row(row + 1, 0));
        let corners = west_of_quads(north).zip(east_of_quads(north)).zip(west_of_quads(south));
        self.coarse_heights.extend(
            corners.flat_map(|((north_west, north_east), south)| [mean(north_west, south), mean(north_east, south)]),
        );
        self.coarse_heights.extend(north.last().zip(south.last()).map(|(&north, &south)| mean(north, south)));
        let corners = above.array_windows().zip(below);
        self.coarse_normals.extend(corners.flat_map(|(&[north_west, north_east], &south)| {
            [mean_normal(north_west, south), mean_normal(north_east, south)]
        }));
        self.coarse_normals.extend(above.last().zip(below.last()).map(|(&north, &south)| mean_normal(north, south)));
    }
}

/// The heights at the west ends of the coarse quads along a row. The row has an odd number of vertices.
fn west_of_quads(row: &[f32]) -> impl Iterator<Item = f32> + '_ {
    row.as_chunks::<2>().0.iter().map(|&[west, _]| west)
}

/// The heights at the east ends of the coarse quads along a row.
fn east_of_quads(row: &[f32]) -> impl Iterator<Item = f32> + '_ {
    row[1..].as_chunks::<2>().0.iter().map(|&[_, east]| east)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chunk::{ChunkSettings, StitchMask, quad_height, triangle_indices};
    use crate::field::FieldSettings;

    fn layout() -> ChunkLayout {
        ChunkLayout::new(&ChunkSettings { quads: 16, spacing: 3.0 })
    }

    fn build(chunk: ChunkCoord) -> (ChunkLayout, ChunkGeometry) {
        let field = HeightField::new(&FieldSettings::default());
        (layout(), ChunkBuilder::default().build(&field, &layout(), chunk))
    }

    #[test]
    fn vertices_are_on_the_height_field() {
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

    /// The height on the triangles of `geometry`, at a position in quads from the corner.
    fn surface_height(geometry: &ChunkGeometry, x: f64, z: f64) -> f64 {
        let side = geometry.side as usize;
        let [column, row] = [x, z].map(|position| (position.floor() as usize).min(side - 2));
        let (u, v) = (x - column as f64, z - row as f64);
        let height = |dx: usize, dz: usize| f64::from(geometry.positions[(row + dz) * side + column + dx][1]);
        quad_height([height(0, 0), height(1, 0), height(0, 1), height(1, 1)], u, v)
    }

    #[test]
    fn coarse_heights_are_on_the_surface_of_the_parent() {
        for chunk in [ChunkCoord::finest(4, -7), ChunkCoord { level: 3, x: -2, z: 1 }] {
            let (_, fine) = build(chunk);
            let (_, coarse) = build(chunk.parent());
            let (east, south) = ((chunk.x & 1) as f64 * 8.0, (chunk.z & 1) as f64 * 8.0);
            let mut largest = 0.0_f32;
            for (i, (&here, position)) in fine.coarse_heights.iter().zip(&fine.positions).enumerate() {
                let (x, z) = ((i % 17) as f64 / 2.0 + east, (i / 17) as f64 / 2.0 + south);
                let expected = surface_height(&coarse, x, z);
                assert!((f64::from(here) - expected).abs() < 1e-4, "{chunk:?}, vertex {i}: {here} for {expected}");
                largest = largest.max((position[1] - here).abs());
            }
            assert!(largest > 0.0);
        }
    }

    #[test]
    fn coarse_heights_and_normals_have_the_bits_of_the_parents_vertices() {
        for chunk in [ChunkCoord::finest(4, -7), ChunkCoord { level: 2, x: -1, z: -1 }] {
            let (_, fine) = build(chunk);
            let (_, coarse) = build(chunk.parent());
            let (east, south) = ((chunk.x & 1) as usize * 8, (chunk.z & 1) as usize * 8);
            for (row, column) in (0..=8).flat_map(|row| (0..=8).map(move |column| (row, column))) {
                let (below, above) = (2 * row * 17 + 2 * column, (row + south) * 17 + column + east);
                assert_eq!(fine.coarse_heights[below].to_bits(), coarse.positions[above][1].to_bits());
                let [x, _, z] = coarse.normals[above];
                assert_eq!(fine.coarse_normals[below].map(f32::to_bits), [x, z].map(f32::to_bits));
            }
        }
    }

    #[test]
    fn triangles_face_up_and_cover_the_square() {
        let (_, geometry) = build(ChunkCoord::finest(0, 0));
        let mut area = 0.0;
        for triangle in triangle_indices(geometry.side, StitchMask::NONE).chunks(3) {
            let [a, b, c] = [0, 1, 2].map(|i| geometry.positions[usize::from(triangle[i])]);
            let (u, v) = ([b[0] - a[0], b[2] - a[2]], [c[0] - a[0], c[2] - a[2]]);
            area += (u[1] * v[0] - u[0] * v[1]) / 2.0;
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
        for [x, z] in geometry.coarse_normals {
            assert!(x * x + z * z < 1.0);
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
}
