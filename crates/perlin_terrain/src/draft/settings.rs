//! The trait of settings that a draft can edit.

use crate::param::{ParamError, Params};

/// Settings that are edited and saved: the content of one kind of file.
pub trait InspectedSettings: Params + Clone + Default + PartialEq {
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
