//! The wanted chunks that are not there, and those that can't be drawn in detail without them.

use super::ChunkBody;
use crate::chunk::{ChunkCoord, Cover};

/// What is there of a cover, kept up to date as chunks come and as another cover is wanted: to look every chunk up would take a
/// part of a millisecond where thousands are wanted.
#[derive(Default)]
pub(super) struct Gaps {
    /// What draws each chunk of the cover, if it is there.
    chunks: Vec<Option<ChunkBody>>,
    /// How many are not.
    missing: usize,
}

impl Gaps {
    /// How many chunks are wanted and not there.
    pub const fn len(&self) -> usize {
        self.missing
    }

    /// The roots of the cover `wanted` that are not there.
    pub fn roots(&self, wanted: &Cover) -> impl Iterator<Item = ChunkCoord> {
        wanted.roots().iter().zip(&self.chunks).filter(|(_, chunk)| chunk.is_none()).map(|(&root, _)| root)
    }

    /// The chunks of the cover `wanted` that can't be split, as a child of theirs is not there.
    pub fn incomplete(&self, wanted: &Cover) -> impl Iterator<Item = ChunkCoord> {
        let families =
            wanted.families().filter(|(_, children)| self.chunks[children.clone()].iter().any(Option::is_none));
        families.map(|(number, _)| wanted.chunk(number))
    }

    /// The missing chunks of the cover `wanted` that can be drawn as soon as they are there: the roots, and the children of those
    /// that are there. All others come after them.
    pub fn next(&self, wanted: &Cover) -> impl Iterator<Item = ChunkCoord> {
        let parents = wanted.families().filter(|&(number, _)| !self.is_missing(number));
        let children = parents.flat_map(|(_, children)| children).filter(|&child| self.is_missing(child));
        self.roots(wanted).chain(children.map(|child| wanted.chunk(child)))
    }

    /// Other chunks are `wanted` than `before`: those that come new are looked up.
    pub fn follow(&mut self, before: &Cover, wanted: &Cover, look_up: impl Fn(ChunkCoord) -> Option<ChunkBody>) {
        let numbers = wanted.numbers_in(before).into_iter().zip(wanted.chunks());
        let chunks = numbers.map(|(number, chunk)| number.map_or_else(|| look_up(chunk), |there| self.chunks[there]));
        self.chunks = chunks.collect();
        self.missing = self.chunks.iter().filter(|chunk| chunk.is_none()).count();
    }

    /// Chunk number `number` of the cover is there now, or is no more. Returns whether that is new.
    pub fn set(&mut self, number: usize, chunk: Option<ChunkBody>) -> bool {
        let is_there = chunk.is_some();
        let is_new = std::mem::replace(&mut self.chunks[number], chunk).is_some() != is_there;
        if is_new && is_there {
            self.missing -= 1;
        } else if is_new {
            self.missing += 1;
        }
        is_new
    }

    /// What draws chunk number `number` of the cover, if it is there.
    pub fn chunk(&self, number: usize) -> Option<ChunkBody> {
        self.chunks[number]
    }

    /// Whether chunk number `number` of the cover is not there.
    pub fn is_missing(&self, number: usize) -> bool {
        self.chunks[number].is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chunk::{ChunkLayout, ChunkSettings, LevelErrors, Reach, Viewer, ViewerPoint};
    use crate::noise::NoiseRng;
    use bevy::prelude::Entity;
    use std::collections::BTreeSet;

    const BODY: ChunkBody = ChunkBody { entity: Entity::PLACEHOLDER, heights: [0.0; 2] };

    #[test]
    fn gaps_are_those_that_are_found_anew() {
        let (layout, mut rng) = (ChunkLayout::new(&ChunkSettings { quads: 8, spacing: 1.0 }), NoiseRng::new(5, 0));
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
            gaps.follow(&wanted, &next, |chunk| there.contains(&chunk).then_some(BODY));
            wanted = next;
            there.retain(|&chunk| wanted.contains(chunk) || rng.next_unit() < 0.9);
            for _ in 0..20 {
                let number = (rng.next_unit() * wanted.chunks().len() as f64) as usize;
                let (chunk, comes) = (wanted.chunk(number), rng.next_unit() < 0.8);
                let is_new = if comes { there.insert(chunk) } else { there.remove(&chunk) };
                assert_eq!(gaps.set(number, comes.then_some(BODY)), is_new);
                assert_eq!(gaps.is_missing(number), !comes);
                assert_eq!(gaps.chunk(number).is_some(), comes);
            }
            let is_missing = |chunk: &ChunkCoord| !there.contains(chunk);
            let missing = wanted.chunks().filter(is_missing);
            let incomplete = |chunk: &ChunkCoord| chunk.children().any(|child| is_missing(&child));
            let next =
                |chunk: &ChunkCoord| is_missing(chunk) && (chunk.level == top || there.contains(&chunk.parent()));
            let set = |chunks: &mut dyn Iterator<Item = ChunkCoord>| chunks.collect::<BTreeSet<_>>();
            assert_eq!(gaps.len(), missing.count(), "step {step}");
            let roots = set(&mut gaps.roots(&wanted));
            assert_eq!(roots, set(&mut wanted.roots().iter().copied().filter(is_missing)), "step {step}");
            assert_eq!(set(&mut gaps.incomplete(&wanted)), set(&mut wanted.split_chunks().filter(incomplete)));
            let found: Vec<_> = gaps.next(&wanted).collect();
            assert_eq!(set(&mut found.iter().copied()), set(&mut wanted.chunks().filter(next)), "step {step}");
            assert_eq!(set(&mut found.iter().copied()).len(), found.len(), "each once");
            holes += usize::from(!roots.is_empty() && roots.len() < found.len() && found.len() < gaps.len());
        }
        assert!(holes > 100, "{holes} steps in which something of all kinds is missing");
    }
}
