//! The planes at a cell's corners, blended.

use super::Jet;
use crate::cell::MAX_CORNERS;
use crate::{Fade, ValueAndGradient};
use std::ops::{Add, Mul, Sub};

/// The numbers that a cell is blended in: a value, with its gradient, or with its second derivatives too.
pub(crate) trait Blend<const N: usize>:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self>
{
    /// A plane, at a position where it has `value`.
    fn plane(value: f64, gradient: [f64; N]) -> Self;

    /// A function of the coordinate `axis` alone, by its value and its first and second derivative there.
    fn along(axis: usize, curve: [f64; 3]) -> Self;
}

impl<const N: usize> Blend<N> for f64 {
    #[inline]
    fn plane(value: f64, _gradient: [f64; N]) -> Self {
        value
    }

    #[inline]
    fn along(_axis: usize, [value, ..]: [f64; 3]) -> Self {
        value
    }
}

impl<const N: usize> Blend<N> for ValueAndGradient<N> {
    #[inline]
    fn plane(value: f64, gradient: [f64; N]) -> Self {
        Self { value, gradient }
    }

    #[inline]
    fn along(axis: usize, [value, slope, _]: [f64; 3]) -> Self {
        let mut gradient = [0.0; N];
        gradient[axis] = slope;
        Self { value, gradient }
    }
}

impl<const N: usize> Blend<N> for Jet<N> {
    #[inline]
    fn plane(value: f64, gradient: [f64; N]) -> Self {
        Self { value, gradient, hessian: [[0.0; N]; N] }
    }

    #[inline]
    fn along(axis: usize, curve: [f64; 3]) -> Self {
        let ValueAndGradient { value, gradient } = ValueAndGradient::along(axis, curve);
        let mut hessian = [[0.0; N]; N];
        hessian[axis][axis] = curve[2];
        Self { value, gradient, hessian }
    }
}

/// The noise at the position `fraction` in a cell, in cells, with derivatives per cell. `gradients` are those of its corners, as
/// [`Lattice::corners`](crate::Lattice::corners) numbers them.
///
/// Each of the 2^N corners has the plane through zero with its gradient. Corners are blended in pairs along the first axis,
/// the results along the second, and so on. Exactly zero at a lattice point: there all other corners have weight 0.
#[inline]
pub(crate) fn blend<T: Blend<N>, const N: usize>(
    fade: Fade,
    fraction: [f64; N],
    gradients: &[[f64; N]; MAX_CORNERS],
) -> T {
    let fades: [T; N] = std::array::from_fn(|axis| {
        let t = fraction[axis];
        T::along(axis, [fade.at(t), fade.slope(t), fade.curvature(t)])
    });
    if fade == Fade::MinimalCubic {
        return minimal_cubic(fraction, gradients, &fades);
    }
    let mut blended = gradients.map(|gradient| T::plane(0.0, gradient));
    for corner in 0..1_usize << N {
        let gradient = gradients[corner];
        let distance = |axis: usize| fraction[axis] - f64::from((corner >> axis & 1) as u8);
        // From the first product, not from zero, so that no `-0.0 + 0.0` comes in.
        let value = (1..N).fold(gradient[0] * distance(0), |sum, axis| sum + gradient[axis] * distance(axis));
        blended[corner] = T::plane(value, gradient);
    }
    for (axis, &fade) in fades.iter().enumerate() {
        for pair in 0..1_usize << (N - 1 - axis) {
            let [near, far] = [blended[2 * pair], blended[2 * pair + 1]];
            blended[pair] = near + (far - near) * fade;
        }
    }
    blended[0]
}

/// The noise with [`Fade::MinimalCubic`]: the sum of all components of all gradients, each with its distance and weight along its
/// own axis, and with the weights of `fades` along the others.
///
/// Exactly zero at a lattice point, where all distances times weights are 0.
fn minimal_cubic<T: Blend<N>, const N: usize>(
    fraction: [f64; N],
    gradients: &[[f64; N]; MAX_CORNERS],
    fades: &[T; N],
) -> T {
    let constant = |value: f64| T::plane(value, [0.0; N]);
    // Near and far along each axis.
    let weights = fades.map(|fade| [constant(1.0) - fade, fade]);
    let distances: [[T; 2]; N] = std::array::from_fn(|axis| {
        let t = fraction[axis];
        let rest = 1.0 - t;
        [
            T::along(axis, [t * (rest * rest), rest * (1.0 - 3.0 * t), 6.0 * t - 4.0]),
            T::along(axis, [-rest * (t * t), t * (3.0 * t - 2.0), 6.0 * t - 2.0]),
        ]
    });
    let mut sum = constant(0.0);
    for (corner, gradient) in gradients.iter().enumerate().take(1 << N) {
        let side = |axis: usize| corner >> axis & 1;
        for along in 0..N {
            let mut term = constant(gradient[along]) * distances[along][side(along)];
            for axis in (0..N).filter(|&axis| axis != along) {
                term = term * weights[axis][side(axis)];
            }
            sum = sum + term;
        }
    }
    sum
}
