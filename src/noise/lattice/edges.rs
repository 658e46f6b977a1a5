//! Lattice: Perlin's noise of 2002.

use super::Lattice;
use crate::noise::Permutation;

/// The gradients of Perlin's improved noise: the 12 edges of a cube, chosen by the low four bits of his published permutation.
/// Period 256 along each axis, no seed.
///
/// In space this is the reference implementation. In the plane it is the plane z = 0 of that space, where the z of a gradient
/// does not count: of 16 hashes 6 choose a diagonal and 10 a direction along an axis.
///
/// Source: Ken Perlin, *Improving noise* (SIGGRAPH 2002) and its reference implementation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EdgeGradients {
    permutation: Permutation,
}

/// By the low four bits of the hash: twelve edges, and four of them once more.
pub(in crate::noise) const EDGES: [[f64; 3]; 16] = [
    [1.0, 1.0, 0.0],
    [-1.0, 1.0, 0.0],
    [1.0, -1.0, 0.0],
    [-1.0, -1.0, 0.0],
    [1.0, 0.0, 1.0],
    [-1.0, 0.0, 1.0],
    [1.0, 0.0, -1.0],
    [-1.0, 0.0, -1.0],
    [0.0, 1.0, 1.0],
    [0.0, -1.0, 1.0],
    [0.0, 1.0, -1.0],
    [0.0, -1.0, -1.0],
    [1.0, 1.0, 0.0],
    [0.0, -1.0, 1.0],
    [-1.0, 1.0, 0.0],
    [0.0, -1.0, -1.0],
];

impl EdgeGradients {
    /// The permutation, which hashes nodes.
    pub(in crate::noise) fn permutation(&self) -> &Permutation {
        &self.permutation
    }
}

impl Default for EdgeGradients {
    fn default() -> Self {
        Self { permutation: Permutation::perlin() }
    }
}

impl Lattice<3> for EdgeGradients {
    #[inline]
    fn gradient(&self, node: [i64; 3]) -> [f64; 3] {
        EDGES[usize::from(self.permutation.hash_n(node) & 15)]
    }

    fn max_length(&self) -> f64 {
        std::f64::consts::SQRT_2
    }
}

impl Lattice<2> for EdgeGradients {
    #[inline]
    fn gradient(&self, [x, y]: [i64; 2]) -> [f64; 2] {
        let [gx, gy, _] = self.gradient([x, y, 0]);
        [gx, gy]
    }

    fn max_length(&self) -> f64 {
        std::f64::consts::SQRT_2
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::noise::{Fade, NoiseRng, Perlin};

    #[test]
    fn edges_are_those_of_the_reference_implementation() {
        for (h, edge) in EDGES.iter().enumerate() {
            let place = [0.25, 0.5, 1.0];
            let [x, y, z] = place;
            let u = if h < 8 { x } else { y };
            let v = if h < 4 {
                y
            } else if h == 12 || h == 14 {
                x
            } else {
                z
            };
            let expected = if h & 1 == 0 { u } else { -u } + if h & 2 == 0 { v } else { -v };
            let found: f64 = (0..3).map(|axis| edge[axis] * place[axis]).sum();
            assert_eq!(found, expected, "edge {h}");
        }
    }

    #[test]
    fn the_plane_is_the_plane_z_0_of_space() {
        let noise = Perlin::new(EdgeGradients::default(), Fade::Quintic);
        let mut rng = NoiseRng::new(1, 0);
        for _ in 0..500 {
            let (x, y) = (rng.next_unit() * 600.0 - 300.0, rng.next_unit() * 600.0 - 300.0);
            assert_eq!(noise.value([x, y]), noise.value([x, y, 0.0]), "at {x}, {y}");
        }
    }
}
