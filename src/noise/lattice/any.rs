//! Any lattice of the plane, chosen at run time.

use super::{
    BitGradients, DiagonalGradients, EdgeGradients, GradientGrid, HashGradients, IntegerHash, Lattice, LatticeKind,
    MixedGradients, UnitGradients,
};
use crate::noise::{NoiseSettings, TerrainRng};

/// Any lattice of the plane, chosen at run time.
#[derive(Clone, Debug, PartialEq)]
pub enum AnyLattice {
    /// A fully mixed hash.
    Mixed(MixedGradients),
    /// A table of random directions.
    Table(UnitGradients),
    /// A random direction for each node.
    Grid(GradientGrid),
    /// Four diagonals.
    Diagonals(DiagonalGradients),
    /// Components from bits of a permutation.
    Bits(BitGradients),
    /// Perlin's noise of 2002.
    Edges(EdgeGradients),
    /// Components from an integer hash.
    Hash(HashGradients),
}

impl AnyLattice {
    /// The lattice that `settings` name, with whatever it needs drawn from `rng`: a seed, tables, or nothing.
    ///
    /// A grid is as large as the period of `settings`, and 256 nodes along an axis that has none. It takes 16 bytes a node.
    #[must_use]
    pub fn random(settings: &NoiseSettings, rng: &mut TerrainRng) -> Self {
        let hashed = |hash, rng: &mut TerrainRng| HashGradients::new(hash, rng.next_u32() as i32).into();
        match settings.lattice {
            LatticeKind::Mixed => MixedGradients::random(rng).into(),
            LatticeKind::Table => UnitGradients::new(rng).into(),
            LatticeKind::Grid => {
                let size = [settings.period_x, settings.period_y].map(|period| match period {
                    0 => 256,
                    period => period.min(NoiseSettings::MAX_PERIOD),
                });
                GradientGrid::new(rng, size).into()
            }
            LatticeKind::Diagonals => DiagonalGradients::default().into(),
            LatticeKind::Bits => BitGradients::new(settings.bits).into(),
            LatticeKind::Edges => EdgeGradients::default().into(),
            LatticeKind::Ward => hashed(IntegerHash::Ward, rng),
            LatticeKind::Shift => hashed(IntegerHash::Shift, rng),
            LatticeKind::ShiftMult => hashed(IntegerHash::ShiftMult, rng),
        }
    }
}

/// Every variant holds a lattice of its own type.
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
    Mixed(MixedGradients),
    Table(UnitGradients),
    Grid(GradientGrid),
    Diagonals(DiagonalGradients),
    Bits(BitGradients),
    Edges(EdgeGradients),
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
            let mut rng = TerrainRng::new(1, 0);
            let lattice = AnyLattice::random(&settings, &mut rng);
            let (draws, fits) = match (kind, &lattice) {
                (LatticeKind::Mixed, AnyLattice::Mixed(_)) => (1, true),
                (LatticeKind::Table, AnyLattice::Table(_)) => (256 + 255, true),
                (LatticeKind::Grid, AnyLattice::Grid(grid)) => (5 * 256, grid.size() == [5, 256]),
                (LatticeKind::Diagonals, AnyLattice::Diagonals(_)) | (LatticeKind::Edges, AnyLattice::Edges(_)) => {
                    (0, true)
                }
                (LatticeKind::Bits, AnyLattice::Bits(bits)) => (0, bits.bits() == 3),
                (LatticeKind::Ward, AnyLattice::Hash(hash)) => (1, hash.hash() == IntegerHash::Ward),
                (LatticeKind::Shift, AnyLattice::Hash(hash)) => (1, hash.hash() == IntegerHash::Shift),
                (LatticeKind::ShiftMult, AnyLattice::Hash(hash)) => (1, hash.hash() == IntegerHash::ShiftMult),
                _ => panic!("{kind:?} gives {lattice:?}"),
            };
            assert!(fits, "{kind:?} gives {lattice:?}");
            let mut expected = TerrainRng::new(1, 0);
            (0..draws).for_each(|_| _ = expected.next_u32());
            assert_eq!(rng.next_u32(), expected.next_u32(), "{kind:?} draws {draws} numbers");
        }
    }
}
