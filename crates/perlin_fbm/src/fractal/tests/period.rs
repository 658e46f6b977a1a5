//! Sums that tile.

use super::*;

/// Settings that tile with 3 by 5 cells of 128 units, the first of which a power of two makes exact.
fn tiled(shape: FractalShape, lacunarity: f64, warp_strength: f64) -> NoiseSettings {
    NoiseSettings {
        frequency: 1.0 / 128.0,
        lacunarity,
        period_x: 3,
        period_y: 5,
        warp_strength,
        height_scale: 1.0,
        ..settings(shape)
    }
}

/// The largest difference between positions and the same ones in other tiles.
fn largest_difference<L: Lattice<2>>(fractal: &Fractal<L, 2>) -> f64 {
    let mut rng = NoiseRng::new(8, 0);
    let mut largest = 0.0_f64;
    for _ in 0..100 {
        let p = position::<2>(&mut rng);
        for [x, y] in [[1.0, 0.0], [0.0, 1.0], [-2.0, 3.0]] {
            largest = largest.max((fractal.value([p[0] + x * 384.0, p[1] + y * 640.0]) - fractal.value(p)).abs());
        }
    }
    largest
}

#[test]
fn a_period_tiles_exactly_where_frequencies_are_exact() {
    for shape in SHAPES {
        // Whole periods of an octave are whole cells in fixed point. The period in units is not a power of two, but a whole
        // number of cells of 128, 64, 32 .. units.
        let mut kind = LatticeKind::default();
        for index in 0..kind.alternatives().len() {
            kind.choose(index);
            let settings = NoiseSettings { lattice: kind, ..tiled(shape, 2.0, 0.0) };
            let mut rng = NoiseRng::new(1, 0);
            let lattice = AnyLattice::random(&settings, &mut rng);
            assert_eq!(largest_difference(&Fractal::new(lattice.clone(), &settings)), 0.0, "{settings:?}");
            assert_eq!(
                largest_difference(&Fractal::with_offset_octaves(lattice, &settings, &mut rng)),
                0.0,
                "{settings:?}"
            );
        }
    }
}

#[test]
fn a_period_tiles_with_any_lacunarity_and_with_a_warp() {
    for shape in SHAPES {
        for warp in [0.0, 20.0] {
            let difference = largest_difference(&fast_hash::<2>(&tiled(shape, 2.03, warp)));
            // A map is exact to half of 2^-64 cells per tick, and tiles are up to 3 * 640 * 1024 ticks apart: 5e-14 cells. A
            // sum's slope is about 10 per cell of any octave. A warped position is a sum of two, rounded to 1e-13 units.
            assert!(difference < 5e-12, "{shape:?}, warp {warp}: {difference}");
        }
    }
}

#[test]
fn without_a_period_nothing_repeats() {
    let settings = NoiseSettings { period_x: 0, period_y: 0, ..tiled(FractalShape::Fbm, 2.0, 0.0) };
    assert!(largest_difference(&fast_hash::<2>(&settings)) > 0.1);
}

#[test]
fn a_period_along_each_axis_repeats_in_every_dimension() {
    fn check<const N: usize>()
    where
        AnyLattice<N>: Lattice<N>,
    {
        let mut kind = LatticeKind::default();
        for index in 0..kind.alternatives().len() {
            kind.choose(index);
            // Stretched by powers of two, so that frequencies stay exact.
            let settings = NoiseSettings {
                lattice: kind,
                period_z: 2,
                period_w: 7,
                stretch_y: 0.5,
                stretch_z: 4.0,
                ..tiled(FractalShape::Ridged, 2.0, 0.0)
            };
            let lengths = [3.0, 5.0 * 0.5, 2.0 * 4.0, 7.0].map(|cells| cells * 128.0);
            let (fractal, noise) =
                (Fractal::<_, N>::seeded(&settings, 1, 0), crate::Noise::<N>::seeded(&settings, 1, 0));
            let mut rng = NoiseRng::new(9, 0);
            for _ in 0..50 {
                let p = position::<N>(&mut rng);
                for (axis, length) in lengths.into_iter().enumerate().take(N) {
                    for periods in [1.0, -3.0] {
                        let next = moved(p, axis, periods * length);
                        assert_eq!(fractal.value(next), fractal.value(p), "{kind:?}, axis {axis} of {N}, at {p:?}");
                        assert_eq!(noise.value(next), noise.value(p), "{kind:?}, axis {axis} of {N}, at {p:?}");
                    }
                    // Half a period is another place.
                    let half = moved(p, axis, length / 2.0);
                    assert_ne!(fractal.value(half), fractal.value(p), "{kind:?}, axis {axis} of {N}, at {p:?}");
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
fn a_loop_in_time_ends_where_it_begins_with_any_lacunarity_and_with_a_warp() {
    let settings = NoiseSettings { period_w: 3, ..tiled(FractalShape::Fbm, 2.03, 20.0) };
    let fractal = Fractal::<_, 4>::seeded(&settings, 1, 0);
    let mut rng = NoiseRng::new(10, 0);
    for _ in 0..100 {
        let p = position::<4>(&mut rng);
        let difference = (fractal.value(moved(p, 3, 384.0)) - fractal.value(p)).abs();
        // As in the plane.
        assert!(difference < 5e-12, "{difference} at {p:?}");
    }
}
