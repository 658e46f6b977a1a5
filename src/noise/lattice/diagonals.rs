//! Lattice: Perlin's permutation and the four diagonals.

use super::Lattice;
use crate::noise::Permutation;

/// Four diagonal gradients chosen by the low two bits of Perlin's published permutation. Period 256 along each axis, no
/// seed: a fixed reference whose values are published.
///
/// Source: *2차원 펄린 노이즈* (two-dimensional Perlin noise), the report of a C++ program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DiagonalGradients {
    permutation: Permutation,
}

/// By the low two bits of the hash.
pub(in crate::noise) const DIAGONALS: [[f64; 2]; 4] = [[1.0, 1.0], [-1.0, 1.0], [-1.0, -1.0], [1.0, -1.0]];

impl DiagonalGradients {
    /// The permutation, which hashes nodes.
    pub(in crate::noise) fn permutation(&self) -> &Permutation {
        &self.permutation
    }
}

impl Default for DiagonalGradients {
    fn default() -> Self {
        Self { permutation: Permutation::perlin() }
    }
}

impl Lattice<2> for DiagonalGradients {
    #[inline]
    fn gradient(&self, node: [i64; 2]) -> [f64; 2] {
        DIAGONALS[usize::from(self.permutation.hash_n(node) & 3)]
    }

    fn max_length(&self) -> f64 {
        std::f64::consts::SQRT_2
    }
}

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
}
