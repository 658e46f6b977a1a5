//! The planes at a cell's corners, blended.

use super::Jet;
use crate::noise::{Fade, ValueAndGradient};
use std::ops::{Add, Mul, Sub};

/// What a cell is blended in: a value, with its gradient, or with its second derivatives too.
pub(in crate::noise) trait Blend<const N: usize>:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self>
{
    /// A plane, at a place where it has `value`.
    fn plane(value: f64, gradient: [f64; N]) -> Self;

    /// `fade` along `axis`, at `t`.
    fn fade(fade: Fade, axis: usize, t: f64) -> Self;
}

impl<const N: usize> Blend<N> for f64 {
    #[inline]
    fn plane(value: f64, _gradient: [f64; N]) -> Self {
        value
    }

    #[inline]
    fn fade(fade: Fade, _axis: usize, t: f64) -> Self {
        fade.at(t)
    }
}

impl<const N: usize> Blend<N> for ValueAndGradient<N> {
    #[inline]
    fn plane(value: f64, gradient: [f64; N]) -> Self {
        Self { value, gradient }
    }

    #[inline]
    fn fade(fade: Fade, axis: usize, t: f64) -> Self {
        let mut gradient = [0.0; N];
        gradient[axis] = fade.slope(t);
        Self { value: fade.at(t), gradient }
    }
}

impl<const N: usize> Blend<N> for Jet<N> {
    #[inline]
    fn plane(value: f64, gradient: [f64; N]) -> Self {
        Self { value, gradient, hessian: [[0.0; N]; N] }
    }

    #[inline]
    fn fade(fade: Fade, axis: usize, t: f64) -> Self {
        let ValueAndGradient { value, gradient } = ValueAndGradient::fade(fade, axis, t);
        let mut hessian = [[0.0; N]; N];
        hessian[axis][axis] = fade.curvature(t);
        Self { value, gradient, hessian }
    }
}

/// The noise in `cell` at the place `fraction`, in cells, with derivatives per cell.
///
/// Each of the 2^N corners has the plane through zero with its gradient. Corners are blended in pairs along the first axis,
/// the results along the second, and so on. Exactly zero at a lattice point: there all other corners have weight 0.
#[inline]
pub(in crate::noise) fn blend<T: Blend<N>, const N: usize>(
    fade: Fade,
    cell: [i64; N],
    fraction: [f64; N],
    gradient: impl Fn([i64; N]) -> [f64; N],
) -> T {
    let plane = |corner: [bool; N]| {
        let gradient = gradient(std::array::from_fn(|axis| cell[axis].wrapping_add(i64::from(corner[axis]))));
        let distance = |axis: usize| fraction[axis] - f64::from(u8::from(corner[axis]));
        // From the first product, not from zero, so that no `-0.0 + 0.0` comes in.
        let value = (1..N).fold(gradient[0] * distance(0), |sum, axis| sum + gradient[axis] * distance(axis));
        T::plane(value, gradient)
    };
    let fades = std::array::from_fn(|axis| T::fade(fade, axis, fraction[axis]));
    corners(N, [false; N], &plane, &fades)
}

/// Blends the corners that agree with `corner` in all but the first `axes` axes.
fn corners<T: Blend<N>, const N: usize>(
    axes: usize,
    corner: [bool; N],
    plane: &impl Fn([bool; N]) -> T,
    fades: &[T; N],
) -> T {
    let Some(axis) = axes.checked_sub(1) else {
        return plane(corner);
    };
    let mut opposite = corner;
    opposite[axis] = true;
    let near = corners(axis, corner, plane, fades);
    near + (corners(axis, opposite, plane, fades) - near) * fades[axis]
}
