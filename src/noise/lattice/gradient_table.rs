//! Lattice: a seeded table of 256 unit gradients, and a shuffled permutation that chooses among them.

use super::{Lattice, gradient_list::GradientList};
use crate::noise::{NoiseRng, Permutation};

/// A table of 256 unit gradients of random directions in `N` dimensions. A shuffled [`Permutation`] chooses the gradient of a
/// node. Period 256 along each axis. Clones share the tables.
///
/// Directions are uniform on the sphere: -1 or 1 on a line, random angles in [0, 2 pi) in the plane. One `ChaCha` sequence gives
/// both tables: first 256 directions, then the shuffle.
///
/// Source: Pintér Bálint, *Perlin-zaj* (2026), sections 2.1 and 2.2. The source leaves the generator open; it is ours.
#[derive(Clone, Debug, PartialEq)]
pub struct GradientTable<const N: usize = 2> {
    gradients: GradientList<N>,
    permutation: Permutation,
}

impl<const N: usize> GradientTable<N> {
    /// The table and the permutation of the next numbers of `rng`.
    #[must_use]
    pub fn new(rng: &mut NoiseRng) -> Self {
        Self { gradients: GradientList::random(rng, 256), permutation: Permutation::shuffled(rng) }
    }

    /// The permutation, which hashes nodes.
    pub(in crate::noise) fn permutation(&self) -> &Permutation {
        &self.permutation
    }
}

impl<const N: usize> Lattice<N> for GradientTable<N> {
    #[inline]
    fn gradient(&self, node: [i64; N]) -> [f64; N] {
        self.gradients.as_slice()[usize::from(self.permutation.hash_n(node))]
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
        let lattice = |seed| GradientTable::<2>::new(&mut NoiseRng::new(seed, 0));
        assert_eq!(lattice(3), lattice(3));
        assert_ne!(lattice(3).gradients, lattice(4).gradients);
        assert_ne!(lattice(3).permutation, lattice(4).permutation);
    }

    #[test]
    fn directions_are_drawn_before_the_shuffle() {
        fn check<const N: usize>() {
            let lattice = GradientTable::<N>::new(&mut NoiseRng::new(5, 0));
            let mut rng = NoiseRng::new(5, 0);
            assert_eq!(lattice.gradients, GradientList::random(&mut rng, 256));
            assert_eq!(lattice.permutation, Permutation::shuffled(&mut rng));
        }
        check::<1>();
        check::<2>();
        check::<3>();
        check::<4>();
    }
}
