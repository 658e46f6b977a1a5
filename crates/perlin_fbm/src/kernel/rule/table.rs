//! Lattices that are a table: the keys of a node lead to its gradient in memory.

use super::{NodeRule, look_up};
use crate::kernel::simd::{MAX_LANES, Simd};
use crate::{AnyLattice, GridGradients, Lattice, Permutation};
use std::sync::Arc;

/// Gradients in memory.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Table<const N: usize> {
    gradients: Arc<[[f32; N]]>,
    keys: Keys<N>,
}

#[derive(Clone, Debug, PartialEq)]
enum Keys<const N: usize> {
    /// Coordinates modulo 256. The gradient of a node is at the sum of the last permuted hash and the last coordinate: in the
    /// plane at `P[x] + y`, in space at `P[P[x] + y] + z`.
    Permuted(Permutation),
    /// Coordinates modulo the size of a grid, whose rows lie one after the other: the gradient is at the sum of the keys.
    Grid([i64; N]),
}

impl<const N: usize> Table<N> {
    /// The table of a lattice that is a function of `P[.. P[P[x & 255] + (y & 255)] ..]`.
    pub fn permuted(permutation: &Permutation, lattice: &AnyLattice<N>) -> Self
    where
        AnyLattice<N>: Lattice<N>,
    {
        // The coordinate that is looked up first and gives 0, for all axes but the last: then the last one is what stands in the
        // table, and the sum of a hash and a coordinate is below 512.
        let start = permutation.table().iter().position(|&entry| entry == 0).unwrap_or_default() as i64;
        let node = |last: i64| std::array::from_fn(|axis| if axis + 1 == N { last & 255 } else { start });
        let gradients = (0..512).map(|last| lattice.gradient(node(last)).map(|c| c as f32)).collect();
        Self { gradients, keys: Keys::Permuted(permutation.clone()) }
    }

    /// The table of a grid.
    pub fn grid(grid: &GridGradients<N>) -> Self {
        let gradients = grid.gradients().iter().map(|gradient| gradient.map(|c| c as f32)).collect();
        Self { gradients, keys: Keys::Grid(grid.size().map(i64::from)) }
    }

    /// Whether the low half of a cell gives its key.
    pub fn is_permuted(&self) -> bool {
        matches!(self.keys, Keys::Permuted(_))
    }

    /// The gradients of the nodes of a row in the plane.
    #[inline(always)]
    pub fn gradients<S: Simd>(&self, s: S, columns: &[u32], row_key: u32, row: &mut [f32]) {
        let gradients = &self.gradients[row_key as usize..];
        // All of a batch is looked up before any of it is read again, in wider pieces than it was written in: that has to wait
        // for the writes to reach the cache.
        let mut found = [[0.0; 2]; 64];
        for (batch, columns) in columns.chunks(64).enumerate() {
            for (found, &column) in found.iter_mut().zip(columns) {
                found.copy_from_slice(&gradients[column as usize]);
            }
            for at in (0..columns.len()).step_by(S::LANES) {
                s.put_pairs(&found[at..], row, 64 * batch + at);
            }
        }
    }
}

impl<const N: usize> NodeRule<N> for &Table<N> {
    #[inline(always)]
    fn key(self, axis: usize, cell: i64) -> u32 {
        match &self.keys {
            // On a line, x is the last coordinate.
            Keys::Permuted(permutation) if axis == 0 && N > 1 => {
                u32::from(permutation.table()[usize::from(cell as u8)])
            }
            Keys::Permuted(_) => u32::from(cell as u8),
            // Fewer than 2^32 nodes: the limits of settings allow 2^20, and 2^32 would take 64 GiB.
            Keys::Grid(size) => {
                let stride: i64 = size[..axis].iter().product();
                (cell.rem_euclid(size[axis]) * stride) as u32
            }
        }
    }

    #[inline(always)]
    fn keys<S: Simd>(self, s: S, _: S::U, axis: usize, cells: S::U) -> S::U {
        let mut lanes = [0; MAX_LANES];
        s.store_u(cells, &mut lanes);
        let mut i = 0;
        while i < S::LANES {
            lanes[i] = self.key(axis, i64::from(lanes[i]));
            i += 1;
        }
        s.load_u(&lanes)
    }

    #[inline(always)]
    fn gradient<S: Simd>(self, s: S, _: S::U, keys: [S::U; N]) -> [S::F; N] {
        let mut lanes = [[0; MAX_LANES]; N];
        let mut axis = 0;
        while axis < N {
            s.store_u(keys[axis], &mut lanes[axis]);
            axis += 1;
        }
        let mut indices = [0; MAX_LANES];
        let mut i = 0;
        while i < S::LANES {
            let mut at = lanes[0][i];
            let mut axis = 1;
            while axis < N {
                // In the plane, the column's key is permuted already.
                if let (Keys::Permuted(permutation), 2..) = (&self.keys, axis) {
                    at = u32::from(permutation.table()[at as usize]);
                }
                at += lanes[axis][i];
                axis += 1;
            }
            indices[i] = at;
            i += 1;
        }
        look_up(s, &indices, &self.gradients)
    }
}
