//! The wanted chunks that are not there, and those that can't be drawn in detail without them.

use crate::chunk::{ChunkCoord, CoordMap, CoordSet, Cover};

/// What is missing of a cover, kept up to date as chunks come and as another cover is wanted: to look for it anew would take a
/// part of a millisecond where thousands are wanted.
#[derive(Default)]
pub(super) struct Gaps {
    /// All chunks that are not there.
    missing: CoordSet,
    /// Those of them that are roots.
    roots: CoordSet,
    /// The chunks that can't be split, with how many of their children are not there.
    incomplete: CoordMap<u8>,
    top: u8,
}

impl Gaps {
    /// The chunks that are wanted and not there.
    pub fn missing(&self) -> impl Iterator<Item = ChunkCoord> {
        self.missing.iter().copied()
    }

    /// The roots that are not there.
    pub fn roots(&self) -> impl Iterator<Item = ChunkCoord> {
        self.roots.iter().copied()
    }

    /// The chunks that can't be split, as a child of theirs is not there.
    pub fn incomplete(&self) -> impl Iterator<Item = ChunkCoord> {
        self.incomplete.keys().copied()
    }

    /// Other chunks are `wanted` than `before`: those that come new are missing unless they are there.
    pub fn follow(&mut self, before: &Cover, wanted: &Cover, is_there: impl Fn(ChunkCoord) -> bool) {
        if wanted.top() == self.top {
            let gone: Vec<ChunkCoord> = self.missing().filter(|&chunk| !wanted.contains(chunk)).collect();
            gone.into_iter().for_each(|chunk| self.fill(chunk));
        } else {
            // Others are the roots, and have no parents.
            let stay: Vec<ChunkCoord> = self.missing().filter(|&chunk| wanted.contains(chunk)).collect();
            *self = Self { top: wanted.top(), ..Self::default() };
            stay.into_iter().for_each(|chunk| self.add(chunk));
        }
        wanted.chunks_since(before).into_iter().filter(|&chunk| !is_there(chunk)).for_each(|chunk| self.add(chunk));
    }

    /// A chunk of the cover is not there.
    pub fn add(&mut self, chunk: ChunkCoord) {
        if !self.missing.insert(chunk) {
            return;
        }
        if chunk.level == self.top {
            self.roots.insert(chunk);
        } else {
            *self.incomplete.entry(chunk.parent()).or_default() += 1;
        }
    }

    /// A chunk is there now, or is not wanted any more.
    pub fn fill(&mut self, chunk: ChunkCoord) {
        if !self.missing.remove(&chunk) {
            return;
        }
        self.roots.remove(&chunk);
        let parent = chunk.parent();
        if let Some(children) = self.incomplete.get_mut(&parent) {
            *children -= 1;
            if *children == 0 {
                self.incomplete.remove(&parent);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chunk::{ChunkLayout, ChunkSettings, LevelErrors, Reach, Viewer, ViewerPoint};
    use crate::noise::TerrainRng;
    use std::collections::BTreeSet;

    #[test]
    fn gaps_are_those_that_are_found_anew() {
        let (layout, mut rng) = (ChunkLayout::new(&ChunkSettings { quads: 8, spacing: 1.0 }), TerrainRng::new(5, 0));
        let (mut gaps, mut wanted, mut there) = (Gaps::default(), Cover::default(), BTreeSet::new());
        let (mut place, mut view_distance, mut holes) = ([0.0; 2], 100.0, 0);
        for step in 0..300 {
            if step % 20 == 0 {
                view_distance = 50.0 + 500.0 * rng.next_unit();
            }
            let far = if step % 30 == 0 { 500.0 } else { 20.0 };
            place = place.map(|along| along + far * (rng.next_unit() - 0.5));
            let position = [place[0], 0.0, place[1]];
            let point = ViewerPoint { position, forward: [1.0, 0.0], view_distance, sharpness: 1000.0 };
            let top = Cover::top_level(&layout, view_distance);
            let reach = Reach::wanted(&layout, &LevelErrors::new(), &point, 3.0, top);
            let next = Cover::select(&layout, top, &[Viewer::new(point, reach, (0.0, 0.0))], 20.0, &wanted);
            gaps.follow(&wanted, &next, |chunk| there.contains(&chunk));
            wanted = next;
            there.retain(|&chunk| wanted.contains(chunk) || rng.next_unit() < 0.9);
            let chunks: Vec<_> = wanted.chunks().collect();
            for _ in 0..20 {
                let chunk = chunks[(rng.next_unit() * chunks.len() as f64) as usize];
                if rng.next_unit() < 0.8 {
                    there.insert(chunk);
                    gaps.fill(chunk);
                } else {
                    there.remove(&chunk);
                    gaps.add(chunk);
                }
            }
            let is_missing = |chunk: &ChunkCoord| !there.contains(chunk);
            let missing: BTreeSet<_> = wanted.chunks().filter(is_missing).collect();
            let roots: BTreeSet<_> = wanted.roots().iter().copied().filter(is_missing).collect();
            let incomplete: BTreeSet<_> =
                wanted.split_chunks().filter(|chunk| chunk.children().any(|child| is_missing(&child))).collect();
            assert_eq!(gaps.missing().collect::<BTreeSet<_>>(), missing, "step {step}");
            assert_eq!(gaps.roots().collect::<BTreeSet<_>>(), roots, "step {step}");
            assert_eq!(gaps.incomplete().collect::<BTreeSet<_>>(), incomplete, "step {step}");
            holes += usize::from(!missing.is_empty() && !roots.is_empty() && incomplete.len() > 1);
        }
        assert!(holes > 100, "{holes} steps in which something of all kinds is missing");
    }
}
