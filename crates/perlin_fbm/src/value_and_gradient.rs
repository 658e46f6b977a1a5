//! Numbers with derivatives, so that one formula computes a value, or a value and its gradient.

use std::ops::{Add, Mul, Sub};

/// The value of a noise at a point, and its gradient there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ValueAndGradient<const N: usize> {
    /// The value.
    pub value: f64,
    /// The derivative of the value along each axis, per unit of the coordinates.
    pub gradient: [f64; N],
}

/// A number type for sums and shapes: a plain number, or a [`ValueAndGradient`] by forward differentiation.
///
/// Both apply the same operations to the value in the same order, so their values have the same bits.
pub(super) trait Number: Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> {
    /// A number that is the same everywhere.
    fn constant(value: f64) -> Self;

    /// The value alone.
    fn value(self) -> f64;

    /// A function of `self`, given as its value and its derivative there.
    fn map(self, value: f64, slope: f64) -> Self;

    /// The magnitude. Its slope at 0, where there is none, is that of positive numbers.
    #[inline]
    fn abs(self) -> Self {
        let value = self.value();
        self.map(value.abs(), if value < 0.0 { -1.0 } else { 1.0 })
    }

    /// The nearest number in \[`low`, `high`\].
    #[inline]
    fn clamp(self, low: f64, high: f64) -> Self {
        let value = self.value();
        if value < low {
            Self::constant(low)
        } else if value > high {
            Self::constant(high)
        } else {
            self
        }
    }

    /// One divided by `self`.
    #[inline]
    fn reciprocal(self) -> Self {
        let value = 1.0 / self.value();
        self.map(value, -value * value)
    }

    /// `sign(v) |v|^exponent`. Where the slope is infinite, at 0 with an exponent below 1, it counts as 0.
    #[inline]
    fn signed_power(self, exponent: f64) -> Self {
        let value = self.value();
        if exponent == 1.0 || value == 0.0 {
            return if exponent == 1.0 { self } else { Self::constant(0.0) };
        }
        let power = libm::pow(value.abs(), exponent);
        self.map(if value < 0.0 { -power } else { power }, exponent * power / value.abs())
    }
}

impl Number for f64 {
    #[inline]
    fn constant(value: f64) -> Self {
        value
    }

    #[inline]
    fn value(self) -> f64 {
        self
    }

    #[inline]
    fn map(self, value: f64, _slope: f64) -> Self {
        value
    }
}

impl<const N: usize> Number for ValueAndGradient<N> {
    #[inline]
    fn constant(value: f64) -> Self {
        Self { value, gradient: [0.0; N] }
    }

    #[inline]
    fn value(self) -> f64 {
        self.value
    }

    #[inline]
    fn map(self, value: f64, slope: f64) -> Self {
        Self { value, gradient: self.gradient.map(|g| g * slope) }
    }
}

impl<const N: usize> Add for ValueAndGradient<N> {
    type Output = Self;

    #[inline]
    fn add(self, other: Self) -> Self {
        let gradient = std::array::from_fn(|axis| self.gradient[axis] + other.gradient[axis]);
        Self { value: self.value + other.value, gradient }
    }
}

impl<const N: usize> Sub for ValueAndGradient<N> {
    type Output = Self;

    #[inline]
    fn sub(self, other: Self) -> Self {
        let gradient = std::array::from_fn(|axis| self.gradient[axis] - other.gradient[axis]);
        Self { value: self.value - other.value, gradient }
    }
}

impl<const N: usize> Mul for ValueAndGradient<N> {
    type Output = Self;

    #[inline]
    #[expect(clippy::suspicious_arithmetic_impl, reason = "the product rule has sums")]
    fn mul(self, other: Self) -> Self {
        let gradient =
            std::array::from_fn(|axis| self.gradient[axis] * other.value + self.value * other.gradient[axis]);
        Self { value: self.value * other.value, gradient }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The coordinate itself.
    fn at(t: f64) -> ValueAndGradient<1> {
        ValueAndGradient { value: t, gradient: [1.0] }
    }

    #[test]
    fn every_operation_carries_the_slope_that_differences_show() {
        type Operation = (&'static str, fn(ValueAndGradient<1>) -> ValueAndGradient<1>);
        let operations: [Operation; 9] = [
            ("sum", |t| t + t * t),
            ("difference", |t| ValueAndGradient::constant(2.0) - t),
            ("product", |t| t * t * t),
            ("magnitude", |t| t.abs()),
            ("clamped", |t| t.clamp(-0.5, 0.6)),
            ("reciprocal", |t| (t * t + Number::constant(1.0)).reciprocal()),
            ("square with sign", |t| t.signed_power(2.0)),
            ("root with sign", |t| t.signed_power(0.5)),
            ("power 1", |t| t.signed_power(1.0)),
        ];
        let h = 1.0 / f64::from(1 << 16);
        for (name, operation) in operations {
            for t in [-1.5, -0.75, -0.3, 0.2, 0.7, 1.25] {
                let difference = (operation(at(t + h)).value - operation(at(t - h)).value) / (2.0 * h);
                let slope = operation(at(t)).gradient[0];
                // h^2 / 6 times third derivatives below 50, and roundings of 1e-16 / h: 2e-9 and 1e-11.
                assert!((difference - slope).abs() < 2e-9, "{name} at {t}: {slope}, by differences {difference}");
            }
        }
    }

    #[test]
    fn an_infinite_slope_counts_as_none() {
        assert_eq!(at(0.0).signed_power(0.5), ValueAndGradient { value: 0.0, gradient: [0.0] });
        assert_eq!(at(0.0).signed_power(1.0), at(0.0));
    }
}
