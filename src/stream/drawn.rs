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
//! until tasks have built its roots, and what others want of them. Meanwhile what it saw before is drawn as it was, if it still sees
//! some of that, and sees as far as it did; otherwise that goes when there is time.

mod arrivals;
mod left_behind;
mod parties;
mod told;

use self::arrivals::{Arrivals, Watcher};
pub(super) use self::told::Ground;
use self::told::{Drawing, Told};
use super::ChunkBounds;
use super::generation::{FEW_ROOTS, Generation};
use super::showing::Showing;
use super::succession::LevelChange;
use crate::chunk::{ChunkCoord, ChunkLayout, Cover, Reach, Viewer, ViewerPoint};
use bevy::prelude::*;

/// How fast a level may spread when its chunks have come, in sides of its chunks per second.
const GROWTH: f64 = 3.0;

/// What is drawn of a terrain.
#[derive(Default)]
pub(super) struct Drawn {
    view: View,
    /// What was drawn before, which is what the world was told of.
    before: Cover,
    pub arrivals: Arrivals,
    told: Told,
    /// The reach is not yet what it should be, or viewers are arriving.
    is_growing: bool,
    /// What is to be drawn in this frame was found before.
    is_found_ahead: bool,
}

/// A cover, and those whom it was selected for.
#[derive(Default)]
pub(super) struct View {
    cover: Cover,
    /// The viewers, with the reach in force.
    viewers: Vec<Viewer>,
    entities: Vec<Entity>,
    /// For how many metres a root stayed that falls behind the view.
    margin: f64,
}

impl View {
    /// The viewer that is `entity`, if it was one.
    fn viewer(&self, entity: Entity) -> Option<&Viewer> {
        let at = self.entities.iter().position(|&known| known == entity)?;
        self.viewers.get(at)
    }
}

/// Whether `now` every level up to `level` reaches as far as it was `held`, as far as a viewer sees. Nothing is drawn beyond.
fn reaches_in_view(now: &Reach, held: &Reach, view_distance: f64, level: u8) -> bool {
    let mut held = *held;
    (1..=level).for_each(|level| held.limit(level, view_distance));
    now.covers_up_to(level, &held)
}

impl Drawn {
    pub const fn cover(&self) -> &Cover {
        &self.view.cover
    }

    pub fn viewers(&self) -> &[Viewer] {
        &self.view.viewers
    }

    /// The entities of those viewers.
    pub fn entities(&self) -> &[Entity] {
        &self.view.entities
    }

    /// Whether what is drawn stays as it is, as long as nothing else changes.
    pub fn is_at_rest(&self) -> bool {
        !self.is_growing && !self.told.is_late()
    }

    /// How many chunks are drawn.
    pub fn len(&self) -> usize {
        self.told.len()
    }

    /// The entity of a chunk that is drawn.
    pub fn entity(&self, coord: ChunkCoord) -> Option<Entity> {
        self.told.entity(self.cover(), coord)
    }

    /// Whether any of the ground of `coord` is drawn, and that chunk may be needed.
    pub fn holds(&self, coord: ChunkCoord) -> bool {
        self.cover().contains(coord) || self.told.is_left_behind(coord)
    }

    /// The cover for the viewers of this moment, and the reach in force around every one of them that was there before: as
    /// far as is possible with the chunks that are there, having grown for so many seconds.
    ///
    /// Not all of what is to be drawn need be there: roots may be missing, and what stands in for them.
    pub fn advance(
        &mut self,
        generation: &Generation,
        entities: &[Entity],
        points: &[ViewerPoint],
        margin: f64,
        seconds: f64,
    ) {
        let viewers: Vec<Watcher> = (entities.iter().zip(points).zip(generation.targets_by_now()))
            .map(|((&entity, &point), target)| Watcher { entity, point, target })
            .collect();
        let (layout, top) = (generation.layout, generation.top());
        let (arriving, present) = self.arrivals.part(&layout, &viewers, &generation.missing_roots(), &self.view);
        let waiting = self.who_waits(generation, &present);
        let mut view = None;
        if !waiting.is_empty() {
            let waits = |viewer: &Watcher| waiting.contains(&viewer.entity);
            let (waiting, present): (Vec<Watcher>, Vec<Watcher>) = present.iter().copied().partition(waits);
            view =
                self.view_where_some_arrive(generation, &[&*arriving, &*waiting].concat(), &present, margin, seconds);
        }
        if view.is_none() {
            view = self.view_where_some_arrive(generation, &arriving, &present, margin, seconds);
        }
        if let Some(held) = view.as_ref().filter(|held| held.cover.top() != top) {
            let (lacking, others) = self.who_lacks_what_is_held(generation, held, &present);
            if !lacking.is_empty() {
                view = self.view_where_some_arrive(
                    generation,
                    &[&*arriving, &*lacking].concat(),
                    &others,
                    margin,
                    seconds,
                );
                if view.is_none() {
                    view = self.view_where_some_arrive(generation, &arriving, &present, margin, seconds);
                }
            }
        }
        // Without a patch, roots are built at once.
        let view = view.unwrap_or_else(|| self.view_of(generation, top, &viewers, &[], margin, seconds));
        let is_wanted = |viewer: &Watcher| {
            let seen = view.viewer(viewer.entity);
            seen.is_some_and(|seen| seen.reach == viewer.target && seen.point == viewer.point)
        };
        self.is_growing = view.cover.top() != top || !self.arrivals.are_none() || !viewers.iter().all(is_wanted);
        self.before = std::mem::replace(&mut self.view, view).cover;
    }

    /// What will be drawn, in a frame to come, of a ground of which nothing is drawn yet. `None` where some of it is not there.
    pub fn ahead(generation: &Generation, entities: &[Entity], points: &[ViewerPoint], margin: f64) -> Option<Self> {
        let mut drawn = Self::default();
        drawn.advance(generation, entities, points, margin, 0.0);
        drawn.told = Told::all_of(generation, drawn.cover()).filter(|_| drawn.arrivals.are_none())?;
        (drawn.is_growing, drawn.is_found_ahead) = (true, true);
        Some(drawn)
    }

    /// Adds to the chunks in `showing` that of those that are drawn `most` more are to be shown.
    pub fn tell_ahead(&self, ground: Ground<'_>, showing: &mut Showing, most: usize) {
        self.told.tell_ahead(ground, self.cover(), showing, most);
    }

    /// Whether what is drawn in this frame was found [ahead](Self::ahead), and is to be told already. Once.
    pub const fn take_found_ahead(&mut self) -> bool {
        std::mem::replace(&mut self.is_found_ahead, false)
    }

    /// Parts those of the viewers `present` from the others who moved far while views become longer or shorter: they lack what they
    /// are to see, and as well what is `held` for them, as they would see it with the view that they had.
    ///
    /// A row of roots that somebody comes to see meanwhile is better built at once: a patch would hide all else that it sees.
    fn who_lacks_what_is_held(
        &self,
        generation: &Generation,
        held: &View,
        present: &[Watcher],
    ) -> (Vec<Watcher>, Vec<Watcher>) {
        let missing: Vec<ChunkCoord> = self.told.missing_leaves(generation, &self.view.cover, &held.cover).collect();
        let lacks = |viewer: &Watcher| {
            held.viewer(viewer.entity).is_some_and(|seen| {
                let seen_of = |chunks: &[ChunkCoord]| {
                    chunks.iter().filter(|&&chunk| seen.point.sees(&generation.layout, chunk)).count()
                };
                seen_of(&missing) > FEW_ROOTS.max(seen_of(held.cover.roots()) / 3)
            })
        };
        present.iter().copied().partition(lacks)
    }

    /// Those of the viewers `present` who have just come and would take detail from others: these see far enough to want some of
    /// the new ground split, and its parts are not there yet.
    fn who_waits(&self, generation: &Generation, present: &[Watcher]) -> Vec<Entity> {
        let top = generation.top();
        let has_come =
            |viewer: &Watcher| self.arrivals.hold(viewer.entity) || self.view.viewer(viewer.entity).is_none();
        let (coming, others): (Vec<Watcher>, Vec<Watcher>) = present.iter().copied().partition(has_come);
        if coming.is_empty() || others.is_empty() || top != self.view.cover.top() {
            return Vec::new();
        }
        let loses = |((viewer, now), before): ((&Watcher, &Viewer), &Viewer)| {
            // What is not drawn yet can't be lost.
            let drawn = self.view.viewer(viewer.entity).map(|drawn| drawn.reach.toward(&before.reach, 0.0));
            drawn.is_some_and(|drawn| !reaches_in_view(&now.reach, &drawn, viewer.point.view_distance, top))
        };
        let mut seen = generation.possible(top, others.iter().map(Watcher::target), &self.view.cover);
        let mut waiting = Vec::new();
        for viewer in coming {
            let limits = generation.limits(top, std::iter::once(viewer.point), &Cover::default());
            let beside_it: Vec<Viewer> = seen.iter().map(|&other| generation.limited(other, &limits)).collect();
            if others.iter().zip(&beside_it).zip(&seen).any(loses) {
                waiting.push(viewer.entity);
            } else {
                seen = beside_it;
            }
        }
        waiting
    }

    /// What is drawn for the viewers that are `present`, and for those that are `arriving` as before as long as they see some of
    /// that, while these see a patch besides. `None` where that can't be.
    fn view_where_some_arrive(
        &mut self,
        generation: &Generation,
        arriving: &[Watcher],
        present: &[Watcher],
        margin: f64,
        seconds: f64,
    ) -> Option<View> {
        let is_same_top = generation.top() == self.view.cover.top();
        let kept = if is_same_top { Arrivals::keep(arriving, &self.view) } else { Vec::new() };
        let view = self.view_with_patch(generation, arriving, present, &kept, margin, seconds);
        if view.is_some() || kept.is_empty() {
            return view;
        }
        // What was seen before is gone, or in the way of the patch.
        self.view_with_patch(generation, arriving, present, &[], margin, seconds)
    }

    /// What is drawn for the viewers that are `present`, and for others as before, what is `kept`, while those that are `arriving`
    /// see a patch besides. `None` where that can't be.
    fn view_with_patch(
        &mut self,
        generation: &Generation,
        arriving: &[Watcher],
        present: &[Watcher],
        kept: &[(Entity, Viewer)],
        margin: f64,
        seconds: f64,
    ) -> Option<View> {
        let (view, waiting) = self.next_view(generation, present, kept, margin, seconds);
        if !kept.is_empty() && self.lacks_many(generation, &view.cover) {
            return None;
        }
        let arriving = [arriving, &waiting].concat();
        self.arrivals.see_patches(&generation.layout, &arriving, &view.cover).then_some(view)
    }

    /// What is drawn for `viewers`, with roots of level `top` and those chunks that are there, and for others, the `kept`, as
    /// before.
    fn view_of(
        &self,
        generation: &Generation,
        top: u8,
        viewers: &[Watcher],
        kept: &[(Entity, Viewer)],
        margin: f64,
        seconds: f64,
    ) -> View {
        let mut seen = generation.possible(top, viewers.iter().map(Watcher::target), &self.view.cover);
        for (seen, viewer) in seen.iter_mut().zip(viewers) {
            if let Some(before) = self.view.viewer(viewer.entity) {
                seen.reach = before.reach.toward(&seen.reach, GROWTH * seconds);
            }
        }
        seen.extend(kept.iter().map(|&(_, viewer)| viewer));
        let before = &self.view;
        let cover = if (top, margin) == (before.cover.top(), before.margin) && seen == before.viewers {
            // Selected anew, it would be the same: who jumps sees what it saw before, besides a patch.
            before.cover.clone()
        } else {
            Cover::select(&generation.layout, top, &seen, margin, &before.cover)
        };
        let entities = viewers.iter().map(|viewer| viewer.entity).chain(kept.iter().map(|&(entity, _)| entity));
        View { cover, viewers: seen, entities: entities.collect(), margin }
    }

    /// What is drawn for `viewers` from now on, and those of them who have to wait for it.
    ///
    /// Where viewers come to see further, or less far, what they saw before stays, around where they are now, as long as what
    /// is to take its place would show them less detail or hold up the frame. Who comes meanwhile waits.
    fn next_view(
        &self,
        generation: &Generation,
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
            let level = (top + 1).min(view.cover.top());
            let now = view.viewer(viewer.entity);
            now.is_some_and(|now| !reaches_in_view(&now.reach, &held.reach, held.point.view_distance, level))
        };
        let is_finer = held.viewers.iter().zip(&known).any(shows_more);
        if is_finer || self.lacks_many(generation, &view.cover) { (held, new) } else { (view, Vec::new()) }
    }

    /// Another generation takes over: what was drawn is to be hidden, and forgotten.
    pub fn hide_all(&mut self, commands: &mut Commands, ground: Ground<'_>, showing: &mut Showing) {
        std::mem::take(&mut self.told).hide_all(&self.view.cover, ground, showing);
        self.clear(commands);
    }

    /// Another generation begins where no chunk was drawn: what stood in for them goes.
    pub fn clear(&mut self, commands: &mut Commands) {
        let old = self.arrivals.take_old().collect::<Vec<_>>();
        for stand_in in self.arrivals.stand_ins().chain(old) {
            commands.entity(stand_in).try_despawn();
        }
        *self = Self::default();
    }

    /// Adds to `showing` what is to be told so that the world knows which chunks are drawn, and with which edges: once each time
    /// that this [advanced](Self::advance). Returns the chunks that are to be drawn and not there: they are to be put there, and
    /// [filled in](Self::fill).
    pub fn show(
        &mut self,
        commands: &mut Commands,
        terrain: Entity,
        generation: &Generation,
        showing: &mut Showing,
    ) -> Vec<ChunkCoord> {
        for gone in self.arrivals.take_old() {
            commands.entity(gone).try_despawn();
        }
        let (ground, before, cover) = (Ground::of(terrain, generation), &self.before, &self.view.cover);
        self.told.follow(&Drawing { ground, generation, before, cover }, &self.arrivals, showing);
        self.told.missing(cover)
    }

    /// Adds to `showing` the chunks that were missing, and are there now.
    pub fn fill(&mut self, terrain: Entity, generation: &Generation, showing: &mut Showing) {
        self.told.fill(generation, Ground::of(terrain, generation), &self.view.cover, showing);
        debug_assert!(self.told.missing(&self.view.cover).is_empty(), "chunks are to be drawn and not there");
    }

    /// Where ground was left behind, and nothing is drawn in its place: adds to `showing` that `most` of its chunks go.
    pub fn leave(&mut self, ground: Ground<'_>, showing: &mut Showing, most: usize) {
        self.told.leave(ground, showing, most);
    }

    /// Whether more than a few chunks are not there of a `cover` that follows the one that is drawn.
    fn lacks_many(&self, generation: &Generation, cover: &Cover) -> bool {
        self.told.missing_leaves(generation, &self.view.cover, cover).nth(FEW_ROOTS).is_some()
    }

    /// Where other levels are drawn than before, and the box around that ground: tells it once.
    pub fn take_level_changes(&mut self, layout: &ChunkLayout) -> Vec<(LevelChange, ChunkBounds)> {
        self.told.take_level_changes(layout)
    }

    /// A chunk is there no more.
    pub fn forget(&mut self, coord: ChunkCoord, entity: Entity) {
        self.told.forget(&self.view.cover, coord, entity);
    }

    /// A chunk that was to be shown is not there any more, and the world was never told of it.
    pub fn note_untold(&mut self, coord: ChunkCoord, was_new_ground: bool) {
        self.told.note_untold(&self.view.cover, coord, was_new_ground);
    }

    /// The viewers of another generation, who are to see what is `wanted`, with the reach that is in force here. `None` where that is
    /// not the same, or more: a level reaches further here, or somebody arrives.
    pub fn with_reach_in_force(&self, wanted: &[Viewer]) -> Option<Vec<Viewer>> {
        let here = &self.view.viewers;
        let is_like_here = self.arrivals.are_none()
            && here.len() == wanted.len()
            && here.iter().zip(wanted).all(|(here, wanted)| wanted.reach.covers(&here.reach));
        let with_reach = |(&wanted, here): (&Viewer, &Viewer)| Viewer { reach: here.reach, ..wanted };
        is_like_here.then(|| wanted.iter().zip(here).map(with_reach).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chunk::{ChunkSettings, LevelErrors};

    #[test]
    fn others_see_with_the_reach_in_force_where_they_would_see_as_far() {
        let layout = ChunkLayout::new(&ChunkSettings::default());
        let see = |x: f64, reach: Reach| {
            let point =
                ViewerPoint { position: [x, 30.0, 0.0], forward: [1.0, 0.0], view_distance: 2000.0, sharpness: 1000.0 };
            Viewer::new(point, reach, (0.0, 100.0))
        };
        let point = see(0.0, Reach::none(&layout)).point;
        let mut errors = LevelErrors::new();
        (1..=5_u8).for_each(|level| assert!(errors.note(level, f32::from(level))));
        let narrow = Reach::wanted(&layout, &errors, &point, 1.0, 5);
        let [middle, wide] = [0.5, 1.0].map(|sides| narrow.widened(sides));
        assert!(wide.covers(&middle) && !narrow.covers(&middle));
        let mut drawn = Drawn::default();
        drawn.view.viewers = vec![see(0.0, middle)];
        // They may have moved on.
        assert_eq!(drawn.with_reach_in_force(&[see(7.0, wide)]), Some(vec![see(7.0, middle)]));
        assert_eq!(drawn.with_reach_in_force(&[see(0.0, middle)]), Some(vec![see(0.0, middle)]));
        assert_eq!(drawn.with_reach_in_force(&[see(0.0, narrow)]), None, "less is wanted than there is");
        assert_eq!(drawn.with_reach_in_force(&[]), None);
        let another = see(50.0, wide);
        assert_eq!(drawn.with_reach_in_force(&[another, another]), None, "nobody knows yet how far that one sees");
    }
}
