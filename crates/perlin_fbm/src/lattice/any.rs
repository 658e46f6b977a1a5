//! Any lattice, chosen at run time.

use super::{
    BitGradients, DiagonalGradients, EdgeGradients, FastHashGradients, GridGradients, HashGradients, IntegerHash,
    Lattice, LatticeKind, TableGradients,
};
use crate::{NoiseRng, NoiseSettings};

/// Any lattice, chosen at run time. Implements [`Lattice`] in 1 to 4 dimensions.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum AnyLattice<const N: usize = 2> {
    /// A fast hash chooses one of 32 directions.
    FastHash(FastHashGradients),
    /// A table of 256 random directions.
    Table(TableGradients<N>),
    /// A random direction for each node of a grid.
    Grid(GridGradients<N>),
    /// Diagonal directions.
    Diagonal(DiagonalGradients),
    /// Each component has 1 to 8 bits of a permutation.
    Bit(BitGradients),
    /// Perlin's improved noise of 2002.
    Edge(EdgeGradients),
    /// Each component is an integer hash.
    Hash(HashGradients),
}

impl<const N: usize> AnyLattice<N> {
    /// The largest number of nodes per axis in a grid made by [`random`](Self::random). Lower in 3 and 4 dimensions, to limit
    /// memory:
    ///
    /// | dimensions | nodes along an axis | memory at most |
    /// |---|---|---|
    /// | 1 | 1024 | 8 KiB |
    /// | 2 | 1024 | 16 MiB |
    /// | 3 | 64 | 6 MiB |
    /// | 4 | 16 | 2 MiB |
    pub const MAX_GRID_SIZE: u32 = match N {
        0..=2 => NoiseSettings::MAX_PERIOD,
        3 => 64,
        _ => 16,
    };

    /// The number of nodes along each axis of the grid of `settings`, if they have a grid.
    #[doc(hidden)]
    #[must_use]
    pub fn grid_size(settings: &NoiseSettings) -> [u32; N] {
        let periods = settings.periods();
        std::array::from_fn(|axis| match periods[axis] {
            0 => Self::MAX_GRID_SIZE.min(256),
            period => period.min(Self::MAX_GRID_SIZE),
        })
    }

    /// The lattice of `settings`. Its seed or its tables are drawn from `rng`.
    ///
    /// A grid has as many nodes along an axis as the period of `settings`, or 256 nodes if there is no period, and at most
    /// [`MAX_GRID_SIZE`](Self::MAX_GRID_SIZE). A longer period still repeats where it should, but gradients repeat within it.
    #[must_use]
    pub fn random(settings: &NoiseSettings, rng: &mut NoiseRng) -> Self {
        let hashed = |hash, rng: &mut NoiseRng| HashGradients::new(hash, rng.next_u32() as i32).into();
        let permutation = |rng: &mut NoiseRng| settings.permutation.permutation(rng);
        match settings.lattice {
            LatticeKind::FastHash => FastHashGradients::random(rng).into(),
            LatticeKind::Table => TableGradients::new(rng).flowed(settings.flow).into(),
            LatticeKind::Grid => GridGradients::new(rng, Self::grid_size(settings)).flowed(settings.flow).into(),
            LatticeKind::Diagonal => DiagonalGradients::default().with_permutation(permutation(rng)).into(),
            LatticeKind::Bit => BitGradients::new(settings.bits).with_permutation(permutation(rng)).into(),
            LatticeKind::Edge => EdgeGradients::default().with_permutation(permutation(rng)).into(),
            LatticeKind::Ward => hashed(IntegerHash::Ward, rng),
            LatticeKind::Shift => hashed(IntegerHash::Shift, rng),
            LatticeKind::ShiftMult => hashed(IntegerHash::ShiftMult, rng),
        }
    }
}

/// Implements [`From`] for variants that each hold a lattice of another type, and [`Lattice`] for `AnyLattice<N>` in every
/// dimension in which all of them are lattices.
macro_rules! any_lattice {
    ($($variant:ident($lattice:ty)),+ $(,)?) => {
        $(impl<const N: usize> From<$lattice> for AnyLattice<N> {
            fn from(lattice: $lattice) -> Self {
                Self::$variant(lattice)
            }
        })+

        impl<const N: usize> Lattice<N> for AnyLattice<N>
        where
            $($lattice: Lattice<N>,)+
        {
            #[inline]
            fn gradient(&self, node: [i64; N]) -> [f64; N] {
                match self {
                    $(Self::$variant(lattice) => lattice.gradient(node),)+
                }
            }

            // Not inlined: it has the code of all lattices.
            fn corners(&self, sides: [[i64; 2]; N]) -> [[f64; N]; 16] {
                match self {
                    $(Self::$variant(lattice) => lattice.corners(sides),)+
                }
            }

            fn max_length(&self) -> f64 {
                match self {
                    $(Self::$variant(lattice) => Lattice::<N>::max_length(lattice),)+
                }
            }

            fn octave(&self, index: u32) -> Self {
                match self {
                    $(Self::$variant(lattice) => Lattice::<N>::octave(lattice, index).into(),)+
                }
            }
        }
    };
}

any_lattice! {
    FastHash(FastHashGradients),
    Table(TableGradients<N>),
    Grid(GridGradients<N>),
    Diagonal(DiagonalGradients),
    Bit(BitGradients),
    Edge(EdgeGradients),
    Hash(HashGradients),
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::param::Choice;
    use crate::{Permutation, PermutationKind};

    #[test]
    fn every_kind_gives_its_lattice_and_draws_what_it_needs() {
        // Numbers for a direction: one sign, one angle, a sign, an angle and a length, two angles and a length.
        check([5], 1);
        check([5, 256], 1);
        check([5, 64, 64], 3);
        check([5, 16, 16, 16], 3);
    }

    fn check<const N: usize>(size: [u32; N], numbers: u32)
    where
        AnyLattice<N>: Lattice<N>,
    {
        let mut kind = LatticeKind::default();
        for index in 0..kind.alternatives().len() {
            kind.choose(index);
            let settings = NoiseSettings { lattice: kind, bits: 3, period_x: 5, ..NoiseSettings::default() };
            let mut rng = NoiseRng::new(1, 0);
            let lattice = AnyLattice::<N>::random(&settings, &mut rng);
            let (draws, fits) = match (kind, &lattice) {
                (LatticeKind::FastHash, AnyLattice::FastHash(_)) => (1, true),
                (LatticeKind::Table, AnyLattice::Table(_)) => (256 * numbers + 255, true),
                (LatticeKind::Grid, AnyLattice::Grid(grid)) => {
                    (size.iter().product::<u32>() * numbers, grid.size() == size)
                }
                (LatticeKind::Diagonal, AnyLattice::Diagonal(_)) | (LatticeKind::Edge, AnyLattice::Edge(_)) => {
                    (0, true)
                }
                (LatticeKind::Bit, AnyLattice::Bit(bits)) => (0, bits.bits() == 3),
                (LatticeKind::Ward, AnyLattice::Hash(hash)) => (1, hash.hash() == IntegerHash::Ward),
                (LatticeKind::Shift, AnyLattice::Hash(hash)) => (1, hash.hash() == IntegerHash::Shift),
                (LatticeKind::ShiftMult, AnyLattice::Hash(hash)) => (1, hash.hash() == IntegerHash::ShiftMult),
                _ => panic!("{kind:?} gives {lattice:?}"),
            };
            assert!(fits, "{kind:?} gives {lattice:?}");
            let mut expected = NoiseRng::new(1, 0);
            (0..draws).for_each(|_| _ = expected.next_u32());
            assert_eq!(rng.next_u32(), expected.next_u32(), "{kind:?} in {N} dimensions draws {draws} numbers");
        }
    }

    #[test]
    fn three_kinds_shuffle_their_permutation_if_the_settings_say_so() {
        let mut kind = LatticeKind::default();
        for index in 0..kind.alternatives().len() {
            kind.choose(index);
            let perlin = NoiseSettings { lattice: kind, ..NoiseSettings::default() };
            let shuffled = NoiseSettings { permutation: PermutationKind::Shuffled, ..perlin.clone() };
            let lattice = |settings, seed| AnyLattice::<3>::random(settings, &mut NoiseRng::new(seed, 0));
            let expected = Permutation::shuffled(&mut NoiseRng::new(4, 0));
            let found = match lattice(&shuffled, 4) {
                AnyLattice::Diagonal(lattice) => lattice.permutation().clone(),
                AnyLattice::Bit(lattice) => lattice.permutation().clone(),
                AnyLattice::Edge(lattice) => lattice.permutation().clone(),
                other => {
                    assert_eq!(other, lattice(&perlin, 4), "{kind:?} has no permutation to choose");
                    continue;
                }
            };
            assert_eq!(found, expected, "{kind:?}");
            assert_eq!(lattice(&perlin, 4), lattice(&perlin, 5), "{kind:?}");
        }
    }

    #[test]
    fn grids_have_at_most_so_many_nodes_that_they_fit_into_memory() {
        fn size<const N: usize>(period: u32) -> [u32; N] {
            let (period_x, period_y) = (period, 1);
            let settings = NoiseSettings { lattice: LatticeKind::Grid, period_x, period_y, ..NoiseSettings::default() };
            match AnyLattice::<N>::random(&settings, &mut NoiseRng::new(1, 0)) {
                AnyLattice::Grid(grid) => grid.size(),
                lattice => panic!("{lattice:?} is no grid"),
            }
        }
        for period in [1025, u32::MAX] {
            assert_eq!((size(period), size(period)), ([1024], [1024, 1]));
            assert_eq!((size(period), size(period)), ([64, 1, 64], [16, 1, 16, 16]));
        }
        assert_eq!((size(0), size(0)), ([256], [256, 1]));
        assert_eq!((size(0), size(7)), ([64, 1, 64], [7, 1, 16, 16]));
    }
}
