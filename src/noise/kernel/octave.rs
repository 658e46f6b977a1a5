//! One octave, and its tables for a grid.

use super::axis::Axis;
use super::buffer::Buffer;
use super::formula::OctaveScale;
use super::rule::Rule;
use super::simd::Simd;
use super::sweep::OctaveTables;
use crate::noise::fixed_coord::AxisMap;
use std::ops::Range;

/// One octave, compiled.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::noise) struct KernelOctave {
    pub rule: Rule,
    pub axes: [AxisMap; 2],
    pub scale: OctaveScale,
}

/// Reusable memory of one octave: its tables.
#[derive(Clone, Debug, Default)]
pub(super) struct OctaveScratch {
    pub columns: Axis,
    pub rows: Axis,
    /// Of all nodes of `columns`.
    pub column_keys: Buffer<u32>,
    /// Of the lattice rows beside a block of rows of samples.
    gradients: Buffer<f32>,
}

impl OctaveScratch {
    pub fn tables<'a>(&'a self, octave: &KernelOctave) -> OctaveTables<'a> {
        OctaveTables {
            columns: &self.columns,
            rows: &self.rows,
            gradients: self.gradients.as_slice(),
            scale: octave.scale,
        }
    }

    /// Finds the gradients of all lattice rows beside the rows of samples in `block`.
    #[inline(always)]
    pub fn find_gradients<S: Simd>(&mut self, s: S, rule: &Rule, block: &Range<usize>) {
        let nodes = self.rows.nodes.as_slice();
        let (first, last) = (nodes[block.start] as usize, nodes[block.end - 1] as usize + 1);
        let keys = self.column_keys.as_slice();
        // A vector of samples reads from its first node on: more than there are, though it uses none of those.
        let length = keys.len() + 2 * S::LANES;
        self.gradients.resize((last - first + 1) * 2 * length);
        let rows = self.gradients.as_mut_slice().chunks_exact_mut(2 * length);
        for (row, &cell) in rows.zip(&self.rows.cells.as_slice()[first..=last]) {
            rule.gradients(s, keys, rule.row_key(cell), row);
        }
    }
}
