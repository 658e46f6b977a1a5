//! Settings as assets: their loader, its errors, and what it read last.

mod content;
#[cfg(any(feature = "hot_reload", feature = "inspector"))]
mod disk;
mod load_error;
mod loaded;
mod loader;

#[cfg(any(feature = "hot_reload", feature = "sky"))]
pub(crate) use content::SettingsAsset;
#[cfg(feature = "hot_reload")]
pub(crate) use content::{Content, HasSettings};
#[cfg(feature = "inspector")]
pub(crate) use disk::asset_folder;
#[cfg(feature = "hot_reload")]
pub(crate) use disk::loaded_folder;
pub use load_error::TerrainSettingsLoadError;
pub(crate) use loaded::LoadedFiles;
pub use loader::{SettingsLoader, TerrainSettingsLoader};
