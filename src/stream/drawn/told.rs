//! What the world has been told of what is drawn.
//!
//! All of it lies in the order of the leaves of the cover that was told of. So when another cover follows, a walk along both says
//! what changes, and nothing but the chunks that come is looked up.

use super::arrivals::Arrivals;
use super::left_behind::LeftBehind;
use crate::chunk::{ChunkCoord, ChunkLayout, CoordMap, Cover, Edges};
use crate::stream::generation::{ChunkBody, Generation};
use crate::stream::showing::Showing;
use crate::stream::succession::{LevelChange, draw_same_ground};
use crate::stream::{ChunkBounds, ChunkReady, ChunkRemoved};
use bevy::prelude::*;

/// What draws a leaf.
#[derive(Clone, Copy)]
enum Leaf {
    Drawn(ChunkBody),
    /// Its chunk is not there yet, or no more, and that was not the terrain's own will.
    Missing {
        is_new_ground: bool,
    },
}

/// What chunks are part of.
#[derive(Clone, Copy)]
pub(in crate::stream) struct Ground<'a> {
    pub terrain: Entity,
    pub layout: &'a ChunkLayout,
}

/// What is to be drawn.
pub(super) struct Drawing<'a> {
    pub ground: Ground<'a>,
    pub generation: &'a Generation,
    /// The cover that the world was told of.
    pub before: &'a Cover,
    /// The one that follows.
    pub cover: &'a Cover,
}

/// What the world has been told: which chunks are drawn, and with which edges.
#[derive(Default)]
pub(super) struct Told {
    /// What draws each leaf of the cover that was told of.
    leaves: Vec<Leaf>,
    /// The edges of those leaves.
    edges: Vec<Edges>,
    /// The numbers of the leaves that are missing.
    missing: Vec<usize>,
    /// The chunks that are drawn and not part of the cover any more: they go in the frames to come.
    left_behind: LeftBehind,
    /// Where other levels are drawn than before, until that is told.
    level_changes: Vec<LevelChange>,
}

impl<'a> Ground<'a> {
    pub const fn of(terrain: Entity, generation: &'a Generation) -> Self {
        Self { terrain, layout: &generation.layout }
    }

    /// A chunk of it is drawn from now on.
    fn ready(&self, coord: ChunkCoord, chunk: ChunkBody, is_new_ground: bool) -> ChunkReady {
        let bounds = ChunkBounds::new(self.layout, coord, chunk.heights);
        ChunkReady { terrain: self.terrain, chunk: chunk.entity, coord, bounds, is_new_ground }
    }

    /// A chunk of it is drawn no more.
    fn removed(&self, coord: ChunkCoord, chunk: ChunkBody, is_ground_gone: bool) -> ChunkRemoved {
        let bounds = ChunkBounds::new(self.layout, coord, chunk.heights);
        ChunkRemoved { terrain: self.terrain, chunk: chunk.entity, coord, bounds, is_ground_gone }
    }
}

impl Leaf {
    const fn chunk(&self) -> Option<ChunkBody> {
        match self {
            Self::Drawn(chunk) => Some(*chunk),
            Self::Missing { .. } => None,
        }
    }
}

impl Told {
    /// How many chunks are drawn.
    pub fn len(&self) -> usize {
        self.leaves.len() - self.missing.len() + self.left_behind.len()
    }

    /// The entity of a chunk that is drawn, where `cover` was told of.
    pub fn entity(&self, cover: &Cover, coord: ChunkCoord) -> Option<Entity> {
        let leaf = cover.leaf_number(coord).and_then(|number| self.leaves.get(number)?.chunk());
        leaf.or_else(|| self.left_behind.chunk(coord)).map(|chunk| chunk.entity)
    }

    /// Whether chunks are drawn that are not part of the cover, and go in the frames to come.
    pub fn is_late(&self) -> bool {
        !self.left_behind.is_empty()
    }

    /// Whether `coord` lies in ground that was left behind, of which some is drawn still.
    pub fn is_left_behind(&self, coord: ChunkCoord) -> bool {
        self.left_behind.place_of(coord).is_some()
    }

    /// The chunks of `cover`, which follows the cover `before` that was told of, that are not there.
    pub fn missing_leaves<'a>(
        &'a self,
        generation: &'a Generation,
        before: &'a Cover,
        cover: &'a Cover,
    ) -> impl Iterator<Item = ChunkCoord> + 'a {
        let others = cover.pieces_since(before).flat_map(|piece| {
            let (old, new) = (&before.leaves()[piece.before.clone()], &cover.leaves()[piece.now]);
            let is_drawn = old == new && self.leaves[piece.before.start].chunk().is_some();
            if is_drawn { &[] } else { new }
        });
        others.copied().filter(|&coord| generation.chunk(coord).is_none())
    }

    /// Adds to `showing` what is to be told so that the world knows of what is to be drawn, as far as that is
    /// [there](Self::missing).
    ///
    /// Where ground was left behind, and nothing is drawn in its place, neither chunks nor patches, its chunks go
    /// [later](Self::leave).
    pub fn follow(&mut self, drawing: &Drawing<'_>, arrivals: &Arrivals, showing: &mut Showing) {
        let &Drawing { ground, generation, before, cover } = drawing;
        let is_left_behind = |place: ChunkCoord| {
            let is_apart = place.level <= cover.top() && !cover.contains(place.ancestor(cover.top()));
            is_apart && !arrivals.see(&generation.layout, place)
        };
        let mut back = self.left_behind.take_back(is_left_behind);
        if cover != before {
            self.follow_pieces(drawing, showing, &mut back, is_left_behind);
        }
        showing.hidden.extend(back.into_iter().map(|(coord, chunk)| ground.removed(coord, chunk, true)));
        self.fill(generation, ground, cover, showing);
    }

    /// Goes on from one cover to the next. What was left behind is `back`, and taken from there where it is drawn.
    fn follow_pieces(
        &mut self,
        &Drawing { ground, generation, before, cover }: &Drawing<'_>,
        showing: &mut Showing,
        back: &mut CoordMap<ChunkBody>,
        is_left_behind: impl Fn(ChunkCoord) -> bool,
    ) {
        debug_assert_eq!(self.leaves.len(), before.leaves().len(), "the world was told of another cover");
        let leaves_before = std::mem::replace(&mut self.leaves, Vec::with_capacity(cover.leaves().len()));
        let edges_before = std::mem::replace(&mut self.edges, cover.leaf_edges());
        self.missing.clear();
        // After a reload all leaves come at once, and all of them are wanted.
        let bodies = if before.leaves().is_empty() { generation.leaves(cover) } else { Vec::new() };
        for piece in cover.pieces_since(before) {
            let (old, new) = (&before.leaves()[piece.before.clone()], &cover.leaves()[piece.now.clone()]);
            let (first_before, first) = (piece.before.start, piece.now.start);
            if old == new {
                let (leaf, edges) = (leaves_before[first_before], self.edges[first]);
                match leaf {
                    Leaf::Drawn(chunk) if edges != edges_before[first_before] => {
                        showing.edges.push((chunk.entity, edges));
                    }
                    Leaf::Drawn(_) => {}
                    Leaf::Missing { .. } => self.missing.push(first),
                }
                self.leaves.push(leaf);
                continue;
            }
            let leaves_old = &leaves_before[piece.before.clone()];
            // What was never told is news, and so is all beside it that is drawn by the same chunks from now on.
            let is_untold = |leaf: &Leaf| matches!(leaf, Leaf::Missing { is_new_ground: true });
            let is_news = !draw_same_ground(old, new) || leaves_old.iter().any(is_untold);
            for (&coord, leaf) in old.iter().zip(leaves_old) {
                let Some(chunk) = leaf.chunk() else {
                    continue;
                };
                let place = coord.ancestor(cover.top().max(coord.level));
                if new.is_empty() && (self.left_behind.holds(place) || is_left_behind(place)) {
                    self.left_behind.add(place, coord, chunk);
                } else {
                    showing.hidden.push(ground.removed(coord, chunk, is_news));
                }
            }
            for (number, &coord) in piece.now.clone().zip(new) {
                let edges = self.edges[number];
                // Left behind, and seen again.
                if let Some(chunk) = back.remove(&coord) {
                    showing.edges.push((chunk.entity, edges));
                    self.leaves.push(Leaf::Drawn(chunk));
                    continue;
                }
                let known = bodies.get(number).copied().flatten();
                if let Some(chunk) = known.or_else(|| generation.body(coord)) {
                    showing.shown.push((ground.ready(coord, chunk, is_news), edges));
                    self.leaves.push(Leaf::Drawn(chunk));
                } else {
                    self.leaves.push(Leaf::Missing { is_new_ground: is_news });
                    self.missing.push(number);
                }
            }
            if !is_news {
                self.level_changes.extend(LevelChange::of(&piece, before, cover));
            }
        }
    }

    /// The chunks of `cover`, which was told of, that are to be drawn and are not there.
    pub fn missing(&self, cover: &Cover) -> Vec<ChunkCoord> {
        self.missing.iter().map(|&number| cover.leaves()[number]).collect()
    }

    /// Adds to `showing` the chunks that were missing and are there now, where `cover` was told of.
    pub fn fill(&mut self, generation: &Generation, ground: Ground<'_>, cover: &Cover, showing: &mut Showing) {
        let Self { leaves, edges, missing, .. } = self;
        missing.retain(|&number| {
            let Leaf::Missing { is_new_ground } = leaves[number] else {
                return false;
            };
            let coord = cover.leaves()[number];
            let Some(chunk) = generation.body(coord) else {
                return true;
            };
            showing.shown.push((ground.ready(coord, chunk, is_new_ground), edges[number]));
            leaves[number] = Leaf::Drawn(chunk);
            false
        });
    }

    /// Adds to `showing` that `most` of the chunks go that were left behind.
    pub fn leave(&mut self, ground: Ground<'_>, showing: &mut Showing, most: usize) {
        let gone = std::iter::from_fn(|| self.left_behind.pop()).take(most);
        showing.hidden.extend(gone.map(|(coord, chunk)| ground.removed(coord, chunk, true)));
    }

    /// Adds to `showing` what is to be told so that the world knows that nothing is drawn, where `cover` was told of.
    pub fn hide_all(mut self, cover: &Cover, ground: Ground<'_>, showing: &mut Showing) {
        let chunks = cover.leaves().iter().zip(&self.leaves).filter_map(|(&coord, leaf)| Some((coord, leaf.chunk()?)));
        showing.hidden.extend(chunks.map(|(coord, chunk)| ground.removed(coord, chunk, true)));
        self.leave(ground, showing, usize::MAX);
    }

    /// A chunk is there no more, where `cover` was told of.
    pub fn forget(&mut self, cover: &Cover, coord: ChunkCoord, entity: Entity) {
        if self.entity(cover, coord) != Some(entity) {
            return;
        }
        if let Some(number) = cover.leaf_number(coord) {
            self.leaves[number] = Leaf::Missing { is_new_ground: false };
            self.missing.push(number);
        } else {
            self.left_behind.remove(coord);
        }
    }

    /// A chunk is there no more, and that it came was not told before, where `cover` was told of.
    pub fn note_untold(&mut self, cover: &Cover, coord: ChunkCoord, was_new_ground: bool) {
        let leaf = cover.leaf_number(coord).and_then(|number| self.leaves.get_mut(number));
        if let Some(Leaf::Missing { is_new_ground }) = leaf {
            *is_new_ground |= was_new_ground;
        }
    }

    /// Where other levels are drawn than before, and the box around that ground: tells it once, where `cover` was told of.
    pub fn take_level_changes(&mut self, cover: &Cover, layout: &ChunkLayout) -> Vec<(LevelChange, ChunkBounds)> {
        let changes = std::mem::take(&mut self.level_changes).into_iter();
        let with_bounds = changes.filter_map(|change| {
            let leaves = cover.leaves()[change.leaves.clone()].iter().zip(&self.leaves[change.leaves.clone()]);
            let bounds =
                leaves.filter_map(|(&coord, leaf)| Some(ChunkBounds::new(layout, coord, leaf.chunk()?.heights)));
            Some((change, bounds.reduce(|one, other| one.union(&other))?))
        });
        with_bounds.collect()
    }
}
