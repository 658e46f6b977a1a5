//! Streaming: chunks as entities that follow the viewers.
//!
//! What a game does with it:
//!
//! - Spawn a [`Terrain`] and mark cameras as [`TerrainViewer`]; keep ground around other bodies with [`KeepGround`].
//! - Wait for the ground, with [`TerrainStreamState`] or [`terrain_ready_around`]; see [`readiness`].
//! - Follow the ground as it appears, changes and disappears; see [`messages`].
//! - Limit what terrain takes of the machine, with [`TerrainBudget`], and measure it, with [`TerrainStats`].
//! - Play far from the origin, with [`OriginShiftPlugin`] or [`TerrainOrigin`].
//!
//! # One frame
//!
//! Everything runs in `PostUpdate`, before transforms are propagated, in the order of [`TerrainSystems`]:
//!
//! 1. **React** to settings. If heights or the chunk grid changed, begin another ground (`reload`).
//! 2. **Select**: collect the viewers and their velocities (`viewers`), and make one call of the pure planner,
//!    [`chunk::plan`](crate::chunk::plan): which chunks to draw, to build at once, to build next and to keep.
//! 3. **Apply** the difference between the last plan and this one (`apply`): the only code that spawns, shows, hides and
//!    despawns chunks. It works within the [`TerrainBudget`] and sends [`messages`].
//! 4. **Render**: the render layer follows.
//! 5. **Generate**: start background tasks for the head of the build queue (`build`).
//!
//! ```text
//!   viewers --+
//!             +--> planner --> PlanDiff --> applier --> entities, messages
//!   loaded ---+       |                        ^
//!                     +--> build queue --> tasks --> finished chunks
//! ```
//!
//! A chunk is an entity with [`TerrainChunk`], [`ChunkBounds`] and a `Transform`, a child of its terrain. It also has a
//! [`ChunkSurface`], unless a render layer made a mesh of it and was not asked to keep it. Its [`ChunkDrawn`] says whether it is
//! drawn. Nothing here draws: the render layer turns surfaces into meshes, and a server does without.
//!
//! # What a frame costs
//!
//! Heights, meshes and level errors are made in tasks. The main thread plans, some microseconds for each viewer that moves,
//! and changes the world, some microseconds for each chunk. Spawning finished chunks and despawning old ones can wait, so it
//! stays within [`TerrainBudget::time_budget`] and [`TerrainBudget::upload_budget`]. Two things can't: chunks without which
//! there would be a hole, at most [64 a frame](TerrainBudget::MOST_BUILT_NOW), and showing and hiding, as a part of it would be
//! a crack. While no viewer moves and nothing changes, a frame costs only the look at the viewers.
//!
//! Without threads, in a browser, chunks are built on the main thread, a slice at a time, within the same budget; see
//! [`TerrainStreamPlugin::threads`].
//!
//! The stages are timed in [`TerrainStats`], and are tracing spans of level debug: `terrain_react`, `terrain_select`,
//! `terrain_apply`, `terrain_render`, `terrain_generate`, and in tasks `terrain_build_chunk` and `terrain_measure_levels`.
//!
//! # Always whole
//!
//! The drawn chunks are the visible leaves of one quadtree, selected with LOD ranges that prove the absence of cracks, in every
//! frame. If chunks are missing, a viewer's ranges or its view distance get smaller and grow back. After a jump, the viewer
//! stands on chunks of level 0 in the same frame, up to the distance that 64 chunks allow; the horizon follows in the next
//! frames. [`KeepGround`] does the same for bodies without a view. See [`chunk::plan`](crate::chunk::plan) for the rules.
//!
//! # Reload without a hole
//!
//! All chunks of one set of height settings are a *ground*. After an edit, a second ground is planned and built, hidden, while
//! the first one stays and follows its viewers. They change places in a single frame, as soon as the second shows no less than
//! the first. While it is being built, later edits wait, and then the last of them is built: dragging a slider shows progress,
//! and a burst of edits ends in the last state. Only an edit that is undone, or one that cuts chunks another way, cancels it.
//!
//! # Far from the origin
//!
//! Vertices are named by integers, and their heights are as exact a million kilometres away as at the origin. Bevy's transforms
//! are `f32`. Chunks and viewers are placed in `f64` and in integers instead, in one of three ways:
//!
//! - A game that plays in one place, however far, says so with a [`TerrainOrigin`] on its [`Terrain`].
//! - A game that travels adds the [`OriginShiftPlugin`], which keeps the viewer near the origin of the world.
//! - A game of planets and stars uses `big_space`, with the feature of that name.
//!
//! [`ChunkBounds`] and [`TerrainState::viewers`] give places of the terrain in `f64`; [`TerrainPlace`] translates between them
//! and places of the world. Only chunks follow a change of the [`TerrainOrigin`]: another child of the [`Terrain`] keeps its
//! `Transform`, so put what stands on the ground beside the terrain, not below it.
#![cfg_attr(
    feature = "big_space",
    doc = "
# In a `BigSpace`

The [`Terrain`] is spawned in a grid, and becomes a grid itself, with cells as large; its chunks are its children, each in a cell.
It may be turned about y and stand anywhere, but not be scaled. Viewers live anywhere in the same space, in cells or as children
of what is in one. A cell whose side is a whole number of metres keeps the corners of chunks exact. Bevy's `TransformPlugin` is
replaced by the plugins of `big_space`, and no [`OriginShiftPlugin`] is needed. A viewer outside of the space sees the terrain
where it was drawn in the last frame.

```no_run"
)]
#![cfg_attr(feature = "big_space", doc = include_str!("../examples/far_away.rs"))]
#![cfg_attr(feature = "big_space", doc = "```")]

mod apply;
mod budget;
mod build;
mod changes;
mod components;
mod ground;
mod place;
mod plan;
mod plugin;
mod reload;
mod report;
mod schedule;
mod state;
mod terrain;
mod viewers;

#[cfg(feature = "render")]
pub(crate) use apply::count_changes;
pub use budget::{TerrainBudget, TerrainClock};
#[cfg(feature = "inspector")]
pub(crate) use build::in_background;
#[cfg(feature = "render")]
pub(crate) use build::{Finished, SurfaceFinish};
pub use components::{ChunkDrawn, ChunkStitchMask, ChunkSurface, TerrainChunk, TerrainViewer, ViewerLens};
pub use place::{
    ChunkBounds, OriginAnchor, OriginFixed, OriginShiftPlugin, OriginShifted, TerrainFrame, TerrainOrigin,
    TerrainPlace, WorldOrigin,
};
pub use plugin::TerrainStreamPlugin;
#[cfg(feature = "hot_reload")]
pub use reload::TerrainHotReloadPlugin;
pub use report::{
    ChunkHidden, ChunkLevelChanged, ChunkShown, GroundHidden, GroundShown, SeamWatch, StageTimes,
    TerrainDiagnosticsPlugin, TerrainHistory, TerrainHistoryPlugin, TerrainReady, TerrainSeamPlugin, TerrainStats,
    TerrainStreamState, is_terrain_ready, messages, readiness, terrain_ready_around,
};
pub use schedule::TerrainSystems;
pub use state::TerrainState;
pub use terrain::Terrain;
pub use viewers::KeepGround;
#[cfg(feature = "inspector")]
pub(crate) use viewers::ViewerPlaces;
