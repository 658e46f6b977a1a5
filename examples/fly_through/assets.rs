//! Files, below `assets/` and elsewhere.

use bevy::asset::UnapprovedPathMode;
use bevy::prelude::*;
use std::path::Path;

/// Loads files from anywhere.
pub fn asset_plugin() -> AssetPlugin {
    AssetPlugin { unapproved_path_mode: UnapprovedPathMode::Allow, ..default() }
}

/// The asset path of a file. A file outside of `assets/` has its full path.
pub fn asset_path(file: &str) -> String {
    match Path::new(file).canonicalize() {
        Ok(full) => full.to_string_lossy().into_owned(),
        Err(_) => file.to_owned(),
    }
}
