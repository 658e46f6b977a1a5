//! The asset loader for `.terrain.ron` files.

use super::{SettingsError, TerrainSettings};
use bevy::asset::io::Reader;
use bevy::asset::{AssetLoader, AssetPath, LoadContext};
use bevy::platform::collections::HashMap;
use bevy::prelude::{FromWorld, Resource, World};
use bevy::reflect::TypePath;
use std::string::FromUtf8Error;
use std::sync::{Arc, Mutex, PoisonError};
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
#[derive(TypePath)]
pub struct TerrainSettingsLoader {
    loaded: LoadedFiles,
}

impl FromWorld for TerrainSettingsLoader {
    fn from_world(world: &mut World) -> Self {
        Self { loaded: world.get_resource_or_init::<LoadedFiles>().clone() }
    }
}

/// What the loader last read from each file, so that a change since then can be told, and where in it a value is.
#[derive(Resource, Clone, Default)]
pub(crate) struct LoadedFiles(Arc<Mutex<HashMap<AssetPath<'static>, Vec<u8>>>>);

impl LoadedFiles {
    fn insert(&self, path: AssetPath<'static>, content: Vec<u8>) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(path, content);
    }

    /// The text that was last read from the file, if it was text.
    pub(crate) fn text(&self, path: &AssetPath<'static>) -> Option<String> {
        let files = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        String::from_utf8(files.get(path)?.clone()).ok()
    }

    /// Whether the file was ever read.
    #[cfg(feature = "hot_reload")]
    pub(crate) fn knows(&self, path: &AssetPath<'static>) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).contains_key(path)
    }

    /// Whether `content` is what was last read from the file.
    #[cfg(feature = "hot_reload")]
    pub(crate) fn has(&self, path: &AssetPath<'static>, content: &[u8]) -> bool {
        let files = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        files.get(path).is_some_and(|loaded| loaded == content)
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
        let mut bytes = Vec::new();
        reader
            .read_to_end(&mut bytes)
            .await
            .map_err(|source| TerrainSettingsLoadError::Io { path: path.clone(), source })?;
        self.loaded.insert(path.clone(), bytes.clone());
        let text = String::from_utf8(bytes)
            .map_err(|source| TerrainSettingsLoadError::NotText { path: path.clone(), source })?;
        TerrainSettings::from_ron(&text).map_err(|source| TerrainSettingsLoadError::Invalid { path, source })
    }

    fn extensions(&self) -> &[&str] {
        &[TerrainSettings::FILE_EXTENSION]
    }
}
