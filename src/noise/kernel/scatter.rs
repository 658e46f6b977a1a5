//! Any places, rather than a grid: the same formula, with a place in each lane, and so the same bits.
//!
//! Places share no nodes and no weights, so each octave costs each place four hashes and the whole formula. What vectors are
//! for is finding cells: the exact position has more than 64 bits. Between places of a block, all within 2^31 ticks (2 * 10^6
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
//! If places are further apart or an octave is finer, cells are found one by one. So are the keys of nodes with a period, and of
//! the lattice `Grid`.

use super::formula::{Shape, ShapeWork, State, add_octave};
use super::octave::KernelOctave;
use super::output::{Output, apply_output};
use super::rule::{NodeRule, NodeWork};
use super::simd::{Simd, Work};
use crate::noise::Fade;
use crate::noise::fixed_coord::{AxisMap, FixedCoord, fraction_24};
use std::hint::black_box;
use std::marker::PhantomData;

/// Places at once, so that all that is known of them stays in the nearest cache. A multiple of all vectors.
pub(in crate::noise) const BLOCK: usize = 128;

/// A digit has 31 bits.
const DIGIT: u64 = (1 << 31) - 1;

/// The noise at any `places`, as x and y.
pub(in crate::noise) struct Scatter<'a> {
    pub octaves: &'a [KernelOctave],
    pub fade: Fade,
    pub output: Output,
    pub places: &'a [[FixedCoord; 2]],
    /// One for each place.
    pub values: &'a mut [f32],
    /// Whether the noise replaces what is there, rather than being added to it.
    pub replace: bool,
}

impl ShapeWork for Scatter<'_> {
    #[inline(always)]
    fn run<S: Simd, C: Shape>(self, s: S) {
        let Self { octaves, fade, output, places, values, replace } = self;
        let (mut coords, mut corners) = ([Coords::ZERO; 2], Corners::ZERO);
        for (places, values) in places.chunks(BLOCK).zip(values.chunks_mut(BLOCK)) {
            let mut is_near = [false; 2];
            s.call(FindCoords { places, coords: &mut coords, is_near: &mut is_near });
            let mut states = Lines([[0.0; BLOCK]; 3]);
            for (states, start) in states.0.iter_mut().zip(C::START) {
                states.fill(start);
            }
            for octave in octaves {
                s.call(FindCorners { octave, places, coords: &coords, is_near, corners: &mut corners });
                let (corners, states, shape) = (&corners, &mut states.0, PhantomData::<C>);
                s.call(AddOctave { octave, fade, count: places.len(), corners, states, shape });
            }
            s.call(FindOutput { output, sums: &mut states.0[0][..places.len().next_multiple_of(S::LANES)] });
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

    /// Takes the coordinates of `places`, and returns whether the digits suffice for them.
    #[inline(always)]
    fn find(&mut self, places: &[[FixedCoord; 2]], axis: usize) -> bool {
        let mut lowest = i64::MAX;
        for place in places {
            lowest = lowest.min(place[axis].ticks);
        }
        self.lowest = lowest;
        let [whole, high, low] = &mut self.digits.0;
        let (mut bits, mut are_fractions) = (0, true);
        for (((place, whole), high), low) in places.iter().zip(whole).zip(high).zip(low) {
            let FixedCoord { ticks, fraction } = place[axis];
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
struct FindCoords<'a> {
    places: &'a [[FixedCoord; 2]],
    coords: &'a mut [Coords; 2],
    is_near: &'a mut [bool; 2],
}

impl Work for FindCoords<'_> {
    #[inline(always)]
    fn run<S: Simd>(self, _: S) {
        let [x, y] = self.coords;
        *self.is_near = [x.find(self.places, 0), y.find(self.places, 1)];
    }
}

/// The nodes around a block of places in one octave.
struct Corners {
    /// Where in their cells the places are, along x and along y.
    fractions: Lines<[[f32; BLOCK]; 2]>,
    /// Of the lower and the upper row, on the left and on the right, x and y.
    gradients: Lines<[[[[f32; BLOCK]; 2]; 2]; 2]>,
    /// Of columns and rows, those below and those above the places.
    keys: Lines<[[[u32; BLOCK]; 2]; 2]>,
}

impl Corners {
    const ZERO: Self = Self {
        fractions: Lines([[0.0; BLOCK]; 2]),
        gradients: Lines([[[[0.0; BLOCK]; 2]; 2]; 2]),
        keys: Lines([[[0; BLOCK]; 2]; 2]),
    };
}

/// Finds the nodes around places.
struct FindCorners<'a> {
    octave: &'a KernelOctave,
    places: &'a [[FixedCoord; 2]],
    coords: &'a [Coords; 2],
    is_near: [bool; 2],
    corners: &'a mut Corners,
}

impl Work for FindCorners<'_> {
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        self.octave.rule.call(s, self);
    }
}

impl NodeWork for FindCorners<'_> {
    #[inline(always)]
    fn run<S: Simd, R: NodeRule>(self, s: S, node_rule: R) {
        let Self { octave: KernelOctave { rule, axes, .. }, places, coords, is_near, corners } = self;
        let Corners { fractions: Lines(fractions), gradients: Lines(gradients), keys: Lines(keys) } = corners;
        let mut axis = 0;
        while axis < 2 {
            let (map, [below, above]) = (&axes[axis], &mut keys[axis]);
            let key = |cell| if axis == 0 { rule.column_key(cell) } else { rule.row_key(cell) };
            if is_near[axis] && map.step(1) < 1 << 62 {
                let locate = Locate::new(s, map, coords[axis].lowest);
                let mut at = 0;
                while at < places.len() {
                    let (cells, fraction) = locate.at(s, &coords[axis].digits.0, at);
                    s.store(fraction, &mut fractions[axis][at..]);
                    s.store_u(cells, &mut below[at..]);
                    at += S::LANES;
                }
                // In a loop of its own: the processor overlaps more of the short ones.
                if rule.has_half_cells(axis) {
                    let mut at = 0;
                    while at < places.len() {
                        let cells = s.add_u(s.load_u(&below[at..]), s.splat_u(locate.lowest as u32));
                        s.store_u(node_rule.keys(s, axis, cells), &mut below[at..]);
                        s.store_u(node_rule.keys(s, axis, s.add_u(cells, s.splat_u(1))), &mut above[at..]);
                        at += S::LANES;
                    }
                } else {
                    for (below, above) in below.iter_mut().zip(above).take(places.len().next_multiple_of(S::LANES)) {
                        let cell = locate.lowest.wrapping_add(i64::from(*below));
                        (*below, *above) = (key(cell), key(cell.wrapping_add(1)));
                    }
                }
            } else {
                for (i, place) in places.iter().enumerate() {
                    let (cell, fraction) = map.position(place[axis]).split_24();
                    fractions[axis][i] = fraction_24(fraction);
                    (below[i], above[i]) = (key(cell), key(cell.wrapping_add(1)));
                }
            }
            axis += 1;
        }
        for (gradients, rows) in gradients.iter_mut().zip(&keys[1]) {
            for ([xs, ys], columns) in gradients.iter_mut().zip(&keys[0]) {
                let mut at = 0;
                while at < places.len() {
                    let [x, y] = node_rule.gradients(s, s.load_u(&columns[at..]), s.load_u(&rows[at..]));
                    s.store(x, &mut xs[at..]);
                    s.store(y, &mut ys[at..]);
                    at += S::LANES;
                }
            }
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
struct AddOctave<'a, C> {
    octave: &'a KernelOctave,
    fade: Fade,
    count: usize,
    corners: &'a Corners,
    states: &'a mut [[f32; BLOCK]; 3],
    shape: PhantomData<C>,
}

impl<C: Shape> Work for AddOctave<'_, C> {
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let Self { octave, fade, count, corners, states, .. } = self;
        let Corners { fractions: Lines([dx, dy]), gradients: Lines([lower, upper]), .. } = corners;
        let mut at = 0;
        while at < count {
            macro_rules! corner {
                ($of:expr) => {
                    [s.load(&$of[0][at..]), s.load(&$of[1][at..])]
                };
            }
            let around = [[corner!(lower[0]), corner!(lower[1])], [corner!(upper[0]), corner!(upper[1])]];
            let fractions = [s.load(&dx[at..]), s.load(&dy[at..])];
            let mut state: State<S::F> = [s.load(&states[0][at..]), s.splat(0.0), s.splat(0.0)];
            let mut i = 1;
            while i < C::STATES {
                state[i] = s.load(&states[i][at..]);
                i += 1;
            }
            add_octave::<S, C>(s, fade, &octave.scale, fractions, around, &mut state);
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
            s.store(apply_output(s, self.output, s.load(sums)), sums);
        }
    }
}
