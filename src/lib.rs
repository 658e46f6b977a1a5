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
//! Contents: [a tour](#a-tour), [guarantees](#guarantees), [troubleshooting](#troubleshooting).
//!
//! # A tour
//!
//! The terrain itself is the crate `perlin_terrain`, which knows no engine. Its modules [`field`], [`chunk`], [`look`], [`light`],
//! [`settings`] and [`draft`] are here too, and so is its [`noise`], the crate `perlin_fbm`. Servers and tools without Bevy use these
//! crates alone, with the same heights.
//!
//! This crate puts that terrain into a Bevy world. Settings files are [assets](asset). In every frame, a planner decides which chunks to
//! draw and which to build; background tasks build them, and one system adds them to the world: [`stream`]. The other modules use it,
//! each only those to its left:
//!
//! ```text
//! asset <- stream <- ground, plants <- render <- sky <- inspector
//! ```
//!
//! | you want to | start with |
//! | --- | --- |
//! | stand on the ground, shoot at it, see across it, click on it | [`ground`], [`TerrainGround`](ground::TerrainGround) |
//! | know when ground is there, and when it changes | [`stream::readiness`], [`stream::messages`] |
//! | control what is loaded, and what it costs | [`stream`], [`TerrainBudget`](stream::TerrainBudget) |
//! | play far from the origin | [`OriginShiftPlugin`](stream::OriginShiftPlugin), [`TerrainOrigin`](stream::TerrainOrigin) |
//! | know where plants stand, and fell them | [`plants`], [`TerrainPlants`](plants::TerrainPlants) |
//! | describe what covers the ground | [`look`] |
//! | know where the sun stands | [`light`] |
#![cfg_attr(feature = "render", doc = "| use a material of your own, or keep meshes readable | [`render`] |")]
#![cfg_attr(feature = "sky", doc = "| give cameras sun, sky, clouds and haze | [`sky`] |")]
#![cfg_attr(feature = "inspector", doc = "| tune the settings in the running game | [`inspector`] |")]
//! | read, check, change or save settings | [`settings`], [`TerrainSettings`](settings::TerrainSettings) |
//! | compute heights and rays on a server or in a tool | [`field`], [`Ground`](ground::Ground) |
//! | build the meshes yourself | [`chunk`] |
//! | use the noise alone | [`noise`] |
//! | list all parameters, with ranges and help texts | [`param`] |
//!
//! # Guarantees
//!
//! - **No seams.** A vertex belongs to the world grid, not to a chunk. Two chunks with a common border have the same vertices on
//!   it, with the same bits of height and normal, anywhere on the terrain and at any two levels of detail. This holds in the
//!   terrain's own coordinates. The GPU adds the world position of each chunk, which is `f32`. In two cases, this position is
//!   rounded, and a shared vertex may differ by two roundings between two chunks: if the `Terrain` is rotated or scaled, and if a
//!   chunk is more than 16 km from it and the [spacing](chunk::ChunkLayout::new) is not a round number, such as 4 m.
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
//! **There is no ground.** Check these:
//!
//! - The log has no error about the settings file. The path is relative to `assets/`, and the name ends in `.terrain.ron`.
//! - The log does not say that the terrain has no viewer. The camera needs a `TerrainViewer`.
//! - The camera is above the ground, and looks at it. A preset has hills of several hundred metres, and back faces are not drawn.
//!   See [`TerrainGround`](ground::TerrainGround) for the height.
//! - The scene has a light. Without one, the ground is black.
//!
//! **The ground is white.** Either it is snow: all of it lies above `height.from` of the layer `snow` in `look.layers`. Or it is too
//! bright: a light of 100 000 lux, which is direct sunlight, needs a camera with `Exposure::SUNLIGHT`. The default exposure suits
//! about 10 000 lux.
//!
//! **Slopes in the shade are black, or flat.** Add a second, weak `DirectionalLight` from the other side, as in the example above.
//! A brighter `GlobalAmbientLight` does not help: it lights all slopes alike.
//!
//! **The edge of the terrain is visible.** Set `far` of the camera's `PerspectiveProjection`, which is 1000 m by default, to at
//! least the view distance. The log warns if it is less. Raise [`TerrainViewer::view_distance`](stream::TerrainViewer). Hide the
//! edge with the haze of a [`TerrainSky`](sky::TerrainSky), or with Bevy's `DistanceFog`.
//!
//! **Debug builds load slowly.** Optimize dependencies in your `Cargo.toml`: `[profile.dev.package."*"]` with `opt-level = 3`.
//!
//! **Everything jitters far from the origin.** The ground is exact at any distance, but Bevy's transforms are `f32`: their
//! precision is 4 mm at 50 km, and worse than a centimetre beyond 131 km. Three things help, see [`stream`]:
//! [`TerrainOrigin`](stream::TerrainOrigin), [`OriginShiftPlugin`](stream::OriginShiftPlugin), and the feature `big_space`.
//!
//! **Feet float above the ground or sink into it.** Use [`TerrainGround::height`](ground::TerrainGround::height), the height of
//! the drawn triangles. `field_height` and [`HeightField::height`](field::HeightField::height) are heights of the smooth field.
//! Between vertices they differ from the triangles, by decimetres on rough ground.
//!
//! **The ground is full of random bumps.** Some octaves are too fine for the distance between vertices. The log, the inspector
//! and [`TerrainSettings::warnings`](settings::TerrainSettings::warnings) name them and suggest changes.
//!
//! **Too many triangles, or too few.** Change `lod.pixel_error` in the settings. The inspector shows the cost.
//!
//! **A body falls through the ground.** It needs a collider, [`KeepGround`](stream::KeepGround), and the `TerrainColliderPlugin` of
//! `bevy_perlin_terrain_avian` or `bevy_perlin_terrain_rapier`: this crate alone makes no colliders.
//!
//! **A panic mentions `DefaultPlugins`.** Add `TerrainPlugins` after them: `(DefaultPlugins, TerrainPlugins)`.
//!
//! **A panic says that `TerrainSettings` has not been initialized.** Add `TerrainPlugins`, or `TerrainMinimalPlugins` on a server.

pub mod asset;
#[cfg(doctest)]
mod docs;
pub mod ground;
#[cfg(feature = "inspector")]
pub mod inspector;
pub mod plants;
mod plugin;
#[cfg(feature = "render")]
pub mod render;
#[cfg(feature = "sky")]
pub mod sky;
pub mod stream;

#[doc(inline)]
pub use perlin_terrain::{chunk, draft, field, light, look, noise, param, settings};
pub use plugin::{TerrainMinimalPlugins, TerrainPlugins};

/// The types that most games need: `use bevy_perlin_terrain::prelude::*;`.
pub mod prelude {
    pub use perlin_terrain::prelude::*;

    pub use crate::{
        TerrainMinimalPlugins, TerrainPlugins,
        ground::TerrainGround,
        plants::{RemovedPlants, TerrainPlant, TerrainPlants},
        stream::{
            ChunkBounds, ChunkDrawn, ChunkHidden, ChunkLevelChanged, ChunkShown, ChunkStitchMask, ChunkSurface,
            ColliderTile, GroundEdited, GroundHidden, GroundShown, KeepGround, OriginShiftPlugin, OriginShifted,
            Terrain, TerrainBudget, TerrainChunk, TerrainEdits, TerrainOrigin, TerrainPosition, TerrainReady,
            TerrainState, TerrainStats, TerrainStreamState, TerrainSystems, TerrainViewer, ViewerLens, WaitsForGround,
            is_terrain_ready, terrain_ready_around,
        },
    };

    #[cfg(feature = "picking")]
    pub use crate::ground::TerrainPick;

    #[cfg(feature = "sky")]
    pub use crate::sky::TerrainSky;
}
