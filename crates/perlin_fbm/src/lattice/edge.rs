//! Lattice: Perlin's noise of 2002.

use super::{Lattice, fast_hash::diagonal_without};
use crate::Permutation;
use crate::cell::each_corner;
use std::f64::consts::SQRT_2;

/// The gradients of Perlin's improved noise: the edges of a cube, chosen by the low bits of a [`Permutation`]. Period 256 along
/// each axis. With Perlin's published permutation, the default, it has no seed.
///
/// | dimensions | gradients |
/// |---|---|
/// | 1 | the line y = z = 0 of space: of 16 hashes, 5 have the slope 1, 5 have -1, 6 have 0 |
/// | 2 | the plane z = 0 of space: of 16 hashes, 6 choose a diagonal and 10 a direction along an axis |
/// | 3 | the reference implementation: the 12 edges of a cube, by four bits |
/// | 4 | ours: the 32 edges of a tesseract. Of five bits, the low three are signs, the high two choose the axis left out |
///
/// Source: Ken Perlin, *Improving noise* (SIGGRAPH 2002) and its reference implementation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EdgeGradients {
    permutation: Permutation,
}

/// By the low four bits of the hash: twelve edges, and four of them once more.
pub(crate) const EDGES: [[f64; 3]; 16] = [
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

impl Default for EdgeGradients {
    fn default() -> Self {
        Self { permutation: Permutation::perlin() }
    }
}

/// The edge of a cube that the low four bits of `hash` choose, without its parts beyond `N` dimensions.
#[inline]
fn edge<const N: usize>(hash: u8) -> [f64; N] {
    let edge = EDGES[usize::from(hash & 15)];
    std::array::from_fn(|axis| edge[axis])
}

/// The edge of a tesseract that the low five bits of `hash` choose.
#[inline]
fn tesseract_edge(hash: u8) -> [f64; 4] {
    diagonal_without(usize::from(hash >> 3 & 3), u32::from(hash), 1.0)
}

/// `items` along the axes that there are, and `rest` along the others of `M` dimensions.
#[inline]
fn padded<T: Copy, const N: usize, const M: usize>(items: [T; N], rest: T) -> [T; M] {
    std::array::from_fn(|axis| items.get(axis).copied().unwrap_or(rest))
}

macro_rules! edge_gradients {
    ($($n:literal: $edge:expr, in $space:literal, up to $max_length:expr;)+) => {$(
        impl Lattice<$n> for EdgeGradients {
            #[inline]
            fn gradient(&self, node: [i64; $n]) -> [f64; $n] {
                $edge(self.permutation.hash_n::<$space>(padded(node, 0)))
            }

            #[inline]
            fn corners(&self, sides: [[i64; 2]; $n]) -> [[f64; $n]; 16] {
                let hashes = self.permutation.hash_corners::<$space>(padded(sides, [0; 2]));
                each_corner::<$n, _>([0.0; $n], |corner| $edge(hashes[corner]))
            }

            fn max_length(&self) -> f64 {
                $max_length
            }
        }
    )+};
}

edge_gradients! {
    1: edge, in 3, up to 1.0;
    2: edge, in 3, up to SQRT_2;
    3: edge, in 3, up to SQRT_2;
    4: tesseract_edge, in 4, up to f64::sqrt(3.0);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Fade, NoiseRng, Perlin};

    #[test]
    fn edges_are_those_of_the_reference_implementation() {
        for (h, edge) in EDGES.iter().enumerate() {
            let position = [0.25, 0.5, 1.0];
            let [x, y, z] = position;
            let u = if h < 8 { x } else { y };
            let v = if h < 4 {
                y
            } else if h == 12 || h == 14 {
                x
            } else {
                z
            };
            let expected = if h & 1 == 0 { u } else { -u } + if h & 2 == 0 { v } else { -v };
            let found: f64 = (0..3).map(|axis| edge[axis] * position[axis]).sum();
            assert_eq!(found, expected, "edge {h}");
        }
    }

    #[test]
    fn line_and_plane_are_those_of_space() {
        let noise = Perlin::new(EdgeGradients::default(), Fade::Quintic);
        let mut rng = NoiseRng::new(1, 0);
        for _ in 0..500 {
            let (x, y) = (rng.next_unit() * 600.0 - 300.0, rng.next_unit() * 600.0 - 300.0);
            assert_eq!(noise.value([x, y]), noise.value([x, y, 0.0]), "at {x}, {y}");
            assert_eq!(noise.value([x]), noise.value([x, 0.0, 0.0]), "at {x}");
        }
    }

    #[test]
    fn slopes_of_the_line_are_as_frequent_as_documented() {
        let with = |slope: f64| EDGES.iter().filter(|edge| edge[0] == slope).count();
        assert_eq!([1.0, -1.0, 0.0].map(with), [5, 5, 6]);
    }

    #[test]
    fn five_bits_choose_the_32_edges_of_a_tesseract() {
        let lattice = EdgeGradients::default();
        let mut edges: Vec<[f64; 4]> = Vec::new();
        for x in 0..256 {
            let edge = lattice.gradient([x, 0, 0, 0]);
            assert_eq!(edge.map(f64::abs).iter().sum::<f64>(), 3.0, "{edge:?}");
            assert_eq!(edge.iter().filter(|&&c| c == 0.0).count(), 1, "{edge:?}");
            if !edges.contains(&edge) {
                edges.push(edge);
            }
        }
        assert_eq!(edges.len(), 32);
    }
}
