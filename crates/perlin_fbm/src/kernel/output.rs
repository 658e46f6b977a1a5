//! The last step, from the sum of the octaves to the result.

use super::dual::Dual;
use super::power::{SMALLEST, signed_power};
use super::simd::{Simd, abs};

/// How the sum of the octaves becomes the result: clamped, raised to the exponent, multiplied by the height scale.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Output {
    pub clamped: bool,
    pub exponent: f32,
    pub height_scale: f32,
}

impl Output {
    /// Whether the result is the sum times the height scale.
    pub(super) fn is_linear(self) -> bool {
        !self.clamped && self.exponent == 1.0
    }
}

/// The result for the sum of all octaves.
#[inline(always)]
pub(super) fn apply_output<S: Simd, const D: usize>(s: S, output: Output, sum: Dual<S::F, D>) -> Dual<S::F, D> {
    let mut v = sum;
    if output.clamped {
        v = v.max(s, -1.0).min(s, 1.0);
    }
    if output.exponent != 1.0 {
        let power = signed_power(s, v.value, output.exponent);
        let slope = if D > 0 {
            // Where the slope is infinite, at 0 with an exponent below 1, it counts as 0: the power is 0 there.
            let relative = s.div(abs(s, power), s.max(abs(s, v.value), s.splat(SMALLEST)));
            s.mul(s.splat(output.exponent), relative)
        } else {
            power
        };
        v = v.map(s, power, slope);
    }
    v.scale(s, output.height_scale)
}
