//! `noise-functions`: `fastnoise-lite`'s noise as zero-sized types that the compiler can see through, `f32`.
//!
//! Idiom: combinators, `sample2` at every point. Writing them out with constants at the place of sampling, as its README
//! does, was a tenth slower for eight octaves. Its SIMD sampling needs a nightly compiler and is left out.

use super::titled;
use crate::contender::{Contender, point_by_point};
use crate::work::{FREQUENCY, LACUNARITY, PERSISTENCE, SEED};
use noise_functions::{Noise, Perlin, Sample};

pub fn contender(octaves: u32) -> Box<dyn Contender> {
    if octaves == 1 {
        return sampled(Perlin.seed(SEED as i32).frequency(FREQUENCY as f32));
    }
    let fbm = Perlin.fbm(octaves, PERSISTENCE as f32, LACUNARITY as f32);
    sampled(fbm.seed(SEED as i32).frequency(FREQUENCY as f32))
}

fn sampled(noise: impl Sample<2> + 'static) -> Box<dyn Contender> {
    point_by_point(titled("noise-functions"), move |x, y| noise.sample2([x as f32, y as f32]))
}
