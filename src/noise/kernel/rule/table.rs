//! Lattices that are a table: a column and a row of nodes each have a place in it, and the sum of the two is the node's.

use super::NodeRule;
use crate::noise::kernel::simd::{MOST_LANES, Simd};
use crate::noise::{GradientGrid, Lattice, Permutation};
use std::sync::Arc;

/// Gradients in memory. The node in a column and a row has the gradient at `column key + row key`.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Table {
    gradients: Arc<[[f32; 2]]>,
    keys: Keys,
}

#[derive(Clone, Debug, PartialEq)]
enum Keys {
    /// The column through a permutation, the row as it is, both modulo 256.
    Permuted(Permutation),
    /// Both modulo the size of a grid, whose rows lie one after the other.
    Grid([i64; 2]),
}

impl Table {
    /// The table of a lattice that is a function of `P[P[x & 255] + (y & 255)]`.
    pub fn permuted(permutation: &Permutation, lattice: &impl Lattice<2>) -> Self {
        // In the column whose first lookup gives 0, row y has what stands at y; the sum of two keys is below 512.
        let column = permutation.table().iter().position(|&entry| entry == 0).unwrap_or_default() as i64;
        let gradients = (0..512).map(|y| lattice.gradient([column, y & 255]).map(|c| c as f32)).collect();
        Self { gradients, keys: Keys::Permuted(permutation.clone()) }
    }

    /// The table of a grid.
    pub fn grid(grid: &GradientGrid) -> Self {
        let gradients = grid.gradients().iter().map(|gradient| gradient.map(|c| c as f32)).collect();
        Self { gradients, keys: Keys::Grid(grid.size().map(i64::from)) }
    }

    pub fn column_key(&self, cell: i64) -> u32 {
        match &self.keys {
            Keys::Permuted(permutation) => u32::from(permutation.table()[usize::from(cell as u8)]),
            Keys::Grid([columns, _]) => cell.rem_euclid(*columns) as u32,
        }
    }

    pub fn row_key(&self, cell: i64) -> u32 {
        match &self.keys {
            Keys::Permuted(_) => u32::from(cell as u8),
            // Fewer than 2^32 nodes: the limits of settings allow 2^20, and 2^32 would take 64 GiB.
            Keys::Grid([columns, rows]) => (cell.rem_euclid(*rows) * *columns) as u32,
        }
    }

    /// Whether the low half of a cell gives its key.
    pub fn is_permuted(&self) -> bool {
        matches!(self.keys, Keys::Permuted(_))
    }

    /// The gradients of the nodes of a row.
    #[inline(always)]
    pub fn gradients<S: Simd>(&self, s: S, columns: &[u32], row_key: u32, row: &mut [f32]) {
        let gradients = &self.gradients[row_key as usize..];
        // All of a batch is looked up before any of it is read again, in wider pieces than it was written in: that has to wait
        // for the writes to reach the cache.
        let mut found = [[0.0; 2]; 64];
        for (batch, columns) in columns.chunks(64).enumerate() {
            for (found, &column) in found.iter_mut().zip(columns) {
                *found = gradients[column as usize];
            }
            for at in (0..columns.len()).step_by(S::LANES) {
                s.put_pairs(&found[at..], row, 64 * batch + at);
            }
        }
    }
}

impl NodeRule for &Table {
    #[inline(always)]
    fn keys<S: Simd>(self, s: S, axis: usize, cells: S::U) -> S::U {
        let mut lanes = [0; MOST_LANES];
        s.store_u(cells, &mut lanes);
        let mut i = 0;
        while i < S::LANES {
            let cell = i64::from(lanes[i]);
            lanes[i] = if axis == 0 { self.column_key(cell) } else { self.row_key(cell) };
            i += 1;
        }
        s.load_u(&lanes)
    }

    #[inline(always)]
    fn gradients<S: Simd>(self, s: S, columns: S::U, rows: S::U) -> [S::F; 2] {
        let mut nodes = [0; MOST_LANES];
        s.store_u(s.add_u(columns, rows), &mut nodes);
        let (mut x, mut y) = ([0.0; MOST_LANES], [0.0; MOST_LANES]);
        let mut i = 0;
        while i < S::LANES {
            [x[i], y[i]] = self.gradients[nodes[i] as usize];
            i += 1;
        }
        [s.load(&x), s.load(&y)]
    }
}
