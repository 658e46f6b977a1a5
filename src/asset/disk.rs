//! The asset folder on disk.

use bevy::app::App;
#[cfg(feature = "hot_reload")]
use bevy::asset::AssetMode;
use bevy::asset::AssetPlugin;
use std::path::PathBuf;

/// Returns the folder of the app's default asset source: [`AssetPlugin::file_path`], relative to Bevy's base path.
///
/// Returns `None` in a browser, on Android, and in an app without an [`AssetPlugin`].
#[cfg(feature = "inspector")]
pub(crate) fn asset_folder(app: &App) -> Option<PathBuf> {
    app.get_added_plugins::<AssetPlugin>().first().and_then(|plugin| on_disk(&plugin.file_path))
}

/// Returns the folder that the app reads assets from: that of the [processed](AssetPlugin::processed_file_path) ones in
/// [`AssetMode::Processed`], or else the [`asset_folder`].
#[cfg(feature = "hot_reload")]
pub(crate) fn loaded_folder(app: &App) -> Option<PathBuf> {
    app.get_added_plugins::<AssetPlugin>().first().and_then(|plugin| match plugin.mode {
        AssetMode::Unprocessed => on_disk(&plugin.file_path),
        AssetMode::Processed => on_disk(&plugin.processed_file_path),
    })
}

#[cfg(not(any(target_arch = "wasm32", target_os = "android")))]
#[expect(clippy::unnecessary_wraps, reason = "other platforms have no such folder")]
fn on_disk(file_path: &str) -> Option<PathBuf> {
    use bevy::asset::io::file::FileAssetReader;
    Some(FileAssetReader::get_base_path().join(file_path))
}

#[cfg(any(target_arch = "wasm32", target_os = "android"))]
fn on_disk(_: &str) -> Option<PathBuf> {
    None
}
