//! The state that the panel keeps between frames.

use super::FileAction;
use crate::draft::DraftChecks;

/// The state that the panel keeps between frames.
#[derive(Clone, Debug, PartialEq)]
pub struct PanelState {
    /// Side length of the map on the ground, in metres. From [`MIN_EXTENT`](Self::MIN_EXTENT) to [`MAX_EXTENT`](Self::MAX_EXTENT).
    /// Default: 8000.
    pub map_extent: f64,
    /// The buttons of the terrain's file.
    pub(super) file: FileState,
    /// The buttons of the light's file.
    pub(super) sky: FileState,
    /// The checks of the last draft.
    pub(super) checks: DraftChecks,
}

impl PanelState {
    /// The smallest [`map_extent`](Self::map_extent), in metres.
    pub const MIN_EXTENT: f64 = 1000.0;
    /// The largest [`map_extent`](Self::map_extent), in metres.
    pub const MAX_EXTENT: f64 = 64_000.0;
}

impl Default for PanelState {
    fn default() -> Self {
        Self {
            map_extent: 8000.0,
            file: FileState::default(),
            sky: FileState::default(),
            checks: DraftChecks::default(),
        }
    }
}

/// The state of the buttons of a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct FileState {
    /// The name typed for *save as*, while its field is open.
    pub save_as: Option<String>,
    /// An action that waits for confirmation, because it would drop edits.
    pub unconfirmed: Option<FileAction>,
}
