//! The program of the page's worker: one noise, and the image of it.

use crate::levels::levels;
use crate::request::Request;
use crate::{describe, json, ron};
use perlin_fbm::{
    AnyLattice, FixedCoord, Fractal, LatticeNode, Noise, NoiseScratch, NoiseSettings, SampleGrid, TICKS_PER_UNIT,
};

/// The side of the grid of samples that [`levels`] come from.
const LEVEL_SAMPLES: usize = 64;
/// The distance of these samples in cells of the first octave. No small multiple of it is a whole number.
const LEVEL_STEP: f64 = 0.381_966;
/// More lattice nodes could not be distinguished in an image.
const MAX_NODES: f64 = 4000.0;

type Solid = Fractal<AnyLattice<3>, 3>;

/// One noise, and the image of it.
#[derive(Default)]
pub struct Program {
    /// The request of the page: lines of `name=value`.
    pub request: Vec<u8>,
    /// The answer, in JSON.
    pub reply: String,
    /// The numbers of the last image or list.
    pub values: Vec<f32>,
    settings: NoiseSettings,
    seed: u64,
    noise: Option<Noise>,
    /// The same settings in space. Compiled for the first slice, because some lattices have large tables there.
    solid: Option<Solid>,
    slice_levels: Option<[f32; 2]>,
    scratch: NoiseScratch,
}

impl Program {
    /// Replies with the lists of all parameters and presets.
    pub fn describe(&mut self) {
        self.reply = describe::describe();
    }

    /// Compiles the noise of the request. The reply has
    ///
    /// - `problems`: what is wrong with the request, as a list of sentences;
    /// - `levels`: the values of the darkest and the lightest shade in the plane;
    /// - `ron`: a settings file.
    pub fn compile(&mut self) {
        let Request { settings, seed, problems } = Request::read(&String::from_utf8_lossy(&self.request));
        let noise = Noise::seeded(&settings, seed, 0);
        let levels = plane_levels(&noise, settings.first_frequency());
        self.reply = json::object([
            ("problems", json::list(problems.iter().map(|problem| json::string(problem)))),
            ("levels", json::list(levels.map(|level| json::number(level.into())))),
            ("ron", json::string(&ron::terrain_file(&settings, seed))),
        ]);
        (self.settings, self.seed, self.noise) = (settings, seed, Some(noise));
        (self.solid, self.slice_levels) = (None, None);
    }

    /// Writes the noise on a grid in the plane, row by row. `origin` is its first sample, in units, and `step_ticks` is the
    /// distance of its samples. Zeros before the first [`compile`](Self::compile).
    pub fn fill(&mut self, origin: [f64; 2], step_ticks: i32, size: [usize; 2]) {
        self.values.clear();
        self.values.resize(size[0] * size[1], 0.0);
        if let Some(noise) = &self.noise {
            let grid = SampleGrid { origin: origin.map(FixedCoord::from), step_ticks: step_ticks.into(), size };
            noise.fill(&grid, &mut self.scratch, &mut self.values);
        }
    }

    /// Writes the same noise in space, on a grid in the plane at height `origin[2]`.
    pub fn fill_slice(&mut self, origin: [f64; 3], step_ticks: i32, size: [usize; 2]) {
        self.values.clear();
        self.values.resize(size[0] * size[1], 0.0);
        let solid = self.solid.get_or_insert_with(|| Solid::seeded(&self.settings, self.seed, 0));
        let [x, y, z] = origin;
        let step = f64::from(step_ticks) / TICKS_PER_UNIT as f64;
        for (i, value) in self.values.iter_mut().enumerate() {
            let (column, row) = (i % size[0], i / size[0]);
            *value = solid.value([x + column as f64 * step, y + row as f64 * step, z]) as f32;
        }
    }

    /// Writes the values of the darkest and the lightest shade of [`fill_slice`](Self::fill_slice).
    pub fn find_slice_levels(&mut self) {
        let solid = self.solid.get_or_insert_with(|| Solid::seeded(&self.settings, self.seed, 0));
        let levels = self.slice_levels.get_or_insert_with(|| space_levels(solid, self.settings.first_frequency()));
        self.values = levels.to_vec();
    }

    /// Writes the lattice nodes of the first octave from `min` to `max`: x and y from `min`, and the two components of the
    /// gradient for each. None if there would be too many to distinguish.
    pub fn list_nodes(&mut self, min: [f64; 2], max: [f64; 2]) {
        self.values.clear();
        let cells: f64 = min.iter().zip(max).map(|(min, max)| (max - min) * self.settings.first_frequency()).product();
        if let Some(noise) = self.noise.as_ref().filter(|_| cells < MAX_NODES) {
            for LatticeNode { position: [x, y], gradient: [gx, gy], .. } in noise.nodes(0, min, max) {
                // Relative to the corner, where single precision is enough for an image.
                self.values.extend([x - min[0], y - min[1], gx, gy].map(|number| number as f32));
            }
        }
    }
}

fn plane_levels(noise: &Noise, frequency: f64) -> [f32; 2] {
    let step_ticks = (LEVEL_STEP / frequency * TICKS_PER_UNIT as f64) as i64;
    let grid = SampleGrid { origin: [FixedCoord::default(); 2], step_ticks, size: [LEVEL_SAMPLES; 2] };
    let mut samples = vec![0.0; LEVEL_SAMPLES * LEVEL_SAMPLES];
    noise.fill(&grid, &mut NoiseScratch::default(), &mut samples);
    levels(&mut samples)
}

/// From the same number of samples, in a cube.
fn space_levels(solid: &Solid, frequency: f64) -> [f32; 2] {
    let side = LEVEL_SAMPLES / 4;
    let at = |i: usize| (i % side) as f64 * LEVEL_STEP / frequency;
    let position = |i: usize| [at(i), at(i / side), at(i / (side * side))];
    let mut samples: Vec<f32> = (0..side.pow(3)).map(|i| solid.value(position(i)) as f32).collect();
    levels(&mut samples)
}

#[cfg(test)]
mod tests {
    use super::*;
    use perlin_fbm::FractalShape;

    fn program(request: &str) -> Program {
        let mut program = Program { request: request.into(), ..Program::default() };
        program.compile();
        program
    }

    #[test]
    fn an_image_is_the_noise_of_the_request() {
        let mut program = program("seed=7\nshape=Ridged\noctaves=5\nfrequency=0.01");
        let settings =
            NoiseSettings { shape: FractalShape::Ridged, octaves: 5, frequency: 0.01, ..NoiseSettings::default() };
        let noise = Noise::seeded(&settings, 7, 0);
        program.fill([-3.0, 4.5], 512, [5, 3]);
        assert_eq!(program.values[2 * 5 + 4], noise.value([-1.0, 5.5]));
    }

    #[test]
    fn perlins_noise_in_space_is_that_of_the_plane_at_height_zero() {
        let mut program = program("lattice=Edge\noffset_octaves=false\nfrequency=0.1\noctaves=3");
        program.fill([1.0, 2.0], 700, [9, 8]);
        let plane = program.values.clone();
        program.fill_slice([1.0, 2.0, 0.0], 700, [9, 8]);
        // In single and in double precision: 1e-6 of a height scale of 100.
        assert!(plane.iter().zip(&program.values).all(|(a, b)| (a - b).abs() < 1e-4));
        program.fill_slice([1.0, 2.0, 3.3], 700, [9, 8]);
        assert!(plane.iter().zip(&program.values).all(|(a, b)| a != b));
    }

    #[test]
    fn nodes_are_where_the_noise_is_zero() {
        let mut program = program("seed=3\noctaves=1\nfrequency=0.1");
        program.list_nodes([-101.0, 7.0], [-72.0, 20.0]);
        let nodes = program.values.clone();
        // 29 by 13 units have 2 or 3 columns and 1 or 2 rows, wherever the offset of the octave puts them.
        assert!(matches!(nodes.len() / 4, 2..=6), "{nodes:?}");
        for node in nodes.chunks(4) {
            program.fill([f64::from(node[0]) - 101.0, f64::from(node[1]) + 7.0], 1, [1, 1]);
            let value = program.values[0];
            // A node is known to 1e-6 units, and a unit rises by at most 10 for a height scale of 100.
            assert!(value.abs() < 1e-4, "{node:?}: {value}");
        }
        program.list_nodes([0.0; 2], [1e6; 2]);
        assert!(program.values.is_empty());
    }

    #[test]
    fn the_reply_names_problems_levels_and_the_file() {
        let reply = program("persistence=3\nlattice=Table\nheight_scale=0").reply;
        assert!(reply.contains("`persistence` is 3, allowed: 0 to 1"), "{reply}");
        assert!(reply.contains(r#""levels":[-1,1],"#), "{reply}");
        assert!(reply.contains(r"lattice: Table,\u000a"), "{reply}");
    }
}
