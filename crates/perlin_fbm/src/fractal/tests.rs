//! How sums are shaped, and that they are bounded and finite.

mod anisotropy;
mod gradient;
mod period;

use super::*;
use crate::fixed_coord::TickCount;
use crate::param::Choice;
use crate::{BitGradients, DiagonalGradients, Fade, FastHashGradients, IntegerHash, LatticeKind, TableGradients};

const SHAPES: [FractalShape; 5] =
    [FractalShape::Fbm, FractalShape::Ridged, FractalShape::Billow, FractalShape::Hybrid, FractalShape::Damped];
const FADES: [Fade; 4] = [Fade::Linear, Fade::Cubic, Fade::Quintic, Fade::MinimalCubic];
const SUMS: [OctaveSum; 3] = [OctaveSum::Normalized, OctaveSum::Raw, OctaveSum::Clamped];

fn settings(shape: FractalShape) -> NoiseSettings {
    NoiseSettings { shape, octaves: 5, frequency: 0.01, ..NoiseSettings::default() }
}

fn warped(shape: FractalShape) -> NoiseSettings {
    NoiseSettings { warp_strength: 30.0, warp_frequency: 0.008, ..settings(shape) }
}

fn fast_hash<const N: usize>(settings: &NoiseSettings) -> Fractal<FastHashGradients, N>
where
    FastHashGradients: Lattice<N>,
{
    Fractal::with_offset_octaves(FastHashGradients::new(7), settings, &mut NoiseRng::new(7, 1))
}

/// A position within 600 units of the origin, in steps of 2^-20.
fn position<const N: usize>(rng: &mut NoiseRng) -> [f64; N] {
    std::array::from_fn(|_| f64::from(rng.next_u32() % (1200 << 20)) / f64::from(1 << 20) - 600.0)
}

fn moved<const N: usize>(mut p: [f64; N], axis: usize, by: f64) -> [f64; N] {
    p[axis] += by;
    p
}

#[test]
fn values_stay_within_the_bound() {
    fn check<const N: usize, L: Lattice<N>>(lattice: &L) {
        let mut rng = NoiseRng::new(3, 0);
        for shape in SHAPES {
            for sum in SUMS {
                for exponent in [0.5, 1.0, 3.0] {
                    let settings = NoiseSettings { sum, exponent, amplitude: 1.5, ..warped(shape) };
                    let fractal = Fractal::with_offset_octaves(lattice.clone(), &settings, &mut rng);
                    let bound = fractal.bound();
                    for _ in 0..200 {
                        let value = fractal.value(position(&mut rng));
                        assert!(value.abs() <= bound, "{value} beyond {bound} in {N} dimensions: {settings:?}");
                    }
                }
            }
        }
    }
    check::<1, _>(&FastHashGradients::new(1));
    check::<2, _>(&DiagonalGradients::default());
    check::<2, _>(&BitGradients::new(1));
    check::<3, _>(&HashGradients::new(IntegerHash::Ward, 1));
    check::<4, _>(&FastHashGradients::new(1));
}

#[test]
fn a_sum_without_octaves_has_the_bound_of_nothing() {
    for shape in SHAPES {
        for sum in SUMS {
            let full = NoiseSettings { sum, exponent: 0.5, ..warped(shape) };
            let no_octaves = NoiseSettings { octaves: 0, ..full.clone() };
            let too_coarse = NoiseSettings { max_frequency: 0.5 * full.frequency, ..full.clone() };
            for empty in [no_octaves, too_coarse] {
                let fractal = Fractal::new(FastHashGradients::new(1), &empty);
                assert_eq!((fractal.bound(), fractal.value([7.3, -2.6])), (0.0, 0.0), "{empty:?}");
            }
            assert!(Fractal::<_, 2>::new(FastHashGradients::new(1), &full).bound() > 0.0);
        }
    }
}

/// The formulas of the table in the docs once more, in plain numbers.
#[test]
fn every_shape_adds_up_as_documented() {
    let mut rng = NoiseRng::new(6, 0);
    for shape in SHAPES {
        let settings = NoiseSettings { sum: OctaveSum::Raw, height_scale: 1.0, persistence: 0.6, ..settings(shape) };
        let lattice = DiagonalGradients::default();
        let fractal = Fractal::<_, 2>::new(lattice.clone(), &settings);
        let octaves = Octave::<_, 2>::main(&lattice, &settings, None);
        for _ in 0..200 {
            let p = position(&mut rng);
            let (mut expected, mut weight, mut damping) = (0.0, 1.0_f64, [0.0; 2]);
            for (octave, index) in octaves.iter().zip(0..) {
                let ValueAndGradient { value: n, gradient } = octave.at(Fade::Quintic, p.map(TickCount::from));
                // The bound of diagonals in the plane is 1.
                let m = n;
                let contribution = match shape {
                    FractalShape::Fbm => n,
                    FractalShape::Billow => 2.0 * m.abs() - 1.0,
                    FractalShape::Ridged => {
                        let r = (1.0 - m.abs()).powi(2);
                        let contribution = 2.0 * weight * r - 1.0;
                        weight = (2.0 * weight * r).min(1.0);
                        contribution
                    }
                    FractalShape::Hybrid => {
                        let contribution = weight * (m + 0.7) - 0.7;
                        weight = (weight * (m + 0.7) * 0.6_f64.powi(index)).clamp(0.0, 1.0);
                        contribution
                    }
                    FractalShape::Damped => {
                        damping = [damping[0] + gradient[0], damping[1] + gradient[1]];
                        n / (1.0 + damping[0] * damping[0] + damping[1] * damping[1])
                    }
                };
                expected += 0.6_f64.powi(index) * contribution;
            }
            // The same operations in another order.
            assert!((fractal.value(p) - expected).abs() < 1e-13, "{shape:?} at {p:?}");
        }
    }
}

#[test]
fn sums_are_normalized_raw_or_clamped() {
    let sums = SUMS.map(|sum| {
        let settings = NoiseSettings { sum, amplitude: 4.0, height_scale: 1.0, ..settings(FractalShape::Fbm) };
        fast_hash::<2>(&settings)
    });
    let mut rng = NoiseRng::new(1, 0);
    let mut clamped_ones = 0;
    for _ in 0..500 {
        let p = position(&mut rng);
        let [normalized, raw, clamped] = sums.each_ref().map(|fractal| fractal.value(p));
        // 4 + 2 + 1 + 1/2 + 1/4; divided and multiplied again.
        assert!((normalized * 7.75 - raw).abs() < 1e-15 * 7.75);
        assert_eq!(clamped, raw.clamp(-1.0, 1.0));
        clamped_ones += u32::from(clamped != raw);
    }
    assert!(clamped_ones > 50, "{clamped_ones} of 500");
}

#[test]
fn amplitude_cancels_and_the_height_scale_scales() {
    let plain = fast_hash::<2>(&settings(FractalShape::Fbm));
    let loud = fast_hash::<2>(&NoiseSettings { amplitude: 8.0, ..settings(FractalShape::Fbm) });
    let tall = fast_hash::<2>(&NoiseSettings { height_scale: 200.0, ..settings(FractalShape::Fbm) });
    let at = |f: &Fractal<_, 2>| f.value([12.3, 45.6]);
    assert_eq!(at(&plain), at(&loud));
    assert_eq!(at(&plain) * 2.0, at(&tall));
}

#[test]
fn the_exponent_keeps_the_sign_and_raises_the_magnitude() {
    let plain = fast_hash::<2>(&NoiseSettings { height_scale: 1.0, ..settings(FractalShape::Fbm) });
    let sharp = fast_hash::<2>(&NoiseSettings { height_scale: 1.0, exponent: 2.0, ..settings(FractalShape::Fbm) });
    for i in 0..500 {
        let p = [f64::from(i) * 3.1, f64::from(i) * 1.3];
        let (v, s) = (plain.value(p), sharp.value(p));
        // One rounding each of numbers below 1.
        assert!((s - v.signum() * v * v).abs() < 1e-15);
    }
}

#[test]
fn offset_octaves_remove_the_pinholes_of_integer_lacunarity() {
    let settings = NoiseSettings { frequency: 0.0078125, ..settings(FractalShape::Fbm) };
    let lattice = TableGradients::new(&mut NoiseRng::new(5, 0));
    let plain = Fractal::new(lattice.clone(), &settings);
    let offset = Fractal::with_offset_octaves(lattice, &settings, &mut NoiseRng::new(5, 1));
    assert_eq!(plain.value([128.0, 256.0]), 0.0);
    assert_ne!(offset.value([128.0, 256.0]), 0.0);
}

#[test]
fn a_published_seed_is_that_of_an_integer_hash_without_offsets() {
    let mut kind = LatticeKind::default();
    for index in 0..kind.alternatives().len() {
        kind.choose(index);
        for offset_octaves in [false, true] {
            let settings = NoiseSettings { lattice: kind, offset_octaves, ..settings(FractalShape::Fbm) };
            let found = Fractal::<_, 3>::from_published_seed(&settings, (5 << 32) + 6);
            let expected = match kind {
                LatticeKind::Ward if !offset_octaves => hashed(IntegerHash::Ward, &settings),
                LatticeKind::Shift if !offset_octaves => hashed(IntegerHash::Shift, &settings),
                LatticeKind::ShiftMult if !offset_octaves => hashed(IntegerHash::ShiftMult, &settings),
                _ => Fractal::seeded(&settings, (5 << 32) + 6, 0),
            };
            assert_eq!(found, expected, "{kind:?}, offsets {offset_octaves}");
        }
    }
}

fn hashed(hash: IntegerHash, settings: &NoiseSettings) -> Fractal<AnyLattice<3>, 3> {
    Fractal::new(HashGradients::new(hash, 6).into(), settings)
}

#[test]
fn seeds_change_the_noise() {
    let settings = NoiseSettings { warp_strength: 10.0, ..settings(FractalShape::Damped) };
    let value = |seed, stream| {
        Fractal::<_, 3>::with_offset_octaves(FastHashGradients::new(seed), &settings, &mut NoiseRng::new(1, stream))
            .value([5.0; 3])
    };
    assert_eq!(value(1, 1), value(1, 1));
    assert_ne!(value(1, 1), value(2, 1));
    assert_ne!(value(1, 1), value(1, 2));
}

#[test]
fn a_warp_moves_coordinates_along_each_axis_on_its_own() {
    let settings = NoiseSettings { octaves: 1, ..warped(FractalShape::Fbm) };
    for offset_octaves in [false, true] {
        let lattice = DiagonalGradients::default();
        let compile = |settings| {
            if offset_octaves {
                Fractal::<_, 2>::with_offset_octaves(lattice.clone(), settings, &mut NoiseRng::new(3, 0))
            } else {
                Fractal::new(lattice.clone(), settings)
            }
        };
        let [warped, plain] = [compile(&settings), compile(&NoiseSettings { warp_strength: 0.0, ..settings.clone() })];
        let warps = warped.warps.as_ref().expect("the settings have a warp");
        let mut rng = NoiseRng::new(1, 0);
        for _ in 0..100 {
            let p = position::<2>(&mut rng);
            let [x, y] = warps.each_ref().map(|warp| warp.at::<f64>(p) / warp.total * 30.0);
            assert_ne!(x, y, "the warps are two noises");
            // Positions that differ by a rounding of 1e-13 units.
            assert!((warped.value(p) - plain.value([p[0] + x, p[1] + y])).abs() < 1e-10);
        }
    }
}

#[test]
fn no_octaves_is_flat() {
    for shape in SHAPES {
        let fractal = fast_hash::<2>(&NoiseSettings { octaves: 0, ..warped(shape) });
        assert_eq!(fractal.sample([1.5, 2.5]), ValueAndGradient { value: 0.0, gradient: [0.0; 2] });
    }
}

#[test]
fn absurd_settings_and_places_give_finite_noise() {
    let absurd = [
        NoiseSettings { frequency: 0.0, period_x: 3, warp_strength: 1.0, ..NoiseSettings::default() },
        NoiseSettings { frequency: -1.0, lacunarity: f64::NAN, ..NoiseSettings::default() },
        NoiseSettings { octaves: u32::MAX, lacunarity: 1e300, period_x: u32::MAX, ..NoiseSettings::default() },
        NoiseSettings {
            exponent: 0.1,
            persistence: 0.0,
            warp_strength: 1e300,
            warp_frequency: 1e300,
            ..NoiseSettings::default()
        },
        NoiseSettings { amplitude: 0.0, exponent: -1.0, ..NoiseSettings::default() },
    ];
    for settings in absurd {
        for shape in SHAPES {
            let fractal = fast_hash::<2>(&NoiseSettings { shape, ..settings.clone() });
            for position in [[0.0, 0.0], [1e300, -1e300], [f64::MAX, f64::MIN], [1e-320, -1e-320]] {
                let value = fractal.value(position);
                assert!(value.is_finite(), "{value} at {position:?}: {shape:?}, {settings:?}");
            }
        }
    }
}

#[test]
fn far_from_the_origin_the_noise_is_as_smooth_as_near_it() {
    let fractal = fast_hash::<2>(&NoiseSettings { height_scale: 1.0, ..warped(FractalShape::Fbm) });
    let roughness = |origin: f64| {
        let values: Vec<f64> = (0..500).map(|i| fractal.value([origin + f64::from(i) * 0.125, 3.0])).collect();
        values.windows(3).map(|w| (w[0] - 2.0 * w[1] + w[2]).abs()).fold(0.0, f64::max)
    };
    let near = roughness(0.0);
    for far in [1e6, 1e7, 1e9] {
        assert!(roughness(far) < 4.0 * near, "at {far}: {} against {near}", roughness(far));
    }
}
