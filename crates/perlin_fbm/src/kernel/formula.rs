//! The formula of one octave, in the one order of operations that every path keeps.
//!
//! Derived in the [module's documentation](super). Each function takes vectors of any width.

use super::simd::Simd;
use crate::Fade;

/// The weights that a column of samples gives to the gradients of its two lattice columns.
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

/// A node of a plane through space, blended from those of the lattice planes around it. In the plane itself it is a node of the
/// lattice, where the noise has no value.
#[derive(Clone, Copy)]
pub(super) struct Node<F> {
    /// The gradient along x and y.
    pub x: F,
    pub y: F,
    /// The noise there. Only in space.
    pub value: F,
}

/// Two lattice rows at one column of samples: `lower.u + lower.v dy + rise.u t + rise.v t dy`.
#[derive(Clone, Copy)]
pub(super) struct Strip<F> {
    pub lower: Line<F>,
    pub rise: Line<F>,
}

/// The values of a row of samples: where between two lattice rows it lies.
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

/// The values of the row at `dy` in a cell.
#[inline(always)]
pub(super) fn row<S: Simd>(s: S, curve: Fade, dy: S::F) -> Row<S::F> {
    let t = fade(s, curve, dy);
    let t_slope = fade_slope(s, curve, dy);
    let [t_dy, t_dy_slope] = upper_weight(s, curve, dy, t, t_slope);
    Row { dy, t, t_dy, t_slope, t_dy_slope }
}

/// The factor of the rise of the y components, and its derivative along y: `t dy`, or with the minimal cubic
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

/// The line of a lattice row, with the node on the left and that on the right.
#[inline(always)]
pub(super) fn line<S: Simd, const N: usize>(
    s: S,
    weights: &Weights<S::F>,
    [left, right]: [Node<S::F>; 2],
) -> Line<S::F> {
    let mut u = s.add(s.mul(left.x, weights.x[0]), s.mul(right.x, weights.x[1]));
    if N > 2 {
        u = s.add(u, s.add(s.mul(left.value, weights.y[0]), s.mul(right.value, weights.y[1])));
    }
    Line { u, v: s.add(s.mul(left.y, weights.y[0]), s.mul(right.y, weights.y[1])) }
}

/// The derivative of [`line`] along x.
#[inline(always)]
pub(super) fn slope_line<S: Simd, const N: usize>(
    s: S,
    weights: &SlopeWeights<S::F>,
    [left, right]: [Node<S::F>; 2],
) -> Line<S::F> {
    let mut u = s.add(s.mul(left.x, weights.x[0]), s.mul(right.x, weights.x[1]));
    if N > 2 {
        u = s.add(u, s.mul(s.sub(right.value, left.value), weights.y));
    }
    Line { u, v: s.mul(s.sub(right.y, left.y), weights.y) }
}

/// The values between two lattice rows.
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

/// The most vectors of state: sum and weight in four dimensions, with their gradients.
pub(super) const MAX_STATE: usize = 10;

/// The state of a sum while octaves are added to it: the sum, then the weight or the slope along each axis, where the shape has
/// them. [`WithGradient`] has each with its gradient.
pub(super) type State<F> = [F; MAX_STATE];

/// The numbers of one octave that its shape needs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct OctaveScale {
    /// The factor of gradients.
    pub gradients: f32,
    /// The factor of the octave's contribution.
    pub amplitude: f32,
    /// `persistence^i`.
    pub persistence: f32,
    /// Cells per unit along each axis. Those beyond the last axis do not count.
    pub frequencies: [f32; 4],
}

/// How octaves add up: see [`FractalShape`](crate::FractalShape) for the definitions.
pub(super) trait Shape<const N: usize>: Copy {
    /// Vectors of state, at most [`MAX_STATE`].
    const STATES: usize;
    /// Whether slopes are needed.
    const SLOPES: bool = false;
    /// Whether the state has the gradient of the sum after the sum.
    const GRADIENT: bool = false;
    /// Whether the first and the last pass are cut to measure, without a detour through states in memory. Each kind is compiled
    /// by itself, so this is for the shape that is used most.
    const TAILORED: bool = false;
    /// The first value of each vector of state.
    const START: State<f32> = [0.0; MAX_STATE];

    /// Adds an octave. `slopes` are per cell.
    fn add<S: Simd>(s: S, state: &mut State<S::F>, scale: &OctaveScale, noise: S::F, slopes: [S::F; N]);
}

/// Work on a sum of octaves of any shape.
pub(super) trait ShapeWork<const N: usize> {
    /// Runs the work. Must be inlined, as [`Work::run`](super::simd::Work::run).
    fn run<S: Simd, C: Shape<N>>(self, s: S);
}

/// The nodes of the lattice rows below and above a position, on the left and on the right.
pub(super) type Nodes<F> = [[Node<F>; 2]; 2];

/// Adds the octave of `scale` to `state`, at positions that lie at `[dx, dy]` in their cells. `nodes` are those of
/// [`noise_and_slopes`].
#[inline(always)]
pub(super) fn add_octave<S: Simd, C: Shape<N>, const N: usize>(
    s: S,
    curve: Fade,
    scale: &OctaveScale,
    d: [S::F; 2],
    nodes: &[Nodes<S::F>; N],
    state: &mut State<S::F>,
) {
    let (noise, slopes) = noise_and_slopes::<S, N>(s, curve, s.splat(scale.gradients), d, nodes, C::SLOPES);
    C::add(s, state, scale, noise, slopes);
}

/// The noise at positions that lie at `[dx, dy]` in their cells, and its derivative along each axis with `needs_slopes`. `nodes` are
/// those of the noise, and from the third on those of its derivatives along z and w. `scale` is the factor of gradients.
#[inline(always)]
pub(super) fn noise_and_slopes<S: Simd, const N: usize>(
    s: S,
    curve: Fade,
    scale: S::F,
    [dx, dy]: [S::F; 2],
    nodes: &[Nodes<S::F>; N],
    needs_slopes: bool,
) -> (S::F, [S::F; N]) {
    let w = weights(s, curve, dx, scale);
    let [lower, upper] = nodes[0];
    let noise_strip = strip(s, line::<_, N>(s, &w, lower), line::<_, N>(s, &w, upper));
    let row = row(s, curve, dy);
    let mut slopes = [s.splat(0.0); N];
    if needs_slopes {
        let slope_w = slope_weights(s, curve, dx, scale);
        let slope_strip = strip(s, slope_line::<_, N>(s, &slope_w, lower), slope_line::<_, N>(s, &slope_w, upper));
        slopes[0] = value(s, &slope_strip, &row);
        if N > 1 {
            slopes[1] = slope_along_y(s, &noise_strip, &row);
        }
        let mut axis = 2;
        while axis < N {
            let [lower, upper] = nodes[axis];
            let strip = strip(s, line::<_, N>(s, &w, lower), line::<_, N>(s, &w, upper));
            slopes[axis] = value(s, &strip, &row);
            axis += 1;
        }
    }
    (value(s, &noise_strip, &row), slopes)
}
