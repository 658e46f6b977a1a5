//! [`MixedGradients`](crate::noise::MixedGradients): one multiplication a column, and one a node.

use crate::noise::kernel::simd::{Directions, Simd};
use crate::noise::lattice::mixed::{COSINES, FINISH, SPREAD, direction};

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

/// The gradients of the nodes of a row.
#[inline(always)]
pub(super) fn gradients<S: Simd>(s: S, columns: &[u32], row_key: u32, row: &mut [f32]) {
    let row_key = s.splat_u(row_key);
    for (i, columns) in columns.chunks_exact(S::LANES).enumerate() {
        let h = s.xor(s.load_u(columns), row_key);
        let h = s.mul_u(s.xor(h, s.shr::<15>(h)), s.splat_u(FINISH));
        s.put_directions(h, &DIRECTIONS, row, i * S::LANES);
    }
}
