//! Viewers who were put where nothing is: their detail waits until they have ground.
//!
//! The frame in which a viewer comes has much to do that can't wait. To find its detail, thousands of chunks, can: tasks build the
//! roots first in any case, and levels spread from nothing. Not so around who still sees some of what it saw: its detail may be there
//! as soon as its roots are.

use super::{FEW_ROOTS, Generation, Wishes};
use crate::chunk::{Cover, Reach, Viewer, ViewerPoint};

/// Where a viewer stood when chunks were last selected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::stream) enum Standing {
    /// Where it stands now, or so near that it saw some of what it sees now; or it sees further now, or less far.
    There,
    /// Elsewhere, or it was not there at all.
    Elsewhere,
    /// Wherever that was, it was a newcomer.
    Newcomer,
}

/// The viewers for whom no detail is wanted yet.
#[derive(Default)]
pub(super) struct Newcomers {
    /// Which of the viewers they are.
    are_among: Vec<bool>,
    /// There were some when chunks were last selected.
    were_there: bool,
}

impl Newcomers {
    fn are_none(&self) -> bool {
        !self.are_among.contains(&true)
    }

    /// Whether all viewers want all that they will want, and did so when chunks were last selected.
    pub fn are_none_for_long(&self) -> bool {
        !self.were_there && self.are_none()
    }

    /// Of the `targets` of all viewers, what is wanted by now, where roots have level `top`.
    pub fn ask(&self, targets: &[Reach], top: u8) -> impl Iterator<Item = Reach> {
        self.are_among.iter().zip(targets).map(move |(&is_newcomer, &(mut target))| {
            if is_newcomer {
                target.limit(top, 0.0);
                target.keep_apart();
            }
            target
        })
    }
}

impl Generation {
    /// Finds the newcomers among the viewers.
    pub(super) fn find_newcomers(&mut self, wishes: &Wishes<'_>, top: u8) {
        let were_there = self.has_newcomers();
        // Where roots of another level are wanted, who moves only a little lacks them as well.
        let is_same_top = top == self.top() || self.wanted.roots().is_empty();
        let viewers = wishes.points.iter().zip(wishes.standing);
        let newcomers = viewers.map(|(point, &standing)| is_same_top && self.is_newcomer(point, standing, top));
        self.newcomers = Newcomers { are_among: newcomers.collect(), were_there };
    }

    /// Whether a viewer sees more than a few roots that are not there, because of where it was put.
    fn is_newcomer(&self, point: &ViewerPoint, standing: Standing, top: u8) -> bool {
        if standing == Standing::There {
            return false;
        }
        let viewer = Viewer::new(*point, Reach::none(&self.layout), (0.0, 0.0));
        let ground = Cover::select(&self.layout, top, &[viewer], 0.0, &Cover::default());
        let is_known = |root| standing == Standing::Elsewhere && self.wanted.contains(root);
        let lacking = ground.roots().iter().filter(|&&root| self.chunk(root).is_none() && !is_known(root));
        lacking.count() > FEW_ROOTS
    }

    /// Whether there are any newcomers.
    pub fn has_newcomers(&self) -> bool {
        !self.newcomers.are_none()
    }

    /// Which of the viewers are newcomers.
    pub fn newcomers(&self) -> &[bool] {
        &self.newcomers.are_among
    }

    /// Whether a newcomer has its ground: another selection will want its detail. The viewers are at `points`, as they were when
    /// chunks were last selected.
    pub fn is_detail_due(&self, points: &[ViewerPoint]) -> bool {
        let mut newcomers = points.iter().zip(&self.newcomers.are_among).filter(|&(_, &is_newcomer)| is_newcomer);
        newcomers.any(|(point, _)| {
            let mut lacking = self.gaps.roots(&self.wanted).filter(|&root| point.sees(&self.layout, root));
            lacking.nth(FEW_ROOTS).is_none()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chunk::ChunkCoord;
    use crate::settings::TerrainSettings;
    use crate::stream::generation::{LoadedChunk, Source};
    use bevy::prelude::Entity;

    const VIEW: f64 = 2000.0;

    fn at(x: f64) -> [ViewerPoint; 1] {
        [ViewerPoint { position: [x, 30.0, -20.0], forward: [1.0, 0.0], view_distance: VIEW, sharpness: 1000.0 }]
    }

    /// Selects chunks for viewers who are at `points` now, and returns whether there are newcomers among them.
    fn select(generation: &mut Generation, points: &[ViewerPoint], standing: &[Standing], most_bytes: f64) -> bool {
        let settings = TerrainSettings::default();
        generation.select(&Wishes { standing, most_bytes, ..Wishes::of(points, &settings.lod) });
        generation.has_newcomers()
    }

    fn put(generation: &mut Generation, chunks: &[ChunkCoord]) {
        for &chunk in chunks {
            generation.insert(chunk, LoadedChunk::empty(Entity::PLACEHOLDER), 0.0);
        }
    }

    fn seen_roots(generation: &Generation, point: &ViewerPoint) -> Vec<ChunkCoord> {
        let roots = generation.wanted.roots().iter().copied();
        roots.filter(|&root| point.sees(&generation.layout, root)).collect()
    }

    #[test]
    fn who_comes_wants_its_ground_first_and_detail_once_that_is_there() {
        let (mut generation, here) = (Generation::new(Source::of(&TerrainSettings::default())), at(0.0));
        assert!(select(&mut generation, &here, &[Standing::Elsewhere], 1e9));
        assert_eq!(generation.wanted(), generation.wanted.roots().len(), "nothing is split");
        assert!(generation.targets_by_now().all(|reach| (1..=generation.top()).all(|level| reach.split(level) == 0.0)));
        assert!(generation.targets()[0].split(1) > 0.0, "what is wanted in the end is known");
        assert!(!generation.is_measured(), "what is wanted is not known yet");
        let roots = seen_roots(&generation, &here[0]);
        assert!(roots.len() > 2 * FEW_ROOTS);
        let (last, first) = roots.split_at(FEW_ROOTS + 1);
        put(&mut generation, first);
        assert!(!generation.is_detail_due(&here));
        // It may move on, or somebody may ask for another selection.
        assert!(select(&mut generation, &at(1.0), &[Standing::Newcomer], 1e9));
        put(&mut generation, &last[..1]);
        assert!(generation.is_detail_due(&at(1.0)));
        assert!(!select(&mut generation, &at(1.0), &[Standing::Newcomer], 1e9));
        assert!(generation.wanted() > 100 && !generation.is_detail_due(&at(1.0)));
        assert!(generation.targets_by_now().eq(generation.targets().iter().copied()));
    }

    #[test]
    fn who_was_there_before_keeps_its_detail() {
        let (mut generation, here) = (Generation::new(Source::of(&TerrainSettings::default())), at(0.0));
        assert!(!select(&mut generation, &here, &[Standing::There], 1e9), "whatever is there");
        let wanted = generation.wanted();
        assert!(wanted > 100);
        // What it lacks it lacked before, and not because it moved.
        assert!(!select(&mut generation, &at(1.0), &[Standing::Elsewhere], 1e9));
        // A longer view is another matter too.
        let far = at(1.0).map(|point| ViewerPoint { view_distance: 8.0 * VIEW, ..point });
        assert!(Cover::top_level(&generation.layout, 8.0 * VIEW) > generation.top());
        assert!(!select(&mut generation, &far, &[Standing::Elsewhere], 1e9));
        assert!(!select(&mut generation, &here, &[Standing::There], 1e9));
        // Another comes, and only that one waits.
        let both = [here[0], at(10.0 * VIEW)[0]];
        assert!(select(&mut generation, &both, &[Standing::There, Standing::Elsewhere], 1e9));
        assert_eq!(generation.newcomers(), [false, true]);
        assert!((wanted..wanted + 60).contains(&generation.wanted()), "{wanted}, then {}", generation.wanted());
        // It comes to ground that is there.
        let roots = seen_roots(&generation, &both[1]);
        put(&mut generation, &roots);
        assert!(!select(&mut generation, &both, &[Standing::There, Standing::Elsewhere], 1e9));
    }

    #[test]
    fn with_little_memory_detail_does_not_come_back_for_want_of_those_who_have_just_come() {
        let mut generation = Generation::new(Source::of(&TerrainSettings::default()));
        let (here, there) = (at(0.0), at(10.0 * VIEW));
        select(&mut generation, &here, &[Standing::There], 1e9);
        let little = 0.7 * (generation.wanted() * generation.bytes_per_chunk()) as f64;
        select(&mut generation, &here, &[Standing::There], little);
        let allowance = generation.allowance;
        assert!(generation.is_limited());
        assert!(select(&mut generation, &there, &[Standing::Elsewhere], little));
        assert!(!generation.has_room() && generation.allowance == allowance);
        let roots = seen_roots(&generation, &there[0]);
        put(&mut generation, &roots);
        assert!(!select(&mut generation, &there, &[Standing::Newcomer], little));
        assert!(generation.allowance <= allowance, "{allowance:?}, then {:?}", generation.allowance);
    }
}
