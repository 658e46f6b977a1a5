//! Gives the edits to the grounds of a terrain.

use super::TerrainEdits;
use super::terrain_edits::EditStep;
use crate::chunk::{ChunkCoord, ChunkHeights, ChunkLayout};
use crate::field::{EditId, FieldArea, HeightField};
use crate::stream::build::{BuiltChunk, SurfaceFinish};
use crate::stream::state::TerrainState;
use crate::stream::streamed_terrain::{LoadedChunk, StreamedTerrain};
use bevy::prelude::*;
use std::fmt::Display;
use std::sync::Arc;

/// Gives all grounds the edits of the settings and of the game. A ground that would have to build more than `max_built_now` drawn chunks
/// in this frame falls behind. Returns the number of canceled tasks.
pub(in crate::stream) fn follow_edits(
    name: &dyn Display,
    state: &mut TerrainState,
    edits: &mut TerrainEdits,
    max_built_now: usize,
) -> usize {
    let of_settings = state.settings.as_ref().map_or(&[][..], |settings| &settings.field.edits);
    let is_replaced = state.edits.identity.as_ref() != Some(edits.identity());
    // Settings change with a new plan alone.
    let has_other_settings = state.replan && of_settings != state.edits.settings;
    if !(is_replaced || edits.has_news() || has_other_settings) {
        return 0;
    }
    if let Some(settings) = &state.settings
        && edits.take_other_ground(&settings.field)
    {
        warn!("the terrain {name}: its edits were saved on ground with other settings, so they may not fit");
    }
    let mut steps = edits.take_changes();
    let ids = 0..of_settings.len().max(state.edits.settings.len());
    steps.extend(ids.filter_map(|index| {
        let [old, new] = [&state.edits.settings[..], of_settings].map(|edits| edits.get(index));
        let id = EditId::Settings(index as u32);
        (old != new).then(|| EditStep { id, old: old.cloned(), new: new.cloned() })
    }));
    state.edits.settings = of_settings.to_vec();
    state.edits.identity = Some(edits.identity().clone());
    if steps.is_empty() && !is_replaced {
        return 0;
    }
    let mut canceled = 0;
    let TerrainState { drawn, incoming, despawning, despawning_bytes, changes, .. } = state;
    for (is_drawn, streamed) in [(true, drawn), (false, incoming)] {
        let Some(streamed) = streamed else { continue };
        steps.iter().for_each(|step| step.make(&mut streamed.latest));
        if is_replaced {
            streamed.latest = streamed.latest.with_edits(edits.map());
        }
        let Some(given_up) = streamed.follow(is_drawn, max_built_now) else { continue };
        canceled += given_up.canceled;
        *despawning_bytes += given_up.hidden.iter().map(|chunk| chunk.bytes).sum::<u64>();
        despawning.extend(given_up.hidden);
        if is_drawn {
            changes.edited.extend(given_up.areas);
        }
    }
    state.replan = true;
    canceled
}

/// What a ground gave up to follow its edits.
struct GivenUp {
    /// Where it changed.
    areas: Vec<FieldArea>,
    /// The chunks to despawn.
    hidden: Vec<LoadedChunk>,
    /// The number of canceled tasks.
    canceled: usize,
}

/// With more areas, to look for the chunks in them would take longer than a frame.
const MAX_AREAS: usize = 1024;

impl StreamedTerrain {
    /// Takes the latest field, unless more than `max_built_now` chunks would have to be built. Then the ground falls behind, and `None` is
    /// returned.
    ///
    /// The ground that is drawn builds its drawn chunks again, and gives up the others: tasks make them again. An incoming ground builds
    /// all chunks again that it has. Otherwise it would never be complete while somebody edits in every frame.
    fn follow(&mut self, is_drawn: bool, max_built_now: usize) -> Option<GivenUp> {
        if self.is_behind {
            return None;
        }
        let areas = self.latest.edited_since(&self.field).filter(|areas| areas.len() <= MAX_AREAS);
        self.is_behind = areas.is_none();
        let areas = areas?;
        let layout = self.layout;
        let is_edited = |chunk| is_edited(&layout, chunk, &areas);
        let tree = self.planner.plan().drawn();
        let (mut rebuilt, hidden): (Vec<_>, Vec<_>) =
            self.coords().filter(|&chunk| is_edited(chunk)).partition(|&chunk| !is_drawn || tree.is_leaf(chunk));
        rebuilt.append(&mut self.rebuilt);
        self.is_behind = rebuilt.len() > max_built_now;
        if self.is_behind {
            return None;
        }
        self.rebuilt = rebuilt;
        self.field = Arc::new(self.latest.clone());
        let canceled = if is_drawn { self.tasks.retain(|chunk| !is_edited(chunk)) } else { 0 };
        self.collider_tiles.edit(&areas);
        let hidden = hidden.into_iter().filter_map(|chunk| self.unload(chunk)).collect();
        Some(GivenUp { areas, hidden, canceled })
    }

    /// A chunk that was built from `field`, built again if it was edited since.
    pub fn with_edits_since(&self, field: &HeightField, built: BuiltChunk, finish: &SurfaceFinish) -> BuiltChunk {
        let areas = self.field.edited_since(field).unwrap_or_default();
        if is_edited(&self.layout, built.coord, &areas) {
            return BuiltChunk::build(&self.field, &self.layout, built.coord, finish);
        }
        built
    }
}

/// Whether a vertex of a chunk, or one beyond that its normals need, is in an area.
fn is_edited(layout: &ChunkLayout, chunk: ChunkCoord, areas: &[FieldArea]) -> bool {
    let own = layout.area(chunk, ChunkHeights::APRON);
    areas.iter().any(|area| area.meets(&own))
}
