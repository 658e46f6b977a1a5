//! Daylight as numbers: where the sun stands, and the colors of sun, sky and haze.
//!
//! Nothing here needs an engine: [`sky`](crate::sky) draws it. The settings are [`SkySettings`], the content of a `.sky.ron` file.

mod settings;
pub(crate) mod sun;

pub use settings::{SkySettings, Sun, SunAngles, SunTime};
