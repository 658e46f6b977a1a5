//! Streaming: chunks come and go with the viewers.
//!
//! # One frame
//!
//! The systems run in `PostUpdate`, before transforms are propagated, in the order of [`TerrainSystems`]:
//!
//! ```text
//!   React      settings changed?    -> a new generation of chunks, where heights or chunks differ
//!   Select     viewers moved?       -> the chunks that are wanted, there and where viewers will soon be
//!   Apply      tasks finished?      -> chunk entities, within the budgets; those to be drawn are shown, unwanted ones removed
//!   Render     shown, or hidden?    -> the same for meshes and borders, where there is a render layer
//!   Generate   wanted, not there?   -> background tasks, up to a limit
//! ```
//!
//! A chunk is an entity with [`TerrainChunk`], [`ChunkBounds`] and a `Transform`, a child of its terrain. It has a
//! [`ChunkSurface`] too, unless a render layer made a mesh of that and was not asked to keep it. Its [`ChunkShown`]
//! tells whether it is part of the world. Nothing here draws: the render layer turns surfaces into meshes, and a server goes without.
//!
//! # What a frame costs
//!
//! All that can be done elsewhere is done in tasks: heights, meshes, the errors of levels. What is left for the main thread is
//! selection, some microseconds each, and changes to the world, some microseconds a chunk. Chunks that come and go may take
//! [`time_budget`](StreamSettings::time_budget) a frame, commands included: how many that are is learnt from the frames before.
//! [`upload_budget`](StreamSettings::upload_budget) bounds the bytes, [`memory_limit`](StreamSettings::memory_limit) the chunks.
//! While no viewer moves and nothing changes, a frame costs only the look at the viewers.
//!
//! Some things are not cut into pieces, since the pieces would be holes. They take part in the budget's reckoning, but are done in
//! any case: one patch of ground where a viewer is put somewhere else, or flies faster than chunks are built; up to two of the
//! coarsest chunks, the roots, where a viewer lacks no more than those; the change from what such a viewer saw before to what it
//! sees then, and the switch from the chunks of one generation to those of the next. Who moves on while a view becomes longer or
//! shorter may have a third of the roots that it sees built at once. What can wait does, for a frame: to remove chunks, to hide
//! what nobody sees any more, to line up what is to be built, and to start more than half of the tasks that there may be. Who has
//! come from out of sight wants detail as soon as its roots are there, and not before. A terrain that is despawned goes at once, with
//! all of its chunks, as anything does.
//!
//! One patch serves all viewers that come in the same frame, unless they come so far apart that its quads would be larger than the
//! roots of others that lie between: then each party has its own. Where even that can't be, as settings ask for the finest chunks up
//! to the horizon, all roots of who comes are built in that frame, some twenty.
//!
//! Where there are no threads, in a browser, chunks are built on the main thread, a slice at a time, within the same budget;
//! see [`TerrainStreamPlugin::threads`].
//!
//! The stages are timed in [`TerrainStats`], and are tracing spans of level debug, named `terrain_react`, `terrain_select`,
//! `terrain_apply`, `terrain_render`, `terrain_generate`, and in tasks `terrain_build_chunk` and `terrain_measure_levels`.
//!
//! # Always whole
//!
//! What is wanted is a [`Cover`](crate::chunk::Cover) and all the coarser chunks that its leaves are part of. What is shown is
//! a cover too, for the same viewers, in which levels reach only as far as the chunks that are there allow. Coarse chunks
//! are built first. Where a viewer is put somewhere else, some are missing without which there would be a hole: one coarse patch,
//! the [`TerrainStandIn`], is shown in their place until they are built, for a frame or two; for some more where others see so far
//! that they want detail of the new ground, which is built first, or where another's view has just become longer or shorter: who
//! comes does not cost others theirs. The patch ends where chunks are drawn, be they what the viewer saw before or what others see,
//! and a wall closes the step between both. So there is ground everywhere in every frame, without a crack, and detail flows in as
//! its chunks come.
//!
//! What a viewer left behind, where nothing else is drawn, goes bit by bit. A viewer that comes to see further, or less far, sees
//! what it saw before until the new view shows no less.
//!
//! # Reload without a hole
//!
//! All chunks that were built from the same height settings are one *generation*. When heights change, a second generation
//! is built out of sight while the first stays; they change places in one frame, when every place that the first one covers
//! and a viewer still wants is ready in the second. So old and new ground never stand side by side. What is to be drawn of the
//! second is found before: which chunks in one frame, and what is told of them bit by bit. It is drawn as it was found, unless viewers
//! came, went or jumped in between: who moves sees in that one frame what was to be seen some frames ago. Meanwhile the first goes on
//! in front of a viewer that moves. While a generation is being built, later edits wait for it and then the last of them is built: a
//! slider that is dragged shows progress, and a burst of edits ends in the last state. Only an edit that is taken back, or that cuts
//! chunks another way, gives up what is on its way.
//!
//! # Far from the origin
//!
//! Vertices are named by integers, and their heights are as exact a million kilometres away as at the origin. What is not are
//! Bevy's transforms, which are `f32`. Chunks and viewers are placed in `f64` and in integers instead, in one of three ways:
//!
//! - A game that plays in one place, however far, says so with a [`TerrainOrigin`] on its [`Terrain`].
//! - A game that travels adds the [`OriginShiftPlugin`], which keeps the viewer near the origin of the world.
//! - A game of planets and stars uses `big_space`, with the feature of that name.
//!
//! [`ChunkBounds`] and [`TerrainState::viewers`] tell places of the terrain in `f64`; [`TerrainPlace`] translates between them
//! and the places at which things are drawn.
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

mod settings;
pub use settings::StreamSettings;

#[cfg(feature = "bevy")]
mod announce;
#[cfg(feature = "bevy")]
mod apply;
#[cfg(feature = "bevy")]
mod background;
#[cfg(feature = "big_space")]
mod big_space;
#[cfg(feature = "bevy")]
mod bounds;
#[cfg(feature = "bevy")]
mod changes;
#[cfg(feature = "bevy")]
mod chunk_place;
#[cfg(feature = "bevy")]
mod components;
#[cfg(feature = "bevy")]
mod diagnostics;
#[cfg(feature = "bevy")]
mod draw;
#[cfg(feature = "bevy")]
mod drawn;
#[cfg(feature = "bevy")]
mod finish;
#[cfg(feature = "bevy")]
mod frame;
#[cfg(feature = "bevy")]
mod generate;
#[cfg(feature = "bevy")]
mod generation;
#[cfg(feature = "bevy")]
mod history;
#[cfg(feature = "hot_reload")]
mod hot_reload;
#[cfg(feature = "bevy")]
mod leaving;
#[cfg(feature = "bevy")]
mod measurement;
#[cfg(feature = "bevy")]
pub mod messages;
#[cfg(feature = "bevy")]
mod onlookers;
#[cfg(feature = "bevy")]
mod origin;
#[cfg(feature = "bevy")]
mod origin_shift;
#[cfg(feature = "bevy")]
mod pace;
#[cfg(feature = "bevy")]
mod plugin;
#[cfg(feature = "bevy")]
mod queue;
#[cfg(feature = "bevy")]
mod react;
#[cfg(feature = "bevy")]
pub mod readiness;
#[cfg(feature = "bevy")]
mod removal;
#[cfg(feature = "bevy")]
mod seam_watch;
#[cfg(feature = "bevy")]
mod select;
#[cfg(feature = "bevy")]
mod showing;
#[cfg(feature = "bevy")]
mod spawning;
#[cfg(feature = "bevy")]
mod stand_in;
#[cfg(feature = "bevy")]
mod state;
#[cfg(feature = "bevy")]
mod stats;
#[cfg(feature = "bevy")]
mod succession;
#[cfg(feature = "bevy")]
mod takeover;
#[cfg(feature = "bevy")]
mod turns;
#[cfg(feature = "bevy")]
mod velocity;
#[cfg(feature = "bevy")]
mod viewer_place;
#[cfg(feature = "bevy")]
mod warnings;
#[cfg(feature = "bevy")]
mod workshop;

#[cfg(feature = "inspector")]
pub(crate) use background::in_background;
#[cfg(feature = "render")]
pub(crate) use changes::count_changes;
#[cfg(feature = "render")]
pub(crate) use finish::{Finished, SurfaceFinish};
#[cfg(feature = "hot_reload")]
pub use hot_reload::TerrainHotReloadPlugin;
#[cfg(feature = "bevy")]
use plugin::StreamThreads;
#[cfg(feature = "inspector")]
pub(crate) use viewer_place::ViewerPlaces;
#[cfg(feature = "bevy")]
pub use {
    bounds::ChunkBounds,
    components::{ChunkEdges, ChunkShown, ChunkSurface, Terrain, TerrainChunk, TerrainViewer, ViewerLens},
    diagnostics::TerrainDiagnosticsPlugin,
    frame::{TerrainFrame, TerrainPlace},
    history::{TerrainHistory, TerrainHistoryPlugin},
    messages::{ChunkLevelChanged, ChunkReady, ChunkRemoved, TerrainReady},
    origin::TerrainOrigin,
    origin_shift::{OriginAnchor, OriginFixed, OriginShiftPlugin, OriginShifted, WorldOrigin},
    plugin::{TerrainStreamPlugin, TerrainSystems},
    readiness::{TerrainStreamState, is_terrain_ready, terrain_ready_around},
    seam_watch::{SeamWatch, TerrainSeamPlugin},
    stand_in::{StandInTriangles, TerrainStandIn},
    state::TerrainState,
    stats::{StageTimes, TerrainStats},
};
