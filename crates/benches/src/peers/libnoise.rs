//! `libnoise`: permutation table, `f64` throughout.
//!
//! Idiom: `improved_perlin` (plain `perlin` has the cubic fade), `sample` at every point. Its `NoiseBuffer` allocates the
//! index of every sample and is slower.

use super::titled;
use crate::contender::{Contender, point_by_point};
use crate::work::{FREQUENCY, LACUNARITY, PERSISTENCE, SEED};
use libnoise::{Generator, Source};

pub fn contender(octaves: u32) -> Box<dyn Contender> {
    let perlin = Source::<2>::improved_perlin(u64::from(SEED));
    if octaves == 1 {
        return sampled(perlin.scale([FREQUENCY; 2]));
    }
    sampled(perlin.fbm(octaves, FREQUENCY, LACUNARITY, PERSISTENCE))
}

fn sampled(noise: impl Generator<2> + 'static) -> Box<dyn Contender> {
    point_by_point(titled("libnoise"), move |x, y| noise.sample([x, y]) as f32)
}
