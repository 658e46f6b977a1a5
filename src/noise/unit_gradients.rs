//! Lattice: a seeded table of 256 unit vectors behind a shuffled permutation.

use super::directions::Directions;
use super::{Lattice, Permutation, Real, TerrainRng};

/// 256 unit gradients at random angles, chosen by a shuffled [`Permutation`]. Period 256 along each axis.
///
/// Both tables come from one `ChaCha` sequence: first 256 angles in [0, 2 pi), then the shuffle.
///
/// Source: Pintér Bálint, *Perlin-zaj* (2026), sections 2.1 and 2.2. The generator is left open there; it is ours.
#[derive(Clone, Debug, PartialEq)]
pub struct UnitGradients {
    directions: Directions,
    permutation: Permutation,
}

impl UnitGradients {
    /// The tables of one sequence of `rng`.
    #[must_use]
    pub fn new(rng: &mut TerrainRng) -> Self {
        Self { directions: Directions::random(rng, 256), permutation: Permutation::shuffled(rng) }
    }
}

impl Lattice for UnitGradients {
    const MAX_LENGTH: f64 = 1.0;

    #[inline]
    fn gradient<R: Real>(&self, x: i64, y: i64) -> [R; 2] {
        self.directions.get(usize::from(self.permutation.hash(x, y)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_give_different_tables() {
        let lattice = |seed| UnitGradients::new(&mut TerrainRng::new(seed, 0));
        assert_eq!(lattice(3), lattice(3));
        assert_ne!(lattice(3).directions, lattice(4).directions);
        assert_ne!(lattice(3).permutation, lattice(4).permutation);
    }
}
