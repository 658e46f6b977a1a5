//! Random unit vectors, in both precisions.

use super::{Real, TerrainRng};
use std::f64::consts::TAU;

/// A list of unit vectors at random angles in [0, 2 pi). Sine and cosine are `libm`'s, so it has the same bits everywhere.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Directions {
    single: Box<[[f32; 2]]>,
    double: Box<[[f64; 2]]>,
}

impl Directions {
    /// The next `count` angles of `rng`.
    ///
    /// # Panics
    ///
    /// When so many don't fit in the address space.
    pub fn random(rng: &mut TerrainRng, count: u64) -> Self {
        let double: Box<[[f64; 2]]> = (0..count)
            .map(|_| {
                let angle = rng.next_unit() * TAU;
                [libm::cos(angle), libm::sin(angle)]
            })
            .collect();
        Self { single: double.iter().map(|&[x, y]| [x as f32, y as f32]).collect(), double }
    }

    /// The vector at `index`, which must be below the count.
    #[inline]
    pub fn get<R: Real>(&self, index: usize) -> [R; 2] {
        // Decided at compile time: the list in the type that is asked for, so that nothing is converted per sample.
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
    fn vectors_have_unit_length_and_spread_over_the_circle() {
        for seed in 0..8 {
            let directions = Directions::random(&mut TerrainRng::new(seed, 0), 256);
            let mut octants = [0; 8];
            for index in 0..256 {
                let [x, y] = directions.get::<f64>(index);
                // Cosine and sine are each off by one rounding, 1.1e-16 at most.
                assert!((x.hypot(y) - 1.0).abs() < 1e-15);
                assert_eq!(directions.get::<f32>(index), [x as f32, y as f32]);
                octants[((y.atan2(x) + TAU) / TAU * 8.0) as usize % 8] += 1;
            }
            // 256 uniform angles put 32 +- 5.3 into an octant; fewer than 10 is over four sigma off.
            assert!(octants.iter().all(|&n| n >= 10), "seed {seed}: {octants:?}");
        }
    }
}
