//! What the world has been told of what is drawn.
//!
//! All of it lies in the order of the leaves of the cover that was told of. So when another cover follows, a walk along both says
//! what changes, and nothing but the chunks that come is looked up.

use super::arrivals::Arrivals;
use super::left_behind::LeftBehind;
use crate::chunk::{ChunkCoord, ChunkLayout, CoordMap, Cover, Edges, Piece};
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
    /// Where other levels are drawn than before, until that is told, and the lowest and the highest ground as it was drawn there.
    level_changes: Vec<(LevelChange, Option<[f32; 2]>)>,
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

    /// What will have been told when all of `cover` is told, and nothing was before. `None` where some of it is not there.
    pub fn all_of(generation: &Generation, cover: &Cover) -> Option<Self> {
        let bodies = generation.leaves(cover).into_iter().zip(cover.leaves());
        let leaves = bodies.map(|(body, &coord)| body.or_else(|| generation.body(coord)).map(Leaf::Drawn));
        Some(Self { leaves: leaves.collect::<Option<_>>()?, edges: cover.leaf_edges(), ..default() })
    }

    /// Adds to the chunks in `showing`, which are the first of `cover`, `most` of those that follow.
    pub fn tell_ahead(&self, ground: Ground<'_>, cover: &Cover, showing: &mut Showing, most: usize) {
        let chunks = cover.leaves().iter().zip(&self.leaves).zip(&self.edges);
        let more = chunks.skip(showing.shown.len()).take(most);
        let ready = more.filter_map(|((&coord, leaf), &edges)| Some((ground.ready(coord, leaf.chunk()?, true), edges)));
        showing.shown.extend(ready);
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
        // Where all leaves come at once, as after a reload, as a rule all of them are wanted.
        let bodies = if before.leaves().is_empty() { generation.leaves(cover) } else { Vec::new() };
        let place_of = |piece: &Piece| {
            let first = before.leaves()[piece.before.start];
            first.ancestor(cover.top().max(first.level))
        };
        let mut pieces = cover.pieces_since(before).peekable();
        while let Some(mut piece) = pieces.next() {
            if piece.now.is_empty() {
                // Thousands may go in one frame: what becomes of them is asked once for each place.
                let place = place_of(&piece);
                while let Some(next) = pieces.next_if(|next| next.now.is_empty() && place_of(next) == place) {
                    piece.before.end = next.before.end;
                }
                let gone = before.leaves()[piece.before.clone()].iter().zip(&leaves_before[piece.before]);
                let chunks = gone.filter_map(|(&coord, leaf)| Some((coord, leaf.chunk()?)));
                if self.left_behind.holds(place) || is_left_behind(place) {
                    self.left_behind.add(place, chunks);
                } else {
                    showing.hidden.extend(chunks.map(|(coord, chunk)| ground.removed(coord, chunk, true)));
                }
                continue;
            }
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
            let hidden = old.iter().zip(leaves_old).filter_map(|(&coord, leaf)| Some((coord, leaf.chunk()?)));
            showing.hidden.extend(hidden.map(|(coord, chunk)| ground.removed(coord, chunk, is_news)));
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
            if !is_news && let Some(change) = LevelChange::of(&piece, before, cover) {
                let heights = leaves_old.iter().filter_map(Leaf::chunk).map(|chunk| chunk.heights).reduce(both);
                self.level_changes.push((change, heights));
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

    /// Where other levels are drawn than before, and the box around that ground: tells it once.
    pub fn take_level_changes(&mut self, layout: &ChunkLayout) -> Vec<(LevelChange, ChunkBounds)> {
        let changes = std::mem::take(&mut self.level_changes).into_iter();
        let with_bounds = changes.filter_map(|(change, before)| {
            let leaves = &self.leaves[change.leaves.clone()];
            let heights = leaves.iter().filter_map(Leaf::chunk).map(|chunk| chunk.heights);
            // Some may have been taken away by who heard that they came: they come again, over the same ground.
            let is_all_there = leaves.iter().all(|leaf| leaf.chunk().is_some());
            let heights = heights.chain(before.filter(|_| !is_all_there)).reduce(both)?;
            let bounds = ChunkBounds::new(layout, change.area, heights);
            Some((change, bounds))
        });
        with_bounds.collect()
    }
}

/// The lowest and the highest ground of two.
const fn both(one: [f32; 2], other: [f32; 2]) -> [f32; 2] {
    [one[0].min(other[0]), one[1].max(other[1])]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chunk::{LevelErrors, Reach, Viewer, ViewerPoint};
    use crate::settings::TerrainSettings;
    use crate::stream::generation::{LoadedChunk, Source};

    /// A cover with roots of level 3 and, if it is `fine`, chunks of the finest level all over; and a generation that has all its
    /// chunks.
    fn cover(generation: &mut Generation, is_fine: bool) -> Cover {
        let layout = generation.layout;
        let (position, view_distance) = ([3.0; 3], layout.chunk_size(3));
        let point = ViewerPoint { position, forward: [1.0, 0.0], view_distance, sharpness: 1000.0 };
        let fine = Reach::wanted(&layout, &LevelErrors::new(), &point, 0.0, 3);
        let reach = if is_fine { fine } else { Reach::none(&layout) };
        let cover = Cover::select(&layout, 3, &[Viewer::new(point, reach, (0.0, 0.0))], 0.0, &Cover::default());
        for &coord in cover.leaves() {
            put(generation, coord);
        }
        cover
    }

    /// Puts a new chunk where there is none.
    fn put(generation: &mut Generation, coord: ChunkCoord) {
        if generation.chunk(coord).is_none() {
            let entity = Entity::from_raw_u32(generation.len() as u32).expect("a number");
            generation.insert(coord, LoadedChunk::empty(entity), 0.0);
        }
    }

    /// What is told when `cover` follows `before`.
    fn follow(told: &mut Told, generation: &Generation, before: &Cover, cover: &Cover) -> Showing {
        let (mut showing, ground) = (Showing::default(), Ground::of(Entity::PLACEHOLDER, generation));
        told.follow(&Drawing { ground, generation, before, cover }, &Arrivals::default(), &mut showing);
        showing
    }

    /// A fine cover that was told of, and a coarse one that is to follow. Whether the chunk of one leaf was taken away, and before
    /// it was told that it came: that leaf.
    fn with_gap(is_untold: bool) -> (Generation, Told, [Cover; 2], ChunkCoord) {
        let mut generation = Generation::new(Source::of(&TerrainSettings::default()));
        let (fine, coarse) = (cover(&mut generation, true), cover(&mut generation, false));
        let mut told = Told::default();
        let shown = follow(&mut told, &generation, &Cover::default(), &fine).shown;
        assert!(shown.len() == fine.leaves().len() && shown.iter().all(|(ready, _)| ready.is_new_ground));
        let gone = fine.leaves()[fine.leaves().len() / 2];
        let entity = generation.body(gone).expect("all are there").entity;
        assert!(generation.forget(gone, entity));
        told.forget(&fine, gone, entity);
        if is_untold {
            told.note_untold(&fine, gone, true);
        }
        (generation, told, [fine, coarse], gone)
    }

    #[test]
    fn a_chunk_that_comes_again_is_news_if_it_was_never_told_of() {
        for is_untold in [false, true] {
            let (mut generation, mut told, [fine, _], gone) = with_gap(is_untold);
            assert_eq!((told.missing(&fine), told.len()), (vec![gone], fine.leaves().len() - 1));
            assert!(follow(&mut told, &generation, &fine, &fine).shown.is_empty(), "it is not there yet");
            put(&mut generation, gone);
            let shown = follow(&mut told, &generation, &fine, &fine).shown;
            let news: Vec<_> = shown.iter().map(|(ready, _)| (ready.coord, ready.is_new_ground)).collect();
            assert_eq!(news, [(gone, is_untold)]);
            assert_eq!(told.missing(&fine), []);
        }
    }

    #[test]
    fn where_ground_was_never_told_of_the_chunk_that_takes_its_place_is_news_for_all_of_it() {
        for is_untold in [false, true] {
            let (generation, mut told, [fine, coarse], gone) = with_gap(is_untold);
            let Showing { hidden, shown, .. } = follow(&mut told, &generation, &fine, &coarse);
            assert!(hidden.iter().all(|removed| removed.coord != gone), "it was never told of, or went before");
            assert_eq!((hidden.len(), shown.len()), (fine.leaves().len() - 1, coarse.leaves().len()));
            let news = |coord: ChunkCoord| is_untold && coord.ancestor(3) == gone.ancestor(3);
            assert!(hidden.iter().all(|removed| removed.is_ground_gone == news(removed.coord)));
            assert!(shown.iter().all(|(ready, _)| ready.is_new_ground == news(ready.coord)));
            assert!(shown.len() > 1 && hidden.iter().any(|removed| removed.coord.ancestor(3) == gone.ancestor(3)));
            let changes = told.take_level_changes(&generation.layout);
            assert_eq!(changes.len(), coarse.leaves().len() - usize::from(is_untold), "what is news is no change");
        }
    }

    #[test]
    fn what_is_found_ahead_by_and_by_is_what_would_be_told_at_once() {
        let mut generation = Generation::new(Source::of(&TerrainSettings::default()));
        let fine = cover(&mut generation, true);
        let mut told_at_once = Told::default();
        let at_once = follow(&mut told_at_once, &generation, &Cover::default(), &fine).shown;
        let told = Told::all_of(&generation, &fine).expect("all is there");
        let (mut showing, mut expected) = (Showing::default(), 0);
        for most in [0, 1, 7, at_once.len(), 5] {
            told.tell_ahead(Ground::of(Entity::PLACEHOLDER, &generation), &fine, &mut showing, most);
            expected = at_once.len().min(expected + most);
            assert_eq!(showing.shown, at_once[..expected]);
        }
        assert!(expected == at_once.len() && expected > 8 && showing.len() == expected);
        assert_eq!((told.len(), &told.edges), (at_once.len(), &told_at_once.edges));
        assert!(fine.leaves().iter().all(|&leaf| told.entity(&fine, leaf) == told_at_once.entity(&fine, leaf)));
        let gone = fine.leaves()[3];
        generation.forget(gone, told.entity(&fine, gone).expect("it is drawn"));
        assert!(Told::all_of(&generation, &fine).is_none());
    }

    #[test]
    fn a_change_of_levels_is_told_also_where_its_chunk_is_taken_away_at_once() {
        let (generation, mut told, [fine, coarse], gone) = with_gap(false);
        follow(&mut told, &generation, &fine, &coarse);
        let merged = gone.ancestor(3);
        told.forget(&coarse, merged, generation.body(merged).expect("all are there").entity);
        let changes = told.take_level_changes(&generation.layout);
        let bounds = changes.iter().find_map(|(change, bounds)| (change.area == merged).then_some(*bounds));
        assert_eq!(bounds, Some(ChunkBounds::new(&generation.layout, merged, [0.0; 2])));
    }

    #[test]
    fn where_ground_was_never_told_of_the_chunks_that_take_its_place_are_news() {
        let (mut generation, mut told, [fine, coarse], _) = with_gap(false);
        follow(&mut told, &generation, &fine, &coarse);
        let gone = coarse.leaves()[0];
        let entity = generation.body(gone).expect("all are there").entity;
        generation.forget(gone, entity);
        told.forget(&coarse, gone, entity);
        told.note_untold(&coarse, gone, true);
        cover(&mut generation, true);
        let shown = follow(&mut told, &generation, &coarse, &fine).shown;
        assert_eq!(shown.len(), fine.leaves().len());
        assert!(shown.iter().all(|(ready, _)| ready.is_new_ground == (ready.coord.ancestor(3) == gone)));
    }
}
