//! How the octaves of each shape add up, with and without the gradient of the sum.

use super::dual::Dual;
use super::formula::{MAX_STATE, OctaveScale, Shape, State};
use super::simd::Simd;
use crate::fractal::HYBRID_OFFSET;
use std::marker::PhantomData;

/// A shape whose octaves need nothing but their noise and a weight, so that one formula gives the value, and with dual numbers the
/// gradient too. See [`FractalShape`](crate::FractalShape) for the definitions.
pub(super) trait Formula: Copy {
    /// Whether there is a weight, which begins as 1.
    const WEIGHTED: bool = false;
    /// See [`Shape::TAILORED`].
    const TAILORED: bool = false;

    /// Adds an octave to `sum`, and replaces `weight` by that of the next octave.
    fn add<S: Simd, const D: usize>(
        s: S,
        sum: &mut Dual<S::F, D>,
        weight: &mut Dual<S::F, D>,
        scale: &OctaveScale,
        noise: Dual<S::F, D>,
    );
}

#[derive(Clone, Copy)]
pub(super) struct Fbm;
#[derive(Clone, Copy)]
pub(super) struct Billow;
#[derive(Clone, Copy)]
pub(super) struct Ridged;
#[derive(Clone, Copy)]
pub(super) struct Hybrid;
#[derive(Clone, Copy)]
pub(super) struct Damped;

impl Formula for Fbm {
    const TAILORED: bool = true;

    #[inline(always)]
    fn add<S: Simd, const D: usize>(
        s: S,
        sum: &mut Dual<S::F, D>,
        _: &mut Dual<S::F, D>,
        _: &OctaveScale,
        noise: Dual<S::F, D>,
    ) {
        // The amplitude is in the gradients of the lattice.
        *sum = sum.add(s, noise);
    }
}

impl Formula for Billow {
    #[inline(always)]
    fn add<S: Simd, const D: usize>(
        s: S,
        sum: &mut Dual<S::F, D>,
        _: &mut Dual<S::F, D>,
        scale: &OctaveScale,
        noise: Dual<S::F, D>,
    ) {
        let magnitude = noise.abs(s);
        let contribution = magnitude.add(s, magnitude).sub(s, Dual::constant(s, 1.0));
        *sum = sum.add(s, contribution.scale(s, scale.amplitude));
    }
}

impl Formula for Ridged {
    const WEIGHTED: bool = true;

    #[inline(always)]
    fn add<S: Simd, const D: usize>(
        s: S,
        sum: &mut Dual<S::F, D>,
        weight: &mut Dual<S::F, D>,
        scale: &OctaveScale,
        noise: Dual<S::F, D>,
    ) {
        let one = Dual::constant(s, 1.0);
        let crest = one.sub(s, noise.abs(s));
        let weighted = weight.mul(s, crest.mul(s, crest));
        let doubled = weighted.add(s, weighted);
        *sum = sum.add(s, doubled.sub(s, one).scale(s, scale.amplitude));
        *weight = doubled.min(s, 1.0);
    }
}

impl Formula for Hybrid {
    const WEIGHTED: bool = true;

    #[inline(always)]
    fn add<S: Simd, const D: usize>(
        s: S,
        sum: &mut Dual<S::F, D>,
        weight: &mut Dual<S::F, D>,
        scale: &OctaveScale,
        noise: Dual<S::F, D>,
    ) {
        let offset = Dual::constant(s, HYBRID_OFFSET as f32);
        let weighted = weight.mul(s, noise.add(s, offset));
        *sum = sum.add(s, weighted.sub(s, offset).scale(s, scale.amplitude));
        *weight = weighted.scale(s, scale.persistence).max(s, 0.0).min(s, 1.0);
    }
}

/// Adds an octave to a state that has the sum and then the weight, each with its derivatives.
#[inline(always)]
fn add_dual<S: Simd, C: Formula, const D: usize>(
    s: S,
    state: &mut State<S::F>,
    scale: &OctaveScale,
    noise: Dual<S::F, D>,
) {
    let mut sum = Dual::read(state, 0);
    let mut weight = if C::WEIGHTED { Dual::read(state, 1 + D) } else { sum };
    C::add(s, &mut sum, &mut weight, scale, noise);
    sum.write(state, 0);
    if C::WEIGHTED {
        weight.write(state, 1 + D);
    }
}

/// The first state of a sum of shape `C` with `derivatives`.
const fn first_state<C: Formula>(derivatives: usize) -> State<f32> {
    let mut state = [0.0; MAX_STATE];
    if C::WEIGHTED {
        state[1 + derivatives] = 1.0;
    }
    state
}

impl<C: Formula, const N: usize> Shape<N> for C {
    const STATES: usize = if C::WEIGHTED { 2 } else { 1 };
    const TAILORED: bool = C::TAILORED;
    const START: State<f32> = first_state::<C>(0);

    #[inline(always)]
    fn add<S: Simd>(s: S, state: &mut State<S::F>, scale: &OctaveScale, noise: S::F, _: [S::F; N]) {
        add_dual::<S, C, 0>(s, state, scale, Dual { value: noise, gradient: [] });
    }
}

/// The shape `C`, with the gradient of the sum per unit.
#[derive(Clone, Copy)]
pub(super) struct WithGradient<C>(PhantomData<C>);

impl<C: Formula, const N: usize> Shape<N> for WithGradient<C> {
    const STATES: usize = (1 + N) * <C as Shape<N>>::STATES;
    const SLOPES: bool = true;
    const GRADIENT: bool = true;
    const START: State<f32> = first_state::<C>(N);

    #[inline(always)]
    fn add<S: Simd>(s: S, state: &mut State<S::F>, scale: &OctaveScale, noise: S::F, slopes: [S::F; N]) {
        let mut gradient = slopes;
        let mut axis = 0;
        while axis < N {
            gradient[axis] = s.mul(slopes[axis], s.splat(scale.frequencies[axis]));
            axis += 1;
        }
        add_dual::<S, C, N>(s, state, scale, Dual { value: noise, gradient });
    }
}

/// Its weights depend on slopes, so its gradient would need second derivatives.
impl<const N: usize> Shape<N> for Damped {
    const STATES: usize = 1 + N;
    const SLOPES: bool = true;

    #[inline(always)]
    fn add<S: Simd>(s: S, state: &mut State<S::F>, scale: &OctaveScale, noise: S::F, slopes: [S::F; N]) {
        let mut steepness = s.splat(0.0);
        let mut axis = 0;
        while axis < N {
            let slope = s.add(state[1 + axis], slopes[axis]);
            let square = s.mul(slope, slope);
            steepness = if axis == 0 { square } else { s.add(steepness, square) };
            state[1 + axis] = slope;
            axis += 1;
        }
        let damped = s.div(noise, s.add(s.splat(1.0), steepness));
        state[0] = s.add(state[0], s.mul(s.splat(scale.amplitude), damped));
    }
}
