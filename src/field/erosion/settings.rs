//! The settings of the erosion filter.

use crate::param::{self, Param, ParamError, ParamMut, ParamVisitor, Params, Scale};
use serde::{Deserialize, Serialize};

/// Erosion as plain data. [`Erosion`](super::Erosion) compiles it and documents the formula.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bevy", derive(bevy::reflect::Reflect))]
#[serde(deny_unknown_fields, default)]
pub struct ErosionSettings {
    /// Distance from one of the widest gullies to the next. A fifth to a tenth of the width of a mountain looks natural.
    /// \[Limit: 10 to 10000\] \[Units: m\] Default: 200.
    pub gully_length: f64,
    /// Half of the height of the widest gullies, divided by [`gully_length`](Self::gully_length). \[Limit: 0 to 1\] Default: 0.08.
    pub strength: f64,
    /// Sizes of gullies. Each is half as wide as the one before it. \[Limit: 1 to 8\] Default: 4.
    pub octaves: u32,
    /// Strength of a size of gullies divided by the strength of the size before it. \[Limit: 0.1 to 0.9\] Default: 0.45.
    pub persistence: f64,
    /// How close to crests and creases finer gullies begin: 0 leaves a wide smooth band, 1 a narrow one. \[Limit: 0 to 1\]
    /// Default: 0.5.
    pub detail: f64,
    /// How round the crests between gullies are. \[Limit: 0 to 1\] Default: 0.1.
    pub ridge_rounding: f64,
    /// How round the floors of gullies are. At 0 they are narrow trenches, and have twice as many pits. \[Limit: 0 to 1\]
    /// Default: 0.1.
    pub crease_rounding: f64,
    /// The slope of the ground below at which gullies have full strength, as rise over run. Flatter ground has weaker gullies;
    /// level ground has none. \[Limit: 0.01 to 4\] Default: 0.3.
    pub full_slope: f64,
    /// The slope that finer gullies assume below the wider ones, as rise over run. The lower it is, the wider the angle at
    /// which they branch. \[Limit: 0.1 to 4\] Default: 0.7.
    pub assumed_slope: f64,
}

impl ErosionSettings {
    /// The largest number of octaves.
    pub const MAX_OCTAVES: u32 = 8;

    /// Checks that every number is within its documented range.
    ///
    /// # Errors
    ///
    /// One for each number out of its range, with the name of the field and the range.
    pub fn check(&self) -> Result<(), Vec<ParamError>> {
        let errors = param::check(&mut self.clone());
        if errors.is_empty() { Ok(()) } else { Err(errors) }
    }
}

impl Default for ErosionSettings {
    fn default() -> Self {
        Self {
            gully_length: 200.0,
            strength: 0.08,
            octaves: 4,
            persistence: 0.45,
            detail: 0.5,
            ridge_rounding: 0.1,
            crease_rounding: 0.1,
            full_slope: 0.3,
            assumed_slope: 0.7,
        }
    }
}

static GULLY_LENGTH: Param = Param::new(
    "gully_length",
    "m",
    10.0,
    10_000.0,
    "Distance from one of the widest gullies to the next. A fifth to a tenth of a mountain's width looks natural.",
)
.scale(Scale::Logarithmic);
static STRENGTH: Param = Param::new(
    "strength",
    "",
    0.0,
    1.0,
    "How deep gullies are for their width. A higher value gives steeper, more rugged ground.",
);
static OCTAVES: Param = Param::new(
    "octaves",
    "",
    1.0,
    ErosionSettings::MAX_OCTAVES as f64,
    "How many sizes of gullies there are, each half as wide as the one before. More take more time.",
);
static PERSISTENCE: Param = Param::new(
    "persistence",
    "",
    0.1,
    0.9,
    "How deep each size of gullies is, compared with the one before. A higher value gives rougher ground.",
);
static DETAIL: Param = Param::new(
    "detail",
    "",
    0.0,
    1.0,
    "How close to crests and creases finer gullies begin. A lower value leaves them smoother.",
);
static RIDGE_ROUNDING: Param =
    Param::new("ridge_rounding", "", 0.0, 1.0, "How round the crests between gullies are. 0 gives knife edges.");
static CREASE_ROUNDING: Param =
    Param::new("crease_rounding", "", 0.0, 1.0, "How round the floors of gullies are. 0 gives sharp V-shaped gullies.");
static FULL_SLOPE: Param = Param::new(
    "full_slope",
    "",
    0.01,
    4.0,
    "Slope of the ground below at which gullies have full strength: 1 is 45 degrees. A lower value erodes gentle hills too.",
)
.scale(Scale::Logarithmic);
static ASSUMED_SLOPE: Param = Param::new(
    "assumed_slope",
    "",
    0.1,
    4.0,
    "The slope that finer gullies assume below wider ones. A lower value makes them branch at wider angles.",
)
.scale(Scale::Logarithmic)
.detail();

impl Params for ErosionSettings {
    fn visit(&mut self, visitor: &mut ParamVisitor<'_>) {
        visitor.param(&GULLY_LENGTH, ParamMut::Float(&mut self.gully_length));
        visitor.param(&STRENGTH, ParamMut::Float(&mut self.strength));
        visitor.param(&OCTAVES, ParamMut::Count(&mut self.octaves));
        visitor.param(&PERSISTENCE, ParamMut::Float(&mut self.persistence));
        visitor.param(&DETAIL, ParamMut::Float(&mut self.detail));
        visitor.param(&RIDGE_ROUNDING, ParamMut::Float(&mut self.ridge_rounding));
        visitor.param(&CREASE_ROUNDING, ParamMut::Float(&mut self.crease_rounding));
        visitor.param(&FULL_SLOPE, ParamMut::Float(&mut self.full_slope));
        visitor.param(&ASSUMED_SLOPE, ParamMut::Float(&mut self.assumed_slope));
    }
}
