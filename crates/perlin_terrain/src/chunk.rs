//! Chunks: squares of the world grid, with vertices, normals and triangles. Also selects which chunks to draw.
//!
//! A game with Bevy needs little of this: [`ChunkCoord`] and [`ChunkLayout`] name and measure the chunks in its messages. Another
//! engine or a tool finds here [`surface_height`] and [`surface_normal`] of the triangles at any position, [`ChunkBuilder`] for the
//! geometry of a chunk, and [`LodQuadtree`] or the [`plan`] for what to draw.
//!
//! # One world grid
//!
//! All vertices lie on one grid that covers the plane. Level 0 has `spacing` metres between vertices; level `l` has every `2^l`-th
//! vertex. A vertex is named by its global integer index. Its height is a function of that index and the settings alone. So two
//! chunks compute the same bits for a vertex on their common border:
//!
//! ```text
//!      chunk (0, 0)       chunk (1, 0)
//!   0---1---2---3---4 = 4---5---6---7---8    the index 4 is one vertex, computed twice, the same
//! ```
//!
//! # Levels of detail
//!
//! Chunks of level 0 surround every viewer. Chunks of level 1 surround these; they are twice as wide, with the same number of
//! vertices. The levels continue to the horizon. They form a [`LodQuadtree`] that is split near viewers (chunked LOD, Ulrich 2002).
//! The [`LodRanges`] are the distances of these splits. They follow from the geometric error of each level ([`LevelErrors`]) and the
//! allowed screen-space error. The gaps between them make neighbors differ by one level at most. Their docs prove that there are no
//! cracks.
//!
#![doc = include_str!("../docs/quadtree.svg")]
//!
//! - Stitching: toward a coarser neighbor, a chunk skips every second border vertex ([`triangle_indices`], [`StitchMask`]). Both
//!   chunks draw the same vertices, so there are no T-junctions:
//!
#![doc = include_str!("../docs/stitching.svg")]
//!
//! - Geomorph: before a coarser chunk replaces a chunk, the vertices of the finer chunk move onto the coarser surface ([`Morph`]).
//!   So the change is invisible.
//! - The [`plan`] of a frame lists the chunks to draw, to build and to keep, while viewers move and chunks are missing.
//! - [`LodCost`] is the cost of a quadtree, or of a viewer, in triangles and memory.
//! - [`SurfacePoint`] is a point of the ground at full detail, at any position.
//! - [`seam_report`] checks every border of a quadtree and lists the positions where two chunks do not match.

mod coord;
mod coord_map;
mod cost;
mod errors;
mod extremes;
mod geometry;
mod heights;
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
mod viewer_point;

pub use coord::{ChunkCoord, ChunkLayout, LEVELS};
pub use coord_map::{CoordHasher, CoordMap, CoordSet};
pub use cost::LodCost;
pub use errors::LevelErrors;
pub use geometry::{ChunkBuilder, ChunkGeometry};
pub use heights::{ChunkHeights, ChunkVertex};
pub use lod_ranges::LodRanges;
pub use morph::{Morph, MorphViewer};
pub use quadtree::LodQuadtree;
pub use seams::{Seam, SeamKind, SeamReport, seam_report};
pub use settings::{ChunkSettings, LodSettings, StreamSettings};
pub use slices::ChunkSlices;
#[doc(hidden)]
pub use stitching::quad_indices;
pub use stitching::{Side, StitchMask, quad_height, triangle_indices};
pub(crate) use surface::Quad;
pub use surface::{SurfacePoint, surface_height, surface_normal};
pub use viewer::Viewer;
pub use viewer_point::ViewerPoint;
