//! What was last read from each settings file.

use super::content::Content;
use bevy::asset::{AssetLoadError, AssetPath};
use bevy::platform::collections::HashMap;
use bevy::prelude::Resource;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What was last read from each file, so that a change since then can be told, and where in it a value is.
#[derive(Resource, Clone, Default)]
pub(crate) struct LoadedFiles(Arc<Mutex<HashMap<AssetPath<'static>, LoadedFile>>>);

struct LoadedFile {
    content: Content,
    /// Why the content was not handed to the asset server, where it was not.
    refusal: Option<AssetLoadError>,
}

impl LoadedFiles {
    fn lock(&self) -> MutexGuard<'_, HashMap<AssetPath<'static>, LoadedFile>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The loader read the file.
    pub fn insert(&self, path: AssetPath<'static>, content: Content) {
        self.lock().insert(path, LoadedFile { content, refusal: None });
    }

    /// The text that was last read from the file, if it was text.
    pub fn text(&self, path: &AssetPath<'static>) -> Option<String> {
        match &self.lock().get(path)?.content {
            Content::Bytes(bytes) => String::from_utf8(bytes.to_vec()).ok(),
            Content::TooLarge(_) => None,
        }
    }

    /// Why the content that was last read was not handed to the asset server, which knows nothing of it then.
    pub fn refusal(&self, path: &AssetPath<'static>) -> Option<AssetLoadError> {
        self.lock().get(path)?.refusal.clone()
    }

    /// What was read from the file can't be used, and the asset server is not asked to load it.
    #[cfg(feature = "hot_reload")]
    pub fn refuse(&self, path: AssetPath<'static>, content: Content, error: AssetLoadError) {
        self.lock().insert(path, LoadedFile { content, refusal: Some(error) });
    }

    /// Whether the file was ever read.
    #[cfg(feature = "hot_reload")]
    pub fn knows(&self, path: &AssetPath<'static>) -> bool {
        self.lock().contains_key(path)
    }

    /// Whether `content` is what was last read from the file.
    #[cfg(feature = "hot_reload")]
    pub fn has(&self, path: &AssetPath<'static>, content: &Content) -> bool {
        self.lock().get(path).is_some_and(|loaded| loaded.content == *content)
    }
}
