//! Stretch, rotation and flow.

use super::*;
use crate::{FixedCoord, Noise, NoiseScratch, SampleGrid};

#[test]
fn a_stretched_noise_is_the_same_noise_at_shorter_coordinates() {
    // Powers of two, so that coordinates are exact.
    let plain = settings(FractalShape::Hybrid);
    let stretched = NoiseSettings { stretch_x: 4.0, stretch_y: 0.5, stretch_z: 2.0, ..plain.clone() };
    let [plain, stretched] = [plain, stretched].map(|settings| Fractal::<_, 3>::seeded(&settings, 3, 0));
    let mut rng = NoiseRng::new(1, 0);
    for _ in 0..200 {
        let [x, y, z] = position::<3>(&mut rng);
        let difference = stretched.value([4.0 * x, 0.5 * y, 2.0 * z]) - plain.value([x, y, z]);
        // Frequencies are rounded to 2^-54 cells per unit, so positions to 3e-14 cells; times the height of 100.
        assert!(difference.abs() < 1e-10, "{difference}");
    }
}

#[test]
fn a_rotated_noise_is_the_same_noise_at_rotated_coordinates() {
    let plain = NoiseSettings { stretch_x: 3.0, ..warped(FractalShape::Fbm) };
    let rotated = NoiseSettings { rotation: 0.5, ..plain.clone() };
    let [plain, rotated] = [plain, rotated].map(|settings| Noise::<3>::seeded(&settings, 3, 0));
    let (sin, cos) = (libm::sin(0.5), libm::cos(0.5));
    let mut rng = NoiseRng::new(1, 0);
    for _ in 0..200 {
        let [along, across, z] = position::<3>(&mut rng);
        let world = [cos * along - sin * across, sin * along + cos * across, z];
        let [expected, found] = [plain.sample([along, across, z]), rotated.sample(world)];
        assert!((found.value - expected.value).abs() < 1e-9, "{found:?}, not {expected:?}");
        let [a, b, c] = expected.gradient;
        for (found, expected) in found.gradient.iter().zip([cos * a - sin * b, sin * a + cos * b, c]) {
            assert!((found - expected).abs() < 1e-9, "{found}, not {expected}");
        }
        assert!((f64::from(rotated.value(world)) - expected.value).abs() < 1e-3, "single precision");
    }
}

#[test]
fn a_rotated_grid_has_the_bits_of_single_positions_far_away_too() {
    for warp_strength in [0.0, 25.0] {
        let settings = NoiseSettings { rotation: -2.0, stretch_y: 5.0, warp_strength, ..settings(FractalShape::Fbm) };
        let noise = Noise::seeded(&settings, 3, 0);
        for far in [0.0, 1e9] {
            let grid = SampleGrid::new([far, -far], 2.5, [33, 17]);
            let (mut values, mut scratch) = (vec![0.0; 33 * 17], NoiseScratch::default());
            noise.fill(&grid, &mut scratch, &mut values);
            let mut steps = Vec::new();
            for (index, &value) in values.iter().enumerate() {
                assert_eq!(value, noise.value_at(grid.coord([index % 33, index / 33])));
                steps.extend((index % 33 > 0).then(|| (value - values[index - 1]).abs()));
            }
            // Neighbors differ by 0.025 cells of the first octave, and all of them do.
            assert!(steps.iter().all(|&step| step < 40.0), "{far}");
            assert!(steps.iter().filter(|&&step| step == 0.0).count() < 5, "{far}");
        }
    }
}

#[test]
fn nodes_of_a_rotated_noise_lie_where_its_octaves_are_zero() {
    let settings = NoiseSettings { rotation: 0.6, stretch_x: 2.0, frequency: 0.05, ..settings(FractalShape::Fbm) };
    let fractal = Fractal::<_, 2>::seeded(&settings, 3, 0);
    let nodes: Vec<_> = fractal.nodes(0, [-100.0, -50.0], [100.0, 50.0]).collect();
    // All of them: no more are found in a larger box.
    let is_within = |node: &LatticeNode| (-100.0..=100.0).contains(&node.position[0]) && node.position[1].abs() <= 50.0;
    assert_eq!(fractal.nodes(0, [-400.0; 2], [400.0; 2]).filter(is_within).count(), nodes.len());
    // Cells of 40 by 20 units: 25 in the box.
    assert!((18..=33).contains(&nodes.len()), "{}", nodes.len());
    for node in nodes {
        let [x, y] = node.position;
        assert!((-100.0..=100.0).contains(&x) && (-50.0..=50.0).contains(&y), "{node:?}");
        let at = fractal.octave(0, node.position).expect("there is an octave");
        assert!(at.value.abs() < 1e-9, "{node:?}: {at:?}");
    }
    let even = Fractal::<_, 2>::seeded(&NoiseSettings { stretch_x: 1.0, ..settings }, 3, 0);
    for node in even.nodes(0, [-100.0, -50.0], [100.0, 50.0]) {
        let at = even.octave(0, node.position).expect("there is an octave");
        for (found, expected) in at.gradient.iter().zip(node.gradient.map(|slope| slope * 0.05)) {
            assert!((found - expected).abs() < 1e-9, "{node:?}: {at:?}");
        }
    }
}

#[test]
fn a_flow_returns_after_one_and_moves_smoothly_in_between() {
    fn check<const N: usize>()
    where
        AnyLattice<N>: Lattice<N>,
    {
        let noise = |lattice, flow| {
            let settings =
                NoiseSettings { lattice, flow, period_x: 6, height_scale: 1.0, ..settings(FractalShape::Fbm) };
            Noise::<N>::seeded(&settings, 3, 0)
        };
        let mut rng = NoiseRng::new(2, 0);
        let positions: Vec<[f64; N]> = (0..50).map(|_| position(&mut rng)).collect();
        for lattice in [LatticeKind::Table, LatticeKind::Grid] {
            let values = |flow| {
                let noise = noise(lattice, flow);
                positions.iter().map(|&p| noise.value(p)).collect::<Vec<f32>>()
            };
            let start = values(0.0);
            assert_eq!(start, values(1.0), "{lattice:?} in {N} dimensions");
            let difference = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
            // A step of 1/100 turns gradients of length 1 by at most 0.13.
            let steps = (0..100).map(|i| difference(&values(f64::from(i) / 100.0), &values(f64::from(i + 1) / 100.0)));
            assert!(steps.fold(0.0, f32::max) < 0.13, "{lattice:?} in {N} dimensions");
            assert!(difference(&start, &values(0.4)) > 0.1, "{lattice:?} in {N} dimensions");
            // After half of it, some gradients have turned once, and others by half a turn: not all are back or opposite.
            for sign in [1.0, -1.0] {
                let start: Vec<f32> = start.iter().map(|value| sign * value).collect();
                assert!(difference(&start, &values(0.5)) > 0.1, "{lattice:?} in {N} dimensions");
            }
        }
        let hashed = noise(LatticeKind::FastHash, 0.4);
        assert_eq!(hashed, noise(LatticeKind::FastHash, 0.0), "a lattice without a table");
    }
    check::<1>();
    check::<2>();
    check::<3>();
    check::<4>();
}

#[test]
fn numbers_out_of_range_never_panic() {
    for odd in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e-300, 1e300] {
        let settings = NoiseSettings {
            lattice: LatticeKind::Table,
            stretch_x: odd,
            stretch_z: odd,
            rotation: odd,
            flow: odd,
            period_z: u32::MAX,
            ..warped(FractalShape::Damped)
        };
        let noise = Noise::<3>::seeded(&settings, 3, 0);
        for p in [[0.0; 3], [1e9, -7.5, f64::NAN], [f64::INFINITY, 3.0, -1e300]] {
            let value = noise.value_at(p.map(FixedCoord::from));
            assert!(value.is_finite(), "{value} with {odd} at {p:?}");
            _ = noise.sample(p);
        }
    }
}
