//! The current LOD ranges: what a viewer gets while chunks are missing.

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
    /// The distance within which missing chunks are built at once, in metres.
    pub build_radius: f64,
    /// The previous view distance, in metres.
    previous_view: Option<f64>,
    /// The level below which chunks need not be built at once.
    finest: u8,
    /// The viewer with its current ranges, and in the end its current view.
    pub current: Viewer,
}

impl Incomplete {
    /// The split chunks of `wanted` with `missing` children. Finest first: a parent that stays unsplit may be missing too.
    pub fn families(missing: &[ChunkCoord], wanted: &LodQuadtree) -> Vec<Self> {
        let mut missing = missing.to_vec();
        missing.sort_unstable_by_key(|chunk| (chunk.level, chunk.parent()));
        let families = missing.chunk_by(|one, other| one.level == other.level && one.parent() == other.parent());
        families
            .map(|children| Self { chunk: children[0].parent(), missing: children.to_vec() })
            .filter(|family| wanted.shows(family.chunk))
            .collect()
    }

    /// How much further away than its range a chunk of `level` may be and stay split, in metres: a little more than that.
    fn margin(layout: &ChunkLayout, level: u8) -> f64 {
        LodRanges::HYSTERESIS * 1.01 * layout.chunk_size(level)
    }

    /// Whether the chunk may limit the ranges of a viewer, as long as they are no larger than its target's.
    fn concerns(&self, layout: &ChunkLayout, target: &Viewer) -> bool {
        let level = self.chunk.level;
        target.distance(layout, self.chunk) < target.ranges.split(level) + Self::margin(layout, level)
    }

    /// Shortens `ranges` so that this chunk stays unsplit, if splitting it would draw a missing child.
    ///
    /// Chunks that are missing beyond `seen`, the previous view, in metres, end the view and not the ranges: a longer
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
        let sees = |child: ChunkCoord| layout.distance(child, viewer.xz()) <= seen;
        // Ground that is already split stays split, unless the viewer itself sees the missing child.
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
        let previous_view = before.map(|before| before.current.point.view_distance);
        let (mut limited, mut seen) = (target.ranges, target.point.view_distance);
        let has_jumped = before.is_some_and(|before| before.has_jumped_to(layout, &target));
        // After a jump there is nothing that detail could grow from.
        if let Some(before) = before.filter(|_| !has_jumped) {
            limited = before.current.ranges.toward(&target.ranges, GROWTH * request.seconds);
            seen = seen.min(before.current.point.view_distance);
        }
        let incomplete: Vec<&Incomplete> =
            incomplete.iter().filter(|family| family.concerns(layout, &target)).collect();
        // A shorter range can expose other missing chunks. Repeat until nothing changes.
        loop {
            let before = limited;
            incomplete.iter().for_each(|family| family.limit(&mut limited, layout, &target, seen, drawn));
            limited.keep_apart();
            if limited == before {
                break;
            }
        }
        // A viewer with no ground under it counts as new.
        let has_ground = |view: &f64| *view >= layout.chunk_size(0).min(target.point.view_distance);
        let build_radius = previous_view.filter(has_ground).unwrap_or(target.point.view_distance);
        let mut candidate = Self {
            id: viewer.id,
            target,
            has_jumped,
            limited,
            build_radius,
            previous_view,
            finest: 0,
            current: target,
        };
        candidate.set_finest(layout, 0);
        candidate
    }

    /// Has chunks of level `finest` under the viewer, whether or not they are loaded.
    fn set_finest(&mut self, layout: &ChunkLayout, finest: u8) {
        self.finest = finest;
        self.current = Viewer { ranges: self.limited.max(&self.minimal(layout)), ..self.target };
    }

    /// The minimum of the current ranges. The target itself may be less, if memory is short.
    fn minimal(&self, layout: &ChunkLayout) -> LodRanges {
        LodRanges::minimal(layout, self.finest).min(&self.target.ranges)
    }

    /// Whether it has finer chunks than those that are loaded.
    fn is_arriving(&self, layout: &ChunkLayout) -> bool {
        !self.limited.covers(&self.minimal(layout))
    }

    /// Starts with a coarser level, if that changes anything.
    pub fn coarsen(&mut self, layout: &ChunkLayout) -> bool {
        let can_coarsen = self.finest < self.target.coarsest && self.is_arriving(layout);
        if can_coarsen {
            self.set_finest(layout, self.finest + 1);
        }
        can_coarsen
    }

    /// Whether a viewer that is not arriving lost a part of its view.
    pub fn loses_view(&self, layout: &ChunkLayout) -> bool {
        let before = self.previous_view.unwrap_or(-1.0).min(self.target.point.view_distance);
        self.current.point.view_distance < before && !self.is_arriving(layout)
    }

    /// The current view ends before a missing `chunk`.
    pub fn end_view_at(&mut self, layout: &ChunkLayout, chunk: ChunkCoord) {
        let distance = layout.distance(chunk, self.target.xz());
        let view = &mut self.current.point.view_distance;
        if distance <= *view {
            *view = if distance > 0.0 { distance.next_down() } else { -1.0 };
        }
    }
}
