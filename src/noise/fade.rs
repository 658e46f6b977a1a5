//! Fade curves: how far a point has gone from one lattice point to the next.

use super::Real;

/// The curve `s(t)` that blends between neighbouring lattice points, with `s(0) = 0` and `s(1) = 1`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Fade {
    /// `t`: creases along every lattice line (C0).
    Linear,
    /// `3t^2 - 2t^3`: smooth slopes, creases in the curvature (C1). Perlin 1985.
    Cubic,
    /// `6t^5 - 15t^4 + 10t^3`: slopes and curvature both continuous (C2). Perlin 2002.
    #[default]
    Quintic,
}

impl Fade {
    /// The curve at `t` in [0, 1].
    #[inline]
    pub fn at<R: Real>(self, t: R) -> R {
        let r = R::from_f64;
        match self {
            Self::Linear => t,
            Self::Cubic => t * t * (r(3.0) - r(2.0) * t),
            Self::Quintic => t * t * t * (t * (t * r(6.0) - r(15.0)) + r(10.0)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Fade;

    #[test]
    fn every_fade_runs_from_zero_to_one_and_is_symmetric() {
        for fade in [Fade::Linear, Fade::Cubic, Fade::Quintic] {
            assert_eq!(fade.at(0.0_f32), 0.0);
            assert_eq!(fade.at(1.0_f32), 1.0);
            for step in 0..=64 {
                let t = f64::from(step) / 64.0;
                assert!((fade.at(t) + fade.at(1.0 - t) - 1.0).abs() < 1e-14, "{fade:?} at {t}");
            }
        }
    }

    #[test]
    fn the_quintic_is_flat_to_second_order_at_its_ends() {
        let h = 1e-4_f64;
        let slope = |t: f64| (Fade::Quintic.at(t + h) - Fade::Quintic.at(t)) / h;
        assert!(slope(0.0).abs() < 1e-6);
        // A cubic's curvature at 0 is 6, the quintic's is 0: its slope after h is about 30 h^2, not 6 h.
        assert!(slope(h).abs() < 1e-5, "{}", slope(h));
    }
}
