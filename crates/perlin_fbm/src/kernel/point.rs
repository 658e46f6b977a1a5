//! One position: the same formula as on a grid, and so the same bits.
//!
//! The octaves of a sum differ in their cells and seeds, not in what is done with them. So vectors hold an octave in each lane, up to the
//! noise of each. Adding them up is left to one lane: it has an order.

use super::dispatch::{self, NO_GRADIENT, SimdLevel};
use super::dual::Dual;
use super::formula::{Shape, State, noise_and_slopes};
use super::octave::KernelOctave;
use super::output::{Output, apply_output};
use super::planes::{nodes_around, weights_of_planes};
use super::portable::Portable;
use super::rule::{NodeRule, NodeWork};
use super::shape::{Billow, Damped, Fbm, Hybrid, Ridged, WithGradient};
use super::simd::{MAX_LANES, Simd, Work};
use crate::fixed_coord::TickCount;
use crate::{Fade, FractalShape};

/// `$result` for the type `$type` of a shape, or `$damped` for `Damped`. Chosen for each vector of octaves, not once for a position: all
/// shapes together then need the code of lattices once.
macro_rules! by_shape {
    ($shape:expr, $type:ident => $result:expr, $damped:expr) => {
        match $shape {
            FractalShape::Fbm => {
                type $type = Fbm;
                $result
            }
            FractalShape::Billow => {
                type $type = Billow;
                $result
            }
            FractalShape::Ridged => {
                type $type = Ridged;
                $result
            }
            FractalShape::Hybrid => {
                type $type = Hybrid;
                $result
            }
            FractalShape::Damped => $damped,
        }
    };
    ($shape:expr, $type:ident => $result:expr) => {
        by_shape!($shape, $type => $result, {
            type $type = Damped;
            $result
        })
    };
}

/// The noise at `coord`.
pub(crate) fn value_at<const N: usize>(
    level: SimdLevel,
    octaves: &[KernelOctave<N>],
    fade: Fade,
    shape: FractalShape,
    output: Output,
    coord: [TickCount; N],
) -> f32 {
    let mut state: State<[f32; 1]> = by_shape!(shape, C => <C as Shape<N>>::START).map(|start| [start]);
    let needs_slopes = by_shape!(shape, C => <C as Shape<N>>::SLOPES);
    let add = |octaves: &[KernelOctave<N>], found: &OctaveNoise<N>| {
        by_shape!(shape, C => found.add_to::<C>(octaves, &mut state));
    };
    call(level, AtPosition { octaves, fade, coord, needs_slopes, add });
    apply_output(Portable::<1>, output, Dual { value: state[0], gradient: [] }).value[0]
}

/// The noise at `coord`, and its gradient per unit. Of any shape but `Damped`.
pub(crate) fn value_and_gradient_at<const N: usize>(
    level: SimdLevel,
    octaves: &[KernelOctave<N>],
    fade: Fade,
    shape: FractalShape,
    output: Output,
    coord: [TickCount; N],
) -> (f32, [f32; N]) {
    let start = by_shape!(shape, C => <WithGradient<C> as Shape<N>>::START, unreachable!("{NO_GRADIENT}"));
    let mut state: State<[f32; 1]> = start.map(|start| [start]);
    let add = |octaves: &[KernelOctave<N>], found: &OctaveNoise<N>| {
        by_shape!(
            shape,
            C => found.add_to::<WithGradient<C>>(octaves, &mut state),
            unreachable!("{NO_GRADIENT}")
        );
    };
    call(level, AtPosition { octaves, fade, coord, needs_slopes: true, add });
    let Dual { value: [value], gradient } = apply_output(Portable::<1>, output, Dual::read(&state, 0));
    (value, gradient.map(|[slope]| slope))
}

/// The instruction set that evaluates `octaves` at one position fastest. Empty lanes take as long as others, and a table is read lane by
/// lane.
pub(crate) fn level_for<const N: usize>(octaves: &[KernelOctave<N>]) -> SimdLevel {
    let fewest = if octaves.first().is_some_and(|octave| octave.rule.is_table()) { 6 } else { 4 };
    match octaves.len() {
        count if count < fewest => SimdLevel::Scalar,
        ..=8 => SimdLevel::fastest().min(SimdLevel::Avx2),
        _ => SimdLevel::fastest(),
    }
}

/// Does `work` with `level`, where vectors are known to help.
#[inline(always)]
fn call(level: SimdLevel, work: impl Work) {
    if cfg!(target_arch = "x86_64") && level != SimdLevel::Scalar {
        dispatch::call(level, work);
    } else {
        // Not a call, so that a single octave has no detour through memory.
        work.run(Portable::<1>);
    }
}

/// The noise of one octave in each lane, and its slopes per cell.
struct OctaveNoise<const N: usize> {
    noise: [f32; MAX_LANES],
    slopes: [[f32; MAX_LANES]; N],
}

impl<const N: usize> OctaveNoise<N> {
    /// Adds `octaves`, which this is the noise of, to a sum.
    #[inline(always)]
    fn add_to<C: Shape<N>>(&self, octaves: &[KernelOctave<N>], state: &mut State<[f32; 1]>) {
        for (lane, octave) in octaves.iter().enumerate() {
            let slopes = self.slopes.each_ref().map(|slopes| [slopes[lane]]);
            C::add(Portable::<1>, state, &octave.scale, [self.noise[lane]], slopes);
        }
    }
}

/// Finds the noise of octaves at one position, a vector of octaves at a time, and hands it to `add`.
struct AtPosition<'a, F, const N: usize> {
    octaves: &'a [KernelOctave<N>],
    fade: Fade,
    coord: [TickCount; N],
    needs_slopes: bool,
    add: F,
}

impl<F: FnMut(&[KernelOctave<N>], &OctaveNoise<N>), const N: usize> Work for AtPosition<'_, F, N> {
    #[inline(always)]
    fn run<S: Simd>(mut self, s: S) {
        let Self { octaves, fade, coord, needs_slopes, .. } = self;
        for octaves in octaves.chunks(S::LANES) {
            let found = octaves[0].rule.call(s, FindNoise { octaves, fade, coord, needs_slopes });
            (self.add)(octaves, &found);
        }
    }
}

/// Finds the noise of an octave in each lane. `octaves` are at most as many as there are lanes, and differ in no more than seeds, scales
/// and periods.
struct FindNoise<'a, const N: usize> {
    octaves: &'a [KernelOctave<N>],
    fade: Fade,
    coord: [TickCount; N],
    needs_slopes: bool,
}

impl<S: Simd, const N: usize> NodeWork<S, N> for FindNoise<'_, N> {
    type Result = OctaveNoise<N>;

    #[inline(always)]
    fn run<R: NodeRule<N>>(self, s: S, node_rule: R) -> OctaveNoise<N> {
        let Self { octaves, fade, coord, needs_slopes } = self;
        // With one lane, the compiler then knows that the arrays are single numbers.
        let lanes = if S::LANES == 1 { 1 } else { octaves.len() };
        let (mut seeds, mut scales) = ([0; MAX_LANES], [0.0; MAX_LANES]);
        let mut lane = 0;
        while lane < lanes {
            (seeds[lane], scales[lane]) = (octaves[lane].rule.seed_key(), octaves[lane].scale.gradients);
            lane += 1;
        }
        let (seeds, scales) = (s.load_u(&seeds), s.load(&scales));

        let (mut keys, mut fractions) = ([[s.splat_u(0); 2]; N], [s.splat(0.0); N]);
        let mut axis = 0;
        while axis < N {
            let (mut below, mut above, mut parts) = ([0; MAX_LANES], [0; MAX_LANES], [0; MAX_LANES]);
            let (mut has_half_cells, mut lane) = (true, 0);
            while lane < lanes {
                has_half_cells &= octaves[lane].rule.has_half_cells(axis);
                lane += 1;
            }
            let mut lane = 0;
            while lane < lanes {
                let KernelOctave { rule, axes, .. } = &octaves[lane];
                let (cell, part) = axes[axis].position_of(coord[axis]).split_24();
                (below[lane], parts[lane]) = (cell as u32, part);
                if !has_half_cells {
                    (below[lane], above[lane]) = (rule.key(axis, cell), rule.key(axis, cell.wrapping_add(1)));
                }
                lane += 1;
            }
            fractions[axis] = s.mul(s.to_float(s.load_u(&parts)), s.splat(1.0 / 16_777_216.0));
            keys[axis] = [s.load_u(&below), s.load_u(&above)];
            if has_half_cells {
                let [below, above] = [keys[axis][0], s.add_u(keys[axis][0], s.splat_u(1))];
                keys[axis] = [node_rule.keys(s, seeds, axis, below), node_rule.keys(s, seeds, axis, above)];
            }
            axis += 1;
        }

        let weights = weights_of_planes(s, fade, &fractions, needs_slopes);
        let nodes = nodes_around(s, node_rule, seeds, &keys, &weights, needs_slopes);
        // A line has no y.
        let d = [fractions[0], if N > 1 { fractions[1] } else { s.splat(0.0) }];
        let (noise, slopes) = noise_and_slopes::<S, N>(s, fade, scales, d, &nodes, needs_slopes);
        let mut found = OctaveNoise { noise: [0.0; MAX_LANES], slopes: [[0.0; MAX_LANES]; N] };
        s.store(noise, &mut found.noise);
        let mut axis = 0;
        while needs_slopes && axis < N {
            s.store(slopes[axis], &mut found.slopes[axis]);
            axis += 1;
        }
        found
    }
}
