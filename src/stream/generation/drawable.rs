//! What of a generation can be drawn, while some of it is missing.

use super::{FEW_CHUNKS, Generation};
use crate::chunk::{ChunkCoord, Cover, LEVELS, Reach, Viewer, ViewerPoint};

impl Generation {
    /// Whether a viewer sees as far as `root`.
    fn is_in_view(&self, root: ChunkCoord, point: &ViewerPoint) -> bool {
        let [x, _, z] = point.position;
        self.layout.distance(root, [x, z]) <= point.view_distance
    }

    /// Whether there is a hole without `root`: where it is within view of `points`, or drawn already. Other roots are wanted
    /// ahead of time.
    fn is_needed(&self, root: ChunkCoord, points: &[ViewerPoint], drawn: &Cover) -> bool {
        drawn.contains(root) || points.iter().any(|point| self.is_in_view(root, point))
    }

    /// The roots that are to be drawn: without one of them there is a hole.
    pub fn needed_roots(&self, points: &[ViewerPoint], drawn: &Cover) -> impl Iterator<Item = ChunkCoord> {
        self.wanted.roots().iter().copied().filter(|&root| self.is_needed(root, points, drawn))
    }

    /// Whether one of them is not there.
    pub fn lacks_roots(&self, points: &[ViewerPoint], drawn: &Cover) -> bool {
        self.needed_roots(points, drawn).any(|root| !self.chunks.contains_key(&root))
    }

    /// Whether each of `points` has jumped to where nothing of `drawn` is, and more than a few of the roots in view are not
    /// there.
    pub fn is_all_new(&self, points: &[ViewerPoint], drawn: &Cover) -> bool {
        let is_new = |point: &ViewerPoint| {
            let [x, _, z] = point.position;
            !drawn.contains(self.layout.chunk_at(drawn.top(), x, z))
        };
        let is_missing = |root: &&ChunkCoord| {
            !self.chunks.contains_key(*root) && points.iter().any(|point| self.is_in_view(**root, point))
        };
        points.iter().all(is_new) && self.wanted.roots().iter().filter(is_missing).count() > FEW_CHUNKS
    }

    /// The chunks that `cover` draws and that are not there.
    pub fn missing_leaves(&self, cover: &Cover) -> Vec<ChunkCoord> {
        cover.leaves().iter().copied().filter(|leaf| !self.chunks.contains_key(leaf)).collect()
    }

    /// The level of the chunks that stand in for roots. They are the next coarser ones, so that the roots which follow them
    /// begin as the same surface.
    pub fn stand_in_level(&self) -> u8 {
        (self.top() + 1).min(LEVELS as u8 - 2)
    }

    /// The viewers while others stand in for the roots: no level reaches anywhere.
    pub fn without_detail(&self, points: &[ViewerPoint]) -> Vec<Viewer> {
        let viewers = points.iter().zip(&self.targets).map(|(&point, target)| {
            let reach = target.without_levels(self.stand_in_level());
            Viewer::new(point, reach, self.field.bounds())
        });
        viewers.collect()
    }

    /// How far each level can reach around each of `points`, with the chunks that are there: as far as is wanted, but no
    /// further than to the first chunk that can't be split.
    pub fn possible(&mut self, points: &[ViewerPoint], drawn: &Cover) -> Vec<Viewer> {
        if std::mem::take(&mut self.recheck) {
            self.incomplete.clear();
            for coord in self.wanted.split_chunks() {
                if coord.children().any(|child| !self.chunks.contains_key(&child)) {
                    self.incomplete.push(coord);
                }
            }
        }
        let bounds = self.field.bounds();
        let top = self.top();
        let is_needed = |coord: ChunkCoord| self.is_needed(coord.ancestor(top), points, drawn);
        let limits: Vec<ChunkCoord> = self.incomplete.iter().copied().filter(|&coord| is_needed(coord)).collect();
        let viewers = points.iter().zip(&self.targets).map(|(&point, &target)| {
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
}
