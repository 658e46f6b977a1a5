//! The ground as it is drawn now: at the level of its chunk, morphing toward the next one.

#[cfg(feature = "picking")]
mod ray;

use super::HeightTile;
use crate::chunk::{ChunkCoord, ChunkLayout, LodQuadtree, Morph, StitchMask, SurfacePoint, Viewer, quad_indices};
use crate::stream::TerrainState;

/// The drawn chunks of a terrain.
#[derive(Clone, Debug)]
pub(super) struct DrawnTerrain<'a> {
    pub layout: &'a ChunkLayout,
    /// The drawn chunks are its visible leaves.
    pub tree: &'a LodQuadtree,
    /// The viewers that vertices morph around. Empty if they don't morph.
    pub viewers: Vec<Viewer>,
}

/// A drawn chunk.
#[derive(Clone, Debug)]
pub(super) struct DrawnChunk {
    pub coord: ChunkCoord,
    /// The sides with a coarser neighbor.
    pub edges: StitchMask,
    /// Relative to the north-west corner of the chunk.
    pub morph: Morph,
}

/// A drawn triangle: no line.
#[derive(Clone, Copy, Debug)]
struct DrawnTriangle {
    /// The positions of its corners, in quads from the corner of the chunk.
    corners: [[f64; 2]; 3],
    /// Their heights, in metres.
    heights: [f64; 3],
}

impl<'a> DrawnTerrain<'a> {
    /// `None` before the terrain has loaded its settings.
    pub fn of(state: &'a TerrainState) -> Option<Self> {
        let (layout, tree) = (state.layout()?, state.quadtree()?);
        let morphs = state.settings().is_some_and(|settings| settings.lod.morph);
        Some(Self { layout, tree, viewers: if morphs { state.viewers().collect() } else { vec![] } })
    }

    /// The visible leaf `coord`.
    pub fn chunk(&self, coord: ChunkCoord) -> DrawnChunk {
        let morph = Morph::new(&self.viewers, self.layout.origin(coord));
        DrawnChunk { coord, edges: self.tree.stitch_mask(coord), morph }
    }
}

impl DrawnChunk {
    /// Height and normal of the triangle at `(x, z)`. `None` if the position is not in the chunk. `tile` has the heights of the chunk.
    pub fn point(&self, layout: &ChunkLayout, tile: &HeightTile, [x, z]: [f64; 2]) -> Option<SurfacePoint> {
        let ([west, north], spacing) = (layout.origin(self.coord), layout.spacing(self.coord.level));
        let position = [(x - west) / spacing, (z - north) / spacing];
        let quad = position.map(|along| along.floor().clamp(0.0, f64::from(layout.quads() - 1)) as usize);
        self.triangles(tile, quad).find_map(|triangle| {
            let weights = triangle.weights(position);
            let is_in = weights.into_iter().fold(f64::INFINITY, f64::min) > -DrawnTriangle::MARGIN;
            is_in.then(|| SurfacePoint { height: triangle.height(weights), normal: triangle.normal(spacing) })
        })
    }

    /// The triangles of the square of two by two quads around `quad`. They fill it exactly, also toward a coarser neighbor, where a
    /// triangle covers more than its quad.
    fn triangles(&self, tile: &HeightTile, quad: [usize; 2]) -> impl Iterator<Item = DrawnTriangle> {
        let side = tile.grid().size[0];
        let [west, north] = quad.map(|along| along & !1);
        let quads = [0, 1].into_iter().flat_map(move |row| [0, 1].map(|column| [west + column, north + row]));
        let triangles =
            quads.flat_map(move |[column, row]| quad_indices(side as u32, self.edges, column as u32, row as u32));
        triangles.filter_map(move |vertices| {
            let vertices = vertices.map(|vertex| [usize::from(vertex) % side, usize::from(vertex) / side]);
            let corners = vertices.map(|vertex| vertex.map(|along| along as f64));
            let is_line = double_area(corners) == 0.0;
            (!is_line).then(|| DrawnTriangle { corners, heights: vertices.map(|vertex| self.height(tile, vertex)) })
        })
    }

    /// The height of a vertex that morphs.
    fn height(&self, tile: &HeightTile, [column, row]: [usize; 2]) -> f64 {
        let mean = |a: f32, b: f32| (a + b) * 0.5;
        // The vertices of the next coarser level that a vertex lies between; see `ChunkGeometry`.
        let coarse = match [column % 2, row % 2] {
            [0, 0] => return tile.height(column, row).into(),
            [_, 0] => mean(tile.height(column - 1, row), tile.height(column + 1, row)),
            [0, _] => mean(tile.height(column, row - 1), tile.height(column, row + 1)),
            _ => mean(tile.height(column + 1, row - 1), tile.height(column - 1, row + 1)),
        };
        let position = [column, row].map(|along| (along as f64 * tile.spacing()) as f32);
        let factor = self.morph.factor(self.coord.level, position);
        Morph::between(tile.height(column, row), coarse, factor).into()
    }
}

impl DrawnTriangle {
    /// How far outside of a triangle a position may be, in quads. Rounding must not make a gap between two triangles.
    const MARGIN: f64 = 1e-9;

    /// The weights of the corners at a position. All are positive inside.
    fn weights(&self, position: [f64; 2]) -> [f64; 3] {
        let ([a, b, c], whole) = (self.corners, double_area(self.corners));
        [[position, b, c], [a, position, c], [a, b, position]].map(|part| double_area(part) / whole)
    }

    /// The height where the corners have these weights, in metres.
    fn height(&self, weights: [f64; 3]) -> f64 {
        weights.into_iter().zip(self.heights).map(|(weight, height)| weight * height).sum()
    }

    /// The unit normal, if a quad is `spacing` metres wide.
    fn normal(&self, spacing: f64) -> [f32; 3] {
        let [a, b, c] = [0, 1, 2]
            .map(|corner| [self.corners[corner][0] * spacing, self.heights[corner], self.corners[corner][1] * spacing]);
        let [u, v]: [[f64; 3]; 2] = [b, c].map(|to| std::array::from_fn(|axis| to[axis] - a[axis]));
        let up = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
        let length = up.iter().map(|part| part * part).sum::<f64>().sqrt();
        up.map(|part| (part / length) as f32)
    }
}

/// Twice the area of a triangle, with a sign for its direction. 0 for a line.
fn double_area([a, b, c]: [[f64; 2]; 3]) -> f64 {
    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chunk::{ChunkBuilder, LevelErrors, LodRanges, ViewerPoint, triangle_indices};
    use crate::ground::Ground;
    use proptest::prelude::*;
    use proptest::sample::select;
    use testing::for_all;
    use testing::rough_ground;

    /// A viewer whose morph bands begin in the first chunks.
    fn viewer(ground: &Ground) -> Viewer {
        let point = ViewerPoint {
            position: [3.0, 10.0, 5.0],
            forward: [1.0, 0.0],
            view_distance: 1e4,
            projection_scale: 1000.0,
            is_orthographic: false,
        };
        let errors = LevelErrors::known(&[0.05, 0.1, 0.2, 0.4, 0.8]);
        let ranges = LodRanges::wanted(ground.layout(), Some(&errors), &point, 0.0, 1.0, LodRanges::MAX_CHUNKS);
        Viewer::new(ground.layout(), point, ranges, ground.field().bounds())
    }

    #[test]
    fn a_drawn_point_lies_on_the_triangles_that_the_chunk_draws() {
        let ground = rough_ground(4.0);
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
            if double_area(corners.map(|[x, _, z]| [x, z])) == 0.0 {
                return;
            }
            let chunk = DrawnChunk { coord, edges, morph };
            let found = chunk.point(ground.layout(), &ground.tile(coord), [west + x, north + z]);
            let found = found.expect("it is in the chunk");
            assert!((found.height - height).abs() < 1e-4, "{} for {height} at {x}, {z} of {chunk:?}", found.height);
            assert!(found.normal[1] > 0.0);
        });
    }

    #[test]
    fn there_is_no_drawn_point_outside_of_the_chunk() {
        let ground = rough_ground(4.0);
        let chunk = DrawnChunk { coord: ChunkCoord::finest(0, 0), edges: StitchMask::NONE, morph: Morph::STILL };
        let point = |position| chunk.point(ground.layout(), &ground.tile(chunk.coord), position);
        for position in [[-1.0, 3.0], [3.0, 64.5], [1e9, 0.0]] {
            assert_eq!(point(position), None);
        }
        assert!(point([0.0, 64.0]).is_some(), "borders belong to the chunk");
    }
}
