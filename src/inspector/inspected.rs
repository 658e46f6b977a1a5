//! What the inspector asks of settings.

use super::layers::{check_layers, readable_names, rename_in_masks};
use crate::param::{ParamError, Params};
use crate::settings::TerrainSettings;
use crate::sky::SkySettings;
use bevy::asset::Asset;

/// Settings that the inspector edits and saves: the content of one kind of file.
pub trait InspectedSettings: Asset + Params + Clone + Default + PartialEq {
    /// The extension of the files, without a point at its start.
    const FILE_EXTENSION: &'static str;

    /// Checks every value against its range.
    ///
    /// # Errors
    ///
    /// Returns an error for each parameter that is out of range.
    fn validate(&self) -> Result<(), Vec<ParamError>>;

    /// Writes the settings into the text of a file, and keeps its comments.
    fn save_into(&self, text: &str) -> String;

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
}

impl InspectedSettings for TerrainSettings {
    const FILE_EXTENSION: &'static str = Self::FILE_EXTENSION;

    fn validate(&self) -> Result<(), Vec<ParamError>> {
        self.validate()
    }

    fn save_into(&self, text: &str) -> String {
        self.save_into(text)
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
        rename_in_masks(&mut self.field, &before.field, path)?;
        check_layers(&before.field, &self.field)
    }
}

impl InspectedSettings for SkySettings {
    const FILE_EXTENSION: &'static str = Self::FILE_EXTENSION;

    fn validate(&self) -> Result<(), Vec<ParamError>> {
        self.validate()
    }

    fn save_into(&self, text: &str) -> String {
        self.save_into(text)
    }
}
