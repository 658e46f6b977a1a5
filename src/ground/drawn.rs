//! The ground as it is drawn now: at the level of its chunk, morphing toward the next one.

use super::Ground;
use super::tile::HeightTile;
use crate::chunk::{ChunkCoord, Morph, StitchMask, SurfacePoint, quad_indices};

/// A drawn chunk.
#[derive(Clone, Debug)]
pub(super) struct DrawnChunk {
    pub coord: ChunkCoord,
    /// The sides with a coarser neighbor.
    pub edges: StitchMask,
    /// Relative to the north-west corner of the chunk.
    pub morph: Morph,
}

impl Ground {
    /// Height and normal of the triangle of `chunk` at `(x, z)`. `None` if the place is not in the chunk.
    pub(super) fn drawn_point(&self, chunk: &DrawnChunk, [x, z]: [f64; 2]) -> Option<SurfacePoint> {
        let tile = self.tile(chunk.coord);
        let ([west, north], spacing) = (self.layout().origin(chunk.coord), self.layout().spacing(chunk.coord.level));
        let place = [(x - west) / spacing, (z - north) / spacing];
        let side = self.layout().vertices();
        // Toward a coarser neighbor, triangles cover more than their quad: look at all around.
        let around = |along: f64| {
            let quad = along.floor().clamp(0.0, f64::from(side - 2)) as u32;
            quad.saturating_sub(1)..=(quad + 1).min(side - 2)
        };
        let quads = around(place[1]).flat_map(|row| around(place[0]).map(move |column| (column, row)));
        let triangles = quads.flat_map(|(column, row)| quad_indices(side, chunk.edges, column, row));
        let mut candidates = triangles.filter_map(|triangle| {
            let corners = triangle.map(|vertex| {
                let [column, row] = [u32::from(vertex) % side, u32::from(vertex) / side];
                [f64::from(column), f64::from(row)]
            });
            let weights = weights(corners, place)?;
            let smallest = weights.into_iter().fold(f64::INFINITY, f64::min);
            // Rounding must not make a gap between two triangles.
            (smallest > -1e-9).then_some((triangle, corners, weights))
        });
        let (triangle, corners, weights) = candidates.next()?;
        let heights = triangle.map(|vertex| chunk.height(&tile, vertex.into(), spacing));
        let [a, b, c] =
            [0, 1, 2].map(|vertex| [corners[vertex][0] * spacing, heights[vertex], corners[vertex][1] * spacing]);
        let [u, v]: [[f64; 3]; 2] = [b, c].map(|to| std::array::from_fn(|axis| to[axis] - a[axis]));
        let up = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
        let length = up.iter().map(|part| part * part).sum::<f64>().sqrt();
        Some(SurfacePoint {
            height: weights.into_iter().zip(heights).map(|(weight, height)| weight * height).sum(),
            normal: up.map(|part| (part / length) as f32),
        })
    }
}

impl DrawnChunk {
    /// The height of a vertex that morphs.
    fn height(&self, tile: &HeightTile, vertex: usize, spacing: f64) -> f64 {
        let side = tile.grid().size[0];
        let [column, row] = [vertex % side, vertex / side];
        let mean = |a: f32, b: f32| (a + b) * 0.5;
        // The vertices of the next coarser level that a vertex lies between; see `ChunkGeometry`.
        let coarse = match [column % 2, row % 2] {
            [0, 0] => tile.height(column, row),
            [_, 0] => mean(tile.height(column - 1, row), tile.height(column + 1, row)),
            [0, _] => mean(tile.height(column, row - 1), tile.height(column, row + 1)),
            _ => mean(tile.height(column + 1, row - 1), tile.height(column - 1, row + 1)),
        };
        let place = [column, row].map(|along| (along as f64 * spacing) as f32);
        let factor = self.morph.factor(self.coord.level, place);
        Morph::between(tile.height(column, row), coarse, factor).into()
    }
}

/// The weights of the corners of a triangle at a place. `None` if it is a line.
fn weights([a, b, c]: [[f64; 2]; 3], place: [f64; 2]) -> Option<[f64; 3]> {
    let double_area =
        |a: [f64; 2], b: [f64; 2], c: [f64; 2]| (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
    let whole = double_area(a, b, c);
    (whole != 0.0).then(|| {
        [double_area(place, b, c), double_area(a, place, c), double_area(a, b, place)].map(|part| part / whole)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chunk::{ChunkBuilder, LevelErrors, LodRanges, Viewer, ViewerPoint, triangle_indices};
    use crate::ground::fixtures::ground;
    use crate::property::for_all;
    use proptest::prelude::*;
    use proptest::sample::select;

    /// A viewer whose morph bands begin in the first chunks.
    fn viewer(ground: &Ground) -> Viewer {
        let point = ViewerPoint {
            position: [3.0, 10.0, 5.0],
            forward: [1.0, 0.0],
            view_distance: 1e4,
            projection_scale: 1000.0,
        };
        let errors = LevelErrors::known(&[0.05, 0.1, 0.2, 0.4, 0.8]);
        let ranges = LodRanges::wanted(ground.layout(), Some(&errors), &point, 1.0, LodRanges::MAX_CHUNKS);
        Viewer::new(ground.layout(), point, ranges, ground.field().bounds())
    }

    #[test]
    fn a_drawn_point_lies_on_the_triangles_that_the_chunk_draws() {
        let ground = ground(4.0);
        let viewer = viewer(&ground);
        let masks: Vec<_> = StitchMask::all().collect();
        let chunks = (0..3_u8, -3..4_i64, -3..4_i64).prop_map(|(level, x, z)| ChunkCoord { level, x, z });
        for_all(300, (chunks, select(masks), any::<bool>(), 0..1000_usize, [0.01..1.0, 0.01..1.0]), |input| {
            let (coord, edges, morphs, triangle, [a, b]): (_, _, _, _, [f64; 2]) = input;
            let [west, north] = ground.layout().origin(coord);
            let morph = if morphs { Morph::new(&[viewer], [west, north]) } else { Morph::STILL };
            let geometry = ChunkBuilder::default().build(ground.field(), ground.layout(), coord);
            let indices = triangle_indices(geometry.side, edges);
            let triangle = indices.as_chunks::<3>().0[triangle % (indices.len() / 3)].map(usize::from);
            let corners = triangle.map(|vertex| {
                let [x, own, z] = geometry.positions[vertex];
                [x, Morph::between(own, geometry.coarse_heights[vertex], morph.factor(coord.level, [x, z])), z]
                    .map(f64::from)
            });
            let sum = a + b + 0.5;
            let weights = [a / sum, b / sum, 0.5 / sum];
            let [x, height, z] =
                [0, 1, 2].map(|axis| (0..3).map(|corner| weights[corner] * corners[corner][axis]).sum::<f64>());
            if super::weights(corners.map(|[x, _, z]| [x, z]), [x, z]).is_none() {
                return;
            }
            let chunk = DrawnChunk { coord, edges, morph };
            let found = ground.drawn_point(&chunk, [west + x, north + z]).expect("it is in the chunk");
            assert!((found.height - height).abs() < 1e-4, "{} for {height} at {x}, {z} of {chunk:?}", found.height);
            assert!(found.normal[1] > 0.0);
        });
    }

    #[test]
    fn there_is_no_drawn_point_outside_of_the_chunk() {
        let ground = ground(4.0);
        let chunk = DrawnChunk { coord: ChunkCoord::finest(0, 0), edges: StitchMask::NONE, morph: Morph::STILL };
        for place in [[-1.0, 3.0], [3.0, 64.5], [1e9, 0.0]] {
            assert_eq!(ground.drawn_point(&chunk, place), None);
        }
        assert!(ground.drawn_point(&chunk, [0.0, 64.0]).is_some(), "borders belong to the chunk");
    }
}
