//! Lattices: the gradient at each integer point.

mod any;
mod bit;
pub(super) mod diagonal;
pub(super) mod edge;
pub(super) mod fast_hash;
mod gradient_list;
mod grid;
pub(super) mod hash;
mod integer_hash;
mod kind;
mod split_hash;
mod table;

pub use any::AnyLattice;
pub use bit::BitGradients;
pub use diagonal::DiagonalGradients;
pub use edge::EdgeGradients;
pub use fast_hash::FastHashGradients;
pub use grid::GridGradients;
pub use hash::HashGradients;
pub use integer_hash::IntegerHash;
pub use kind::LatticeKind;
pub use split_hash::SplitHashGradients;
pub use table::TableGradients;

use crate::cell::each_corner;

/// A rule that gives every integer point of a space of 1 to 4 dimensions a gradient.
///
/// The same point always has the same gradient. No gradient is longer than [`max_length`](Self::max_length).
pub trait Lattice<const N: usize>: Clone {
    /// The gradient at `node`.
    fn gradient(&self, node: [i64; N]) -> [f64; N];

    /// The gradients at the corners of a cell. Corner `i` is the node with the coordinate `sides[axis][i >> axis & 1]` along each
    /// axis. Only the first `2^N` are set.
    ///
    /// A lattice whose nodes share work, such as the hash of a row, does it here once for the cell.
    #[inline]
    fn corners(&self, sides: [[i64; 2]; N]) -> [[f64; N]; 16] {
        each_corner::<N, _>([0.0; N], |corner| {
            self.gradient(std::array::from_fn(|axis| sides[axis][corner >> axis & 1]))
        })
    }

    /// The length of the longest gradient.
    fn max_length(&self) -> f64;

    /// The lattice of octave `index` of a sum with [offset octaves](crate::NoiseSettings::offset_octaves). It has a seed
    /// of its own. A lattice without a seed returns a copy of itself.
    #[must_use]
    fn octave(&self, index: u32) -> Self {
        let _ = index;
        self.clone()
    }
}
