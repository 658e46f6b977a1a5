//! The drafts of all settings of one kind.

use super::{AssetFolder, FileAction, FileInfo};
use crate::draft::{InspectedSettings, SettingsModel};
use crate::settings::SettingsProblem;
use bevy::asset::{AssetId, AssetPath};
use bevy::platform::collections::HashMap;
use bevy::prelude::*;

/// The drafts of all settings of one kind, and which of them the panel shows.
#[derive(Default)]
pub(super) struct Drafts<T: InspectedSettings + Asset> {
    /// The selected entity. `select` replaces `None` and a despawned entity by the first one.
    pub shown: Option<Entity>,
    /// Its settings asset.
    pub asset: Option<AssetId<T>>,
    /// A draft of every asset that was loaded or shown.
    pub models: HashMap<AssetId<T>, SettingsModel<T>>,
    /// The problems of the files that failed to load.
    pub failed: HashMap<AssetId<T>, Vec<SettingsProblem>>,
    /// The files beside the current one.
    pub files: Vec<String>,
    /// The result of the last file action.
    pub message: Option<Result<String, String>>,
    pub actions: Vec<FileAction>,
}

impl<T: InspectedSettings + Asset> Drafts<T> {
    /// The draft that the panel shows.
    pub fn model(&self) -> Option<&SettingsModel<T>> {
        self.models.get(&self.asset?)
    }

    /// The draft that the panel shows, to edit it.
    pub fn model_mut(&mut self) -> Option<&mut SettingsModel<T>> {
        self.models.get_mut(&self.asset?)
    }

    /// The problems of the file, if it failed to load.
    pub fn problems(&self) -> &[SettingsProblem] {
        self.asset.and_then(|id| self.failed.get(&id)).map_or(&[], Vec::as_slice)
    }

    /// The state of the file at `path` for the panel.
    pub fn file_info(&self, path: Option<&AssetPath<'_>>, folder: &AssetFolder) -> FileInfo {
        let name = path.and_then(|path| path.path().file_name());
        FileInfo {
            name: name.map(|name| name.to_string_lossy().into_owned()).unwrap_or_default(),
            files: self.files.clone(),
            cannot_save: folder.locate(path).err(),
            message: self.message.clone(),
            problems: self.problems().to_vec(),
        }
    }
}
