//! Draws plants: tiles of plants around viewers, in three rings, each with a mesh of its own.
//!
//! | ring | side of a tile | what it has |
//! | --- | --: | --- |
//! | near | 16 m | all cards |
//! | middle | 64 m | a quarter of the cards, wider |
//! | far | 256 m | three pictures of each plant |
//!
//! How far the rings reach depends on the [quality](super::TerrainQuality). In each frame:
//!
//! 1. Find the tiles that viewers need (`rings`), and take those that tasks have finished (`tiles`).
//! 2. Spawn their meshes (`keep`). A tile has sixteen squares, one for each tile of the next finer ring, and the tag of its mesh says which
//!    of them are drawn by finer tiles, so that there is never a hole.
//! 3. Start tasks for missing tiles (`tile_source`, `tile_mesh`), coarse ones first.
//!
//! The shader chooses the form of each part of a plant by its distance to the camera (`plant_vertex.wesl`). So nothing here follows the
//! distance to a single plant. In shadow maps, pictures follow the near cards at once, and middle tiles cast none.

#[cfg(test)]
mod forms_on_gpu;
mod keep;
mod look;
mod plugin;
mod rings;
mod textures;
mod tile_mesh;
mod tile_source;
mod tiles;

pub(super) use keep::{MiddlePlants, PlantMesh};
pub(super) use look::STARTS;
pub(super) use plugin::PlantRenderPlugin;
pub(super) use rings::{MAX_VIEWERS, RING_BIT};
pub use tiles::DrawnPlants;
