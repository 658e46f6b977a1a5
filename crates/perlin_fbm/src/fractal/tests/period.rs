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
        assert_eq!(largest_difference(&fast_hash::<2>(&tiled(shape, 2.03, 0.0))), 0.0, "{shape:?}");
        let difference = largest_difference(&fast_hash::<2>(&tiled(shape, 2.03, 20.0)));
        // A sum's slope is about 10 per cell of any octave. A warped position is a sum of two, rounded to 1e-13 units.
        assert!(difference < 5e-12, "{shape:?}, with a warp: {difference}");
    }
}

#[test]
fn any_period_of_whole_ticks_has_the_same_bits_everywhere_with_a_warp_too() {
    fn check<const N: usize>(rng: &mut NoiseRng)
    where
        AnyLattice<N>: Lattice<N>,
    {
        // Lengths of up to 400 units, which are no powers of two.
        let (cells, ticks) = (rng.next_u32() % 7 + 1, rng.next_u32() % 400_000 + 9000);
        let length = f64::from(ticks) / 1024.0;
        let settings = NoiseSettings {
            frequency: f64::from(cells) / length,
            period_x: cells,
            period_y: cells,
            period_z: cells,
            period_w: cells,
            octaves: 5,
            lacunarity: rng.next_in(1.7, 2.6),
            warp_strength: 15.0,
            warp_frequency: rng.next_in(0.005, 0.03),
            warp_octaves: 2,
            ..NoiseSettings::default()
        };
        let noise = crate::Noise::<N>::seeded(&settings, rng.next_u64(), 0);
        for _ in 0..40 {
            // Multiples of 2^-12, so that a coordinate is the same in each period.
            let p = [0; N].map(|_| (rng.next_in(-500.0, 500.0) * 4096.0).round() / 4096.0);
            for axis in 0..N {
                for periods in [1.0, -1.0, 1000.0, -1e6] {
                    let next = moved(p, axis, periods * length);
                    assert_eq!(
                        noise.value(next).to_bits(),
                        noise.value(p).to_bits(),
                        "axis {axis}, {p:?}, {settings:?}"
                    );
                }
            }
        }
    }
    let mut rng = NoiseRng::new(12, 0);
    for _ in 0..25 {
        check::<1>(&mut rng);
        check::<2>(&mut rng);
        check::<3>(&mut rng);
        check::<4>(&mut rng);
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
fn a_grid_across_the_ends_of_periods_has_the_bits_of_single_positions() {
    for (frequency, step_ticks) in [(0.03, 1024), (0.03, 300 * 1024), (0.03, -700), (1.0 / 128.0, 1024)] {
        for shape in SHAPES {
            let settings = NoiseSettings { frequency, ..tiled(shape, 2.03, 0.0) };
            let noise = crate::Noise::<2>::seeded(&settings, 3, 0);
            let grid = crate::SampleGrid { step_ticks, ..crate::SampleGrid::new([-400.0, 90.0], 1.0, [230, 41]) };
            let map = noise.map(&grid);
            for (coord, value) in grid.coords().zip(map.values()) {
                assert_eq!(noise.value_at(coord).to_bits(), value.to_bits(), "{shape:?}, {frequency}, {coord:?}");
            }
        }
    }
}
