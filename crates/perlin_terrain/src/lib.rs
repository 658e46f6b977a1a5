//! Endless terrain without an engine: heights, chunks, ground queries, colors, light, plants and settings.
//!
//! The crate `bevy_perlin_terrain` draws this terrain in Bevy. Use this one on a server, in a tool, or with an engine of your own.
//!
//! ```
//! use perlin_terrain::prelude::*;
//!
//! let settings = TerrainSettings::from_ron("(field: (seed: 7), chunks: (spacing: 4.0))").expect("the text is valid");
//! let field = HeightField::new(&settings.field);
//! let layout = ChunkLayout::new(&settings.chunks);
//! // The triangle under a foot, a million kilometres away: the same as every client draws.
//! let height = surface_height(&field, &layout, 1e9 + 120.0, -40.0);
//! let (lowest, highest) = field.bounds();
//! assert!(f64::from(lowest) <= height && height <= f64::from(highest));
//! ```
//!
//! # A tour
//!
//! The settings describe a [`HeightField`](field::HeightField): a function from a position to a height, a stack of layers of
//! [`noise`], dunes, valleys and filters. Around every viewer, the ground is cut into square chunks of several levels of detail. A chunk of the next coarser level
//! is twice as wide and has the same number of vertices.
//!
#![doc = include_str!("../docs/quadtree.svg")]
//!
//! In every frame, a [planner](chunk::plan) decides which chunks to draw and which to build. A [`ChunkBuilder`](chunk::ChunkBuilder)
//! computes their vertices. [`Ground`](ground::Ground) answers questions about the triangles of the finest level.
//!
//! Each module uses only the modules to its left:
//!
//! ```text
//! param <- noise <- field <- chunk <- look, light, ground <- plants <- settings <- draft
//! ```
//!
//! Text of settings is read and edited by a private module, `ron_edit`, which knows none of the others.
//!
//! | you want to | start with |
//! | --- | --- |
//! | read, check, change or save settings | [`settings`], [`TerrainSettings`](settings::TerrainSettings) |
//! | know the height of the land | [`field`] |
//! | stand on the ground, shoot at it, see across it | [`ground`] |
//! | decide which chunks to draw, and build their vertices | [`chunk`] |
//! | know what covers a position | [`look`] |
//! | know where trees and stones stand | [`plants`] |
//! | know where the sun stands | [`light`] |
//! | edit settings, check the edits and save them | [`draft`] |
//! | list all parameters, with ranges and help texts | [`param`] |
//!
//! # Features
//!
//! - `bevy_reflect`: the settings are `Reflect`.
//! - `bevy_asset`: the settings are assets too.
//! - `bevy_ecs`: the list of removed plants is a component.

pub mod chunk;
#[cfg(doctest)]
mod docs;
pub mod draft;
pub mod field;
pub mod ground;
#[doc(hidden)]
pub mod half;
pub mod light;
pub mod look;
mod period;
pub mod plants;
mod ron_edit;
pub mod settings;
mod tile_noise;

#[doc(inline)]
pub use perlin_fbm as noise;
#[doc(inline)]
pub use perlin_params as param;

/// The types that most programs need: `use perlin_terrain::prelude::*;`.
pub mod prelude {
    pub use crate::chunk::{ChunkCoord, ChunkLayout, surface_height, surface_normal};
    pub use crate::field::HeightField;
    pub use crate::settings::TerrainSettings;
}
