//! Makes plans: selects the quadtree that is wanted and the one that can be drawn, and lists the chunks to build.

use super::current::{Candidate, Incomplete};
use super::nearby::Nearby;
use super::queue::QueueKey;
use super::{BuildQueue, Plan, PlanDiff, PlanRequest, PlannedViewer};
use crate::chunk::{ChunkCoord, ChunkLayout, CoordSet, LodQuadtree, LodRanges, Viewer, ViewerPoint};

/// Plans one ground from frame to frame: it knows which chunks are loaded, and the last plan.
#[derive(Clone, Debug, Default)]
pub struct Planner {
    loaded: CoordSet,
    plan: Plan,
    queue: BuildQueue,
    /// Chunks were loaded or unloaded since the last plan.
    has_changed: bool,
    /// Drawn chunks that were unloaded since the last plan.
    lost: Vec<ChunkCoord>,
    /// Steps by which the detail and then the view of all viewers are reduced, so that all wanted chunks fit into the memory.
    pub(super) reduction: u32,
}

/// The chunks that the viewers of a request want.
struct Wanted {
    /// The viewers with the ranges that they are to have.
    targets: Vec<Viewer>,
    /// The quadtree of all chunks that are to be loaded.
    tree: LodQuadtree,
    /// How many chunks those are.
    chunks: usize,
}

impl Planner {
    /// The last plan.
    #[must_use]
    pub const fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The missing chunks, in the order in which they are to be built.
    pub const fn queue(&mut self) -> &mut BuildQueue {
        &mut self.queue
    }

    /// Takes the next chunk to build: the first in the queue that was not loaded since the plan was made.
    pub fn next_to_build(&mut self) -> Option<ChunkCoord> {
        loop {
            let chunk = self.queue.pop()?;
            if !self.loaded.contains(&chunk) {
                return Some(chunk);
            }
        }
    }

    /// How many chunks are loaded.
    #[must_use]
    pub fn loaded(&self) -> usize {
        self.loaded.len()
    }

    /// Whether `chunk` is loaded.
    #[must_use]
    pub fn is_loaded(&self, chunk: ChunkCoord) -> bool {
        self.loaded.contains(&chunk)
    }

    /// `chunk` is loaded from now on.
    pub fn load(&mut self, chunk: ChunkCoord) {
        self.has_changed |= self.loaded.insert(chunk);
    }

    /// `chunk` is no longer loaded.
    pub fn unload(&mut self, chunk: ChunkCoord) {
        if self.loaded.remove(&chunk) {
            self.has_changed = true;
            if self.plan.drawn.is_leaf(chunk) {
                self.lost.push(chunk);
            }
        }
    }

    /// Whether `chunk` may be unloaded: it is neither wanted nor drawn.
    #[must_use]
    pub fn is_unwanted(&self, chunk: ChunkCoord) -> bool {
        !self.plan.wanted.shows(chunk) && !self.plan.drawn.is_leaf(chunk)
    }

    /// Whether chunks were loaded or unloaded since the last plan.
    #[must_use]
    pub const fn has_changed(&self) -> bool {
        self.has_changed
    }

    /// Makes the next plan, and returns what changes.
    pub fn advance(&mut self, request: &PlanRequest<'_>) -> PlanDiff {
        self.has_changed = false;
        let layout = request.layout;
        let Wanted { targets, tree: wanted, chunks: wanted_chunks } = self.want(request);
        let missing: Vec<ChunkCoord> = wanted.visible_chunks().filter(|chunk| !self.loaded.contains(chunk)).collect();
        let incomplete = Incomplete::families(&missing, &wanted);
        let mut candidates: Vec<Candidate> = (request.viewers.iter().zip(targets))
            .map(|(viewer, target)| {
                let before = self.plan.viewer(viewer.id);
                Candidate::new(request, viewer, target, before, &incomplete, &self.plan.drawn)
            })
            .collect();
        let nearby = Nearby::new(candidates.iter().map(|candidate| &candidate.target));
        let (drawn, build_now) = loop {
            let found = self.find_drawn(request, &mut candidates, &nearby);
            let is_taken = candidates.iter().any(|candidate| candidate.loses_view(layout));
            // Arriving viewers start coarser instead of taking ground from others.
            let coarsened = |candidates: &mut [Candidate]| {
                candidates.iter_mut().filter_map(|candidate| candidate.coarsen(layout).then_some(())).count() > 0
            };
            if !is_taken || !coarsened(&mut candidates) {
                break found;
            }
        };
        let viewers = candidates
            .into_iter()
            .map(|Candidate { id, current, target, has_jumped, .. }| PlannedViewer { id, current, target, has_jumped })
            .collect();
        let plan = Plan {
            viewers,
            masks: drawn.stitch_masks(),
            drawn,
            wanted,
            wanted_chunks,
            missing: missing.len(),
            build_now,
            is_measured: request.is_measured(),
            is_limited: self.reduction > 0,
        };
        let mut before = std::mem::replace(&mut self.plan, plan);
        self.fill_queue(layout, &nearby, missing);
        let diff = PlanDiff::between(&before, &self.plan);
        let lost = std::mem::take(&mut self.lost);
        if lost.is_empty() {
            return diff;
        }
        // A chunk that was despawned is shown again. Its ground is not new: it was never reported as hidden.
        before.remove_leaves(&lost.into_iter().collect());
        let PlanDiff { hidden, shown, restitched, .. } = PlanDiff::between(&before, &self.plan);
        PlanDiff { hidden, shown, restitched, ..diff }
    }

    /// Finds what the viewers want. Reduces their detail and their view until all of it fits into the memory, or gives back if the
    /// chunks then take less than [`ROOM`](Self::ROOM) of it: in between nothing changes, so detail does not swing.
    fn want(&mut self, request: &PlanRequest<'_>) -> Wanted {
        let max = request.max_chunks as f64;
        let mut wanted = self.want_with(request, self.reduction);
        // The coarsest chunks are loaded even above the memory limit.
        while wanted.chunks as f64 > max && self.reduction < Self::MAX_REDUCTION {
            let demand = wanted.targets.iter().map(|target| target.ranges.estimated_chunks(target.point.view_distance));
            let demand = demand.fold(1.0, f64::max).min(LodRanges::MAX_CHUNKS);
            // An allowance of more than the viewers ask for changes nothing.
            let without_effect = self.reduction.max(Self::steps(LodRanges::MAX_CHUNKS / demand));
            let excess = Self::steps(wanted.chunks as f64 / max).max(1);
            self.reduction = (without_effect + excess).min(Self::MAX_REDUCTION);
            wanted = self.want_with(request, self.reduction);
        }
        let mut back = Self::steps(Self::ROOM * max / wanted.chunks.max(1) as f64).max(1).min(self.reduction);
        while back > 0 {
            let finer = self.want_with(request, self.reduction - back);
            if finer.chunks as f64 > Self::ROOM * max {
                back /= 2;
                continue;
            }
            self.reduction -= back;
            back = back.min(self.reduction);
            wanted = finer;
        }
        wanted
    }

    /// By how many steps of the reduction so many times as few chunks are wanted.
    fn steps(factor: f64) -> u32 {
        libm::floor(Self::STEPS * libm::log2(factor)) as u32
    }

    /// The steps of the reduction that halve what a viewer may ask for. Small ones, so that one chunk too many costs little.
    const STEPS: f64 = 16.0;

    /// Detail is given back if all chunks then take no more than this part of the memory.
    const ROOM: f64 = 0.85;

    /// The reduction at which a viewer may ask for one chunk.
    const MAX_REDUCTION: u32 = Self::STEPS as u32 * (LodRanges::MAX_CHUNKS as u32).ilog2();

    /// The chunks that the viewers want with a reduction: each of [`STEPS`](Self::STEPS) steps halves the chunks that one may ask for.
    fn want_with(&self, request: &PlanRequest<'_>, reduction: u32) -> Wanted {
        let layout = request.layout;
        let allowance = LodRanges::MAX_CHUNKS * libm::exp2(-f64::from(reduction) / Self::STEPS);
        let target = |point| Self::target(request, point, allowance);
        let targets: Vec<Viewer> = request.viewers.iter().map(|viewer| target(viewer.point)).collect();
        let mut loading: Vec<Viewer> = targets.iter().map(|target| target.ahead(layout)).collect();
        // A viewer that moves less far than the margin of its finest chunks wants the same chunks there.
        let min = Viewer::AHEAD * layout.chunk_size(1);
        loading.extend(request.viewers.iter().filter_map(|viewer| {
            let point = viewer.ahead(request.look_ahead, min)?;
            Some(target(point).ahead(layout))
        }));
        let tree = LodQuadtree::select(layout, &loading, &self.plan.wanted);
        let chunks = tree.visible_chunks().count();
        Wanted { targets, tree, chunks }
    }

    /// A viewer at `point`, where it is or will be, with the ranges and the view that it is to have if it may ask for so many chunks.
    fn target(request: &PlanRequest<'_>, point: ViewerPoint, allowance: f64) -> Viewer {
        let PlanRequest { layout, errors, bounds, pixel_error, .. } = *request;
        let gap = point.height_gap(bounds);
        let ranges = LodRanges::wanted(layout, Some(errors), &point, gap, pixel_error, allowance);
        let view_distance = ranges.view_within(allowance, point.view_distance);
        Viewer::new(layout, ViewerPoint { view_distance, ..point }, ranges, bounds)
    }

    /// Selects the drawn leaves, sets the current view of each candidate, and returns the leaves to build now.
    fn find_drawn(
        &self,
        request: &PlanRequest<'_>,
        candidates: &mut [Candidate],
        nearby: &Nearby,
    ) -> (LodQuadtree, Vec<ChunkCoord>) {
        let layout = request.layout;
        for candidate in &mut *candidates {
            candidate.current.point.view_distance = candidate.target.point.view_distance;
        }
        let viewers: Vec<Viewer> = candidates.iter().map(|candidate| candidate.current).collect();
        let mut drawn = LodQuadtree::select(layout, &viewers, &self.plan.drawn);
        let missing: Vec<ChunkCoord> =
            drawn.leaves().iter().copied().filter(|leaf| !self.loaded.contains(leaf)).collect();
        if missing.is_empty() {
            return (drawn, missing);
        }
        // Nearest first, up to each viewer's build radius.
        let nearest = |chunk: ChunkCoord| {
            let near = nearby.of(layout, chunk).filter_map(|number| {
                let distance = layout.distance(chunk, candidates[number].target.xz());
                (distance <= candidates[number].build_radius).then_some((distance, number))
            });
            // Equally near chunks are grouped by viewer: a viewer needs all of its chunks, not half.
            near.min_by(|one: &(f64, usize), other| one.0.total_cmp(&other.0)).unwrap_or((f64::INFINITY, 0))
        };
        let mut by_distance: Vec<((f64, usize), ChunkCoord)> =
            missing.into_iter().map(|chunk| (nearest(chunk), chunk)).collect();
        by_distance
            .sort_unstable_by(|(one, a), (other, b)| one.0.total_cmp(&other.0).then((one.1, a).cmp(&(other.1, b))));
        let within = by_distance.partition_point(|((distance, _), _)| distance.is_finite());
        let (built, left_out) = by_distance.split_at(within.min(request.max_built_now));
        for &(_, chunk) in left_out {
            nearby.of(layout, chunk).for_each(|number| candidates[number].end_view_at(layout, chunk));
        }
        let margin = |leaf: ChunkCoord| {
            let is_still_drawn = self.plan.drawn.is_leaf(leaf) && self.loaded.contains(&leaf);
            if is_still_drawn { LodRanges::HYSTERESIS * layout.chunk_size(leaf.level) } else { 0.0 }
        };
        let views: Vec<Viewer> = candidates.iter().map(|candidate| candidate.current).collect();
        drawn.retain_leaves(|leaf| {
            let margin = margin(leaf);
            nearby.of(layout, leaf).map(|number| &views[number]).any(|view| {
                let far = view.point.view_distance;
                far >= 0.0 && layout.distance(leaf, view.xz()) <= far + margin
            })
        });
        let build_now = built.iter().map(|&(_, chunk)| chunk).filter(|&chunk| drawn.is_leaf(chunk)).collect();
        (drawn, build_now)
    }

    /// Chunks that shorten a view come first, nearest first; then the others by priority. Chunks of a viewer that just jumped
    /// come last, because its next jump may discard them: a viewer that jumps in every frame must not hold up the others.
    fn fill_queue(&mut self, layout: &ChunkLayout, nearby: &Nearby, missing: Vec<ChunkCoord>) {
        let viewers = &self.plan.viewers;
        let min = LodRanges::minimal(layout, 0);
        let key = |chunk: ChunkCoord| {
            let for_viewer = |PlannedViewer { target: viewer, current, has_jumped, .. }: &PlannedViewer| {
                let is_short = current.point.view_distance < viewer.point.view_distance;
                // A leaf of the minimal ranges: its parent is split by them, and it is not.
                let distance = viewer.distance(layout, chunk);
                let parent_distance = viewer.distance(layout, chunk.parent());
                let shortens_view = is_short
                    && (chunk.level == 0 || distance >= min.split(chunk.level))
                    && parent_distance < min.split(chunk.level + 1);
                let order = if shortens_view { distance } else { viewer.priority(layout, chunk) };
                QueueKey { is_after_jump: *has_jumped, can_wait: !shortens_view, order }
            };
            let near = nearby.of(layout, chunk).map(|number| for_viewer(&viewers[number])).min_by(QueueKey::compare);
            // Chunks that are built ahead are near no viewer yet.
            let first_of_all = || viewers.iter().map(for_viewer).min_by(QueueKey::compare);
            near.or_else(first_of_all).map(|key| (key, chunk))
        };
        self.queue.fill(missing.into_iter().filter_map(key));
    }
}
