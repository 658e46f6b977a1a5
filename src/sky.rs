//! Light: the sun, the sky, the haze and the exposure of a camera.
//!
//! Use it for daylight at any hour, from one small file that a designer tunes while the game runs. A game that has its own light
//! does without: nothing else in the crate depends on it.
//!
//! [`TerrainSkyPlugin`] gives light to every camera with a [`TerrainSky`]. The settings are [`SkySettings`], the asset of a
//! `.sky.ron` file.
//!
//! Where the device can compute, the sky is Bevy's atmosphere, after Sébastien Hillaire (*A Scalable and Production Ready Sky and
//! Atmosphere Rendering Technique*, 2020). Elsewhere, as in a browser with WebGL 2, a dome has the colors of the same sun.

#[cfg(feature = "sky")]
mod draw;
mod settings;
mod sun;

#[cfg(feature = "sky")]
pub use draw::*;
pub use settings::{SkySettings, Sun, SunAngles, SunTime};
