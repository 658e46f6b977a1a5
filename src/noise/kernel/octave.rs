//! One octave, and its tables for a grid.

use super::axis::{Axis, Samples};
use super::buffer::Buffer;
use super::formula::OctaveScale;
use super::rule::Rule;
use super::simd::{Simd, Work};
use super::sweep::OctaveTables;
use crate::noise::Fade;
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
}

/// Finds where the samples of an octave lie in its lattice. Like [`FindGradients`], it is the same for all shapes, and so it is
/// compiled once for an instruction set.
pub(super) struct FindNodes<'a> {
    pub octave: &'a KernelOctave,
    /// Columns and rows.
    pub samples: [Samples; 2],
    pub fade: Fade,
    /// Whether the shape needs derivatives.
    pub slopes: bool,
    pub scratch: &'a mut OctaveScratch,
}

impl Work for FindNodes<'_> {
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let Self { octave, samples: [columns, rows], fade, slopes, scratch } = self;
        let [map_x, map_y] = &octave.axes;
        scratch.columns.columns(s, map_x, columns, fade, octave.scale.gradients, slopes);
        scratch.rows.rows(s, map_y, rows, fade, slopes);
        let cells = scratch.columns.cells.as_slice();
        scratch.column_keys.resize(cells.len());
        octave.rule.column_keys(cells, scratch.column_keys.as_mut_slice());
    }
}

/// Finds the gradients of all lattice rows beside the rows of samples in `block`.
pub(super) struct FindGradients<'a> {
    pub rule: &'a Rule,
    pub block: Range<usize>,
    pub scratch: &'a mut OctaveScratch,
}

impl Work for FindGradients<'_> {
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let Self { rule, block, scratch } = self;
        let nodes = scratch.rows.nodes.as_slice();
        let (first, last) = (nodes[block.start] as usize, nodes[block.end - 1] as usize + 1);
        let keys = scratch.column_keys.as_slice();
        // A vector of samples reads from its first node on: more than there are, though it uses none of those.
        let length = keys.len() + 2 * S::LANES;
        scratch.gradients.resize((last - first + 1) * 2 * length);
        let rows = scratch.gradients.as_mut_slice().chunks_exact_mut(2 * length);
        for (row, &cell) in rows.zip(&scratch.rows.cells.as_slice()[first..=last]) {
            rule.gradients(s, keys, rule.row_key(cell), row);
        }
    }
}
