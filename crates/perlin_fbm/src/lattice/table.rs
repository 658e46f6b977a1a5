//! Lattice: a seeded table of 256 unit gradients, and a shuffled permutation that chooses among them.

use super::{Lattice, gradient_list::GradientList};
use crate::cell::each_corner;
use crate::{NoiseRng, Permutation};

/// A table of 256 unit gradients of random directions in `N` dimensions. A shuffled [`Permutation`] chooses the gradient of a
/// node. Period 256 along each axis. Clones share the tables.
///
/// Directions are uniform on the sphere: -1 or 1 on a line, random angles in [0, 2 pi) in the plane. One `ChaCha` sequence gives
/// both tables: first 256 directions, then the shuffle.
///
/// Source: Pintér Bálint, *Perlin-zaj* (2026), sections 2.1 and 2.2. The source leaves the generator open; it is ours.
#[derive(Clone, Debug, PartialEq)]
pub struct TableGradients<const N: usize = 2> {
    gradients: GradientList<N>,
    permutation: Permutation,
}

impl<const N: usize> TableGradients<N> {
    /// The table and the permutation of the next numbers of `rng`.
    #[must_use]
    pub fn new(rng: &mut NoiseRng) -> Self {
        Self { gradients: GradientList::random(rng, 256), permutation: Permutation::shuffled(rng) }
    }

    /// A table of your own. The gradient of a node is `vectors[hash % vectors.len()]`, where `permutation` gives the hash, from 0
    /// to 255. Of more than 256 vectors, only the first 256 are used. Without any, all gradients are zero.
    ///
    /// Vectors may have any length. Components are clamped to \[-10^6, 10^6\], and NaN counts as 0.
    ///
    /// ```
    /// use perlin_fbm::{Fade, TableGradients, Perlin, Permutation};
    ///
    /// // Four directions along the axes.
    /// let vectors = [[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]];
    /// let noise = Perlin::new(TableGradients::from_parts(Permutation::perlin(), &vectors), Fade::Quintic);
    /// // The hash of node (0, 0) is P[P[0]] = P[151] = 17, and 17 % 4 = 1.
    /// assert_eq!(noise.sample([0.0, 0.0]).gradient, [0.0, 1.0]);
    /// ```
    #[must_use]
    pub fn from_parts(permutation: Permutation, vectors: &[[f64; N]]) -> Self {
        let vectors = if vectors.is_empty() { &[[0.0; N]] } else { vectors };
        Self { gradients: GradientList::from_gradients(vectors.iter().copied().cycle().take(256)), permutation }
    }

    /// The same table with gradients that have turned: from 0 to 1 they flow, and 1 is 0 again. See
    /// [`NoiseSettings::flow`](crate::NoiseSettings::flow).
    #[must_use]
    pub fn flowed(self, flow: f64) -> Self {
        Self { gradients: self.gradients.flowed(flow), ..self }
    }

    /// The permutation, which hashes nodes.
    pub(crate) fn permutation(&self) -> &Permutation {
        &self.permutation
    }
}

impl<const N: usize> Lattice<N> for TableGradients<N> {
    #[inline]
    fn gradient(&self, node: [i64; N]) -> [f64; N] {
        self.gradients.as_slice()[usize::from(self.permutation.hash_n(node))]
    }

    #[inline]
    fn corners(&self, sides: [[i64; 2]; N]) -> [[f64; N]; 16] {
        let gradients = self.gradients.as_slice();
        let hashes = self.permutation.hash_corners(sides);
        each_corner::<N, _>([0.0; N], |corner| gradients[usize::from(hashes[corner])])
    }

    fn max_length(&self) -> f64 {
        self.gradients.max_length()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_give_different_tables() {
        let lattice = |seed| TableGradients::<2>::new(&mut NoiseRng::new(seed, 0));
        assert_eq!(lattice(3), lattice(3));
        assert_ne!(lattice(3).gradients, lattice(4).gradients);
        assert_ne!(lattice(3).permutation, lattice(4).permutation);
    }

    #[test]
    fn own_vectors_repeat_until_there_are_256() {
        let permutation = Permutation::shuffled(&mut NoiseRng::new(2, 0));
        for count in [1_u8, 2, 3, 7, 100, 255] {
            let vectors: Vec<[f64; 3]> = (0..count).map(|i| [f64::from(i), 0.5, -1.5]).collect();
            let table = TableGradients::from_parts(permutation.clone(), &vectors);
            for x in 0..256 {
                let hash = permutation.hash_n([x, -4, 5]);
                assert_eq!(table.gradient([x, -4, 5]), vectors[usize::from(hash % count)]);
            }
            let longest = f64::from(count - 1).hypot(2.5_f64.sqrt());
            // A few roundings of numbers up to 255.
            assert!((table.max_length() - longest).abs() < 1e-12, "{count} vectors: {}", table.max_length());
        }
        let many: Vec<[f64; 1]> = (0..1000).map(|i| [f64::from(i)]).collect();
        assert_eq!(TableGradients::from_parts(permutation.clone(), &many).max_length(), 255.0);
        assert_eq!(TableGradients::from_parts(permutation, &[]).gradient([3, 4]), [0.0; 2]);
    }

    #[test]
    fn directions_are_drawn_before_the_shuffle() {
        fn check<const N: usize>() {
            let lattice = TableGradients::<N>::new(&mut NoiseRng::new(5, 0));
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
