//! What a terrain is doing right now.

use super::generation::Generation;
use super::warnings::ActiveWarning;
use crate::chunk::{ChunkCoord, ChunkLayout, ViewerPoint};
use crate::field::HeightField;
use crate::settings::TerrainSettings;
use bevy::prelude::*;
use std::sync::Arc;

/// What a terrain is doing right now: the settings in use, the ground that is shown, and what is wrong or odd.
///
/// Comes with [`Terrain`](super::Terrain); all of it can be read, none of it written. It is written to in every frame, so
/// that Bevy's change detection says nothing about it.
#[derive(Component, Default)]
pub struct TerrainState {
    pub(super) settings: Option<TerrainSettings>,
    pub(super) file_problems: Vec<String>,
    pub(super) value_problems: Vec<String>,
    pub(super) warnings: Vec<ActiveWarning>,
    /// The settings in use, or the text of their file, changed since the warnings were found.
    pub(super) recheck_warnings: bool,
    pub(super) shown: Option<Generation>,
    pub(super) incoming: Option<Generation>,
    pub(super) viewers: Vec<ViewerPoint>,
    /// There is a generation without a cover: select, though no viewer moved.
    pub(super) reselect: bool,
    /// Covers were computed anew in this frame.
    pub(super) cover_changed: bool,
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

    /// Why the file, or a value in the asset, is not what is shown, a line each. Empty when all is well.
    pub fn problems(&self) -> impl Iterator<Item = &str> {
        self.file_problems.iter().chain(&self.value_problems).map(String::as_str)
    }

    /// What is allowed in the settings in use but will not look as it was meant, a line each; see
    /// [`TerrainSettings::warnings`]. The terrain is built all the same.
    pub fn warnings(&self) -> impl Iterator<Item = &str> {
        self.warnings.iter().map(|warning| warning.line.as_str())
    }

    /// The entity of a chunk that is shown.
    #[must_use]
    pub fn chunk(&self, coord: ChunkCoord) -> Option<Entity> {
        self.shown.as_ref()?.chunks.get(&coord).copied()
    }

    /// How many chunks are shown.
    #[must_use]
    pub fn chunks_shown(&self) -> usize {
        self.shown.as_ref().map_or(0, |generation| generation.chunks.len())
    }

    /// How many chunks the viewers want.
    #[must_use]
    pub fn chunks_wanted(&self) -> usize {
        self.incoming.as_ref().or(self.shown.as_ref()).map_or(0, |generation| generation.cover.chunks().len())
    }

    /// Whether another ground is on its way, and will take the place of the one shown when it is whole.
    #[must_use]
    pub const fn is_reloading(&self) -> bool {
        self.incoming.is_some()
    }

    /// Whether everything that the viewers want is shown, from the settings that are in use.
    #[must_use]
    pub fn is_settled(&self) -> bool {
        let Some(shown) = &self.shown else {
            return false;
        };
        self.incoming.is_none()
            && self.settings.as_ref().is_some_and(|settings| shown.source.is_of(settings))
            && shown.is_whole()
    }

    /// The generation that is worked on: the incoming one, else the one shown.
    pub(super) fn newest(&mut self) -> Option<&mut Generation> {
        self.incoming.as_mut().or(self.shown.as_mut())
    }

    /// Both generations.
    pub(super) fn generations(&mut self) -> impl Iterator<Item = &mut Generation> {
        self.shown.iter_mut().chain(self.incoming.iter_mut())
    }

    /// Takes a chunk out of the books.
    pub(super) fn forget(&mut self, coord: ChunkCoord, entity: Entity) {
        for generation in self.generations() {
            if generation.chunks.get(&coord) == Some(&entity) {
                generation.chunks.remove(&coord);
                generation.recheck();
            }
        }
    }
}
