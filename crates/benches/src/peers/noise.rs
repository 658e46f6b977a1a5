//! `noise`: permutation table, four diagonal gradients, `f64` throughout.
//!
//! Idiom: `NoiseFn::get` at every point. Its `PlaneMapBuilder` asks the same function and stores `f64`.

use super::titled;
use crate::contender::{Contender, point_by_point};
use crate::work::{FREQUENCY, LACUNARITY, PERSISTENCE, SEED};
use noise::{Fbm, MultiFractal, NoiseFn, Perlin};

pub fn contender(octaves: u32) -> Box<dyn Contender> {
    if octaves == 1 {
        let perlin = Perlin::new(SEED);
        return point_by_point(titled("noise"), move |x, y| perlin.get([x * FREQUENCY, y * FREQUENCY]) as f32);
    }
    let fbm = Fbm::<Perlin>::new(SEED)
        .set_octaves(octaves as usize)
        .set_frequency(FREQUENCY)
        .set_lacunarity(LACUNARITY)
        .set_persistence(PERSISTENCE);
    point_by_point(titled("noise"), move |x, y| fbm.get([x, y]) as f32)
}
