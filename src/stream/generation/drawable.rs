//! What of a generation can be drawn, while some of it is missing.

use super::Generation;
use crate::chunk::{ChunkCoord, ChunkLayout, Cover, Reach, Viewer, ViewerPoint};

/// Where the level of `chunk` may reach no further than this, in metres around `viewer`, it is not split, nor stays split.
pub(super) fn whole_beyond(viewer: &Viewer, layout: &ChunkLayout, chunk: ChunkCoord) -> f64 {
    viewer.distance(layout, chunk) - Reach::HYSTERESIS * 1.01 * layout.chunk_size(chunk.level)
}

impl Generation {
    /// Whether there is a hole without `root`: where it is within view of `points`, or drawn already. Other roots are wanted
    /// ahead of time.
    fn is_needed(&self, root: ChunkCoord, mut points: impl Iterator<Item = ViewerPoint>, drawn: &Cover) -> bool {
        drawn.contains(root) || points.any(|point| point.sees(&self.layout, root))
    }

    /// The roots that are to be drawn: without one of them there is a hole.
    pub fn needed_roots(&self, points: &[ViewerPoint], drawn: &Cover) -> impl Iterator<Item = ChunkCoord> {
        self.wanted.roots().iter().copied().filter(|&root| self.is_needed(root, points.iter().copied(), drawn))
    }

    /// Whether one of them is not there.
    pub fn lacks_roots(&self, points: &[ViewerPoint], drawn: &Cover) -> bool {
        self.needed_roots(points, drawn).any(|root| self.chunk(root).is_none())
    }

    /// The wanted roots that are not there, needed or not.
    pub fn missing_roots(&self) -> Vec<ChunkCoord> {
        self.gaps.roots(&self.wanted).collect()
    }

    /// How far each level can reach around each of `points` in a cover with roots of level `top`, with the chunks that are there:
    /// as far as it is to reach, but no further than to the first chunk that can't be split.
    pub fn possible(
        &self,
        top: u8,
        points: impl Iterator<Item = (ViewerPoint, Reach)> + Clone,
        drawn: &Cover,
    ) -> Vec<Viewer> {
        let limits = self.limits(top, points.clone().map(|(point, _)| point), drawn);
        let bounds = self.field.bounds();
        points.map(|(point, target)| self.limited(Viewer::new(point, target, bounds), &limits)).collect()
    }

    /// The chunks that can't be split in a cover with roots of level `top`, as a child of theirs is not there, where there may not
    /// be a hole: in ground that `points` see, or that is `drawn` already.
    pub fn limits(&self, top: u8, points: impl Iterator<Item = ViewerPoint> + Clone, drawn: &Cover) -> Vec<ChunkCoord> {
        // As a rule, a chunk has the same root as the one before: there may be thousands of them.
        let mut last = None;
        let mut is_needed = |root: ChunkCoord| match last {
            Some((known, is_needed)) if known == root => is_needed,
            _ => {
                let is_needed = self.is_needed(root, points.clone(), drawn);
                last = Some((root, is_needed));
                is_needed
            }
        };
        let incomplete = self.gaps.incomplete(&self.wanted);
        incomplete.filter(|&coord| coord.level <= top && is_needed(coord.ancestor(top))).collect()
    }

    /// Whether every level can reach as far as it does around `viewers`, with the chunks that are there.
    pub fn can_reach(&self, viewers: &[Viewer], drawn: &Cover) -> bool {
        let limits = |&coord: &ChunkCoord| {
            let is_short =
                |viewer: &Viewer| whole_beyond(viewer, &self.layout, coord).max(0.0) < viewer.reach.split(coord.level);
            let points = || viewers.iter().map(|viewer| viewer.point);
            viewers.iter().any(is_short) && self.is_needed(coord.ancestor(self.top()), points(), drawn)
        };
        !self.gaps.incomplete(&self.wanted).any(|coord| limits(&coord))
    }

    /// A viewer around which levels reach no further than to the first of the chunks `limits`.
    pub fn limited(&self, mut viewer: Viewer, limits: &[ChunkCoord]) -> Viewer {
        for &coord in limits {
            viewer.reach.limit(coord.level, whole_beyond(&viewer, &self.layout, coord));
        }
        viewer.reach.keep_apart();
        viewer
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::noise::NoiseRng;
    use crate::settings::TerrainSettings;
    use crate::stream::generation::{LoadedChunk, Source, Wishes};
    use bevy::prelude::Entity;

    #[test]
    fn levels_can_reach_as_far_as_is_possible_and_no_further() {
        let settings = TerrainSettings::default();
        let mut generation = Generation::new(Source::of(&settings));
        let place = |x: f64| ViewerPoint {
            position: [x, 30.0, -20.0],
            forward: [1.0, 0.0],
            view_distance: 2000.0,
            sharpness: 1000.0,
        };
        let points = [place(0.0), place(2500.0)];
        let wishes = Wishes::of(&points, &settings.lod);
        generation.select(&wishes);
        let (top, drawn, mut rng) = (generation.top(), Cover::default(), NoiseRng::new(5, 0));
        let mut chunks: Vec<ChunkCoord> = generation.wanted.chunks().collect();
        // For one of the viewers alone, the ground of the other may have holes.
        let limits = generation.limits(top, points[..1].iter().copied(), &drawn);
        let all = generation.limits(top, points.iter().copied(), &drawn);
        let is_seen = |chunk: &&ChunkCoord| points[0].sees(&generation.layout, chunk.ancestor(top));
        assert_eq!(limits, all.iter().filter(is_seen).copied().collect::<Vec<_>>());
        assert!(!limits.is_empty() && limits.len() < all.len());
        let targets = generation.targets.clone();
        let wanted = || points.iter().copied().zip(targets.iter().copied());
        let mut held: Vec<Vec<Viewer>> = Vec::new();
        let mut answers = [0; 2];
        // The coarsest come first, by and large.
        let mut next = |chunks: &mut Vec<ChunkCoord>| {
            let most = chunks.len().min(40) as f64;
            chunks.remove((rng.next_unit() * most) as usize)
        };
        chunks.sort_unstable_by_key(|chunk| std::cmp::Reverse(chunk.level));
        while !chunks.is_empty() {
            for _ in 0..chunks.len().min(20) {
                generation.insert(next(&mut chunks), LoadedChunk::empty(Entity::PLACEHOLDER), 0.0);
            }
            let possible = generation.possible(top, wanted(), &drawn);
            assert!(generation.can_reach(&possible, &drawn));
            held.push(possible.clone());
        }
        let whole = held.pop().expect("they came bit by bit");
        assert!(whole.iter().zip(&targets).all(|(viewer, target)| viewer.reach == *target));
        held.push(whole);
        let all = generation.wanted.chunks().collect::<Vec<_>>();
        for &gone in all.iter().rev().step_by(7) {
            generation.forget(gone, Entity::PLACEHOLDER);
            let possible = generation.possible(top, wanted(), &drawn);
            for held in &held {
                let covers = possible.iter().zip(held).all(|(possible, held)| possible.reach.covers(&held.reach));
                assert_eq!(generation.can_reach(held, &drawn), covers);
                answers[usize::from(covers)] += 1;
            }
        }
        assert!(answers.iter().all(|&answer| answer > 100), "{answers:?}");
    }
}
