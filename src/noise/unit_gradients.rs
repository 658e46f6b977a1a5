//! Lattice: a seeded table of 256 unit vectors behind a shuffled permutation.

use super::{Lattice, Permutation, Real, TerrainRng};
use std::f64::consts::TAU;

/// 256 unit gradients at random angles, chosen by a shuffled [`Permutation`]. Period 256 along each axis.
///
/// Both tables come from one `ChaCha` sequence: first 256 angles in [0, 2 pi), then the shuffle. Sine and cosine are `libm`'s,
/// so the table has the same bits everywhere.
///
/// Source: Pintér Bálint, *Perlin-zaj* (2026), sections 2.1 and 2.2. The generator is left open there; it is ours.
#[derive(Clone, Debug, PartialEq)]
pub struct UnitGradients {
    single: [[f32; 2]; 256],
    double: [[f64; 2]; 256],
    permutation: Permutation,
}

impl UnitGradients {
    /// The tables of one sequence of `rng`.
    #[must_use]
    pub fn new(rng: &mut TerrainRng) -> Self {
        let double = std::array::from_fn(|_| {
            let angle = rng.next_unit() * TAU;
            [libm::cos(angle), libm::sin(angle)]
        });
        Self {
            single: double.map(|[x, y]: [f64; 2]| [x as f32, y as f32]),
            double,
            permutation: Permutation::shuffled(rng),
        }
    }
}

impl Lattice for UnitGradients {
    const MAX_LENGTH: f64 = 1.0;

    #[inline]
    fn gradient<R: Real>(&self, x: i64, y: i64) -> [R; 2] {
        let index = usize::from(self.permutation.hash(x, y));
        // Decided at compile time: the table in the type that is asked for, so that nothing is converted per sample.
        if size_of::<R>() == size_of::<f32>() {
            self.single[index].map(|c| R::from_f64(f64::from(c)))
        } else {
            self.double[index].map(R::from_f64)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gradients_have_unit_length_and_spread_over_the_circle() {
        for seed in 0..8 {
            let lattice = UnitGradients::new(&mut TerrainRng::new(seed, 0));
            let mut octants = [0; 8];
            for [x, y] in lattice.double {
                assert!((x.hypot(y) - 1.0).abs() < 1e-15);
                octants[((y.atan2(x) + TAU) / TAU * 8.0) as usize % 8] += 1;
            }
            // 256 uniform angles put 32 +- 5.3 into an octant; fewer than 10 is over four sigma off.
            assert!(octants.iter().all(|&n| n >= 10), "seed {seed}: {octants:?}");
        }
    }

    #[test]
    fn seeds_give_different_tables() {
        let lattice = |seed| UnitGradients::new(&mut TerrainRng::new(seed, 0));
        assert_eq!(lattice(3), lattice(3));
        assert_ne!(lattice(3).double, lattice(4).double);
    }
}
