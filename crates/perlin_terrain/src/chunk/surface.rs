//! The ground at full detail between its vertices: the triangles of level 0, at any position.

use super::{ChunkLayout, quad_height};
use crate::field::{HeightField, NodeGrid};

/// The height of the ground at full detail at the position `(x, z)`, all in metres: see [`SurfacePoint`].
#[must_use]
pub fn surface_height(field: &HeightField, layout: &ChunkLayout, x: f64, z: f64) -> f64 {
    SurfacePoint::at(field, layout, x, z).height
}

/// The unit normal of the ground at full detail at the position `(x, z)`, in metres: see [`SurfacePoint`].
#[must_use]
pub fn surface_normal(field: &HeightField, layout: &ChunkLayout, x: f64, z: f64) -> [f32; 3] {
    SurfacePoint::at(field, layout, x, z).normal
}

/// A position on the ground at full detail: on the triangles that chunks of level 0 draw.
///
/// A [`HeightField`] is smooth, and a triangle is flat: what stands at the height of the field floats above the triangles in a
/// hollow and sinks into them on a ridge. This is where feet stand. No chunk has to be built for it; it takes four times as
/// long as [`HeightField::height`].
///
/// At every vertex it has the bits that chunks draw. It has no steps, not where two triangles or two chunks meet, and is exact
/// up to 8 billion kilometres from the origin. The same settings give the same bits on every machine.
///
/// ```
/// use perlin_terrain::chunk::{ChunkBuilder, ChunkCoord, ChunkLayout, ChunkSettings, SurfacePoint};
/// use perlin_terrain::field::{FieldSettings, HeightField};
///
/// let field = HeightField::new(&FieldSettings::default());
/// let layout = ChunkLayout::new(&ChunkSettings::default());
/// let chunk = ChunkBuilder::default().build(&field, &layout, ChunkCoord::finest(0, 0));
/// // The drawn triangle between the first two vertices, 4 m apart, and the first one of the next row.
/// let [[_, first, _], [_, second, _]] = [chunk.positions[0], chunk.positions[1]];
/// assert_eq!(SurfacePoint::at(&field, &layout, 4.0, 0.0).height, f64::from(second));
/// assert_eq!(SurfacePoint::at(&field, &layout, 2.0, 0.0).height, (f64::from(first) + f64::from(second)) / 2.0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfacePoint {
    /// The height in metres.
    pub height: f64,
    /// The unit normal of the triangle: the same all over it. Where two triangles meet, that of the one to the south-east.
    /// Chunks are lit with normals of their vertices instead, which are those of the smooth [field](HeightField::normal).
    pub normal: [f32; 3],
}

impl SurfacePoint {
    /// The angle between the triangle and the plane, in radians: 0 on level ground, below pi / 2 anywhere.
    #[must_use]
    pub fn slope(&self) -> f32 {
        let [x, y, z] = self.normal;
        libm::atan2f(libm::sqrtf(x * x + z * z), y)
    }

    /// The ground at `(x, z)`, in metres. Like the field, it is finite at every finite position.
    #[must_use]
    pub fn at(field: &HeightField, layout: &ChunkLayout, x: f64, z: f64) -> Self {
        let quad = Quad::around(layout, [x, z]);
        Self::in_quad(quad.corners().map(|[x, z]| field.height(x, z)).map(f64::from), quad.position, layout.spacing(0))
    }

    /// The point at the position `[u, v]` of a quad, from 0 to 1 along x and along z. `corners` are as in [`quad_height`], and
    /// `spacing` is the side of the quad in metres.
    pub(crate) fn in_quad(corners: [f64; 4], [u, v]: [f64; 2], spacing: f64) -> Self {
        let [north_west, north_east, south_west, south_east] = corners;
        let (rise_east, rise_south) = if u + v < 1.0 {
            (north_east - north_west, south_west - north_west)
        } else {
            (south_east - south_west, south_east - north_east)
        };
        let length = (rise_east * rise_east + spacing * spacing + rise_south * rise_south).sqrt();
        Self {
            height: quad_height(corners, u, v),
            normal: [-rise_east, spacing, -rise_south].map(|part| (part / length) as f32),
        }
    }
}

/// A quad of level 0, and a position in it.
pub(crate) struct Quad {
    vertices: NodeGrid,
    /// From 0 to 1 along x and along z.
    pub position: [f64; 2],
}

impl Quad {
    /// The quad around the position `[x, z]`, in metres.
    pub fn around(layout: &ChunkLayout, position: [f64; 2]) -> Self {
        let spacing = layout.spacing(0);
        let vertices = layout.square(position.map(|along| (along / spacing).floor() as i64), 1);
        let [west, north] = vertices.position(0, 0);
        // A quotient may have been rounded up to the next vertex.
        let position = [position[0] - west, position[1] - north].map(|along| (along / spacing).clamp(0.0, 1.0));
        Self { vertices, position }
    }

    /// The positions of the corners, in metres, in the order of [`quad_height`].
    pub fn corners(&self) -> [[f64; 2]; 4] {
        [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(column, row)| self.vertices.position(column, row))
    }

    /// The index of the vertex in the north-west.
    pub const fn index(&self) -> [i64; 2] {
        self.vertices.origin
    }

    /// The indices of the corners, and then of the other neighbors of the corners: those in the north, in the south, in the west and in the
    /// east, each from the north-west to the south-east. From their heights follow the normals of the corners.
    pub fn indices_of_corners_and_neighbors(&self) -> [[i64; 2]; 12] {
        const STEPS: [[i64; 2]; 12] =
            [[0, 0], [1, 0], [0, 1], [1, 1], [0, -1], [1, -1], [0, 2], [1, 2], [-1, 0], [-1, 1], [2, 0], [2, 1]];
        STEPS.map(|step| [0, 1].map(|axis| self.index()[axis].wrapping_add(step[axis])))
    }

    /// The positions of the [same](Self::indices_of_corners_and_neighbors) vertices, in metres.
    pub fn corners_and_neighbors(&self) -> [[f64; 2]; 12] {
        self.indices_of_corners_and_neighbors().map(|index| NodeGrid { origin: index, ..self.vertices }.position(0, 0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chunk::{ChunkBuilder, ChunkCoord, ChunkGeometry, ChunkSettings, StitchMask, triangle_indices};
    use crate::field::FieldSettings;
    use crate::noise::NoiseSettings;
    use proptest::prelude::*;
    use proptest::sample::select;
    use testing::for_all;

    /// Round spacings, and spacings that are not a multiple of 1/1024 m.
    const SPACINGS: [f64; 4] = [4.0, 0.1, 1.0 / 3.0, 7.7];

    /// Rough ground, so that no two triangles are in one plane.
    fn field() -> HeightField {
        let rough = NoiseSettings { frequency: 0.05, height_scale: 40.0, ..Default::default() };
        HeightField::new(&FieldSettings { layers: vec![rough.into()], ..Default::default() })
    }

    /// Chunks of level 0 near the origin, on all sides of it, and far away.
    fn chunks(spacing: f64) -> impl Iterator<Item = (ChunkLayout, ChunkCoord, ChunkGeometry)> {
        let layout = ChunkLayout::new(&ChunkSettings { quads: 8, spacing });
        let far = [1e7, 1e9].map(|position| layout.chunk_at(0, position, -position / 3.0));
        let chunks = [ChunkCoord::finest(0, 0), ChunkCoord::finest(-1, -1), ChunkCoord::finest(3, -7), far[0], far[1]];
        chunks.into_iter().map(move |chunk| (layout, chunk, ChunkBuilder::default().build(&field(), &layout, chunk)))
    }

    #[test]
    fn at_every_vertex_the_height_has_the_bits_of_the_chunk() {
        for (layout, chunk, geometry) in SPACINGS.into_iter().flat_map(chunks) {
            let [west, north] = layout.origin(chunk);
            for &[x, height, z] in &geometry.positions {
                let here = surface_height(&field(), &layout, west + f64::from(x), north + f64::from(z));
                assert_eq!(here, f64::from(height), "{chunk:?} at {x}, {z}");
            }
        }
    }

    #[test]
    fn between_vertices_height_and_normal_are_those_of_the_drawn_triangle() {
        let field = field();
        let chunks: Vec<_> = SPACINGS.into_iter().flat_map(chunks).collect();
        let triangles = triangle_indices(9, StitchMask::NONE);
        let inputs = (0..chunks.len(), 0..triangles.len() / 3, 0.0..1.0, 0.0..1.0);
        for_all(3000, inputs, |(number, triangle, a, b): (usize, usize, f64, f64)| {
            let (layout, chunk, geometry) = &chunks[number];
            let [west, north] = layout.origin(*chunk);
            let corner = |i: usize| geometry.positions[usize::from(triangles[3 * triangle + i])].map(f64::from);
            let corners = [0, 1, 2].map(corner);
            let weights = if a + b < 1.0 { [a, b, 1.0 - a - b] } else { [1.0 - a, 1.0 - b, a + b - 1.0] };
            let mix = |axis: usize| (0..3).map(|i| weights[i] * corners[i][axis]).sum::<f64>();
            let (x, z) = (west + mix(0), north + mix(2));
            let SurfacePoint { height, normal } = SurfacePoint::at(&field, layout, x, z);
            // A billion metres from the origin a position is rounded to 1e-7 m; slopes are below 20.
            assert!((height - mix(1)).abs() < 1e-5, "{chunk:?} at {x}, {z}: {height} for {}", mix(1));
            let [u, v] = [1, 2].map(|i| [0, 1, 2].map(|axis| corners[i][axis] - corners[0][axis]));
            let cross = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
            let length = cross.iter().map(|part| part * part).sum::<f64>().sqrt();
            let off = (0..3).map(|axis| (cross[axis] / length - f64::from(normal[axis])).abs()).fold(0.0, f64::max);
            assert!(off < 1e-5, "{chunk:?} at {x}, {z}: {normal:?} for {cross:?} / {length}");
        });
    }

    #[test]
    fn heights_are_continuous_across_diagonals_and_the_borders_of_quads_and_chunks() {
        let field = field();
        // With a factor of 8, the border of the quad is one between chunks.
        let quad = || (-500_000..500_000, select(&[1, 3, 8])).prop_map(|(index, factor)| f64::from(index * factor));
        for_all(1600, (select(&SPACINGS), quad(), quad(), 0.0..1.0), |(spacing, column, row, part)| {
            let layout = ChunkLayout::new(&ChunkSettings { quads: 8, spacing });
            let spacing = layout.spacing(0);
            let crossings = [([0.0, part], [1.0, 0.0]), ([part, 0.0], [0.0, 1.0]), ([part, 1.0 - part], [0.7, 0.7])];
            for (position, step) in crossings {
                let [before, after] = [-1e-6, 1e-6].map(|far| {
                    let [x, z] = [0, 1].map(|i| ([column, row][i] + position[i] + far * step[i]) * spacing);
                    surface_height(&field, &layout, x, z)
                });
                assert!((after - before).abs() < 1e-3 * spacing, "{position:?}: {before} and {after}");
            }
        });
    }

    #[test]
    fn right_beside_a_vertex_the_height_is_that_of_the_vertex() {
        for spacing in SPACINGS {
            let layout = ChunkLayout::new(&ChunkSettings { quads: 8, spacing });
            for index in [-1e12, -70_000.0, -1.0, 0.0, 1.0, 3.0, 1e9, 1e12] {
                let vertex = index * layout.spacing(0);
                for position in [vertex.next_down(), vertex, vertex.next_up()] {
                    let off =
                        surface_height(&field(), &layout, position, vertex) - f64::from(field().height(vertex, vertex));
                    // The positions of an `f64` lie 5e-4 m apart at 4e12 m.
                    assert!(off.abs() < 0.02, "{off} m at {position:e}");
                }
            }
        }
    }

    #[test]
    fn heights_and_normals_are_finite_at_any_finite_position() {
        let flat = HeightField::new(&FieldSettings { layers: vec![], base_height: 25.0, ..Default::default() });
        let layout = ChunkLayout::new(&ChunkSettings::default());
        for position in [0.0, -3.7, 1e9, 1e18, -1e300, f64::MAX] {
            let here = SurfacePoint::at(&flat, &layout, position, -position);
            assert_eq!(here, SurfacePoint { height: 25.0, normal: [0.0, 1.0, 0.0] });
            let SurfacePoint { height, normal } = SurfacePoint::at(&field(), &layout, position, -position);
            assert!(height.is_finite() && normal.iter().all(|part| part.is_finite()), "{height} at {position}");
        }
    }
}
