//! `fastnoise-lite`: hashed lattice, 128 gradients of 24 directions, `f32` (its default).
//!
//! Idiom: one configured object, `get_noise_2d` at every point. It has no call for a grid.

use super::titled;
use crate::contender::{Contender, point_by_point};
use crate::work::{FREQUENCY, LACUNARITY, PERSISTENCE, SEED};
use fastnoise_lite::{FastNoiseLite, FractalType, NoiseType};

pub fn contender(octaves: u32) -> Box<dyn Contender> {
    let mut noise = FastNoiseLite::with_seed(SEED as i32);
    noise.set_noise_type(Some(NoiseType::Perlin));
    noise.set_frequency(Some(FREQUENCY as f32));
    if octaves > 1 {
        noise.set_fractal_type(Some(FractalType::FBm));
        noise.set_fractal_octaves(Some(octaves as i32));
        noise.set_fractal_lacunarity(Some(LACUNARITY as f32));
        noise.set_fractal_gain(Some(PERSISTENCE as f32));
    }
    point_by_point(titled("fastnoise-lite"), move |x, y| noise.get_noise_2d(x as f32, y as f32))
}
