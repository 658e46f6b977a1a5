//! Terraces: steps of equal height, with level treads and walls.

use super::band::smooth;
use super::interval::Interval;
use crate::param::params;
use serde::{Deserialize, Serialize};

/// Turns slopes into steps of equal height: level treads, and walls between them.
///
/// With the height `h` below, the height `w` of a step and the part `r` of it that is wall:
///
/// ```text
/// u = h / w      n = floor(u)      s(t) = t² (3 - 2 t), t clamped to 0 to 1
/// height = w (n + s((u - n - (1 - r)/2) / r))
/// ```
///
/// So the tread at each multiple of `w` takes the ground up to `(1 - r) w / 2` above and below it, and the wall has the rest. A wall is
/// `1 / r` times as steep as the ground below on average, and `1.5 / r` times halfway up. The function is monotone and has a continuous
/// derivative. No height moves by more than `w / 2`, and the mean stays.
///
/// A mesh can't show a wall that is narrower than the spacing of its vertices: there it is as steep as one row of quads can be.
#[params]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bevy_reflect", derive(bevy_reflect::Reflect))]
#[serde(deny_unknown_fields, default)]
pub struct Terrace {
    /// The height from one tread to the next. Treads lie at the multiples of it.
    #[param(default = 10.0, range = 0.1..=10_000.0, unit = "m", scale = Logarithmic)]
    pub height: f64,
    /// The part of a step that becomes wall; the rest becomes a level tread. A lower value gives steeper walls: 0.1 makes them ten
    /// times as steep as the ground below. At 1 there is no tread.
    #[param(default = 0.2, range = 0.01..=1.0, scale = Logarithmic)]
    pub riser: f64,
}

/// A [`Terrace`], compiled.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Terraces {
    height: f32,
    per_height: f32,
    /// Half of the part of a step that is tread.
    tread: f32,
    per_riser: f32,
}

impl Terraces {
    pub fn new(settings: &Terrace) -> Self {
        // Settings that were never checked may have any numbers. Beyond these, heights would be NaN or leave their bounds.
        let height = (settings.height as f32).clamp(f32::MIN, f32::MAX);
        let riser = Terrace::RISER.nearest(settings.riser);
        Self { height, per_height: 1.0 / height, tread: (0.5 * (1.0 - riser)) as f32, per_riser: (1.0 / riser) as f32 }
    }

    pub fn apply(self, heights: &mut [f32]) {
        heights.iter_mut().for_each(|height| *height = self.at(*height));
    }

    fn at(self, height: f32) -> f32 {
        let steps = height * self.per_height;
        // `floor`, without a call on baseline x86-64. Beyond 2^31 steps the ground does not change.
        let truncated = steps as i32;
        let whole = (truncated.wrapping_sub(i32::from(truncated as f32 > steps))) as f32;
        let rest = steps - whole;
        if !(0.0..=1.0).contains(&rest) {
            return height;
        }
        self.height * (whole + smooth((rest - self.tread) * self.per_riser))
    }

    /// The bounds of the result for heights within `below`. The function is monotone.
    pub fn bounds(self, below: Interval) -> Interval {
        let at = |height: f64| f64::from(self.at(height as f32));
        // A wall makes much of a rounding of the height below, but not more than the function does. NaN counts as 0.
        let step = f64::from(self.height.abs()).max(0.0);
        let below = below.extended(2.0 * below.rounding() + 1e-6 * step);
        Interval::new(at(below.low), at(below.high)).extended(2.0 * below.rounding() + 1e-6 * step)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use testing::for_all;

    fn terraces(height: f64, riser: f64) -> Terraces {
        Terraces::new(&Terrace { height, riser })
    }

    #[test]
    fn treads_are_level_and_walls_are_as_steep_as_the_riser_says() {
        for riser in [0.01, 0.05, 0.2, 0.5, 0.9] {
            let steps = terraces(10.0, riser);
            let half_tread = (5.0 * (1.0 - riser)) as f32;
            for tread in -5..5_i16 {
                let tread = f32::from(tread) * 10.0;
                for part in [-0.99, -0.5, 0.0, 0.5, 0.99] {
                    assert_eq!(steps.at(tread + part * half_tread), tread, "riser {riser}: level");
                }
                assert!((steps.at(tread + 5.0) - (tread + 5.0)).abs() < 0.01, "riser {riser}: halfway up");
            }
            // Over a thousandth of a wall.
            let step = (0.01 * riser) as f32;
            let steepest = (steps.at(5.0 + step) - steps.at(5.0 - step)) / (2.0 * step);
            let expected = (1.5 / riser) as f32;
            assert!((steepest / expected - 1.0).abs() < 0.02, "riser {riser}: {steepest}, expected {expected}");
        }
    }

    #[test]
    fn terraces_are_monotone_keep_the_mean_and_stay_within_their_bounds() {
        for_all(300, (0.1_f64..200.0, 0.01_f64..=1.0, -500.0_f64..500.0), |(height, riser, start)| {
            let steps = terraces(height, riser);
            // Three steps, from one tread to another.
            let start = (start / height).round() * height;
            let heights: Vec<f64> = (0..3000).map(|i| start + height * f64::from(i) / 1000.0).collect();
            let new: Vec<f64> = heights.iter().map(|&height| f64::from(steps.at(height as f32))).collect();
            assert!(new.windows(2).all(|pair| pair[0] <= pair[1] + 1e-3), "height {height}, riser {riser}");
            let moved = |(new, old): (&f64, &f64)| new - old;
            let mean = new.iter().zip(&heights).map(moved).sum::<f64>() / 3000.0;
            assert!(mean.abs() < 0.01 * height, "height {height}, riser {riser}: {mean}");
            let max = new.iter().zip(&heights).map(|pair| moved(pair).abs()).fold(0.0, f64::max);
            assert!(max <= 0.501 * height + 1e-3, "height {height}, riser {riser}: {max}");
            let bounds = steps.bounds(Interval::new(heights[0], heights[2999]));
            assert!(new.iter().all(|&new| bounds.low <= new && new <= bounds.high), "{bounds:?}");
        });
    }

    #[test]
    fn extreme_heights_stay_finite() {
        for extreme in [f32::MAX, f32::MIN, 1e30, 0.0, -0.0] {
            assert!(terraces(10.0, 0.1).at(extreme).is_finite(), "{extreme}");
        }
    }
}
