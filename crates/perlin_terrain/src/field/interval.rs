//! Ranges of heights.

use std::ops::Add;

/// All numbers from `low` to `high`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Interval {
    pub low: f64,
    pub high: f64,
}

impl Interval {
    pub const fn new(low: f64, high: f64) -> Self {
        Self { low, high }
    }

    /// One number.
    pub const fn at(value: f64) -> Self {
        Self::new(value, value)
    }

    /// All numbers up to `distance` from 0.
    pub const fn around_zero(distance: f64) -> Self {
        Self::new(-distance, distance)
    }

    /// The numbers times `factor`, which is not negative.
    pub fn scaled(self, factor: f64) -> Self {
        Self::new(self.low * factor, self.high * factor)
    }

    /// All numbers of both and between them.
    pub fn hull(self, other: Self) -> Self {
        Self::new(self.low.min(other.low), self.high.max(other.high))
    }

    /// The interval, extended by `margin` on both sides.
    pub fn extended(self, margin: f64) -> Self {
        Self::new(self.low - margin, self.high + margin)
    }

    /// The largest distance from 0.
    pub fn magnitude(self) -> f64 {
        self.low.abs().max(self.high.abs())
    }

    /// A bound of the rounding of a few `f32` operations on numbers within the interval. Each rounds by 2^-24 of its result.
    pub fn rounding(self) -> f64 {
        1e-6 * self.magnitude()
    }
}

/// All sums of a number of each.
impl Add for Interval {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self::new(self.low + other.low, self.high + other.high)
    }
}
