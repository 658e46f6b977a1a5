//! The lattices by name.

use crate::param::params;
use serde::{Deserialize, Serialize};

/// The rule that gives each lattice node its gradient.
#[params]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "bevy_reflect", derive(bevy_reflect::Reflect))]
#[non_exhaustive]
pub enum LatticeKind {
    /// 32 even directions from a fast hash. The default.
    ///
    /// [`FastHashGradients`](super::FastHashGradients). Period 2^32.
    #[default]
    FastHash,
    /// A table of 256 random directions. Repeats after 256 cells.
    ///
    /// [`TableGradients`](super::TableGradients).
    Table,
    /// A random direction for each node of a grid. Repeats after the period.
    ///
    /// [`GridGradients`](super::GridGradients). Any period.
    Grid,
    /// Four diagonal directions. Repeats after 256 cells.
    ///
    /// [`DiagonalGradients`](super::DiagonalGradients): a permutation chooses a diagonal, of four in the plane.
    Diagonal,
    /// Directions from the bits of a permutation. Repeats after 256 cells.
    ///
    /// [`BitGradients`](super::BitGradients): each component has 1 to 8 bits.
    Bit,
    /// The edges of a cube: Perlin's improved noise of 2002. Repeats after 256 cells.
    ///
    /// [`EdgeGradients`](super::EdgeGradients), in the plane its plane z = 0.
    Edge,
    /// Directions from Ward's integer hash.
    ///
    /// [`HashGradients`](super::HashGradients) with [`IntegerHash::Ward`](super::IntegerHash::Ward). Period 2^32.
    Ward,
    /// Directions from an integer hash of shifts.
    ///
    /// [`HashGradients`](super::HashGradients) with [`IntegerHash::Shift`](super::IntegerHash::Shift). Period 2^32.
    Shift,
    /// Directions from an integer hash of shifts and a product.
    ///
    /// [`HashGradients`](super::HashGradients) with [`IntegerHash::ShiftMult`](super::IntegerHash::ShiftMult). Period 2^32.
    ShiftMult,
}
