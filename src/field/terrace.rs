//! Terraces: steps of equal height.

use super::interval::Interval;
use crate::param::{Param, ParamMut, ParamVisitor, Params, Scale};
use serde::{Deserialize, Serialize};

/// Turns slopes into steps of equal height.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bevy", derive(bevy::reflect::Reflect))]
#[serde(deny_unknown_fields, default)]
pub struct Terrace {
    /// The height from one step to the next. Steps lie at the multiples of it. \[Limit: 0.1 to 10000\] \[Units: m\] Default: 40.
    pub height: f64,
    /// How flat the steps are. At 0 the ground does not change. At 1 it is level at each multiple of the height, and half as steep
    /// again halfway between. \[Limit: 0 to 1\] Default: 0.8.
    pub sharpness: f64,
}

impl Default for Terrace {
    fn default() -> Self {
        Self { height: 40.0, sharpness: 0.8 }
    }
}

static HEIGHT: Param =
    Param::new("height", "m", 0.1, 10_000.0, "The height from one step to the next. Steps lie at the multiples of it.")
        .scale(Scale::Logarithmic);
static SHARPNESS: Param = Param::new(
    "sharpness",
    "",
    0.0,
    1.0,
    "How flat the steps are. At 0 the ground does not change; at 1 each step has a level part.",
);

impl Params for Terrace {
    fn visit(&mut self, visitor: &mut ParamVisitor<'_>) {
        visitor.param(&HEIGHT, ParamMut::Float(&mut self.height));
        visitor.param(&SHARPNESS, ParamMut::Float(&mut self.sharpness));
    }
}

/// A [`Terrace`], compiled.
///
/// With `u` the height in steps, `n` its whole part and `f` the rest, the new height is `n + (1 - q) f + q s(f)` steps, where `s` is
/// the smoothstep `f² (3 - 2 f)`. The function is monotone and has a continuous derivative.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Terraces {
    height: f32,
    per_height: f32,
    sharpness: f32,
}

impl Terraces {
    /// Whether the ground does not change.
    pub fn is_plain(self) -> bool {
        self.sharpness == 0.0
    }

    pub fn new(settings: &Terrace) -> Self {
        // Settings that were never checked may have any numbers. Beyond these, heights would be NaN or leave their bounds.
        let height = (settings.height as f32).clamp(f32::MIN, f32::MAX);
        let sharpness = if settings.sharpness > 0.0 { settings.sharpness.min(1.0) as f32 } else { 0.0 };
        Self { height, per_height: 1.0 / height, sharpness }
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
        let smooth = rest * rest * (3.0 - 2.0 * rest);
        height + self.height * self.sharpness * (smooth - rest)
    }

    /// The bounds of the result for heights within `below`. The function is monotone.
    pub fn bounds(self, below: Interval) -> Interval {
        let at = |height: f64| f64::from(self.at(height as f32));
        // Where a step is much higher than the ground, the place in the step is rounded more than the height. NaN counts as 0.
        let step = (f64::from(self.height.abs()) * f64::from(self.sharpness)).max(0.0);
        Interval::new(at(below.low), at(below.high)).extended(2.0 * below.rounding() + 1e-6 * step)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terraces_are_monotone_and_continuous_and_keep_the_edges_of_steps() {
        let terraces = Terraces::new(&Terrace { height: 10.0, sharpness: 1.0 });
        for edge in -5..5_i16 {
            let edge = f32::from(edge) * 10.0;
            assert!((terraces.at(edge) - edge).abs() < 1e-4);
            assert!((terraces.at(edge + 5.0) - (edge + 5.0)).abs() < 1e-4);
            assert!((terraces.at(edge + 0.5) - edge).abs() < 0.1, "level at the edge");
        }
        let heights: Vec<f32> = (-40_000..40_000_i32).map(|i| terraces.at(i as f32 * 1e-3)).collect();
        assert!(heights.windows(2).all(|pair| pair[0] <= pair[1] + 1e-5 && pair[1] - pair[0] < 2e-3));
        let none = Terraces::new(&Terrace { height: 10.0, sharpness: 0.0 });
        assert_eq!(none.at(-3.75), -3.75);
        for extreme in [f32::MAX, f32::MIN, 1e30, 0.0, -0.0] {
            assert!(terraces.at(extreme).is_finite(), "{extreme}");
        }
    }
}
