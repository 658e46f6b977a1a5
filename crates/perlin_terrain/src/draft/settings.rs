//! The trait of settings that a draft can edit.

use super::Checks;
use super::names::{item_titles, readable_names, rename_in_masks, rename_in_plants};
use crate::field::FieldSettings;
use crate::light::SkySettings;
use crate::param::{ParamError, Params};
use crate::plants::PlantLayer;
use crate::settings::{SettingsError, SettingsMerge, TerrainSettings};

/// Settings that are edited and saved: the content of one kind of file.
pub trait EditableSettings: Params + Clone + Default + PartialEq {
    /// The extension of the files, without a point at its start.
    const FILE_EXTENSION: &'static str;

    /// Parses and validates the text of a file.
    ///
    /// # Errors
    ///
    /// Returns the problems of the text.
    fn from_ron(text: &str) -> Result<Self, SettingsError>;

    /// Writes the settings into the text of a file, and keeps its comments. The text of a new file, if `text` is invalid.
    fn save_into(&self, text: &str) -> String;

    /// Checks every value against its range.
    ///
    /// # Errors
    ///
    /// Returns an error for each parameter that is out of range.
    fn validate(&self) -> Result<(), Vec<ParamError>>;

    /// Returns `theirs` with every change from `base` to `mine`.
    fn merge(base: &Self, mine: &Self, theirs: &Self) -> SettingsMerge<Self>;

    /// Whether a file of these settings is also one of `other`.
    fn is_same(&self, other: &Self) -> bool {
        self == other
    }

    /// What the items of lists around the parameter or the item at `path` are called, from the innermost one out.
    fn item_titles(&self, _path: &str) -> Vec<String> {
        Vec::new()
    }

    /// The texts that the parameter at `path` may have. `None` if it is not one of a few.
    fn texts_for(&self, _path: &str) -> Option<Vec<&str>> {
        None
    }

    /// Changes what depends on the parameter at `path`, which was set to an allowed value. The settings were `before`.
    ///
    /// # Errors
    ///
    /// Returns an error if the parameter can't have this value in these settings. The edit is then refused.
    fn adjust(&mut self, _before: &Self, _path: &str) -> Result<(), ParamError> {
        Ok(())
    }

    /// What the panel says about settings that are allowed. `file` has the settings in the file.
    fn checks(&self, _file: Option<&Self>) -> Checks {
        Checks::default()
    }
}

impl EditableSettings for TerrainSettings {
    const FILE_EXTENSION: &'static str = Self::FILE_EXTENSION;

    fn from_ron(text: &str) -> Result<Self, SettingsError> {
        Self::from_ron(text)
    }

    fn save_into(&self, text: &str) -> String {
        self.save_into(text)
    }

    fn validate(&self) -> Result<(), Vec<ParamError>> {
        self.validate()
    }

    fn merge(base: &Self, mine: &Self, theirs: &Self) -> SettingsMerge<Self> {
        Self::merge(base, mine, theirs)
    }

    /// A stream that a layer has anyway makes no difference.
    fn is_same(&self, other: &Self) -> bool {
        let pinned = |settings: &Self| {
            let mut settings = settings.clone();
            settings.pin_streams();
            settings
        };
        self == other || pinned(self) == pinned(other)
    }

    fn item_titles(&self, path: &str) -> Vec<String> {
        item_titles(self, path)
    }

    /// The layer of a mask is one of the names below it.
    fn texts_for(&self, path: &str) -> Option<Vec<&str>> {
        readable_names(&self.field, path)
    }

    fn adjust(&mut self, before: &Self, path: &str) -> Result<(), ParamError> {
        if path.ends_with(".kind") {
            // A filter has no row for its blend, so the designer could not correct it.
            self.field.reset_blends_of_filters();
        }
        rename_in_masks(&mut self.field, &before.field, path);
        rename_in_plants(self, before, path);
        let error = first_error(&self.field, !path.ends_with(".layer"));
        let of_layers = error.filter(|_| before.field.check_layers().is_empty());
        let of_edits = self.field.check_edits().into_iter().next().filter(|_| before.field.check_edits().is_empty());
        let check_plants = |settings: &Self| PlantLayer::check_all(&settings.plants).into_iter().next();
        let of_plants = check_plants(self).filter(|_| check_plants(before).is_none());
        of_layers.or(of_edits).or(of_plants).map_or(Ok(()), Err)
    }

    fn checks(&self, file: Option<&Self>) -> Checks {
        Checks::of(self, file)
    }
}

impl EditableSettings for SkySettings {
    const FILE_EXTENSION: &'static str = Self::FILE_EXTENSION;

    fn from_ron(text: &str) -> Result<Self, SettingsError> {
        Self::from_ron(text)
    }

    fn save_into(&self, text: &str) -> String {
        self.save_into(text)
    }

    fn validate(&self) -> Result<(), Vec<ParamError>> {
        self.validate()
    }

    fn merge(base: &Self, mine: &Self, theirs: &Self) -> SettingsMerge<Self> {
        Self::merge(base, mine, theirs)
    }
}

/// The first error of a stack of layers after an edit. `keeps_masks` if the edit gave no mask another layer to read.
pub(super) fn first_error(field: &FieldSettings, keeps_masks: bool) -> Option<ParamError> {
    let mut error = field.check_layers().into_iter().next()?;
    // Names are unique, so a mask whose layer is not below it read that layer before.
    if keeps_masks && error.path.ends_with(".layer") {
        error.found = format!("a mask that no longer reads its layer {}", error.found);
        "edits after which each mask reads the same layer as before".clone_into(&mut error.allowed);
    }
    Some(error)
}
