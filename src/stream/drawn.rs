//! Which of the chunks that are there are drawn.
//!
//! What is drawn is always a [`Cover`]: selected, as what is wanted is, from the viewers and from how far each level reaches
//! around them. Only that the reach is the one in force: while chunks are missing it ends at the first of them, and then it
//! grows to what is wanted, at a limited speed. So at any moment the drawn chunks tile the ground, differ by one level at most
//! and have no crack, for the one reason that [`Reach`](crate::chunk::Reach) proves; and detail flows in, as it does when a
//! viewer comes nearer, rather than popping up chunk by chunk.
//!
//! Where a viewer was put somewhere else nothing is there, or too little, and to build the roots, some twenty, would hold up
//! the frame. Such a viewer [arrives](arrivals): a coarse patch of ground stands in for all that it sees and nobody else does,
//! until tasks have built its roots. Meanwhile what it saw before is drawn as it was, if it still sees some of that; otherwise
//! that goes when there is time.

mod arrivals;
mod parties;

use self::arrivals::{Arrivals, Watcher};
use super::generation::{FEW_ROOTS, Generation};
use super::succession::{LevelChange, is_shared};
use super::{ChunkEdges, ChunkShown};
use crate::chunk::{ChunkCoord, CoordMap, Cover, Edges, Viewer, ViewerPoint};
use bevy::prelude::*;
use std::collections::hash_map::Entry;

/// How fast a level may spread when its chunks have come, in sides of its chunks per second.
const GROWTH: f64 = 3.0;

/// What is drawn of a terrain.
#[derive(Default)]
pub(super) struct Drawn {
    view: View,
    /// What was drawn before.
    before: Cover,
    /// Where other levels are drawn than before, until that is told.
    level_changes: Vec<LevelChange>,
    pub arrivals: Arrivals,
    /// What the world has been told: the entity and the edges of every chunk that is drawn.
    chunks: CoordMap<(Entity, Edges)>,
    /// The reach is not yet what it should be, or viewers are arriving.
    is_growing: bool,
    /// How many of the chunks are not part of the cover any more, and go in the frames to come.
    late: usize,
    /// The cover is not what the world was told of.
    is_changed: bool,
}

/// A cover, and those whom it was selected for.
#[derive(Default)]
pub(super) struct View {
    cover: Cover,
    /// The viewers, with the reach in force.
    viewers: Vec<Viewer>,
    entities: Vec<Entity>,
}

impl View {
    /// The viewer that is `entity`, if it was one.
    fn viewer(&self, entity: Entity) -> Option<&Viewer> {
        let at = self.entities.iter().position(|&known| known == entity)?;
        self.viewers.get(at)
    }
}

impl Drawn {
    pub const fn cover(&self) -> &Cover {
        &self.view.cover
    }

    pub fn viewers(&self) -> &[Viewer] {
        &self.view.viewers
    }

    /// Whether what is drawn stays as it is, as long as nothing else changes.
    pub const fn is_at_rest(&self) -> bool {
        !self.is_growing && self.late == 0
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
    /// Not all of what is to be drawn need be there: roots may be missing, and what stands in for them.
    pub fn advance(
        &mut self,
        generation: &mut Generation,
        entities: &[Entity],
        points: &[ViewerPoint],
        margin: f64,
        seconds: f64,
    ) {
        let viewers: Vec<Watcher> = (entities.iter().zip(points).zip(generation.targets()))
            .map(|((&entity, &point), &target)| Watcher { entity, point, target })
            .collect();
        let (layout, top) = (generation.layout, generation.top());
        let (arriving, present) = self.arrivals.part(&layout, &viewers, generation.missing_roots(), &self.view);
        let kept = if top == self.view.cover.top() { Arrivals::keep(&arriving, &self.view) } else { Vec::new() };
        let mut view = self.view_with_patch(generation, &arriving, &present, &kept, margin, seconds);
        if view.is_none() && !kept.is_empty() {
            // What was seen before is gone, or in the way of the patch.
            view = self.view_with_patch(generation, &arriving, &present, &[], margin, seconds);
        }
        // Without a patch, roots are built at once.
        let view = view.unwrap_or_else(|| self.view_of(generation, top, &viewers, &[], margin, seconds));
        let is_wanted = |viewer: &Watcher| {
            let seen = view.viewer(viewer.entity);
            seen.is_some_and(|seen| seen.reach == viewer.target && seen.point == viewer.point)
        };
        self.is_growing = view.cover.top() != top || !self.arrivals.are_none() || !viewers.iter().all(is_wanted);
        self.is_changed |= view.cover != self.view.cover;
        self.before = std::mem::replace(&mut self.view, view).cover;
    }

    /// What is drawn for the viewers that are `present`, and for others as before, what is `kept`, while those that are `arriving`
    /// see a patch besides. `None` where that can't be.
    fn view_with_patch(
        &mut self,
        generation: &mut Generation,
        arriving: &[Watcher],
        present: &[Watcher],
        kept: &[(Entity, Viewer)],
        margin: f64,
        seconds: f64,
    ) -> Option<View> {
        let (view, waiting) = self.next_view(generation, present, kept, margin, seconds);
        if !kept.is_empty() && generation.missing_leaves(&view.cover).len() > FEW_ROOTS {
            return None;
        }
        let arriving = [arriving, &waiting].concat();
        self.arrivals.see_patches(&generation.layout, &arriving, &view.cover).then_some(view)
    }

    /// What is drawn for `viewers`, with roots of level `top` and those chunks that are there, and for others, the `kept`, as
    /// before.
    fn view_of(
        &self,
        generation: &mut Generation,
        top: u8,
        viewers: &[Watcher],
        kept: &[(Entity, Viewer)],
        margin: f64,
        seconds: f64,
    ) -> View {
        let targets = viewers.iter().map(|viewer| (viewer.point, viewer.target));
        let mut seen = generation.possible(top, targets, &self.view.cover);
        for (seen, viewer) in seen.iter_mut().zip(viewers) {
            if let Some(before) = self.view.viewer(viewer.entity) {
                seen.reach = before.reach.toward(&seen.reach, GROWTH * seconds);
            }
        }
        seen.extend(kept.iter().map(|&(_, viewer)| viewer));
        let cover = Cover::select(&generation.layout, top, &seen, margin, &self.view.cover);
        let entities = viewers.iter().map(|viewer| viewer.entity).chain(kept.iter().map(|&(entity, _)| entity));
        View { cover, viewers: seen, entities: entities.collect() }
    }

    /// What is drawn for `viewers` from now on, and those of them who have to wait for it.
    ///
    /// Where viewers come to see further, or less far, what they saw before stays, around where they are now, as long as what
    /// is to take its place would show them less detail or hold up the frame. Who comes meanwhile waits.
    fn next_view(
        &self,
        generation: &mut Generation,
        viewers: &[Watcher],
        kept: &[(Entity, Viewer)],
        margin: f64,
        seconds: f64,
    ) -> (View, Vec<Watcher>) {
        let view = self.view_of(generation, generation.top(), viewers, kept, margin, seconds);
        let top = self.view.cover.top();
        let (mut known, mut new, mut is_other) = (Vec::new(), Vec::new(), top != view.cover.top());
        for &viewer in viewers {
            if let Some(before) = self.view.viewer(viewer.entity) {
                let view_distance = before.point.view_distance;
                is_other |= viewer.point.view_distance != view_distance;
                known.push(Watcher { point: ViewerPoint { view_distance, ..viewer.point }, ..viewer });
            } else {
                new.push(viewer);
            }
        }
        if known.is_empty() || !is_other {
            return (view, Vec::new());
        }
        let held = self.view_of(generation, top, &known, kept, margin, seconds);
        let shows_more = |(held, viewer): (&Viewer, &Watcher)| {
            let mut reach = held.reach;
            // Nothing is drawn beyond, and as far as that all is at least as fine as the roots.
            (1..=top + 1).for_each(|level| reach.limit(level, held.point.view_distance));
            let level = (top + 1).min(view.cover.top());
            view.viewer(viewer.entity).is_some_and(|now| !now.reach.covers_up_to(level, &reach))
        };
        let is_finer = held.viewers.iter().zip(&known).any(shows_more);
        if is_finer || generation.missing_leaves(&view.cover).len() > FEW_ROOTS {
            (held, new)
        } else {
            (view, Vec::new())
        }
    }

    /// Another generation takes over: what was drawn is hidden and forgotten.
    pub fn hide_all(&mut self, commands: &mut Commands) {
        for &(entity, _) in self.chunks.values() {
            hide(commands, entity, false);
        }
        let old = self.arrivals.take_old().collect::<Vec<_>>();
        for stand_in in self.arrivals.stand_ins().chain(old) {
            commands.entity(stand_in).try_despawn();
        }
        *self = Self::default();
    }

    /// Tells the world which chunks are drawn, and with which edges. Returns how many chunks that changes.
    ///
    /// Where ground was left behind, and nothing is drawn in its place, only `most` chunks go now, and the others later.
    pub fn show(&mut self, commands: &mut Commands, generation: &Generation, most: usize) -> usize {
        for gone in self.arrivals.take_old() {
            commands.entity(gone).try_despawn();
        }
        let Self { view: View { cover, .. }, before, arrivals, chunks, level_changes, late, .. } = self;
        if !std::mem::take(&mut self.is_changed) && *late == 0 && chunks.len() == cover.leaves().len() {
            return 0;
        }
        let is_left_behind = |coord: ChunkCoord| {
            let is_apart = coord.level <= cover.top() && !cover.contains(coord.ancestor(cover.top()));
            is_apart && !arrivals.see(&generation.layout, coord)
        };
        let (mut changes, mut gone) = (0, 0);
        *late = 0;
        chunks.retain(|&coord, (entity, _)| {
            if cover.is_leaf(coord) {
                debug_assert_eq!(generation.entity(coord), Some(*entity), "{coord:?} was not forgotten");
                return true;
            }
            if is_left_behind(coord) {
                if gone == most {
                    *late += 1;
                    return true;
                }
                gone += 1;
            }
            let was_in_cover = before.is_leaf(coord);
            hide(commands, *entity, was_in_cover && is_shared(coord, before, cover));
            if was_in_cover && cover.is_split(coord) {
                level_changes.push(LevelChange::split(coord, cover));
            }
            changes += 1;
            false
        });
        for &coord in cover.leaves() {
            let edges = cover.edges(coord);
            match chunks.entry(coord) {
                Entry::Occupied(mut drawn) => {
                    let (entity, before) = drawn.get_mut();
                    if std::mem::replace(before, edges) == edges {
                        continue;
                    }
                    commands.entity(*entity).try_insert(ChunkEdges(edges));
                }
                Entry::Vacant(drawn) => {
                    let Some(entity) = generation.entity(coord) else {
                        debug_assert!(false, "{coord:?} is to be drawn and not there");
                        continue;
                    };
                    drawn.insert((entity, edges));
                    let is_replacement = is_shared(coord, cover, before);
                    let shown = ChunkShown { is_replacement, is_replaced: None };
                    commands.entity(entity).try_insert((ChunkEdges(edges), shown));
                    if before.is_split(coord) {
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

    /// Whether every level reaches at least as far as here around every viewer, and none arrives.
    pub fn is_reached_by(&self, viewers: &[Viewer]) -> bool {
        let here = &self.view.viewers;
        self.arrivals.are_none()
            && here.len() == viewers.len()
            && here.iter().zip(viewers).all(|(here, there)| there.reach.covers(&here.reach))
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
