//! The settings of the erosion filter.

use crate::param::{self, ParamError, params};
use serde::{Deserialize, Serialize};

/// Erosion as plain data. [`Erosion`](super::Erosion) compiles it and documents the formula.
#[params]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bevy_reflect", derive(bevy_reflect::Reflect))]
#[serde(deny_unknown_fields, default)]
pub struct ErosionSettings {
    /// Distance from one of the widest gullies to the next. A fifth to a tenth of the width of a mountain looks natural.
    #[param(default = 200.0, range = 10.0..=10_000.0, unit = "m", scale = Logarithmic)]
    pub gully_length: f64,
    /// How deep gullies are for their width. A higher value gives steeper, more rugged ground.
    ///
    /// It is half of the height of the widest gullies, divided by [`gully_length`](Self::gully_length).
    #[param(default = 0.08, range = 0.0..=1.0)]
    pub strength: f64,
    /// How many sizes of gullies there are, each half as wide as the one before. More take more time.
    #[param(default = 4, range = 1..=8)]
    pub octaves: u32,
    /// How deep each size of gullies is, compared with the one before. A higher value gives rougher ground.
    #[param(default = 0.45, range = 0.1..=0.9)]
    pub persistence: f64,
    /// How close to crests and creases finer gullies begin: 0 leaves a wide smooth band, 1 a narrow one.
    #[param(default = 0.5, range = 0.0..=1.0)]
    pub detail: f64,
    /// How round the crests between gullies are. 0 gives knife edges.
    #[param(default = 0.1, range = 0.0..=1.0)]
    pub ridge_rounding: f64,
    /// How round the floors of gullies are. 0 gives narrow V-shaped trenches, with twice as many pits.
    #[param(default = 0.1, range = 0.0..=1.0)]
    pub crease_rounding: f64,
    /// Slope of the ground below at which gullies have full strength, as rise over run: 1 is 45 degrees. A lower value erodes
    /// gentle hills too.
    ///
    /// Flatter ground has weaker gullies; level ground has none.
    #[param(default = 0.3, range = 0.01..=4.0, scale = Logarithmic)]
    pub full_slope: f64,
    /// The slope that finer gullies assume below wider ones, as rise over run. A lower value makes them branch at wider angles.
    #[param(default = 0.7, range = 0.1..=4.0, scale = Logarithmic, detail)]
    pub assumed_slope: f64,
}

impl ErosionSettings {
    /// The largest number of octaves.
    pub const MAX_OCTAVES: u32 = Self::OCTAVES.max as u32;

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
