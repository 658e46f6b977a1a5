//! Random unit vectors.

use crate::noise::NoiseRng;
use std::{f64::consts::TAU, sync::Arc};

/// A list of unit vectors at random angles in [0, 2 pi). Sine and cosine are `libm`'s, so it has the same bits everywhere.
/// Clones share it.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::noise) struct Directions(Arc<[[f64; 2]]>);

impl Directions {
    /// The next `count` angles of `rng`.
    ///
    /// # Panics
    ///
    /// When so many don't fit in the address space.
    pub fn random(rng: &mut NoiseRng, count: u64) -> Self {
        let direction = |_| {
            let angle = rng.next_unit() * TAU;
            [libm::cos(angle), libm::sin(angle)]
        };
        Self((0..count).map(direction).collect())
    }

    /// All of them.
    #[inline]
    pub fn as_slice(&self) -> &[[f64; 2]] {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectors_have_unit_length_and_spread_over_the_circle() {
        for seed in 0..8 {
            let directions = Directions::random(&mut NoiseRng::new(seed, 0), 256);
            let mut octants = [0; 8];
            for &[x, y] in directions.as_slice() {
                // Cosine and sine are each off by one rounding, 1.1e-16 at most.
                assert!((x.hypot(y) - 1.0).abs() < 1e-15);
                octants[((y.atan2(x) + TAU) / TAU * 8.0) as usize % 8] += 1;
            }
            // 256 uniform angles put 32 +- 5.3 into an octant; fewer than 10 is over four sigma off.
            assert!(octants.iter().all(|&n| n >= 10), "seed {seed}: {octants:?}");
        }
    }
}
