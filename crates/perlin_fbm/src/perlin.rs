//! One octave of gradient noise, in any number of dimensions.

mod blend;
mod jet;

pub(super) use blend::{Blend, blend};
pub(super) use jet::Jet;

use super::{Fade, Lattice, ValueAndGradient, cell::split};

/// Perlin noise over a [`Lattice`]: zero at every lattice node, and as smooth as its [`Fade`].
///
/// It computes in `f64`, point by point.
///
/// ```
/// use perlin_fbm::{Fade, FastHashGradients, Perlin};
///
/// let noise = Perlin::new(FastHashGradients::new(42), Fade::Quintic);
/// assert_eq!(noise.value([3.0, -7.0]), 0.0);
/// assert!(noise.value([3.5, -7.25]).abs() <= noise.bound::<2>());
/// // In space, with its gradient.
/// let sample = noise.sample([3.5, -7.25, 0.125]);
/// assert_eq!(sample.value, noise.value([3.5, -7.25, 0.125]));
/// assert_eq!(sample.gradient.len(), 3);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Perlin<L> {
    lattice: L,
    fade: Fade,
}

impl<L> Perlin<L> {
    /// Noise over `lattice`, blended by `fade`.
    pub const fn new(lattice: L, fade: Fade) -> Self {
        Self { lattice, fade }
    }

    /// No value in `N` dimensions is further from zero than this: `max_length * sqrt(N) / 2`, or half of it with
    /// [`Fade::MinimalCubic`].
    ///
    /// At the point `d` in a cell, corner `q` contributes at most `|g| |d - q|`, with weights that add up to one. The square
    /// of this mean of distances is at most the mean of their squares, which is a sum of one term per axis,
    /// `(1 - s) d^2 + s (1 - d)^2 = d^2 + s (1 - 2d)`. For `d <= 1/2` every fade has `s <= d`, so the term is at most
    /// `d - d^2 <= 1/4`. For `d > 1/2` the same holds by symmetry. The sum over N axes is at most `N / 4`. The noise reaches
    /// the bound in the middle of a cell if all gradients point to it, or all away from it.
    ///
    /// The minimal cubic has other distances: divided by the weights of [`Fade::Cubic`], they are `d / (1 + 2d)` and
    /// `(1 - d) / (3 - 2d)`. The mean of their squares is `4 u^2 / (3 + 4u)` with `u = d (1 - d)`. It grows with `u`, and in the
    /// middle it is 1/16.
    #[must_use]
    pub fn bound<const N: usize>(&self) -> f64
    where
        L: Lattice<N>,
    {
        bound(&self.lattice, self.fade)
    }

    /// The noise at `p`, in cells. Finite for finite coordinates.
    #[inline]
    #[must_use]
    pub fn value<const N: usize>(&self, p: [f64; N]) -> f64
    where
        L: Lattice<N>,
    {
        self.blend(p)
    }

    /// The noise at `p`, in cells, and its gradient per cell.
    ///
    /// The gradient is exact, not a finite difference. With [`Fade::Linear`] it jumps at the borders of cells, and a border has
    /// the gradient of the cell above it.
    #[inline]
    #[must_use]
    pub fn sample<const N: usize>(&self, p: [f64; N]) -> ValueAndGradient<N>
    where
        L: Lattice<N>,
    {
        self.blend(p)
    }

    /// The second derivatives of the noise at `p`, in cells, per cell squared: row `i`, column `j` is the derivative along axes
    /// `i` and `j`. The matrix is symmetric.
    ///
    /// They are exact, not finite differences. On a line between nodes of the slopes `g0` and `g1`, [`Fade::Cubic`] has the
    /// second derivative `-6 g1` at the first and `6 g0` at the second, so curvature jumps at nodes. [`Fade::Quintic`] has 0 at
    /// both. Where second derivatives jump, they are those of the cell above.
    ///
    /// Source: Wilhelm Burger, *Gradientenbasierte Rauschfunktionen und Perlin Noise* (2008), equations 18 and 30.
    ///
    /// ```
    /// use perlin_fbm::{Fade, GridGradients, Perlin};
    ///
    /// let slopes = GridGradients::from_fn([2], |[x]| [[0.5], [-0.25]][x as usize]);
    /// assert_eq!(Perlin::new(slopes.clone(), Fade::Cubic).curvature([0.0]), [[-6.0 * -0.25]]);
    /// assert_eq!(Perlin::new(slopes, Fade::Quintic).curvature([0.0]), [[0.0]]);
    /// ```
    #[must_use]
    pub fn curvature<const N: usize>(&self, p: [f64; N]) -> [[f64; N]; N]
    where
        L: Lattice<N>,
    {
        self.blend::<Jet<N>, N>(p).hessian
    }

    fn blend<T: Blend<N>, const N: usize>(&self, p: [f64; N]) -> T
    where
        L: Lattice<N>,
    {
        let (cell, fraction) = split(p);
        blend(self.fade, fraction, &self.lattice.corners(cell.map(|near| [near, near.wrapping_add(1)])))
    }
}

/// [`Perlin::bound`] over `lattice`.
pub(super) fn bound<const N: usize>(lattice: &impl Lattice<N>, fade: Fade) -> f64 {
    lattice.max_length() * (N as f64).sqrt() * fade.reach()
}

#[cfg(test)]
mod tests;
