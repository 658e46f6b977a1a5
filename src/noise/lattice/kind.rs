//! The lattices by name.

use crate::param::choice;
use serde::{Deserialize, Serialize};

/// Which rule gives lattice points their gradients.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "bevy", derive(bevy::reflect::Reflect))]
pub enum LatticeKind {
    /// [`MixedGradients`](super::MixedGradients): a fully mixed hash and 32 directions, period 2^32.
    #[default]
    Mixed,
    /// [`UnitGradients`](super::UnitGradients): a table of 256 random directions, period 256.
    Table,
    /// [`GradientGrid`](super::GradientGrid): a random direction for every node of a grid, with a period of any size.
    Grid,
    /// [`DiagonalGradients`](super::DiagonalGradients): Perlin's permutation and four diagonals, period 256.
    Diagonals,
    /// [`BitGradients`](super::BitGradients): components from 1 to 6 bits of Perlin's permutation, period 256.
    Bits,
    /// [`EdgeGradients`](super::EdgeGradients): the plane z = 0 of Perlin's noise of 2002, period 256.
    Edges,
    /// [`HashGradients`](super::HashGradients) with [`IntegerHash::Ward`](super::IntegerHash::Ward).
    Ward,
    /// [`HashGradients`](super::HashGradients) with [`IntegerHash::Shift`](super::IntegerHash::Shift).
    Shift,
    /// [`HashGradients`](super::HashGradients) with [`IntegerHash::ShiftMult`](super::IntegerHash::ShiftMult).
    ShiftMult,
}

choice!(LatticeKind { Mixed, Table, Grid, Diagonals, Bits, Edges, Ward, Shift, ShiftMult });
