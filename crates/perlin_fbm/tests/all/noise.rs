//! The noise has the published values: in double precision to twelve digits, in single precision on a grid to its rounding.
//!
//! The tables are values of the published formulas, computed by an independent program in double precision.

use perlin_fbm::param::Choice;
use perlin_fbm::{
    BitGradients, DiagonalGradients, EdgeGradients, Fade, FixedCoord, Fractal, GridGradients, HashGradients,
    IntegerHash, Lattice, LatticeKind, Noise, NoisePreset, NoiseScratch, NoiseSettings, Perlin, Permutation,
    SampleGrid,
};
use serde::Deserialize;

/// A few dozen operations on numbers up to 600 cells, each rounded by 1.1e-16 of its result.
const SLACK: f64 = 1e-12;

#[derive(Deserialize)]
struct Published {
    hash_functions: HashFunctions,
    permutation_hash_2d: Vec<[i64; 3]>,
    permutation_hash_3d: Vec<[i64; 4]>,
    diagonal4_2d: ByFade,
    perlin2002_3d: Vec<[f64; 4]>,
    permutation_bits6_2d: Vec<[f64; 3]>,
    integer_hash_nd: Vec<Hashed>,
    minimal_cubic_1d: Vec<Cubic>,
    fbm_shaped_2d: Vec<Shaped>,
    fbm_clamped_2d: Vec<[f64; 3]>,
    band_limited_2d: Vec<BandLimited>,
}

#[derive(Deserialize)]
struct HashFunctions {
    ward: Vec<[i32; 2]>,
    shift: Vec<[i32; 2]>,
    shift_mult: Vec<[i32; 2]>,
}

#[derive(Deserialize)]
struct ByFade {
    linear: Vec<[f64; 3]>,
    cubic: Vec<[f64; 3]>,
    quintic: Vec<[f64; 3]>,
}

#[derive(Deserialize)]
struct Hashed {
    hash: String,
    seed: i32,
    dim: usize,
    fade: String,
    values: Vec<Vec<f64>>,
}

#[derive(Deserialize)]
struct Cubic {
    hash: String,
    seed: i32,
    values: Vec<[f64; 2]>,
}

#[derive(Deserialize)]
struct Shaped {
    octaves: u32,
    persistence: f64,
    lacunarity: f64,
    frequency: f64,
    amplitude: f64,
    contrast: f64,
    noise_size: f64,
    values: Vec<[f64; 3]>,
}

#[derive(Deserialize)]
struct BandLimited {
    hash: String,
    seed: i32,
    f_min: f64,
    f_max: f64,
    persistence: f64,
    values: Vec<[f64; 3]>,
}

fn published() -> Published {
    // RON reads JSON's maps and lists, so no reader of JSON is needed.
    let text = include_str!("../data/noise.json");
    let value: ron::Value = ron::from_str(text).expect("the file is JSON");
    value.into_rust().expect("the file has the published tables")
}

fn hash(name: &str) -> IntegerHash {
    match name {
        "ward" => IntegerHash::Ward,
        "shift" => IntegerHash::Shift,
        "shift_mult" => IntegerHash::ShiftMult,
        _ => panic!("no hash is called {name}"),
    }
}

/// The error of the fast path: a fraction of a cell is rounded by 2^-25 and the slope is below 4; a dozen operations on
/// numbers up to 2 round by 2^-24 each, most of them on far smaller ones.
const FAST_SLACK: f64 = 2e-6;

/// One octave of one cell per unit.
fn one_octave(fade: Fade) -> NoiseSettings {
    NoiseSettings { fade, octaves: 1, frequency: 1.0, height_scale: 1.0, ..NoiseSettings::default() }
}

/// Checks the fast path, as a grid of one sample and as a point.
fn assert_fast(noise: &Noise, [x, y]: [f64; 2], expected: f64, slack: f64, what: &str) {
    let mut value = [0.0];
    let grid = SampleGrid { origin: [FixedCoord::from(x), FixedCoord::from(y)], step_ticks: 1024, size: [1, 1] };
    noise.fill(&grid, &mut NoiseScratch::default(), &mut value);
    assert_close(f64::from(value[0]), expected, slack, &format!("the fast path of {what} at {x}, {y}"));
    assert_eq!(value[0].to_bits(), noise.value([x, y]).to_bits());
}

fn assert_close(found: f64, expected: f64, slack: f64, what: &str) {
    assert!((found - expected).abs() <= slack, "{what}: {found}, published {expected}");
}

#[test]
fn integer_hashes_have_the_published_values() {
    let HashFunctions { ward, shift, shift_mult } = published().hash_functions;
    for (hash, table) in [(IntegerHash::Ward, ward), (IntegerHash::Shift, shift), (IntegerHash::ShiftMult, shift_mult)]
    {
        assert_eq!(table.len(), 33);
        for [key, expected] in table {
            assert_eq!(hash.hash(key), expected, "{hash:?} of {key}");
        }
    }
}

#[test]
fn the_permutation_hashes_as_published() {
    let (tables, permutation) = (published(), Permutation::perlin());
    assert_eq!((tables.permutation_hash_2d.len(), tables.permutation_hash_3d.len()), (24, 24));
    for [x, y, expected] in tables.permutation_hash_2d {
        assert_eq!(i64::from(permutation.hash(x, y)), expected, "at {x}, {y}");
    }
    for [x, y, z, expected] in tables.permutation_hash_3d {
        assert_eq!(i64::from(permutation.hash_n([x, y, z])), expected, "at {x}, {y}, {z}");
    }
}

#[test]
fn noise_of_four_diagonals_has_the_published_values_with_every_fade() {
    let ByFade { linear, cubic, quintic } = published().diagonal4_2d;
    for (fade, table) in [(Fade::Linear, linear), (Fade::Cubic, cubic), (Fade::Quintic, quintic)] {
        let noise = Perlin::new(DiagonalGradients::default(), fade);
        let fast = Noise::new(DiagonalGradients::default(), &one_octave(fade));
        assert_eq!(table.len(), 34);
        for [x, y, expected] in table {
            assert_close(noise.value([x, y]), expected, SLACK, &format!("{fade:?} at {x}, {y}"));
            assert_fast(&fast, [x, y], expected, FAST_SLACK, "four diagonals");
        }
    }
}

#[test]
fn perlins_noise_of_2002_has_the_published_values() {
    let noise = Perlin::new(EdgeGradients::default(), Fade::Quintic);
    let table = published().perlin2002_3d;
    assert_eq!(table.len(), 34);
    // The position and value by which implementations are commonly checked: 3.14, 42, 7.
    let well_known = [314.0 / 100.0, 42.0, 7.0, 0.136_919_958_784_000_12];
    for [x, y, z, expected] in table.into_iter().chain([well_known]) {
        assert_close(noise.value([x, y, z]), expected, SLACK, &format!("at {x}, {y}, {z}"));
    }
}

#[test]
fn noise_of_six_bits_has_the_published_values() {
    let noise = Perlin::new(BitGradients::new(6), Fade::Quintic);
    let preset = NoisePreset::find("six_bits").expect("the name of a preset").settings();
    let one_octave = NoiseSettings { octaves: 1, frequency: 1.0, max_frequency: 0.0, ..preset };
    let fast = Noise::seeded(&one_octave, 0, 0);
    let table = published().permutation_bits6_2d;
    assert_eq!(table.len(), 34);
    for [x, y, expected] in table {
        assert_close(noise.value([x, y]), expected, SLACK, &format!("at {x}, {y}"));
        assert_fast(&fast, [x, y], expected, FAST_SLACK, "six bits");
    }
}

#[test]
fn noise_of_integer_hashes_has_the_published_values_in_every_dimension() {
    fn check<const N: usize>(noise: &Perlin<HashGradients>, row: &[f64], what: &str)
    where
        HashGradients: Lattice<N>,
    {
        let (expected, position) = row.split_last().expect("a row has a value");
        let position: [f64; N] = position.try_into().expect("a row has as many coordinates as dimensions");
        assert_close(noise.value(position), *expected, SLACK, &format!("{what} at {position:?}"));
    }
    let tables = published().integer_hash_nd;
    assert_eq!(tables.len(), 36);
    for Hashed { hash: name, seed, dim, fade, values } in tables {
        let what = format!("{name}, seed {seed}, {fade}");
        let fade = match fade.as_str() {
            "cubic" => Fade::Cubic,
            "quintic" => Fade::Quintic,
            _ => panic!("no fade is called {fade}"),
        };
        let lattice = HashGradients::new(hash(&name), seed);
        let (noise, fast) = (Perlin::new(lattice, fade), Noise::new(lattice, &one_octave(fade)));
        assert_eq!(values.len(), 18);
        for row in values {
            if let [x, y, expected] = row[..] {
                assert_fast(&fast, [x, y], expected, FAST_SLACK, &what);
            }
            match dim {
                1 => check::<1>(&noise, &row, &what),
                2 => check::<2>(&noise, &row, &what),
                3 => check::<3>(&noise, &row, &what),
                _ => panic!("{dim} dimensions"),
            }
        }
    }
}

#[test]
fn the_minimal_cubic_has_the_published_values() {
    let tables = published().minimal_cubic_1d;
    assert_eq!(tables.len(), 3);
    for Cubic { hash: name, seed, values } in tables {
        let lattice = HashGradients::new(hash(&name), seed);
        let noise = Perlin::new(lattice, Fade::MinimalCubic);
        let octave = Fractal::<_, 1>::new(lattice, &one_octave(Fade::MinimalCubic));
        assert_eq!(values.len(), 18);
        for [x, expected] in values {
            assert_close(noise.value([x]), expected, SLACK, &format!("{name} at {x}"));
            assert_close(octave.value([x]), expected, SLACK, &format!("settings with {name} at {x}"));
        }
    }
}

/// The slopes of figures 2 and 7, and the interpolations that they compare.
#[test]
fn figure_7_compares_three_interpolations_of_the_same_slopes() {
    let (g0, g1, t) = (0.8, -0.5, 0.25);
    let line = GridGradients::from_fn([2], |[x]| [[g0, g1][x as usize]]);
    for (fade, expected) in [
        // Equations 13, 16 and 29, of which the last has an F5 of degree 6.
        (Fade::MinimalCubic, (g0 + g1) * t * t * t - (2.0 * g0 + g1) * t * t + g0 * t),
        (Fade::Cubic, 2.0 * (g0 - g1) * t.powi(4) - (3.0 * g0 - 5.0 * g1) * t.powi(3) - 3.0 * g1 * t * t + g0 * t),
        (
            Fade::Quintic,
            (6.0 * g1 - 6.0 * g0) * t.powi(6)
                + (15.0 * g0 - 21.0 * g1) * t.powi(5)
                + (25.0 * g1 - 10.0 * g0) * t.powi(4)
                - 10.0 * g1 * t.powi(3)
                + g0 * t,
        ),
    ] {
        let noise = Perlin::new(line.clone(), fade);
        assert_close(noise.value([t]), expected, SLACK, &format!("{fade:?}"));
        assert_eq!(noise.sample([0.0]).gradient, [g0], "{fade:?}");
    }
    // The cubic of the first slopes, in numbers.
    assert_close(Perlin::new(line, Fade::MinimalCubic).value([t]), 0.135_937_5, SLACK, "the minimal cubic");
}

#[test]
fn sums_with_exponent_and_height_scale_have_the_published_values() {
    let tables = published().fbm_shaped_2d;
    assert_eq!(tables.len(), 6);
    for Shaped { octaves, persistence, lacunarity, frequency, amplitude, contrast, noise_size, values } in tables {
        let settings = NoiseSettings {
            octaves,
            frequency,
            lacunarity,
            persistence,
            amplitude,
            exponent: contrast,
            height_scale: noise_size,
            ..NoiseSettings::gradient_table()
        };
        let fractal = Fractal::new(DiagonalGradients::default(), &settings);
        let fast = Noise::new(DiagonalGradients::default(), &settings);
        assert_eq!(values.len(), 16);
        for [x, y, expected] in values {
            let what = format!("at {x}, {y} of {settings:?}");
            assert_close(fractal.value([x, y]), expected, SLACK * noise_size, &what);
            // Raising a number up to 1 to the power of `contrast` multiplies an error by that at most; then comes the height scale.
            assert_fast(&fast, [x, y], expected, FAST_SLACK * contrast.max(1.0) * noise_size, &what);
        }
    }
}

#[test]
fn sums_that_are_cut_off_have_the_published_values() {
    let settings = NoiseSettings::clamped_diagonals();
    let fractal = Fractal::new(DiagonalGradients::default(), &settings);
    let fast = NoisePreset::find("diagonals").expect("the name of a preset").noise(0);
    let table = published().fbm_clamped_2d;
    assert_eq!(table.len(), 34);
    for [x, y, expected] in table {
        assert_close(fractal.value([x, y]), expected, SLACK, &format!("at {x}, {y}"));
        assert_fast(&fast, [x, y], expected, FAST_SLACK, "a clamped sum");
    }
}

#[test]
fn sums_up_to_a_highest_frequency_have_the_published_values() {
    let tables = published().band_limited_2d;
    assert_eq!(tables.len(), 3);
    for BandLimited { hash: name, seed, f_min, f_max, persistence, values } in tables {
        let preset = NoisePreset::find(&name).expect("a preset has the name of the hash");
        let settings = NoiseSettings::band_limited(f_min, f_max, persistence, preset.settings().lattice);
        assert_eq!(settings, preset.settings());
        let lattice = HashGradients::new(hash(&name), seed);
        let (fractal, fast) = (Fractal::new(lattice, &settings), preset.noise(u64::from(seed.cast_unsigned())));
        assert_eq!(values.len(), 22);
        for [x, y, expected] in values {
            assert_fast(&fast, [x, y], expected, FAST_SLACK, &name);
            assert_close(fractal.value([x, y]), expected, SLACK, &format!("{name} at {x}, {y}"));
        }
    }
}

/// The band of the source's algorithm 2: its number of octaves, and the sum at a position.
fn band(lattice: &impl Lattice<2>, [f_min, f_max, persistence]: [f64; 3], [x, y]: [f64; 2]) -> (u32, f64) {
    let perlin = Perlin::new(lattice.clone(), Fade::Quintic);
    let (mut octaves, mut sum, mut frequency, mut amplitude) = (0, 0.0, f_min, 1.0);
    while frequency <= f_max {
        sum += amplitude * perlin.value([frequency * x, frequency * y]);
        octaves += 1;
        frequency *= 2.0;
        amplitude *= persistence;
    }
    (octaves, sum)
}

#[test]
fn a_band_has_all_octaves_up_to_its_top_and_none_above() {
    let lattice = HashGradients::new(IntegerHash::Ward, 3);
    let kind = NoisePreset::find("ward").expect("the name of a preset").settings().lattice;
    let bands = [
        (1e-6, 0.5, 19),
        (0.01, 0.5, 6),
        // The top is a frequency of the band.
        (1.0 / 16.0, 0.5, 4),
        (0.1, 0.8, 4),
        (0.1, 0.8_f64.next_down(), 3),
        (0.3, 0.3, 1),
        (0.01, 0.005, 0),
        (0.01, 0.0, 0),
    ];
    for (f_min, f_max, octaves) in bands {
        let settings = NoiseSettings::band_limited(f_min, f_max, 0.7, kind);
        let (fractal, fast) = (Fractal::new(lattice, &settings), Noise::new(lattice, &settings));
        for position in [[0.0, 0.0], [12.5, -77.25], [-511.7, 300.1]] {
            let (count, expected) = band(&lattice, [f_min, f_max, 0.7], position);
            let what = format!("from {f_min} to {f_max} at {position:?}");
            assert_eq!((settings.octaves, count), (octaves, octaves), "{what}");
            assert_close(fractal.value(position), expected, SLACK, &what);
            assert_fast(&fast, position, expected, FAST_SLACK, &what);
        }
    }
    let max = NoiseSettings::band_limited(1e-6, 1e9, 0.5, kind);
    assert_eq!(max.octaves, NoiseSettings::MAX_OCTAVES, "the source has 50");
    for number in [f64::NAN, f64::NEG_INFINITY] {
        assert_eq!(NoiseSettings::band_limited(0.01, number, 0.5, kind).octaves, 0);
    }
}

#[test]
fn a_sum_beyond_one_is_cut_off_at_one() {
    let settings = NoiseSettings { amplitude: 3.0, ..NoiseSettings::clamped_diagonals() };
    let lattice = DiagonalGradients::default();
    let (fractal, fast) = (Fractal::new(lattice.clone(), &settings), Noise::new(lattice.clone(), &settings));
    let highest = settings.frequency * 128.0;
    let (mut above, mut below) = (0, 0);
    for i in 0..400 {
        let position = [f64::from(i) * 17.3 - 3000.0, f64::from(i) * -9.1];
        let sum = 3.0 * band(&lattice, [settings.frequency, highest, settings.persistence], position).1;
        above += usize::from(sum > 1.0);
        below += usize::from(sum < -1.0);
        let expected = sum.clamp(-1.0, 1.0);
        assert_close(fractal.value(position), expected, 3.0 * SLACK, &format!("at {position:?}"));
        assert_fast(&fast, position, expected, 3.0 * FAST_SLACK, "a clamped sum");
    }
    assert!(above > 20 && below > 20, "{above} positions above 1, {below} below -1");
}

#[test]
fn values_keep_within_the_ranges_in_the_docs() {
    let found = [1, 2, 4, 8].map(|octaves| {
        [0.3, 0.5, 0.7].map(|persistence| {
            let settings = NoiseSettings { octaves, persistence, ..NoiseSettings::unit() };
            // A quarter of a cell apart, and never at the same position of two cells next to each other.
            let map = Noise::seeded(&settings, 1, 0).map(&SampleGrid::new([0.0, 0.0], 16.299_804_687_5, [1024, 1024]));
            format!("{:.2}", map.range().end().max(-map.range().start()))
        })
    });
    // The table of *Value ranges* in the docs of `noise`.
    let documented =
        [["0.69", "0.69", "0.69"], ["0.61", "0.58", "0.58"], ["0.57", "0.52", "0.49"], ["0.56", "0.48", "0.42"]];
    assert_eq!(found, documented);
}

#[test]
fn values_of_every_lattice_keep_within_the_ranges_in_the_docs() {
    let mut lattice = LatticeKind::default();
    let found: Vec<String> = (0..lattice.alternatives().len())
        .map(|index| {
            lattice.choose(index);
            let ranges = [1, 2, 4, 8].map(|octaves| {
                let settings = NoiseSettings { octaves, lattice, ..NoiseSettings::unit() };
                let map =
                    Noise::seeded(&settings, 1, 0).map(&SampleGrid::new([0.0, 0.0], 16.299_804_687_5, [1024, 1024]));
                format!("{:.2}", map.range().end().max(-map.range().start()))
            });
            format!("{} {}", lattice.name(), ranges.join(" "))
        })
        .collect();
    // The second table of *Value ranges* in the docs of the crate.
    assert_eq!(
        found,
        [
            "FastHash 0.69 0.58 0.52 0.48",
            "Table 0.67 0.63 0.51 0.49",
            "Grid 0.70 0.63 0.53 0.50",
            "Diagonal 1.00 0.85 0.72 0.69",
            "Bit 0.72 0.60 0.50 0.46",
            "Edge 0.99 0.73 0.62 0.60",
            "Ward 0.78 0.57 0.48 0.44",
            "Shift 0.78 0.60 0.47 0.45",
            "ShiftMult 0.77 0.59 0.49 0.46"
        ]
    );
}

#[test]
fn settings_out_of_their_ranges_are_refused_and_each_is_named() {
    let good = NoiseSettings { octaves: NoiseSettings::MAX_OCTAVES, ..NoiseSettings::unit() };
    assert_eq!(Noise::<2>::try_seeded(&good, 3, 1), Ok(Noise::seeded(&good, 3, 1)));
    let bad = NoiseSettings { octaves: 33, lacunarity: f64::NAN, ..good.clone() };
    let errors = Noise::<2>::try_seeded(&bad, 3, 1).expect_err("two numbers are out of their ranges");
    assert_eq!(Err(&errors), bad.check().as_ref());
    let texts: Vec<String> = errors.iter().map(ToString::to_string).collect();
    assert_eq!(texts, ["`octaves` is 33, allowed: 0 to 32", "`lacunarity` is NaN, allowed: 1 to 4"]);
    // Without a check, octaves beyond the most are left out.
    let many = NoiseSettings { octaves: 1000, ..good.clone() };
    assert_eq!(Noise::<2>::seeded(&many, 3, 1), Noise::seeded(&good, 3, 1));
}
