//! Endless, seamless, hot-reloading Perlin terrain for Bevy.
//!
//! A game adds [`TerrainPlugins`](crate::TerrainPlugins), spawns a [`Terrain`](stream::Terrain) with a RON file of settings
//! and marks its camera as a [`TerrainViewer`](stream::TerrainViewer). Chunks of ground appear around the viewer and stay
//! seamless; editing the file changes the running game.
//!
//! ```no_run
#![doc = include_str!("../examples/minimal.rs")]
//! ```
//!
//! # A tour
//!
//! The crate is a pure core with a thin engine layer on top. Each module knows those to its left and none to its right:
//!
//! ```text
//! param <- noise <- field <- chunk <- stream <- render <- inspector
//!                                     ground
//! ```
//!
//! The settings of each layer are plain data beside what they configure; [`settings`] composes them into one struct, which
//! the engine layers read.
//!
//! - [`noise`]: gradient noise and fractal sums of it.
//! - [`field`]: layers of noise become a [`HeightField`](field::HeightField), a function from a place to a height.
//! - [`chunk`]: squares of one world grid at many levels of detail, their vertices and normals, and which of them to draw.
//! - [`settings`]: all parameters as one struct, [`TerrainSettings`](settings::TerrainSettings), and its RON file: reading,
//!   checking, saving, reloading.
//! - [`stream`]: chunks as entities, which come and go with the viewers.
#![cfg_attr(feature = "bevy", doc = "  What games are told: [`stream::messages`], [`stream::readiness`].")]
//! - [`render`]: meshes, the material of the ground, the sea.
#![cfg_attr(
    feature = "bevy",
    doc = "- [`ground`]: heights and normals anywhere, of the drawn triangles or of the smooth field, for games."
)]
#![cfg_attr(feature = "inspector", doc = "- [`inspector`]: an egui panel over the live settings.")]
//! - [`param`]: the list of parameters that validation, the inspector and error messages share.
//!
//! Without the `bevy` feature only the core remains, which compiles in seconds: heights for servers and tools.
//!
//! # What holds
//!
//! - **No seams.** A vertex belongs to the world grid, not to a chunk. Two chunks that share a vertex draw the same bits of its
//!   height and its normal, at any place of the terrain and at any two levels of detail; and two chunks that share a border
//!   share its vertices. That holds in the terrain's own coordinates. The graphics card adds the place of the chunk in the
//!   world, rounded to `f32` for each chunk by itself: where the `Terrain` is turned or scaled, or stands further than 16 km
//!   from a chunk and the [spacing](chunk::ChunkLayout::new) is not round, one vertex of two chunks may lie two roundings apart.
//! - **No pops.** While viewers move, vertices move from one level of detail onto the next before the chunks change. Other
//!   changes switch at once: settings, how far a viewer sees, a viewer that vanishes or jumps, and everything with plain meshes,
//!   with `lod.morph` off or with more than 16 viewers.
//! - **No holes.** In every frame the drawn chunks tile the ground around every viewer, as far as its view in force goes. A viewer
//!   that jumps stands on full detail in the same frame; its horizon follows within some frames. When heights change, the old
//!   ground stays until the new is ready; then they change places in one frame.
//! - **Far is as good as near.** A million kilometres from the origin, the same heights make the same picture.
//! - **The same bits everywhere.** The same settings give the same heights on every machine, at every optimization level, on
//!   any number of threads.
//! - **One write path.** The file, the inspector and your code all change the same asset, and one system reacts. Only what a
//!   change touches is rebuilt: heights rebuild chunks, a color does not.
//! - **The last good settings stay.** A broken file or value is reported by file, line, column, field and allowed range, and
//!   changes nothing.
//!
//! # Troubleshooting
//!
//! **Feet float above the ground or sink into it.** Ask for [`TerrainGround::height`](ground::TerrainGround::height), which is
//! that of the drawn triangles. `field_height` and [`HeightField::height`](field::HeightField::height) are those of the smooth
//! field, which differ by decimetres between vertices.
//!
//! **Nothing is to be seen.** Is there a `TerrainViewer` on the camera, or on anything else? Is the camera above the ground
//! ([`TerrainGround`](ground::TerrainGround) knows)? Does the log report the settings file? Is there a light?
//!
//! **A panic that names `DefaultPlugins`.** `TerrainPlugins` must be added after them: `(DefaultPlugins, TerrainPlugins)`.
//!
//! **The edge of the world is in sight.** Set `far` of the camera's `PerspectiveProjection`, which is 1000 m by default, to the view
//! distance or more; raise [`TerrainViewer::view_distance`](stream::TerrainViewer); and hide the edge with Bevy's `DistanceFog`, as
//! the `fly_through` example does.
//!
//! **Debug builds load slowly.** Optimise dependencies in your `Cargo.toml`: `[profile.dev.package."*"] opt-level = 3`.
//!
//! **Too many triangles, or too few.** `lod.pixel_error` in the settings decides; the inspector tells what it costs.
//!
//! **The ground is full of random bumps.** Octaves are too fine for the distance between vertices. The log, the inspector and
//! [`TerrainSettings::warnings`](settings::TerrainSettings::warnings) say which, and what would help.
//!
//! **Everything trembles far from the origin.** The ground is exact at any distance, but Bevy's transforms are `f32`: their
//! steps are 4 mm at 50 km, and more than a centimetre from 131 km on. Three things help, see [`stream`]: [`TerrainOrigin`](stream::TerrainOrigin),
//! [`OriginShiftPlugin`](stream::OriginShiftPlugin), and the feature `big_space`.

pub mod chunk;
pub mod field;
#[cfg(feature = "bevy")]
pub mod ground;
#[cfg(feature = "inspector")]
pub mod inspector;
pub mod noise;
pub mod param;
#[cfg(feature = "bevy")]
mod plugin;
#[cfg(test)]
#[path = "../tests/common/property.rs"]
mod property;
pub mod render;
#[cfg(feature = "inspector")]
mod replace_file;
pub mod settings;
#[cfg(feature = "bevy")]
pub mod stream;
#[cfg(all(test, feature = "inspector"))]
#[path = "../tests/common/folder.rs"]
mod test_folder;

#[cfg(feature = "bevy")]
pub use plugin::{TerrainMinimalPlugins, TerrainPlugins};

/// What most games need: `use bevy_perlin_terrain::prelude::*;`.
pub mod prelude {
    pub use crate::chunk::{ChunkCoord, ChunkLayout, surface_height, surface_normal};
    pub use crate::field::HeightField;
    pub use crate::settings::TerrainSettings;

    #[cfg(feature = "bevy")]
    pub use crate::{
        TerrainMinimalPlugins, TerrainPlugins,
        ground::TerrainGround,
        stream::{
            ChunkBounds, ChunkDrawn, ChunkHidden, ChunkLevelChanged, ChunkShown, ChunkStitchMask, ChunkSurface,
            GroundHidden, GroundShown, KeepGround, OriginShiftPlugin, Terrain, TerrainBudget, TerrainChunk,
            TerrainOrigin, TerrainPlace, TerrainReady, TerrainState, TerrainStats, TerrainStreamState, TerrainSystems,
            TerrainViewer, ViewerLens, is_terrain_ready, terrain_ready_around,
        },
    };
}

/// Compiles the README's examples.
#[cfg(all(doctest, feature = "render"))]
#[doc = include_str!("../README.md")]
struct Readme;
