//! Lattice: a seeded table of 256 unit vectors behind a shuffled permutation.

use super::{Lattice, directions::Directions};
use crate::noise::{Permutation, TerrainRng};

/// 256 unit gradients at random angles, chosen by a shuffled [`Permutation`]. Period 256 along each axis. Clones share the
/// tables.
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

    /// The table of 256 gradients, which the permutation's hash is an index of.
    pub(in crate::noise) fn directions(&self) -> &[[f64; 2]] {
        self.directions.as_slice()
    }

    /// What chooses among them.
    pub(in crate::noise) fn permutation(&self) -> &Permutation {
        &self.permutation
    }
}

impl Lattice<2> for UnitGradients {
    #[inline]
    fn gradient(&self, node: [i64; 2]) -> [f64; 2] {
        self.directions()[usize::from(self.permutation.hash_n(node))]
    }

    fn max_length(&self) -> f64 {
        1.0
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

    #[test]
    fn angles_are_drawn_before_the_shuffle() {
        let lattice = UnitGradients::new(&mut TerrainRng::new(5, 0));
        let mut rng = TerrainRng::new(5, 0);
        assert_eq!(lattice.directions, Directions::random(&mut rng, 256));
        assert_eq!(lattice.permutation, Permutation::shuffled(&mut rng));
    }
}
