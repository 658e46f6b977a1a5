//! What the world has been told of what is drawn.

use super::arrivals::Arrivals;
use super::left_behind::LeftBehind;
use crate::chunk::{ChunkCoord, CoordMap, Cover, Edges};
use crate::stream::generation::{Generation, LoadedChunk};
use crate::stream::showing::Showing;
use crate::stream::succession::{LevelChange, draw_same_ground};
use crate::stream::{ChunkBounds, ChunkReady, ChunkRemoved};
use bevy::prelude::*;
use std::collections::hash_map::Entry;

/// A chunk that is drawn.
struct DrawnChunk {
    entity: Entity,
    bounds: ChunkBounds,
}

/// What is to be drawn.
pub(super) struct Drawing<'a> {
    pub terrain: Entity,
    pub generation: &'a Generation,
    /// The cover that the world was told of.
    pub before: &'a Cover,
    /// The one that follows.
    pub cover: &'a Cover,
}

/// What the world has been told: which chunks are drawn, and with which edges.
#[derive(Default)]
pub(super) struct Told {
    /// Every chunk that is drawn.
    chunks: CoordMap<DrawnChunk>,
    /// The edges of the leaves of the cover that was told of, in their order.
    edges: Vec<Edges>,
    /// Those of the chunks that are not part of the cover any more, and go in the frames to come.
    left_behind: LeftBehind,
    /// Chunks that are there no more, and not by the terrain's own will.
    lost: Vec<ChunkCoord>,
    /// Where other levels are drawn than before, until that is told.
    level_changes: Vec<LevelChange>,
}

impl DrawnChunk {
    /// It is drawn no more.
    const fn removed(self, terrain: Entity, coord: ChunkCoord, is_ground_gone: bool) -> ChunkRemoved {
        ChunkRemoved { terrain, chunk: self.entity, coord, bounds: self.bounds, is_ground_gone }
    }
}

impl Told {
    /// How many chunks are drawn.
    pub fn len(&self) -> usize {
        self.chunks.len()
    }

    /// The entity of a chunk that is drawn.
    pub fn entity(&self, coord: ChunkCoord) -> Option<Entity> {
        self.chunks.get(&coord).map(|chunk| chunk.entity)
    }

    /// Whether chunks are drawn that are not part of the cover, and go in the frames to come.
    pub fn is_late(&self) -> bool {
        !self.left_behind.is_empty()
    }

    /// The chunks of `cover` that are not there, when that follows the cover `before`, which was told of.
    pub fn missing_leaves(&self, generation: &Generation, before: &Cover, cover: &Cover) -> Vec<ChunkCoord> {
        let others = cover.pieces_since(before).flat_map(|piece| {
            let (old, new) = (&before.leaves()[piece.before], &cover.leaves()[piece.now]);
            if old == new { &[] } else { new }
        });
        let lost = self.lost.iter().filter(|&&coord| cover.is_leaf(coord));
        let mut missing: Vec<ChunkCoord> =
            others.chain(lost).copied().filter(|&coord| generation.entity(coord).is_none()).collect();
        missing.sort_unstable();
        missing.dedup();
        missing
    }

    /// Adds to `showing` what is to be told so that the world knows of what is to be drawn.
    ///
    /// Where ground was left behind, and nothing is drawn in its place, neither chunks nor patches, only `most` chunks go now, and
    /// the others later.
    pub fn follow(&mut self, drawing: &Drawing<'_>, arrivals: &Arrivals, showing: &mut Showing, most: usize) {
        let &Drawing { generation, before, cover, .. } = drawing;
        let is_left_behind = |place: ChunkCoord| {
            let is_apart = place.level <= cover.top() && !cover.contains(place.ancestor(cover.top()));
            is_apart && !arrivals.see(&generation.layout, place)
        };
        for coord in self.left_behind.take_back(is_left_behind) {
            if !cover.is_leaf(coord) {
                self.hide(showing, drawing, coord, true);
            }
        }
        if cover != before {
            self.follow_pieces(showing, drawing, is_left_behind);
        }
        for coord in std::mem::take(&mut self.lost) {
            if cover.is_leaf(coord) {
                self.show(showing, drawing, coord, cover.edges(coord), false);
            }
        }
        for _ in 0..most {
            let Some(coord) = self.left_behind.pop() else {
                break;
            };
            self.hide(showing, drawing, coord, true);
        }
    }

    fn follow_pieces(
        &mut self,
        showing: &mut Showing,
        drawing: &Drawing<'_>,
        is_left_behind: impl Fn(ChunkCoord) -> bool,
    ) {
        let &Drawing { before, cover, .. } = drawing;
        debug_assert_eq!(self.edges.len(), before.leaves().len(), "the world was told of another cover");
        let edges_before = std::mem::replace(&mut self.edges, cover.leaf_edges());
        for piece in cover.pieces_since(before) {
            let (old, new) = (&before.leaves()[piece.before.clone()], &cover.leaves()[piece.now.clone()]);
            let first = piece.now.start;
            if old == new {
                let edges = self.edges[first];
                if edges != edges_before[piece.before.start] {
                    showing.edges.extend(self.entity(new[0]).map(|chunk| (chunk, edges)));
                }
                continue;
            }
            let is_other_ground = !draw_same_ground(old, new);
            for &coord in old {
                let place = coord.ancestor(cover.top().max(coord.level));
                if new.is_empty() && (self.left_behind.holds(place) || is_left_behind(place)) {
                    self.left_behind.add(place, coord);
                } else {
                    self.hide(showing, drawing, coord, is_other_ground);
                }
            }
            for (number, &coord) in new.iter().enumerate() {
                self.show(showing, drawing, coord, self.edges[first + number], is_other_ground);
            }
            self.level_changes.extend(LevelChange::of(&piece, before, cover));
        }
    }

    /// A chunk of the cover is drawn from now on, if it is not.
    fn show(
        &mut self,
        showing: &mut Showing,
        &Drawing { terrain, generation, .. }: &Drawing<'_>,
        coord: ChunkCoord,
        edges: Edges,
        is_new_ground: bool,
    ) {
        match self.chunks.entry(coord) {
            // Left behind, and seen again.
            Entry::Occupied(drawn) => showing.edges.push((drawn.get().entity, edges)),
            Entry::Vacant(drawn) => {
                let Some(&LoadedChunk { entity: chunk, bounds, .. }) = generation.chunk(coord) else {
                    debug_assert!(false, "{coord:?} is to be drawn and not there");
                    return;
                };
                drawn.insert(DrawnChunk { entity: chunk, bounds });
                showing.shown.push((ChunkReady { terrain, chunk, coord, bounds, is_new_ground }, edges));
            }
        }
    }

    /// A chunk is drawn no more, if it was. Its ground is gone, or others take its place.
    fn hide(&mut self, showing: &mut Showing, drawing: &Drawing<'_>, coord: ChunkCoord, is_ground_gone: bool) {
        let chunk = self.chunks.remove(&coord);
        showing.hidden.extend(chunk.map(|chunk| chunk.removed(drawing.terrain, coord, is_ground_gone)));
    }

    /// Adds to `showing` what is to be told so that the world knows that nothing is drawn.
    pub fn hide_all(self, terrain: Entity, showing: &mut Showing) {
        showing.hidden.extend(self.chunks.into_iter().map(|(coord, chunk)| chunk.removed(terrain, coord, true)));
    }

    /// A chunk is there no more.
    pub fn forget(&mut self, coord: ChunkCoord, entity: Entity) {
        if self.entity(coord) == Some(entity) {
            self.chunks.remove(&coord);
            self.lost.push(coord);
        }
    }

    /// Where other levels are drawn than before: tells it once.
    pub fn take_level_changes(&mut self) -> Vec<LevelChange> {
        std::mem::take(&mut self.level_changes)
    }
}
