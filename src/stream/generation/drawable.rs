//! What of a generation can be drawn, while some of it is missing.

use super::Generation;
use crate::chunk::{ChunkCoord, Cover, Reach, Viewer, ViewerPoint};

/// The wanted chunks that keep others from being drawn, as far as was lately found.
#[derive(Default)]
pub(super) struct Gaps {
    /// The roots that are not there.
    roots: Vec<ChunkCoord>,
    /// The chunks that can't be split, as a child of theirs is not there.
    incomplete: Vec<ChunkCoord>,
    /// Both are to be found anew.
    pub are_outdated: bool,
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
        self.needed_roots(points, drawn).any(|root| !self.chunks.contains_key(&root))
    }

    /// The wanted roots that are not there, needed or not.
    pub fn missing_roots(&mut self) -> &[ChunkCoord] {
        self.find_gaps();
        &self.gaps.roots
    }

    /// How far each level can reach around each of `points` in a cover with roots of level `top`, with the chunks that are there:
    /// as far as it is to reach, but no further than to the first chunk that can't be split.
    pub fn possible(
        &mut self,
        top: u8,
        points: impl Iterator<Item = (ViewerPoint, Reach)> + Clone,
        drawn: &Cover,
    ) -> Vec<Viewer> {
        self.find_gaps();
        let bounds = self.field.bounds();
        let is_needed =
            |coord: ChunkCoord| self.is_needed(coord.ancestor(top), points.clone().map(|(point, _)| point), drawn);
        let limits = self.gaps.incomplete.iter().copied().filter(|&coord| coord.level <= top && is_needed(coord));
        let limits: Vec<ChunkCoord> = limits.collect();
        let viewers = points.clone().map(|(point, target)| {
            let mut viewer = Viewer::new(point, target, bounds);
            for &coord in &limits {
                let margin = Reach::HYSTERESIS * 1.01 * self.layout.chunk_size(coord.level);
                let distance = viewer.distance(&self.layout, coord);
                viewer.reach.limit(coord.level, distance - margin);
            }
            viewer.reach.keep_apart();
            viewer
        });
        viewers.collect()
    }

    fn find_gaps(&mut self) {
        let Self { chunks, wanted, gaps, .. } = self;
        if std::mem::take(&mut gaps.are_outdated) {
            let is_missing = |chunk: &ChunkCoord| !chunks.contains_key(chunk);
            gaps.roots.clear();
            gaps.roots.extend(wanted.roots().iter().copied().filter(is_missing));
            gaps.incomplete.clear();
            gaps.incomplete
                .extend(wanted.split_chunks().filter(|chunk| chunk.children().any(|child| is_missing(&child))));
        }
    }
}
