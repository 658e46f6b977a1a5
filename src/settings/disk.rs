//! The asset folder on disk.

use bevy::app::App;
use bevy::asset::AssetPlugin;
use std::path::PathBuf;

/// Returns the folder of the app's default asset source: [`AssetPlugin::file_path`], relative to Bevy's base path.
///
/// Returns `None` in a browser, on Android, and in an app without an [`AssetPlugin`].
pub(crate) fn asset_folder(app: &App) -> Option<PathBuf> {
    app.get_added_plugins::<AssetPlugin>().first().and_then(|plugin| on_disk(&plugin.file_path))
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
