//! Which of the chunks that are there are drawn.
//!
//! What is drawn is always a [`Cover`]: selected, as what is wanted is, from the viewers and from how far each level reaches
//! around them. Only that the reach is the one in force: while chunks are missing it ends at the first of them, and then it
//! grows to what is wanted, at a limited speed. So at any moment, also after a teleport, the drawn chunks tile the ground,
//! differ by one level at most and have no crack, for the one reason that [`Reach`](crate::chunk::Reach) proves; and detail
//! flows in, as it does when a viewer comes nearer, rather than popping up chunk by chunk.
//!
//! After a jump nothing is there, and to build the roots, some twenty, would hold up the frame. Then a few chunks of the next
//! coarser level are drawn in their place until the roots are built: for a frame or two where tasks do that. Where there is
//! another viewer, which has not jumped, that would cost it all detail: then the roots are built at once.

use super::generation::Generation;
use super::succession::{LevelChange, is_shared};
use super::{ChunkEdges, ChunkShown};
use crate::chunk::{ChunkCoord, CoordMap, Cover, Edges, Viewer, ViewerPoint};
use bevy::prelude::*;

/// How fast a level may spread when its chunks have come, in sides of its chunks per second.
const GROWTH: f64 = 3.0;

/// What is drawn of a terrain.
#[derive(Default)]
pub(super) struct Drawn {
    cover: Cover,
    /// What was drawn before.
    before: Cover,
    /// Where other levels are drawn than before, until that is told.
    level_changes: Vec<LevelChange>,
    /// The viewers, with the reach in force.
    viewers: Vec<Viewer>,
    /// The entities of those of them that were there before, and so see levels grow.
    entities: Vec<Option<Entity>>,
    /// What the world has been told: the entity and the edges of every chunk that is drawn.
    chunks: CoordMap<(Entity, Edges)>,
    /// The reach is not yet what it should be.
    pub is_growing: bool,
    /// Coarser chunks than the roots are drawn, in their place.
    is_standing_in: bool,
    /// The world was told so.
    are_told_as_stand_ins: bool,
    /// The cover is not what the world was told of.
    is_changed: bool,
}

impl Drawn {
    pub const fn cover(&self) -> &Cover {
        &self.cover
    }

    pub fn viewers(&self) -> &[Viewer] {
        &self.viewers
    }

    /// Whether what is drawn are a few coarser chunks in place of the roots.
    pub const fn is_standing_in(&self) -> bool {
        self.is_standing_in
    }

    /// How many chunks are drawn.
    pub fn len(&self) -> usize {
        self.chunks.len()
    }

    /// The entity of a chunk that is drawn.
    pub fn entity(&self, coord: ChunkCoord) -> Option<Entity> {
        self.chunks.get(&coord).map(|&(entity, _)| entity)
    }

    /// The cover for the viewers of this moment, and the reach in force around every one of them that was there before: as
    /// far as is possible with the chunks that are there, having grown for so many seconds.
    ///
    /// Not all of the chunks to draw need be there: roots may be missing, and those that stand in for them.
    pub fn advance(
        &mut self,
        generation: &mut Generation,
        entities: &[Entity],
        points: &[ViewerPoint],
        margin: f64,
        seconds: f64,
    ) {
        let stands_in = self.has_to_stand_in(generation, points);
        let stood_in = std::mem::replace(&mut self.is_standing_in, stands_in);
        let (top, mut viewers) = if stands_in {
            (generation.stand_in_level(), generation.without_detail(points))
        } else {
            (generation.top(), generation.possible(points, &self.cover))
        };
        self.is_growing = false;
        let mut known = Vec::with_capacity(entities.len());
        for ((viewer, &entity), target) in viewers.iter_mut().zip(entities).zip(generation.targets()) {
            let before = self.entities.iter().position(|&known| known == Some(entity));
            if let Some(before) = before {
                viewer.reach = self.viewers[before].reach.toward(&viewer.reach, GROWTH * seconds);
            }
            self.is_growing |= viewer.reach != *target;
            // Who comes while others stand in for the roots has seen none of them yet.
            known.push((before.is_some() || !stands_in).then_some(entity));
        }
        (self.viewers, self.entities) = (viewers, known);
        let cover = Cover::select(&generation.layout, top, &self.viewers, margin, &self.cover);
        self.is_changed |= cover != self.cover || stood_in != stands_in;
        self.before = std::mem::replace(&mut self.cover, cover);
    }

    /// Whether coarser chunks are to stand in for roots: where all ground is new and its roots can't be built within a frame,
    /// until tasks have built them.
    fn has_to_stand_in(&self, generation: &Generation, points: &[ViewerPoint]) -> bool {
        let is_possible = generation.stand_in_level() > generation.top() && !points.is_empty();
        is_possible
            && if self.is_standing_in {
                generation.lacks_roots(points, &self.cover)
            } else {
                generation.is_all_new(points, &self.cover)
            }
    }

    /// Another generation takes over: what was drawn is hidden and forgotten.
    pub fn hide_all(&mut self, commands: &mut Commands) {
        for &(entity, _) in self.chunks.values() {
            hide(commands, entity, false);
        }
        *self = Self::default();
    }

    /// Tells the world which chunks are drawn, and with which edges. Returns how many chunks that changes.
    pub fn show(&mut self, commands: &mut Commands, generation: &Generation) -> usize {
        let is_stand_in = self.is_standing_in;
        let Self { cover, before, chunks, level_changes, .. } = self;
        if !std::mem::take(&mut self.is_changed) && chunks.len() == cover.leaves().len() {
            return 0;
        }
        // Stand-ins are not told as ground. What follows them is, and where that is the same chunk, it is shown anew.
        let is_same_ground = std::mem::replace(&mut self.are_told_as_stand_ins, is_stand_in) == is_stand_in;
        let mut changes = 0;
        chunks.retain(|&coord, (entity, _)| {
            let stays = is_same_ground && cover.is_leaf(coord) && generation.entity(coord) == Some(*entity);
            if !stays {
                hide(commands, *entity, is_same_ground && is_shared(coord, before, cover));
                if is_same_ground && cover.is_split(coord) {
                    level_changes.push(LevelChange::split(coord, cover));
                }
                changes += 1;
            }
            stays
        });
        for &coord in cover.leaves() {
            let Some(entity) = generation.entity(coord) else {
                debug_assert!(false, "{coord:?} is to be drawn and not there");
                continue;
            };
            let edges = cover.edges(coord);
            match chunks.insert(coord, (entity, edges)) {
                Some((_, before)) if before == edges => continue,
                Some(_) => {
                    commands.entity(entity).try_insert(ChunkEdges(edges));
                }
                None => {
                    let is_replacement = is_same_ground && is_shared(coord, cover, before);
                    let shown = ChunkShown { is_replacement, is_replaced: None, is_stand_in };
                    commands.entity(entity).try_insert((ChunkEdges(edges), shown));
                    if is_same_ground && before.is_split(coord) {
                        level_changes.push(LevelChange::merge(coord, before));
                    }
                }
            }
            changes += 1;
        }
        changes
    }

    /// Where other levels are drawn than before: tells it once.
    pub fn take_level_changes(&mut self) -> impl Iterator<Item = LevelChange> {
        self.level_changes.drain(..)
    }

    /// A chunk is there no more.
    pub fn forget(&mut self, coord: ChunkCoord, entity: Entity) {
        if self.entity(coord) == Some(entity) {
            self.chunks.remove(&coord);
            self.is_changed = true;
        }
    }

    /// Whether every level reaches at least as far as here around every viewer.
    pub fn is_reached_by(&self, viewers: &[Viewer]) -> bool {
        self.viewers.len() == viewers.len()
            && self.viewers.iter().zip(viewers).all(|(here, there)| there.reach.covers(&here.reach))
    }
}

/// Hides a chunk. Others take its place, or its ground is gone.
fn hide(commands: &mut Commands, chunk: Entity, is_replaced: bool) {
    commands.entity(chunk).queue_silenced(move |mut chunk: EntityWorldMut| {
        if let Some(mut shown) = chunk.get_mut::<ChunkShown>() {
            shown.is_replaced = Some(is_replaced);
        }
        chunk.remove::<ChunkShown>();
    });
}
