//! The ranges that place a layer of the ground.
//!
//! Each has two ends and a fade, as the masks of the layers of heights have. An end at its limit is open: what lies beyond has the
//! layer too.

use crate::param::{Param, params};
use serde::{Deserialize, Serialize};

/// A range in plain numbers: from one end to the other, with a fade at both. An open end is infinite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct PlainRange {
    pub from: f64,
    pub to: f64,
    pub fade: f64,
}

impl PlainRange {
    /// The range between the `ends`. An end at the limit of its parameter is open.
    fn new(ends: [f64; 2], fade: f64, limits: [&Param; 2]) -> Self {
        let [from, to] = ends;
        Self {
            from: if from > limits[0].min { from } else { f64::NEG_INFINITY },
            to: if to < limits[1].max { to } else { f64::INFINITY },
            fade,
        }
    }

    /// Whether both ends are open.
    pub fn is_everything(self) -> bool {
        self.from == f64::NEG_INFINITY && self.to == f64::INFINITY
    }
}

/// The heights that have a layer of the ground.
#[params]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bevy", derive(bevy::reflect::Reflect))]
#[serde(deny_unknown_fields, default)]
pub struct HeightRange {
    /// The lowest height with all of the layer.
    #[param(default = -2e4, range = -2e4..=2e4, unit = "m")]
    pub from: f64,
    /// The highest height with all of the layer.
    #[param(default = 2e4, range = -2e4..=2e4, unit = "m")]
    pub to: f64,
    /// The layer fades out over this height, below and above the range.
    #[param(default = 50.0, range = 0.1..=2e4, unit = "m", scale = Logarithmic)]
    pub fade: f64,
}

impl HeightRange {
    pub(crate) fn plain(&self) -> PlainRange {
        PlainRange::new([self.from, self.to], self.fade, [Self::FROM, Self::TO])
    }
}

/// The slopes that have a layer of the ground: 0 is level, 0.79 is 45 degrees.
#[params]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bevy", derive(bevy::reflect::Reflect))]
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
}

impl SlopeRange {
    pub(crate) fn plain(&self) -> PlainRange {
        PlainRange::new([self.from, self.to], self.fade, [Self::FROM, Self::TO])
    }
}

/// The sides of hills that have a layer of the ground.
///
/// The value of a place is how far the ground leans toward a direction of the compass: the sine of its slope, times the cosine of the
/// angle between that direction and the way down. It is 0 on level ground, 1 on a wall that faces the direction, and -1 on one that
/// faces away.
#[params]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bevy", derive(bevy::reflect::Reflect))]
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
}

impl AspectRange {
    pub(crate) fn plain(&self) -> PlainRange {
        PlainRange::new([self.from, self.to], self.fade, [Self::FROM, Self::TO])
    }
}

/// The ridges and hollows, or the crests and gullies, that have a layer of the ground.
#[params]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bevy", derive(bevy::reflect::Reflect))]
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
}

impl ReliefRange {
    pub(crate) fn plain(&self) -> PlainRange {
        PlainRange::new([self.from, self.to], self.fade, [Self::FROM, Self::TO])
    }
}

/// The values of noise that have a layer of the ground, which makes patches.
///
/// Half of all places have a value between -0.3 and 0.3, and nearly all between -1 and 1.
#[params]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bevy", derive(bevy::reflect::Reflect))]
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
}

impl NoiseRange {
    pub(crate) fn plain(&self) -> PlainRange {
        PlainRange::new([self.from, self.to], self.fade, [Self::FROM, Self::TO])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_end_at_its_limit_is_open() {
        assert!(HeightRange::default().plain().is_everything());
        assert!(SlopeRange::default().plain().is_everything());
        assert!(AspectRange::default().plain().is_everything());
        assert!(ReliefRange::default().plain().is_everything());
        assert!(NoiseRange::default().plain().is_everything());
        let steep = SlopeRange { from: 0.6, ..SlopeRange::default() }.plain();
        assert_eq!((steep.from, steep.to), (0.6, f64::INFINITY));
    }
}
