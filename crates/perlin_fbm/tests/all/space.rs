//! The fast noise on a line, in space and in four dimensions: single points, any positions and grids give the same bits at every
//! instruction set, and differ from double precision by rounding alone. The plane has tests of its own.

use crate::accuracy::bound;
use crate::kernel::random_settings;
use perlin_fbm::{
    AnyLattice, FixedCoord, FractalShape, Lattice, Noise, NoiseRng, NoiseScratch, NoiseSettings, SampleGrid, SimdLevel,
};

/// A grid of a few hundred samples, near the origin or far from it.
pub fn random_grid<const N: usize>(rng: &mut NoiseRng) -> SampleGrid<N> {
    let mut coord = || {
        let far = 1_i64 << (rng.next_u32() % 51);
        let ticks = (rng.next_u64() as i64).rem_euclid(2 * far) - far;
        FixedCoord { ticks, fraction: if rng.next_u32().is_multiple_of(4) { rng.next_unit() } else { 0.0 } }
    };
    let origin = [0; N].map(|_| coord());
    let step_ticks = [1, 100, 1024, 4096, 1 << 15][rng.next_u32() as usize % 5];
    let lengths: &[usize] = match N {
        1 => &[1, 7, 64, 65, 300],
        2 => &[1, 2, 15, 33, 66],
        3 => &[1, 2, 5, 17, 19],
        _ => &[1, 2, 3, 9],
    };
    let size = [0; N].map(|_| lengths[rng.next_u32() as usize % lengths.len()]);
    SampleGrid { origin, step_ticks, size }
}

/// The positions of a grid, those along x first.
pub fn positions<const N: usize>(grid: &SampleGrid<N>) -> Vec<[FixedCoord; N]> {
    let count: usize = grid.size.iter().product();
    let index = |i: usize| {
        let mut rest = i;
        grid.size.map(|length| {
            let index = rest % length;
            rest /= length;
            index
        })
    };
    (0..count).map(|i| grid.coord(index(i))).collect()
}

fn check_bits<const N: usize>()
where
    AnyLattice<N>: Lattice<N>,
{
    let levels: Vec<SimdLevel> = SimdLevel::ALL.into_iter().filter(|level| level.is_available()).collect();
    let mut scratch = NoiseScratch::default();
    for seed in 0..300 {
        let mut rng = NoiseRng::new(seed, N as u64);
        let warp_strength = if rng.next_u32().is_multiple_of(4) { 30.0 } else { 0.0 };
        let settings = NoiseSettings { warp_strength, ..random_settings(&mut rng) };
        let noise = Noise::<N>::seeded(&settings, seed, 1);
        let grid = random_grid(&mut rng);
        let positions = positions(&grid);
        let points: Vec<f32> = positions.iter().map(|&position| noise.value_at(position)).collect();
        assert!(points.iter().all(|value| value.is_finite() && f64::from(value.abs()) <= noise.bound() * 1.000_01));
        let mut values = vec![f32::NAN; points.len()];
        for &level in &levels {
            let mut expect_points = |path: &str, fill: &mut dyn FnMut(&mut [f32])| {
                values.fill(f32::NAN);
                fill(&mut values);
                let different = values.iter().zip(&points).position(|(a, b)| a.to_bits() != b.to_bits());
                assert_eq!(
                    different, None,
                    "first at this sample, {path}, seed {seed}, {level:?}: {grid:?} of {settings:?}"
                );
            };
            expect_points("grid", &mut |values| noise.fill_with(level, &grid, &mut scratch, values));
            expect_points("positions", &mut |values| noise.values_at_with(level, &positions, values));
        }
    }
}

fn check_accuracy<const N: usize>()
where
    AnyLattice<N>: Lattice<N>,
{
    for seed in 0..300 {
        let mut rng = NoiseRng::new(seed, 10 + N as u64);
        let settings = NoiseSettings { exponent: 1.0, ..random_settings(&mut rng) };
        let settings = match settings.shape {
            // The slopes that damp octaves jump with a linear fade.
            FractalShape::Damped => NoiseSettings { fade: Default::default(), ..settings },
            _ => settings,
        };
        let settings = NoiseSettings {
            sum: Default::default(),
            // Octaves that are the same noise have the same errors, which add up.
            offset_octaves: settings.offset_octaves || settings.lacunarity < 1.5,
            ..settings
        };
        let noise = Noise::<N>::seeded(&settings, seed, 1);
        // Twice the bound of the plane.
        let slack = 2.0 * bound(settings.shape) * settings.height_scale.abs();
        for _ in 0..200 {
            let p = [0.0; N].map(|_| (rng.next_in(-1e5, 1e5) * 1024.0).floor() / 1024.0);
            let (single, double) = (f64::from(noise.value(p)), noise.sample(p).value);
            assert!(
                (single - double).abs() <= slack,
                "seed {seed} at {p:?}: {single} and {double} differ by more than {slack} in {settings:?}"
            );
        }
    }
}

#[test]
fn on_a_line_all_paths_give_the_same_bits() {
    check_bits::<1>();
}

#[test]
fn in_space_all_paths_give_the_same_bits() {
    check_bits::<3>();
}

#[test]
fn in_four_dimensions_all_paths_give_the_same_bits() {
    check_bits::<4>();
}

#[test]
fn single_precision_differs_from_double_by_rounding_alone() {
    check_accuracy::<1>();
    check_accuracy::<2>();
    check_accuracy::<3>();
    check_accuracy::<4>();
}
