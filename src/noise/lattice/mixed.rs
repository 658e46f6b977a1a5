//! Lattice: a fast hash that mixes all bits, and 32 directions. Ours, and the default.

use super::Lattice;
use crate::noise::NoiseRng;

/// Gradients chosen by a fast hash of the node's coordinates: the lattice `FastHash`. Period 2^32 along each axis, no table.
/// Offset octaves have a lattice each.
///
/// The hash is `mix(x M ^ key)`. The key mixes the seed and all other coordinates fully, so that rows are independent. `mix`
/// makes the top bits depend on every bit. A grid computes the key once per row and `x M` once per column, so a node costs one
/// multiplication. The multiplier of x is 2^32 divided by the golden ratio, which spreads neighbors furthest apart. The other
/// multipliers are those of the finalizer of `MurmurHash3` (Austin Appleby, 2011), which were searched for good avalanche.
///
/// | dimensions | gradients |
/// |---|---|
/// | 1 | 32 slopes, evenly spread between -1 and 1 |
/// | 2 | 32 unit vectors at angles `(i + 1/2) * 11.25` degrees |
/// | 3 | the 12 edges of a cube, with length 1 |
/// | 4 | the 32 edges of a tesseract, with length 1 |
///
/// No direction in the plane is along an axis or a diagonal, where noise would show straight seams.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MixedGradients {
    seed: u32,
}

/// 2^32 divided by the golden ratio, made odd.
pub(in crate::noise) const SPREAD: u32 = 0x9e37_79b1;
/// The multiplier of the last step.
pub(in crate::noise) const FINISH: u32 = 0x85eb_ca6b;
/// The multipliers of a full mix.
pub(in crate::noise) const FULL: [u32; 2] = [0x85eb_ca6b, 0xc2b2_ae35];

impl MixedGradients {
    /// The lattice of `seed`.
    #[must_use]
    pub const fn new(seed: u32) -> Self {
        Self { seed }
    }

    /// A random lattice.
    #[must_use]
    pub fn random(rng: &mut NoiseRng) -> Self {
        Self::new(rng.next_u32())
    }

    /// The seed.
    #[inline]
    #[must_use]
    pub const fn seed(self) -> u32 {
        self.seed
    }

    /// What a row of nodes has in common: all coordinates but x, mixed with the seed.
    #[inline]
    pub(in crate::noise) fn row_key(self, others: &[i64]) -> u32 {
        others.iter().fold(fully_mixed(self.seed), |key, &coordinate| {
            fully_mixed(key ^ (coordinate as u32).wrapping_mul(SPREAD))
        })
    }

    /// The hash of node `x` of a row.
    #[inline]
    pub(in crate::noise) const fn hash(x: u32, row_key: u32) -> u32 {
        let h = x.wrapping_mul(SPREAD) ^ row_key;
        (h ^ (h >> 15)).wrapping_mul(FINISH)
    }
}

/// The seed of octave `index` of a sum with offset octaves. It mixes both fully, so that no two octaves have similar seeds.
/// Octave 0 has another seed than the lattice itself.
pub(super) const fn octave_seed(seed: u32, index: u32) -> u32 {
    fully_mixed(seed.wrapping_add(index.wrapping_add(1).wrapping_mul(SPREAD)))
}

/// Every bit of the result depends on every bit of `h`.
pub(in crate::noise) const fn fully_mixed(h: u32) -> u32 {
    let h = (h ^ (h >> 16)).wrapping_mul(FULL[0]);
    let h = (h ^ (h >> 13)).wrapping_mul(FULL[1]);
    h ^ (h >> 16)
}

/// The cosines of the eight directions in the first quadrant, (2i + 1) pi / 32; the sines are the same ones backwards.
pub(in crate::noise) const COSINES: [f64; 8] = [
    0.995_184_726_672_196_9,
    0.956_940_335_732_208_8,
    0.881_921_264_348_355,
    0.773_010_453_362_737,
    0.634_393_284_163_645_5,
    0.471_396_736_825_997_8,
    0.290_284_677_254_462_33,
    0.098_017_140_329_560_77,
];

/// The direction that the top five bits of a hash choose: bits 31 and 30 the signs, 29 to 27 the angle.
#[inline]
pub(in crate::noise) const fn direction(hash: u32) -> [f64; 2] {
    let angle = (hash >> 27 & 7) as usize;
    let (x, y) = (COSINES[angle], COSINES[7 - angle]);
    [if hash >> 31 == 0 { x } else { -x }, if hash >> 30 & 1 == 0 { y } else { -y }]
}

/// The slope that the top five bits of a hash choose: the middles of 32 equal parts of \[-1, 1\].
fn slope(hash: u32) -> f64 {
    f64::from(2 * (hash >> 27) + 1) / 32.0 - 1.0
}

/// The edge of a cube that a hash chooses: twelve of equal length 1. Four around each axis, by two signs.
fn edge(hash: u32) -> [f64; 3] {
    let index = ((u64::from(hash) * 12) >> 32) as usize;
    diagonal_without(index / 4, index as u32, 1.0 / f64::sqrt(2.0))
}

/// The edge of a tesseract that the top five bits of a hash choose: 32 of length 1. Eight around each axis, by three signs.
fn tesseract_edge(hash: u32) -> [f64; 4] {
    diagonal_without((hash >> 30) as usize, hash >> 27, 1.0 / f64::sqrt(3.0))
}

/// A vector with no part along axis `missing` and equal parts along the others, whose signs are the low bits of `signs`.
pub(super) fn diagonal_without<const N: usize>(missing: usize, signs: u32, part: f64) -> [f64; N] {
    let mut signs = signs;
    std::array::from_fn(|axis| {
        if axis == missing {
            return 0.0;
        }
        let negative = signs & 1 == 1;
        signs >>= 1;
        if negative { -part } else { part }
    })
}

macro_rules! mixed_gradients {
    ($($n:literal: $choose:expr),+ $(,)?) => {$(
        impl Lattice<$n> for MixedGradients {
            #[inline]
            fn gradient(&self, node: [i64; $n]) -> [f64; $n] {
                $choose(Self::hash(node[0] as u32, self.row_key(&node[1..])))
            }

            fn max_length(&self) -> f64 {
                1.0
            }

            fn octave(&self, index: u32) -> Self {
                Self::new(octave_seed(self.seed, index))
            }
        }
    )+};
}

mixed_gradients!(1: |hash| [slope(hash)], 2: direction, 3: edge, 4: tesseract_edge);

#[cfg(test)]
mod tests;
