//! [`FastHashGradients`](crate::FastHashGradients): one multiplication a column, and one a node.

use super::{NodeRule, look_up};
use crate::FastHashGradients;
use crate::kernel::simd::{Directions, MAX_LANES, Simd};
use crate::lattice::fast_hash::{COSINES, EDGES, FINISH, FULL, SPREAD, TESSERACT_EDGES, direction, fully_mixed};

/// The directions of the lattice, in single precision.
const DIRECTIONS: Directions = {
    let mut directions = Directions { quadrant: [0.0; 8], all: [[0.0; 2]; 32], components: [[0.0; 32]; 2] };
    let mut i = 0;
    while i < 32 {
        let [x, y] = direction((i as u32) << 27);
        directions.quadrant[i % 8] = COSINES[i % 8] as f32;
        directions.all[i] = [x as f32, y as f32];
        directions.components[0][i] = x as f32;
        directions.components[1][i] = y as f32;
        i += 1;
    }
    directions
};

/// The part of the hash that a column of nodes has in common.
#[inline]
pub(super) const fn column_key(cell: i64) -> u32 {
    (cell as u32).wrapping_mul(SPREAD)
}

/// The part of the hash that all nodes of a lattice have in common.
#[inline]
pub(super) const fn seed_key(lattice: FastHashGradients) -> u32 {
    fully_mixed(lattice.seed())
}

/// The key along y mixes the seed too. Those along z and w are mixed into it for each node.
impl<const N: usize> NodeRule<N> for FastHashGradients {
    #[inline(always)]
    fn key(self, axis: usize, cell: i64) -> u32 {
        if axis == 1 { self.row_key(&[cell]) } else { column_key(cell) }
    }

    #[inline(always)]
    fn keys<S: Simd>(self, s: S, seeds: S::U, axis: usize, cells: S::U) -> S::U {
        let h = s.mul_u(cells, s.splat_u(SPREAD));
        if axis == 1 { mixed(s, s.xor(h, seeds)) } else { h }
    }

    #[inline(always)]
    fn gradient<S: Simd>(self, s: S, seeds: S::U, keys: [S::U; N]) -> [S::F; N] {
        let mut row = if N == 1 { seeds } else { keys[1] };
        let mut axis = 2;
        while axis < N {
            row = mixed(s, s.xor(row, keys[axis]));
            axis += 1;
        }
        let hash = hash(s, keys[0], row);
        let mut gradient = [s.splat(0.0); N];
        match N {
            // The middles of 32 equal parts of [-1, 1].
            1 => {
                let part = s.to_float(s.shr::<27>(hash));
                gradient[0] = s.sub(s.mul(part, s.splat(1.0 / 16.0)), s.splat(31.0 / 32.0));
            }
            2 => gradient.copy_from_slice(&s.directions(hash, &DIRECTIONS)),
            3 => gradient.copy_from_slice(&edge(s, hash)),
            _ => gradient.copy_from_slice(&tesseract_edge(s, hash)),
        }
        gradient
    }
}

/// The full mix of [`fully_mixed`].
#[inline(always)]
fn mixed<S: Simd>(s: S, h: S::U) -> S::U {
    let h = s.mul_u(s.xor(h, s.shr::<16>(h)), s.splat_u(FULL[0]));
    let h = s.mul_u(s.xor(h, s.shr::<13>(h)), s.splat_u(FULL[1]));
    s.xor(h, s.shr::<16>(h))
}

#[inline(always)]
fn hash<S: Simd>(s: S, columns: S::U, rows: S::U) -> S::U {
    let h = s.xor(columns, rows);
    s.mul_u(s.xor(h, s.shr::<15>(h)), s.splat_u(FINISH))
}

/// The edge of a cube that the number `hash * 12 / 2^32` chooses: 0 to 3 around x, and so on, the low bits the signs.
#[inline(always)]
fn edge<S: Simd>(s: S, hash: S::U) -> [S::F; 3] {
    // The product has 36 bits: in two halves, each of the sum of two shifts.
    let (low, high) = (s.and(hash, s.splat_u(0xffff)), s.shr::<16>(hash));
    let low = s.add_u(s.shl::<2>(low), s.shl::<3>(low));
    let high = s.add_u(s.shl::<2>(high), s.shl::<3>(high));
    let index = s.shr::<16>(s.add_u(high, s.shr::<16>(low)));
    // Short vectors can't be permuted by an index.
    if S::LANES <= 4 {
        return look_up(s, &lanes(s, index), &EDGES_32);
    }
    diagonal_without(s, s.shr::<2>(index), index, EDGES_32[0][1].abs())
}

/// The edge of a tesseract that the top five bits of `hash` choose: two for the axis around which it lies, three for the signs.
#[inline(always)]
fn tesseract_edge<S: Simd>(s: S, hash: S::U) -> [S::F; 4] {
    let index = s.shr::<27>(hash);
    if S::LANES <= 4 {
        return look_up(s, &lanes(s, index), &TESSERACT_EDGES_32);
    }
    diagonal_without(s, s.shr::<3>(index), index, TESSERACT_EDGES_32[0][1].abs())
}

#[inline(always)]
fn lanes<S: Simd>(s: S, numbers: S::U) -> [u32; MAX_LANES] {
    let mut lanes = [0; MAX_LANES];
    s.store_u(numbers, &mut lanes);
    lanes
}

/// [`EDGES`] and [`TESSERACT_EDGES`], in single precision.
static EDGES_32: [[f32; 3]; 12] = single(&EDGES);
static TESSERACT_EDGES_32: [[f32; 4]; 32] = single(&TESSERACT_EDGES);

const fn single<const N: usize, const COUNT: usize>(vectors: &[[f64; N]; COUNT]) -> [[f32; N]; COUNT] {
    let mut single = [[0.0; N]; COUNT];
    let mut i = 0;
    while i < N * COUNT {
        single[i / N][i % N] = vectors[i / N][i % N] as f32;
        i += 1;
    }
    single
}

/// Vectors with no part along axis `missing` and the length `part` along the others, whose signs are the low bits of `signs`, in
/// the order of the axes that they have.
#[inline(always)]
fn diagonal_without<S: Simd, const N: usize>(s: S, missing: S::U, signs: S::U, part: f32) -> [S::F; N] {
    let mut vector = [s.splat(0.0); N];
    let mut axis = 0;
    while axis < N {
        // Chosen by the missing axis: the part, and which of two signs counts, by a mask.
        let (mut parts, mut own, mut before) = ([part; 8], [0.0; 8], [0.0; 8]);
        parts[axis] = 0.0;
        let mut other = 0;
        while other < N {
            if other > axis {
                own[other] = -0.0;
            } else if other < axis {
                before[other] = -0.0;
            }
            other += 1;
        }
        let mut bits = s.bits(s.pick(&parts, missing));
        // The sign in the bit of this axis where a later one is missing, or in the bit before it where an earlier one is.
        if axis + 1 < N {
            bits = s.xor(bits, s.and(shifted_to_top(s, signs, axis), s.bits(s.pick(&own, missing))));
        }
        if axis > 0 {
            bits = s.xor(bits, s.and(shifted_to_top(s, signs, axis - 1), s.bits(s.pick(&before, missing))));
        }
        vector[axis] = s.float_of_bits(bits);
        axis += 1;
    }
    vector
}

/// `numbers` with the bit `bit` in the highest place.
#[inline(always)]
fn shifted_to_top<S: Simd>(s: S, numbers: S::U, bit: usize) -> S::U {
    match bit {
        0 => s.shl::<31>(numbers),
        1 => s.shl::<30>(numbers),
        _ => s.shl::<29>(numbers),
    }
}

/// The gradients of the nodes of a row in the plane.
#[inline(always)]
pub(super) fn gradients<S: Simd>(s: S, columns: &[u32], row_key: u32, row: &mut [f32]) {
    let row_key = s.splat_u(row_key);
    for (i, columns) in columns.chunks_exact(S::LANES).enumerate() {
        s.put_directions(hash(s, s.load_u(columns), row_key), &DIRECTIONS, row, i * S::LANES);
    }
}
