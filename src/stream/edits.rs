//! Edits of the ground while a game runs.
//!
//! [`TerrainEdits`] has the edits of a game, and the settings have those of designers. In each frame, `follow` gives every ground the
//! edits that are new. A ground that draws few of the edited chunks takes them in the same frame. It builds those chunks again and
//! rewrites them; those that are not drawn wait for a task, or for the frame in which they are drawn. A ground that draws too many falls
//! behind, until a reload replaces it.

mod follow;
mod terrain_edits;

pub(super) use follow::follow_edits;
pub(super) use terrain_edits::EditsIdentity;
pub use terrain_edits::TerrainEdits;
