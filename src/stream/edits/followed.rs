//! What a terrain remembers of the edits that it has followed.

use super::terrain_edits::EditsIdentity;
use crate::field::TerrainEdit;

/// The edits that the grounds of a terrain have.
#[derive(Default)]
pub(in crate::stream) struct FollowedEdits {
    /// Those of the settings.
    pub settings: Vec<TerrainEdit>,
    /// The list of the game. `None` before the first one.
    pub identity: Option<EditsIdentity>,
}
