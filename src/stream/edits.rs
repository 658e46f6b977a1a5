//! Edits of the ground while a game runs.
//!
//! [`TerrainEdits`] has the edits of a game, and the settings have those of designers. In each frame, `follow` gives every ground the
//! edits that are new. A ground that draws few of the changed chunks takes them in the same frame: those chunks are built and written
//! anew, and the others of that area are built again in tasks. A ground that draws more falls behind, until a reload replaces it.

mod follow;
mod followed;
mod terrain_edits;

pub(super) use follow::follow_edits;
pub(super) use followed::FollowedEdits;
pub use terrain_edits::TerrainEdits;
