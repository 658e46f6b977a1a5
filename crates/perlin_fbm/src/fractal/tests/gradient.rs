//! Gradients against differences.

use super::*;

/// Compares the gradient with central differences at `count` positions.
fn check_gradient<const N: usize, L: Lattice<N>>(fractal: &Fractal<L, N>, what: &str, count: u32) {
    let mut rng = NoiseRng::new(5, 0);
    let h = 1.0 / f64::from(1 << 13);
    for _ in 0..count {
        let p = position(&mut rng);
        let sample = fractal.sample(p);
        assert_eq!(sample.value, fractal.value(p), "{what} at {p:?}");
        for axis in 0..N {
            let at = |steps: f64| fractal.value(moved(p, axis, steps * h));
            let central = (8.0 * (at(1.0) - at(-1.0)) - (at(2.0) - at(-2.0))) / (12.0 * h);
            // The error of this difference is h^4 / 30 times the fifth derivative. The finest octave has 0.26 cells per unit,
            // h is 3e-5 of them, so that is nothing; what counts is rounding, 1e-16 / h = 1e-12 for values of about 1, and
            // positions that are cut off at 2^-53 cells.
            let error = (central - sample.gradient[axis]).abs();
            // Creases (of the linear fade at cell borders, the cubic one's in its slope, of ridges, of cut-off weights) are
            // lines: a position within 2h of one may see it. There the gradient is that of one side.
            let one_sided = [1.0, -1.0].map(|side| {
                let difference = (4.0 * at(side) - at(2.0 * side)) - 3.0 * sample.value;
                (difference / (2.0 * h * side) - sample.gradient[axis]).abs()
            });
            let on_a_crease = one_sided.into_iter().any(|error| error < 1e-5);
            assert!(error < 1e-8 || on_a_crease, "{what} in {N} dimensions at {p:?}, axis {axis}: {error}");
        }
    }
}

#[test]
fn the_gradient_is_the_slope_that_differences_show_for_every_shape_fade_and_dimension() {
    fn check<const N: usize>()
    where
        FastHashGradients: Lattice<N>,
    {
        for shape in SHAPES {
            for fade in FADES {
                for sum in SUMS {
                    let plain =
                        NoiseSettings { fade, sum, amplitude: 1.5, height_scale: 1.0, octaves: 4, ..settings(shape) };
                    let shaped = NoiseSettings { exponent: 1.7, period_x: 9, period_y: 13, ..plain.clone() };
                    let warped = NoiseSettings { warp_strength: 30.0, warp_frequency: 0.008, ..shaped.clone() };
                    let rotated = NoiseSettings { rotation: 0.7, stretch_x: 3.0, stretch_y: 0.8, ..warped.clone() };
                    for settings in [plain, shaped, warped, rotated] {
                        check_gradient::<N, _>(&fast_hash::<N>(&settings), &format!("{settings:?}"), 8);
                    }
                }
            }
        }
    }
    check::<1>();
    check::<2>();
    check::<3>();
    check::<4>();
}

#[test]
fn the_gradient_is_the_slope_that_differences_show_over_every_lattice() {
    fn check<const N: usize>()
    where
        AnyLattice<N>: Lattice<N>,
    {
        let mut kind = LatticeKind::default();
        for index in 0..kind.alternatives().len() {
            kind.choose(index);
            for shape in SHAPES {
                for offset_octaves in [false, true] {
                    let settings =
                        NoiseSettings { lattice: kind, height_scale: 1.0, octaves: 4, offset_octaves, ..warped(shape) };
                    let fractal = Fractal::<_, N>::seeded(&settings, 1, 0);
                    check_gradient(&fractal, &format!("{settings:?}"), 40 / (1 << N));
                }
            }
        }
    }
    check::<1>();
    check::<2>();
    check::<3>();
    check::<4>();
}
