//! The formula of one octave, in the one order of operations that every path keeps.
//!
//! Derived in the [module's documentation](super). Each function takes vectors of any width; the point path uses one lane.

use super::simd::{Simd, abs};
use crate::noise::Fade;
use crate::noise::fractal::HYBRID_OFFSET;

/// What a column of samples weighs the gradients of its two lattice columns with.
#[derive(Clone, Copy)]
pub(super) struct Weights<F> {
    /// Of the x components, left and right: `dx (1 - s(dx))` and `(dx - 1) s(dx)`; `dx (1 - dx)^2` and `(dx - 1) dx^2` with the
    /// minimal cubic.
    pub x: [F; 2],
    /// Of the y components, left and right: `1 - s(dx)` and `s(dx)`.
    pub y: [F; 2],
}

/// The derivatives of [`Weights`] along x.
#[derive(Clone, Copy)]
pub(super) struct SlopeWeights<F> {
    pub x: [F; 2],
    /// Of the y component on the right; that on the left has the opposite.
    pub y: F,
}

/// One lattice row at one column of samples: its plane is `u + v y`. Or the derivative of that along x.
#[derive(Clone, Copy)]
pub(super) struct Line<F> {
    pub u: F,
    pub v: F,
}

/// Two lattice rows at one column of samples: `lower.u + lower.v dy + rise.u t + rise.v t dy`.
#[derive(Clone, Copy)]
pub(super) struct Strip<F> {
    pub lower: Line<F>,
    pub rise: Line<F>,
}

/// What a row of samples brings: where between two lattice rows it lies.
#[derive(Clone, Copy)]
pub(super) struct Row<F> {
    pub dy: F,
    /// The fade of `dy`.
    pub t: F,
    /// `t dy`, or [`upper_weight`].
    pub t_dy: F,
    /// The derivatives along y of `t` and of `t_dy`.
    pub t_slope: F,
    pub t_dy_slope: F,
}

/// The fade curve.
#[inline(always)]
pub(super) fn fade<S: Simd>(s: S, fade: Fade, t: S::F) -> S::F {
    let c = |value: f32| s.splat(value);
    match fade {
        Fade::Linear => t,
        Fade::Cubic | Fade::MinimalCubic => s.mul(s.mul(t, t), s.sub(c(3.0), s.mul(c(2.0), t))),
        Fade::Quintic => {
            let inner = s.add(s.mul(t, s.sub(s.mul(t, c(6.0)), c(15.0))), c(10.0));
            s.mul(s.mul(s.mul(t, t), t), inner)
        }
    }
}

/// The slope of the fade curve.
#[inline(always)]
pub(super) fn fade_slope<S: Simd>(s: S, fade: Fade, t: S::F) -> S::F {
    let c = |value: f32| s.splat(value);
    match fade {
        Fade::Linear => c(1.0),
        Fade::Cubic | Fade::MinimalCubic => s.mul(s.mul(c(6.0), t), s.sub(c(1.0), t)),
        Fade::Quintic => {
            let parabola = s.mul(t, s.sub(c(1.0), t));
            s.mul(s.mul(c(30.0), parabola), parabola)
        }
    }
}

/// The weights at `dx` in a cell, all multiplied by `scale`.
#[inline(always)]
pub(super) fn weights<S: Simd>(s: S, curve: Fade, dx: S::F, scale: S::F) -> Weights<S::F> {
    let one = s.splat(1.0);
    let t = fade(s, curve, dx);
    let (rest, beyond) = (s.sub(one, t), s.sub(dx, one));
    let [left, right] = match curve {
        Fade::MinimalCubic => [s.mul(beyond, beyond), s.mul(dx, dx)],
        Fade::Linear | Fade::Cubic | Fade::Quintic => [rest, t],
    };
    Weights {
        x: [s.mul(s.mul(dx, left), scale), s.mul(s.mul(beyond, right), scale)],
        y: [s.mul(rest, scale), s.mul(t, scale)],
    }
}

/// The derivatives of [`weights`].
#[inline(always)]
pub(super) fn slope_weights<S: Simd>(s: S, curve: Fade, dx: S::F, scale: S::F) -> SlopeWeights<S::F> {
    let one = s.splat(1.0);
    let (t, slope) = (fade(s, curve, dx), fade_slope(s, curve, dx));
    let (rest, beyond) = (s.sub(one, t), s.sub(dx, one));
    let x = match curve {
        Fade::MinimalCubic => {
            let thrice = s.mul(s.splat(3.0), dx);
            [s.mul(beyond, s.sub(thrice, one)), s.mul(dx, s.sub(thrice, s.splat(2.0)))]
        }
        Fade::Linear | Fade::Cubic | Fade::Quintic => [s.sub(rest, s.mul(dx, slope)), s.add(t, s.mul(beyond, slope))],
    };
    SlopeWeights { x: x.map(|weight| s.mul(weight, scale)), y: s.mul(slope, scale) }
}

/// What the row at `dy` in a cell brings.
#[inline(always)]
pub(super) fn row<S: Simd>(s: S, curve: Fade, dy: S::F) -> Row<S::F> {
    let t = fade(s, curve, dy);
    let t_slope = fade_slope(s, curve, dy);
    let [t_dy, t_dy_slope] = upper_weight(s, curve, dy, t, t_slope);
    Row { dy, t, t_dy, t_slope, t_dy_slope }
}

/// What the rise of the y components is multiplied by, and its derivative along y: `t dy`, or with the minimal cubic
/// `2 dy^2 - dy^3`.
///
/// The minimal cubic weighs the y components below and above by `dy (1 - dy)^2` and `(dy - 1) dy^2`. The formula
/// `V_j dy + dV w - V_{j+1} t` gives both for `w = dy - dy (1 - dy)^2 = (dy - 1) dy^2 + t`.
#[inline(always)]
fn upper_weight<S: Simd>(s: S, curve: Fade, dy: S::F, t: S::F, t_slope: S::F) -> [S::F; 2] {
    match curve {
        Fade::MinimalCubic => {
            let slope = s.sub(s.splat(4.0), s.mul(s.splat(3.0), dy));
            [s.mul(s.mul(dy, dy), s.sub(s.splat(2.0), dy)), s.mul(dy, slope)]
        }
        Fade::Linear | Fade::Cubic | Fade::Quintic => [s.mul(t, dy), s.add(t, s.mul(dy, t_slope))],
    }
}

/// The line of a lattice row, of whose gradients on the left and on the right there are x and y.
#[inline(always)]
pub(super) fn line<S: Simd>(s: S, weights: &Weights<S::F>, [left, right]: [[S::F; 2]; 2]) -> Line<S::F> {
    Line {
        u: s.add(s.mul(left[0], weights.x[0]), s.mul(right[0], weights.x[1])),
        v: s.add(s.mul(left[1], weights.y[0]), s.mul(right[1], weights.y[1])),
    }
}

/// The derivative of [`line`] along x.
#[inline(always)]
pub(super) fn slope_line<S: Simd>(s: S, weights: &SlopeWeights<S::F>, [left, right]: [[S::F; 2]; 2]) -> Line<S::F> {
    Line {
        u: s.add(s.mul(left[0], weights.x[0]), s.mul(right[0], weights.x[1])),
        v: s.mul(s.sub(right[1], left[1]), weights.y),
    }
}

/// What lies between two lattice rows.
#[inline(always)]
pub(super) fn strip<S: Simd>(s: S, lower: Line<S::F>, upper: Line<S::F>) -> Strip<S::F> {
    Strip { lower, rise: Line { u: s.sub(s.sub(upper.u, lower.u), upper.v), v: s.sub(upper.v, lower.v) } }
}

/// The noise; or its derivative along x, where the strip is of [`slope_line`]s.
#[inline(always)]
pub(super) fn value<S: Simd>(s: S, strip: &Strip<S::F>, row: &Row<S::F>) -> S::F {
    let low = s.add(strip.lower.u, s.mul(strip.lower.v, row.dy));
    s.add(low, s.add(s.mul(strip.rise.u, row.t), s.mul(strip.rise.v, row.t_dy)))
}

/// The noise's derivative along y, per cell.
#[inline(always)]
pub(super) fn slope_along_y<S: Simd>(s: S, strip: &Strip<S::F>, row: &Row<S::F>) -> S::F {
    s.add(strip.lower.v, s.add(s.mul(strip.rise.u, row.t_slope), s.mul(strip.rise.v, row.t_dy_slope)))
}

/// What a sum knows while octaves are added to it: the sum, then the weight or the two slopes, where the shape has them.
pub(super) type State<F> = [F; 3];

/// The numbers of one octave that its shape needs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::noise) struct OctaveScale {
    /// What gradients are multiplied by.
    pub gradients: f32,
    /// What the octave's contribution is multiplied by.
    pub amplitude: f32,
    /// `persistence^i`.
    pub persistence: f32,
}

/// How octaves add up: see [`FractalShape`](crate::noise::FractalShape) for the definitions.
pub(super) trait Shape: Copy {
    /// Vectors of state, at most three.
    const STATES: usize;
    /// Whether slopes are needed.
    const SLOPES: bool = false;
    /// Whether the first and the last pass are cut to measure, without a detour through states in memory. Each kind is compiled
    /// by itself, so this is for the shape that is used most.
    const TAILORED: bool = false;
    /// What each vector of state begins with.
    const START: State<f32> = [0.0, 0.0, 0.0];

    /// Adds an octave.
    fn add<S: Simd>(s: S, state: &mut State<S::F>, scale: &OctaveScale, noise: S::F, slopes: [S::F; 2]);
}

/// Work on a sum of octaves of any shape.
pub(super) trait ShapeWork {
    /// Does it. Must be inlined, as [`Work::run`](super::simd::Work::run).
    fn run<S: Simd, C: Shape>(self, s: S);
}

/// Adds the octave of `scale` to `state`, at places that lie at `[dx, dy]` in their cells, between the `[lower, upper]` gradients
/// of the four nodes.
#[inline(always)]
pub(super) fn add_octave<S: Simd, C: Shape>(
    s: S,
    curve: Fade,
    scale: &OctaveScale,
    [dx, dy]: [S::F; 2],
    [lower, upper]: [[[S::F; 2]; 2]; 2],
    state: &mut State<S::F>,
) {
    let w = weights(s, curve, dx, s.splat(scale.gradients));
    let noise_strip = strip(s, line(s, &w, lower), line(s, &w, upper));
    let row = row(s, curve, dy);
    let slopes = if C::SLOPES {
        let w = slope_weights(s, curve, dx, s.splat(scale.gradients));
        let slope_strip = strip(s, slope_line(s, &w, lower), slope_line(s, &w, upper));
        [value(s, &slope_strip, &row), slope_along_y(s, &noise_strip, &row)]
    } else {
        [s.splat(0.0); 2]
    };
    C::add(s, state, scale, value(s, &noise_strip, &row), slopes);
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

impl Shape for Fbm {
    const STATES: usize = 1;
    const TAILORED: bool = true;

    #[inline(always)]
    fn add<S: Simd>(s: S, state: &mut State<S::F>, _: &OctaveScale, noise: S::F, _: [S::F; 2]) {
        // The amplitude is in the gradients.
        state[0] = s.add(state[0], noise);
    }
}

impl Shape for Billow {
    const STATES: usize = 1;

    #[inline(always)]
    fn add<S: Simd>(s: S, state: &mut State<S::F>, scale: &OctaveScale, noise: S::F, _: [S::F; 2]) {
        let magnitude = abs(s, noise);
        let contribution = s.sub(s.add(magnitude, magnitude), s.splat(1.0));
        state[0] = s.add(state[0], s.mul(s.splat(scale.amplitude), contribution));
    }
}

impl Shape for Ridged {
    const STATES: usize = 2;
    const START: State<f32> = [0.0, 1.0, 0.0];

    #[inline(always)]
    fn add<S: Simd>(s: S, state: &mut State<S::F>, scale: &OctaveScale, noise: S::F, _: [S::F; 2]) {
        let one = s.splat(1.0);
        let crest = s.sub(one, abs(s, noise));
        let weighted = s.mul(state[1], s.mul(crest, crest));
        let doubled = s.add(weighted, weighted);
        state[0] = s.add(state[0], s.mul(s.splat(scale.amplitude), s.sub(doubled, one)));
        state[1] = s.min(doubled, one);
    }
}

impl Shape for Hybrid {
    const STATES: usize = 2;
    const START: State<f32> = [0.0, 1.0, 0.0];

    #[inline(always)]
    fn add<S: Simd>(s: S, state: &mut State<S::F>, scale: &OctaveScale, noise: S::F, _: [S::F; 2]) {
        let offset = s.splat(HYBRID_OFFSET as f32);
        let weighted = s.mul(state[1], s.add(noise, offset));
        state[0] = s.add(state[0], s.mul(s.splat(scale.amplitude), s.sub(weighted, offset)));
        let next = s.mul(weighted, s.splat(scale.persistence));
        state[1] = s.min(s.max(next, s.splat(0.0)), s.splat(1.0));
    }
}

impl Shape for Damped {
    const STATES: usize = 3;
    const SLOPES: bool = true;

    #[inline(always)]
    fn add<S: Simd>(s: S, state: &mut State<S::F>, scale: &OctaveScale, noise: S::F, slopes: [S::F; 2]) {
        let (x, y) = (s.add(state[1], slopes[0]), s.add(state[2], slopes[1]));
        let steepness = s.add(s.mul(x, x), s.mul(y, y));
        let damped = s.div(noise, s.add(s.splat(1.0), steepness));
        *state = [s.add(state[0], s.mul(s.splat(scale.amplitude), damped)), x, y];
    }
}

#[cfg(test)]
mod tests {
    use super::super::portable::Portable;
    use super::*;

    #[test]
    fn slopes_are_those_of_the_value_at_any_scale() {
        let s = Portable::<1>;
        let corners = [[[[0.3], [-0.9]], [[-0.7], [0.2]]], [[[0.8], [0.5]], [[-0.1], [-0.6]]]];
        for curve in [Fade::Linear, Fade::Cubic, Fade::Quintic, Fade::MinimalCubic] {
            let at = |x: f32, y: f32| {
                let w = weights(s, curve, [x], [0.25]);
                let strips = strip(s, line(s, &w, corners[0]), line(s, &w, corners[1]));
                let w = slope_weights(s, curve, [x], [0.25]);
                let slopes = strip(s, slope_line(s, &w, corners[0]), slope_line(s, &w, corners[1]));
                let row = row(s, curve, [y]);
                (value(s, &strips, &row)[0], [value(s, &slopes, &row)[0], slope_along_y(s, &strips, &row)[0]])
            };
            for (x, y) in [(0.2, 0.3), (0.7, 0.4), (0.5, 0.9)] {
                let step = 1.0 / 256.0;
                let differences = [
                    (at(x + step, y).0 - at(x - step, y).0) / (2.0 * step),
                    (at(x, y + step).0 - at(x, y - step).0) / (2.0 * step),
                ];
                for (slope, difference) in at(x, y).1.into_iter().zip(differences) {
                    // Third derivatives are below 60 / 4: 15 step^2 / 6 is 4e-5, and values are rounded by 1e-8 / step.
                    assert!((slope - difference).abs() < 1e-4, "{curve:?} at {x}, {y}: {slope}, not {difference}");
                }
            }
        }
    }
}
