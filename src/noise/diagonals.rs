//! Lattice: Perlin's permutation and the four diagonals.

use super::{Lattice, Permutation, Real};

/// Four diagonal gradients chosen by the low two bits of Perlin's published permutation. Period 256 along each axis, no
/// seed: a fixed reference whose values are published.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DiagonalGradients {
    permutation: Permutation,
}

impl Default for DiagonalGradients {
    fn default() -> Self {
        Self { permutation: Permutation::perlin() }
    }
}

impl Lattice for DiagonalGradients {
    const MAX_LENGTH: f64 = std::f64::consts::SQRT_2;

    #[inline]
    fn gradient<R: Real>(&self, x: i64, y: i64) -> [R; 2] {
        let (plus, minus) = (R::from_f64(1.0), R::from_f64(-1.0));
        match self.permutation.hash(x, y) & 3 {
            0 => [plus, plus],
            1 => [minus, plus],
            2 => [minus, minus],
            _ => [plus, minus],
        }
    }
}
