//! What a terrain is doing right now.

use super::changes::Changes;
use super::ground::{Ground, LoadedChunk};
use super::reload::ActiveWarning;
use super::viewers::{Scene, Velocity};
use crate::chunk::plan::{Plan, PlanViewer};
use crate::chunk::{ChunkCoord, ChunkLayout, LodQuadtree, Viewer};
use crate::field::HeightField;
use crate::settings::{SettingsProblem, TerrainSettings};
use bevy::prelude::*;
use std::sync::Arc;

/// What a terrain is doing right now: the settings in use, the ground that is drawn, and what is wrong or odd.
///
/// Comes with [`Terrain`](super::Terrain). It can be read and not written. It is written to in every frame, so Bevy's change
/// detection says nothing about it.
#[derive(Component, Default)]
pub struct TerrainState {
    pub(super) settings: Option<TerrainSettings>,
    /// The asset that the settings are to be.
    pub(super) asset: Option<AssetId<TerrainSettings>>,
    /// The asset is still being loaded: the settings in use are those of another.
    pub(super) is_loading: bool,
    pub(super) file_problems: Vec<SettingsProblem>,
    pub(super) value_problems: Vec<SettingsProblem>,
    pub(super) warnings: Vec<ActiveWarning>,
    /// The settings in use, or the text of their file, changed since the warnings were found.
    pub(super) recheck_warnings: bool,
    /// The ground that is drawn.
    pub(super) ground: Option<Ground>,
    /// The ground that will take its place after a reload.
    pub(super) incoming: Option<Ground>,
    /// What the viewers' places follow from.
    pub(super) scene: Scene,
    pub(super) viewers: Vec<PlanViewer>,
    pub(super) velocities: Vec<(Entity, Velocity)>,
    /// The settings changed since the last plan.
    pub(super) replan: bool,
    /// What the applier is to do in this frame.
    pub(super) changes: Changes,
    /// Chunks that are neither drawn nor wanted.
    pub(super) despawning: Vec<LoadedChunk>,
    /// Bytes of the vertices and indices of those.
    pub(super) despawning_bytes: u64,
    /// In the last frame, everything wanted was drawn.
    pub(super) was_ready: bool,
}

impl TerrainState {
    /// The last valid settings. `None` until there were any.
    #[must_use]
    pub const fn settings(&self) -> Option<&TerrainSettings> {
        self.settings.as_ref()
    }

    /// The heights of the ground that is drawn, to ask or to share with tasks. `None` until settings were loaded.
    #[must_use]
    pub fn field(&self) -> Option<&Arc<HeightField>> {
        self.ground.as_ref().map(|ground| &ground.field)
    }

    /// The grid of the chunks that are drawn.
    #[must_use]
    pub fn layout(&self) -> Option<&ChunkLayout> {
        self.ground.as_ref().map(|ground| &ground.layout)
    }

    /// Why the file, or a value in the asset, is not what is drawn. Empty if all is well.
    pub fn problems(&self) -> impl Iterator<Item = &SettingsProblem> {
        self.file_problems.iter().chain(&self.value_problems)
    }

    /// What is allowed in the settings in use but won't look as intended, a line each; see [`TerrainSettings::warnings`]. The
    /// terrain is built all the same.
    pub fn warnings(&self) -> impl Iterator<Item = &str> {
        self.warnings.iter().map(|warning| warning.line.as_str())
    }

    /// The plan of this frame: what is drawn, wanted and missing. `None` until settings were loaded.
    #[must_use]
    pub fn plan(&self) -> Option<&Plan> {
        self.ground.as_ref().map(|ground| ground.planner.plan())
    }

    /// The quadtree whose visible leaves are drawn. `None` until settings were loaded.
    #[must_use]
    pub fn quadtree(&self) -> Option<&LodQuadtree> {
        self.plan().map(Plan::drawn)
    }

    /// The viewers, in the terrain's own coordinates, with the view distance and the LOD ranges in force in this frame. The
    /// [quadtree](Self::quadtree) is selected for them, and vertices [morph](crate::chunk::Morph) around them.
    pub fn viewers(&self) -> impl ExactSizeIterator<Item = Viewer> + '_ {
        self.plan().map_or(&[][..], Plan::viewers).iter().map(|viewer| viewer.in_force)
    }

    /// The entity of a chunk that is drawn.
    #[must_use]
    pub fn chunk(&self, coord: ChunkCoord) -> Option<Entity> {
        let ground = self.ground.as_ref().filter(|ground| ground.planner.plan().drawn().is_leaf(coord))?;
        ground.chunk(coord).map(|chunk| chunk.entity)
    }

    /// How many chunks are drawn.
    #[must_use]
    pub fn chunks_drawn(&self) -> usize {
        self.quadtree().map_or(0, |tree| tree.leaves().len())
    }

    /// The ground that is worked on: the incoming one during a reload.
    pub(super) fn newest(&self) -> Option<&Ground> {
        self.incoming.as_ref().or(self.ground.as_ref())
    }

    /// How many chunks are loaded, drawn or not, of the ground that is worked on.
    #[must_use]
    pub fn chunks_loaded(&self) -> usize {
        self.newest().map_or(0, Ground::len)
    }

    /// How many chunks are to be loaded: those to be drawn, those that they are part of, and those that will soon be needed.
    #[must_use]
    pub fn chunks_wanted(&self) -> usize {
        self.newest().map_or(0, |ground| ground.planner.plan().wanted_chunks())
    }

    /// Whether another ground is being built, and takes the place of the one drawn when it is ready.
    #[must_use]
    pub const fn is_reloading(&self) -> bool {
        self.incoming.is_some()
    }

    /// Whether viewers get less detail than they ask for, since it would take more memory than
    /// [`TerrainBudget::memory_limit`](super::TerrainBudget::memory_limit) allows.
    #[must_use]
    pub fn is_limited_by_memory(&self) -> bool {
        self.plan().is_some_and(Plan::is_limited)
    }

    /// Whether everything that the viewers want is drawn, from the settings in use. While other settings are being loaded it is
    /// not; if that fails, the last valid ones count. Old chunks may still have to be [despawned](Self::is_idle).
    #[must_use]
    pub fn is_settled(&self) -> bool {
        self.is_current() && self.plan().is_some_and(Plan::is_settled)
    }

    /// Whether the terrain is [settled](Self::is_settled) and has nothing left to do.
    #[must_use]
    pub fn is_idle(&self) -> bool {
        let has_no_more =
            |ground: &Ground| ground.len() <= ground.planner.plan().wanted_chunks() && !ground.planner.has_changed();
        self.settings.is_none()
            || self.is_settled() && self.despawning.is_empty() && self.ground.as_ref().is_some_and(has_no_more)
    }

    /// Whether what is drawn is from the settings in use, and no others are on their way.
    pub(super) fn is_current(&self) -> bool {
        let (Some(ground), Some(settings)) = (&self.ground, &self.settings) else {
            return false;
        };
        self.incoming.is_none() && !(self.is_loading || self.replan) && ground.source.is_of(settings)
    }

    /// Whether the terrain is idle and no viewer moves.
    pub(super) fn is_still(&self) -> bool {
        self.is_idle() && !self.replan && self.velocities.iter().all(|(_, velocity)| velocity.is_none())
    }

    /// Both grounds.
    pub(super) fn grounds(&mut self) -> impl Iterator<Item = &mut Ground> {
        self.ground.iter_mut().chain(self.incoming.iter_mut())
    }

    /// Bytes of all chunks: those that are drawn, wait, or are about to be despawned.
    pub(super) fn bytes(&self) -> u64 {
        let loaded = self.ground.iter().chain(&self.incoming).map(Ground::bytes).sum::<u64>();
        loaded + self.despawning_bytes
    }

    /// Gives up all chunks of a ground.
    pub(super) fn give_up(&mut self, mut ground: Ground) -> usize {
        self.despawning_bytes += ground.bytes();
        self.despawning.extend(ground.take_chunks());
        ground.tasks.retain(|_| false)
    }
}
