//! Masks: where a layer has an effect.

use super::band::{Band, PlainRange, plain_ranges};
use crate::noise::NoiseSettings;
use crate::param::params;
use serde::{Deserialize, Serialize};

/// Where a layer has an effect: a number from 0 to 1 at each position. The opacity of the layer is multiplied by it.
#[params]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bevy_reflect", derive(bevy_reflect::Reflect))]
#[non_exhaustive]
pub enum Mask {
    /// Where the ground below has a height in a range.
    Height(HeightRange),
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

    /// The mask as a function of the value that it reads.
    pub(super) fn band(&self) -> Band {
        match self {
            Self::Slope(mask) => Band::of_angles(mask.plain()),
            _ => Band::new(self.plain()),
        }
    }

    /// The values at which the mask is 1, in plain numbers.
    pub(crate) fn plain(&self) -> PlainRange {
        let within = |to, fade, invert| PlainRange { from: f64::NEG_INFINITY, to, fade, invert };
        match self {
            Self::Height(range) => range.plain(),
            Self::Slope(mask) => mask.plain(),
            Self::Noise(mask) => mask.plain(),
            Self::Point(mask) => within(mask.radius, mask.fade, mask.invert),
            Self::Segment(mask) => within(mask.radius, mask.fade, mask.invert),
            Self::Layer(mask) => mask.plain(),
        }
    }
}

/// A range of heights, of the ground below a mask or of a layer of the ground. An end at its limit is open.
#[params]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bevy_reflect", derive(bevy_reflect::Reflect))]
#[serde(deny_unknown_fields, default)]
pub struct HeightRange {
    /// The lowest height with the full effect.
    #[param(default = -2e4, range = -2e4..=2e4, unit = "m")]
    pub from: f64,
    /// The highest height with the full effect.
    #[param(default = 2e4, range = -2e4..=2e4, unit = "m")]
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
#[cfg_attr(feature = "bevy_reflect", derive(bevy_reflect::Reflect))]
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

/// 1 where a noise has a value in a range, and 0 far from it.
#[params]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bevy_reflect", derive(bevy_reflect::Reflect))]
#[serde(deny_unknown_fields, default)]
pub struct NoiseMask {
    /// The lowest value of the noise with the full effect.
    #[param(default = 0.1, range = -10.0..=10.0)]
    pub from: f64,
    /// The highest value of the noise with the full effect.
    #[param(default = 10.0, range = -10.0..=10.0)]
    pub to: f64,
    /// The effect fades out over this difference, below and above the range.
    #[param(default = 0.2, range = 0.001..=20.0, scale = Logarithmic)]
    pub fade: f64,
    /// Whether the layer has its effect outside of the range instead.
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

/// 1 near a point, and 0 far from it. A group with a warp moves its positions, and so the point too.
#[params]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bevy_reflect", derive(bevy_reflect::Reflect))]
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

/// 1 near a segment of a line, and 0 far from it. A group with a warp moves its positions, and so the segment too.
#[params]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bevy_reflect", derive(bevy_reflect::Reflect))]
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

/// 1 where a layer below, in the same list, has a height in a range, and 0 far from it.
///
/// The mask reads what the layer makes by itself, before its opacity, its masks and its blend. A layer that is off has a result
/// too. A filter's result is the ground after it.
#[params]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bevy_reflect", derive(bevy_reflect::Reflect))]
#[serde(deny_unknown_fields, default)]
pub struct LayerMask {
    /// The [name](super::Layer::name) of a layer below, in the same list.
    ///
    /// A file must say it.
    #[param(max_length = 64)]
    pub layer: String,
    /// The lowest height of that layer with the full effect.
    #[param(default = 50.0, range = -2e4..=2e4, unit = "m")]
    pub from: f64,
    /// The highest height of that layer with the full effect.
    #[param(default = 2e4, range = -2e4..=2e4, unit = "m")]
    pub to: f64,
    /// The effect fades out over this height, below and above the range.
    #[param(default = 50.0, range = 0.1..=2e4, unit = "m", scale = Logarithmic)]
    pub fade: f64,
    /// Whether the layer has its effect outside of the range instead.
    #[param(default = false)]
    pub invert: bool,
}

plain_ranges!(HeightRange, SlopeMask, NoiseMask, LayerMask);
