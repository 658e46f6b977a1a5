//! What a terrain is doing right now.

use super::drawn::Drawn;
use super::generation::Generation;
use super::leaving::Leaving;
use super::onlookers::Scene;
use super::takeover::HeadStart;
use super::velocity::Velocity;
use super::warnings::ActiveWarning;
use crate::chunk::{ChunkCoord, ChunkLayout, Cover, Viewer, ViewerPoint};
use crate::field::HeightField;
use crate::settings::{SettingsProblem, TerrainSettings};
use bevy::prelude::*;
use std::sync::Arc;

/// What a terrain is doing right now: the settings in use, the ground that is shown, and what is wrong or odd.
///
/// Comes with [`Terrain`](super::Terrain); all of it can be read, none of it written. It is written to in every frame, so
/// that Bevy's change detection says nothing about it.
#[derive(Component, Default)]
pub struct TerrainState {
    pub(super) settings: Option<TerrainSettings>,
    /// The asset that the settings are to be.
    pub(super) asset: Option<AssetId<TerrainSettings>>,
    /// It is on its way: the settings in use are those of another.
    pub(super) is_loading: bool,
    pub(super) file_problems: Vec<SettingsProblem>,
    pub(super) value_problems: Vec<SettingsProblem>,
    pub(super) warnings: Vec<ActiveWarning>,
    /// The settings in use, or the text of their file, changed since the warnings were found.
    pub(super) recheck_warnings: bool,
    pub(super) shown: Option<Generation>,
    pub(super) incoming: Option<Generation>,
    pub(super) drawn: Drawn,
    /// What is to be drawn of the ground that is on its way, from one of the next frames on.
    pub(super) head_start: Option<Box<HeadStart>>,
    /// Such a head start was begun and came to nothing: the other ground is drawn as soon as it can be.
    pub(super) hurries: bool,
    /// What the places of the viewers follow from.
    pub(super) scene: Scene,
    pub(super) viewers: Vec<Entity>,
    /// Where each of the viewers is.
    pub(super) points: Vec<ViewerPoint>,
    /// Those of them who have come to where nothing was, and are still to get their detail.
    pub(super) newcomers: Vec<Entity>,
    /// How fast each of them moves.
    pub(super) velocities: Vec<Velocity>,
    /// Where those that move will soon be.
    pub(super) ahead: Vec<ViewerPoint>,
    /// Chunks that are out of the books, hidden, and to be removed.
    pub(super) leaving: Leaving,
    /// What is wanted is to be found anew, though no viewer moved.
    pub(super) reselect: bool,
    /// What is drawn is to be found anew.
    pub(super) redraw: bool,
    /// In the last frame, all that is wanted was shown.
    pub(super) was_ready: bool,
    /// This frame has so much to do that can't wait that what can does.
    pub(super) is_busy: bool,
    /// The last frame had no time for what can wait: no task was started. Never in two frames on end.
    pub(super) have_tasks_waited: bool,
}

impl TerrainState {
    /// The last good settings. `None` until there were any.
    #[must_use]
    pub const fn settings(&self) -> Option<&TerrainSettings> {
        self.settings.as_ref()
    }

    /// The heights of the ground that is shown, to ask or to share with tasks. `None` until settings were loaded.
    #[must_use]
    pub fn field(&self) -> Option<&Arc<HeightField>> {
        self.shown.as_ref().map(|generation| &generation.field)
    }

    /// The grid of the chunks that are shown.
    #[must_use]
    pub fn layout(&self) -> Option<&ChunkLayout> {
        self.shown.as_ref().map(|generation| &generation.layout)
    }

    /// Why the file, or a value in the asset, is not what is shown. Empty when all is well.
    pub fn problems(&self) -> impl Iterator<Item = &SettingsProblem> {
        self.file_problems.iter().chain(&self.value_problems)
    }

    /// What is allowed in the settings in use but will not look as it was meant, a line each; see
    /// [`TerrainSettings::warnings`]. The terrain is built all the same.
    pub fn warnings(&self) -> impl Iterator<Item = &str> {
        self.warnings.iter().map(|warning| warning.line.as_str())
    }

    /// The chunks that are to be seen. For some frames, more are shown where a viewer was before and nothing is drawn now.
    #[must_use]
    pub const fn cover(&self) -> &Cover {
        self.drawn.cover()
    }

    /// The viewers, in the terrain's own coordinates, and how far each level reaches around them in this frame. The
    /// [cover](Self::cover) is one for them, and vertices [morph](crate::chunk::Morph) around them.
    ///
    /// One whom a [stand-in](Self::stand_ins) is shown to is where it was before, as long as it still sees some of what it saw there,
    /// and not among them otherwise. The view distance of one that has come to see further, or less far, is as before until the new
    /// view shows no less. In the frame in which another ground takes over, all may be where they were some frames ago.
    #[must_use]
    pub fn viewers(&self) -> &[Viewer] {
        self.drawn.viewers()
    }

    /// The entity of a chunk that is shown.
    #[must_use]
    pub fn chunk(&self, coord: ChunkCoord) -> Option<Entity> {
        self.drawn.entity(coord)
    }

    /// How many chunks are shown.
    #[must_use]
    pub fn chunks_shown(&self) -> usize {
        self.drawn.len()
    }

    /// How many chunks are there, shown or not, of the ground that is worked on.
    #[must_use]
    pub fn chunks_loaded(&self) -> usize {
        self.incoming.as_ref().or(self.shown.as_ref()).map_or(0, Generation::len)
    }

    /// How many chunks are to be there: those to be shown, those that are split, and those that will soon be needed.
    #[must_use]
    pub fn chunks_wanted(&self) -> usize {
        self.incoming.as_ref().or(self.shown.as_ref()).map_or(0, Generation::wanted)
    }

    /// Whether another ground is on its way, and will take the place of the one shown when it is whole.
    #[must_use]
    pub const fn is_reloading(&self) -> bool {
        self.incoming.is_some()
    }

    /// Each [`TerrainStandIn`](super::TerrainStandIn) that is shown to viewers who have just been put where no chunks are, or
    /// too few, until the coarsest are built: for a frame or two where tasks build them, longer where there are no threads, where few
    /// chunks may come in a frame, or where others want detail of that ground. There is one at most, unless viewers come at once to
    /// places far apart with others between them.
    pub fn stand_ins(&self) -> impl Iterator<Item = Entity> {
        self.drawn.arrivals.stand_ins()
    }

    /// Whether viewers see less detail than they should, as it would take more memory than
    /// [`memory_limit`](super::StreamSettings::memory_limit) allows.
    #[must_use]
    pub fn is_limited_by_memory(&self) -> bool {
        self.shown.as_ref().is_some_and(Generation::is_limited)
    }

    /// Whether everything that the viewers want is shown, from the settings that are in use, and nothing else is going on. While the
    /// file of other settings is being loaded, it is not; when that fails, the last good ones count.
    /// [`TerrainStreamState`](super::TerrainStreamState) tells the same of a part of the ground.
    #[must_use]
    pub fn is_settled(&self) -> bool {
        self.is_current()
            && self.leaving.is_empty()
            && self.drawn.is_at_rest()
            && self.shown.as_ref().is_some_and(Generation::is_whole)
    }

    /// Whether what is shown is of the settings that are in use, no others are on their way, and it is known what is wanted of it.
    pub(super) fn is_current(&self) -> bool {
        let (Some(shown), Some(settings)) = (&self.shown, &self.settings) else {
            return false;
        };
        self.incoming.is_none()
            && !(self.is_loading || self.reselect || self.redraw)
            && shown.source.is_of(settings)
            && shown.is_measured()
    }

    /// Whether there is nothing to do until something changes.
    pub(super) fn is_at_rest(&self) -> bool {
        self.settings.is_none() || self.is_settled() && self.was_ready != self.viewers.is_empty()
    }

    /// Whether there is nothing to do until something changes, and no viewer moves.
    pub(super) fn is_still(&self) -> bool {
        self.is_at_rest() && self.velocities.iter().all(Velocity::is_none)
    }

    /// Whether the chunks that are to be built are to be lined up anew.
    pub(super) fn is_queue_outdated(&self) -> bool {
        self.shown.iter().chain(&self.incoming).any(Generation::is_queue_outdated)
    }

    /// Both generations.
    pub(super) fn generations(&mut self) -> impl Iterator<Item = &mut Generation> {
        self.shown.iter_mut().chain(self.incoming.iter_mut())
    }

    /// Takes a chunk out of the books.
    pub(super) fn forget(&mut self, coord: ChunkCoord, entity: Entity) {
        let was_there = self.generations().any(|generation| generation.forget(coord, entity));
        if was_there {
            self.hurries |= self.head_start.take().is_some();
            self.redraw = true;
        }
        self.drawn.forget(coord, entity);
    }
}
