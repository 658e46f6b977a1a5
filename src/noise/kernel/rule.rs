//! From lattice nodes to gradients, a row of nodes at a time.

mod fast_hash;
mod hashed;
mod table;

use super::simd::Simd;
use crate::noise::{AnyLattice, HashGradients, MixedGradients};
use table::Table;

/// A lattice as the kernel reads it: one key for every column of nodes, one for every row, and a cheap step from the two to a
/// gradient. The keys are found once for a grid, the step is taken once for every node.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::noise) struct Rule {
    kind: RuleKind,
    /// Cells after which nodes repeat along x and y; 0 for the longest period of the lattice.
    period: [i64; 2],
}

#[derive(Clone, Debug, PartialEq)]
enum RuleKind {
    FastHash(MixedGradients),
    Hash(HashGradients),
    Table(Table),
}

impl Rule {
    /// The rule of `lattice`.
    pub fn new(lattice: &AnyLattice, period: [i64; 2]) -> Self {
        let kind = match lattice {
            AnyLattice::FastHash(lattice) => RuleKind::FastHash(*lattice),
            AnyLattice::Hash(lattice) => RuleKind::Hash(*lattice),
            AnyLattice::Grid(lattice) => RuleKind::Table(Table::grid(lattice)),
            AnyLattice::Table(lattice) => RuleKind::Table(Table::permuted(lattice.permutation(), lattice)),
            AnyLattice::Diagonals(lattice) => RuleKind::Table(Table::permuted(lattice.permutation(), lattice)),
            AnyLattice::PermutationBits(lattice) => RuleKind::Table(Table::permuted(lattice.permutation(), lattice)),
            AnyLattice::Perlin2002(lattice) => RuleKind::Table(Table::permuted(lattice.permutation(), lattice)),
        };
        Self { kind, period }
    }

    /// The rule of another octave of the same noise. Shares the memory of this one.
    pub fn of_octave(&self, lattice: &AnyLattice, period: [i64; 2]) -> Self {
        match (&self.kind, lattice) {
            // A table has no seed that octaves could differ in.
            (RuleKind::Table(table), _) => Self { kind: RuleKind::Table(table.clone()), period },
            _ => Self::new(lattice, period),
        }
    }

    /// Replaces `keys` by the keys of columns of nodes.
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
                    *key = self.column_key(cell);
                }
            }
        }
    }

    /// The key of a column of nodes.
    pub fn column_key(&self, cell: i64) -> u32 {
        let cell = wrapped(cell, self.period[0]);
        match &self.kind {
            RuleKind::FastHash(_) => fast_hash::column_key(cell),
            RuleKind::Hash(_) => cell as u32,
            RuleKind::Table(table) => table.column_key(cell),
        }
    }

    /// The key of a row of nodes.
    pub fn row_key(&self, cell: i64) -> u32 {
        let cell = wrapped(cell, self.period[1]);
        match &self.kind {
            RuleKind::FastHash(lattice) => lattice.row_key(&[cell]),
            RuleKind::Hash(_) => cell as u32,
            RuleKind::Table(table) => table.row_key(cell),
        }
    }

    /// Whether the low halves of cells along `axis` give their keys.
    pub fn has_half_cells(&self, axis: usize) -> bool {
        let is_grid = matches!(&self.kind, RuleKind::Table(table) if !table.is_permuted());
        self.period[axis] == 0 && !is_grid
    }

    /// Does `work` with the rule of single nodes.
    #[inline(always)]
    pub(super) fn call<S: Simd>(&self, s: S, work: impl NodeWork) {
        match &self.kind {
            RuleKind::FastHash(lattice) => work.run(s, *lattice),
            RuleKind::Hash(lattice) => work.run(s, *lattice),
            RuleKind::Table(table) => work.run(s, table),
        }
    }

    /// Writes the gradients of the nodes in these columns, which fill whole vectors, and this row.
    #[inline(always)]
    pub fn gradients<S: Simd>(&self, s: S, columns: &[u32], row_key: u32, row: &mut [f32]) {
        match &self.kind {
            RuleKind::FastHash(_) => fast_hash::gradients(s, columns, row_key, row),
            RuleKind::Hash(lattice) => hashed::gradients(s, *lattice, columns, row_key, row),
            RuleKind::Table(table) => table.gradients(s, columns, row_key, row),
        }
    }
}

/// Finds the gradients of nodes anywhere.
pub(super) trait NodeRule: Copy {
    /// The keys of columns, for axis 0, or of rows of nodes, by the low halves of their cells.
    fn keys<S: Simd>(self, s: S, axis: usize, cells: S::U) -> S::U;
    /// The gradients of nodes, by the keys of their columns and rows.
    fn gradients<S: Simd>(self, s: S, columns: S::U, rows: S::U) -> [S::F; 2];
}

/// Something to do with the rule of single nodes.
pub(super) trait NodeWork {
    /// Does it. Must be inlined, as [`Work::run`](super::simd::Work::run).
    fn run<S: Simd, R: NodeRule>(self, s: S, rule: R);
}

const fn wrapped(cell: i64, period: i64) -> i64 {
    if period > 0 { cell.rem_euclid(period) } else { cell }
}

#[cfg(test)]
mod tests {
    use super::super::portable::Portable;
    use super::*;
    use crate::noise::{Lattice, LatticeKind, NoiseRng, NoiseSettings, PermutationKind};
    use crate::param::Choice;

    #[test]
    fn every_rule_gives_the_gradients_of_its_lattice() {
        let mut rng = NoiseRng::new(3, 0);
        let mut kind = LatticeKind::default();
        for index in 0..kind.alternatives().len() {
            kind.choose(index);
            let settings = NoiseSettings { lattice: kind, bits: 5, period_x: 13, period_y: 7, ..Default::default() };
            let shuffled = NoiseSettings { permutation: PermutationKind::Shuffled, ..settings.clone() };
            let perlin = AnyLattice::random(&settings, &mut rng);
            let lattice = AnyLattice::random(&shuffled, &mut rng);
            for (lattice, period) in [(&perlin, [0, 0]), (&perlin, [5, 0]), (&lattice, [0, 0]), (&lattice, [12, 300])] {
                let rule = Rule::new(lattice, period);
                for _ in 0..300 {
                    let far = 1_i64 << (rng.next_u32() % 62);
                    let cells = [0; 2].map(|_| (rng.next_u64() as i64).rem_euclid(far) - far / 2);
                    let wrapped = [0, 1].map(|i| if period[i] > 0 { cells[i].rem_euclid(period[i]) } else { cells[i] });
                    let mut gradient = [0.0; 2];
                    let key = rule.column_key(cells[0]);
                    rule.gradients(Portable::<1>, &[key], rule.row_key(cells[1]), &mut gradient);
                    let exact = lattice.gradient(wrapped);
                    for (found, exact) in gradient.into_iter().zip(exact) {
                        // A hash of 31 bits is rounded to 24, doubled, and one is taken away.
                        assert!((f64::from(found) - exact).abs() < 2e-7, "{kind:?} at {cells:?}: {found}, not {exact}");
                    }
                }
            }
        }
    }
}
