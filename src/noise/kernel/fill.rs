//! A whole grid: tables, node rows, sweeps, and the last step from sums to results.

use super::axis::Samples;
use super::buffer::Buffer;
use super::column_remainder::ColumnRemainder;
use super::formula::{Shape, ShapeWork};
use super::octave::{FindGradients, FindNodes, KernelOctave, OctaveScratch};
use super::output::{Output, apply_output};
use super::simd::{MOST_LANES, Simd, Work};
use super::sweep::{FIRST, LAST, OutputGrid, Sweep, start};
use crate::noise::Fade;
use std::marker::PhantomData;
use std::ops::Range;

/// Bytes of states at once, so that those of a strip stay in the nearest cache.
const MOST_STATES: usize = 36 * 1024;

/// Vectors of columns in the widest strip.
const MOST_VECTORS: usize = 4;

/// Nodes that are kept at once, so that their gradients stay in the second cache.
const MOST_NODES: usize = 1 << 15;

/// Reusable memory of fills.
#[derive(Clone, Debug, Default)]
pub(in crate::noise) struct KernelScratch {
    octaves: Vec<OctaveScratch>,
    states: Buffer<f32>,
    lines: Buffer<f32>,
}

/// Noise on a grid of `samples`, columns and rows.
pub(in crate::noise) struct Fill<'a> {
    pub octaves: &'a [KernelOctave],
    pub fade: Fade,
    pub output: Output,
    pub samples: [Samples; 2],
    pub scratch: &'a mut KernelScratch,
    /// Row by row.
    pub values: &'a mut [f32],
    /// Whether the noise replaces what is there, rather than being added to it.
    pub replace: bool,
}

impl ShapeWork for Fill<'_> {
    #[inline(always)]
    fn run<S: Simd, C: Shape>(self, s: S) {
        let Self { octaves, fade, output, samples: [columns, rows], scratch, values, replace } = self;
        if columns.count == 0 || rows.count == 0 {
            return;
        }
        if scratch.octaves.len() < octaves.len() {
            scratch.octaves.resize_with(octaves.len(), OctaveScratch::default);
        }
        let mut nodes_per_row = 0;
        for (octave, tables) in octaves.iter().zip(&mut scratch.octaves) {
            s.call(FindNodes { octave, samples: [columns, rows], fade, slopes: C::SLOPES, scratch: &mut *tables });
            let cells = [&tables.columns, &tables.rows].map(|axis| axis.cells.as_slice().len());
            nodes_per_row += cells[0] * cells[1] / rows.count + 1;
        }

        // Blocks of equal height, and few: each finds the lattice rows that it shares with the one before it again. They begin
        // with whole vectors of rows, as column remainders require.
        let state_bytes = MOST_VECTORS * C::STATES * S::LANES * size_of::<f32>();
        let most_rows = (MOST_NODES / nodes_per_row.max(1)).clamp(8, MOST_STATES / state_bytes);
        let block_rows = rows.count.div_ceil(rows.count.div_ceil(most_rows)).next_multiple_of(S::LANES);
        // A few columns beside whole vectors, a quarter of one at most, are not worth a vector of their own.
        let beyond = columns.count % S::LANES;
        let remainder = if 4 * beyond <= S::LANES && !C::SLOPES { beyond } else { 0 };
        let vectors = (columns.count - remainder).div_ceil(S::LANES);
        let mut block = 0..0;
        while block.end < rows.count {
            block = block.end..(block.end + block_rows).min(rows.count);
            for (octave, tables) in octaves.iter().zip(&mut scratch.octaves) {
                s.call(FindGradients { rule: &octave.rule, block: block.clone(), scratch: tables });
            }
            let KernelScratch { octaves: tables, states, lines } = &mut *scratch;
            let mut vector = 0;
            while vector < vectors {
                let out = OutputGrid {
                    values: &mut *values,
                    width: columns.count,
                    height_scale: output.height_scale,
                    replace,
                };
                let strip = Strip { octaves, tables, output, vector, rows: block.clone(), states, out };
                vector += match vectors - vector {
                    MOST_VECTORS.. => strip.run::<S, C, MOST_VECTORS>(s),
                    2.. => strip.run::<S, C, 2>(s),
                    _ => strip.run::<S, C, 1>(s),
                };
            }
            for column in columns.count - remainder..columns.count {
                let out = OutputGrid {
                    values: &mut *values,
                    width: columns.count,
                    height_scale: output.height_scale,
                    replace,
                };
                let (rows, shape) = (block.clone(), PhantomData::<C>);
                s.call(ColumnRemainder { octaves, tables, output, column, rows, states, lines, out, shape });
            }
        }
    }
}

/// All octaves in a few vectors of columns, down a block of rows.
struct Strip<'a> {
    octaves: &'a [KernelOctave],
    tables: &'a [OctaveScratch],
    output: Output,
    vector: usize,
    rows: Range<usize>,
    states: &'a mut Buffer<f32>,
    out: OutputGrid<'a>,
}

impl Strip<'_> {
    /// Returns how many vectors these were.
    #[inline(always)]
    fn run<S: Simd, C: Shape, const V: usize>(self, s: S) -> usize {
        let Self { octaves, tables, output, vector, rows, states, mut out } = self;
        let row_length = V * C::STATES * S::LANES;
        states.resize(rows.len() * row_length);
        let states = states.as_mut_slice();
        // The last pass can write results if there is nothing but a product left to do, and if no lane lies beyond the grid.
        let direct = C::TAILORED && output.is_linear() && (vector + V) * S::LANES <= out.width;
        if !C::TAILORED || octaves.is_empty() {
            start::<S, C>(s, states);
        }

        for (i, (octave, tables)) in octaves.iter().zip(tables).enumerate() {
            let octave = tables.tables(octave);
            let (states, rows, out) = (&mut *states, rows.clone(), out.again());
            macro_rules! sweep {
                ($pass:expr) => {
                    s.call(Sweep::<C, V, { $pass }> { octave, vector, rows, states, out, shape: PhantomData })
                };
            }
            match (C::TAILORED && i == 0, direct && i + 1 == octaves.len()) {
                (false, false) => sweep!(0),
                // Not compiled for shapes that are not tailored: the conditions are constants.
                (false, true) if C::TAILORED => sweep!(LAST),
                (true, false) if C::TAILORED => sweep!(FIRST),
                (true, true) if C::TAILORED => sweep!(FIRST | LAST),
                _ => {}
            }
        }
        if !direct || octaves.is_empty() {
            let first_column = vector * S::LANES;
            s.call(WriteOutput::<C, V> { output, states, rows, first_column, out, shape: PhantomData });
        }
        V
    }
}

/// Computes results from states, and writes them.
struct WriteOutput<'a, C, const V: usize> {
    output: Output,
    states: &'a [f32],
    rows: Range<usize>,
    first_column: usize,
    out: OutputGrid<'a>,
    shape: PhantomData<C>,
}

impl<C: Shape, const V: usize> Work for WriteOutput<'_, C, V> {
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let Self { output, states, rows, first_column, out, .. } = self;
        let row_states = states.chunks_exact(V * C::STATES * S::LANES);
        let out_rows = out.values.chunks_exact_mut(out.width).skip(rows.start);
        for (states, out_row) in row_states.zip(out_rows).take(rows.len()) {
            let mut v = 0;
            while v < V {
                let result = apply_output(s, output, s.load(&states[v * C::STATES * S::LANES..]));
                let to = &mut out_row[(first_column + v * S::LANES).min(out.width)..];
                if to.len() >= S::LANES {
                    OutputGrid::write(s, result, out.replace, to);
                } else {
                    let mut lanes = [0.0; MOST_LANES];
                    s.store(result, &mut lanes);
                    for (to, lane) in to.iter_mut().zip(lanes) {
                        *to = if out.replace { lane } else { *to + lane };
                    }
                }
                v += 1;
            }
        }
    }
}
