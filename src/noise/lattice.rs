//! Lattices: the gradient at each integer point.

mod any;
mod bits;
pub(super) mod diagonals;
pub(super) mod edges;
mod gradient_grid;
mod gradient_list;
mod gradient_table;
pub(super) mod hashed;
mod integer_hash;
mod kind;
pub(super) mod mixed;
mod split_hash;

pub use any::AnyLattice;
pub use bits::BitGradients;
pub use diagonals::DiagonalGradients;
pub use edges::EdgeGradients;
pub use gradient_grid::GradientGrid;
pub use gradient_table::GradientTable;
pub use hashed::HashGradients;
pub use integer_hash::IntegerHash;
pub use kind::LatticeKind;
pub use mixed::MixedGradients;
pub use split_hash::SplitHashGradients;

/// A rule that gives every integer point of `N`-dimensional space a gradient.
///
/// The same point always has the same gradient. No gradient is longer than [`max_length`](Self::max_length).
pub trait Lattice<const N: usize>: Clone {
    /// The gradient at `node`.
    fn gradient(&self, node: [i64; N]) -> [f64; N];

    /// The length of the longest gradient.
    fn max_length(&self) -> f64;

    /// The lattice of octave `index` of a sum with [offset octaves](crate::noise::NoiseSettings::offset_octaves). It has a seed
    /// of its own. A lattice without a seed returns a copy of itself.
    #[must_use]
    fn octave(&self, index: u32) -> Self {
        let _ = index;
        self.clone()
    }
}
