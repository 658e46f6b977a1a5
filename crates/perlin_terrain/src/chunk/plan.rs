//! The plan of a frame: which chunks to draw, to build and to keep.
//!
//! The [`Planner`] is pure: no engine and no clock. A caller tells it which chunks were loaded and unloaded, and asks for a
//! [`Plan`] with a [`PlanRequest`]: the settings, the viewers, and the seconds since the last plan.
//!
//! # Three rules
//!
//! 1. **Splits follow LOD ranges alone.** Both the chunks that are kept in memory and those that are drawn are
//!    [`LodQuadtree`]s, selected with [`LodRanges`](super::LodRanges), so the proofs there hold for every frame. Leaves that no
//!    viewer sees are left out.
//! 2. **Missing chunks limit a viewer's ranges, then its view.** The *current* ranges end at the first chunk that can't be
//!    split because a child is missing; they grow back by [`GROWTH`] sides of a chunk a second. They never get smaller than
//!    the [minimal ranges](super::LodRanges::minimal). If a leaf is still missing, the current view ends there. Missing chunks beyond
//!    the previous view also shorten only the view, so a longer view distance costs no detail.
//! 3. **What can't wait is built at once.** A missing leaf within the view that a viewer had, or near a viewer that just
//!    arrived, is part of [`Plan::build_now`], the nearest first, up to a limit. So a viewer that jumps stands on level 0 in
//!    the frame of the jump. Where that would take ground from others, it starts with a coarser level.
//!
//! If the wanted chunks don't fit into the memory, the planner reduces the detail of all viewers in steps, down to the minimal ranges,
//! then shortens their view, and gives both back as soon as they fit with some room to spare. Level 0 under a viewer goes last.

mod current;
mod diff;
mod nearby;
mod planner;
mod queue;
#[cfg(test)]
mod tests;

pub use diff::{ChunkPiece, PlanDiff};
pub use planner::Planner;
pub use queue::BuildQueue;

#[cfg(test)]
use super::LodRanges;
use super::{ChunkCoord, ChunkLayout, CoordSet, LevelErrors, LodQuadtree, StitchMask, Viewer, ViewerPoint};

/// How fast a range grows after its chunks are loaded, in sides of its chunks per second.
pub const GROWTH: f64 = 6.0;

/// A viewer that a plan is asked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlanViewer {
    /// Tells viewers apart from one plan to the next.
    pub id: u64,
    /// Where it is.
    pub point: ViewerPoint,
    /// Metres per second along x, y and z; zero for one that just jumped.
    pub velocity: [f64; 3],
}

impl PlanViewer {
    /// Where the viewer will be in `seconds`, at most half a view distance ahead. `None` if it is within `min` metres.
    fn ahead(&self, seconds: f64, min: f64) -> Option<ViewerPoint> {
        let speed = self.velocity.iter().map(|part| part * part).sum::<f64>().sqrt();
        let way = speed * seconds;
        if way <= min {
            return None;
        }
        let seconds = seconds * (self.point.view_distance / 2.0 / way).min(1.0);
        let position = std::array::from_fn(|axis| self.point.position[axis] + self.velocity[axis] * seconds);
        Some(ViewerPoint { position, ..self.point })
    }
}

/// The input of a plan.
#[derive(Clone, Copy, Debug)]
pub struct PlanRequest<'a> {
    /// The grid of chunks.
    pub layout: &'a ChunkLayout,
    /// The lowest and the highest height of the field, in metres.
    pub bounds: (f32, f32),
    /// The geometric errors of the levels, as far as they are measured. The other levels have the minimal ranges.
    pub errors: &'a LevelErrors,
    /// The screen-space error that is allowed, in pixels.
    pub pixel_error: f64,
    /// How long before a moving viewer gets there chunks are built, in seconds.
    pub look_ahead: f64,
    /// The viewers.
    pub viewers: &'a [PlanViewer],
    /// The largest number of chunks that may be kept in memory.
    pub max_chunks: usize,
    /// The largest number of chunks that may be built at once.
    pub max_built_now: usize,
    /// Seconds since the last plan: ranges grow by them.
    pub seconds: f64,
}

impl PlanRequest<'_> {
    /// Whether the errors of all levels are measured that the viewers see.
    fn is_measured(&self) -> bool {
        let coarsest = self.viewers.iter().map(|viewer| self.layout.coarsest_level(viewer.point.view_distance));
        self.errors.measured() >= coarsest.max().unwrap_or_default()
    }
}

/// A viewer of a plan.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct PlannedViewer {
    /// Its [id](PlanViewer::id).
    pub id: u64,
    /// The viewer with its current ranges and view distance. The view distance is negative while it sees nothing.
    pub current: Viewer,
    /// The viewer with the ranges and the view distance that it is to have.
    pub target: Viewer,
    /// Since the last plan it jumped out of the ground that it saw.
    pub has_jumped: bool,
}

impl PlannedViewer {
    /// Whether it sees as far and as much detail as it is to see.
    #[must_use]
    pub fn is_settled(&self) -> bool {
        self.current == self.target
    }

    /// Whether it jumped to where it is `now`: out of the ground that it saw.
    fn has_jumped_to(&self, layout: &ChunkLayout, now: &Viewer) -> bool {
        let ([x, z], [now_x, now_z]) = (self.target.xz(), now.xz());
        libm::hypot(now_x - x, now_z - z) > self.current.point.view_distance.max(layout.chunk_size(0))
    }
}

/// Which chunks to draw, to build and to keep.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Plan {
    viewers: Vec<PlannedViewer>,
    drawn: LodQuadtree,
    masks: Vec<StitchMask>,
    wanted: LodQuadtree,
    wanted_chunks: usize,
    missing: usize,
    build_now: Vec<ChunkCoord>,
    is_measured: bool,
    is_limited: bool,
}

impl Plan {
    /// The viewers, in the order in which they were asked for.
    #[must_use]
    pub fn viewers(&self) -> &[PlannedViewer] {
        &self.viewers
    }

    /// The viewer with an [id](PlanViewer::id).
    #[must_use]
    pub fn viewer(&self, id: u64) -> Option<&PlannedViewer> {
        self.viewers.iter().find(|viewer| viewer.id == id)
    }

    /// The quadtree whose visible leaves are drawn. All of them are loaded or part of [`build_now`](Self::build_now).
    #[must_use]
    pub const fn drawn(&self) -> &LodQuadtree {
        &self.drawn
    }

    /// The stitch masks of the drawn leaves, in their order.
    #[must_use]
    pub fn stitch_masks(&self) -> &[StitchMask] {
        &self.masks
    }

    /// The quadtree whose visible chunks are kept in memory: the leaves, all that they are part of, and what will soon be
    /// needed.
    #[must_use]
    pub const fn wanted(&self) -> &LodQuadtree {
        &self.wanted
    }

    /// How many chunks are wanted.
    #[must_use]
    pub const fn wanted_chunks(&self) -> usize {
        self.wanted_chunks
    }

    /// How many of the wanted chunks are not loaded.
    #[must_use]
    pub const fn missing(&self) -> usize {
        self.missing
    }

    /// The chunks that must be built in this frame: drawn leaves that are not loaded.
    #[must_use]
    pub fn build_now(&self) -> &[ChunkCoord] {
        &self.build_now
    }

    /// Whether the viewers get less detail than they ask for, since it would take too many chunks.
    #[must_use]
    pub const fn is_limited(&self) -> bool {
        self.is_limited
    }

    /// Whether everything wanted is loaded and everything to be seen is drawn: without a change, the next plan is the same.
    #[must_use]
    pub fn is_settled(&self) -> bool {
        self.is_measured && self.missing == 0 && self.viewers.iter().all(PlannedViewer::is_settled)
    }

    /// Removes the drawn leaves `lost`.
    fn remove_leaves(&mut self, lost: &CoordSet) {
        let mut masks = self.masks.iter();
        let kept = |leaf: &ChunkCoord| !lost.contains(leaf);
        self.masks =
            self.drawn.leaves().iter().filter_map(|leaf| masks.next().filter(|_| kept(leaf))).copied().collect();
        self.drawn.retain_leaves(|leaf| kept(&leaf));
    }

    /// Whether this plan can replace `old`, the plan of the ground that is drawn: every viewer sees no less, or all that it
    /// may. A viewer that just jumped only needs ground under it, so repeated jumps can't delay a reload. `layout` and
    /// `old_layout` are the grids of the two plans.
    #[must_use]
    pub fn can_replace(&self, layout: &ChunkLayout, old: &Self, old_layout: &ChunkLayout) -> bool {
        self.is_measured
            && self.viewers.iter().all(|viewer| {
                let (now, target) = (viewer.current, viewer.target);
                // An old view distance counts in metres, and old ranges count by the spacing of the vertices that they show.
                let (view, ranges) = match old.viewer(viewer.id) {
                    Some(old) if !old.has_jumped => {
                        (old.current.point.view_distance, old.current.ranges.in_layout(old_layout, layout))
                    }
                    Some(old) => (old.current.point.view_distance.min(0.0), now.ranges),
                    None => (0.0, now.ranges),
                };
                now.point.view_distance >= view.min(target.point.view_distance)
                    && now.ranges.covers(&ranges.min(&target.ranges))
            })
    }

    /// How much of the ground within `radius` metres of `position` is drawn at the detail that its viewers want: the number of
    /// chunks that are, and of all. `None` if no viewer sees `position`, or before anything is measured.
    #[must_use]
    pub fn readiness(&self, layout: &ChunkLayout, position: [f64; 2], radius: f64) -> Option<(usize, usize)> {
        let targets = || self.viewers.iter().map(|viewer| &viewer.target);
        let sees = |viewer: &Viewer| {
            let [x, z] = viewer.xz();
            libm::hypot(x - position[0], z - position[1]) <= viewer.point.view_distance
        };
        if !self.is_measured || !targets().any(sees) {
            return None;
        }
        let mut counts = (0, 0);
        let root = layout.chunk_at(ChunkLayout::ROOT_LEVEL, position[0], position[1]);
        for root in (-1..=1).flat_map(|z| (-1..=1).map(move |x| root.neighbor(x, z))) {
            self.count(layout, root, position, radius, &mut counts);
        }
        Some(counts)
    }

    /// Counts the chunks that viewers want to see drawn of the ground of `chunk`.
    fn count(
        &self,
        layout: &ChunkLayout,
        chunk: ChunkCoord,
        position: [f64; 2],
        radius: f64,
        counts: &mut (usize, usize),
    ) {
        let is_visible =
            |viewer: &PlannedViewer| layout.distance(chunk, viewer.target.xz()) <= viewer.target.point.view_distance;
        if layout.distance(chunk, position) > radius || !self.viewers.iter().any(is_visible) {
            return;
        }
        let is_near =
            |viewer: &PlannedViewer| viewer.target.distance(layout, chunk) < viewer.target.ranges.split(chunk.level);
        // By hysteresis, a chunk may be split though no viewer needs that.
        if chunk.level > 0 && self.viewers.iter().any(is_near) || self.drawn.is_split(chunk) {
            chunk.children().for_each(|child| self.count(layout, child, position, radius, counts));
            return;
        }
        counts.0 += usize::from(self.drawn.is_leaf(chunk));
        counts.1 += 1;
    }
}
