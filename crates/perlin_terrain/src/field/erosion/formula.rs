//! The formula of the filter, in the one order of operations that every width keeps.

use super::phase::{CellPosition, phase};
use super::{CELL, Erosion};
use crate::noise::internal::{Simd, abs};

/// How fast finer gullies set in beside a crest or a crease.
const ONSET: f32 = 1.25;

/// A slope below this is none: downhill has no direction there.
const LEVEL: f32 = 1e-18;

/// The state that an octave leaves to the next one. See the [module](super) for the letters.
pub(super) struct State<S: Simd> {
    /// Where the positions are in the cells of the next octave, along x and z.
    pub position: [CellPosition<S>; 2],
    /// `d`, along x and z.
    pub downhill: [S::F; 2],
    /// `M`.
    pub mask: S::F,
    /// `t`.
    pub gullies: S::F,
    /// All that is added to the height so far.
    pub sum: S::F,
}

/// The state before the first octave. `position` is in its cells.
#[inline(always)]
pub(super) fn start<S: Simd>(s: S, erosion: &Erosion, slope: [S::F; 2], position: [CellPosition<S>; 2]) -> State<S> {
    let squared = s.add(s.mul(slope[0], slope[0]), s.mul(slope[1], slope[1]));
    let scale = s.div(s.splat(erosion.assumed_slope), s.max(s.sqrt(squared), s.splat(LEVEL)));
    State {
        position,
        downhill: [s.mul(slope[0], scale), s.mul(slope[1], scale)],
        mask: ease(s, s.mul(squared, s.splat(erosion.per_full_slope_squared))),
        gullies: s.splat(0.0),
        sum: s.splat(0.0),
    }
}

/// Adds octave `index`.
#[inline(always)]
pub(super) fn add_octave<S: Simd>(s: S, erosion: &Erosion, index: usize, state: State<S>) -> State<S> {
    let octave = &erosion.octaves[index];
    let State { position, downhill, mask, gullies, sum } = state;
    // Gullies run downhill, so phases change across.
    let squared = s.add(s.mul(downhill[0], downhill[0]), s.mul(downhill[1], downhill[1]));
    let scale = s.div(s.splat(CELL), s.max(s.sqrt(squared), s.splat(LEVEL)));
    let wave = [s.mul(downhill[1], s.sub(s.splat(0.0), scale)), s.mul(downhill[0], scale)];
    let [re, im] = phase(s, octave, wave, &position);

    // The slope that the octave adds, of constant size: straight walls from crest to crease.
    let sign = s.and(s.bits(im), s.splat_u(0x8000_0000));
    let turn = s.float_of_bits(s.xor(s.splat_u(octave.turn.to_bits()), sign));
    let gullies = s.add(gullies, s.mul(mask, s.sub(re, gullies)));

    // Finer gullies leave crests and creases alone, because downhill jumps there.
    let onset = s.mul(abs(s, im), s.splat(ONSET));
    let wall = ease(s, rounded(s, onset, rounding(s, octave.rounding, re)));
    // With full detail that is 1 - (1 - mask)², and without it is the mask: two powers that need no logarithm.
    let one = s.splat(1.0);
    let wider = s.add(one, s.mul(s.splat(erosion.detail), s.sub(one, mask)));
    let [x, z] = position;
    State {
        position: [x.next(s, octave.next_offset[0]), z.next(s, octave.next_offset[1])],
        downhill: [s.sub(downhill[0], s.mul(turn, wave[0])), s.sub(downhill[1], s.mul(turn, wave[1]))],
        mask: s.mul(s.mul(mask, wider), wall),
        gullies,
        sum: s.add(sum, s.mul(gullies, s.splat(octave.amplitude))),
    }
}

/// The new heights, and the drainage.
#[inline(always)]
pub(super) fn finish<S: Simd>(s: S, height: S::F, sum: S::F, gullies: S::F) -> [S::F; 2] {
    let drainage = s.sub(s.splat(0.0), gullies);
    [s.add(height, sum), s.max(s.min(drainage, s.splat(1.0)), s.splat(-1.0))]
}

/// The rounding at a position that is more of a ridge (1) or of a crease (-1).
#[inline(always)]
fn rounding<S: Simd>(s: S, [ridge, crease]: [f32; 2], ridge_to_crease: S::F) -> S::F {
    let share = s.add(ridge_to_crease, s.splat(0.5));
    let share = s.max(s.min(share, s.splat(1.0)), s.splat(0.0));
    s.add(s.splat(crease), s.mul(s.splat(ridge - crease), share))
}

/// A curve from 0 to 1 that ends level: `1 - (1 - x)²`, and 1 from 1 on. `x` is at least 0.
#[inline(always)]
fn ease<S: Simd>(s: S, x: S::F) -> S::F {
    let one = s.splat(1.0);
    let rest = s.sub(one, s.min(x, one));
    s.sub(one, s.mul(rest, rest))
}

/// `x` with its corner at 0 rounded off: `x²/2q` below `q` and `x - q/2` above. `x` is at least 0.
#[inline(always)]
fn rounded<S: Simd>(s: S, x: S::F, q: S::F) -> S::F {
    let q = s.max(q, s.splat(1e-6));
    let low = s.min(x, q);
    s.add(s.sub(x, low), s.mul(s.mul(low, low), s.div(s.splat(0.5), q)))
}
