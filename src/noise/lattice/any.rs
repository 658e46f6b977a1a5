//! Any lattice of the plane, chosen at run time.

use super::{
    BitGradients, DiagonalGradients, EdgeGradients, GradientGrid, GradientTable, HashGradients, IntegerHash, Lattice,
    LatticeKind, MixedGradients,
};
use crate::noise::{NoiseRng, NoiseSettings};

/// Any lattice of the plane, chosen at run time.
#[derive(Clone, Debug, PartialEq)]
pub enum AnyLattice {
    /// A fast hash chooses one of 32 directions.
    FastHash(MixedGradients),
    /// A table of 256 random directions.
    Table(GradientTable),
    /// A random direction for each node of a grid.
    Grid(GradientGrid),
    /// The four diagonals.
    Diagonals(DiagonalGradients),
    /// Each component has 1 to 6 bits of Perlin's permutation.
    PermutationBits(BitGradients),
    /// Perlin's improved noise of 2002.
    Perlin2002(EdgeGradients),
    /// Each component is an integer hash.
    Hash(HashGradients),
}

impl AnyLattice {
    /// The lattice of `settings`. Its seed or its tables are drawn from `rng`.
    ///
    /// A grid has as many nodes along an axis as the period of `settings`, or 256 nodes if there is no period, and at most
    /// [`NoiseSettings::MAX_PERIOD`]. It takes 16 bytes per node.
    #[must_use]
    pub fn random(settings: &NoiseSettings, rng: &mut NoiseRng) -> Self {
        let hashed = |hash, rng: &mut NoiseRng| HashGradients::new(hash, rng.next_u32() as i32).into();
        match settings.lattice {
            LatticeKind::FastHash => MixedGradients::random(rng).into(),
            LatticeKind::Table => GradientTable::new(rng).into(),
            LatticeKind::Grid => {
                let size = [settings.period_x, settings.period_y].map(|period| match period {
                    0 => 256,
                    period => period.min(NoiseSettings::MAX_PERIOD),
                });
                GradientGrid::new(rng, size).into()
            }
            LatticeKind::Diagonals => DiagonalGradients::default().into(),
            LatticeKind::PermutationBits => BitGradients::new(settings.bits).into(),
            LatticeKind::Perlin2002 => EdgeGradients::default().into(),
            LatticeKind::Ward => hashed(IntegerHash::Ward, rng),
            LatticeKind::Shift => hashed(IntegerHash::Shift, rng),
            LatticeKind::ShiftMult => hashed(IntegerHash::ShiftMult, rng),
        }
    }
}

/// Implements [`Lattice`] and [`From`] for variants that each hold a lattice of another type.
macro_rules! any_lattice {
    ($($variant:ident($lattice:ident)),+ $(,)?) => {
        $(impl From<$lattice> for AnyLattice {
            fn from(lattice: $lattice) -> Self {
                Self::$variant(lattice)
            }
        })+

        impl Lattice<2> for AnyLattice {
            #[inline]
            fn gradient(&self, node: [i64; 2]) -> [f64; 2] {
                match self {
                    $(Self::$variant(lattice) => lattice.gradient(node),)+
                }
            }

            fn max_length(&self) -> f64 {
                match self {
                    $(Self::$variant(lattice) => Lattice::<2>::max_length(lattice),)+
                }
            }

            fn octave(&self, index: u32) -> Self {
                match self {
                    $(Self::$variant(lattice) => Lattice::<2>::octave(lattice, index).into(),)+
                }
            }
        }
    };
}

any_lattice! {
    FastHash(MixedGradients),
    Table(GradientTable),
    Grid(GradientGrid),
    Diagonals(DiagonalGradients),
    PermutationBits(BitGradients),
    Perlin2002(EdgeGradients),
    Hash(HashGradients),
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::param::Choice;

    #[test]
    fn every_kind_gives_its_lattice_and_draws_what_it_needs() {
        let mut kind = LatticeKind::default();
        for index in 0..kind.names().len() {
            kind.choose(index);
            let settings = NoiseSettings { lattice: kind, bits: 3, period_x: 5, ..NoiseSettings::default() };
            let mut rng = NoiseRng::new(1, 0);
            let lattice = AnyLattice::random(&settings, &mut rng);
            let (draws, fits) = match (kind, &lattice) {
                (LatticeKind::FastHash, AnyLattice::FastHash(_)) => (1, true),
                (LatticeKind::Table, AnyLattice::Table(_)) => (256 + 255, true),
                (LatticeKind::Grid, AnyLattice::Grid(grid)) => (5 * 256, grid.size() == [5, 256]),
                (LatticeKind::Diagonals, AnyLattice::Diagonals(_))
                | (LatticeKind::Perlin2002, AnyLattice::Perlin2002(_)) => (0, true),
                (LatticeKind::PermutationBits, AnyLattice::PermutationBits(bits)) => (0, bits.bits() == 3),
                (LatticeKind::Ward, AnyLattice::Hash(hash)) => (1, hash.hash() == IntegerHash::Ward),
                (LatticeKind::Shift, AnyLattice::Hash(hash)) => (1, hash.hash() == IntegerHash::Shift),
                (LatticeKind::ShiftMult, AnyLattice::Hash(hash)) => (1, hash.hash() == IntegerHash::ShiftMult),
                _ => panic!("{kind:?} gives {lattice:?}"),
            };
            assert!(fits, "{kind:?} gives {lattice:?}");
            let mut expected = NoiseRng::new(1, 0);
            (0..draws).for_each(|_| _ = expected.next_u32());
            assert_eq!(rng.next_u32(), expected.next_u32(), "{kind:?} draws {draws} numbers");
        }
    }
}
