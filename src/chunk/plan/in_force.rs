//! The LOD ranges in force: what a viewer gets while chunks are missing.

use super::{GROWTH, PlanRequest, PlanViewer, PlannedViewer};
use crate::chunk::{ChunkCoord, ChunkLayout, LodQuadtree, LodRanges, Viewer};

/// A wanted chunk that is split, with those of its children that are missing.
pub(super) struct Incomplete {
    pub chunk: ChunkCoord,
    pub missing: Vec<ChunkCoord>,
}

/// A viewer while a plan is made.
pub(super) struct Candidate {
    pub id: u64,
    pub target: Viewer,
    pub has_jumped: bool,
    /// The ranges that its loaded chunks allow, or more.
    limited: LodRanges,
    /// The distance within which what is missing is built at once, in metres.
    pub hold: f64,
    /// The view distance that was in force.
    before: Option<f64>,
    /// The level below which chunks need not be built at once.
    finest: u8,
    /// The viewer with the ranges, and in the end the view, in force.
    pub in_force: Viewer,
}

impl Incomplete {
    /// How much further away than its range a chunk of `level` may be and stay split, in metres: a little more than that.
    fn margin(layout: &ChunkLayout, level: u8) -> f64 {
        LodRanges::HYSTERESIS * 1.01 * layout.chunk_size(level)
    }

    /// Whether the chunk may limit the ranges of a viewer, as long as they are no larger than its target's.
    fn concerns(&self, layout: &ChunkLayout, target: &Viewer) -> bool {
        let level = self.chunk.level;
        target.distance(layout, self.chunk) < target.ranges.split(level) + Self::margin(layout, level)
    }

    /// Ends the `ranges` of a viewer before the chunk, if it must not be split for that viewer.
    ///
    /// Chunks that are missing beyond `seen`, the view that was in force, in metres, end the view and not the ranges: a longer
    /// view costs no detail.
    fn limit(&self, ranges: &mut LodRanges, layout: &ChunkLayout, viewer: &Viewer, seen: f64, drawn: &LodQuadtree) {
        let (chunk, level) = (self.chunk, self.chunk.level);
        let distance = viewer.distance(layout, chunk);
        let is_split = drawn.is_split(chunk);
        // A chunk that is split stays so a little longer.
        let margin = if is_split { Self::margin(layout, level) } else { 0.0 };
        let far = (distance - margin).max(0.0);
        if far >= ranges.split(level) {
            return;
        }
        // A missing child that is split itself is not drawn.
        let is_leaf =
            |child: ChunkCoord| child.level == 0 || viewer.distance(layout, child) >= ranges.split(child.level);
        let sees = |child: ChunkCoord| layout.distance(child, viewer.place()) <= seen;
        // Ground that is drawn split, or only just comes into another's view, stays split for this viewer, unless it sees the
        // missing part itself.
        let is_drawn_whole = !is_split && !drawn.leaves_in(chunk).is_empty();
        if self.missing.iter().any(|&child| is_leaf(child) && (is_drawn_whole || sees(child))) {
            ranges.limit(level, far);
        }
    }
}

impl Candidate {
    /// A viewer with its `target`, after the plan in which it was `before`.
    pub fn new(
        request: &PlanRequest<'_>,
        viewer: &PlanViewer,
        target: Viewer,
        before: Option<&PlannedViewer>,
        incomplete: &[Incomplete],
        drawn: &LodQuadtree,
    ) -> Self {
        let layout = request.layout;
        let view = before.map(|before| before.in_force.point.view_distance);
        let (mut limited, mut seen) = (target.ranges, target.point.view_distance);
        let has_jumped = before.is_some_and(|before| before.has_jumped_to(layout, &target));
        // After a jump there is nothing that detail could grow from.
        if let Some(before) = before.filter(|_| !has_jumped) {
            limited = before.in_force.ranges.toward(&target.ranges, GROWTH * request.seconds);
            seen = seen.min(before.in_force.point.view_distance);
        }
        let incomplete: Vec<&Incomplete> =
            incomplete.iter().filter(|family| family.concerns(layout, &target)).collect();
        // A range that ends earlier may leave chunks unsplit that are missing themselves.
        loop {
            let before = limited;
            incomplete.iter().for_each(|family| family.limit(&mut limited, layout, &target, seen, drawn));
            limited.keep_apart();
            if limited == before {
                break;
            }
        }
        // Who stands on nothing has just arrived.
        let hold = view.filter(|&view| view >= layout.chunk_size(0).min(target.point.view_distance));
        let hold = hold.unwrap_or(target.point.view_distance);
        let mut candidate =
            Self { id: viewer.id, target, has_jumped, limited, hold, before: view, finest: 0, in_force: target };
        candidate.set_finest(layout, 0);
        candidate
    }

    /// Has chunks of level `finest` under the viewer, whether or not they are loaded.
    fn set_finest(&mut self, layout: &ChunkLayout, finest: u8) {
        self.finest = finest;
        self.in_force = self.target;
        // The target may itself be less than that, where memory is short.
        let floor = LodRanges::least(layout, finest).min(&self.target.ranges);
        self.in_force.ranges = self.limited.max(&floor);
    }

    /// Whether it has finer chunks than those that are loaded.
    fn is_arriving(&self, layout: &ChunkLayout) -> bool {
        let floor = LodRanges::least(layout, self.finest).min(&self.target.ranges);
        !self.limited.covers(&floor)
    }

    /// Begins with a coarser level, if that changes anything.
    pub fn coarsen(&mut self, layout: &ChunkLayout) -> bool {
        let can_coarsen = self.finest < self.target.coarsest && self.is_arriving(layout);
        if can_coarsen {
            self.set_finest(layout, self.finest + 1);
        }
        can_coarsen
    }

    /// Whether it sees less far than before, though it is not the one that arrives.
    pub fn loses_view(&self, layout: &ChunkLayout) -> bool {
        let before = self.before.unwrap_or(-1.0).min(self.target.point.view_distance);
        self.in_force.point.view_distance < before && !self.is_arriving(layout)
    }

    /// The view in force ends before a missing `chunk`.
    pub fn end_view_at(&mut self, layout: &ChunkLayout, chunk: ChunkCoord) {
        let distance = layout.distance(chunk, self.target.place());
        let view = &mut self.in_force.point.view_distance;
        if distance <= *view {
            *view = if distance > 0.0 { distance.next_down() } else { -1.0 };
        }
    }
}
