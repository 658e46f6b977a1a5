//! Fade curves: the blend from one lattice node to the next.

use crate::param::params;
use serde::{Deserialize, Serialize};

/// The curve `s(t)` that blends between neighboring lattice nodes. `s(0) = 0`, `s(1) = 1`, and it is symmetric:
/// `s(1 - t) = 1 - s(t)`.
///
/// Along the axis of a gradient component, [`MinimalCubic`](Self::MinimalCubic) uses another curve, `t^2`. All other fades use
/// `s` along every axis.
///
/// In an image of a single octave, a linear fade shows the lines of the grid. A cubic one shows them only in a surface that is
/// lit from one side. The size of the cells changes the scale of the image, but not its contrast.
///
#[doc = include_str!("../docs/fades.svg")]
#[params]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "bevy_reflect", derive(bevy_reflect::Reflect))]
#[non_exhaustive]
pub enum Fade {
    /// Clear creases along the lines of the lattice.
    ///
    /// `t` (C0).
    Linear,
    /// Smooth slopes; light shows faint lines where the noise is calm.
    ///
    /// `3t^2 - 2t^3`: creases in the curvature (C1). Perlin 1985.
    Cubic,
    /// Smooth slopes and smooth light. The default.
    ///
    /// `6t^5 - 15t^4 + 10t^3`: slopes and curvature both continuous (C2). Perlin 2002.
    #[default]
    Quintic,
    /// Smooth slopes at half the height; light shows faint lines where the noise is calm.
    ///
    /// The polynomial of the lowest degree with smooth slopes (C1). Its values are about half of those of the other fades.
    ///
    /// Between two nodes of a line with the slopes `g0` and `g1`, the noise is the only cubic that is zero at both nodes and has
    /// these slopes there:
    ///
    /// ```text
    /// F3(t) = g0 t (1 - t)^2 + g1 (t - 1) t^2
    /// ```
    ///
    /// It is no blend of tangents: their weights `(1 - t)^2` and `t^2` don't add up to 1. In more dimensions, each component of a
    /// gradient has these weights along its own axis, and those of [`Cubic`](Self::Cubic) along the others. So on every line of
    /// the lattice the noise is `F3`, and every node has its gradient.
    ///
    /// Source: Wilhelm Burger, *Gradientenbasierte Rauschfunktionen und Perlin Noise* (2008), section 2.1.3, equations 13 and 14.
    /// More dimensions are ours: Hermite's cubics along each axis, with the value 0 and the gradient at each node.
    MinimalCubic,
}

impl Fade {
    /// No value in `N` dimensions is further from zero than this times the length of the longest gradient and `sqrt(N)`. Reached
    /// in the middle of a cell.
    pub(super) const fn reach(self) -> f64 {
        match self {
            Self::Linear | Self::Cubic | Self::Quintic => 0.5,
            Self::MinimalCubic => 0.25,
        }
    }

    /// The curve at `t` in [0, 1].
    #[inline]
    #[must_use]
    pub fn at(self, t: f64) -> f64 {
        match self {
            Self::Linear => t,
            Self::Cubic | Self::MinimalCubic => t * t * (3.0 - 2.0 * t),
            Self::Quintic => t * t * t * (t * (t * 6.0 - 15.0) + 10.0),
        }
    }

    /// The first derivative at `t`: from 0 to 1, 3/2 or 15/8 in the middle.
    #[inline]
    #[must_use]
    pub fn slope(self, t: f64) -> f64 {
        match self {
            Self::Linear => 1.0,
            Self::Cubic | Self::MinimalCubic => 6.0 * t * (1.0 - t),
            Self::Quintic => 30.0 * (t * t) * ((1.0 - t) * (1.0 - t)),
        }
    }

    /// The second derivative at `t`.
    #[inline]
    #[must_use]
    pub fn curvature(self, t: f64) -> f64 {
        match self {
            Self::Linear => 0.0,
            Self::Cubic | Self::MinimalCubic => 6.0 - 12.0 * t,
            Self::Quintic => 60.0 * t * (1.0 - t) * (1.0 - 2.0 * t),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Fade;

    const FADES: [Fade; 4] = [Fade::Linear, Fade::Cubic, Fade::Quintic, Fade::MinimalCubic];

    #[test]
    fn every_fade_runs_from_zero_to_one_and_is_symmetric() {
        for fade in FADES {
            assert_eq!(fade.at(0.0), 0.0);
            assert_eq!(fade.at(1.0), 1.0);
            for step in 0..=64 {
                let t = f64::from(step) / 64.0;
                // A few roundings of numbers up to 15.
                assert!((fade.at(t) + fade.at(1.0 - t) - 1.0).abs() < 1e-14, "{fade:?} at {t}");
                assert!((fade.slope(t) - fade.slope(1.0 - t)).abs() < 1e-14, "{fade:?} at {t}");
                assert!((fade.curvature(t) + fade.curvature(1.0 - t)).abs() < 1e-14, "{fade:?} at {t}");
            }
        }
    }

    #[test]
    fn slope_and_curvature_are_the_derivatives() {
        let h = 1.0 / f64::from(1 << 16);
        for fade in FADES {
            for step in 1..64 {
                let t = f64::from(step) / 64.0;
                let central = |f: &dyn Fn(f64) -> f64| (f(t + h) - f(t - h)) / (2.0 * h);
                // h^2 / 6 times the third derivative of what is differentiated, 360 at most: 1.4e-8; rounding: 1e-11.
                assert!((central(&|t| fade.at(t)) - fade.slope(t)).abs() < 2e-8, "{fade:?} at {t}");
                assert!((central(&|t| fade.slope(t)) - fade.curvature(t)).abs() < 2e-8, "{fade:?} at {t}");
            }
        }
    }

    #[test]
    fn the_ends_are_as_flat_as_documented() {
        for t in [0.0, 1.0] {
            assert_eq!((Fade::Cubic.slope(t), Fade::Cubic.curvature(t).abs()), (0.0, 6.0));
            assert_eq!((Fade::Quintic.slope(t), Fade::Quintic.curvature(t)), (0.0, 0.0));
        }
    }
}
