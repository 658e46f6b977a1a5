//! Going down the rows of a grid with a few vectors of columns, one octave after the other.

use super::axis::Axis;
use super::formula::{
    Line, MAX_STATE, Node, OctaveScale, Row, Shape, SlopeWeights, State, Strip, Weights, line, slope_along_y,
    slope_line, strip, value,
};
use super::simd::{Nodes, Simd, Work};
use super::slice::lists_of_row;
use std::hint::black_box;
use std::marker::PhantomData;
use std::ops::Range;
use std::slice::ChunksExact;

/// One octave as a sweep needs it.
#[derive(Clone, Copy)]
pub(super) struct OctaveTables<'a> {
    pub columns: &'a Axis,
    pub rows: &'a Axis,
    /// The gradients of the lattice rows beside a block of rows, one after the other.
    pub gradients: &'a [f32],
    pub scale: OctaveScale,
}

impl OctaveTables<'_> {
    /// Numbers in a list of a row of nodes.
    #[inline(always)]
    pub fn list_length(&self, lanes: usize) -> usize {
        2 * (self.columns.cells.as_slice().len() + 2 * lanes)
    }
}

/// The data of one vector of columns in its octave: where its nodes are, and its weights.
#[derive(Clone, Copy)]
struct Column<S: Simd> {
    nodes: Nodes<S>,
    weights: Weights<S::F>,
    /// Nothing, where the shape needs none.
    slope_weights: SlopeWeights<S::F>,
}

impl<S: Simd> Column<S> {
    #[inline(always)]
    fn new(s: S, axis: &Axis, vector: usize, slopes: bool) -> Self {
        let left = &axis.nodes.as_slice()[vector * S::LANES..][..S::LANES];
        let nodes = Nodes { first: left[0] as usize, steps: s.steps(left), shared: axis.shared };
        let stride = Axis::column_numbers(slopes) * S::LANES;
        let numbers = &axis.numbers.as_slice()[vector * stride..][..stride];
        let weights = Weights {
            x: [s.load(numbers), s.load(&numbers[S::LANES..])],
            y: [s.load(&numbers[2 * S::LANES..]), s.load(&numbers[3 * S::LANES..])],
        };
        let slope_weights = if slopes {
            SlopeWeights {
                x: [s.load(&numbers[4 * S::LANES..]), s.load(&numbers[5 * S::LANES..])],
                y: s.load(&numbers[6 * S::LANES..]),
            }
        } else {
            SlopeWeights { x: [s.splat(0.0); 2], y: s.splat(0.0) }
        };
        Self { nodes, weights, slope_weights }
    }
}

/// The nodes on the left and on the right of a vector of columns, in the two lists from `list` on.
#[inline(always)]
pub(super) fn nodes_beside<S: Simd, const N: usize>(
    s: S,
    lists: &[f32],
    length: usize,
    nodes: &Nodes<S>,
) -> [Node<S::F>; 2] {
    let zero = s.splat(0.0);
    let [left, right] = s.corners(&lists[..length], nodes);
    let [left_value, right_value] =
        if N > 2 { s.corners(&lists[length..2 * length], nodes).map(|[value, _]| value) } else { [zero; 2] };
    [Node { x: left[0], y: left[1], value: left_value }, Node { x: right[0], y: right[1], value: right_value }]
}

/// The lines of a lattice row: of the noise, of its derivative along x, and from the third on of those along z and w. The derivatives
/// are there only where the shape needs them.
type RowLines<F> = [Line<F>; 4];

/// An octave on its way down the rows of a block. Lattice rows are needed one after the other, each once.
struct Descent<'a, S: Simd, const N: usize, const V: usize> {
    columns: [Column<S>; V],
    /// The lattice rows that are still to come.
    gradients: ChunksExact<'a, f32>,
    /// Numbers in a list of a row.
    list_length: usize,
    /// The lattice row whose lines `upper` has.
    above: u32,
    upper: [RowLines<S::F>; V],
}

impl<'a, S: Simd, const N: usize, const V: usize> Descent<'a, S, N, V> {
    #[inline(always)]
    fn new(s: S, octave: &OctaveTables<'a>, vector: usize, first_row: usize, slopes: bool) -> Self {
        let mut columns = [Column::new(s, octave.columns, vector, slopes); V];
        let mut v = 1;
        while v < V {
            columns[v] = Column::new(s, octave.columns, vector + v, slopes);
            v += 1;
        }
        let list_length = octave.list_length(S::LANES);
        let gradients = octave.gradients.chunks_exact(lists_of_row(N, slopes) * list_length);
        let upper = [[Line { u: s.splat(0.0), v: s.splat(0.0) }; 4]; V];
        let above = octave.rows.nodes.as_slice()[first_row];
        let mut descent = Self { columns, gradients, list_length, above, upper };
        descent.next_row(s, slopes);
        descent
    }

    /// Replaces the upper lines by those of the next lattice row.
    #[inline(always)]
    fn next_row(&mut self, s: S, slopes: bool) {
        let Some(gradients) = self.gradients.next() else { return };
        let length = self.list_length;
        let mut v = 0;
        while v < V {
            let Column { nodes, weights, slope_weights } = &self.columns[v];
            let beside = nodes_beside::<S, N>(s, gradients, length, nodes);
            self.upper[v][0] = line::<_, N>(s, weights, beside);
            if slopes {
                self.upper[v][1] = slope_line::<_, N>(s, slope_weights, beside);
            }
            let mut axis = 2;
            while slopes && axis < N {
                let beside = nodes_beside::<S, N>(s, &gradients[2 * (axis - 1) * length..], length, nodes);
                self.upper[v][axis] = line::<_, N>(s, weights, beside);
                axis += 1;
            }
            v += 1;
        }
    }

    /// The strips above lattice row `node`, of the noise and of its derivatives as in [`RowLines`]. Usually it is the row above the
    /// last strips: then its lines are known.
    #[inline(always)]
    fn strips(&mut self, s: S, node: u32, slopes: bool) -> [[Strip<S::F>; 4]; V] {
        if node != self.above {
            self.next_row(s, slopes);
        }
        let lower = self.upper;
        self.next_row(s, slopes);
        self.above = node + 1;
        let mut strips = [[strip(s, lower[0][0], self.upper[0][0]); 4]; V];
        let mut v = 0;
        while v < V {
            strips[v][0] = strip(s, lower[v][0], self.upper[v][0]);
            let mut k = 1;
            while slopes && k < if N > 2 { N } else { 2 } {
                strips[v][k] = strip(s, lower[v][k], self.upper[v][k]);
                k += 1;
            }
            v += 1;
        }
        strips
    }
}

/// Gives every state its first value.
#[inline(always)]
pub(super) fn start<S: Simd, C: Shape<N>, const N: usize>(s: S, states: &mut [f32]) {
    for vectors in states.chunks_exact_mut(C::STATES * S::LANES) {
        let mut k = 0;
        while k < C::STATES {
            s.store(s.splat(C::START[k]), &mut vectors[k * S::LANES..]);
            k += 1;
        }
    }
}

/// A bit of a pass: the states begin here, rather than being read.
pub(super) const FIRST: u8 = 1;
/// A bit of a pass: results are written out, instead of the states.
pub(super) const LAST: u8 = 2;

/// One pass down the rows `rows`, for `V` vectors of columns from `vector` on, which adds one octave to the states. A row of
/// states is every state's vector, for `V` vectors.
pub(super) struct Sweep<'a, C, const N: usize, const V: usize, const PASS: u8> {
    pub octave: OctaveTables<'a>,
    pub vector: usize,
    pub rows: Range<usize>,
    pub states: &'a mut [f32],
    pub out: OutputGrid<'a>,
    pub shape: PhantomData<C>,
}

/// The grid that results are written to, row by row, and the factor of a pass that writes results.
pub(super) struct OutputGrid<'a> {
    pub values: &'a mut [f32],
    pub width: usize,
    pub height_scale: f32,
    /// Whether results replace the values of the grid. If not, they are added to them.
    pub replace: bool,
}

impl<'a> OutputGrid<'a> {
    /// The same grid, borrowed for a shorter time.
    pub fn again(&mut self) -> OutputGrid<'_> {
        OutputGrid { values: self.values, ..*self }
    }

    /// Writes one vector of results.
    #[inline(always)]
    pub fn write<S: Simd>(s: S, result: S::F, replace: bool, to: &mut [f32]) {
        s.store(if replace { result } else { s.add(s.load(to), result) }, to);
    }
}

/// A local variable of this type makes the stack frame of its function begin at a page.
///
/// There are more vectors than registers, so some live in the frame. A load waits for an earlier store to the same position of
/// another page, so where in its page the frame begins, which is otherwise an accident of the environment's length, makes a
/// sweep up to a quarter slower. Here, it is the same position always.
#[repr(align(4096))]
struct PageStart(#[expect(dead_code, reason = "its place is what it is for")] u8);

impl<C: Shape<N>, const N: usize, const V: usize, const PASS: u8> Work for Sweep<'_, C, N, V, PASS> {
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let Self { octave, vector, rows, states, out, .. } = self;
        // A variable, because a constant would not be in the frame.
        let page_start = PageStart(0);
        black_box(&page_start);
        let mut descent = Descent::<S, N, V>::new(s, &octave, vector, rows.start, C::SLOPES);
        let states = s.vectors(states);
        let row_length = V * C::STATES;
        // All of one length, so that one check of a bound is enough.
        let (nodes, ends) = (&octave.rows.nodes.as_slice()[..rows.end], &octave.rows.ends.as_slice()[..rows.end]);
        let [dy, t, t_dy, t_slope, t_dy_slope] = octave.rows.row_numbers().map(|numbers| &numbers[..rows.end]);
        let (replace, height_scale) = (out.replace, s.splat(out.height_scale));
        // Whole lattice rows at a time: while the lattice rows stay the same, so do the strips, in registers.
        let mut row = rows.start;
        while row < rows.end {
            let strips = descent.strips(s, nodes[row], C::SLOPES);
            let end = (ends[row] as usize).min(rows.end);
            let states = states[(row - rows.start) * row_length..].chunks_exact_mut(row_length);
            let mut out_at = row * out.width + vector * S::LANES;
            let values = dy[row..end].iter().zip(&t[row..end]).zip(&t_dy[row..end]);
            let numbers = values.zip(t_slope[row..end].iter().zip(&t_dy_slope[row..end]));
            for (states, (((dy, t), t_dy), (t_slope, t_dy_slope))) in states.zip(numbers) {
                let row = splat_row(s, [*dy, *t, *t_dy, *t_slope, *t_dy_slope], C::SLOPES);
                // A pass that writes no results has no row to write to.
                let out_row = if PASS & LAST != 0 { &mut out.values[out_at..][..V * S::LANES] } else { &mut [] };
                out_at += out.width;
                let mut v = 0;
                while v < V {
                    let states = &mut states[v * C::STATES..][..C::STATES];
                    let mut state: State<S::F> = [s.splat(0.0); MAX_STATE];
                    let mut k = 0;
                    while k < C::STATES {
                        state[k] = if PASS & FIRST == 0 { states[k] } else { s.splat(C::START[k]) };
                        k += 1;
                    }
                    let noise = value(s, &strips[v][0], &row);
                    let mut slopes = [noise; N];
                    let mut axis = 0;
                    while C::SLOPES && axis < N {
                        slopes[axis] = match axis {
                            0 => value(s, &strips[v][1], &row),
                            1 => slope_along_y(s, &strips[v][0], &row),
                            _ => value(s, &strips[v][axis], &row),
                        };
                        axis += 1;
                    }
                    C::add(s, &mut state, &octave.scale, noise, slopes);
                    if PASS & LAST != 0 {
                        OutputGrid::write(s, s.mul(state[0], height_scale), replace, &mut out_row[v * S::LANES..]);
                    }
                    let mut k = 0;
                    while PASS & LAST == 0 && k < C::STATES {
                        states[k] = state[k];
                        k += 1;
                    }
                    v += 1;
                }
            }
            row = end;
        }
    }
}

#[inline(always)]
fn splat_row<S: Simd>(s: S, [dy, t, t_dy, t_slope, t_dy_slope]: [f32; 5], slopes: bool) -> Row<S::F> {
    let t = s.splat(t);
    let [t_slope, t_dy_slope] = if slopes { [s.splat(t_slope), s.splat(t_dy_slope)] } else { [t; 2] };
    Row { dy: s.splat(dy), t, t_dy: s.splat(t_dy), t_slope, t_dy_slope }
}
