use super::*;
use crate::param;
use crate::{
    BitGradients, EdgeGradients, Fade, FixedCoord, FractalShape, GridGradients, NoiseRng, NoiseScratch, OctaveSum,
    Perlin, SampleGrid, TableGradients,
};

/// An image of the preset, 48 by 32 samples, 3 units and a bit apart.
fn image(noise: &Noise) -> Vec<f32> {
    let grid =
        SampleGrid { origin: [FixedCoord::from(-70.25), FixedCoord::from(-50.5)], step_ticks: 3100, size: [48, 32] };
    let mut values = vec![0.0; 48 * 32];
    noise.fill(&grid, &mut NoiseScratch::default(), &mut values);
    values
}

/// Positions on both sides of zero, 0.37 cells of the first octave of `preset` apart.
fn positions(preset: &NoisePreset) -> impl Iterator<Item = [f64; 2]> {
    let step = 0.37 / preset.settings().frequency;
    (-9..9).flat_map(move |y| (-9..9).map(move |x| [f64::from(x) * step, f64::from(y) * step * 1.3]))
}

/// The exact and the fast path of a preset against a formula, relative to its size. `bound` is the sum of amplitudes.
fn assert_formula(name: &str, seed: u64, bound: f64, formula: impl Fn([f64; 2]) -> f64) {
    let preset = NoisePreset::find(name).expect("there is one");
    let (noise, size) = (preset.noise(seed), preset.settings().height_scale);
    for [x, y] in positions(preset) {
        let expected = formula([x, y]);
        let [exact, fast] = [noise.sample([x, y]).value, f64::from(noise.value([x, y]))];
        assert!((exact - expected).abs() < 1e-12 * bound * size, "{name} at {x}, {y}: {exact}, published {expected}");
        // Single precision: a few roundings of 2^-24 of numbers up to 2, slopes below 4.
        assert!((fast - expected).abs() < 2e-6 * bound * size, "{name} at {x}, {y}: fast {fast}, published {expected}");
    }
}

#[test]
fn names_are_found_and_are_all_different() {
    for preset in NoisePreset::ALL {
        assert_eq!(NoisePreset::find(preset.name).map(|found| found.title), Some(preset.title));
        assert!(preset.name.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_')), "{}", preset.name);
        assert!(!preset.source.is_empty());
    }
    assert!(NoisePreset::find("Mixed").is_none() && NoisePreset::find("").is_none());
}

#[test]
fn all_settings_are_within_their_limits() {
    for preset in NoisePreset::ALL {
        let errors = param::check(&mut preset.settings());
        assert!(errors.is_empty(), "{}: {errors:?}", preset.name);
    }
}

#[test]
fn no_preset_equals_another() {
    let images: Vec<_> = NoisePreset::ALL.iter().map(|preset| (preset.name, image(&preset.noise(5)))).collect();
    for (i, (name, image)) in images.iter().enumerate() {
        for (other, others) in &images[..i] {
            assert_ne!(image, others, "{name} equals {other}");
        }
    }
}

#[test]
fn values_vary_and_stay_within_the_bound() {
    for preset in NoisePreset::ALL {
        let noise = preset.noise(1);
        let bound = noise.bound() * 1.000_001;
        assert!(bound.is_finite());
        let values = image(&noise);
        let [min, max] =
            [f32::min, f32::max].map(|choose| values.iter().copied().reduce(choose).expect("there are values"));
        assert!(f64::from(min) >= -bound && f64::from(max) <= bound, "{}: {min} to {max}", preset.name);
        assert!(f64::from(max - min) > 0.2 * preset.settings().height_scale, "{}: {min} to {max}", preset.name);
        for [x, y] in positions(preset) {
            let value = noise.sample([x, y]).value;
            assert!(value.abs() <= bound, "{} at {x}, {y}: {value}", preset.name);
            // Warped positions are found in single precision, a millionth of the world's warp off; slopes stay below 4 a cell.
            let slack = 2e-4 * preset.settings().height_scale;
            assert!((value - f64::from(noise.value([x, y]))).abs() < slack, "{} at {x}, {y}", preset.name);
        }
    }
}

#[test]
fn seeds_choose_a_noise_where_there_is_one_for_each() {
    for preset in NoisePreset::ALL {
        let [one, again, two] = [1, 1, 2].map(|seed| image(&preset.noise(seed)));
        assert_eq!(one, again);
        assert_eq!(one != two, preset.settings().has_seed(), "{}", preset.name);
    }
}

#[test]
fn the_gradient_table_is_its_formula() {
    let settings = NoiseSettings::gradient_table();
    let perlin = Perlin::new(TableGradients::new(&mut NoiseRng::new(7, 0)), Fade::Quintic);
    assert_formula("table", 7, 1.0, |[x, y]| {
        let (mut sum, mut total, mut frequency, mut amplitude) = (0.0, 0.0, settings.frequency, 1.0);
        for _ in 0..settings.octaves {
            sum += amplitude * perlin.value([x * frequency, y * frequency]);
            total += amplitude;
            frequency *= 2.0;
            amplitude *= 0.5;
        }
        let value: f64 = sum / total;
        value.signum() * value.abs().powf(settings.exponent) * settings.height_scale
    });
}

/// `GeneratePerlinNoise` at `(x, y)`, which hold the offset already.
fn grid_formula(grid: &GridGradients, scale: f64, octaves: u32, persistence: f64, [x, y]: [f64; 2]) -> f64 {
    let perlin = Perlin::new(grid.clone(), Fade::Quintic);
    let (mut total, mut frequency, mut amplitude, mut max) = (0.0, 1.0, 1.0, 0.0);
    for _ in 0..octaves {
        total += perlin.value([x / scale * frequency, y / scale * frequency]) * amplitude;
        max += amplitude;
        frequency *= 2.0;
        amplitude *= persistence;
    }
    total / max
}

#[test]
fn the_gradient_grid_is_its_formula() {
    let grid = GridGradients::new(&mut NoiseRng::new(3, 0), [256, 256]);
    assert_formula("grid", 3, 1.0, |position| grid_formula(&grid, 64.0, 4, 0.5, position));
}

#[test]
fn a_grid_of_any_size_repeats_and_small_scales_are_raised() {
    let settings = NoiseSettings::tiling_grid([7, 12], 10.0, 3, 0.6);
    let noise = Noise::seeded(&settings, 9, 0);
    let grid = GridGradients::new(&mut NoiseRng::new(9, 0), [7, 12]);
    for position in [[3.25, 99.5], [-8.75, -120.5], [69.0, 0.125]] {
        let value = noise.sample([position[0], position[1]]).value;
        assert!((value - grid_formula(&grid, 10.0, 3, 0.6, position)).abs() < 1e-12);
        // 7 by 12 cells of 10 units, there and at any offset. An axis map is exact to 2^-64 cells a tick.
        assert!((value - noise.sample([position[0] - 140.0, position[1] + 360.0]).value).abs() < 1e-12);
    }
    let frequency = |scale| NoiseSettings::tiling_grid([7, 12], scale, 1, 1.0).frequency;
    assert_eq!([1.0, 4.9, 5.0, 8.0].map(frequency), [0.2, 0.2, 0.2, 0.125]);
}

#[test]
fn one_octave_is_the_grid_of_the_tool() {
    let grid = GridGradients::new(&mut NoiseRng::new(42, 0), [51, 51]);
    let perlin = Perlin::new(grid, Fade::Quintic);
    assert_formula("one_octave", 42, 1.0, |[x, y]| perlin.value([x / 20.0, y / 20.0]));
}

#[test]
fn perlins_noise_of_2002_is_a_plane_of_the_one_in_space() {
    let perlin = Perlin::new(EdgeGradients::default(), Fade::Quintic);
    assert_formula("perlin_2002", 0, 1.0, |[x, y]| perlin.value([x / 32.0, y / 32.0, 0.0]));
    let unit = Noise::seeded(&NoiseSettings::perlin_2002(), 0, 0);
    assert!((unit.sample([3.25, 42.5]).value - perlin.value([3.25, 42.5, 0.0])).abs() < 1e-12);
}

#[test]
fn bits_are_summed_in_the_band() {
    for (name, bits) in [("one_bit", 1), ("six_bits", 6)] {
        let perlin = Perlin::new(BitGradients::new(bits), Fade::Quintic);
        assert_formula(name, 0, 2.0, |[x, y]| {
            let octave = |n: i32| {
                let frequency = 0.01 * f64::from(1 << n);
                perlin.value([x * frequency, y * frequency]) * 0.5_f64.powi(n)
            };
            (0..6).map(octave).sum()
        });
    }
}

#[test]
fn our_own_presets_show_what_their_names_say() {
    let settings = |name| NoisePreset::find(name).expect("there is one").settings();
    let default = NoiseSettings::default();
    assert_eq!(settings("mixed"), NoiseSettings { octaves: 8, frequency: 1.0 / 128.0, height_scale: 1.0, ..default });
    for (name, shape) in [
        ("billow", FractalShape::Billow),
        ("ridged", FractalShape::Ridged),
        ("hybrid", FractalShape::Hybrid),
        ("damped", FractalShape::Damped),
    ] {
        assert_eq!(settings(name).shape, shape);
    }
    assert!(
        settings("warped").warp_strength > 0.0
            && settings("marble").warp_strength > 0.0
            && settings("peaks").exponent > 1.0
    );
    assert_eq!(settings("plateaus").sum, OctaveSum::Clamped);
    for preset in NoisePreset::ALL.iter().filter(|preset| preset.credit.is_empty()) {
        assert_eq!((preset.settings().lattice, preset.settings().offset_octaves), (LatticeKind::FastHash, true));
    }
}

#[test]
fn the_tiling_preset_repeats_after_four_cells() {
    let noise = NoisePreset::find("tiling").expect("there is one").noise(4);
    for [x, y] in [[5.5, 9.25], [-100.0, 700.125]] {
        let [here, there] = [noise.sample([x, y]), noise.sample([x + 512.0, y - 1024.0])];
        assert!((here.value - there.value).abs() < 1e-12);
    }
}

#[test]
fn a_preset_enlarged_has_the_same_values_further_apart() {
    for preset in NoisePreset::ALL {
        let own = 1.0 / preset.settings().frequency;
        let (noise, enlarged) = (preset.noise(2), preset.noise_with_cells_of(own * 4.0, 2));
        let size = preset.settings().height_scale;
        for [x, y] in positions(preset).step_by(7) {
            let [here, there] = [noise.sample([x, y]).value, enlarged.sample([4.0 * x, 4.0 * y]).value];
            // Frequencies are rounded to 2^-64 cells a tick, and once more in double precision.
            assert!((here - there).abs() < 1e-9 * size, "{} at {x}, {y}: {here}, {there}", preset.name);
        }
    }
}

#[test]
fn sizes_of_cells_that_make_no_sense_are_no_panic() {
    for preset in NoisePreset::ALL {
        for cell_size in [0.0, -1.0, 1e-300, 1e300, f64::NAN, f64::INFINITY] {
            assert!(image(&preset.noise_with_cells_of(cell_size, 1)).iter().all(|value| value.is_finite()));
        }
    }
}
