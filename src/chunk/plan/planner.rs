//! Makes plans.

use super::in_force::{Candidate, Incomplete};
use super::nearby::Nearby;
use super::{BuildQueue, Plan, PlanDiff, PlanRequest, PlanViewer, PlannedViewer};
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
    /// The number of chunks that a viewer may ask for, so that all fit into the memory.
    pub(super) allowance: Option<f64>,
    ceiling: Option<Ceiling>,
}

/// An allowance that was too much, as long as the same is asked for.
#[derive(Clone, Debug)]
struct Ceiling {
    allowance: f64,
    most_chunks: usize,
    pixel_error: f64,
    points: Vec<ViewerPoint>,
}

impl Ceiling {
    fn new(request: &PlanRequest<'_>, allowance: f64) -> Self {
        let points = request.viewers.iter().map(|viewer| viewer.point).collect();
        Self { allowance, most_chunks: request.most_chunks, pixel_error: request.pixel_error, points }
    }

    fn is_of(&self, request: &PlanRequest<'_>) -> bool {
        (self.most_chunks, self.pixel_error) == (request.most_chunks, request.pixel_error)
            && self.points.iter().eq(request.viewers.iter().map(|viewer| &viewer.point))
    }
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

    /// `chunk` was to be built within this frame and is not loaded all the same: somebody took it away at once.
    pub fn fail(&mut self, chunk: ChunkCoord) {
        self.has_changed = true;
        if self.plan.drawn.is_leaf(chunk) {
            self.lost.push(chunk);
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
        let (targets, wanted) = self.want(request);
        let incomplete = self.incomplete(&wanted);
        let mut candidates: Vec<Candidate> = (request.viewers.iter().zip(targets))
            .map(|(viewer, target)| {
                let before = self.plan.viewer(viewer.id);
                Candidate::new(request, viewer, target, before, &incomplete, &self.plan.drawn)
            })
            .collect();
        let nearby = Nearby::new(candidates.iter().map(|candidate| &candidate.target));
        let (drawn, build_now) = loop {
            let found = self.find_drawn(request, &mut candidates, &nearby);
            let layout = request.layout;
            let is_taken = candidates.iter().any(|candidate| candidate.loses_view(layout));
            // Who arrives takes nothing from others: it begins with a coarser level.
            let coarsened = |candidates: &mut [Candidate]| {
                candidates.iter_mut().filter_map(|candidate| candidate.coarsen(layout).then_some(())).count() > 0
            };
            if !is_taken || !coarsened(&mut candidates) {
                break found;
            }
        };
        let viewers = candidates
            .into_iter()
            .map(|Candidate { id, in_force, target, has_jumped, .. }| PlannedViewer {
                id,
                in_force,
                target,
                has_jumped,
            })
            .collect();
        let wanted_chunks = wanted.visible_chunks().count();
        let plan = Plan {
            viewers,
            masks: drawn.stitch_masks(),
            drawn,
            wanted_chunks,
            has_room: self.grown_allowance(wanted_chunks, request.most_chunks).is_some(),
            missing: wanted.visible_chunks().filter(|chunk| !self.loaded.contains(chunk)).count(),
            wanted,
            build_now,
            is_measured: request.is_measured(),
            is_limited: self.allowance.is_some(),
        };
        let mut before = std::mem::replace(&mut self.plan, plan);
        self.fill_queue(request.layout, &nearby);
        let diff = PlanDiff::between(&before, &self.plan);
        let lost = std::mem::take(&mut self.lost);
        if lost.is_empty() {
            return diff;
        }
        // A chunk that was despawned is shown again. Its ground is not new: it was never reported as hidden.
        before.lose(&lost);
        let PlanDiff { hidden, shown, restitched, .. } = PlanDiff::between(&before, &self.plan);
        PlanDiff { hidden, shown, restitched, ..diff }
    }

    /// The viewers with the ranges that they are to have, and the quadtree of all chunks that are to be loaded.
    fn want(&mut self, request: &PlanRequest<'_>) -> (Vec<Viewer>, LodQuadtree) {
        let most = request.most_chunks as f64;
        self.ceiling.take_if(|ceiling| !ceiling.is_of(request));
        if let Some(grown) = self.grown_allowance(self.plan.wanted_chunks, request.most_chunks) {
            self.allowance = Some(grown).filter(|&chunks| chunks < LodRanges::MAX_CHUNKS);
        }
        loop {
            let targets: Vec<Viewer> =
                request.viewers.iter().map(|viewer| self.target(request, viewer, viewer.point)).collect();
            let layout = request.layout;
            let mut loading: Vec<Viewer> = targets.iter().map(|target| target.ahead(layout)).collect();
            // A viewer that moves less far than the margin of its finest chunks wants the same chunks there.
            let least = Viewer::AHEAD * layout.chunk_size(1);
            loading.extend(request.viewers.iter().filter_map(|viewer| {
                let point = viewer.ahead(request.look_ahead, least)?;
                Some(self.target(request, viewer, point).ahead(layout))
            }));
            let wanted = LodQuadtree::select(layout, &loading, &self.plan.wanted);
            let chunks = wanted.visible_chunks().count() as f64;
            let allowance = self.allowance.unwrap_or(LodRanges::MAX_CHUNKS);
            // The coarsest chunks are there at any price.
            if chunks <= most || allowance < 1.0 {
                return (targets, wanted);
            }
            let demand = targets.iter().map(|viewer| viewer.ranges.estimated_chunks(viewer.point.view_distance));
            let demand = demand.fold(1.0, f64::max).min(allowance);
            self.ceiling = Some(Ceiling::new(request, allowance));
            self.allowance = Some(demand * (most / chunks).clamp(0.1, 0.9));
        }
    }

    /// A larger allowance, if so many wanted chunks leave room for more, and it was not too much just before.
    fn grown_allowance(&self, wanted: usize, most: usize) -> Option<f64> {
        let grown = self.allowance? * 1.1;
        let has_room = (wanted as f64) < Self::ROOM * most as f64;
        (has_room && self.ceiling.as_ref().is_none_or(|ceiling| grown < ceiling.allowance)).then_some(grown)
    }

    /// If the wanted chunks take less than this part of those that may be, viewers are allowed more.
    const ROOM: f64 = 0.7;

    /// `viewer`, where it is or will be, with the ranges that it is to have.
    fn target(&self, request: &PlanRequest<'_>, viewer: &PlanViewer, point: ViewerPoint) -> Viewer {
        let allowance = self.allowance.unwrap_or(LodRanges::MAX_CHUNKS);
        let pixel_error = if viewer.is_body { 0.0 } else { request.pixel_error };
        let ranges = LodRanges::wanted(request.layout, request.errors, &point, pixel_error, allowance);
        let target = Viewer::new(request.layout, point, ranges, request.bounds);
        // A body wants level 0 under it from whatever height.
        let height_gap = if viewer.is_body { 0.0 } else { target.height_gap };
        Viewer { height_gap, ..target }
    }

    fn incomplete(&self, wanted: &LodQuadtree) -> Vec<Incomplete> {
        let families = wanted.visible_families();
        let incomplete = families.map(|(chunk, children)| Incomplete {
            chunk,
            missing: children.filter(|child| !self.loaded.contains(child)).collect(),
        });
        let mut incomplete: Vec<Incomplete> = incomplete.filter(|family| !family.missing.is_empty()).collect();
        // What finer chunks are drawn in place of need not be there.
        incomplete.sort_by_key(|family| family.chunk.level);
        incomplete
    }

    /// Finds what is drawn for the `candidates`, whose views in force it sets, and which of that is to be built at once.
    fn find_drawn(
        &self,
        request: &PlanRequest<'_>,
        candidates: &mut [Candidate],
        nearby: &Nearby,
    ) -> (LodQuadtree, Vec<ChunkCoord>) {
        let layout = request.layout;
        for candidate in &mut *candidates {
            candidate.in_force.point.view_distance = candidate.target.point.view_distance;
        }
        let viewers: Vec<Viewer> = candidates.iter().map(|candidate| candidate.in_force).collect();
        let mut drawn = LodQuadtree::select(layout, &viewers, &self.plan.drawn);
        let missing: Vec<ChunkCoord> =
            drawn.leaves().iter().copied().filter(|leaf| !self.loaded.contains(leaf)).collect();
        if missing.is_empty() {
            return (drawn, missing);
        }
        // The nearest first, as far as somebody held on to them, and then the rest.
        let nearest = |chunk: ChunkCoord| {
            let near = nearby.of(layout, chunk).filter_map(|number| {
                let distance = layout.distance(chunk, candidates[number].target.place());
                (distance <= candidates[number].hold).then_some((distance, number))
            });
            // Of all that many viewers stand on, each viewer's own come one after the other: half of them is no use.
            near.min_by(|one: &(f64, usize), other| one.0.total_cmp(&other.0)).unwrap_or((f64::INFINITY, 0))
        };
        let mut by_distance: Vec<((f64, usize), ChunkCoord)> =
            missing.into_iter().map(|chunk| (nearest(chunk), chunk)).collect();
        by_distance
            .sort_unstable_by(|(one, a), (other, b)| one.0.total_cmp(&other.0).then((one.1, a).cmp(&(other.1, b))));
        let held = by_distance.partition_point(|((distance, _), _)| distance.is_finite()).min(request.most_built_now);
        for &(_, chunk) in &by_distance[held..] {
            nearby.of(layout, chunk).for_each(|number| candidates[number].end_view_at(layout, chunk));
        }
        let margin = |leaf: ChunkCoord| {
            let is_still_drawn = self.plan.drawn.is_leaf(leaf) && self.loaded.contains(&leaf);
            if is_still_drawn { LodRanges::HYSTERESIS * layout.chunk_size(leaf.level) } else { 0.0 }
        };
        let views: Vec<Viewer> = candidates.iter().map(|candidate| candidate.in_force).collect();
        drawn.retain_leaves(|leaf| {
            let margin = margin(leaf);
            nearby.of(layout, leaf).map(|number| &views[number]).any(|view| {
                let far = view.point.view_distance;
                far >= 0.0 && layout.distance(leaf, view.place()) <= far + margin
            })
        });
        let built = by_distance[..held].iter().map(|&(_, chunk)| chunk);
        let build_now = built.filter(|&chunk| drawn.is_leaf(chunk)).collect();
        (drawn, build_now)
    }

    /// The missing chunks that end a view come first, the nearest first, and then the others by their priority. Those of a
    /// viewer that has just jumped come last: one that jumps in every frame, for which most of them would be
    /// built in vain, must not hold up the others.
    fn fill_queue(&mut self, layout: &ChunkLayout, nearby: &Nearby) {
        let Self { plan, loaded, queue, .. } = self;
        if plan.missing == 0 {
            queue.fill(std::iter::empty());
            return;
        }
        let least = LodRanges::least(layout, 0);
        let priority = |chunk: ChunkCoord| {
            let of = |PlannedViewer { target: viewer, in_force, has_jumped, .. }: &PlannedViewer| {
                let ends_early = in_force.point.view_distance < viewer.point.view_distance;
                // A leaf of the least ranges: its parent is split by them, and it is not.
                let distance = viewer.distance(layout, chunk);
                let parent_distance = viewer.distance(layout, chunk.parent());
                let is_needed = ends_early
                    && (chunk.level == 0 || distance >= least.split(chunk.level))
                    && parent_distance < least.split(chunk.level + 1);
                let priority = if is_needed { -1.0 / (1.0 + distance) } else { viewer.priority(layout, chunk) };
                // More than that of all that others see.
                if *has_jumped { priority + 10.0 } else { priority }
            };
            let near = nearby.of(layout, chunk).map(|number| of(&plan.viewers[number])).reduce(f64::min);
            // What somebody is about to see lies near nobody yet.
            near.unwrap_or_else(|| plan.viewers.iter().map(of).fold(f64::INFINITY, f64::min))
        };
        let missing = plan.wanted.visible_chunks().filter(|chunk| !loaded.contains(chunk));
        queue.fill(missing.map(|chunk| (priority(chunk), chunk)));
    }
}
