//! Any positions, rather than a grid: the same formula, with a position in each lane, and so the same bits.
//!
//! Positions share no nodes and no weights, so each octave costs each position four hashes and the whole formula. What vectors are
//! for is finding cells: the exact position has more than 64 bits. Between positions of a block, all within 2^31 ticks (2 * 10^6
//! units), only the difference from the lowest coordinate counts. It is a number in base 2^31, with one digit before the point
//! and two after it, and so is the rate of the octave. The product of two digits fits in 64 bits, with room for the sums:
//!
//! ```text
//!                 a2 . a1  a0        ticks above the lowest
//!         x            r1  r0        cells per tick, below 1/4
//!         -------------------
//!         r1 a2 | r1 a1 + r0 a2 | r1 a0 + r0 a1 | r0 a0
//! ```
//!
//! If positions are further apart, an octave is finer, or its period is corrected, cells are found one by one. So are the keys of nodes
//! with a period, and of the lattice `Grid`.

use super::dual::Dual;
use super::formula::{MAX_STATE, Node, Shape, ShapeWork, State, add_octave};
use super::octave::KernelOctave;
use super::output::{Output, apply_output};
use super::planes::{nodes_around, weights_of_planes};
use super::rule::{NodeRule, NodeWork};
use super::simd::{Simd, Work};
use crate::Fade;
use crate::fixed_coord::{AxisMap, FixedCoord, fraction_24};
use std::hint::black_box;
use std::marker::PhantomData;

/// Positions at once, so that all that is known of them stays in the nearest cache. A multiple of all vectors.
pub(crate) const BLOCK: usize = 128;

/// The most vectors of state, without gradients.
const STATES: usize = 5;

/// A digit has 31 bits.
const DIGIT: u64 = (1 << 31) - 1;

/// The noise at any `positions`.
pub(crate) struct Scatter<'a, const N: usize> {
    pub octaves: &'a [KernelOctave<N>],
    pub fade: Fade,
    pub output: Output,
    pub positions: &'a [[FixedCoord; N]],
    /// One for each position.
    pub values: &'a mut [f32],
    /// Whether the noise replaces what is there, rather than being added to it.
    pub replace: bool,
}

impl<const N: usize> ShapeWork<N> for Scatter<'_, N> {
    #[inline(always)]
    fn run<S: Simd, C: Shape<N>>(self, s: S) {
        // Derivatives along z and w have nodes of their own.
        if C::SLOPES && N > 2 { self.blocks::<S, C, N>(s) } else { self.blocks::<S, C, 1>(s) }
    }
}

impl<const N: usize> Scatter<'_, N> {
    #[inline(always)]
    fn blocks<S: Simd, C: Shape<N>, const SETS: usize>(self, s: S) {
        let Self { octaves, fade, output, positions, values, replace } = self;
        let (mut coords, mut corners) = ([Coords::ZERO; N], Corners::<N, SETS>::ZERO);
        for (positions, values) in positions.chunks(BLOCK).zip(values.chunks_mut(BLOCK)) {
            let mut is_near = [false; N];
            s.call(FindCoords { positions, coords: &mut coords, is_near: &mut is_near });
            let mut states = Lines([[0.0; BLOCK]; STATES]);
            for (states, start) in states.0.iter_mut().zip(C::START).take(C::STATES) {
                states.fill(start);
            }
            for octave in octaves {
                s.call(FindCorners { octave, fade, positions, coords: &coords, is_near, corners: &mut corners });
                let (corners, states, shape) = (&corners, &mut states.0, PhantomData::<C>);
                s.call(AddOctave { octave, fade, count: positions.len(), corners, states, shape });
            }
            s.call(FindOutput { output, sums: &mut states.0[0][..positions.len().next_multiple_of(S::LANES)] });
            for (value, result) in values.iter_mut().zip(states.0[0]) {
                *value = if replace { result } else { *value + result };
            }
        }
    }
}

/// Numbers that begin at a cache line: a vector across two of them takes twice as long to load.
#[repr(align(64))]
struct Lines<T>(T);

/// The coordinates of a block along one axis.
struct Coords {
    lowest: i64,
    /// Ticks above the lowest: the whole, and two digits of the fraction.
    digits: Lines<[[u64; BLOCK]; 3]>,
}

impl Coords {
    const ZERO: Self = Self { lowest: 0, digits: Lines([[0; BLOCK]; 3]) };

    /// Takes the coordinates of `positions`, and returns whether the digits suffice for them.
    #[inline(always)]
    fn find<const N: usize>(&mut self, positions: &[[FixedCoord; N]], axis: usize) -> bool {
        let mut lowest = i64::MAX;
        for position in positions {
            lowest = lowest.min(position[axis].ticks);
        }
        self.lowest = lowest;
        let [whole, high, low] = &mut self.digits.0;
        let (mut bits, mut are_fractions) = (0, true);
        for (((position, whole), high), low) in positions.iter().zip(whole).zip(high).zip(low) {
            let FixedCoord { ticks, fraction } = position[axis];
            are_fractions &= (0.0..1.0).contains(&fraction);
            // To 48 bits, rounded down, as `AxisMap::position` takes it. Of a number between 2^52 and 2^53, the last bits are
            // those of a whole number: the nearest one. The conversion `as` would not become a vector.
            const SHIFT: f64 = (1_u64 << 52) as f64;
            let scaled = fraction * (1_u64 << 48) as f64;
            let nearest = scaled + SHIFT;
            let is_above = u64::from(nearest - SHIFT > scaled);
            let fraction = nearest.to_bits().wrapping_sub(SHIFT.to_bits()).wrapping_sub(is_above) << 14;
            *whole = ticks.wrapping_sub(lowest) as u64;
            bits |= *whole;
            (*high, *low) = (fraction >> 31, fraction & DIGIT);
        }
        are_fractions && bits <= DIGIT
    }
}

/// Finds the coordinates of a block, and whether the digits suffice for them.
struct FindCoords<'a, const N: usize> {
    positions: &'a [[FixedCoord; N]],
    coords: &'a mut [Coords; N],
    is_near: &'a mut [bool; N],
}

impl<const N: usize> Work for FindCoords<'_, N> {
    #[inline(always)]
    fn run<S: Simd>(self, _: S) {
        let mut axis = 0;
        while axis < N {
            self.is_near[axis] = self.coords[axis].find(self.positions, axis);
            axis += 1;
        }
    }
}

/// The nodes around a block of positions in one octave.
struct Corners<const N: usize, const SETS: usize> {
    /// Where in their cells the positions are, along each axis.
    fractions: Lines<[[f32; BLOCK]; N]>,
    /// Of the noise, and from the third on of its derivatives along z and w: of the lower and the upper row, on the left and on the
    /// right, the numbers of a [`Node`].
    nodes: Lines<[[[[[f32; BLOCK]; 3]; 2]; 2]; SETS]>,
    /// Along each axis, those below and those above the positions.
    keys: Lines<[[[u32; BLOCK]; 2]; N]>,
}

impl<const N: usize, const SETS: usize> Corners<N, SETS> {
    const ZERO: Self = Self {
        fractions: Lines([[0.0; BLOCK]; N]),
        nodes: Lines([[[[[0.0; BLOCK]; 3]; 2]; 2]; SETS]),
        keys: Lines([[[0; BLOCK]; 2]; N]),
    };
}

/// Finds the nodes around positions.
struct FindCorners<'a, const N: usize, const SETS: usize> {
    octave: &'a KernelOctave<N>,
    fade: Fade,
    positions: &'a [[FixedCoord; N]],
    coords: &'a [Coords; N],
    is_near: [bool; N],
    corners: &'a mut Corners<N, SETS>,
}

impl<const N: usize, const SETS: usize> Work for FindCorners<'_, N, SETS> {
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        self.octave.rule.call(s, self);
    }
}

impl<S: Simd, const N: usize, const SETS: usize> NodeWork<S, N> for FindCorners<'_, N, SETS> {
    type Result = ();

    #[inline(always)]
    fn run<R: NodeRule<N>>(self, s: S, node_rule: R) {
        let Self { octave: KernelOctave { rule, axes, .. }, fade, positions, coords, is_near, corners } = self;
        let Corners { fractions: Lines(fractions), nodes: Lines(nodes), keys: Lines(keys) } = corners;
        let seeds = s.splat_u(rule.seed_key());
        let mut axis = 0;
        while axis < N {
            let (map, [below, above]) = (&axes[axis], &mut keys[axis]);
            let key = |cell| node_rule.key(axis, rule.wrapped(axis, cell));
            if is_near[axis] && map.step(1) < 1 << 62 && !map.is_corrected() {
                let locate = Locate::new(s, map, coords[axis].lowest);
                let mut at = 0;
                while at < positions.len() {
                    let (cells, fraction) = locate.at(s, &coords[axis].digits.0, at);
                    s.store(fraction, &mut fractions[axis][at..]);
                    s.store_u(cells, &mut below[at..]);
                    at += S::LANES;
                }
                // In a loop of its own: the processor overlaps more of the short ones.
                if rule.has_half_cells(axis) {
                    let mut at = 0;
                    while at < positions.len() {
                        let cells = s.add_u(s.load_u(&below[at..]), s.splat_u(locate.lowest as u32));
                        s.store_u(node_rule.keys(s, seeds, axis, cells), &mut below[at..]);
                        s.store_u(node_rule.keys(s, seeds, axis, s.add_u(cells, s.splat_u(1))), &mut above[at..]);
                        at += S::LANES;
                    }
                } else {
                    for (below, above) in below.iter_mut().zip(above).take(positions.len().next_multiple_of(S::LANES)) {
                        let cell = locate.lowest.wrapping_add(i64::from(*below));
                        (*below, *above) = (key(cell), key(cell.wrapping_add(1)));
                    }
                }
            } else {
                for (i, position) in positions.iter().enumerate() {
                    let (cell, fraction) = map.position(position[axis]).split_24();
                    fractions[axis][i] = fraction_24(fraction);
                    (below[i], above[i]) = (key(cell), key(cell.wrapping_add(1)));
                }
            }
            axis += 1;
        }
        let mut at = 0;
        while at < positions.len() {
            let (mut around, mut t) = ([[s.splat_u(0); 2]; N], [s.splat(0.0); N]);
            let mut axis = 0;
            while axis < N {
                around[axis] = [s.load_u(&keys[axis][0][at..]), s.load_u(&keys[axis][1][at..])];
                t[axis] = s.load(&fractions[axis][at..]);
                axis += 1;
            }
            let weights = weights_of_planes(s, fade, &t, SETS > 1);
            let found = nodes_around(s, node_rule, seeds, &around, &weights, SETS > 1);
            let mut set = 0;
            while set < SETS {
                let mut corner = 0;
                while corner < 4 {
                    let Node { x, y, value } = found[set][corner >> 1][corner & 1];
                    let [xs, ys, values] = &mut nodes[set][corner >> 1][corner & 1];
                    s.store(x, &mut xs[at..]);
                    s.store(y, &mut ys[at..]);
                    if N > 2 {
                        s.store(value, &mut values[at..]);
                    }
                    corner += 1;
                }
                set += 1;
            }
            at += S::LANES;
        }
    }
}

/// From coordinates to cells, for one axis of an octave.
#[derive(Clone, Copy)]
struct Locate<S: Simd> {
    /// The cell of the lowest coordinate, and its fraction of a cell in halves of 32 bits.
    lowest: i64,
    fraction: [S::W; 2],
    /// The rate in digits, and in halves of 32 bits; what is above the low half does not count.
    digits: [S::W; 2],
    halves: [S::W; 2],
}

impl<S: Simd> Locate<S> {
    #[inline(always)]
    fn new(s: S, map: &AxisMap, lowest: i64) -> Self {
        // What the compiler knows about the rate it forgets in the loop, and then it multiplies all 64 bits. So it must not know
        // that a high half is zero.
        let [rate, low_half] = [0; 2].map(|_| black_box(map.step(1) as u64));
        let start = map.position(FixedCoord::from_ticks(lowest)).rounded();
        Self {
            lowest: (start >> 64) as i64,
            fraction: [s.splat_w(start as u64 >> 32), s.splat_w(u64::from(start as u32))],
            digits: [s.splat_w(rate >> 31), s.splat_w(rate & DIGIT)],
            halves: [s.splat_w(rate >> 32), s.splat_w(low_half)],
        }
    }

    /// Cells above that of the lowest coordinate, below 2^30, and the fractions.
    #[inline(always)]
    fn at(&self, s: S, [a2, a1, a0]: &[[u64; BLOCK]; 3], at: usize) -> (S::U, S::F) {
        let (a2, a1, a0) = (s.load_w(&a2[at..]), s.load_w(&a1[at..]), s.load_w(&a0[at..]));
        let [r1, r0] = self.digits;
        let low = s.shr_w::<31>(s.mul_w(r0, a0));
        let low = s.shr_w::<31>(s.add_w(s.add_w(s.mul_w(r1, a0), s.mul_w(r0, a1)), low));
        // Halves of the rate, so that the result begins at a cell: the sum of all is below 2^64.
        let low = s.add_w(s.add_w(s.mul_w(r1, a1), s.mul_w(self.halves[1], a2)), s.add_w(low, self.fraction[1]));
        let high = s.add_w(s.add_w(s.mul_w(self.halves[0], a2), self.fraction[0]), s.shr_w::<32>(low));
        let [fraction, cells] = s.halves(high);
        (cells, s.mul(s.to_float(s.shr::<8>(fraction)), s.splat(1.0 / 16_777_216.0)))
    }
}

/// Adds an octave to the states of a block.
struct AddOctave<'a, C, const N: usize, const SETS: usize> {
    octave: &'a KernelOctave<N>,
    fade: Fade,
    count: usize,
    corners: &'a Corners<N, SETS>,
    states: &'a mut [[f32; BLOCK]; STATES],
    shape: PhantomData<C>,
}

impl<C: Shape<N>, const N: usize, const SETS: usize> Work for AddOctave<'_, C, N, SETS> {
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let Self { octave, fade, count, corners, states, .. } = self;
        let Corners { fractions: Lines(fractions), nodes: Lines(nodes), .. } = corners;
        let zero = s.splat(0.0);
        let mut at = 0;
        while at < count {
            let mut around = [[[Node { x: zero, y: zero, value: zero }; 2]; 2]; N];
            let mut set = 0;
            while set < SETS {
                let mut corner = 0;
                while corner < 4 {
                    let [xs, ys, values] = &nodes[set][corner >> 1][corner & 1];
                    let value = if N > 2 { s.load(&values[at..]) } else { zero };
                    around[set][corner >> 1][corner & 1] = Node { x: s.load(&xs[at..]), y: s.load(&ys[at..]), value };
                    corner += 1;
                }
                set += 1;
            }
            let dy = if N > 1 { s.load(&fractions[1][at..]) } else { zero };
            let mut state: State<S::F> = [zero; MAX_STATE];
            let mut i = 0;
            while i < C::STATES {
                state[i] = s.load(&states[i][at..]);
                i += 1;
            }
            let dx = s.load(&fractions[0][at..]);
            add_octave::<S, C, N>(s, fade, &octave.scale, [dx, dy], &around, &mut state);
            let mut i = 0;
            while i < C::STATES {
                s.store(state[i], &mut states[i][at..]);
                i += 1;
            }
            at += S::LANES;
        }
    }
}

/// Turns sums into results, in place.
struct FindOutput<'a> {
    output: Output,
    sums: &'a mut [f32],
}

impl Work for FindOutput<'_> {
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        for sums in self.sums.chunks_exact_mut(S::LANES) {
            s.store(apply_output(s, self.output, Dual { value: s.load(sums), gradient: [] }).value, sums);
        }
    }
}
