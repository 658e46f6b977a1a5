//! The work of the applier in a frame, from the differences of its plans.

use super::position::ChunkBounds;
use super::streamed_terrain::{LoadedChunk, StreamedTerrain};
use crate::chunk::plan::{ChunkPiece, PlanDiff};
use crate::chunk::{ChunkCoord, StitchMask};
use crate::field::FieldArea;

/// A diff, with the chunks that disappear: they may belong to a ground that is given up.
#[derive(Default)]
pub(super) struct Changes {
    pub hidden: Vec<(ChunkCoord, LoadedChunk, ChunkBounds)>,
    pub ground_hidden: Vec<(ChunkCoord, ChunkBounds)>,
    pub restitched: Vec<(ChunkCoord, StitchMask)>,
    pub shown: Vec<(ChunkCoord, StitchMask)>,
    pub ground_shown: Vec<ChunkCoord>,
    pub level_changes: Vec<ChunkPiece>,
    /// Where edits changed the ground.
    pub edited: Vec<FieldArea>,
}

impl Changes {
    /// Adds the changes of a ground.
    pub fn add(&mut self, streamed: &StreamedTerrain, diff: PlanDiff) {
        let bounds = |chunk, heights| ChunkBounds::new(&streamed.layout, chunk, heights);
        self.hidden.extend(diff.hidden.into_iter().filter_map(|coord| {
            let chunk = streamed.chunk(coord)?;
            Some((coord, chunk, bounds(coord, chunk.heights)))
        }));
        let gone = diff.ground_hidden.into_iter();
        self.ground_hidden.extend(gone.map(|area| (area, bounds(area, streamed.heights_at(area)))));
        self.restitched.extend(diff.restitched);
        self.shown.extend(diff.shown);
        self.ground_shown.extend(diff.ground_shown);
        self.level_changes.extend(diff.level_changes);
    }

    /// Where edits changed the ground: areas for messages. So many changes that games could not follow them one by one are one area.
    pub fn edited_areas(&self) -> Vec<FieldArea> {
        const MOST: usize = 1024;
        if self.edited.len() <= MOST {
            return self.edited.clone();
        }
        self.edited.iter().copied().reduce(|one, other| one.hull(&other)).into_iter().collect()
    }

    pub const fn is_empty(&self) -> bool {
        self.hidden.is_empty()
            && self.restitched.is_empty()
            && self.shown.is_empty()
            && self.ground_hidden.is_empty()
            && self.edited.is_empty()
    }
}
