//! The fast noise: one function, many speeds.
//!
//! Every instruction set, every way to cut a grid and the path of single points give the same bits. `noise_accuracy` compares
//! them with double precision.

use perlin_fbm::{
    Fade, FixedCoord, FractalShape, LatticeKind, Noise, NoiseRng, NoiseScratch, NoiseSettings, OctaveSum,
    PermutationKind, SampleGrid, SimdLevel, TICKS_PER_UNIT,
};

const LATTICES: [LatticeKind; 9] = [
    LatticeKind::FastHash,
    LatticeKind::Table,
    LatticeKind::Grid,
    LatticeKind::Diagonal,
    LatticeKind::Bit,
    LatticeKind::Edge,
    LatticeKind::Ward,
    LatticeKind::Shift,
    LatticeKind::ShiftMult,
];
const SHAPES: [FractalShape; 5] =
    [FractalShape::Fbm, FractalShape::Ridged, FractalShape::Billow, FractalShape::Hybrid, FractalShape::Damped];
const FADES: [Fade; 4] = [Fade::Linear, Fade::Cubic, Fade::Quintic, Fade::MinimalCubic];
const SUMS: [OctaveSum; 3] = [OctaveSum::Normalized, OctaveSum::Raw, OctaveSum::Clamped];

fn pick<T: Copy>(rng: &mut NoiseRng, items: &[T]) -> T {
    items[rng.next_u32() as usize % items.len()]
}

fn between(rng: &mut NoiseRng, low: f64, high: f64) -> f64 {
    low + (high - low) * rng.next_unit()
}

/// Any settings, over any lattice.
pub fn random_settings(rng: &mut NoiseRng) -> NoiseSettings {
    NoiseSettings {
        lattice: pick(rng, &LATTICES),
        bits: 1 + rng.next_u32() % 8,
        permutation: pick(rng, &[PermutationKind::Perlin, PermutationKind::Shuffled]),
        period_x: pick(rng, &[0, 0, 0, 1, 5, 256, 1000]),
        period_y: pick(rng, &[0, 0, 0, 3, 64, 300]),
        period_z: pick(rng, &[0, 0, 0, 1, 7]),
        period_w: pick(rng, &[0, 0, 0, 2, 16]),
        stretch_x: pick(rng, &[1.0, 1.0, 1.0, 2.5]),
        stretch_y: pick(rng, &[1.0, 1.0, 1.0, 0.3]),
        stretch_z: pick(rng, &[1.0, 1.0, 4.0]),
        stretch_w: pick(rng, &[1.0, 1.0, 0.25]),
        rotation: pick(rng, &[0.0, 0.0, 0.0, 0.0, 0.7, -3.0]),
        flow: pick(rng, &[0.0, 0.3]),
        fade: pick(rng, &FADES),
        shape: pick(rng, &SHAPES),
        octaves: 1 + rng.next_u32() % 9,
        frequency: libm::pow(10.0, between(rng, -4.0, 0.0)),
        lacunarity: between(rng, 1.0, 3.0),
        persistence: between(rng, 0.2, 0.9),
        sum: pick(rng, &SUMS),
        exponent: pick(rng, &[1.0, 1.0, 0.4, 2.3]),
        height_scale: pick(rng, &[1.0, 350.0, -20.0]),
        offset_octaves: rng.next_u32().is_multiple_of(2),
        ..Default::default()
    }
}

/// Any grid: from a single sample to 300 along a side, near the origin or up to 2^40 units from it.
fn random_grid(rng: &mut NoiseRng) -> SampleGrid {
    let mut origin = || {
        let far = 1_i64 << (rng.next_u32() % 51);
        let ticks = (rng.next_u64() as i64).rem_euclid(2 * far) - far;
        FixedCoord { ticks, fraction: if rng.next_u32().is_multiple_of(4) { rng.next_unit() } else { 0.0 } }
    };
    let origin = [origin(), origin()];
    let sides = [1, 2, 3, 15, 16, 17, 31, 33, 64, 65, 67, 130, 257, 300];
    let step_ticks = pick(rng, &[1, 100, TICKS_PER_UNIT, 4 * TICKS_PER_UNIT, 32 * TICKS_PER_UNIT, 0]);
    let short = [1, 2, 5, 8, 20, 40];
    let size = if rng.next_u32().is_multiple_of(2) {
        [pick(rng, &sides), pick(rng, &short)]
    } else {
        [pick(rng, &short), pick(rng, &sides)]
    };
    SampleGrid { origin, step_ticks, size }
}

fn fill(noise: &Noise, level: SimdLevel, grid: &SampleGrid, scratch: &mut NoiseScratch) -> Vec<f32> {
    let mut values = vec![f32::NAN; grid.size[0] * grid.size[1]];
    noise.fill_with(level, grid, scratch, &mut values);
    values
}

fn bits(values: &[f32]) -> Vec<u32> {
    values.iter().map(|value| value.to_bits()).collect()
}

#[test]
fn every_instruction_set_gives_the_same_bits_as_single_points() {
    let levels: Vec<SimdLevel> = SimdLevel::ALL.into_iter().filter(|level| level.is_available()).collect();
    let mut scratch = NoiseScratch::default();
    for seed in 0..400 {
        let mut rng = NoiseRng::new(seed, 0);
        let settings = random_settings(&mut rng);
        let noise = Noise::seeded(&settings, seed, 1);
        let grid = random_grid(&mut rng);
        let points: Vec<f32> = (0..grid.size[1])
            .flat_map(|row| (0..grid.size[0]).map(move |column| (column, row)))
            .map(|(column, row)| noise.value_at(grid.coord([column, row])))
            .collect();
        assert!(points.iter().all(|value| value.is_finite()));
        for &level in &levels {
            let values = fill(&noise, level, &grid, &mut scratch);
            let different = values.iter().zip(&points).position(|(a, b)| a.to_bits() != b.to_bits());
            assert_eq!(different, None, "first at this sample, seed {seed}, {level:?}: {grid:?} of {settings:?}");
        }
    }
}

#[test]
fn a_grid_cut_into_pieces_has_the_same_bits() {
    let mut scratch = NoiseScratch::default();
    for seed in 0..100 {
        let mut rng = NoiseRng::new(seed, 2);
        let noise = Noise::seeded(&random_settings(&mut rng), seed, 1);
        let whole = SampleGrid { size: [70, 45], ..random_grid(&mut rng) };
        let values = fill(&noise, SimdLevel::fastest(), &whole, &mut scratch);
        for (left, top, size) in [(0, 0, [33, 17]), (33, 17, [37, 28]), (5, 40, [65, 5]), (69, 44, [1, 1])] {
            let part = SampleGrid { origin: whole.coord([left, top]), size, ..whole };
            let part_values = fill(&noise, SimdLevel::fastest(), &part, &mut scratch);
            for (row, part_row) in part_values.chunks(size[0]).enumerate() {
                let start = (top + row) * 70 + left;
                assert_eq!(bits(part_row), bits(&values[start..start + size[0]]), "seed {seed}, row {row}");
            }
        }
    }
}

#[test]
fn a_warp_moves_places_by_two_noises() {
    let settings = NoiseSettings {
        warp_strength: 80.0,
        warp_frequency: 0.004,
        frequency: 0.01,
        height_scale: 1.0,
        ..Default::default()
    };
    let noise = Noise::seeded(&settings, 7, 0);
    let plain = Noise::seeded(&NoiseSettings { warp_strength: 0.0, ..settings.clone() }, 7, 0);
    let grid = SampleGrid {
        origin: [FixedCoord::from_ticks(-5000), FixedCoord::from_ticks(1 << 40)],
        step_ticks: 2048,
        size: [37, 20],
    };
    let values = fill(&noise, SimdLevel::fastest(), &grid, &mut NoiseScratch::default());
    let mut moved = 0;
    for (i, value) in values.iter().enumerate() {
        let position = grid.coord([i % 37, i / 37]);
        assert_eq!(value.to_bits(), noise.value_at(position).to_bits());
        moved += usize::from(plain.value_at(position) != *value);
    }
    assert!(moved > 700);
    for i in 0..500 {
        let (x, y) = (f64::from(i) * 3.7 - 900.0, f64::from(i) * -1.3);
        // The displacement is rounded to 2^-24 of 80 units: 5e-6 units, 5e-8 cells of the first octave and 6e-6 of the last.
        assert!((f64::from(noise.value([x, y])) - noise.sample([x, y]).value).abs() < 3e-6);
    }
}

#[test]
fn far_from_the_origin_noise_is_as_smooth_as_at_it() {
    let settings = NoiseSettings { frequency: 0.01, height_scale: 1.0, ..Default::default() };
    let noise = Noise::seeded(&settings, 3, 0);
    let roughness = |origin: f64| {
        let mut roughest = 0.0_f64;
        let grid = SampleGrid {
            origin: [FixedCoord::from(origin), FixedCoord::from(-origin)],
            step_ticks: 64,
            size: [3000, 1],
        };
        let values = fill(&noise, SimdLevel::fastest(), &grid, &mut NoiseScratch::default());
        for three in values.windows(3) {
            let [a, b, c] = [three[0], three[1], three[2]].map(f64::from);
            roughest = roughest.max((a - 2.0 * b + c).abs());
        }
        roughest
    };
    let near = roughness(0.0);
    for far in [1e6, 1e9, 1e12] {
        let ratio = roughness(far) / near;
        // Other ground, so not the same roughness; coordinates that are too coarse would show as steps, a hundredfold.
        assert!((0.2..5.0).contains(&ratio), "{ratio} at {far}");
    }
}

#[test]
fn tiles_meet_bit_for_bit() {
    for lattice in LATTICES {
        // 1/64 cells per unit: a tile of 12 by 5 cells is 768 by 320 units, exactly.
        let settings = NoiseSettings {
            lattice,
            period_x: 12,
            period_y: 5,
            frequency: 1.0 / 64.0,
            octaves: 6,
            ..Default::default()
        };
        let noise = Noise::seeded(&settings, 5, 0);
        for i in 0..500 {
            let (x, y) = (f64::from(i) * 1.75 - 300.0, f64::from(i) * -0.5);
            for (tile_x, tile_y) in [(768.0, 0.0), (0.0, 320.0), (-768.0 * 3.0, 320.0 * 7.0)] {
                assert_eq!(
                    noise.value([x, y]).to_bits(),
                    noise.value([x + tile_x, y + tile_y]).to_bits(),
                    "{lattice:?}"
                );
            }
        }
    }
}

#[test]
#[should_panic(expected = "one value for each of 3 by 2 samples")]
fn a_slice_of_another_length_than_the_grid_is_refused() {
    let grid = SampleGrid { origin: [FixedCoord::default(); 2], step_ticks: 1, size: [3, 2] };
    Noise::seeded(&NoiseSettings::default(), 0, 0).fill(&grid, &mut NoiseScratch::default(), &mut [0.0; 5]);
}

#[test]
fn an_empty_grid_is_filled_with_nothing() {
    for size in [[0, 0], [5, 0], [0, 5]] {
        let grid = SampleGrid { origin: [FixedCoord::default(); 2], step_ticks: 1, size };
        Noise::seeded(&NoiseSettings::default(), 0, 0).fill(&grid, &mut NoiseScratch::default(), &mut []);
    }
}

/// A number at an end of the documented ranges, or far out of them.
fn wild(rng: &mut NoiseRng) -> f64 {
    pick(
        rng,
        &[0.0, -0.0, -1.0, 1e-320, 1e-40, 1e20, 1e300, -1e300, f64::MAX, f64::NAN, f64::INFINITY, f64::NEG_INFINITY],
    )
}

#[test]
fn no_settings_and_no_grid_make_the_kernel_panic() {
    let levels: Vec<SimdLevel> = SimdLevel::ALL.into_iter().filter(|level| level.is_available()).collect();
    let mut scratch = NoiseScratch::default();
    for seed in 0..600 {
        let mut rng = NoiseRng::new(seed, 4);
        let mut settings = random_settings(&mut rng);
        settings.octaves = pick(&mut rng, &[0, 1, 2, 3, u32::MAX]);
        settings.warp_octaves = pick(&mut rng, &[0, 1, u32::MAX]);
        settings.bits = pick(&mut rng, &[0, 1, 6, u32::MAX]);
        let mut spoiled = false;
        let numbers = [
            &mut settings.frequency,
            &mut settings.max_frequency,
            &mut settings.lacunarity,
            &mut settings.persistence,
            &mut settings.amplitude,
            &mut settings.exponent,
            &mut settings.height_scale,
            &mut settings.warp_strength,
            &mut settings.warp_frequency,
        ];
        for number in numbers {
            if rng.next_u32().is_multiple_of(4) {
                *number = wild(&mut rng);
                spoiled = true;
            }
        }
        let noise = Noise::seeded(&settings, seed, 1);
        let extremes = [i64::MIN, i64::MIN + 1, -1, 0, 1, i64::MAX - 1, i64::MAX];
        let steps = [0, 1, -1, -4096, 1 << 40, i64::MIN, i64::MAX];
        let origin = [0; 2].map(|_| FixedCoord { ticks: pick(&mut rng, &extremes), fraction: wild(&mut rng) });
        let size = pick(&mut rng, &[[1, 1], [1, 40], [40, 1], [17, 9], [33, 33]]);
        let grid = SampleGrid { origin, step_ticks: pick(&mut rng, &steps), size };
        for &level in &levels {
            fill(&noise, level, &grid, &mut scratch);
        }
        for position in [origin, grid.coord([size[0] - 1, size[1] - 1])] {
            let value = noise.value_at(position);
            assert!(spoiled || value.is_finite(), "seed {seed}: {value} of {settings:?}");
        }
        let _ = noise.value([wild(&mut rng), wild(&mut rng)]);
    }
}

#[test]
fn a_grid_may_go_backwards_and_take_steps_of_any_length() {
    let mut scratch = NoiseScratch::default();
    for seed in 0..60 {
        let mut rng = NoiseRng::new(seed, 5);
        let noise = Noise::seeded(&random_settings(&mut rng), seed, 1);
        let step_ticks = pick(&mut rng, &[-1, -100, -4096, 1 << 40, -(1 << 50)]);
        let grid = SampleGrid { step_ticks, size: [37, 19], ..random_grid(&mut rng) };
        for level in SimdLevel::ALL.into_iter().filter(|level| level.is_available()) {
            for (i, value) in fill(&noise, level, &grid, &mut scratch).iter().enumerate() {
                let point = noise.value_at(grid.coord([i % 37, i / 37]));
                assert_eq!(value.to_bits(), point.to_bits(), "seed {seed}, {level:?}, sample {i}: {grid:?}");
            }
        }
    }
}

#[test]
fn long_grids_one_sample_wide_have_the_same_bits_as_single_points() {
    let mut scratch = NoiseScratch::default();
    for (seed, shape) in (0..).zip(SHAPES) {
        let settings = NoiseSettings { shape, frequency: 0.003, octaves: 12, max_frequency: 3.0, ..Default::default() };
        let noise = Noise::seeded(&settings, seed, 1);
        for size in [[100_000, 1], [1, 100_000], [50_000, 2], [3, 30_000]] {
            let grid = SampleGrid { origin: [FixedCoord::from(-40.5); 2], step_ticks: 700, size };
            for level in SimdLevel::ALL.into_iter().filter(|level| level.is_available()) {
                let values = fill(&noise, level, &grid, &mut scratch);
                // Every position would take long in a debug build.
                for i in (0..values.len()).step_by(997).chain([values.len() - 1]) {
                    let point = noise.value_at(grid.coord([i % size[0], i / size[0]]));
                    assert_eq!(values[i].to_bits(), point.to_bits(), "{shape:?}, {level:?}, {size:?}, sample {i}");
                }
            }
        }
    }
}

#[test]
fn without_any_octave_noise_is_zero() {
    for shape in SHAPES {
        for (exponent, warp_strength, octaves) in [(1.0, 0.0, 7), (2.0, 0.0, 0), (1.0, 5.0, 0), (0.5, 0.0, 0)] {
            let settings = NoiseSettings {
                shape,
                exponent,
                warp_strength,
                octaves,
                sum: SUMS[octaves as usize % 3],
                frequency: 0.5,
                max_frequency: 0.4,
                ..Default::default()
            };
            let noise = Noise::seeded(&settings, 1, 0);
            let grid = SampleGrid { origin: [FixedCoord::default(); 2], step_ticks: 512, size: [35, 11] };
            let mut scratch = NoiseScratch::default();
            for level in SimdLevel::ALL.into_iter().filter(|level| level.is_available()) {
                // Other noise has left its numbers in the memory.
                let other = NoiseSettings { shape, ..Default::default() };
                fill(&Noise::seeded(&other, 1, 0), level, &grid, &mut scratch);
                let values = fill(&noise, level, &grid, &mut scratch);
                assert!(values.iter().all(|value| *value == 0.0), "{shape:?}, {level:?}");
            }
            assert_eq!((noise.value([3.25, -7.5]), noise.sample([3.25, -7.5]).value), (0.0, 0.0));
        }
    }
}

#[test]
fn the_most_octaves_give_the_same_bits_everywhere_and_differ_from_double_precision_by_rounding_alone() {
    let mut scratch = NoiseScratch::default();
    for (seed, lacunarity) in (0..).zip([1.0, 1.9, 2.0, 4.0]) {
        let settings = NoiseSettings {
            octaves: NoiseSettings::MAX_OCTAVES,
            lacunarity,
            persistence: 0.95,
            frequency: 1.0,
            period_x: 1024,
            height_scale: 1.0,
            ..Default::default()
        };
        let noise = Noise::seeded(&settings, seed, 0);
        let grid = SampleGrid::new([-31.7, 1e6], 307.0 / 1024.0, [37, 19]);
        for level in SimdLevel::ALL.into_iter().filter(|level| level.is_available()) {
            for (i, value) in fill(&noise, level, &grid, &mut scratch).iter().enumerate() {
                let point = noise.value_at(grid.coord([i % 37, i / 37]));
                assert_eq!(value.to_bits(), point.to_bits(), "{level:?}, sample {i}, lacunarity {lacunarity}");
            }
        }
        for i in 0..200 {
            let (x, y) = (f64::from(i) * 0.61 - 50.0, f64::from(i) * -7.3);
            assert!(
                (f64::from(noise.value([x, y])) - noise.sample([x, y]).value).abs() < 1e-6,
                "lacunarity {lacunarity}"
            );
        }
    }
}

#[test]
fn adding_gives_the_sum_of_what_was_there_and_the_noise() {
    let mut scratch = NoiseScratch::default();
    for seed in 0..100 {
        let mut rng = NoiseRng::new(seed, 6);
        let settings = NoiseSettings { warp_strength: pick(&mut rng, &[0.0, 0.0, 20.0]), ..random_settings(&mut rng) };
        let (noise, grid) = (Noise::seeded(&settings, seed, 1), random_grid(&mut rng));
        let values = fill(&noise, SimdLevel::fastest(), &grid, &mut scratch);
        let before: Vec<f32> = values.iter().map(|_| rng.next_unit() as f32).collect();
        let mut sums = before.clone();
        noise.add_to(&grid, &mut scratch, &mut sums);
        for (i, sum) in sums.iter().enumerate() {
            assert_eq!(sum.to_bits(), (before[i] + values[i]).to_bits(), "seed {seed}, sample {i}: {grid:?}");
        }
    }
}
