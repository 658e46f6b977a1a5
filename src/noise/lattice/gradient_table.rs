//! Lattice: a seeded table of 256 unit gradients, and a shuffled permutation that chooses among them.

use super::{Lattice, directions::Directions};
use crate::noise::{NoiseRng, Permutation};

/// A table of 256 unit gradients at random angles. A shuffled [`Permutation`] chooses the gradient of a node. Period 256 along
/// each axis. Clones share the tables.
///
/// One `ChaCha` sequence gives both tables: first 256 angles in [0, 2 pi), then the shuffle.
///
/// Source: Pintér Bálint, *Perlin-zaj* (2026), sections 2.1 and 2.2. The source leaves the generator open; it is ours.
#[derive(Clone, Debug, PartialEq)]
pub struct GradientTable {
    directions: Directions,
    permutation: Permutation,
}

impl GradientTable {
    /// The table and the permutation of the next numbers of `rng`.
    #[must_use]
    pub fn new(rng: &mut NoiseRng) -> Self {
        Self { directions: Directions::random(rng, 256), permutation: Permutation::shuffled(rng) }
    }

    /// The 256 gradients, which the hash of a node indexes.
    pub(in crate::noise) fn directions(&self) -> &[[f64; 2]] {
        self.directions.as_slice()
    }

    /// The permutation, which hashes nodes.
    pub(in crate::noise) fn permutation(&self) -> &Permutation {
        &self.permutation
    }
}

impl Lattice<2> for GradientTable {
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
        let lattice = |seed| GradientTable::new(&mut NoiseRng::new(seed, 0));
        assert_eq!(lattice(3), lattice(3));
        assert_ne!(lattice(3).directions, lattice(4).directions);
        assert_ne!(lattice(3).permutation, lattice(4).permutation);
    }

    #[test]
    fn angles_are_drawn_before_the_shuffle() {
        let lattice = GradientTable::new(&mut NoiseRng::new(5, 0));
        let mut rng = NoiseRng::new(5, 0);
        assert_eq!(lattice.directions, Directions::random(&mut rng, 256));
        assert_eq!(lattice.permutation, Permutation::shuffled(&mut rng));
    }
}
