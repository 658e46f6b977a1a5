//! Lattice: Perlin's permutation and the diagonals.

use super::Lattice;
use crate::Permutation;
use crate::cell::each_corner;

/// Diagonal gradients in 1 to 4 dimensions: the `2^N` corners of a cube, four in the plane. The low `N` bits of a
/// [`Permutation`] choose one. Period 256 along each axis. With Perlin's published permutation, the default, it has no seed: a
/// fixed reference whose values are published.
///
/// Component `i` is negative if bit `i` of the Gray code `h ^ (h >> 1)` of the hash `h` is set. So corner `h + 1` of the list is
/// a neighbor of corner `h`, as in the source's `(1, 1), (-1, 1), (-1, -1), (1, -1)`.
///
/// Source: *2차원 펄린 노이즈* (two-dimensional Perlin noise), the report of a C++ program. Other dimensions than two are ours.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DiagonalGradients {
    permutation: Permutation,
}

impl DiagonalGradients {
    /// The same lattice with another permutation.
    #[must_use]
    pub fn with_permutation(self, permutation: Permutation) -> Self {
        Self { permutation }
    }

    /// The permutation, which hashes nodes.
    pub(crate) fn permutation(&self) -> &Permutation {
        &self.permutation
    }
}

impl Default for DiagonalGradients {
    fn default() -> Self {
        Self { permutation: Permutation::perlin() }
    }
}

/// The corner of a cube that the low `N` bits of `hash` choose.
#[inline]
fn diagonal<const N: usize>(hash: u8) -> [f64; N] {
    let signs = hash & ((1 << N) - 1);
    let signs = signs ^ (signs >> 1);
    std::array::from_fn(|axis| if signs >> axis & 1 == 0 { 1.0 } else { -1.0 })
}

macro_rules! diagonal_gradients {
    ($($n:literal),+) => {$(
        impl Lattice<$n> for DiagonalGradients {
            #[inline]
            fn gradient(&self, node: [i64; $n]) -> [f64; $n] {
                diagonal(self.permutation.hash_n(node))
            }

            #[inline]
            fn corners(&self, sides: [[i64; 2]; $n]) -> [[f64; $n]; 16] {
                let hashes = self.permutation.hash_corners(sides);
                each_corner::<$n, _>([0.0; $n], |corner| diagonal(hashes[corner]))
            }

            fn max_length(&self) -> f64 {
                f64::sqrt($n as f64)
            }
        }
    )+};
}

diagonal_gradients!(1, 2, 3, 4);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_nodes_have_the_diagonals_of_the_published_permutation() {
        // P[0] = 151; P[151 + 0] = 17, P[151 + 1] = 182, P[151 + 2] = 189, P[151 + 3] = 28: low bits 1, 2, 1, 0.
        let lattice = DiagonalGradients::default();
        let column = [0, 1, 2, 3].map(|y| lattice.gradient([0, y]));
        assert_eq!(column, [[-1.0, 1.0], [-1.0, -1.0], [-1.0, 1.0], [1.0, 1.0]]);
    }

    #[test]
    fn all_corners_are_gradients_and_neighbors_in_the_list_differ_in_one_sign() {
        fn check<const N: usize>()
        where
            DiagonalGradients: Lattice<N>,
        {
            let lattice = DiagonalGradients::default();
            let mut corners = vec![[0.0; N]; 1 << N];
            for x in 0..256 {
                let node = std::array::from_fn(|axis| if axis == 0 { x } else { 0 });
                corners[usize::from(lattice.permutation.hash_n(node)) % (1 << N)] = lattice.gradient(node);
            }
            for (i, corner) in corners.iter().enumerate() {
                assert!(corner.iter().all(|c| c.abs() == 1.0), "{corner:?}");
                let next = &corners[(i + 1) % corners.len()];
                assert_eq!((0..N).filter(|&axis| corner[axis] != next[axis]).count(), 1, "{corner:?} and {next:?}");
                assert!(!corners[..i].contains(corner));
            }
        }
        check::<1>();
        check::<2>();
        check::<3>();
        check::<4>();
    }
}
