//! The ground of an area: its lowest and highest vertex, and its triangles.

use super::Ground;
use super::trace::Line;
use crate::chunk::{ChunkCoord, LEVELS};
use crate::field::NodeGrid;
use crate::noise::NoiseScratch;

/// The lowest and the highest vertex of an area, in the terrain's own coordinates: x, y and z in metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GroundExtremes {
    /// The lowest vertex.
    pub lowest: [f64; 3],
    /// The highest vertex.
    pub highest: [f64; 3],
}

/// The triangles of an area, for navigation meshes, exports and the like.
#[derive(Clone, Debug, PartialEq)]
pub struct GroundTriangles {
    /// x and z of the north-west corner, in the terrain's own coordinates, in metres.
    pub origin: [f64; 2],
    /// The vertices in metres, row by row. x and z are relative to `origin`; y is the height.
    pub positions: Vec<[f32; 3]>,
    /// Three vertices for each triangle, counter-clockwise seen from above.
    pub triangles: Vec<[u32; 3]>,
    /// The distance between neighboring vertices, in metres.
    pub spacing: f64,
}

/// An area that can't be answered for.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum AreaError {
    /// A number is not finite, too far away, or out of order.
    #[error(
        "an area needs finite numbers up to 8e12 m from the origin, a minimum that is not above its maximum, and a spacing above 0"
    )]
    Invalid,
    /// The area has more vertices than [`Ground::MAX_VERTICES`].
    #[error(
        "the area has {vertices} vertices, at most {} are allowed: use a smaller area, or a larger spacing",
        Ground::MAX_VERTICES
    )]
    TooLarge {
        /// The number of vertices.
        vertices: u64,
    },
}

impl Ground {
    /// The largest number of vertices in an area: 2^24, or 4096 by 4096.
    pub const MAX_VERTICES: u64 = 1 << 24;

    /// The lowest and the highest level-0 vertex between two corners, as x and z in metres. Vertices on the border count. `None` if
    /// there is no vertex in between.
    ///
    /// As triangles are flat, no ground between these vertices is lower or higher.
    ///
    /// # Errors
    ///
    /// If the area is not valid or too large.
    pub fn extremes(&self, min: [f64; 2], max: [f64; 2]) -> Result<Option<GroundExtremes>, AreaError> {
        let spacing = self.layout().spacing(0);
        // A quotient may have been rounded past a vertex. The position of a vertex is exact.
        let first = min.map(|along| first_at(along, spacing));
        let last = max.map(|along| -first_at(-along, spacing));
        check(min, max, [0, 1].map(|axis| last[axis] - first[axis] + 1.0))?;
        let [first, last] = [first, last].map(|corner| corner.map(|along| along as i64));
        let quads = i64::from(self.layout().quads());
        let chunks = |axis: usize| {
            let west = first[axis].div_euclid(quads);
            // The last vertex may be the last one of a chunk and the first one of the next.
            west..=(last[axis] - 1).div_euclid(quads).max(west)
        };
        let mut found: Option<GroundExtremes> = None;
        if (0..2).any(|axis| first[axis] > last[axis]) {
            return Ok(None);
        }
        for chunk in chunks(1).flat_map(|z| chunks(0).map(move |x| ChunkCoord::finest(x, z))) {
            let tile = self.tile(chunk);
            let [lowest, highest] = tile.height_range().map(f64::from);
            if found.is_some_and(|found| found.lowest[1] <= lowest && found.highest[1] >= highest) {
                continue;
            }
            let part = |axis: usize| {
                let corner = tile.grid().origin[axis];
                ((first[axis] - corner).max(0) as usize)..=((last[axis] - corner).min(quads) as usize)
            };
            for (row, column) in part(1).flat_map(|row| part(0).map(move |column| (row, column))) {
                let ([x, z], height) = (tile.grid().position(column, row), f64::from(tile.height(column, row)));
                let found = found.get_or_insert(GroundExtremes { lowest: [x, height, z], highest: [x, height, z] });
                if height < found.lowest[1] {
                    found.lowest = [x, height, z];
                }
                if height > found.highest[1] {
                    found.highest = [x, height, z];
                }
            }
        }
        Ok(found)
    }

    /// The triangles between two corners, as x and z in metres, with about `spacing` metres between vertices.
    ///
    /// The vertices are those of the coarsest level whose [spacing](crate::chunk::ChunkLayout::spacing) is not larger than
    /// `spacing`, else those of level 0. The triangles are those that chunks of this level draw, with the same diagonals. They cover
    /// the area, and reach beyond it up to the next vertex.
    ///
    /// # Errors
    ///
    /// If the area or the spacing is not valid, or the area has too many vertices.
    pub fn triangles_in(&self, min: [f64; 2], max: [f64; 2], spacing: f64) -> Result<GroundTriangles, AreaError> {
        let is_fine = |level: u8| self.layout().spacing(level) <= spacing;
        let level = (0..LEVELS as u8).rev().find(|&level| is_fine(level)).unwrap_or(0);
        let step = self.layout().spacing(level);
        let [first, last] = [min.map(|along| (along / step).floor()), max.map(|along| (along / step).ceil())];
        let size = [0, 1].map(|axis| (last[axis] - first[axis]).max(1.0) + 1.0);
        check(min, max, size)?;
        if spacing.is_nan() || spacing <= 0.0 {
            return Err(AreaError::Invalid);
        }
        let (stride, size) = (1 << level, size.map(|vertices| vertices as usize));
        let origin = first.map(|along| along as i64 * stride);
        let grid = NodeGrid { origin, stride, size, spacing: self.layout().spacing(0) };
        let mut heights = Vec::new();
        self.field().fill(&grid, &mut NoiseScratch::default(), &mut heights);
        let metres = |along: usize| (along as f64 * step) as f32;
        let position = |(vertex, &height): (usize, &f32)| [metres(vertex % size[0]), height, metres(vertex / size[0])];
        let quad = |north_west: u32| {
            let south_west = north_west + size[0] as u32;
            let north_east = north_west + 1;
            [[north_west, south_west, north_east], [north_east, south_west, south_west + 1]]
        };
        let quads = (0..size[1] - 1).flat_map(|row| (0..size[0] - 1).map(move |column| row * size[0] + column));
        Ok(GroundTriangles {
            origin: grid.position(0, 0),
            positions: heights.iter().enumerate().map(position).collect(),
            triangles: quads.flat_map(|vertex| quad(vertex as u32)).collect(),
            spacing: step,
        })
    }
}

/// The index of the first vertex at or after `along`.
fn first_at(along: f64, spacing: f64) -> f64 {
    let near = (along / spacing).ceil();
    // At most one of these steps is taken.
    near + f64::from(near * spacing < along) - f64::from((near - 1.0) * spacing >= along)
}

/// Checks the corners of an area with so many columns and rows of vertices.
fn check(min: [f64; 2], max: [f64; 2], size: [f64; 2]) -> Result<(), AreaError> {
    let is_near = |along: &f64| along.abs() <= Line::MAX_COORDINATE;
    if !min.iter().chain(&max).all(is_near) || (0..2).any(|axis| min[axis] > max[axis]) {
        return Err(AreaError::Invalid);
    }
    let vertices = size[0].max(0.0) * size[1].max(0.0);
    if vertices > Ground::MAX_VERTICES as f64 {
        return Err(AreaError::TooLarge { vertices: vertices as u64 });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chunk::{ChunkBuilder, StitchMask, triangle_indices};
    use crate::ground::fixtures::{POSITIONS, SPACINGS, ground};
    use proptest::prelude::*;
    use proptest::sample::select;
    use testing::for_all;

    #[test]
    fn the_extremes_are_the_lowest_and_the_highest_vertex_of_all() {
        // Also areas that end at vertices, at borders of chunks, and on the same line.
        let along =
            || prop_oneof![-70.0..70.0, (-70..70).prop_map(f64::from), (-4..4).prop_map(|chunk| f64::from(chunk * 16))];
        let corners = [along(), along(), along(), along()];
        for_all(
            300,
            (select(&SPACINGS), select(&POSITIONS), corners),
            |(spacing, far, [a, b, c, d]): (f64, f64, [f64; 4])| {
                let ground = ground(spacing);
                let spacing = ground.layout().spacing(0);
                let middle = (far / spacing).round();
                let metres = |along: f64| (middle + along) * spacing;
                let (min, max) = ([metres(a.min(b)), metres(c.min(d))], [metres(a.max(b)), metres(c.max(d))]);
                let index =
                    |axis: usize, step: i64| middle as i64 + [a.min(b), c.min(d)][axis].floor() as i64 - 1 + step;
                let mut expected: Option<[f32; 2]> = None;
                for (row, column) in (0..145).flat_map(|row| (0..145).map(move |column| (row, column))) {
                    let [x, z] = [index(0, column), index(1, row)].map(|index| index as f64 * spacing);
                    if (min[0]..=max[0]).contains(&x) && (min[1]..=max[1]).contains(&z) {
                        let height = ground.field().height(x, z);
                        let range = expected.get_or_insert([height; 2]);
                        *range = [range[0].min(height), range[1].max(height)];
                    }
                }
                let found = ground.extremes(min, max).expect("a valid area");
                assert_eq!(
                    found.map(|found| [found.lowest[1], found.highest[1]]),
                    expected.map(|range| range.map(f64::from))
                );
                for [x, height, z] in found.iter().flat_map(|found| [found.lowest, found.highest]) {
                    assert_eq!(height, f64::from(ground.field().height(x, z)));
                    assert!((min[0]..=max[0]).contains(&x) && (min[1]..=max[1]).contains(&z));
                }
            },
        );
    }

    #[test]
    fn the_triangles_of_a_chunk_are_those_that_it_draws() {
        let ground = ground(4.0);
        for chunk in [ChunkCoord::finest(-3, 5), ChunkCoord { level: 2, x: 1, z: -1 }] {
            let ([west, north], size) = (ground.layout().origin(chunk), ground.layout().chunk_size(chunk.level));
            let spacing = 1.9 * ground.layout().spacing(chunk.level);
            let found = ground.triangles_in([west, north], [west + size, north + size], spacing).expect("a valid area");
            let drawn = ChunkBuilder::default().build(ground.field(), ground.layout(), chunk);
            assert_eq!((found.origin, found.spacing), ([west, north], ground.layout().spacing(chunk.level)));
            assert_eq!(found.positions, drawn.positions);
            let sorted = |triangles: Vec<[u32; 3]>| {
                let mut triangles = triangles;
                triangles.sort_unstable();
                triangles
            };
            let indices = triangle_indices(drawn.side, StitchMask::NONE);
            let indices: Vec<_> = indices.as_chunks::<3>().0.iter().map(|vertices| vertices.map(u32::from)).collect();
            assert_eq!(sorted(found.triangles), sorted(indices));
        }
    }

    #[test]
    fn triangles_cover_their_area() {
        let ground = ground(4.0);
        for (min, max) in
            [([-7.0, 3.0], [100.5, 3.0]), ([8.0, 8.0], [8.0, 8.0]), ([1e9, -1e9], [1e9 + 50.0, 40.0 - 1e9])]
        {
            for spacing in [0.1, 4.0, 15.0] {
                let found = ground.triangles_in(min, max, spacing).expect("a valid area");
                let end = |axis: usize| {
                    let along = found.positions.iter().map(|position| f64::from(position[axis])).fold(0.0, f64::max);
                    found.origin[axis / 2] + along
                };
                assert!((0..2).all(|axis| found.origin[axis] <= min[axis] && end(2 * axis) >= max[axis]));
                assert!(found.spacing <= spacing.max(4.0) && !found.triangles.is_empty());
                assert!(found.triangles.as_flattened().iter().all(|&vertex| (vertex as usize) < found.positions.len()));
            }
        }
    }

    #[test]
    fn an_area_that_cannot_be_answered_for_is_an_error() {
        let ground = ground(4.0);
        for number in [f64::NAN, f64::INFINITY, -1e13] {
            assert_eq!(ground.extremes([number, 0.0], [1.0, 1.0]), Err(AreaError::Invalid));
            assert_eq!(ground.extremes([0.0, 0.0], [1.0, number]), Err(AreaError::Invalid));
            assert_eq!(ground.triangles_in([0.0, 0.0], [number, 1.0], 4.0), Err(AreaError::Invalid));
        }
        assert_eq!(ground.extremes([1.0, 0.0], [0.0, 1.0]), Err(AreaError::Invalid));
        for spacing in [0.0, -1.0, f64::NAN] {
            assert_eq!(ground.triangles_in([0.0, 0.0], [1.0, 1.0], spacing), Err(AreaError::Invalid));
        }
        let vertices = 25_001 * 25_001;
        assert_eq!(ground.extremes([0.0; 2], [1e5; 2]), Err(AreaError::TooLarge { vertices }));
        let error = ground.triangles_in([0.0; 2], [1e5; 2], 1.0).expect_err("it is too large");
        assert_eq!(error, AreaError::TooLarge { vertices });
        assert!(error.to_string().contains("at most 16777216 are allowed"), "{error}");
        assert!(ground.triangles_in([0.0; 2], [1e5; 2], 64.0).is_ok());
    }
}
