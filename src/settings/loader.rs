//! The asset loader for `.terrain.ron` files.

use super::content::Content;
use super::{LoadedFiles, SettingsError, TerrainSettings};
use bevy::asset::io::{AssetReaderError, Reader};
use bevy::asset::{AssetLoadError, AssetLoader, AssetPath, LoadContext};
use bevy::prelude::{FromWorld, World};
use bevy::reflect::TypePath;
use std::str::Utf8Error;
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
    /// The file is larger than [`TerrainSettings::MAX_FILE_SIZE`]. The rest of it was not read.
    #[error("{}", too_large(path, *size))]
    TooLarge {
        /// The file.
        path: AssetPath<'static>,
        /// Its size in bytes, where the asset source can tell.
        size: Option<u64>,
    },
    /// The file is no text.
    #[error("{path} is no UTF-8 text: {source}")]
    NotText {
        /// The file.
        path: AssetPath<'static>,
        /// Where it goes wrong.
        source: Utf8Error,
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

impl TerrainSettingsLoadError {
    /// The error of this crate's loader in an error of the asset server, if it is one.
    ///
    /// The server boxes what a loader returns. A file that changed and can't be used any more is not handed to the server, and
    /// its error is found here too.
    #[must_use]
    pub fn of(error: &AssetLoadError) -> Option<&Self> {
        match error {
            AssetLoadError::AssetLoaderError(error) => error.error().downcast_ref(),
            AssetLoadError::AssetReaderError(AssetReaderError::Io(error)) => error.get_ref()?.downcast_ref(),
            _ => None,
        }
    }

    /// The same as an error of the asset server, in which [`of`](Self::of) finds it.
    #[cfg(feature = "hot_reload")]
    pub(crate) fn into_asset_error(self) -> AssetLoadError {
        AssetLoadError::AssetReaderError(std::io::Error::other(self).into())
    }
}

fn too_large(path: &AssetPath<'_>, size: Option<u64>) -> String {
    let limit = TerrainSettings::MAX_FILE_SIZE;
    let size = size.map_or_else(|| "too many".to_owned(), |size| size.to_string());
    format!("{path} has {size} bytes, allowed: up to {limit} bytes ({} MiB)", limit >> 20)
}

fn with_path(path: &AssetPath<'_>, error: &SettingsError) -> String {
    let lines: Vec<String> = error.problems.iter().map(|problem| format!("{path}:{problem}")).collect();
    lines.join("\n")
}

/// Loads [`TerrainSettings`] from files that end in `.terrain.ron`, and reads no more than [`TerrainSettings::MAX_FILE_SIZE`] of
/// them.
#[derive(TypePath)]
pub struct TerrainSettingsLoader {
    loaded: LoadedFiles,
}

impl FromWorld for TerrainSettingsLoader {
    fn from_world(world: &mut World) -> Self {
        Self { loaded: world.get_resource_or_init::<LoadedFiles>().clone() }
    }
}

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
        let content = Content::read(reader)
            .await
            .map_err(|source| TerrainSettingsLoadError::Io { path: path.clone(), source })?;
        self.loaded.insert(path.clone(), content.clone());
        content.parse(&path)
    }

    fn extensions(&self) -> &[&str] {
        &[TerrainSettings::FILE_EXTENSION]
    }
}
