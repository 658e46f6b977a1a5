//! Dual numbers: numbers with derivatives, in lanes. So the formula of a shape is written once, and computes a value or a value with
//! its gradient.
//!
//! The operations on the value do not depend on how many derivatives there are, so its bits are the same with and without.

use super::simd::{Simd, abs};

/// A number and its derivatives along `D` axes: none, or a gradient.
#[derive(Clone, Copy)]
pub(super) struct Dual<F, const D: usize> {
    pub value: F,
    pub gradient: [F; D],
}

impl<F: Copy, const D: usize> Dual<F, D> {
    /// A number that is the same everywhere.
    #[inline(always)]
    pub fn constant<S: Simd<F = F>>(s: S, value: f32) -> Self {
        Self { value: s.splat(value), gradient: [s.splat(0.0); D] }
    }

    /// A function of `self`, given as its value and its derivative there.
    #[inline(always)]
    pub fn map<S: Simd<F = F>>(self, s: S, value: F, slope: F) -> Self {
        let mut gradient = self.gradient;
        let mut axis = 0;
        while axis < D {
            gradient[axis] = s.mul(gradient[axis], slope);
            axis += 1;
        }
        Self { value, gradient }
    }

    #[inline(always)]
    pub fn add<S: Simd<F = F>>(self, s: S, other: Self) -> Self {
        let mut gradient = self.gradient;
        let mut axis = 0;
        while axis < D {
            gradient[axis] = s.add(gradient[axis], other.gradient[axis]);
            axis += 1;
        }
        Self { value: s.add(self.value, other.value), gradient }
    }

    #[inline(always)]
    pub fn sub<S: Simd<F = F>>(self, s: S, other: Self) -> Self {
        let mut gradient = self.gradient;
        let mut axis = 0;
        while axis < D {
            gradient[axis] = s.sub(gradient[axis], other.gradient[axis]);
            axis += 1;
        }
        Self { value: s.sub(self.value, other.value), gradient }
    }

    #[inline(always)]
    pub fn mul<S: Simd<F = F>>(self, s: S, other: Self) -> Self {
        let mut gradient = self.gradient;
        let mut axis = 0;
        while axis < D {
            let (left, right) = (s.mul(gradient[axis], other.value), s.mul(self.value, other.gradient[axis]));
            gradient[axis] = s.add(left, right);
            axis += 1;
        }
        Self { value: s.mul(self.value, other.value), gradient }
    }

    /// `self` times a number that is the same everywhere.
    #[inline(always)]
    pub fn scale<S: Simd<F = F>>(self, s: S, factor: f32) -> Self {
        let factor = s.splat(factor);
        self.map(s, s.mul(factor, self.value), factor)
    }

    /// The magnitude. At 0, where it has no slope, the sign of the zero chooses one.
    #[inline(always)]
    pub fn abs<S: Simd<F = F>>(self, s: S) -> Self {
        let sign = s.and(s.bits(self.value), s.splat_u(0x8000_0000));
        let mut gradient = self.gradient;
        let mut axis = 0;
        while axis < D {
            gradient[axis] = s.float_of_bits(s.xor(s.bits(gradient[axis]), sign));
            axis += 1;
        }
        Self { value: abs(s, self.value), gradient }
    }

    /// The smaller one of `self` and `high`.
    #[inline(always)]
    pub fn min<S: Simd<F = F>>(self, s: S, high: f32) -> Self {
        let high = s.splat(high);
        let mut gradient = self.gradient;
        let mut axis = 0;
        while axis < D {
            gradient[axis] = s.where_less(self.value, high, gradient[axis]);
            axis += 1;
        }
        Self { value: s.min(self.value, high), gradient }
    }

    /// The larger one of `self` and `low`.
    #[inline(always)]
    pub fn max<S: Simd<F = F>>(self, s: S, low: f32) -> Self {
        let low = s.splat(low);
        let mut gradient = self.gradient;
        let mut axis = 0;
        while axis < D {
            gradient[axis] = s.where_less(low, self.value, gradient[axis]);
            axis += 1;
        }
        Self { value: s.max(self.value, low), gradient }
    }

    /// The number whose value is `from[at]`, and whose derivatives come after it.
    #[inline(always)]
    pub fn read(from: &[F], at: usize) -> Self {
        let value = from[at];
        let mut gradient = [value; D];
        let mut axis = 0;
        while axis < D {
            gradient[axis] = from[at + 1 + axis];
            axis += 1;
        }
        Self { value, gradient }
    }

    /// Puts the number where [`read`](Self::read) finds it.
    #[inline(always)]
    pub fn write(self, to: &mut [F], at: usize) {
        to[at] = self.value;
        let mut axis = 0;
        while axis < D {
            to[at + 1 + axis] = self.gradient[axis];
            axis += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::portable::Portable;
    use super::*;

    type Number = Dual<[f32; 1], 1>;

    const S: Portable<1> = Portable;

    /// The coordinate itself.
    fn at(t: f32) -> Number {
        Dual { value: [t], gradient: [[1.0]] }
    }

    #[test]
    fn every_operation_carries_the_slope_that_differences_show() {
        type Operation = (&'static str, fn(Number) -> Number);
        let one = || Number::constant(S, 1.0);
        assert_eq!((one().value, one().gradient), ([1.0], [[0.0]]));
        let operations: [Operation; 8] = [
            ("sum", |t| t.add(S, t.mul(S, t))),
            ("difference", |t| Dual::constant(S, 2.0).sub(S, t)),
            ("product", |t| t.mul(S, t).mul(S, t)),
            ("multiple", |t| t.scale(S, -3.5)),
            ("magnitude", |t| t.abs(S)),
            ("minimum", |t| t.min(S, 0.6)),
            ("maximum", |t| t.max(S, -0.5)),
            ("function", |t| t.map(S, [1.0 / t.value[0]], [-1.0 / (t.value[0] * t.value[0])])),
        ];
        let h = 1.0 / 256.0;
        for (name, operation) in operations {
            for t in [-1.5, -0.75, -0.3, 0.25, 0.7, 1.25] {
                let difference = (operation(at(t + h)).value[0] - operation(at(t - h)).value[0]) / (2.0 * h);
                let [[slope]] = operation(at(t)).gradient;
                // h^2 / 6 times third derivatives below 1600, and roundings of 4e-7 / h: 4e-3 and 1e-4.
                assert!((difference - slope).abs() < 5e-3, "{name} at {t}: {slope}, by differences {difference}");
            }
        }
    }
}
