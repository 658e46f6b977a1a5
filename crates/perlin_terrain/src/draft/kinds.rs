//! The kinds of settings that a draft may have.

use super::layers::{check_layers, readable_names, rename_in_masks};
use super::settings::InspectedSettings;
use crate::light::SkySettings;
use crate::param::ParamError;
use crate::settings::TerrainSettings;

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
