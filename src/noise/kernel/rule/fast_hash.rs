//! [`MixedGradients`](crate::noise::MixedGradients): one multiplication a column, and one a node.

use super::NodeRule;
use crate::noise::MixedGradients;
use crate::noise::kernel::simd::{Directions, Simd};
use crate::noise::lattice::mixed::{COSINES, FINISH, FULL, SPREAD, direction, fully_mixed};

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

impl NodeRule for MixedGradients {
    #[inline(always)]
    fn keys<S: Simd>(self, s: S, axis: usize, cells: S::U) -> S::U {
        let h = s.mul_u(cells, s.splat_u(SPREAD));
        if axis == 0 {
            return h;
        }
        let h = s.xor(h, s.splat_u(fully_mixed(self.seed())));
        let h = s.mul_u(s.xor(h, s.shr::<16>(h)), s.splat_u(FULL[0]));
        let h = s.mul_u(s.xor(h, s.shr::<13>(h)), s.splat_u(FULL[1]));
        s.xor(h, s.shr::<16>(h))
    }

    #[inline(always)]
    fn gradients<S: Simd>(self, s: S, columns: S::U, rows: S::U) -> [S::F; 2] {
        s.directions(hash(s, columns, rows), &DIRECTIONS)
    }
}

#[inline(always)]
fn hash<S: Simd>(s: S, columns: S::U, rows: S::U) -> S::U {
    let h = s.xor(columns, rows);
    s.mul_u(s.xor(h, s.shr::<15>(h)), s.splat_u(FINISH))
}

/// The gradients of the nodes of a row.
#[inline(always)]
pub(super) fn gradients<S: Simd>(s: S, columns: &[u32], row_key: u32, row: &mut [f32]) {
    let row_key = s.splat_u(row_key);
    for (i, columns) in columns.chunks_exact(S::LANES).enumerate() {
        s.put_directions(hash(s, s.load_u(columns), row_key), &DIRECTIONS, row, i * S::LANES);
    }
}
