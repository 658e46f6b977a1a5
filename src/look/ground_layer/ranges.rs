//! The ranges that place a layer of the ground.
//!
//! Each has two ends and a fade, as the masks of the layers of heights have. An end at its limit is open: what lies beyond has the
//! layer too.

use crate::param::{Param, ParamMut, ParamVisitor, Params, Scale};
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
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bevy", derive(bevy::reflect::Reflect))]
#[serde(deny_unknown_fields, default)]
pub struct HeightRange {
    /// The lowest height with all of the layer. \[Limit: -20000 to 20000\] \[Units: m\] Default: -20000.
    pub from: f64,
    /// The highest height with all of the layer. \[Limit: -20000 to 20000\] \[Units: m\] Default: 20000.
    pub to: f64,
    /// The layer fades out over this height, below and above the range. \[Limit: 0.1 to 20000\] \[Units: m\] Default: 50.
    pub fade: f64,
}

static HEIGHT_FROM: Param = Param::new("from", "m", -2e4, 2e4, "The lowest height with all of the layer.");
static HEIGHT_TO: Param = Param::new("to", "m", -2e4, 2e4, "The highest height with all of the layer.");
static HEIGHT_FADE: Param =
    Param::new("fade", "m", 0.1, 2e4, "The layer fades out over this height, below and above the range.")
        .scale(Scale::Logarithmic);

impl Default for HeightRange {
    fn default() -> Self {
        Self { from: HEIGHT_FROM.min, to: HEIGHT_TO.max, fade: 50.0 }
    }
}

impl HeightRange {
    pub(crate) fn plain(&self) -> PlainRange {
        PlainRange::new([self.from, self.to], self.fade, [&HEIGHT_FROM, &HEIGHT_TO])
    }
}

impl Params for HeightRange {
    fn visit(&mut self, visitor: &mut ParamVisitor<'_>) {
        visitor.param(&HEIGHT_FROM, ParamMut::Float(&mut self.from));
        visitor.param(&HEIGHT_TO, ParamMut::Float(&mut self.to));
        visitor.param(&HEIGHT_FADE, ParamMut::Float(&mut self.fade));
    }
}

/// The slopes that have a layer of the ground: 0 is level, 0.79 is 45 degrees.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bevy", derive(bevy::reflect::Reflect))]
#[serde(deny_unknown_fields, default)]
pub struct SlopeRange {
    /// The lowest slope with all of the layer. \[Limit: 0 to 1.5\] \[Units: rad\] Default: 0.
    pub from: f64,
    /// The highest slope with all of the layer. \[Limit: 0 to 1.5\] \[Units: rad\] Default: 1.5.
    pub to: f64,
    /// The layer fades out over this angle, below and above the range. \[Limit: 0.01 to 1.5\] \[Units: rad\] Default: 0.2.
    pub fade: f64,
}

static SLOPE_FROM: Param =
    Param::new("from", "rad", 0.0, 1.5, "The lowest slope with all of the layer. 0 is level, 0.79 is 45 degrees.");
static SLOPE_TO: Param = Param::new("to", "rad", 0.0, 1.5, "The highest slope with all of the layer.");
static SLOPE_FADE: Param =
    Param::new("fade", "rad", 0.01, 1.5, "The layer fades out over this angle, below and above the range.");

impl Default for SlopeRange {
    fn default() -> Self {
        Self { from: SLOPE_FROM.min, to: SLOPE_TO.max, fade: 0.2 }
    }
}

impl SlopeRange {
    pub(crate) fn plain(&self) -> PlainRange {
        PlainRange::new([self.from, self.to], self.fade, [&SLOPE_FROM, &SLOPE_TO])
    }
}

impl Params for SlopeRange {
    fn visit(&mut self, visitor: &mut ParamVisitor<'_>) {
        visitor.param(&SLOPE_FROM, ParamMut::Float(&mut self.from));
        visitor.param(&SLOPE_TO, ParamMut::Float(&mut self.to));
        visitor.param(&SLOPE_FADE, ParamMut::Float(&mut self.fade));
    }
}

/// The sides of hills that have a layer of the ground.
///
/// The value of a place is how far the ground leans toward a direction of the compass: the sine of its slope, times the cosine of the
/// angle between that direction and the way down. It is 0 on level ground, 1 on a wall that faces the direction, and -1 on one that
/// faces away.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bevy", derive(bevy::reflect::Reflect))]
#[serde(deny_unknown_fields, default)]
pub struct AspectRange {
    /// The direction, clockwise from north, which is -z: 1.57 is east, 3.14 is south. \[Limit: 0 to 6.3\] \[Units: rad\] Default: 3.1.
    pub toward: f64,
    /// All of the layer from this value on. \[Limit: -1 to 1\] Default: -1.
    pub from: f64,
    /// All of the layer up to this value. \[Limit: -1 to 1\] Default: 1.
    pub to: f64,
    /// The layer fades out over this difference, below and above the range. \[Limit: 0.01 to 2\] Default: 0.3.
    pub fade: f64,
}

static TOWARD: Param =
    Param::new("toward", "rad", 0.0, 6.3, "A direction, clockwise from north: 1.57 is east, 3.14 is south.");
static ASPECT_FROM: Param = Param::new(
    "from",
    "",
    -1.0,
    1.0,
    "All of the layer from this value on. 1 is a wall that faces the direction, 0 is level ground, -1 a wall that faces away.",
);
static TO: Param = Param::new("to", "", -1.0, 1.0, "All of the layer up to this value.");
static FADE: Param =
    Param::new("fade", "", 0.01, 2.0, "The layer fades out over this difference, below and above the range.");

impl Default for AspectRange {
    fn default() -> Self {
        Self { toward: 3.1, from: ASPECT_FROM.min, to: TO.max, fade: 0.3 }
    }
}

impl AspectRange {
    pub(crate) fn plain(&self) -> PlainRange {
        PlainRange::new([self.from, self.to], self.fade, [&ASPECT_FROM, &TO])
    }
}

impl Params for AspectRange {
    fn visit(&mut self, visitor: &mut ParamVisitor<'_>) {
        visitor.param(&TOWARD, ParamMut::Float(&mut self.toward));
        visitor.param(&ASPECT_FROM, ParamMut::Float(&mut self.from));
        visitor.param(&TO, ParamMut::Float(&mut self.to));
        visitor.param(&FADE, ParamMut::Float(&mut self.fade));
    }
}

/// The ridges and hollows, or the crests and gullies, that have a layer of the ground.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bevy", derive(bevy::reflect::Reflect))]
#[serde(deny_unknown_fields, default)]
pub struct ReliefRange {
    /// All of the layer from this value on. \[Limit: -1 to 1\] Default: -1.
    pub from: f64,
    /// All of the layer up to this value. \[Limit: -1 to 1\] Default: 1.
    pub to: f64,
    /// The layer fades out over this difference, below and above the range. \[Limit: 0.01 to 2\] Default: 0.3.
    pub fade: f64,
}

static RELIEF_FROM: Param = Param::new(
    "from",
    "",
    -1.0,
    1.0,
    "All of the layer from this value on. -1 is a ridge or a crest, 1 a hollow or the bottom of a gully.",
);

impl Default for ReliefRange {
    fn default() -> Self {
        Self { from: RELIEF_FROM.min, to: TO.max, fade: 0.3 }
    }
}

impl ReliefRange {
    pub(crate) fn plain(&self) -> PlainRange {
        PlainRange::new([self.from, self.to], self.fade, [&RELIEF_FROM, &TO])
    }
}

impl Params for ReliefRange {
    fn visit(&mut self, visitor: &mut ParamVisitor<'_>) {
        visitor.param(&RELIEF_FROM, ParamMut::Float(&mut self.from));
        visitor.param(&TO, ParamMut::Float(&mut self.to));
        visitor.param(&FADE, ParamMut::Float(&mut self.fade));
    }
}

/// The values of noise that have a layer of the ground, which makes patches.
///
/// Half of all places have a value between -0.3 and 0.3, and nearly all between -1 and 1.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bevy", derive(bevy::reflect::Reflect))]
#[serde(deny_unknown_fields, default)]
pub struct NoiseRange {
    /// The size of most patches. \[Limit: 5 to 200\] \[Units: m\] Default: 50.
    pub size: f64,
    /// All of the layer from this value on. \[Limit: -1 to 1\] Default: -1.
    pub from: f64,
    /// All of the layer up to this value. \[Limit: -1 to 1\] Default: 1.
    pub to: f64,
    /// The layer fades out over this difference, below and above the range. \[Limit: 0.01 to 2\] Default: 0.3.
    pub fade: f64,
}

static SIZE: Param = Param::new("size", "m", 5.0, 200.0, "The size of most patches.").scale(Scale::Logarithmic);
static NOISE_FROM: Param = Param::new(
    "from",
    "",
    -1.0,
    1.0,
    "All of the layer from this value on. 0 gives patches on half of the ground, 0.6 on a tenth of it.",
);

impl Default for NoiseRange {
    fn default() -> Self {
        Self { size: 50.0, from: NOISE_FROM.min, to: TO.max, fade: 0.3 }
    }
}

impl NoiseRange {
    pub(crate) fn plain(&self) -> PlainRange {
        PlainRange::new([self.from, self.to], self.fade, [&NOISE_FROM, &TO])
    }
}

impl Params for NoiseRange {
    fn visit(&mut self, visitor: &mut ParamVisitor<'_>) {
        visitor.param(&SIZE, ParamMut::Float(&mut self.size));
        visitor.param(&NOISE_FROM, ParamMut::Float(&mut self.from));
        visitor.param(&TO, ParamMut::Float(&mut self.to));
        visitor.param(&FADE, ParamMut::Float(&mut self.fade));
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
