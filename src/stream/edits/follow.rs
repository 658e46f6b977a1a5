//! Gives the edits to the grounds of a terrain.

use super::TerrainEdits;
use super::terrain_edits::EditStep;
use crate::chunk::{ChunkCoord, ChunkHeights, ChunkLayout};
use crate::field::{EditId, FieldArea, HeightField, TerrainEdit};
use crate::settings::TerrainSettings;
use crate::stream::build::{BuiltChunk, SurfaceFinish};
use crate::stream::state::TerrainState;
use crate::stream::streamed_terrain::StreamedTerrain;
use bevy::prelude::*;
use std::fmt::Display;

/// Gives all grounds the edits of the game, and those of the settings to the grounds of these settings. The drawn ground falls behind if
/// it would have to build more than `max_built_now` chunks in this frame.
pub(in crate::stream) fn follow_edits(
    name: &dyn Display,
    state: &mut TerrainState,
    edits: &mut TerrainEdits,
    max_built_now: usize,
) {
    let is_replaced = state.edits.as_ref() != Some(edits.identity());
    // Settings change with a new plan alone.
    if !(is_replaced || state.replan || edits.has_news()) {
        return;
    }
    if let Some(settings) = &state.settings
        && edits.take_other_ground(&settings.field)
    {
        warn!("the terrain {name}: its edits were saved on ground with other settings, so they may not fit");
    }
    state.edits = Some(edits.identity().clone());
    let steps = edits.take_changes();
    let TerrainState { drawn, incoming, changes, settings, replan, .. } = state;
    let mut drawn_is_behind = false;
    for (is_drawn, streamed) in [(true, drawn), (false, incoming)] {
        let Some(streamed) = streamed else { continue };
        let of_settings = settings.as_ref().map_or(Vec::new(), |settings| streamed.steps_to(settings));
        if steps.is_empty() && of_settings.is_empty() && !is_replaced {
            continue;
        }
        of_settings.iter().chain(&steps).for_each(|step| step.make(&mut streamed.latest));
        if is_replaced {
            streamed.latest = streamed.latest.with_edits(edits.map());
        }
        *replan = true;
        // An incoming ground takes all edits that are drawn already. If none is, large edits wait for the next one when it is complete.
        let is_late = drawn_is_behind && streamed.planner.plan().missing() == 0;
        let max = if is_drawn || is_late { max_built_now } else { usize::MAX };
        let areas = streamed.follow(max).unwrap_or_default();
        if is_drawn {
            drawn_is_behind = streamed.is_behind;
            changes.edited.extend(areas);
        }
    }
}

/// With more areas, to look for the chunks in them would take longer than a frame.
const MAX_AREAS: usize = 1024;

impl StreamedTerrain {
    /// The changes to the edits of `settings`. None if the ground has other settings.
    fn steps_to(&mut self, settings: &TerrainSettings) -> Vec<EditStep> {
        if !self.source.has_field_of(settings) || self.source.field.edits == settings.field.edits {
            return Vec::new();
        }
        let new: &[TerrainEdit] = &settings.field.edits;
        let old = std::mem::replace(&mut self.source.field.edits, new.to_vec());
        let ids = 0..old.len().max(new.len());
        let steps = ids.map(|index| EditStep {
            id: EditId::Settings(index as u32),
            old: old.get(index).cloned(),
            new: new.get(index).cloned(),
        });
        steps.filter(|step| step.old != step.new).collect()
    }

    /// Takes the latest field, and returns where it differs. `None` if more than `max` drawn chunks would have to be built again: then the
    /// ground falls behind.
    fn follow(&mut self, max: usize) -> Option<Vec<FieldArea>> {
        if self.is_behind {
            return None;
        }
        let areas = self.latest.edited_since(&self.field)?;
        let (layout, drawn) = (self.layout, self.planner.plan().drawn());
        let mut stale = self.stale.clone();
        if areas.len() > MAX_AREAS {
            stale.extend(self.coords());
        } else {
            stale.extend(self.coords().filter(|&chunk| is_edited(&layout, chunk, &areas)));
        }
        self.is_behind = stale.iter().filter(|chunk| drawn.is_leaf(**chunk)).count() > max;
        if self.is_behind {
            return None;
        }
        self.stale = stale;
        self.take_field(self.latest.clone());
        self.collider_tiles.edit(&areas);
        Some(areas)
    }

    /// A chunk that was built from `field`, built again if it was edited since.
    pub fn with_edits_since(&self, field: &HeightField, built: BuiltChunk, finish: &SurfaceFinish) -> BuiltChunk {
        if self.is_edited_since(field, built.coord) {
            return BuiltChunk::build(&self.field, &self.layout, built.coord, finish);
        }
        built
    }

    /// Whether a chunk that was built from `field` was edited since.
    pub fn is_edited_since(&self, field: &HeightField, chunk: ChunkCoord) -> bool {
        is_edited(&self.layout, chunk, &self.field.edited_since(field).unwrap_or_default())
    }
}

/// Whether a vertex of a chunk, or one beyond that its normals need, is in an area.
fn is_edited(layout: &ChunkLayout, chunk: ChunkCoord, areas: &[FieldArea]) -> bool {
    let own = layout.area(chunk, ChunkHeights::APRON);
    areas.iter().any(|area| area.meets(&own))
}
