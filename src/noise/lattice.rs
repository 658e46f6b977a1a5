//! Which gradient stands at which integer point.

mod any;
mod bits;
pub(super) mod diagonals;
mod directions;
pub(super) mod edges;
mod gradient_grid;
pub(super) mod hashed;
mod integer_hash;
mod kind;
pub(super) mod mixed;
mod unit_gradients;

pub use any::AnyLattice;
pub use bits::BitGradients;
pub use diagonals::DiagonalGradients;
pub use edges::EdgeGradients;
pub use gradient_grid::GradientGrid;
pub use hashed::HashGradients;
pub use integer_hash::IntegerHash;
pub use kind::LatticeKind;
pub use mixed::MixedGradients;
pub use unit_gradients::UnitGradients;

/// A rule that gives every integer point of `N`-dimensional space a gradient.
///
/// The same point always has the same gradient, and no gradient is longer than [`max_length`](Self::max_length).
pub trait Lattice<const N: usize>: Clone {
    /// The gradient at `node`.
    fn gradient(&self, node: [i64; N]) -> [f64; N];

    /// The length of the longest gradient.
    fn max_length(&self) -> f64;

    /// The lattice of octave `index` of a sum whose octaves are scattered: another one where the rule has a seed for it, or
    /// else the same one.
    #[must_use]
    fn octave(&self, index: u32) -> Self {
        let _ = index;
        self.clone()
    }
}
