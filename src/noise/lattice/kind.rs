//! The lattices by name.

use crate::param::choice;
use serde::{Deserialize, Serialize};

/// The rule that gives each lattice node its gradient.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "bevy", derive(bevy::reflect::Reflect))]
#[non_exhaustive]
pub enum LatticeKind {
    /// [`MixedGradients`](super::MixedGradients): a fast hash chooses one of 32 directions. Period 2^32.
    #[default]
    FastHash,
    /// [`GradientTable`](super::GradientTable): a table of 256 random directions. Period 256.
    Table,
    /// [`GradientGrid`](super::GradientGrid): a random direction for each node of a grid. Any period.
    Grid,
    /// [`DiagonalGradients`](super::DiagonalGradients): a permutation chooses a diagonal, of four in the plane. Period 256.
    Diagonals,
    /// [`BitGradients`](super::BitGradients): each component has 1 to 8 bits of a permutation. Period 256.
    PermutationBits,
    /// [`EdgeGradients`](super::EdgeGradients): Perlin's improved noise of 2002, in the plane its plane z = 0. Period 256.
    Perlin2002,
    /// [`HashGradients`](super::HashGradients) with [`IntegerHash::Ward`](super::IntegerHash::Ward). Period 2^32.
    Ward,
    /// [`HashGradients`](super::HashGradients) with [`IntegerHash::Shift`](super::IntegerHash::Shift). Period 2^32.
    Shift,
    /// [`HashGradients`](super::HashGradients) with [`IntegerHash::ShiftMult`](super::IntegerHash::ShiftMult). Period 2^32.
    ShiftMult,
}

choice!(LatticeKind {
    FastHash: "32 even directions from a fast hash. The default.",
    Table: "A table of 256 random directions. Repeats after 256 cells.",
    Grid: "A random direction for each node of a grid. Repeats after the period.",
    Diagonals: "Four diagonal directions. Repeats after 256 cells.",
    PermutationBits: "Directions from the bits of a permutation. Repeats after 256 cells.",
    Perlin2002: "Perlin's improved noise of 2002. Repeats after 256 cells.",
    Ward: "Directions from Ward's integer hash.",
    Shift: "Directions from an integer hash of shifts.",
    ShiftMult: "Directions from an integer hash of shifts and a product.",
});
