//! The last content read from each settings file.

use super::TerrainSettingsLoadError;
use super::content::{Content, SettingsAsset};
use bevy::asset::io::Reader;
use bevy::asset::{AssetLoadError, AssetPath, LoadContext};
use bevy::platform::collections::HashMap;
use bevy::prelude::Resource;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The last content read from each settings file. Hot reload compares it with the file; warnings find the line of a value in it.
#[derive(Resource, Clone, Default)]
pub(crate) struct LoadedFiles(Arc<Mutex<HashMap<AssetPath<'static>, LoadedFile>>>);

struct LoadedFile {
    content: Content,
    /// The error, if the content is invalid and was therefore not given to the asset server.
    refusal: Option<AssetLoadError>,
}

impl LoadedFiles {
    fn lock(&self) -> MutexGuard<'_, HashMap<AssetPath<'static>, LoadedFile>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads, records and parses a settings file.
    pub async fn load<T: SettingsAsset>(
        &self,
        reader: &mut dyn Reader,
        context: &LoadContext<'_>,
    ) -> Result<T, TerrainSettingsLoadError> {
        let path = context.path().clone_owned();
        let content = Content::read(reader)
            .await
            .map_err(|source| TerrainSettingsLoadError::Io { path: path.clone(), source })?;
        self.insert(path.clone(), content.clone());
        content.parse(&path)
    }

    /// Records what the loader read.
    pub fn insert(&self, path: AssetPath<'static>, content: Content) {
        self.lock().insert(path, LoadedFile { content, refusal: None });
    }

    /// The text last read from the file. `None` if no file was read, or if it is not UTF-8 or too large.
    pub fn text(&self, path: &AssetPath<'static>) -> Option<String> {
        match &self.lock().get(path)?.content {
            Content::Bytes(bytes) => String::from_utf8(bytes.to_vec()).ok(),
            Content::TooLarge(_) => None,
        }
    }

    /// The error of the content last read, if it was not given to the asset server. The server does not know this error.
    pub fn refusal(&self, path: &AssetPath<'static>) -> Option<AssetLoadError> {
        self.lock().get(path)?.refusal.clone()
    }

    /// Records content that is invalid and that the asset server is not asked to load.
    #[cfg(feature = "hot_reload")]
    pub fn refuse(&self, path: AssetPath<'static>, content: Content, error: AssetLoadError) {
        self.lock().insert(path, LoadedFile { content, refusal: Some(error) });
    }

    /// Whether the loader read the file before.
    #[cfg(feature = "hot_reload")]
    pub fn contains(&self, path: &AssetPath<'static>) -> bool {
        self.lock().contains_key(path)
    }

    /// Whether `content` equals the content last read from the file.
    #[cfg(feature = "hot_reload")]
    pub fn matches(&self, path: &AssetPath<'static>, content: &Content) -> bool {
        self.lock().get(path).is_some_and(|loaded| loaded.content == *content)
    }
}
