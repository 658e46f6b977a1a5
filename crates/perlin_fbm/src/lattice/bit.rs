//! Lattice: each gradient component has a few bits of a permutation.

use super::Lattice;
use crate::Permutation;
use crate::cell::each_corner;

/// Gradients in 1 to 4 dimensions. A [`Permutation`] hashes a node, and each component is a group of bits of the hash. Period 256
/// along each axis. With Perlin's published permutation, the default, it has no seed.
///
/// A component of `n` bits has `2^n` values, evenly spread over \[-1, 1\]: one bit gives -1 and 1, six bits give 64 values. The
/// hash has 8 bits. If the groups need more, they overlap: with six bits in the plane, x has bits 0 to 5 and y has bits 2 to 7.
/// Seven and eight bits are meant for a line. With eight bits, all components are equal, so every gradient lies on one diagonal.
///
/// Source: Wilhelm Burger, *Gradientenbasierte Rauschfunktionen und Perlin Noise* (2008), section 5.1. Its equation 85
/// has 8 bits on a line, its figure 15 compares 1 to 6 bits in the plane. Where the groups lie in other dimensions is ours.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BitGradients {
    bits: u32,
    permutation: Permutation,
}

impl BitGradients {
    /// Components of `bits` bits, at least 1 and at most 8.
    #[must_use]
    pub fn new(bits: u32) -> Self {
        Self { bits: bits.clamp(1, 8), permutation: Permutation::perlin() }
    }

    /// Bits of each component.
    #[must_use]
    pub const fn bits(&self) -> u32 {
        self.bits
    }

    /// The same lattice with another permutation.
    #[must_use]
    pub fn with_permutation(self, permutation: Permutation) -> Self {
        Self { permutation, ..self }
    }

    /// The permutation, which hashes nodes.
    pub(crate) fn permutation(&self) -> &Permutation {
        &self.permutation
    }

    #[inline]
    fn gradient_of<const N: usize>(&self, hash: u8) -> [f64; N] {
        std::array::from_fn(|axis| self.component(hash, axis as u32, N as u32))
    }

    /// Component `axis` of `dimensions` that `hash` gives.
    #[inline]
    fn component(&self, hash: u8, axis: u32, dimensions: u32) -> f64 {
        let shift = axis * (8 - self.bits) / dimensions.saturating_sub(1).max(1);
        let largest = (1_u32 << self.bits) - 1;
        2.0 * f64::from((u32::from(hash) >> shift) & largest) / f64::from(largest) - 1.0
    }
}

/// Six bits per component.
impl Default for BitGradients {
    fn default() -> Self {
        Self::new(6)
    }
}

macro_rules! bit_gradients {
    ($($n:literal),+) => {$(
        impl Lattice<$n> for BitGradients {
            #[inline]
            fn gradient(&self, node: [i64; $n]) -> [f64; $n] {
                self.gradient_of(self.permutation.hash_n(node))
            }

            #[inline]
            fn corners(&self, sides: [[i64; 2]; $n]) -> [[f64; $n]; 16] {
                let hashes = self.permutation.hash_corners(sides);
                each_corner::<$n, _>([0.0; $n], |corner| self.gradient_of(hashes[corner]))
            }

            fn max_length(&self) -> f64 {
                f64::sqrt($n as f64)
            }
        }
    )+};
}

bit_gradients!(1, 2, 3, 4);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_beyond_their_range_count_as_the_nearest_in_it() {
        assert_eq!([0, 1, 8, 9].map(|bits| BitGradients::new(bits).bits()), [1, 1, 8, 8]);
        assert_eq!(BitGradients::default().bits(), 6);
    }

    #[test]
    fn components_are_evenly_spread_from_minus_one_to_one() {
        for bits in 1..=8 {
            let lattice = BitGradients::new(bits);
            for (axis, dimensions) in [(0, 1), (0, 2), (1, 2), (2, 3), (1, 4), (3, 4)] {
                let mut found: Vec<f64> = (0..=255).map(|hash| lattice.component(hash, axis, dimensions)).collect();
                found.sort_by(f64::total_cmp);
                found.dedup();
                assert_eq!(found.len(), 1 << bits);
                assert_eq!((found[0], found[found.len() - 1]), (-1.0, 1.0));
            }
        }
    }

    #[test]
    fn eight_bits_on_a_line_are_the_whole_hash() {
        let (lattice, permutation) = (BitGradients::new(8), Permutation::perlin());
        for u in -300..300 {
            let expected = 2.0 * (f64::from(permutation.hash_n([u])) / 255.0) - 1.0;
            let [found] = lattice.gradient([u]);
            // A quotient that is rounded before it is doubled or after.
            assert!((found - expected).abs() < 1e-15, "at {u}: {found}, not {expected}");
        }
    }

    #[test]
    fn six_bits_in_the_plane_are_the_lowest_and_the_highest_of_the_hash() {
        let lattice = BitGradients::new(6);
        let grade = |axis| (lattice.component(0b1011_0010, axis, 2) + 1.0) * 63.0 / 2.0;
        // Whole numbers up to 63, found from a quotient that was rounded once.
        assert!((grade(0) - f64::from(0b11_0010)).abs() < 1e-13 && (grade(1) - f64::from(0b10_1100)).abs() < 1e-13);
    }
}
