//! The column remainder: the few columns beyond the last whole vector of columns.
//!
//! A chunk has a power of two quads along a side. It has one more vertex than quads, or three more with the neighbors that
//! normals need. In a sweep, these columns would take as long as a whole vector of columns. So they are computed one by one,
//! with vectors of rows instead of vectors of columns, and the same formula:
//!
//! ```text
//!   lattice rows   j     j+1          first, the lines (u, v) of all lattice rows at this column
//!                  |      |
//!   rows           x x x x x x        then, for every vector of rows, the lines below and above each
//! ```

use super::axis::Axis;
use super::buffer::Buffer;
use super::dual::Dual;
use super::formula::{Line, MAX_STATE, Node, Row, Shape, State, Weights, line, strip, value};
use super::octave::{KernelOctave, OctaveScratch};
use super::output::{Output, apply_output};
use super::simd::{MAX_LANES, Nodes, Simd, Work};
use super::slice::lists_of_row;
use super::sweep::{OctaveTables, OutputGrid, start};
use std::marker::PhantomData;
use std::ops::Range;

/// All octaves in one column of the remainder, down a block of rows that begins with a whole vector. For shapes without
/// slopes.
pub(super) struct ColumnRemainder<'a, C, const N: usize> {
    pub octaves: &'a [KernelOctave<N>],
    pub tables: &'a [OctaveScratch],
    pub output: Output,
    pub column: usize,
    pub rows: Range<usize>,
    pub states: &'a mut Buffer<f32>,
    /// Memory for the lines of lattice rows, laid out as a row of nodes: `u` instead of x, and `v` instead of y.
    pub lines: &'a mut Buffer<f32>,
    pub out: OutputGrid<'a>,
    pub shape: PhantomData<C>,
}

impl<C: Shape<N>, const N: usize> Work for ColumnRemainder<'_, C, N> {
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let Self { octaves, tables, output, column, rows, states, lines, out, .. } = self;
        let vectors = rows.len().div_ceil(S::LANES);
        states.resize(vectors * C::STATES * S::LANES);
        let states = states.as_mut_slice();
        start::<S, C, N>(s, states);

        for (octave, tables) in octaves.iter().zip(tables) {
            let octave = tables.tables(octave);
            find_lines::<S, N>(s, &octave, column, lines);
            let lines = lines.as_slice();
            let left = octave.rows.nodes.as_slice();
            let [dy, t, t_dy, ..] = octave.rows.row_numbers();
            let row_start = left[rows.start];
            for (vector, states) in states.chunks_exact_mut(C::STATES * S::LANES).enumerate() {
                let at = rows.start + vector * S::LANES;
                let left = &left[at..][..S::LANES];
                let (first, steps) = ((left[0] - row_start) as usize, s.steps(left));
                let nodes = Nodes { first, steps, shared: octave.rows.shared };
                let [lower, upper] = s.corners(lines, &nodes).map(|[u, v]| Line { u, v });
                let (dy, t, t_dy) = (s.load(&dy[at..]), s.load(&t[at..]), s.load(&t_dy[at..]));
                let row = Row { dy, t, t_dy, t_slope: t, t_dy_slope: t };

                let mut state: State<S::F> = [s.splat(0.0); MAX_STATE];
                let mut k = 0;
                while k < C::STATES {
                    state[k] = s.load(&states[k * S::LANES..]);
                    k += 1;
                }
                let noise = value(s, &strip(s, lower, upper), &row);
                C::add(s, &mut state, &octave.scale, noise, [noise; N]);
                let mut k = 0;
                while k < C::STATES {
                    s.store(state[k], &mut states[k * S::LANES..]);
                    k += 1;
                }
            }
        }

        let mut to = out.values[column..].iter_mut().step_by(out.width).skip(rows.start).take(rows.len());
        for states in states.chunks_exact(C::STATES * S::LANES) {
            let mut results = [0.0; MAX_LANES];
            s.store(apply_output(s, output, Dual { value: s.load(states), gradient: [] }).value, &mut results);
            for (&result, to) in results[..S::LANES].iter().zip(&mut to) {
                *to = if out.replace { result } else { *to + result };
            }
        }
    }
}

/// The lines of all lattice rows of a block at one column.
#[inline(always)]
fn find_lines<S: Simd, const N: usize>(s: S, octave: &OctaveTables, column: usize, lines: &mut Buffer<f32>) {
    let (vector, lane) = (column / S::LANES, column % S::LANES);
    let stride = Axis::column_numbers(false) * S::LANES;
    let numbers = &octave.columns.numbers.as_slice()[vector * stride..][..stride];
    let number = |k: usize| s.splat(numbers[k * S::LANES + lane]);
    let weights = Weights { x: [number(0), number(1)], y: [number(2), number(3)] };

    let node = octave.columns.nodes.as_slice()[column] as usize;
    let length = octave.list_length(S::LANES);
    let row_length = lists_of_row(N, false) * length;
    let count = octave.gradients.len() / row_length;
    // A vector reads from its first lattice row on: more than there are, though it uses none of those.
    let padded = count.next_multiple_of(S::LANES);
    lines.resize(2 * (padded + 2 * S::LANES));
    let lines = lines.as_mut_slice();
    let mut rows = octave.gradients.chunks_exact(row_length);
    for at in (0..padded).step_by(S::LANES) {
        // On the left and on the right, x, y and value.
        let mut corners = [[[0.0; MAX_LANES]; 3]; 2];
        for (lane, gradients) in rows.by_ref().take(S::LANES).enumerate() {
            let beside = s.corners_of_one(&gradients[..length], node);
            let values = if N > 2 { s.corners_of_one(&gradients[length..], node) } else { [[0.0; 2]; 2] };
            for (corner, ([x, y], [value, _])) in corners.iter_mut().zip(beside.into_iter().zip(values)) {
                corner[0][lane] = x;
                corner[1][lane] = y;
                corner[2][lane] = value;
            }
        }
        let [left, right] = &corners;
        let left = Node { x: s.load(&left[0]), y: s.load(&left[1]), value: s.load(&left[2]) };
        let right = Node { x: s.load(&right[0]), y: s.load(&right[1]), value: s.load(&right[2]) };
        let line = line::<_, N>(s, &weights, [left, right]);
        s.put(line.u, line.v, lines, at);
    }
}
