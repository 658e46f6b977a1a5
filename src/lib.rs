//! docs
pub mod chunk;
pub mod field;
pub mod noise;
pub mod param;
#[cfg(feature = "bevy")]
mod plugin;
pub mod render;
pub mod settings;
pub mod stream;
#[cfg(feature = "bevy")]
pub use plugin::{TerrainMinimalPlugins, TerrainPlugins};
