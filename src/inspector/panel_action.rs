//! Requests from the panel.

use crate::stream::TerrainBudget;
use bevy::prelude::Entity;

/// An action on the file of settings. Each of them is also a [`PanelAction`] for the terrain.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FileAction {
    /// See [`PanelAction::Open`].
    Open(String),
    /// See [`PanelAction::Reset`].
    Reset,
    /// See [`PanelAction::Save`].
    Save,
    /// See [`PanelAction::SaveAs`].
    SaveAs(String),
    /// See [`PanelAction::ListFiles`].
    List,
}

impl From<FileAction> for PanelAction {
    fn from(action: FileAction) -> Self {
        match action {
            FileAction::Open(name) => Self::Open(name),
            FileAction::Reset => Self::Reset,
            FileAction::Save => Self::Save,
            FileAction::SaveAs(name) => Self::SaveAs(name),
            FileAction::List => Self::ListFiles,
        }
    }
}

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
    /// The same with the file of the light.
    Sky(FileAction),
    /// Close the panel.
    Close,
}
