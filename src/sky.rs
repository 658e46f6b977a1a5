//! The sky: it draws sun, air, clouds and haze, makes the wind, and exposes the camera.
//!
//! Use it for daylight at any hour, from one small file that a designer tunes while the game runs. A game that has its own light
//! does without: nothing else in the crate depends on it.
//!
//! [`TerrainSkyPlugin`] gives light to every camera with a [`TerrainSky`]. The settings are [`SkySettings`](crate::light::SkySettings), the asset of a
//! `.sky.ron` file.
//!
//! Where the device can compute, the sky is Bevy's atmosphere, after Sébastien Hillaire (*A Scalable and Production Ready Sky and
//! Atmosphere Rendering Technique*, 2020). Elsewhere, as in a browser with WebGL 2, a dome has the colors of the same sun.

mod anti_aliasing;
mod atmosphere;
mod camera;
mod color;
mod cube;
mod dome;
mod dome_look;
mod haze;
mod method;
mod mirror;
mod plugin;
mod skylight;
mod sun;
mod underwater;
mod weather;

pub use camera::TerrainSky;
pub use method::SkyMethod;
pub use plugin::{SkySystems, TerrainSkyPlugin};
pub use sun::TerrainSun;
