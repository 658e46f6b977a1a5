//! The last step, from the sum of the octaves to the result.

use super::power::signed_power;
use super::simd::Simd;

/// How the sum of the octaves becomes the result: clamped, raised to the exponent, multiplied by the height scale.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::noise) struct Output {
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
pub(super) fn apply_output<S: Simd>(s: S, output: Output, sum: S::F) -> S::F {
    let mut v = sum;
    if output.clamped {
        v = s.min(s.max(v, s.splat(-1.0)), s.splat(1.0));
    }
    if output.exponent != 1.0 {
        v = signed_power(s, v, output.exponent);
    }
    s.mul(v, s.splat(output.height_scale))
}
