//! Masks: where a layer has an effect.

use super::Layer;
use super::interval::Interval;
use crate::noise::NoiseSettings;
use crate::param::params;
use serde::{Deserialize, Serialize};
use std::f64::consts::FRAC_PI_2;

/// Where a layer has an effect: a number from 0 to 1 at each place. The opacity of the layer is multiplied by it.
#[params]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bevy", derive(bevy::reflect::Reflect))]
#[non_exhaustive]
pub enum Mask {
    /// Where the ground below has a height in a range.
    Height(HeightMask),
    /// Where the ground below has a slope in a range.
    Slope(SlopeMask),
    /// Where a noise is high: patches.
    Noise(NoiseMask),
    /// Near a point: an island, a town, a crater of your own.
    Point(PointMask),
    /// Near a segment of a line: a pass, a dam, a runway.
    Segment(SegmentMask),
    /// Where a layer below, in the same list, is high: forest on its hills alone.
    Layer(LayerMask),
}

impl Mask {
    /// The name of the layer that the mask reads. `None` for a mask of another kind.
    #[must_use]
    pub(crate) const fn named_layer(&self) -> Option<&str> {
        match self {
            Self::Layer(mask) => Some(mask.layer.as_str()),
            _ => None,
        }
    }
}

/// 1 where the ground below has a height in a range, and 0 far from it.
#[params]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bevy", derive(bevy::reflect::Reflect))]
#[serde(deny_unknown_fields, default)]
pub struct HeightMask {
    /// The lowest height with the full effect.
    #[param(default = -20_000.0, range = -2e4..=2e4, unit = "m")]
    pub from: f64,
    /// The highest height with the full effect.
    #[param(default = 20_000.0, range = -2e4..=2e4, unit = "m")]
    pub to: f64,
    /// The effect fades out over this height, below and above the range.
    #[param(default = 50.0, range = 0.1..=2e4, unit = "m", scale = Logarithmic)]
    pub fade: f64,
    /// Whether the layer has its effect outside of the range instead.
    #[param(default = false)]
    pub invert: bool,
}

/// 1 where the ground below has a slope in a range, and 0 far from it.
#[params]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bevy", derive(bevy::reflect::Reflect))]
#[serde(deny_unknown_fields, default)]
pub struct SlopeMask {
    /// The lowest slope with the full effect.
    #[param(default = 0.0, range = 0.0..=1.5, unit = "rad")]
    pub from: f64,
    /// The highest slope with the full effect.
    #[param(default = 1.5, range = 0.0..=1.5, unit = "rad")]
    pub to: f64,
    /// The effect fades out over this angle, below and above the range.
    ///
    /// It fades evenly in rise over run.
    #[param(default = 0.2, range = 0.01..=1.5, unit = "rad")]
    pub fade: f64,
    /// The slope is measured over this distance to each side. A longer distance ignores smaller bumps.
    #[param(default = 20.0, range = 0.5..=1000.0, unit = "m", scale = Logarithmic)]
    pub distance: f64,
    /// Whether the layer has its effect outside of the range instead.
    #[param(default = false)]
    pub invert: bool,
}

/// 1 where a noise is high, and 0 where it is low.
#[params]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bevy", derive(bevy::reflect::Reflect))]
#[serde(deny_unknown_fields, default)]
pub struct NoiseMask {
    /// No effect at and below this value of the noise.
    #[param(default = -0.1, range = -10.0..=10.0)]
    pub from: f64,
    /// The full effect at and above this value of the noise.
    #[param(default = 0.1, range = -10.0..=10.0)]
    pub to: f64,
    /// Whether the layer has its effect where the noise is low instead.
    #[param(default = false)]
    pub invert: bool,
    /// The noise. Its height scale counts as 1, so its values are about -0.5 to 0.5.
    pub noise: NoiseSettings,
}

impl NoiseMask {
    /// The noise that the mask reads.
    pub(crate) fn noise_of_values(&self) -> NoiseSettings {
        NoiseSettings { height_scale: 1.0, ..self.noise.clone() }
    }
}

/// 1 near a point, and 0 far from it. A group with a warp moves its places, and so the point too.
#[params]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bevy", derive(bevy::reflect::Reflect))]
#[serde(deny_unknown_fields, default)]
pub struct PointMask {
    /// Position of the point along x.
    #[param(default = 0.0, range = -1e9..=1e9, unit = "m")]
    pub x: f64,
    /// Position of the point along z.
    #[param(default = 0.0, range = -1e9..=1e9, unit = "m")]
    pub z: f64,
    /// The full effect up to this distance.
    #[param(default = 500.0, range = 0.0..=1e6, unit = "m")]
    pub radius: f64,
    /// The effect fades out over this distance beyond the radius.
    #[param(default = 500.0, range = 0.1..=1e6, unit = "m", scale = Logarithmic)]
    pub fade: f64,
    /// Whether the layer has its effect far from the point instead.
    #[param(default = false)]
    pub invert: bool,
}

/// 1 near a segment of a line, and 0 far from it. A group with a warp moves its places, and so the segment too.
#[params]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bevy", derive(bevy::reflect::Reflect))]
#[serde(deny_unknown_fields, default)]
pub struct SegmentMask {
    /// Position of the start along x.
    #[param(default = -1000.0, range = -1e9..=1e9, unit = "m")]
    pub x: f64,
    /// Position of the start along z.
    #[param(default = 0.0, range = -1e9..=1e9, unit = "m")]
    pub z: f64,
    /// Position of the end along x.
    #[param(default = 1000.0, range = -1e9..=1e9, unit = "m")]
    pub end_x: f64,
    /// Position of the end along z.
    #[param(default = 0.0, range = -1e9..=1e9, unit = "m")]
    pub end_z: f64,
    /// The full effect up to this distance.
    #[param(default = 200.0, range = 0.0..=1e6, unit = "m")]
    pub radius: f64,
    /// The effect fades out over this distance beyond the radius.
    #[param(default = 200.0, range = 0.1..=1e6, unit = "m", scale = Logarithmic)]
    pub fade: f64,
    /// Whether the layer has its effect far from the segment instead.
    #[param(default = false)]
    pub invert: bool,
}

/// 1 where a layer below, in the same list, is high, and 0 where it is low.
///
/// The mask reads what the layer makes by itself, before its opacity, its masks and its blend. A layer that is off has a result
/// too. A filter's result is the ground after it.
#[params]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bevy", derive(bevy::reflect::Reflect))]
#[serde(deny_unknown_fields, default)]
pub struct LayerMask {
    /// The [name](super::Layer::name) of a layer below, in the same list.
    ///
    /// A file must say it.
    #[param(longest = 64)]
    pub layer: String,
    /// No effect where the result of that layer is at or below this height.
    #[param(default = 0.0, range = -2e4..=2e4, unit = "m")]
    pub from: f64,
    /// The full effect where the result of that layer is at or above this height.
    #[param(default = 50.0, range = -2e4..=2e4, unit = "m")]
    pub to: f64,
    /// Whether the layer has its effect where the other layer is low instead.
    #[param(default = false)]
    pub invert: bool,
}

// A mask can name any layer.
const _: () = assert!(LayerMask::LAYER.max == Layer::NAME.max);

/// A smooth band, compiled: 0 below `start`, 1 from `start + rise` to `end`, 0 above `end + fall`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Band {
    start: f32,
    per_rise: f32,
    /// `None` without an upper end.
    end: Option<(f32, f32)>,
    invert: bool,
}

impl Band {
    pub fn of_heights(mask: &HeightMask) -> Self {
        let HeightMask { from, to, fade, invert } = *mask;
        Self {
            start: (from - fade) as f32,
            per_rise: (1.0 / fade) as f32,
            end: Some((to as f32, (1.0 / fade) as f32)),
            invert,
        }
    }

    /// Of slopes as rise over run.
    pub fn of_slopes(mask: &SlopeMask) -> Self {
        let SlopeMask { from, to, fade, invert, .. } = *mask;
        // From the angle to the slope. A quarter turn has none.
        let slope = |angle: f64| if angle < FRAC_PI_2 - 0.01 { libm::tan(angle) } else { f64::INFINITY };
        let ends = (slope(to), slope(to + fade));
        let start = slope(from - fade);
        Self {
            start: start as f32,
            per_rise: (1.0 / (slope(from) - start)) as f32,
            end: ends.1.is_finite().then(|| (ends.0 as f32, (1.0 / (ends.1 - ends.0)) as f32)),
            invert,
        }
    }

    /// Of values of a noise.
    pub fn of_noise(mask: &NoiseMask) -> Self {
        Self::rising(mask.from, mask.to, mask.invert)
    }

    /// Of heights of another layer.
    pub fn of_layer(mask: &LayerMask) -> Self {
        Self::rising(mask.from, mask.to, mask.invert)
    }

    /// 0 at `from` and below, 1 at `to` and above.
    fn rising(from: f64, to: f64, invert: bool) -> Self {
        // A rise of 0 would be a cliff.
        let rise = (to - from).max(1e-3);
        Self { start: from as f32, per_rise: (1.0 / rise) as f32, end: None, invert }
    }

    /// Of distances.
    pub fn of_distances(radius: f64, fade: f64, invert: bool) -> Self {
        // A distance is never below 0, so it is above the lower end.
        Self { start: -1.0, per_rise: 1.0, end: Some((radius as f32, (1.0 / fade) as f32)), invert }
    }

    /// Whether the mask is 0 at all `values`.
    pub fn is_zero_on(self, values: Interval) -> bool {
        let (low, high) = (values.low as f32, values.high as f32);
        if self.invert {
            // The band rises and then falls, so it is 1 between two places where it is 1.
            return self.at(low) == 0.0 && self.at(high) == 0.0;
        }
        let is_above = |(end, per_fall): (f32, f32)| smooth((low - end) * per_fall) == 1.0;
        smooth((high - self.start) * self.per_rise) == 0.0 || self.end.is_some_and(is_above)
    }

    /// The part of `values` outside of which the mask is 0. All of them if the mask is inverted or is 0 at all of them.
    pub fn nonzero_part(self, values: Interval) -> Interval {
        if self.invert || self.is_zero_on(values) {
            return values;
        }
        let end = self.end.map_or(f64::INFINITY, |(end, per_fall)| f64::from(end) + 1.0 / f64::from(per_fall));
        Interval::new(values.low.max(self.start.into()), values.high.min(end))
    }

    /// The mask at `value`.
    pub fn at(self, value: f32) -> f32 {
        let mut mask = smooth((value - self.start) * self.per_rise);
        if let Some((end, per_fall)) = self.end {
            mask *= 1.0 - smooth((value - end) * per_fall);
        }
        if self.invert { 1.0 - mask } else { mask }
    }
}

/// 0 below 0, 1 above 1, and smooth between them.
pub(super) fn smooth(t: f32) -> f32 {
    let t = if t > 0.0 { t } else { 0.0 };
    let t = if t < 1.0 { t } else { 1.0 };
    t * t * (3.0 - 2.0 * t)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn masks_are_full_within_their_range_and_fade_outside() {
        let mask = HeightMask { from: 100.0, to: 200.0, fade: 50.0, invert: false };
        let band = Band::of_heights(&mask);
        for (height, expected) in
            [(0.0, 0.0), (50.0, 0.0), (75.0, 0.5), (100.0, 1.0), (200.0, 1.0), (225.0, 0.5), (250.0, 0.0)]
        {
            assert_eq!(band.at(height), expected, "at {height} m");
            assert_eq!(Band::of_heights(&HeightMask { invert: true, ..mask.clone() }).at(height), 1.0 - expected);
        }
        let steep = Band::of_slopes(&SlopeMask { from: 0.6, ..SlopeMask::default() });
        assert_eq!([0.0, 10.0, 1e6].map(|slope| steep.at(slope)), [0.0, 1.0, 1.0], "no upper end");
        assert!((steep.at(0.5_f32.tan()) - 0.5).abs() < 0.1);
        let gentle = Band::of_slopes(&SlopeMask { from: 0.0, to: 0.3, ..SlopeMask::default() });
        assert_eq!([0.0, 0.2, 1.0].map(|slope| gentle.at(slope)), [1.0, 1.0, 0.0]);
        let patches = Band::of_noise(&NoiseMask::default());
        assert_eq!([-0.5, -0.1, 0.0, 0.1, 0.5].map(|noise| patches.at(noise)), [0.0, 0.0, 0.5, 1.0, 1.0]);
    }

    #[test]
    fn no_mask_jumps() {
        let all = [
            (Band::of_heights(&HeightMask::default()), 100.0),
            (Band::of_slopes(&SlopeMask { from: 0.6, ..SlopeMask::default() }), 4.0),
            (Band::of_slopes(&SlopeMask { from: 1.5, ..SlopeMask::default() }), 40.0),
            (Band::of_slopes(&SlopeMask { from: 0.0, to: 1.0, fade: 0.5, ..SlopeMask::default() }), 40.0),
            (Band::of_noise(&NoiseMask { from: 0.5, to: -0.5, ..NoiseMask::default() }), 2.0),
        ];
        for (band, reach) in all {
            let values: Vec<f32> = (0..100_000).map(|i| band.at((i as f32 / 50_000.0 - 1.0) * reach)).collect();
            assert!(values.iter().all(|mask| (0.0..=1.0).contains(mask)));
            assert!(values.windows(2).all(|pair| (pair[0] - pair[1]).abs() < 0.2), "{band:?}");
        }
    }
}
