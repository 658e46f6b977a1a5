//! Chunks: squares of the world grid, and the vertices, normals and triangles on them; and which of them to draw.
//!
//! A game with Bevy needs little of this: [`ChunkCoord`] and [`ChunkLayout`] name and measure the chunks that its messages are
//! about. Without Bevy, this module has what another engine or a tool needs: [`surface_height`] and [`surface_normal`] of the
//! triangles anywhere, [`ChunkBuilder`] for the geometry of a chunk, and [`LodQuadtree`] or the [`plan`] for what to draw.
//!
//! # One world grid
//!
//! All vertices lie on one grid that covers the plane: level 0 has `spacing` metres between vertices, level `l` takes every
//! `2^l`-th. A vertex is named by its global integer index, and its height is a function of that index and the settings
//! alone. Two chunks that share a border compute the same bits there, so there is nothing to stitch:
//!
//! ```text
//!      chunk (0, 0)       chunk (1, 0)
//!   0---1---2---3---4 = 4---5---6---7---8    the index 4 is one vertex, computed twice, the same
//! ```
//!
//! # Levels of detail
//!
//! Around every viewer lie chunks of level 0, around these chunks of level 1, twice as large with as many vertices, and so on
//! to the horizon: a [`LodQuadtree`], split where a viewer is near (chunked LOD, Ulrich 2002). How near, the [`LodRanges`] say:
//! they follow from the geometric error of each level ([`LevelErrors`]) and the screen-space error that is allowed, and keep
//! the gaps that make neighbors differ by one level at most. Their docs prove that there is no crack.
//!
#![doc = include_str!("../docs/pictures/quadtree.svg")]
//!
//! - Toward a coarser neighbor a chunk leaves out every second border vertex ([`triangle_indices`], [`StitchMask`]): both draw
//!   the same vertices, so there is no T-junction and nothing to hide:
//!
#![doc = include_str!("../docs/pictures/stitching.svg")]
//!
//! - Before a chunk gives way to the next coarser level, its vertices have moved onto the surface of that level ([`Morph`]):
//!   the change can't be seen.
//! - The [`plan`] of a frame says which chunks to draw, to build and to keep, while viewers move and chunks are missing.
//! - [`LodCost`] says what a quadtree, or a viewer with these settings, costs in triangles and memory.
//! - [`SurfacePoint`] is the ground at full detail at any place, between its vertices too.
//! - [`seam_report`] walks along every border of a quadtree and says where two chunks do not meet.

mod coord;
mod coord_map;
mod cost;
mod errors;
mod extremes;
mod geometry;
mod lod_ranges;
mod morph;
pub mod plan;
mod quadtree;
mod seams;
mod settings;
mod slices;
mod stitching;
mod surface;
mod viewer;

pub use coord::{ChunkCoord, ChunkLayout, LEVELS};
pub use coord_map::{CoordHasher, CoordMap, CoordSet};
pub use cost::LodCost;
pub use errors::LevelErrors;
pub use geometry::{ChunkBuilder, ChunkGeometry};
pub use lod_ranges::LodRanges;
pub use morph::{Morph, MorphViewer};
pub use quadtree::LodQuadtree;
pub use seams::{Seam, SeamKind, SeamReport, seam_report};
pub use settings::{ChunkSettings, LodSettings, StreamSettings};
pub use slices::ChunkSlices;
pub use stitching::{Side, StitchMask, quad_height, ring_indices, ring_start, triangle_indices};
pub use surface::{SurfacePoint, surface_height, surface_normal};
pub use viewer::{Viewer, ViewerPoint};
