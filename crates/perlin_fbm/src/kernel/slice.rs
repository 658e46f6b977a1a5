//! A slice of space: the plane of x and y at one position along the other axes.
//!
//! Between two lattice planes, the nodes above one another can be blended before anything is known of x and y: their gradients
//! along x and y, and the planes that their other components make along z:
//!
//! ```text
//!   z    plane k+1  --- g(i, j, k+1) ---
//!                            |                 node (i, j) of the slice:
//!        slice      ---------x----------       gradient (gx, gy), and a value, because there is no lattice node
//!                            |
//!        plane k    ---- g(i, j, k) ----
//! ```
//!
//! What is left is noise in the plane whose nodes have values too. So a sample in space costs as much as one in the plane, and only
//! the nodes cost more: 2 gradients in space, 4 in four dimensions. Weights of the same axis are those of columns.

use super::formula::Node;
use super::planes::{PlaneWeights, blend_planes, plane_gradients, weights_of_planes};
use super::portable::Portable;
use super::rule::{NodeRule, NodeWork, Rule};
use super::simd::Simd;
use crate::Fade;
use crate::fixed_coord::{AxisMap, FixedCoord, fraction_24};

/// Where a slice lies in the lattice of an octave.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slice<const N: usize> {
    /// Along each axis, the keys of the lattice planes below and above. Those of x and y do not count.
    keys: [[u32; 2]; N],
    /// Of the noise, and of its derivatives along z and w, where a shape needs them.
    weights: [PlaneWeights<[f32; 1]>; 3],
}

impl<const N: usize> Slice<N> {
    /// The slice at `coord`, whose x and y do not count, in the lattice of `rule`. `slopes` says whether the shape needs derivatives.
    pub fn new(rule: &Rule<N>, axes: &[AxisMap; N], fade: Fade, coord: [FixedCoord; N], slopes: bool) -> Self {
        let s = Portable::<1>;
        let (mut keys, mut fractions) = ([[0; 2]; N], [[0.0]; N]);
        for axis in 2..N {
            let (cell, fraction) = axes[axis].position(coord[axis]).split_24();
            keys[axis] = [cell, cell.wrapping_add(1)].map(|cell| rule.key(axis, cell));
            fractions[axis] = [fraction_24(fraction)];
        }
        Self { keys, weights: weights_of_planes(s, fade, &fractions, slopes) }
    }

    /// The keys of the lattice planes, in every lane.
    #[inline(always)]
    pub fn keys<S: Simd>(&self, s: S) -> [[S::U; 2]; N] {
        let mut keys = [[s.splat_u(0); 2]; N];
        let mut axis = 2;
        while axis < N {
            keys[axis] = [s.splat_u(self.keys[axis][0]), s.splat_u(self.keys[axis][1])];
            axis += 1;
        }
        keys
    }

    /// The weights of the lattice planes for the noise, and from 1 on those for its derivatives along z and w, in every lane.
    #[inline(always)]
    pub fn weights<S: Simd>(&self, s: S) -> [PlaneWeights<S::F>; 3] {
        let [noise, along_z, along_w] = &self.weights;
        [noise.splat(s), along_z.splat(s), along_w.splat(s)]
    }
}

/// Lists in a row of nodes, each of two numbers for every node: the gradient along x and y, and in space the value too. Then the
/// same for the derivatives along z and w, where a shape needs slopes.
pub(super) const fn lists_of_row(dimensions: usize, slopes: bool) -> usize {
    match (dimensions, slopes) {
        (0..=2, _) => 1,
        (_, false) => 2,
        (_, true) => 2 * (dimensions - 1),
    }
}

/// Finds the nodes of a row on a line or of a plane through space.
pub(super) struct FindRow<'a, const N: usize, const SLOPES: bool> {
    pub rule: &'a Rule<N>,
    pub slice: &'a Slice<N>,
    /// The keys of columns of nodes.
    pub columns: &'a [u32],
    /// The cell along y.
    pub cell: i64,
    /// Lists of nodes, as many as [`lists_of_row`].
    pub row: &'a mut [f32],
}

impl<S: Simd, const N: usize, const SLOPES: bool> NodeWork<S, N> for FindRow<'_, N, SLOPES> {
    type Result = ();

    #[inline(always)]
    fn run<R: NodeRule<N>>(self, s: S, node_rule: R) {
        let Self { rule, slice, columns, cell, row } = self;
        let list = row.len() / lists_of_row(N, SLOPES);
        let (weights, outer) = (slice.weights(s), slice.keys(s));
        let seeds = s.splat_u(rule.seed_key());
        let row_key = if N > 1 { node_rule.key(1, rule.wrapped(1, cell)) } else { 0 };
        for (i, columns) in columns.chunks_exact(S::LANES).enumerate() {
            let gradients = plane_gradients(s, node_rule, seeds, [s.load_u(columns), s.splat_u(row_key)], &outer);
            let mut set = 0;
            while set < if SLOPES && N > 2 { N - 1 } else { 1 } {
                let Node { x, y, value } = blend_planes::<_, N>(s, &weights[set], &gradients);
                s.put(x, y, &mut row[2 * set * list..][..list], i * S::LANES);
                if N > 2 {
                    s.put(value, s.splat(0.0), &mut row[(2 * set + 1) * list..][..list], i * S::LANES);
                }
                set += 1;
            }
        }
    }
}
