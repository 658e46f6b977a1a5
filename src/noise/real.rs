//! The two floating-point types that noise can be computed in.

use std::ops::{Add, Mul, Neg, Sub};

/// A floating-point type to compute noise in: `f32` for terrain, `f64` to compare with published values.
///
/// Both run the same operations in the same order; they differ by rounding alone.
pub trait Real:
    Copy + PartialOrd + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Neg<Output = Self>
{
    /// The nearest value to `value`.
    fn from_f64(value: f64) -> Self;

    /// The magnitude.
    fn abs(self) -> Self;

    /// `self` to the power of `exponent`, by `libm`: the same bits on every platform.
    fn powf(self, exponent: Self) -> Self;
}

impl Real for f32 {
    #[inline]
    fn from_f64(value: f64) -> Self {
        value as Self
    }

    #[inline]
    fn abs(self) -> Self {
        Self::abs(self)
    }

    #[inline]
    fn powf(self, exponent: Self) -> Self {
        libm::powf(self, exponent)
    }
}

impl Real for f64 {
    #[inline]
    fn from_f64(value: f64) -> Self {
        value
    }

    #[inline]
    fn abs(self) -> Self {
        Self::abs(self)
    }

    #[inline]
    fn powf(self, exponent: Self) -> Self {
        libm::pow(self, exponent)
    }
}
