//! `bracket-noise`: the first `FastNoise` in Rust. Permutation table, twelve gradients, `f32`.
//!
//! Idiom: one configured object, `get_noise` at every point. It has no call for a grid.

use super::titled;
use crate::contender::{Contender, point_by_point};
use crate::work::{FREQUENCY, LACUNARITY, PERSISTENCE, SEED};
use bracket_noise::prelude::{FastNoise, FractalType, Interp, NoiseType};

pub fn contender(octaves: u32) -> Box<dyn Contender> {
    let mut noise = FastNoise::seeded(u64::from(SEED));
    noise.set_interp(Interp::Quintic);
    noise.set_frequency(FREQUENCY as f32);
    noise.set_noise_type(NoiseType::Perlin);
    if octaves > 1 {
        noise.set_noise_type(NoiseType::PerlinFractal);
        noise.set_fractal_type(FractalType::FBM);
        noise.set_fractal_octaves(octaves as i32);
        noise.set_fractal_lacunarity(LACUNARITY as f32);
        noise.set_fractal_gain(PERSISTENCE as f32);
    }
    point_by_point(titled("bracket-noise"), move |x, y| noise.get_noise(x as f32, y as f32))
}
