//! A whole grid: tables, node rows, sweeps, and the last step from sums to results.

use super::axis::Samples;
use super::buffer::Buffer;
use super::column_remainder::ColumnRemainder;
use super::dual::Dual;
use super::formula::{MAX_STATE, Shape, ShapeWork};
use super::octave::{FindGradients, FindNodes, KernelOctave, OctaveScratch};
use super::output::{Output, apply_output};
use super::simd::{MAX_LANES, Simd, Work};
use super::sweep::{FIRST, LAST, OutputGrid, Sweep, start};
use crate::{Fade, FixedCoord};
use std::marker::PhantomData;
use std::ops::Range;

/// Bytes of states at once, so that those of a strip stay in the nearest cache.
const MAX_STATES: usize = 36 * 1024;

/// Vectors of columns in the widest strip.
const MAX_VECTORS: usize = 4;

/// Nodes that are kept at once, so that their gradients stay in the second cache.
const MAX_NODES: usize = 1 << 15;

/// Reusable memory of fills.
#[derive(Clone, Debug, Default)]
pub(crate) struct KernelScratch {
    octaves: Vec<OctaveScratch>,
    states: Buffer<f32>,
    lines: Buffer<f32>,
}

/// Noise on a grid of `samples` along each axis.
pub(crate) struct Fill<'a, const N: usize> {
    pub octaves: &'a [KernelOctave<N>],
    pub fade: Fade,
    pub output: Output,
    pub samples: [Samples; N],
    pub scratch: &'a mut KernelScratch,
    /// Row by row, and slice by slice: those along x lie beside one another.
    pub values: &'a mut [f32],
    /// The derivatives along each axis, as `values`. Empty for shapes without gradients. Always replaced.
    pub gradients: [&'a mut [f32]; N],
    /// Whether the noise replaces what is there, rather than being added to it.
    pub replace: bool,
}

impl<const N: usize> ShapeWork<N> for Fill<'_, N> {
    #[inline(always)]
    fn run<S: Simd, C: Shape<N>>(self, s: S) {
        let Self { octaves, fade, output, samples, scratch, values, mut gradients, replace } = self;
        // A line is a single row.
        let single = Samples { first: FixedCoord::from_ticks(0), step_ticks: 0, count: 1 };
        let (columns, rows) = (samples[0], samples.get(1).copied().unwrap_or(single));
        if samples.iter().any(|samples| samples.count == 0) {
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
        // With gradients, wider strips would not gain what their code costs.
        let max_vectors = if C::GRADIENT { 2 } else { MAX_VECTORS };
        let state_bytes = max_vectors * C::STATES * S::LANES * size_of::<f32>();
        let max_rows = (MAX_NODES / nodes_per_row.max(1)).clamp(8, MAX_STATES / state_bytes);
        let block_rows = rows.count.div_ceil(rows.count.div_ceil(max_rows)).next_multiple_of(S::LANES);
        // A few columns beside whole vectors, a quarter of one at most, are not worth a vector of their own.
        let beyond = columns.count % S::LANES;
        let remainder = if 4 * beyond <= S::LANES && !C::SLOPES { beyond } else { 0 };
        let vectors = (columns.count - remainder).div_ceil(S::LANES);
        let width = columns.count;
        for (index, values) in values.chunks_exact_mut(width * rows.count).enumerate() {
            let coord = coord_of_slice(&samples, index);
            let first = index * values.len();
            let mut block = 0..0;
            while block.end < rows.count {
                block = block.end..(block.end + block_rows).min(rows.count);
                for (octave, tables) in octaves.iter().zip(&mut scratch.octaves) {
                    let (block, slopes) = (block.clone(), C::SLOPES);
                    s.call(FindGradients { octave, fade, coord, block, slopes, scratch: tables });
                }
                let KernelScratch { octaves: tables, states, lines } = &mut *scratch;
                let mut vector = 0;
                while vector < vectors {
                    let out = OutputGrid { values: &mut *values, width, height_scale: output.height_scale, replace };
                    let gradients = GradientGrid { along: again(&mut gradients), first };
                    let rows = block.clone();
                    let strip = Strip { octaves, tables, output, vector, rows, states, out, gradients };
                    vector += match vectors - vector {
                        MAX_VECTORS.. if !C::GRADIENT => strip.run::<S, C, MAX_VECTORS>(s),
                        2.. => strip.run::<S, C, 2>(s),
                        _ => strip.run::<S, C, 1>(s),
                    };
                }
                for column in columns.count - remainder..columns.count {
                    let out = OutputGrid { values: &mut *values, width, height_scale: output.height_scale, replace };
                    let (rows, shape) = (block.clone(), PhantomData::<C>);
                    s.call(ColumnRemainder { octaves, tables, output, column, rows, states, lines, out, shape });
                }
            }
        }
    }
}

/// The grids that derivatives are written to, beside those of the [`OutputGrid`].
struct GradientGrid<'a, const N: usize> {
    along: [&'a mut [f32]; N],
    /// Where the slice begins.
    first: usize,
}

/// The same slices, borrowed for a shorter time.
#[inline(always)]
fn again<'a, const N: usize>(slices: &'a mut [&mut [f32]; N]) -> [&'a mut [f32]; N] {
    slices.each_mut().map(|slice| &mut **slice)
}

/// The coordinates of the slice with this index along the axes beyond x and y.
fn coord_of_slice<const N: usize>(samples: &[Samples; N], index: usize) -> [FixedCoord; N] {
    let mut rest = index;
    let mut coord = [FixedCoord::from_ticks(0); N];
    for axis in 2..N {
        let Samples { first, step_ticks, count } = samples[axis];
        coord[axis] = first.stepped(step_ticks, rest % count);
        rest /= count;
    }
    coord
}

/// All octaves in a few vectors of columns, down a block of rows.
struct Strip<'a, const N: usize> {
    octaves: &'a [KernelOctave<N>],
    tables: &'a [OctaveScratch],
    output: Output,
    vector: usize,
    rows: Range<usize>,
    states: &'a mut Buffer<f32>,
    out: OutputGrid<'a>,
    gradients: GradientGrid<'a, N>,
}

impl<const N: usize> Strip<'_, N> {
    /// Returns how many vectors these were.
    #[inline(always)]
    fn run<S: Simd, C: Shape<N>, const V: usize>(self, s: S) -> usize {
        let Self { octaves, tables, output, vector, rows, states, mut out, gradients } = self;
        let row_length = V * C::STATES * S::LANES;
        states.resize(rows.len() * row_length);
        let states = states.as_mut_slice();
        // The last pass can write results if there is nothing but a product left to do, and if no lane lies beyond the grid.
        let direct = C::TAILORED && output.is_linear() && (vector + V) * S::LANES <= out.width;
        if !C::TAILORED || octaves.is_empty() {
            start::<S, C, N>(s, states);
        }

        for (i, (octave, tables)) in octaves.iter().zip(tables).enumerate() {
            let octave = tables.tables(octave);
            let (states, rows, out) = (&mut *states, rows.clone(), out.again());
            macro_rules! sweep {
                ($pass:expr) => {
                    s.call(Sweep::<C, N, V, { $pass }> { octave, vector, rows, states, out, shape: PhantomData })
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
            s.call(WriteOutput::<C, N, V> { output, states, rows, first_column, out, gradients, shape: PhantomData });
        }
        V
    }
}

/// Computes results from states, and writes them.
struct WriteOutput<'a, C, const N: usize, const V: usize> {
    output: Output,
    states: &'a [f32],
    rows: Range<usize>,
    first_column: usize,
    out: OutputGrid<'a>,
    gradients: GradientGrid<'a, N>,
    shape: PhantomData<C>,
}

impl<C: Shape<N>, const N: usize, const V: usize> Work for WriteOutput<'_, C, N, V> {
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let Self { output, states, rows, first_column, out, gradients, .. } = self;
        let row_states = states.chunks_exact(V * C::STATES * S::LANES);
        let out_rows = out.values.chunks_exact_mut(out.width).skip(rows.start);
        for (row, (states, out_row)) in rows.zip(row_states.zip(out_rows)) {
            let mut v = 0;
            while v < V {
                let states = &states[v * C::STATES * S::LANES..];
                let column = (first_column + v * S::LANES).min(out.width);
                if C::GRADIENT {
                    let mut sum = [s.load(states); MAX_STATE];
                    let mut k = 0;
                    while k <= N {
                        sum[k] = s.load(&states[k * S::LANES..]);
                        k += 1;
                    }
                    let Dual { value, gradient } = apply_output::<S, N>(s, output, Dual::read(&sum, 0));
                    write_lanes(s, value, out.replace, &mut out_row[column..]);
                    let start = gradients.first + row * out.width;
                    let mut axis = 0;
                    while axis < N {
                        let to = &mut gradients.along[axis][start + column..start + out.width];
                        write_lanes(s, gradient[axis], true, to);
                        axis += 1;
                    }
                } else {
                    let result = apply_output(s, output, Dual { value: s.load(states), gradient: [] });
                    write_lanes(s, result.value, out.replace, &mut out_row[column..]);
                }
                v += 1;
            }
        }
    }
}

/// Writes one vector of results, or as many of them as `to` has room for.
#[inline(always)]
fn write_lanes<S: Simd>(s: S, result: S::F, replace: bool, to: &mut [f32]) {
    if to.len() >= S::LANES {
        OutputGrid::write(s, result, replace, to);
    } else {
        let mut lanes = [0.0; MAX_LANES];
        s.store(result, &mut lanes);
        for (to, lane) in to.iter_mut().zip(lanes) {
            *to = if replace { lane } else { *to + lane };
        }
    }
}
