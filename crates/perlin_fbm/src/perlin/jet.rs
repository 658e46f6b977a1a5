//! A value with its first and second derivatives.

use std::ops::{Add, Mul, Sub};

/// A value with all its first and second derivatives at one position. The second ones are what the gradient of a formula in
/// slopes needs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Jet<const N: usize> {
    pub value: f64,
    pub gradient: [f64; N],
    /// Symmetric.
    pub hessian: [[f64; N]; N],
}

impl<const N: usize> Jet<N> {
    /// The same operation on all numbers of two jets: for linear operations.
    fn zip(self, other: Self, operation: impl Fn(f64, f64) -> f64) -> Self {
        Self {
            value: operation(self.value, other.value),
            gradient: std::array::from_fn(|i| operation(self.gradient[i], other.gradient[i])),
            hessian: std::array::from_fn(|i| {
                std::array::from_fn(|j| operation(self.hessian[i][j], other.hessian[i][j]))
            }),
        }
    }
}

impl<const N: usize> Add for Jet<N> {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        self.zip(other, |one, other| one + other)
    }
}

impl<const N: usize> Sub for Jet<N> {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        self.zip(other, |one, other| one - other)
    }
}

/// The product rule, twice.
impl<const N: usize> Mul for Jet<N> {
    type Output = Self;

    #[expect(clippy::suspicious_arithmetic_impl, reason = "the product rule has sums")]
    fn mul(self, other: Self) -> Self {
        let (a, b) = (self, other);
        Self {
            value: a.value * b.value,
            gradient: std::array::from_fn(|i| a.gradient[i] * b.value + a.value * b.gradient[i]),
            hessian: std::array::from_fn(|i| {
                std::array::from_fn(|j| {
                    let mixed = a.gradient[i] * b.gradient[j] + a.gradient[j] * b.gradient[i];
                    a.hessian[i][j] * b.value + a.value * b.hessian[i][j] + mixed
                })
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_have_the_derivatives_of_the_polynomial() {
        let (x, y) = (0.75, -1.5);
        let x_axis = Jet { value: x, gradient: [1.0, 0.0], hessian: [[0.0; 2]; 2] };
        let y_axis = Jet { value: y, gradient: [0.0, 1.0], hessian: [[0.0; 2]; 2] };
        // x^2 y - y, in numbers that are exact in binary.
        let found = x_axis * x_axis * y_axis - y_axis;
        assert_eq!(found.value, x * x * y - y);
        assert_eq!(found.gradient, [2.0 * x * y, x * x - 1.0]);
        assert_eq!(found.hessian, [[2.0 * y, 2.0 * x], [2.0 * x, 0.0]]);
    }
}
