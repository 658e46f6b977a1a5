//! The minimal cubic: noise on a line.

use super::{Lattice, cell::split};

/// Noise on a line. Between two lattice nodes it is the one cubic that is zero at both and has their gradients as slopes.
///
/// `F3(t) = g0 (t-1)^2 t + g1 (t-1) t^2`. Its slopes are continuous (C1). It does not blend planes, so it has no
/// [`Fade`](super::Fade).
///
/// Source: Wilhelm Burger, *Gradientenbasierte Rauschfunktionen und Perlin Noise* (2008), section 2.
///
/// ```
/// use bevy_perlin_terrain::noise::{HashGradients, IntegerHash, MinimalCubic};
///
/// let noise = MinimalCubic::new(HashGradients::new(IntegerHash::Ward, 0));
/// assert_eq!(noise.value(12.0), 0.0);
/// assert!(noise.value(12.25).abs() <= noise.bound());
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MinimalCubic<L> {
    lattice: L,
}

impl<L: Lattice<1>> MinimalCubic<L> {
    /// Noise over `lattice`.
    pub const fn new(lattice: L) -> Self {
        Self { lattice }
    }

    /// No value is further from zero than this: a quarter of the steepest slope, since
    /// `(1-t)^2 t + (1-t) t^2 = (1-t) t <= 1/4`.
    #[must_use]
    pub fn bound(&self) -> f64 {
        self.lattice.max_length() / 4.0
    }

    /// The noise at `x`, in cells.
    #[must_use]
    pub fn value(&self, x: f64) -> f64 {
        let (g0, g1, t) = self.slopes(x);
        g0 * (t - 1.0) * (t - 1.0) * t + g1 * (t - 1.0) * t * t
    }

    /// The slope of the noise at `x`, per cell.
    #[must_use]
    pub fn slope(&self, x: f64) -> f64 {
        let (g0, g1, t) = self.slopes(x);
        g0 * (t - 1.0) * (3.0 * t - 1.0) + g1 * t * (3.0 * t - 2.0)
    }

    /// The sum of octaves at `x`: `sum_i a_i noise(f_i x)` of the pairs `(f_i, a_i)`. Frequencies are in cells per unit, `x` in
    /// units.
    ///
    /// [`NoiseSettings::octaves`](super::NoiseSettings::octaves) gives the pairs of a geometric sum.
    ///
    /// Source: Wilhelm Burger, *Gradientenbasierte Rauschfunktionen und Perlin Noise* (2008), equation 37.
    ///
    /// ```
    /// use bevy_perlin_terrain::noise::{MinimalCubic, MixedGradients, NoiseSettings};
    ///
    /// let noise = MinimalCubic::new(MixedGradients::new(42));
    /// let settings = NoiseSettings { octaves: 3, frequency: 1.0, ..NoiseSettings::default() };
    /// // Frequencies 1, 2 and 4 of amplitudes 1, 1/2 and 1/4.
    /// let expected = noise.value(0.3) + noise.value(0.6) / 2.0 + noise.value(1.2) / 4.0;
    /// assert_eq!(noise.sum(0.3, settings.octaves()), expected);
    /// ```
    #[must_use]
    pub fn sum(&self, x: f64, octaves: impl IntoIterator<Item = (f64, f64)>) -> f64 {
        octaves.into_iter().map(|(frequency, amplitude)| amplitude * self.value(frequency * x)).sum()
    }

    /// The slopes at both ends of the cell, and the fraction of the cell.
    fn slopes(&self, x: f64) -> (f64, f64, f64) {
        let ([cell], [t]) = split([x]);
        let [[g0], [g1]] = [cell, cell.wrapping_add(1)].map(|node| self.lattice.gradient([node]));
        (g0, g1, t)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::noise::{BitGradients, HashGradients, IntegerHash, MixedGradients, NoiseRng};

    fn check(lattice: &impl Lattice<1>) {
        let noise = MinimalCubic::new(lattice.clone());
        let mut rng = NoiseRng::new(1, 0);
        let h = 1.0 / f64::from(1 << 16);
        for _ in 0..500 {
            let node = i64::from(rng.next_u32() % 2000) - 1000;
            let edge = node as f64;
            assert_eq!((noise.value(edge), noise.slope(edge)), (0.0, lattice.gradient([node])[0]));
            // Curvatures are below 8, so 2e-9 cells apart slopes differ by less than 2e-8.
            assert!((noise.slope(edge - 1e-9) - noise.slope(edge + 1e-9)).abs() < 2e-8, "at {edge}");
            let x = edge + f64::from(1 + rng.next_u32() % 1022) / 1024.0;
            assert!(noise.value(x).abs() <= noise.bound());
            let difference = (noise.value(x + h) - noise.value(x - h)) / (2.0 * h);
            // h^2 / 6 times the third derivative, 12 at most: 5e-10.
            assert!((difference - noise.slope(x)).abs() < 1e-9, "at {x}");
        }
    }

    #[test]
    fn noise_is_zero_at_nodes_bounded_and_smooth_in_its_slopes() {
        check(&MixedGradients::new(1));
        check(&BitGradients::new(1));
        check(&HashGradients::new(IntegerHash::Shift, 0));
    }
}
