//! One octave, and its tables for a grid.

use super::axis::{Axis, Samples};
use super::buffer::Buffer;
use super::formula::OctaveScale;
use super::rule::Rule;
use super::simd::{Simd, Work};
use super::slice::{FindRow, Slice, lists_of_row};
use super::sweep::OctaveTables;
use crate::Fade;
use crate::fixed_coord::{AxisMap, FixedCoord};
use std::ops::Range;

/// One octave, compiled.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct KernelOctave<const N: usize> {
    pub rule: Rule<N>,
    pub axes: [AxisMap; N],
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
    pub fn tables<'a, const N: usize>(&'a self, octave: &KernelOctave<N>) -> OctaveTables<'a> {
        OctaveTables {
            columns: &self.columns,
            rows: &self.rows,
            gradients: self.gradients.as_slice(),
            scale: octave.scale,
        }
    }
}

/// Finds where the samples of an octave lie in its lattice, along x and y. Like [`FindGradients`], it is the same for all shapes, and
/// so it is compiled once for an instruction set.
pub(super) struct FindNodes<'a, const N: usize> {
    pub octave: &'a KernelOctave<N>,
    /// Columns and rows.
    pub samples: [Samples; 2],
    pub fade: Fade,
    /// Whether the shape needs derivatives.
    pub slopes: bool,
    pub scratch: &'a mut OctaveScratch,
}

impl<const N: usize> Work for FindNodes<'_, N> {
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let Self { octave, samples: [columns, rows], fade, slopes, scratch } = self;
        // A line is a single row, at a node of the other axis.
        let no_axis = AxisMap::new(0.0, 0.0);
        scratch.columns.columns(s, &octave.axes[0], columns, fade, octave.scale.gradients, slopes);
        scratch.rows.rows(s, octave.axes.get(1).unwrap_or(&no_axis), rows, fade, slopes);
        let cells = scratch.columns.cells.as_slice();
        scratch.column_keys.resize(cells.len());
        octave.rule.column_keys(cells, scratch.column_keys.as_mut_slice());
    }
}

/// Finds the nodes of all lattice rows beside the rows of samples in `block`.
pub(super) struct FindGradients<'a, const N: usize> {
    pub octave: &'a KernelOctave<N>,
    pub fade: Fade,
    /// Where along the axes beyond x and y.
    pub coord: [FixedCoord; N],
    pub block: Range<usize>,
    /// Whether the shape needs derivatives.
    pub slopes: bool,
    pub scratch: &'a mut OctaveScratch,
}

impl<const N: usize> Work for FindGradients<'_, N> {
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let Self { octave: KernelOctave { rule, axes, .. }, fade, coord, block, slopes, scratch } = self;
        let nodes = scratch.rows.nodes.as_slice();
        let (first, last) = (nodes[block.start] as usize, nodes[block.end - 1] as usize + 1);
        let columns = scratch.column_keys.as_slice();
        // A vector of samples reads from its first node on: more than there are, though it uses none of those.
        let length = lists_of_row(N, slopes) * 2 * (columns.len() + 2 * S::LANES);
        scratch.gradients.resize((last - first + 1) * length);
        let rows = scratch.gradients.as_mut_slice().chunks_exact_mut(length);
        let rows = rows.zip(&scratch.rows.cells.as_slice()[first..=last]);
        if N == 2 {
            for (row, &cell) in rows {
                rule.gradients(s, columns, rule.key(1, cell), row);
            }
            return;
        }
        let slice = &Slice::new(rule, axes, fade, coord, slopes);
        for (row, &cell) in rows {
            if slopes {
                rule.call(s, FindRow::<N, true> { rule, slice, columns, cell, row });
            } else {
                rule.call(s, FindRow::<N, false> { rule, slice, columns, cell, row });
            }
        }
    }
}
