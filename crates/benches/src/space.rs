//! The same work in space and in four dimensions: a block of samples, one unit apart.

use crate::ours::{level_name, levels, settings};
use crate::peers::titled;
use crate::work::{FREQUENCY, LACUNARITY, ORIGIN, PERSISTENCE, SEED};
use fastnoise_lite::{FastNoiseLite, FractalType, NoiseType};
use libnoise::{Generator, Source};
use noise::{Fbm, MultiFractal as _, NoiseFn, Perlin};
use noise_functions::{Noise as _, Sample};
use perlin_terrain::noise::{AnyLattice, FixedCoord, Fractal, Lattice, Noise, NoiseScratch, SampleGrid, SimdLevel};
use std::hint::black_box;

/// Samples in a block.
pub const SAMPLES: usize = 1 << 15;

/// Somebody who can fill a block.
pub struct BlockContender {
    /// Who it is, and how.
    pub name: String,
    /// Fills it.
    pub fill: Box<dyn FnMut(&mut [f32])>,
}

/// Samples along each axis of a block in `N` dimensions.
fn size<const N: usize>() -> [usize; N] {
    let all = if N == 3 { [32, 32, 32, 1] } else { [32, 32, 8, 4] };
    std::array::from_fn(|axis| all[axis])
}

/// Coordinates of the first sample.
fn origin<const N: usize>() -> [f64; N] {
    let all = [ORIGIN[0], ORIGIN[1], -70.125, 9.5];
    std::array::from_fn(|axis| all[axis])
}

/// The index along each axis of sample `i` of a block.
fn index<const N: usize>(i: usize) -> [usize; N] {
    let mut rest = i;
    size().map(|length: usize| {
        let index = rest % length;
        rest /= length;
        index
    })
}

/// Fills a block point by point.
fn by_points<const N: usize>(name: String, noise: impl Fn([f64; N]) -> f32 + 'static) -> BlockContender {
    let origin = origin::<N>();
    let fill = move |values: &mut [f32]| {
        for (i, value) in values.iter_mut().enumerate() {
            let index = index::<N>(i);
            *value = noise(std::array::from_fn(|axis| origin[axis] + index[axis] as f64));
        }
    };
    BlockContender { name, fill: Box::new(fill) }
}

/// Every way of ours in `N` dimensions.
fn ours<const N: usize>(octaves: u32) -> Vec<BlockContender>
where
    AnyLattice<N>: Lattice<N>,
{
    let settings = settings(octaves);
    let (seed, grid) = (u64::from(SEED), SampleGrid::new(origin::<N>(), 1.0, size()));
    let noise = Noise::<N>::seeded(&settings, seed, 0);
    let mut contenders: Vec<BlockContender> = levels()
        .map(|level| {
            let (noise, mut scratch) = (noise.clone(), NoiseScratch::default());
            BlockContender {
                name: format!("**this crate**, {}", level_name(level)),
                fill: Box::new(move |values| noise.fill_with(level, &grid, &mut scratch, values)),
            }
        })
        .collect();
    let all: Vec<[FixedCoord; N]> = (0..SAMPLES).map(|i| grid.coord(index(i))).collect();
    for level in [SimdLevel::fastest(), SimdLevel::Avx2].into_iter().filter(|level| level.is_available()) {
        let (noise, all) = (noise.clone(), all.clone());
        contenders.push(BlockContender {
            name: format!("**this crate**, any positions at once, {}", level_name(level)),
            fill: Box::new(move |values| noise.values_at_with(level, &all, values)),
        });
    }
    let exact = Fractal::<_, N>::seeded(&settings, seed, 0);
    let with_gradient = exact.clone();
    contenders.push(by_points("**this crate**, point by point".to_owned(), move |p| noise.value(p)));
    contenders.push(by_points("**this crate**, point by point, `f64`".to_owned(), move |p| exact.value(p) as f32));
    contenders.push(by_points("**this crate**, with gradient, `f64`".to_owned(), move |p| {
        let sample = with_gradient.sample(p);
        (sample.value + black_box(sample.gradient)[0]) as f32
    }));
    contenders
}

/// Ours, and the peers that have noise in space and in four dimensions.
fn everybody<const N: usize>(octaves: u32, improved: impl Generator<N> + 'static) -> Vec<BlockContender>
where
    AnyLattice<N>: Lattice<N>,
    Fbm<Perlin>: NoiseFn<f64, N>,
    Functions: Sample<N>,
{
    let mut contenders = ours::<N>(octaves);
    let fbm = Fbm::<Perlin>::new(SEED)
        .set_octaves(octaves as usize)
        .set_frequency(FREQUENCY)
        .set_lacunarity(LACUNARITY)
        .set_persistence(PERSISTENCE);
    contenders.push(by_points::<N>(titled("noise"), move |p| fbm.get(p) as f32));
    let functions: Functions = noise_functions::Perlin.fbm(octaves, PERSISTENCE as f32, LACUNARITY as f32);
    contenders.push(by_points::<N>(titled("noise-functions"), move |p| {
        functions.sample_with_seed(p.map(|c| (c * FREQUENCY) as f32), SEED as i32)
    }));
    contenders.push(by_points::<N>(titled("libnoise"), move |p| improved.sample(p) as f32));
    contenders
}

/// The sum of octaves of `noise-functions`.
type Functions = noise_functions::modifiers::Fbm<noise_functions::Perlin>;

/// Everybody in space.
#[must_use]
pub fn in_space(octaves: u32) -> Vec<BlockContender> {
    let improved = Source::<3>::improved_perlin(u64::from(SEED)).fbm(octaves, FREQUENCY, LACUNARITY, PERSISTENCE);
    let mut contenders = everybody(octaves, improved);
    let mut lite = FastNoiseLite::with_seed(SEED as i32);
    lite.set_noise_type(Some(NoiseType::Perlin));
    lite.set_frequency(Some(FREQUENCY as f32));
    lite.set_fractal_type(Some(FractalType::FBm));
    lite.set_fractal_octaves(Some(octaves as i32));
    lite.set_fractal_lacunarity(Some(LACUNARITY as f32));
    lite.set_fractal_gain(Some(PERSISTENCE as f32));
    contenders.push(by_points::<3>(titled("fastnoise-lite"), move |[x, y, z]| {
        lite.get_noise_3d(x as f32, y as f32, z as f32)
    }));
    contenders
}

/// Everybody in four dimensions.
#[must_use]
pub fn in_four_dimensions(octaves: u32) -> Vec<BlockContender> {
    let improved = Source::<4>::improved_perlin(u64::from(SEED)).fbm(octaves, FREQUENCY, LACUNARITY, PERSISTENCE);
    everybody(octaves, improved)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_of_ours_fill_the_same_block() {
        for mut contenders in [ours::<3>(8), ours::<4>(8)] {
            let mut first = vec![0.0; SAMPLES];
            (contenders[0].fill)(&mut first);
            for BlockContender { name, fill } in contenders.iter_mut().filter(|other| !other.name.contains("f64")) {
                let mut values = vec![0.0; SAMPLES];
                fill(&mut values);
                assert!(values == first, "{name} has other values");
            }
        }
    }
}
