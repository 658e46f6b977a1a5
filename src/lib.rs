//! Endless, seamless, hot-reloading Perlin terrain for Bevy.
//!
//! Add [`TerrainPlugins`](crate::TerrainPlugins), spawn a [`Terrain`](stream::Terrain) with a RON settings file, and add a
//! [`TerrainViewer`](stream::TerrainViewer) to the camera. Chunks of ground appear around the viewer, without seams. When you
//! edit the file, the running game follows.
//!
//! ```no_run
#![doc = include_str!("../examples/minimal.rs")]
//! ```
//!
//! # A tour
//!
//! The crate is a pure core with a thin engine layer on top. Each module uses only the modules to its left:
//!
//! ```text
//! param <- noise <- field <- chunk <- stream <- render <- inspector
//!                                     ground
//! ```
//!
//! Each layer defines its own settings as plain data. [`settings`] combines them into one struct.
//!
//! - [`noise`]: gradient noise and fractal sums of it.
//! - [`field`]: the [`HeightField`](field::HeightField), a function from a position to a height: a sum of layers of noise.
//! - [`chunk`]: squares of the world grid at many levels of detail: their vertices and normals, and which of them to draw.
//! - [`settings`]: all parameters in one struct, [`TerrainSettings`](settings::TerrainSettings), and its RON file: loading,
//!   validating and saving.
//! - [`stream`]: chunks as entities that are spawned and despawned around viewers.
#![cfg_attr(feature = "bevy", doc = "  Messages and readiness for games: [`stream::messages`], [`stream::readiness`].")]
//! - [`render`]: meshes, the material of the ground, the sea.
#![cfg_attr(
    feature = "bevy",
    doc = "- [`ground`]: heights and normals at any position, of the drawn triangles or of the smooth field."
)]
#![cfg_attr(feature = "inspector", doc = "- [`inspector`]: an egui panel that edits the settings of the running game.")]
//! - [`param`]: the list of parameters that validation, the inspector and error messages share.
//!
//! Without the `bevy` feature, only the core remains: heights for servers and tools. It compiles in seconds.
//!
//! # Guarantees
//!
//! - **No seams.** A vertex belongs to the world grid, not to a chunk. Two chunks with a common border have the same vertices on
//!   it, with the same bits of height and normal, anywhere on the terrain and at any two levels of detail. This holds in the
//!   terrain's own coordinates. The GPU adds the world position of each chunk, rounded to `f32`. So a shared vertex may differ by
//!   two roundings between two chunks if the `Terrain` is rotated or scaled, or if it is more than 16 km from a chunk and the
//!   [spacing](chunk::ChunkLayout::new) is not a round number.
//! - **No pops.** While viewers move, vertices move (geomorph) from one level of detail to the next before the chunks change.
//!   These changes are immediate: new settings, a changed view distance, and a viewer that is removed or teleports. Levels also
//!   change at once with plain meshes, with `lod.morph` off, and with more than 16 viewers.
//! - **No holes.** In every frame, the drawn chunks tile the ground around every viewer exactly once, up to its current view
//!   distance. A viewer that teleports gets full detail around it in the same frame; its horizon follows within some frames.
//!   When heights change, the old ground stays until the new one is ready. Both are swapped in one frame.
//! - **Far is as good as near.** A million kilometres from the origin, the same heights look the same.
//! - **The same bits everywhere.** The same settings give the same heights on every machine, at every optimization level and
//!   with any number of threads.
//! - **One write path.** The file, the inspector and your code all change the same asset, and one system reacts. A change
//!   rebuilds only what it affects: new heights rebuild chunks, a new color does not.
//! - **The last valid settings stay.** A broken file or value changes nothing. The error names file, line, column, field and
//!   allowed range.
//!
//! # Troubleshooting
//!
//! **Feet float above the ground or sink into it.** Use [`TerrainGround::height`](ground::TerrainGround::height), the height of
//! the drawn triangles. `field_height` and [`HeightField::height`](field::HeightField::height) are heights of the smooth field.
//! Between vertices they differ from the triangles by decimetres.
//!
//! **Nothing is visible.** Check four things: an entity has a `TerrainViewer`; the camera is above the ground (see
//! [`TerrainGround`](ground::TerrainGround)); the log has no error about the settings file; the scene has a light.
//!
//! **A panic mentions `DefaultPlugins`.** Add `TerrainPlugins` after them: `(DefaultPlugins, TerrainPlugins)`.
//!
//! **The edge of the terrain is visible.** Set `far` of the camera's `PerspectiveProjection`, which is 1000 m by default, to at
//! least the view distance. Raise [`TerrainViewer::view_distance`](stream::TerrainViewer). Hide the edge with Bevy's
//! `DistanceFog`, as the `fly_through` example does.
//!
//! **Debug builds load slowly.** Optimize dependencies in your `Cargo.toml`: `[profile.dev.package."*"] opt-level = 3`.
//!
//! **Too many triangles, or too few.** Change `lod.pixel_error` in the settings. The inspector shows the cost.
//!
//! **The ground is full of random bumps.** Some octaves are too fine for the distance between vertices. The log, the inspector
//! and [`TerrainSettings::warnings`](settings::TerrainSettings::warnings) name them and suggest changes.
//!
//! **Everything jitters far from the origin.** The ground is exact at any distance, but Bevy's transforms are `f32`: their
//! precision is 4 mm at 50 km, and worse than a centimetre beyond 131 km. Three things help, see [`stream`]:
//! [`TerrainOrigin`](stream::TerrainOrigin), [`OriginShiftPlugin`](stream::OriginShiftPlugin), and the feature `big_space`.

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
pub mod settings;
#[cfg(feature = "bevy")]
pub mod stream;
#[cfg(all(test, feature = "inspector"))]
#[path = "../tests/common/folder.rs"]
mod test_folder;

#[cfg(feature = "bevy")]
pub use plugin::{TerrainMinimalPlugins, TerrainPlugins};

/// The types that most games need: `use bevy_perlin_terrain::prelude::*;`.
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
            GroundHidden, GroundShown, KeepGround, OriginShiftPlugin, OriginShifted, Terrain, TerrainBudget,
            TerrainChunk, TerrainOrigin, TerrainPlace, TerrainReady, TerrainState, TerrainStats, TerrainStreamState,
            TerrainSystems, TerrainViewer, ViewerLens, is_terrain_ready, terrain_ready_around,
        },
    };
}

/// Compiles the README's examples.
#[cfg(all(doctest, feature = "render"))]
#[doc = include_str!("../README.md")]
struct Readme;
