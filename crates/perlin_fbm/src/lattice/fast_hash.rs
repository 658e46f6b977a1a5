//! Lattice: a fast hash that mixes all bits, and 32 directions. Ours, and the default.

use super::Lattice;
use crate::NoiseRng;
use crate::cell::{MAX_CORNERS, each_corner};

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
pub struct FastHashGradients {
    seed: u32,
}

/// 2^32 divided by the golden ratio, made odd.
pub(crate) const SPREAD: u32 = 0x9e37_79b1;
/// The multiplier of the last step.
pub(crate) const FINISH: u32 = 0x85eb_ca6b;
/// The multipliers of a full mix.
pub(crate) const FULL: [u32; 2] = [0x85eb_ca6b, 0xc2b2_ae35];

impl FastHashGradients {
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
    pub(crate) fn row_key(self, others: &[i64]) -> u32 {
        others.iter().fold(fully_mixed(self.seed), |key, &coordinate| {
            fully_mixed(key ^ (coordinate as u32).wrapping_mul(SPREAD))
        })
    }

    /// The keys of the rows beside a cell. Bit `axis - 1` of a row's index is its side along `axis`.
    #[inline]
    fn row_keys<const N: usize>(self, sides: [[i64; 2]; N]) -> [u32; MAX_CORNERS / 2] {
        let mut keys = [fully_mixed(self.seed); MAX_CORNERS / 2];
        for (axis, sides) in sides.into_iter().enumerate().skip(1) {
            for row in 0..1_usize << (axis - 1) {
                let key = keys[row];
                [keys[row], keys[row | 1 << (axis - 1)]] =
                    sides.map(|coordinate| fully_mixed(key ^ (coordinate as u32).wrapping_mul(SPREAD)));
            }
        }
        keys
    }

    /// The hash of node `x` of a row.
    #[inline]
    pub(crate) const fn hash(x: u32, row_key: u32) -> u32 {
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
pub(crate) const fn fully_mixed(h: u32) -> u32 {
    let h = (h ^ (h >> 16)).wrapping_mul(FULL[0]);
    let h = (h ^ (h >> 13)).wrapping_mul(FULL[1]);
    h ^ (h >> 16)
}

/// The cosines of the eight directions in the first quadrant, (2i + 1) pi / 32; the sines are the same ones backwards.
pub(crate) const COSINES: [f64; 8] = [
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
pub(crate) const fn direction(hash: u32) -> [f64; 2] {
    let angle = (hash >> 27 & 7) as usize;
    let (x, y) = (COSINES[angle], COSINES[7 - angle]);
    [if hash >> 31 == 0 { x } else { -x }, if hash >> 30 & 1 == 0 { y } else { -y }]
}

/// The slope that the top five bits of a hash choose: the middles of 32 equal parts of \[-1, 1\].
fn slope(hash: u32) -> [f64; 1] {
    [f64::from(2 * (hash >> 27) + 1) / 32.0 - 1.0]
}

/// The directions of [`direction`]. Looked up, they cost no branches on bits that are random.
const DIRECTIONS: [[f64; 2]; 32] = {
    let mut directions = [[0.0; 2]; 32];
    let mut i = 0;
    while i < directions.len() {
        directions[i] = direction((i as u32) << 27);
        i += 1;
    }
    directions
};

/// The edges of a cube: twelve of equal length 1. Four around each axis, by two signs.
pub(crate) const EDGES: [[f64; 3]; 12] = {
    let mut edges = [[0.0; 3]; 12];
    let mut i = 0;
    while i < edges.len() {
        edges[i] = diagonal_without(i / 4, i as u32, 1.0 / std::f64::consts::SQRT_2);
        i += 1;
    }
    edges
};

/// The edges of a tesseract: 32 of length 1. Eight around each axis, by three signs.
pub(crate) const TESSERACT_EDGES: [[f64; 4]; 32] = {
    let mut edges = [[0.0; 4]; 32];
    let mut i = 0;
    while i < edges.len() {
        edges[i] = diagonal_without(i / 8, i as u32, 1.0 / SQRT_3);
        i += 1;
    }
    edges
};

/// The number nearest to the square root of 3.
const SQRT_3: f64 = 1.732_050_807_568_877_2;

/// The index of the edge of a cube that a hash chooses.
#[inline]
const fn edge_index(hash: u32) -> usize {
    ((hash as u64 * EDGES.len() as u64) >> 32) as usize
}

/// A vector with no part along axis `missing` and equal parts along the others, whose signs are the low bits of `signs`.
pub(super) const fn diagonal_without<const N: usize>(missing: usize, signs: u32, part: f64) -> [f64; N] {
    let (mut vector, mut signs) = ([0.0; N], signs);
    let mut axis = 0;
    while axis < N {
        if axis != missing {
            vector[axis] = if signs & 1 == 1 { -part } else { part };
            signs >>= 1;
        }
        axis += 1;
    }
    vector
}

macro_rules! mixed_gradients {
    ($($n:literal: $choose:expr),+ $(,)?) => {$(
        impl Lattice<$n> for FastHashGradients {
            #[inline]
            fn gradient(&self, node: [i64; $n]) -> [f64; $n] {
                $choose(Self::hash(node[0] as u32, self.row_key(&node[1..])))
            }

            #[inline]
            fn corners(&self, sides: [[i64; 2]; $n]) -> [[f64; $n]; 16] {
                let keys = self.row_keys(sides);
                each_corner::<$n, _>([0.0; $n], |corner| {
                    $choose(Self::hash(sides[0][corner & 1] as u32, keys[corner >> 1]))
                })
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

mixed_gradients! {
    1: slope,
    2: |hash| DIRECTIONS[(hash >> 27) as usize],
    3: |hash| EDGES[edge_index(hash)],
    4: |hash| TESSERACT_EDGES[(hash >> 27) as usize],
}

#[cfg(test)]
mod tests;
