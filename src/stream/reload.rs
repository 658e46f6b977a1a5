//! Reacts to changed settings. Files, the inspector and code all change the same asset.

#[cfg(feature = "hot_reload")]
mod hot_reload;
mod react;
mod warnings;

#[cfg(feature = "hot_reload")]
pub use hot_reload::TerrainHotReloadPlugin;
pub(super) use react::react_to_settings;
pub(super) use warnings::find_warnings;
