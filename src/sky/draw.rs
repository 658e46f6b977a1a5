//! What the light consists of in Bevy, behind one feature gate.

mod anti_aliasing;
mod atmosphere;
mod camera;
mod color;
mod dome;
mod haze;
mod method;
mod plugin;
mod skylight;
mod sun;

pub use camera::TerrainSky;
pub use method::SkyMethod;
pub use plugin::{SkySystems, TerrainSkyPlugin};
pub use sun::TerrainSun;
