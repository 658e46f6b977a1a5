//! The ranges that place a layer of the ground, besides its [`HeightRange`](crate::field::HeightRange).

use crate::field::plain_ranges;
use crate::param::params;
use serde::{Deserialize, Serialize};

/// The slopes that have a layer of the ground: 0 is level, 0.79 is 45 degrees.
#[params]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bevy_reflect", derive(bevy_reflect::Reflect))]
#[serde(deny_unknown_fields, default)]
pub struct SlopeRange {
    /// The lowest slope with all of the layer. 0 is level, 0.79 is 45 degrees.
    #[param(default = 0.0, range = 0.0..=1.5, unit = "rad")]
    pub from: f64,
    /// The highest slope with all of the layer.
    #[param(default = 1.5, range = 0.0..=1.5, unit = "rad")]
    pub to: f64,
    /// The layer fades out over this angle, below and above the range.
    #[param(default = 0.2, range = 0.01..=1.5, unit = "rad")]
    pub fade: f64,
    /// Whether the layer lies outside of the range instead.
    #[param(default = false)]
    pub invert: bool,
}

/// The sides of hills that have a layer of the ground.
///
/// The value of a position is how far the ground leans toward a direction of the compass: the sine of its slope, times the cosine of the
/// angle between that direction and the way down. It is 0 on level ground, 1 on a wall that faces the direction, and -1 on one that
/// faces away.
#[params]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bevy_reflect", derive(bevy_reflect::Reflect))]
#[serde(deny_unknown_fields, default)]
pub struct AspectRange {
    /// A direction, clockwise from north, which is -z: 1.57 is east, 3.14 is south.
    #[param(default = 3.1, range = 0.0..=6.3, unit = "rad")]
    pub toward: f64,
    /// All of the layer from this value on. 1 is a wall that faces the direction, 0 is level ground, -1 a wall that faces away.
    #[param(default = -1.0, range = -1.0..=1.0)]
    pub from: f64,
    /// All of the layer up to this value.
    #[param(default = 1.0, range = -1.0..=1.0)]
    pub to: f64,
    /// The layer fades out over this difference, below and above the range.
    #[param(default = 0.3, range = 0.01..=2.0)]
    pub fade: f64,
    /// Whether the layer lies outside of the range instead.
    #[param(default = false)]
    pub invert: bool,
}

/// The ridges and hollows, or the crests and gullies, that have a layer of the ground.
#[params]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bevy_reflect", derive(bevy_reflect::Reflect))]
#[serde(deny_unknown_fields, default)]
pub struct ReliefRange {
    /// All of the layer from this value on. -1 is a ridge or a crest, 1 a hollow or the bottom of a gully.
    #[param(default = -1.0, range = -1.0..=1.0)]
    pub from: f64,
    /// All of the layer up to this value.
    #[param(default = 1.0, range = -1.0..=1.0)]
    pub to: f64,
    /// The layer fades out over this difference, below and above the range.
    #[param(default = 0.3, range = 0.01..=2.0)]
    pub fade: f64,
    /// Whether the layer lies outside of the range instead.
    #[param(default = false)]
    pub invert: bool,
}

/// The values of noise that have a layer of the ground, which makes patches.
///
/// Half of all positions have a value between -0.3 and 0.3, and nearly all between -1 and 1.
#[params]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bevy_reflect", derive(bevy_reflect::Reflect))]
#[serde(deny_unknown_fields, default)]
pub struct NoiseRange {
    /// The size of most patches.
    #[param(default = 50.0, range = 5.0..=200.0, unit = "m", scale = Logarithmic)]
    pub size: f64,
    /// All of the layer from this value on. 0 gives patches on half of the ground, 0.6 on a tenth of it.
    #[param(default = -1.0, range = -1.0..=1.0)]
    pub from: f64,
    /// All of the layer up to this value.
    #[param(default = 1.0, range = -1.0..=1.0)]
    pub to: f64,
    /// The layer fades out over this difference, below and above the range.
    #[param(default = 0.3, range = 0.01..=2.0)]
    pub fade: f64,
    /// Whether the layer lies outside of the range instead.
    #[param(default = false)]
    pub invert: bool,
}

plain_ranges!(SlopeRange, AspectRange, ReliefRange, NoiseRange);
