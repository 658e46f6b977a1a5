//! How random the directions are. Every seed is fixed, so a test that passes always passes; bounds are five standard deviations
//! or more of what ideal randomness would give.

use super::*;
use crate::{Fade, Perlin};

const SIDE: i64 = 200;

/// The nodes of a square around the origin.
fn nodes() -> impl Iterator<Item = [i64; 2]> {
    (0..SIDE * SIDE).map(|i| [i % SIDE - SIDE / 2, i / SIDE - SIDE / 2])
}

fn hash_of(lattice: FastHashGradients, [x, y]: [i64; 2]) -> u32 {
    FastHashGradients::hash(x as u32, lattice.row_key(&[y]))
}

#[test]
fn gradients_have_the_documented_lengths() {
    let lattice = FastHashGradients::new(3);
    let length = |gradient: &[f64]| gradient.iter().map(|g| g * g).sum::<f64>().sqrt();
    for [x, y] in nodes().step_by(7) {
        assert!(Lattice::<1>::gradient(&lattice, [x])[0].abs() <= 1.0);
        let (plane, space) = (lattice.gradient([x, y]), lattice.gradient([x, y, x - y]));
        let four = lattice.gradient([x, y, x - y, x + y]);
        for found in [length(&plane), length(&space), length(&four)] {
            // A few roundings of numbers up to 1.
            assert!((found - 1.0).abs() < 1e-15, "{found}");
        }
    }
}

#[test]
fn directions_are_the_documented_angles() {
    let mut angles: Vec<f64> = (0..32_u32)
        .map(|i| {
            let [x, y] = direction(i << 27);
            libm::atan2(y, x).to_degrees().rem_euclid(360.0)
        })
        .collect();
    angles.sort_by(f64::total_cmp);
    for (i, angle) in angles.into_iter().enumerate() {
        // An angle below 360 degrees is rounded by 6e-14 in a few places.
        assert!((angle - (i as f64 + 0.5) * 11.25).abs() < 1e-12, "{i}: {angle}");
    }
}

#[test]
fn every_direction_is_as_frequent_as_any_other_in_every_dimension() {
    fn check<const N: usize>(kinds: usize, gradient: impl Fn([i64; 2]) -> [f64; N]) {
        let mut counts = std::collections::HashMap::new();
        for node in nodes() {
            *counts.entry(gradient(node).map(f64::to_bits)).or_insert(0) += 1;
        }
        assert_eq!(counts.len(), kinds, "in {N} dimensions");
        let expected = (SIDE * SIDE) as f64 / kinds as f64;
        for &count in counts.values() {
            // A binomial count has at most the deviation sqrt(expected).
            assert!(
                (f64::from(count) - expected).abs() < 5.0 * expected.sqrt(),
                "in {N} dimensions: {count} of {expected}"
            );
        }
    }
    for seed in [0, 1, 0xdead_beef] {
        let lattice = FastHashGradients::new(seed);
        check(32, |[x, y]| lattice.gradient([x + SIDE * y]));
        check(32, |[x, y]| lattice.gradient([x, y]));
        check(12, |[x, y]| lattice.gradient([x, 4, y]));
        check(32, |[x, y]| lattice.gradient([7, x, 4, y]));
    }
}

/// Of pairs of hashes, how often each of the top five bits differs: about half the time.
fn check_half(what: &str, pairs: impl Iterator<Item = (u32, u32)>) {
    let (mut differing, mut count) = ([0_u32; 5], 0);
    for (one, other) in pairs {
        for (bit, n) in differing.iter_mut().enumerate() {
            *n += (one ^ other) >> (31 - bit) & 1;
        }
        count += 1;
    }
    for n in differing {
        let share = f64::from(n) / f64::from(count);
        // Each pair occurs twice for a bit of a coordinate: 20000 of them, and a deviation of 0.0035.
        assert!((0.482..0.518).contains(&share), "{what}: {differing:?} of {count}");
    }
}

#[test]
fn one_changed_bit_of_a_coordinate_changes_every_bit_of_the_choice_about_half_the_time() {
    let lattice = FastHashGradients::new(11);
    for bit in 0..16 {
        let flip = 1 << bit;
        check_half(
            &format!("bit {bit} of x"),
            nodes().map(|[x, y]| (hash_of(lattice, [x, y]), hash_of(lattice, [x ^ flip, y]))),
        );
        check_half(
            &format!("bit {bit} of y"),
            nodes().map(|[x, y]| (hash_of(lattice, [x, y]), hash_of(lattice, [x, y ^ flip]))),
        );
        let other = FastHashGradients::new(11 ^ flip as u32);
        check_half(
            &format!("bit {bit} of the seed"),
            nodes().map(|node| (hash_of(lattice, node), hash_of(other, node))),
        );
    }
}

#[test]
fn gradients_of_nodes_near_one_another_have_nothing_in_common() {
    for seed in 0..8 {
        let lattice = FastHashGradients::new(seed);
        for dy in 0..=3_i64 {
            for dx in -3..=3_i64 {
                if dy == 0 && dx <= 0 {
                    continue;
                }
                let products = nodes().map(|[x, y]| {
                    let ([ax, ay], [bx, by]) = (lattice.gradient([x, y]), lattice.gradient([x + dx, y + dy]));
                    ax * bx + ay * by
                });
                let mean = products.sum::<f64>() / (SIDE * SIDE) as f64;
                // The product of random unit vectors has the deviation sqrt(1/2); 40000 of them, 0.0035 in the mean.
                assert!(mean.abs() < 0.02, "seed {seed}, {dx}, {dy}: {mean}");
            }
        }
    }
}

#[test]
fn octaves_and_seeds_have_nothing_in_common() {
    let lattice = FastHashGradients::new(5);
    let octave = |index| Lattice::<2>::octave(&lattice, index);
    let others = [
        octave(0),
        octave(1),
        octave(2),
        octave(100),
        FastHashGradients::new(6),
        FastHashGradients::new(5 + (1 << 31)),
    ];
    for (i, one) in others.iter().enumerate() {
        for other in others[i + 1..].iter().chain([&lattice]) {
            let same = nodes().filter(|&node| one.gradient(node) == other.gradient(node)).count();
            // One in 32: 1250 +- 35.
            assert!((1075..1425).contains(&same), "{one:?} and {other:?}: {same}");
        }
    }
}

#[test]
fn noise_is_zero_on_average() {
    let noise = Perlin::new(FastHashGradients::new(1), Fade::Quintic);
    let mut rng = NoiseRng::new(1, 0);
    let count = 100_000;
    let sum: f64 = (0..count).map(|_| noise.value([rng.next_unit() * 1e6 - 5e5, rng.next_unit() * 1e6 - 5e5])).sum();
    // Values have a deviation of about 0.25, so the mean of 100000 has 0.0008.
    assert!((sum / f64::from(count)).abs() < 0.004, "{sum}");
}

#[test]
fn slopes_prefer_no_direction_beyond_what_the_square_lattice_itself_does() {
    let noise = Perlin::new(FastHashGradients::new(2), Fade::Quintic);
    let mut rng = NoiseRng::new(2, 0);
    let (mut energy, mut along) = (0.0, 0.0);
    for _ in 0..200_000 {
        let [x, y] = noise.sample([rng.next_unit() * 1e6 - 5e5, rng.next_unit() * 1e6 - 5e5]).gradient;
        let length = x * x + y * y;
        energy += length;
        // |g|^2 cos(4 theta) by the double angle twice.
        along += if length > 0.0 { (x * x * x * x - 6.0 * x * x * y * y + y * y * y * y) / length } else { 0.0 };
    }
    // Blending along two axes alone gives about -0.10 for directions spread evenly; four directions alone -0.30 to 0.55.
    let anisotropy = along / energy;
    assert!((-0.15..0.05).contains(&anisotropy), "{anisotropy}");
}
