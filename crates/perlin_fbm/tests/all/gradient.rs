//! Noise with its gradient in single precision: grids and single points have the same bits at every instruction set, the values are
//! those of fills without gradients, and the gradients those of double precision and of differences.

use crate::kernel::random_settings;
use crate::space::{positions, random_grid};
use perlin_fbm::{
    AnyLattice, Fade, FixedCoord, FractalShape, Lattice, Noise, NoiseRng, NoiseScratch, NoiseSettings, OctaveSum,
    SampleGrid, SimdLevel,
};

fn levels() -> Vec<SimdLevel> {
    SimdLevel::ALL.into_iter().filter(|level| level.is_available()).collect()
}

fn fill<const N: usize>(
    noise: &Noise<N>,
    level: SimdLevel,
    grid: &SampleGrid<N>,
    scratch: &mut NoiseScratch,
) -> (Vec<f32>, [Vec<f32>; N])
where
    AnyLattice<N>: Lattice<N>,
{
    let empty = || vec![f32::NAN; grid.size.iter().product()];
    let (mut values, mut gradients) = (empty(), [0; N].map(|_| empty()));
    noise.fill_with_gradient_with(level, grid, scratch, &mut values, gradients.each_mut().map(Vec::as_mut_slice));
    (values, gradients)
}

fn bits(values: &[f32]) -> Vec<u32> {
    values.iter().map(|value| value.to_bits()).collect()
}

fn check_bits<const N: usize>()
where
    AnyLattice<N>: Lattice<N>,
{
    let levels = levels();
    let mut scratch = NoiseScratch::default();
    for seed in 0..300 {
        let mut rng = NoiseRng::new(seed, 20 + N as u64);
        let warp_strength = if rng.next_u32().is_multiple_of(8) { 30.0 } else { 0.0 };
        let settings = NoiseSettings { warp_strength, ..random_settings(&mut rng) };
        let noise = Noise::<N>::seeded(&settings, seed, 1);
        let grid = random_grid(&mut rng);
        let points: Vec<_> = positions(&grid).into_iter().map(|coord| noise.value_and_gradient_at(coord)).collect();
        assert!(points.iter().flat_map(|(_, gradient)| gradient).all(|slope| slope.is_finite()), "{settings:?}");
        let mut values = vec![f32::NAN; points.len()];
        noise.fill(&grid, &mut scratch, &mut values);
        for &level in &levels {
            let context = || format!("seed {seed}, {level:?}: {grid:?} of {settings:?}");
            let (filled, gradients) = fill(&noise, level, &grid, &mut scratch);
            assert_eq!(bits(&filled), bits(&values), "{}", context());
            let of_points: Vec<f32> = points.iter().map(|(value, _)| *value).collect();
            assert_eq!(bits(&filled), bits(&of_points), "{}", context());
            for (axis, along) in gradients.iter().enumerate() {
                let of_points: Vec<f32> = points.iter().map(|(_, gradient)| gradient[axis]).collect();
                assert_eq!(bits(along), bits(&of_points), "axis {axis}, {}", context());
            }
        }
    }
}

#[test]
fn on_a_line_all_paths_give_the_same_gradients() {
    check_bits::<1>();
}

#[test]
fn in_the_plane_all_paths_give_the_same_gradients() {
    check_bits::<2>();
}

#[test]
fn in_space_all_paths_give_the_same_gradients() {
    check_bits::<3>();
}

#[test]
fn in_four_dimensions_all_paths_give_the_same_gradients() {
    check_bits::<4>();
}

/// The bound in the docs, in height scales times the frequency of the finest octave.
fn bound(shape: FractalShape) -> f64 {
    match shape {
        FractalShape::Fbm | FractalShape::Hybrid => 6e-6,
        FractalShape::Billow | FractalShape::Ridged => 3e-5,
        other => panic!("no bound is documented for {other:?}"),
    }
}

/// Checks gradients at random positions, and returns how many of them lie on creases: those where the exact gradients within 1e-5
/// cells differ by more than curvature explains.
fn check_accuracy<const N: usize>() -> [usize; 2]
where
    AnyLattice<N>: Lattice<N>,
{
    let [mut creases, mut count] = [0; 2];
    for seed in 0..300 {
        let mut rng = NoiseRng::new(seed, 30 + N as u64);
        let settings = NoiseSettings { exponent: 1.0, sum: OctaveSum::Normalized, ..random_settings(&mut rng) };
        if settings.shape == FractalShape::Damped {
            continue;
        }
        let settings = NoiseSettings {
            // Octaves that are the same noise have the same errors, which add up.
            offset_octaves: settings.offset_octaves || settings.lacunarity < 1.5,
            ..settings
        };
        let noise = Noise::<N>::seeded(&settings, seed, 1);
        let finest = settings.octaves().map(|(frequency, _)| frequency).fold(0.0, f64::max);
        // Along the axis that is stretched least.
        let finest = finest / settings.stretches()[..N].iter().copied().fold(f64::INFINITY, f64::min);
        let unit = settings.height_scale.abs() * finest;
        for _ in 0..200 {
            let p = [0.0; N].map(|_| (rng.next_in(-1e5, 1e5) * 1024.0).floor() / 1024.0);
            let exact = noise.sample(p).gradient;
            let distance = |a: [f64; N], b: [f64; N]| (0..N).map(|axis| (a[axis] - b[axis]).abs()).fold(0.0, f64::max);
            count += 1;
            let is_on_crease = (0..2 * N).any(|side| {
                let mut beside = p;
                beside[side / 2] += if side % 2 == 0 { -1e-5 } else { 1e-5 } / finest;
                distance(noise.sample(beside).gradient, exact) > 1e-3 * unit
            });
            if is_on_crease {
                creases += 1;
                continue;
            }
            let (_, gradient) = noise.value_and_gradient_at(p.map(FixedCoord::from));
            let difference = distance(gradient.map(f64::from), exact);
            assert!(
                difference <= bound(settings.shape) * unit,
                "seed {seed} at {p:?}: {gradient:?} and {exact:?} differ by {} in {settings:?}",
                difference / unit
            );
        }
    }
    [creases, count]
}

#[test]
fn gradients_differ_from_double_precision_by_rounding_alone() {
    for [creases, count] in [check_accuracy::<1>(), check_accuracy::<2>(), check_accuracy::<3>(), check_accuracy::<4>()]
    {
        // About 2e-5 times the creases along a cell, for each octave and axis.
        assert!(creases * 1000 < count, "{creases} of {count} positions lie on creases");
    }
}

#[test]
fn gradients_are_the_slopes_that_differences_show() {
    for seed in 0..200 {
        let mut rng = NoiseRng::new(seed, 40);
        let settings = NoiseSettings {
            octaves: 1 + rng.next_u32() % 2,
            lacunarity: 2.0,
            frequency: 1.0 / 64.0,
            fade: Fade::Quintic,
            shape: [FractalShape::Fbm, FractalShape::Hybrid, FractalShape::Damped][rng.next_u32() as usize % 3],
            exponent: [1.0, 2.0][rng.next_u32() as usize % 2],
            sum: OctaveSum::Normalized,
            height_scale: 1.0,
            stretch_y: 2.0,
            ..random_settings(&mut rng)
        };
        let noise = Noise::<3>::seeded(&settings, seed, 0);
        let mut misses = 0;
        for _ in 0..50 {
            let p = [0.0; 3].map(|_| rng.next_in(-1e4, 1e4).floor());
            let (_, gradient) = noise.value_and_gradient_at(p.map(FixedCoord::from));
            for axis in 0..3 {
                let moved = |by: f64| {
                    let mut moved = p;
                    moved[axis] += by;
                    f64::from(noise.value(moved))
                };
                let difference = (moved(0.5) - moved(-0.5)) * 64.0;
                // Half of a unit is 1/64 of a cell of the second octave: its square times third derivatives of about 60, over 6, is
                // 3e-3. A square with its sign has another curvature on each side of 0: 1/64 times a squared slope of up to 3.
                let is_apart = (difference - f64::from(gradient[axis]) * 64.0).abs() > 0.05;
                misses += usize::from(is_apart);
            }
        }
        // The weight of `Hybrid` has creases where it reaches its limits.
        assert!(misses <= if settings.shape == FractalShape::Hybrid { 3 } else { 0 }, "{misses} in {settings:?}");
    }
}

#[test]
fn a_warp_a_rotation_and_damped_octaves_have_the_gradient_of_double_precision() {
    let mut scratch = NoiseScratch::default();
    let damped = NoiseSettings { shape: FractalShape::Damped, ..NoiseSettings::default() };
    let warped = NoiseSettings { warp_strength: 50.0, ..NoiseSettings::default() };
    let rotated = NoiseSettings { rotation: 0.5, stretch_x: 3.0, ..NoiseSettings::default() };
    for settings in [damped, warped, rotated] {
        let noise = Noise::<2>::seeded(&settings, 3, 0);
        let grid = SampleGrid::new([-30.25, 1e6], 3.5, [19, 7]);
        let (_, [along_x, along_y]) = fill(&noise, SimdLevel::fastest(), &grid, &mut scratch);
        for (i, (x, y)) in along_x.into_iter().zip(along_y).enumerate() {
            let p = [-30.25 + (i % 19) as f64 * 3.5, 1e6 + (i / 19) as f64 * 3.5];
            assert_eq!([x, y], noise.sample(p).gradient.map(|slope| slope as f32));
        }
    }
}

#[test]
fn a_clamped_sum_is_flat_where_it_reaches_its_limits() {
    let settings = NoiseSettings {
        sum: OctaveSum::Clamped,
        amplitude: 4.0,
        frequency: 0.02,
        height_scale: 10.0,
        ..NoiseSettings::default()
    };
    let noise = Noise::<2>::seeded(&settings, 3, 0);
    let grid = SampleGrid::new([0.0, 0.0], 1.0, [100, 100]);
    let (values, [along_x, along_y]) = fill(&noise, SimdLevel::fastest(), &grid, &mut NoiseScratch::default());
    let mut flat = 0;
    for ((value, x), y) in values.iter().zip(along_x).zip(along_y) {
        let is_flat = [x, y] == [0.0, 0.0];
        assert_eq!(value.abs() == 10.0, is_flat, "{value} with {x}, {y}");
        flat += usize::from(is_flat);
    }
    assert!((1000..9000).contains(&flat), "{flat}");
}

#[test]
#[should_panic(expected = "one value for each of 3 by 2 samples")]
fn a_slice_of_slopes_of_another_length_than_the_grid_is_refused() {
    let grid = SampleGrid::new([0.0, 0.0], 1.0, [3, 2]);
    let noise = Noise::<2>::seeded(&NoiseSettings::default(), 0, 0);
    let gradients = [&mut [0.0; 6][..], &mut [0.0; 5]];
    noise.fill_with_gradient(&grid, &mut NoiseScratch::default(), &mut [0.0; 6], gradients);
}
