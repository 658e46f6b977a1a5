//! The ground below plants: the foot, the normal, and what decides about layers.

use super::placed_layer::PlacedPlants;
use crate::chunk::{ChunkLayout, Quad, quad_height};
use crate::field::{HeightField, NodeGrid, normal_from_neighbors};
use crate::look::SurfaceSample;
use crate::look::far_map::{CURVATURE_RADIUS, DIRECTIONS, curvature};
use crate::look::pattern::noises;
use crate::look::surface_layers::PlacedLayer;
use crate::noise::NoiseScratch;

/// The ground at a position.
pub(super) struct Site {
    /// x, y and z in metres, on the level-0 triangle.
    pub position: [f64; 3],
    pub sample: SurfaceSample,
}

/// What is asked about the ground besides its height and its normal.
#[derive(Clone, Copy, Default)]
pub(super) struct Needs {
    pub noise: bool,
    pub curvature: bool,
    pub drainage: bool,
}

/// The number of the curvature among the ranges of a layer.
pub(super) const CURVATURE: usize = 3;

impl Needs {
    #[cfg(test)]
    pub const ALL: Self = Self { noise: true, curvature: true, drainage: true };

    /// What decides where a layer of plants grows, on layers of the ground.
    pub fn of(layer: &PlacedPlants, surface: &[PlacedLayer]) -> Self {
        let all = || surface.iter().chain([&layer.ranges]);
        let [curvature, drainage, patches] =
            [CURVATURE, 4, 5].map(|range| all().any(|layer| !layer.bands[range].is_everything()));
        Self { noise: patches || all().any(|layer| layer.ragged != [0.0; 4]), curvature, drainage }
    }
}

/// Vertices that decide about the normal in a quad: its corners, and their neighbors.
const VERTICES: usize = 12;

/// What the heights of a quad and around it tell about a position.
#[derive(PartialEq)]
pub(super) struct Foot {
    /// From 0 to 1 along x and along z of the quad.
    in_quad: [f64; 2],
    /// In the order of [`Quad::corners_and_neighbors`].
    heights: [f32; VERTICES],
    /// At the corners.
    drainage: [f32; 4],
}

/// The height, the normal and the drainage of many positions.
#[derive(Default, PartialEq)]
pub(super) struct Feet(Vec<Foot>);

impl Feet {
    /// Asks the ground at `positions`, as x and z in metres.
    pub fn new(field: &HeightField, layout: &ChunkLayout, positions: &[[f64; 2]], needs: Needs) -> Self {
        let mut feet = Self(Vec::with_capacity(positions.len()));
        let Some(grid) = grid_around(layout, positions) else {
            feet.ask_each(field, layout, positions, needs);
            return feet;
        };
        // A vertex of a grid costs a tenth of one alone. Both have the same bits.
        if grid.size[0] * grid.size[1] < 4 * VERTICES * positions.len() {
            feet.ask_grid(field, layout, positions, &grid);
        } else {
            feet.ask_each(field, layout, positions, needs);
        }
        feet
    }

    pub(super) fn ask_grid(
        &mut self,
        field: &HeightField,
        layout: &ChunkLayout,
        positions: &[[f64; 2]],
        grid: &NodeGrid,
    ) {
        let (mut scratch, mut heights, mut drainage) = (NoiseScratch::default(), Vec::new(), Vec::new());
        field.fill_with_drainage(grid, &mut scratch, &mut heights, &mut drainage);
        self.0.extend(positions.iter().map(|&position| {
            let quad = Quad::around(layout, position);
            let vertices = quad.indices_of_corners_and_neighbors().map(|vertex| {
                let [column, row] = [0, 1].map(|axis| (vertex[axis] - grid.origin[axis]) as usize);
                row * grid.size[0] + column
            });
            let [a, b, c, d, ..] = vertices;
            Foot {
                in_quad: quad.position,
                heights: vertices.map(|vertex| heights[vertex]),
                drainage: [a, b, c, d].map(|vertex| drainage[vertex]),
            }
        }));
    }

    pub(super) fn ask_each(&mut self, field: &HeightField, layout: &ChunkLayout, positions: &[[f64; 2]], needs: Needs) {
        /// Positions at a time.
        const BLOCK: usize = 32;
        let (mut vertices, mut heights) = ([[[0.0; 2]; VERTICES]; BLOCK], [[0.0; VERTICES]; BLOCK]);
        for positions in positions.chunks(BLOCK) {
            let count = positions.len();
            let quads = || positions.iter().map(|&position| Quad::around(layout, position));
            vertices.iter_mut().zip(quads()).for_each(|(vertices, quad)| *vertices = quad.corners_and_neighbors());
            field.heights_at(vertices[..count].as_flattened(), heights[..count].as_flattened_mut());
            self.0.extend(quads().zip(&heights).map(|(quad, heights)| Foot {
                in_quad: quad.position,
                heights: *heights,
                drainage: quad.corners().map(|[x, z]| if needs.drainage { field.drainage(x, z) } else { 0.0 }),
            }));
        }
    }

    /// What is known of the position number `index`, which is at `position`.
    pub fn site(&self, index: usize, [x, z]: [f64; 2], spacing: f64) -> Site {
        let Foot { in_quad: [u, v], heights, drainage } = &self.0[index];
        let corners = std::array::from_fn(|corner| heights[corner].into());
        let height = quad_height(corners, *u, *v);
        let sample = SurfaceSample {
            height: height as f32,
            normal: normal_in_quad(heights, [*u as f32, *v as f32], spacing as f32),
            drainage: quad_height(drainage.map(f64::from), *u, *v) as f32,
            ..SurfaceSample::default()
        };
        Site { position: [x, height, z], sample }
    }
}

impl Site {
    /// Asks for the noise.
    pub fn ask_noise(&mut self) {
        self.sample.noise = noises(self.position);
    }
}

/// Asks for the curvature at many sites.
pub(super) fn ask_curvature(field: &HeightField, sites: &mut [Site]) {
    /// Sites at a time: with all directions, positions that the field takes at once.
    const BLOCK: usize = 16;
    let (mut around, mut heights) = ([[[0.0; 2]; DIRECTIONS.len()]; BLOCK], [[0.0; DIRECTIONS.len()]; BLOCK]);
    for sites in sites.chunks_mut(BLOCK) {
        for (around, site) in around.iter_mut().zip(&*sites) {
            let [x, _, z] = site.position;
            *around = DIRECTIONS.map(|direction| {
                let [east, south] = direction.map(|part| f64::from(part * CURVATURE_RADIUS));
                [x + east, z + south]
            });
        }
        let count = sites.len();
        field.heights_at(around[..count].as_flattened(), heights[..count].as_flattened_mut());
        for (site, heights) in sites.iter_mut().zip(&heights) {
            site.sample.curvature = curvature(site.sample.height, heights);
        }
    }
}

/// The vertices of all quads around `positions`, and their neighbors. `None` if there are no positions, or far too many vertices.
pub(super) fn grid_around(layout: &ChunkLayout, positions: &[[f64; 2]]) -> Option<NodeGrid> {
    let quads = || positions.iter().map(|&position| Quad::around(layout, position));
    let (mut first, mut last) = (quads().next()?.index(), quads().next()?.index());
    for index in quads().map(|quad| quad.index()) {
        first = [0, 1].map(|axis| first[axis].min(index[axis]));
        last = [0, 1].map(|axis| last[axis].max(index[axis]));
    }
    let size = [0, 1].map(|axis| (last[axis] - first[axis] + 4) as usize);
    let is_small = size.iter().all(|&side| side < 1 << 16);
    let square = layout.square(first.map(|index| index - 1), 1);
    is_small.then_some(NodeGrid { size, ..square })
}

/// The normal between those of the corners of a quad, at a position in it from 0 to 1. `heights` are in the order of
/// [`Quad::corners_and_neighbors`].
fn normal_in_quad(heights: &[f32; VERTICES], [u, v]: [f32; 2], spacing: f32) -> [f32; 3] {
    let &[nw, ne, sw, se, north_w, north_e, south_w, south_e, west_n, west_s, east_n, east_s] = heights;
    let [north_west, north_east, south_west, south_east] =
        [[west_n, ne, north_w, sw], [nw, east_n, north_e, se], [west_s, se, nw, south_w], [sw, east_s, ne, south_e]]
            .map(|neighbors| normal_from_neighbors(neighbors, spacing));
    let mix = |at: [f32; 3], along: [[f32; 3]; 2], parts: [f32; 2]| {
        [0, 1, 2].map(|axis| at[axis] + (along[0][axis] - at[axis]) * parts[0] + (along[1][axis] - at[axis]) * parts[1])
    };
    let [x, y, z] = if u + v <= 1.0 {
        mix(north_west, [north_east, south_west], [u, v])
    } else {
        mix(south_east, [south_west, north_east], [1.0 - u, 1.0 - v])
    };
    let scale = 1.0 / (x * x + y * y + z * z).sqrt();
    [x * scale, y * scale, z * scale]
}
