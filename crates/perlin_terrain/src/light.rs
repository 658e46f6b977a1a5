//! Daylight as numbers: where the sun stands, the colors of sun, sky, clouds and haze, and where clouds are.
//!
//! Nothing here needs an engine: the module `sky` of `bevy_perlin_terrain` draws it. The settings are [`SkySettings`], the content of a `.sky.ron` file.

#[doc(hidden)]
pub mod clouds;
mod settings;
#[doc(hidden)]
pub mod sun;

pub use settings::{Clouds, SkySettings, Sun, SunAngles, SunTime, Wind};
