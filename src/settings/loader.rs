//! The asset loader for `.terrain.ron` files.

use super::{SettingsError, TerrainSettings};
use bevy::asset::io::Reader;
use bevy::asset::{AssetLoader, AssetPath, LoadContext};
use bevy::reflect::TypePath;
use std::string::FromUtf8Error;
use thiserror::Error;

/// Why a settings file could not be loaded.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TerrainSettingsLoadError {
    /// The file could not be read.
    #[error("can't read {path}: {source}")]
    Io {
        /// The file.
        path: AssetPath<'static>,
        /// What went wrong.
        source: std::io::Error,
    },
    /// The file is no text.
    #[error("{path} is no UTF-8 text: {source}")]
    NotText {
        /// The file.
        path: AssetPath<'static>,
        /// Where it goes wrong.
        source: FromUtf8Error,
    },
    /// The text can't be used: `path:line:column: problem` for each problem.
    #[error("{}", with_path(path, source))]
    Invalid {
        /// The file.
        path: AssetPath<'static>,
        /// Everything that is wrong with it.
        source: SettingsError,
    },
}

fn with_path(path: &AssetPath<'_>, error: &SettingsError) -> String {
    let lines: Vec<String> = error.problems.iter().map(|problem| format!("{path}:{problem}")).collect();
    lines.join("\n")
}

/// Loads [`TerrainSettings`] from files that end in `.terrain.ron`.
#[derive(Default, TypePath)]
pub struct TerrainSettingsLoader;

impl AssetLoader for TerrainSettingsLoader {
    type Asset = TerrainSettings;
    type Settings = ();
    type Error = TerrainSettingsLoadError;

    async fn load(
        &self,
        reader: &mut dyn Reader,
        _settings: &(),
        context: &mut LoadContext<'_>,
    ) -> Result<TerrainSettings, TerrainSettingsLoadError> {
        let path = context.path().clone_owned();
        let mut bytes = Vec::new();
        reader
            .read_to_end(&mut bytes)
            .await
            .map_err(|source| TerrainSettingsLoadError::Io { path: path.clone(), source })?;
        let text = String::from_utf8(bytes)
            .map_err(|source| TerrainSettingsLoadError::NotText { path: path.clone(), source })?;
        TerrainSettings::from_ron(&text).map_err(|source| TerrainSettingsLoadError::Invalid { path, source })
    }

    fn extensions(&self) -> &[&str] {
        &[TerrainSettings::FILE_EXTENSION]
    }
}
