//! Streaming: chunks as entities that follow the viewers.
//!
//! A game uses it to:
//!
//! - Spawn a [`Terrain`] and mark cameras as [`TerrainViewer`].
//! - Keep the ground under bodies ready for a physics engine with [`KeepGround`], as [`ColliderTile`]s.
//! - Wait for the ground, with [`TerrainStreamState`] or [`terrain_ready_around`]; see [`readiness`].
//! - Change the ground while it runs, with [`TerrainEdits`].
//! - React when ground appears, changes and disappears; see [`messages`].
//! - Limit the time and memory of terrain with [`TerrainBudget`], and measure them with [`TerrainStats`].
//! - Play far from the origin, with [`OriginShiftPlugin`] or [`TerrainOrigin`].
//!
//! # One frame
//!
//! Everything runs in `PostUpdate`, before transforms are propagated, in the order of [`TerrainSystems`]:
//!
//! 1. **React** to settings. If heights or the chunk grid changed, start a new [ground](#reload-without-a-hole) (`reload`). Give the
//!    grounds the edits that are new (`edits`).
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
//! A chunk is an entity with [`TerrainChunk`], [`ChunkBounds`] and a `Transform`, a child of its terrain. Its [`ChunkDrawn`] says
//! whether it is drawn. It has a [`ChunkSurface`], which the render layer moves into a mesh; a server has no render layer.
//!
//! # From a camera to the plan: the types of a viewer
//!
//! | type | what it is | made by |
//! | --- | --- | --- |
//! | [`TerrainViewer`], [`ViewerLens`] | components: how far and how finely a camera sees | the game, and the render layer |
//! | [`ViewerPoint`](crate::chunk::ViewerPoint) | the position and the view, in the terrain's own coordinates | `viewers` |
//! | [`PlanViewer`](crate::chunk::plan::PlanViewer) | a point with an identity and a velocity: what a plan is asked for | `viewers` |
//! | [`Viewer`](crate::chunk::Viewer) | a point with its LOD ranges | the planner |
//! | [`PlannedViewer`](crate::chunk::plan::PlannedViewer) | the viewer of now, and the one that it grows to | the planner |
//! | [`MorphViewer`](crate::chunk::MorphViewer) | the position and the morph bands in `f32` | the render layer, for the shader |
//!
//! # What a frame costs
//!
//! Tasks compute heights, meshes and level errors. The main thread plans, which takes some microseconds for each viewer that moves,
//! and changes the world, which takes some microseconds for each chunk.
//!
//! - Spawning finished chunks and despawning old ones can wait, so it stays within [`TerrainBudget::time_budget`] and
//!   [`TerrainBudget::upload_budget`].
//! - Chunks without which there would be a hole can't wait: at most [64 are built in a frame](TerrainBudget::MAX_BUILT_NOW).
//! - Showing and hiding can't wait either: half of a change would open cracks.
//! - While no viewer moves and nothing changes, a frame only compares the viewers with those of the last frame.
//!
//! Without threads, in a browser, chunks are built on the main thread, a slice at a time, within the same budget; see
//! [`TerrainStreamPlugin::threads`].
//!
//! The stages are timed in [`TerrainStats`], and are tracing spans of level debug: `terrain_react`, `terrain_select`,
//! `terrain_apply`, `terrain_render`, `terrain_generate`, and in tasks `terrain_build_chunk` and `terrain_measure_levels`.
//!
//! # Always whole
//!
//! In every frame, the drawn chunks are the visible leaves of one quadtree, selected with
//! [LOD ranges](crate::chunk::LodRanges) that exclude cracks. If chunks are missing, a viewer's ranges or its view distance get
//! smaller and grow back. After a jump, the viewer stands on chunks of level 0 in the same frame, up to the distance that 64 chunks
//! allow; the horizon follows in the next frames. See [`chunk::plan`](crate::chunk::plan) for the rules.
//!
//! # Bodies
//!
//! Around every entity with [`KeepGround`], the terrain spawns [`ColliderTile`]s: level-0 heights of 32 by 32 quads, from which the
//! physics crates make colliders. They need neither viewers nor chunks, so a server has the same ones. The tiles under a body are
//! there in the frame in which it is spawned or teleported, up to [16 in a frame](ColliderTile::MAX_BUILT_NOW); a body whose
//! tiles are not there has [`WaitsForGround`].
//!
//! # Reload without a hole
//!
//! All chunks of one set of height settings are a *ground*. After an edit, a second ground is planned and built, hidden, while
//! the first one stays and follows its viewers. Both are swapped in a single frame, as soon as the second can show no less than the
//! first; collider tiles are replaced in the same frame. Later edits wait, and then the last of them is built: dragging a slider shows
//! progress, and a burst of edits ends in the last state. Only undoing the edit, or another edit of the chunk settings, cancels the second ground.
//!
//! # Far from the origin
//!
//! Vertices are named by integers, and their heights are as exact a million kilometres away as at the origin. Bevy's transforms
//! are `f32`, so a game keeps its viewers near the origin of the world, in one of three ways:
//!
//! - A game that plays in one place, however far, puts a [`TerrainOrigin`] on its [`Terrain`].
//! - A game that travels adds the [`OriginShiftPlugin`], which keeps the viewer near the origin of the world.
//! - A game of planets and stars uses `big_space`, with the feature of that name.
//!
//! [`ChunkBounds`] and [`TerrainState::viewers`] are positions of the terrain, in `f64`; [`TerrainPosition`] converts between them and
//! positions of the world. Only chunks and collider tiles follow a change of the [`TerrainOrigin`]: any other child of the [`Terrain`] keeps its
//! `Transform`. So don't make things on the ground children of the [`Terrain`].
#![cfg_attr(
    feature = "big_space",
    doc = "
# In a `BigSpace`

The [`Terrain`] is spawned in a grid, and becomes a grid itself, with cells of the same size. Its chunks are its children, each in a
cell. It may be turned about y and stand anywhere, but not be scaled. Viewers can be anywhere in the same space: in a cell, or
children of an entity in a cell. A cell whose side is a whole number of metres keeps the corners of chunks exact. The plugins of
`big_space` replace Bevy's `TransformPlugin`, and no [`OriginShiftPlugin`] is needed. A viewer outside of the space sees the
terrain where it was drawn in the last frame.

```no_run"
)]
#![cfg_attr(feature = "big_space", doc = include_str!("../examples/far_away.rs"))]
#![cfg_attr(feature = "big_space", doc = "```")]

mod apply;
mod budget;
mod build;
mod changes;
mod collider_tiles;
mod components;
mod edits;
mod faults;
mod plan;
mod plugin;
mod position;
mod reload;
mod report;
mod schedule;
mod state;
mod streamed_terrain;
mod terrain;
mod viewers;

#[cfg(feature = "render")]
pub(crate) use apply::count_changes;
pub use budget::{TerrainBudget, TerrainClock};
#[cfg(feature = "render")]
pub(crate) use build::ChunkStore;
#[cfg(any(feature = "render", feature = "picking"))]
pub(crate) use build::SurfaceFinish;
#[cfg(feature = "render")]
pub(crate) use build::{Background, Finished, drop_in_background};
pub(crate) use build::{StreamThreads, TaskList, build_now};
pub(crate) use collider_tiles::Body;
pub use collider_tiles::{ColliderTile, KeepGround, WaitsForGround};
pub use components::{ChunkDrawn, ChunkStitchMask, ChunkSurface, TerrainChunk, TerrainViewer, ViewerLens};
pub use edits::TerrainEdits;
#[cfg(feature = "render")]
pub(crate) use faults::Faults;
pub use plugin::TerrainStreamPlugin;
pub use position::{
    ChunkBounds, OriginAnchor, OriginFixed, OriginShiftPlugin, OriginShifted, TerrainFrame, TerrainOrigin,
    TerrainPosition, WorldOrigin,
};
pub(crate) use position::{TerrainPlace, TerrainPositionItem};
#[cfg(feature = "hot_reload")]
pub use reload::TerrainHotReloadPlugin;
pub use report::{
    ChunkHidden, ChunkLevelChanged, ChunkShown, GroundEdited, GroundHidden, GroundShown, SeamWatch, StageTimes,
    TerrainDiagnosticsPlugin, TerrainHistory, TerrainHistoryPlugin, TerrainReady, TerrainSeamPlugin, TerrainStats,
    TerrainStreamState, is_terrain_ready, messages, readiness, terrain_ready_around,
};
#[cfg(feature = "render")]
pub(crate) use schedule::StreamWork;
pub use schedule::TerrainSystems;
pub use state::TerrainState;
pub use terrain::Terrain;
#[cfg(feature = "inspector")]
pub(crate) use viewers::ViewerPositions;
#[cfg(feature = "sky")]
pub(crate) use viewers::choose;
