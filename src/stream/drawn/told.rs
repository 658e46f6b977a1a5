//! What the world has been told of what is drawn.

use super::arrivals::Arrivals;
use super::left_behind::LeftBehind;
use crate::chunk::{ChunkCoord, CoordMap, Cover, Edges};
use crate::stream::generation::Generation;
use crate::stream::succession::{LevelChange, draw_same_ground};
use crate::stream::{ChunkEdges, ChunkShown};
use bevy::prelude::*;
use std::collections::hash_map::Entry;

/// What the world has been told: which chunks are drawn, and with which edges.
#[derive(Default)]
pub(super) struct Told {
    /// Every chunk that is drawn.
    chunks: CoordMap<Entity>,
    /// The edges of the leaves of the cover that was told of, in their order.
    edges: Vec<Edges>,
    /// Those of the chunks that are not part of the cover any more, and go in the frames to come.
    left_behind: LeftBehind,
    /// Chunks that are there no more, and not by the terrain's own will.
    lost: Vec<ChunkCoord>,
    /// Where other levels are drawn than before, until that is told.
    level_changes: Vec<LevelChange>,
}

impl Told {
    /// How many chunks are drawn.
    pub fn len(&self) -> usize {
        self.chunks.len()
    }

    /// The entity of a chunk that is drawn.
    pub fn entity(&self, coord: ChunkCoord) -> Option<Entity> {
        self.chunks.get(&coord).copied()
    }

    /// The entities of all chunks that are drawn.
    pub fn entities(&self) -> impl Iterator<Item = Entity> {
        self.chunks.values().copied()
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

    /// Tells the world that `cover` is drawn after the one `before`. Returns how many chunks that changes.
    ///
    /// Where ground was left behind, and nothing is drawn in its place, neither chunks nor patches, only `most` chunks go now, and
    /// the others later.
    pub fn follow(
        &mut self,
        commands: &mut Commands,
        generation: &Generation,
        [before, cover]: [&Cover; 2],
        arrivals: &Arrivals,
        most: usize,
    ) -> usize {
        let is_left_behind = |place: ChunkCoord| {
            let is_apart = place.level <= cover.top() && !cover.contains(place.ancestor(cover.top()));
            is_apart && !arrivals.see(&generation.layout, place)
        };
        let mut changes = 0;
        for coord in self.left_behind.take_back(is_left_behind) {
            if !cover.is_leaf(coord) {
                changes += self.hide(commands, coord, false);
            }
        }
        if cover != before {
            changes += self.tell_pieces(commands, generation, [before, cover], is_left_behind);
        }
        for coord in std::mem::take(&mut self.lost) {
            if cover.is_leaf(coord) {
                changes += self.show(commands, generation, coord, cover.edges(coord), true);
            }
        }
        for _ in 0..most {
            let Some(coord) = self.left_behind.pop() else {
                break;
            };
            changes += self.hide(commands, coord, false);
        }
        changes
    }

    fn tell_pieces(
        &mut self,
        commands: &mut Commands,
        generation: &Generation,
        [before, cover]: [&Cover; 2],
        is_left_behind: impl Fn(ChunkCoord) -> bool,
    ) -> usize {
        let mut changes = 0;
        let edges_before = std::mem::replace(&mut self.edges, cover.leaf_edges());
        for piece in cover.pieces_since(before) {
            let (old, new) = (&before.leaves()[piece.before.clone()], &cover.leaves()[piece.now.clone()]);
            let first = piece.now.start;
            if old == new {
                let edges = self.edges[first];
                if edges != edges_before[piece.before.start]
                    && let Some(chunk) = self.entity(new[0])
                {
                    commands.entity(chunk).try_insert(ChunkEdges(edges));
                    changes += 1;
                }
                continue;
            }
            let are_replaced = draw_same_ground(old, new);
            for &coord in old {
                let place = coord.ancestor(cover.top().max(coord.level));
                if new.is_empty() && (self.left_behind.holds(place) || is_left_behind(place)) {
                    self.left_behind.add(place, coord);
                } else {
                    changes += self.hide(commands, coord, are_replaced);
                }
            }
            for (number, &coord) in new.iter().enumerate() {
                changes += self.show(commands, generation, coord, self.edges[first + number], are_replaced);
            }
            self.level_changes.extend(LevelChange::of(&piece, before, cover));
        }
        changes
    }

    /// A chunk of the cover is drawn from now on, if it is not. Returns how many chunks that changes.
    fn show(
        &mut self,
        commands: &mut Commands,
        generation: &Generation,
        coord: ChunkCoord,
        edges: Edges,
        is_replacement: bool,
    ) -> usize {
        match self.chunks.entry(coord) {
            // Left behind, and seen again.
            Entry::Occupied(drawn) => {
                commands.entity(*drawn.get()).try_insert(ChunkEdges(edges));
            }
            Entry::Vacant(drawn) => {
                let Some(entity) = generation.entity(coord) else {
                    debug_assert!(false, "{coord:?} is to be drawn and not there");
                    return 0;
                };
                drawn.insert(entity);
                let shown = ChunkShown { is_replacement, is_replaced: None };
                commands.entity(entity).try_insert((ChunkEdges(edges), shown));
            }
        }
        1
    }

    /// A chunk is drawn no more, if it was. Others take its place, or its ground is gone. Returns how many chunks that changes.
    fn hide(&mut self, commands: &mut Commands, coord: ChunkCoord, is_replaced: bool) -> usize {
        let Some(chunk) = self.chunks.remove(&coord) else {
            return 0;
        };
        hide(commands, chunk, is_replaced);
        1
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

/// Hides a chunk. Others take its place, or its ground is gone.
pub(super) fn hide(commands: &mut Commands, chunk: Entity, is_replaced: bool) {
    commands.entity(chunk).queue_silenced(move |mut chunk: EntityWorldMut| {
        if let Some(mut shown) = chunk.get_mut::<ChunkShown>() {
            shown.is_replaced = Some(is_replaced);
        }
        chunk.remove::<ChunkShown>();
    });
}
