//! From lattice nodes to gradients.

mod fast_hash;
mod hash;
mod table;

use super::simd::{MAX_LANES, Simd};
use crate::{AnyLattice, FastHashGradients, HashGradients, Lattice};
use table::Table;

/// A lattice as the kernel reads it: one key for every cell along each axis, and a cheap step from the keys to a gradient. The keys
/// are found once for a grid, the step is taken once for every node.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Rule<const N: usize> {
    kind: RuleKind<N>,
    /// Cells after which nodes repeat along each axis; 0 for the longest period of the lattice.
    period: [i64; N],
    /// See [`seed_key`](Self::seed_key).
    seed_key: u32,
}

#[derive(Clone, Debug, PartialEq)]
enum RuleKind<const N: usize> {
    FastHash(FastHashGradients),
    Hash(HashGradients),
    Table(Table<N>),
}

impl<const N: usize> Rule<N>
where
    AnyLattice<N>: Lattice<N>,
{
    /// The rule of `lattice`.
    pub fn new(lattice: &AnyLattice<N>, period: [i64; N]) -> Self {
        let kind = match lattice {
            AnyLattice::FastHash(lattice) => RuleKind::FastHash(*lattice),
            AnyLattice::Hash(lattice) => RuleKind::Hash(*lattice),
            AnyLattice::Grid(grid) => RuleKind::Table(Table::grid(grid)),
            AnyLattice::Table(table) => RuleKind::Table(Table::permuted(table.permutation(), lattice)),
            AnyLattice::Diagonal(diagonals) => RuleKind::Table(Table::permuted(diagonals.permutation(), lattice)),
            AnyLattice::Bit(bits) => RuleKind::Table(Table::permuted(bits.permutation(), lattice)),
            AnyLattice::Edge(edges) => RuleKind::Table(Table::permuted(edges.permutation(), lattice)),
        };
        let seed_key = match &kind {
            RuleKind::FastHash(lattice) => fast_hash::seed_key(*lattice),
            RuleKind::Hash(lattice) => lattice.seed() as u32,
            RuleKind::Table(_) => 0,
        };
        Self { kind, period, seed_key }
    }

    /// The rule of another octave of the same noise. Shares the memory of this one.
    pub fn of_octave(&self, lattice: &AnyLattice<N>, period: [i64; N]) -> Self {
        match (&self.kind, lattice) {
            // A table has no seed that octaves could differ in.
            (RuleKind::Table(table), _) => Self { kind: RuleKind::Table(table.clone()), period, seed_key: 0 },
            _ => Self::new(lattice, period),
        }
    }
}

impl<const N: usize> Rule<N> {
    /// What distinguishes the lattice from those of its kind with another seed.
    #[inline(always)]
    pub fn seed_key(&self) -> u32 {
        self.seed_key
    }

    /// Replaces `keys` by the keys of columns of nodes: those along x.
    pub fn column_keys(&self, cells: &[i64], keys: &mut [u32]) {
        match &self.kind {
            // The common cases in loops that the compiler makes vectors of.
            RuleKind::FastHash(_) if self.period[0] == 0 => {
                for (key, &cell) in keys.iter_mut().zip(cells) {
                    *key = fast_hash::column_key(cell);
                }
            }
            RuleKind::Hash(_) if self.period[0] == 0 => {
                for (key, &cell) in keys.iter_mut().zip(cells) {
                    *key = cell as u32;
                }
            }
            _ => {
                for (key, &cell) in keys.iter_mut().zip(cells) {
                    *key = self.key(0, cell);
                }
            }
        }
    }

    /// The key of a cell along `axis`.
    pub fn key(&self, axis: usize, cell: i64) -> u32 {
        let cell = self.wrapped(axis, cell);
        match &self.kind {
            RuleKind::FastHash(lattice) => NodeRule::<N>::key(*lattice, axis, cell),
            RuleKind::Hash(lattice) => NodeRule::<N>::key(*lattice, axis, cell),
            RuleKind::Table(table) => table.key(axis, cell),
        }
    }

    /// The cell of the first period that repeats at `cell`.
    #[inline(always)]
    pub fn wrapped(&self, axis: usize, cell: i64) -> i64 {
        let period = self.period[axis];
        if period > 0 { cell.rem_euclid(period) } else { cell }
    }

    /// Whether the low halves of cells along `axis` give their keys.
    pub fn has_half_cells(&self, axis: usize) -> bool {
        let is_grid = matches!(&self.kind, RuleKind::Table(table) if !table.is_permuted());
        self.period[axis] == 0 && !is_grid
    }

    /// Whether gradients are read from memory.
    pub fn is_table(&self) -> bool {
        matches!(&self.kind, RuleKind::Table(_))
    }

    /// Does `work` with the rule of single nodes.
    #[inline(always)]
    pub(super) fn call<S: Simd, W: NodeWork<S, N>>(&self, s: S, work: W) -> W::Result {
        match &self.kind {
            RuleKind::FastHash(lattice) => work.run(s, *lattice),
            RuleKind::Hash(lattice) => work.run(s, *lattice),
            RuleKind::Table(table) => work.run(s, table),
        }
    }

    /// Writes the gradients of the nodes in these columns, which fill whole vectors, and this row. Only in the plane.
    #[inline(always)]
    pub fn gradients<S: Simd>(&self, s: S, columns: &[u32], row_key: u32, row: &mut [f32]) {
        match &self.kind {
            RuleKind::FastHash(_) => fast_hash::gradients(s, columns, row_key, row),
            RuleKind::Hash(lattice) => hash::gradients(s, *lattice, columns, row_key, row),
            RuleKind::Table(table) => table.gradients(s, columns, row_key, row),
        }
    }
}

/// Finds the gradients of nodes anywhere. Vectors may hold nodes of lattices that differ in their seeds, as the octaves of a noise do.
pub(super) trait NodeRule<const N: usize>: Copy {
    /// The key of a cell along `axis`.
    fn key(self, axis: usize, cell: i64) -> u32;
    /// The keys of cells along `axis`, by the [`Rule::seed_key`] of their lattices and the low halves of the cells.
    fn keys<S: Simd>(self, s: S, seeds: S::U, axis: usize, cells: S::U) -> S::U;
    /// The gradients of nodes, by their keys along each axis.
    fn gradient<S: Simd>(self, s: S, seeds: S::U, keys: [S::U; N]) -> [S::F; N];
}

/// The gradients of `table` at `indices`, lane by lane.
#[inline(always)]
fn look_up<S: Simd, const N: usize>(s: S, indices: &[u32; MAX_LANES], table: &[[f32; N]]) -> [S::F; N] {
    let mut found = [[0.0; MAX_LANES]; N];
    let mut i = 0;
    while i < S::LANES {
        let gradient = &table[indices[i] as usize];
        let mut axis = 0;
        while axis < N {
            found[axis][i] = gradient[axis];
            axis += 1;
        }
        i += 1;
    }
    let mut gradients = [s.splat(0.0); N];
    let mut axis = 0;
    while axis < N {
        gradients[axis] = s.load(&found[axis]);
        axis += 1;
    }
    gradients
}

/// Something to do with the rule of single nodes.
pub(super) trait NodeWork<S: Simd, const N: usize> {
    type Result;

    /// Runs the work. Must be inlined, as [`Work::run`](super::simd::Work::run).
    fn run<R: NodeRule<N>>(self, s: S, rule: R) -> Self::Result;
}

#[cfg(test)]
mod tests {
    use super::super::portable::Portable;
    use super::*;
    use crate::param::Choice;
    use crate::{Lattice, LatticeKind, NoiseRng, NoiseSettings, PermutationKind};

    struct Gradient<const N: usize> {
        seed_key: u32,
        keys: [u32; N],
    }

    impl<const N: usize> NodeWork<Portable<1>, N> for Gradient<N> {
        type Result = [f32; N];

        fn run<R: NodeRule<N>>(self, s: Portable<1>, rule: R) -> [f32; N] {
            rule.gradient(s, [self.seed_key], self.keys.map(|key| [key])).map(|[component]| component)
        }
    }

    fn check<const N: usize>()
    where
        AnyLattice<N>: Lattice<N>,
    {
        let mut rng = NoiseRng::new(3, 0);
        let mut kind = LatticeKind::default();
        for index in 0..kind.alternatives().len() {
            kind.choose(index);
            let settings = NoiseSettings { lattice: kind, bits: 5, period_x: 13, period_y: 7, ..Default::default() };
            let shuffled = NoiseSettings { permutation: PermutationKind::Shuffled, ..settings.clone() };
            let perlin = AnyLattice::random(&settings, &mut rng);
            let lattice = AnyLattice::random(&shuffled, &mut rng);
            let periods =
                [[0; 4], [5, 0, 3, 0], [12, 300, 1, 7]].map(|period| std::array::from_fn(|axis| period[axis]));
            for (lattice, period) in
                [(&perlin, periods[0]), (&perlin, periods[1]), (&lattice, periods[0]), (&lattice, periods[2])]
            {
                let rule = Rule::<N>::new(lattice, period);
                for _ in 0..300 {
                    let far = 1_i64 << (rng.next_u32() % 62);
                    let cells = [0; N].map(|_| (rng.next_u64() as i64).rem_euclid(far) - far / 2);
                    let wrapped =
                        std::array::from_fn(|i| if period[i] > 0 { cells[i].rem_euclid(period[i]) } else { cells[i] });
                    let keys = std::array::from_fn(|axis| rule.key(axis, cells[axis]));
                    let gradient = rule.call(Portable::<1>, Gradient { seed_key: rule.seed_key(), keys });
                    let exact = lattice.gradient(wrapped);
                    for (found, exact) in gradient.into_iter().zip(exact) {
                        // A hash of 31 bits is rounded to 24, doubled, and one is taken away.
                        assert!((f64::from(found) - exact).abs() < 2e-7, "{kind:?} at {cells:?}: {found}, not {exact}");
                    }
                }
            }
        }
    }

    #[test]
    fn every_rule_gives_the_gradients_of_its_lattice() {
        check::<1>();
        check::<2>();
        check::<3>();
        check::<4>();
    }
}
