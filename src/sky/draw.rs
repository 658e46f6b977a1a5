//! What the light consists of in Bevy, behind one feature gate.

mod atmosphere;
mod camera;
mod dome;
mod loader;
mod plugin;
mod sun;

pub use camera::TerrainSky;
pub use loader::SkySettingsLoader;
pub use plugin::TerrainSkyPlugin;
pub use sun::TerrainSun;
