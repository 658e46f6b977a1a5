//! `noiz`: hashed lattice, `QuickGradients`, `f32`, generic over everything.
//!
//! Idiom: its ready-made `common_noise` types, `sample_for` at every point. They blend with the cubic smoothstep, which is
//! cheaper than the quintic fade of the others; the crate has no quintic curve.

use super::titled;
use crate::contender::{Contender, point_by_point};
use crate::work::{FREQUENCY, LACUNARITY, PERSISTENCE, SEED};
use bevy_math::Vec2;
use noiz::Noise;
use noiz::prelude::common_noise::{Fbm, Perlin};
use noiz::prelude::*;

pub fn contender(octaves: u32) -> Box<dyn Contender> {
    if octaves == 1 {
        return sampled(Noise::<Perlin>::default());
    }
    sampled(Noise::<Fbm<Perlin>>::from(LayeredNoise::new(
        Normed::default(),
        Persistence(PERSISTENCE as f32),
        FractalLayers { layer: Octave::<Perlin>::default(), lacunarity: LACUNARITY as f32, amount: octaves },
    )))
}

fn sampled(mut noise: impl SampleableFor<Vec2, f32> + ScalableNoise + SeedableNoise + 'static) -> Box<dyn Contender> {
    noise.set_seed(SEED);
    noise.set_frequency(FREQUENCY as f32);
    point_by_point(titled("noiz"), move |x, y| noise.sample(Vec2::new(x as f32, y as f32)))
}
