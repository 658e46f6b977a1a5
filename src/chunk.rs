//! Chunks: squares of the world grid, and the vertices, normals and triangles on them.
//!
//! # One world grid
//!
//! All vertices lie on one grid that covers the plane: level 0 has `spacing` metres between vertices, level `l` takes every
//! `2^l`-th. A vertex is named by its global integer index, and its height and normal are functions of that index, the level
//! and the settings alone. Two chunks that share a border compute the same bits there, so there is nothing to stitch:
//!
//! ```text
//!      chunk (0, 0)       chunk (1, 0)
//!   0---1---2---3---4 = 4---5---6---7---8    the index 4 is one vertex, computed twice, the same
//! ```
//!
//! Levels above 0 are part of every type here, and of every build; the choice of a level by distance is not made yet:
//! covers hold level-0 chunks.

mod coord;
mod cover;
mod geometry;
mod settings;

pub use coord::{ChunkCoord, ChunkLayout};
pub use cover::{Cover, ViewerPoint};
pub use geometry::{ChunkBuilder, ChunkGeometry, triangle_indices};
pub use settings::ChunkSettings;
