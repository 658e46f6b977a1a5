//! Requests from the panel.

use crate::stream::TerrainBudget;
use bevy::prelude::Entity;

/// A request from the panel that needs access to the world or to files.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum PanelAction {
    /// Show another terrain.
    Select(Entity),
    /// Switch the terrain to the settings file with this name in the same folder. Unsaved edits are lost.
    Open(String),
    /// Load the file again. Unsaved edits are lost.
    Reset,
    /// Save the settings to their file.
    Save,
    /// Save the settings to a new file in the same folder, and switch the terrain to it. The name may be any text: letters, digits,
    /// `_` and `-` are kept. Fails if the file exists.
    SaveAs(String),
    /// Set the [`TerrainBudget`] resource.
    SetBudget(TerrainBudget),
    /// List the settings files of the folder again.
    ListFiles,
    /// Close the panel.
    Close,
}
