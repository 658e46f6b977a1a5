//! The state of a terrain.

use super::budget::MemoryShare;
use super::changes::Changes;
use super::collider_tiles::{Anchors, Body};
use super::edits::EditsIdentity;
use super::streamed_terrain::{LoadedChunk, StreamedTerrain};
use super::viewers::{Scene, Velocity};
#[cfg(feature = "render")]
use crate::chunk::ViewerPoint;
use crate::chunk::plan::{Plan, PlanViewer};
use crate::chunk::{ChunkCoord, ChunkLayout, LodQuadtree, Viewer};
use crate::field::HeightField;
use crate::settings::{SettingsProblem, TerrainSettings};
use bevy::prelude::*;
use perlin_terrain::plants::Plants;
use std::sync::Arc;

/// The state of a terrain: its current settings, the ground that is drawn, problems and warnings.
///
/// A required component of [`Terrain`](super::Terrain), read-only for games. The terrain's systems access it mutably in every
/// frame, so Bevy's change detection reports a change in every frame.
#[derive(Component, Default)]
pub struct TerrainState {
    pub(super) settings: Option<TerrainSettings>,
    /// The settings that `settings` replaced, until `warnings` is updated. `None` if they were those of another asset.
    pub(super) settings_before: Option<TerrainSettings>,
    /// The asset of the terrain's handle.
    pub(super) asset: Option<AssetId<TerrainSettings>>,
    /// Whether the asset is still being loaded. Until then, `settings` are those of the previous asset.
    pub(super) is_loading: bool,
    pub(super) file_problems: Vec<SettingsProblem>,
    pub(super) value_problems: Vec<SettingsProblem>,
    pub(super) warnings: Vec<SettingsProblem>,
    /// Whether the settings, or the text of their file, changed since `warnings` was updated.
    pub(super) recheck_warnings: bool,
    /// The ground that is drawn.
    pub(super) drawn: Option<StreamedTerrain>,
    /// The ground that a reload builds. It replaces `drawn` when it is ready.
    pub(super) incoming: Option<StreamedTerrain>,
    /// The list of the game's edits that both grounds have. `None` before the first one.
    pub(super) edits: Option<EditsIdentity>,
    /// Bytes of the chunks of `drawn` when the reload began.
    pub(super) bytes_at_reload: u64,
    /// The transforms from which `viewers` was computed.
    pub(super) scene: Scene,
    pub(super) viewers: Vec<PlanViewer>,
    pub(super) velocities: Vec<(Entity, Velocity)>,
    /// The bodies with `KeepGround`.
    pub(super) anchors: Anchors,
    /// The tiles of a replaced ground, to despawn in this frame.
    pub(super) despawning_tiles: Vec<Entity>,
    /// Whether the settings changed since the last plan.
    pub(super) replan: bool,
    /// The changes for the applier to make in this frame.
    pub(super) changes: Changes,
    /// The despawn queue: chunks that are neither drawn nor wanted.
    pub(super) despawning: Vec<LoadedChunk>,
    /// Bytes of the chunks of the despawn queue.
    pub(super) despawning_bytes: u64,
    /// Whether the terrain was ready in the last frame.
    pub(super) was_ready: bool,
}

impl TerrainState {
    /// The last valid settings. `None` until valid settings are loaded.
    #[must_use]
    pub const fn settings(&self) -> Option<&TerrainSettings> {
        self.settings.as_ref()
    }

    /// The height field of the ground that is drawn. Clone the `Arc` to use it in tasks. `None` until settings are loaded.
    #[must_use]
    pub fn field(&self) -> Option<&Arc<HeightField>> {
        self.drawn.as_ref().map(|streamed| &streamed.field)
    }

    /// The layout of the chunks that are drawn. `None` until settings are loaded.
    #[must_use]
    pub fn layout(&self) -> Option<&ChunkLayout> {
        self.drawn.as_ref().map(|streamed| &streamed.layout)
    }

    /// The plants on the ground that is drawn. A clone is cheap, for use in tasks. `None` until settings are loaded.
    #[must_use]
    pub fn plants(&self) -> Option<&Plants> {
        self.drawn.as_ref().map(|streamed| &streamed.plants)
    }

    /// The problems of the settings file and of values in the asset. Empty if all settings are valid.
    ///
    /// While there are problems, the terrain keeps its last valid settings.
    pub fn problems(&self) -> impl Iterator<Item = &SettingsProblem> {
        self.file_problems.iter().chain(&self.value_problems)
    }

    /// The warnings about the current settings: values that are allowed but look wrong. Each `Display`s as one
    /// line, with file, line and column if the settings are those of a file. See [`TerrainSettings::warnings_in`].
    pub fn warnings(&self) -> impl Iterator<Item = &SettingsProblem> {
        self.warnings.iter()
    }

    /// The plan of this frame: which chunks are drawn, wanted and missing. `None` until settings are loaded.
    #[must_use]
    pub fn plan(&self) -> Option<&Plan> {
        self.drawn.as_ref().map(|streamed| streamed.planner.plan())
    }

    /// The quadtree whose visible leaves are drawn. `None` until settings are loaded.
    #[must_use]
    pub fn quadtree(&self) -> Option<&LodQuadtree> {
        self.plan().map(Plan::drawn)
    }

    /// The viewers, in the terrain's own coordinates, with their view distances and LOD ranges in this frame. While chunks are
    /// missing, these can be smaller than requested. The [quadtree](Self::quadtree) and the [morph](crate::chunk::Morph) of
    /// vertices depend on them.
    pub fn viewers(&self) -> impl ExactSizeIterator<Item = Viewer> + '_ {
        self.plan().map_or(&[][..], Plan::viewers).iter().map(|viewer| viewer.current)
    }

    /// The viewers as they were requested: in the terrain's own coordinates, with their full view distances.
    #[cfg(feature = "render")]
    pub(crate) fn requested_viewers(&self) -> impl Iterator<Item = ViewerPoint> {
        self.viewers.iter().map(|viewer| viewer.point)
    }

    /// The bodies with [`KeepGround`](super::KeepGround) in this frame, in the terrain's own coordinates.
    pub(crate) fn bodies(&self) -> impl Iterator<Item = &Body> {
        self.anchors.bodies()
    }

    /// The entity of a chunk. `None` if the chunk is not drawn.
    #[must_use]
    pub fn chunk(&self, coord: ChunkCoord) -> Option<Entity> {
        let streamed = self.drawn.as_ref().filter(|streamed| streamed.planner.plan().drawn().is_leaf(coord))?;
        streamed.chunk(coord).map(|chunk| chunk.entity)
    }

    /// The number of drawn chunks.
    #[must_use]
    pub fn chunks_drawn(&self) -> usize {
        self.quadtree().map_or(0, |tree| tree.leaves().len())
    }

    /// The incoming ground during a reload, else the ground that is drawn.
    pub(super) fn newest(&self) -> Option<&StreamedTerrain> {
        self.incoming.as_ref().or(self.drawn.as_ref())
    }

    /// The number of loaded chunks, drawn or not. During a reload, those of the new ground.
    #[must_use]
    pub fn chunks_loaded(&self) -> usize {
        self.newest().map_or(0, StreamedTerrain::len)
    }

    /// The number of wanted chunks: chunks to draw, their parents, and chunks that viewers will soon need. During a reload, those
    /// of the new ground.
    #[must_use]
    pub fn chunks_wanted(&self) -> usize {
        self.newest().map_or(0, |streamed| streamed.planner.plan().wanted_chunks())
    }

    /// Whether a reload is building new ground. It replaces the drawn ground when it is ready.
    #[must_use]
    pub const fn is_reloading(&self) -> bool {
        self.incoming.is_some()
    }

    /// Whether viewers get less detail than the settings ask for, because of
    /// [`TerrainBudget::memory_limit`](super::TerrainBudget::memory_limit) or of the size of the height atlas.
    #[must_use]
    pub fn is_limited_by_memory(&self) -> bool {
        self.plan().is_some_and(Plan::is_limited)
    }

    /// Whether the viewers see everything that they want, from the current settings.
    ///
    /// `false` while other settings load. If that fails, the last valid settings count as current. Chunks may still wait to be
    /// despawned; see [`is_idle`](Self::is_idle).
    #[must_use]
    pub fn is_settled(&self) -> bool {
        self.is_current() && self.plan().is_some_and(Plan::is_settled)
    }

    /// Whether all [collider tiles](super::ColliderTile) are there that bodies want. `false` until settings are loaded.
    #[must_use]
    pub fn has_all_collider_tiles(&self) -> bool {
        self.drawn.as_ref().is_some_and(|streamed| streamed.collider_tiles.has_all())
    }

    /// Whether the terrain is [settled](Self::is_settled) and has no chunks left to despawn. Also `true` without settings.
    #[must_use]
    pub fn is_idle(&self) -> bool {
        let has_no_more = |streamed: &StreamedTerrain| {
            streamed.len() <= streamed.planner.plan().wanted_chunks()
                && !streamed.planner.has_changed()
                && streamed.stale.is_empty()
        };
        self.settings.is_none()
            || self.is_settled() && self.despawning.is_empty() && self.drawn.as_ref().is_some_and(has_no_more)
    }

    /// Whether the drawn ground comes from the current settings, and no other settings are being loaded.
    pub(super) fn is_current(&self) -> bool {
        let (Some(streamed), Some(settings)) = (&self.drawn, &self.settings) else {
            return false;
        };
        self.incoming.is_none() && !(self.is_loading || self.replan) && streamed.is_current(settings)
    }

    /// Whether the terrain is idle and no viewer moves.
    pub(super) fn is_still(&self) -> bool {
        self.is_idle() && !self.replan && self.velocities.iter().all(|(_, velocity)| velocity.is_none())
    }

    /// The drawn ground and the incoming one.
    pub(super) fn all_streamed(&mut self) -> impl Iterator<Item = &mut StreamedTerrain> {
        self.drawn.iter_mut().chain(self.incoming.iter_mut())
    }

    /// The most bytes that all chunks may have.
    pub(super) const fn max_bytes(&self, share: MemoryShare) -> u64 {
        if self.incoming.is_some() { share.terrain } else { share.ground }
    }

    /// Bytes of all chunks of both grounds and of the despawn queue.
    pub(super) fn bytes(&self) -> u64 {
        let loaded = self.drawn.iter().chain(&self.incoming).map(StreamedTerrain::bytes).sum::<u64>();
        loaded + self.despawning_bytes
    }

    /// Moves all chunks and tiles of `streamed` to the despawn queues and cancels its tasks. Returns the number of canceled tasks.
    pub(super) fn discard(&mut self, mut streamed: StreamedTerrain) -> usize {
        self.despawning_bytes += streamed.bytes();
        self.despawning.extend(streamed.take_chunks());
        self.despawning_tiles.extend(streamed.collider_tiles.take_spawned());
        streamed.tasks.retain(|_| false)
    }
}
