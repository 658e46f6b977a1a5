//! Settings change: from the file, from the inspector or from code, all through the asset.

#[cfg(feature = "hot_reload")]
mod hot_reload;
mod react;
mod warnings;

#[cfg(feature = "hot_reload")]
pub use hot_reload::TerrainHotReloadPlugin;
pub(super) use react::react_to_settings;
pub(super) use warnings::{ActiveWarning, find_warnings};
