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
        let is_needed = |coord: ChunkCoord| self.is_needed(coord.ancestor(top), points.clone(), drawn);
        self.gaps.incomplete(&self.wanted).filter(|&coord| coord.level <= top && is_needed(coord)).collect()
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
