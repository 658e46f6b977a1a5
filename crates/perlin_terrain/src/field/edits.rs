//! Edits: level ground for a house, a crater, a road.
//!
//! An [edit](TerrainEdit) is a few numbers: where, what, and how it fades out. A [`HeightField`](super::HeightField) applies its edits
//! to the height that the layers make, one after the other. So the edited ground is a function of the position, like the ground below
//! it: the same bits on every machine, in every chunk, and in whatever order the edits came.
//!
//! Layers and masks see the ground without edits.

mod apply;
mod area;
mod change;
mod edit;
mod fold;
mod map;
mod piece;
mod reach;
mod saved;
mod shape;
#[cfg(test)]
mod tests;
mod tree;

pub use change::{EditChange, EditHeight, EditHill, HeightBase, Raise};
pub use edit::{EditId, TerrainEdit};
pub use map::EditMap;
pub use saved::{GroundHash, SavedEdits};
pub use shape::{EditBox, EditCircle, EditPath, EditShape, PathPoint};

pub(super) use tree::EditTree;
