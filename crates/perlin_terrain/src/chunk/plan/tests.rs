//! The guarantees of plans.

mod properties;

use super::*;
use crate::chunk::quadtree::fixtures::{ERRORS, layout, point_at};

/// A planner with viewers, and what a plan is asked for.
struct World {
    planner: Planner,
    viewers: Vec<PlanViewer>,
    pixel_error: f64,
    max_chunks: usize,
    max_built_now: usize,
    last_diff: PlanDiff,
}

fn viewer(id: u64, x: f64, z: f64, view_distance: f64) -> PlanViewer {
    PlanViewer { id, point: point_at(x, z, view_distance), velocity: [0.0; 3] }
}

impl World {
    fn new(viewers: Vec<PlanViewer>) -> Self {
        Self {
            planner: Planner::default(),
            viewers,
            pixel_error: 2.0,
            max_chunks: 100_000,
            max_built_now: 64,
            last_diff: PlanDiff::default(),
        }
    }

    fn advance(&mut self) -> Plan {
        let layout = layout();
        let request = PlanRequest {
            layout: &layout,
            bounds: (-10.0, 10.0),
            errors: &ERRORS,
            pixel_error: self.pixel_error,
            look_ahead: 0.5,
            viewers: &self.viewers,
            max_chunks: self.max_chunks,
            max_built_now: self.max_built_now,
            seconds: 1.0 / 60.0,
        };
        let before = self.planner.plan().clone();
        self.last_diff = self.planner.advance(&request);
        self.assert_whole();
        before
    }

    /// Loads what is to be built at once, and up to `max` chunks of the queue.
    fn build(&mut self, max: usize) {
        self.planner.plan().build_now().to_vec().into_iter().for_each(|chunk| self.planner.load(chunk));
        for _ in 0..max {
            let Some(chunk) = self.planner.queue().pop() else { break };
            self.planner.load(chunk);
        }
    }

    fn settle(&mut self) {
        for _ in 0..2000 {
            self.advance();
            if self.planner.plan().is_settled() {
                return;
            }
            self.build(40);
        }
        panic!("never settled: {:?}", self.planner.plan().viewers());
    }

    fn view(&self, id: u64) -> f64 {
        self.planner.plan().viewer(id).expect("a viewer").current.point.view_distance
    }

    fn is_level_0_at(&self, id: u64) -> bool {
        let [x, z] = self.planner.plan().viewer(id).expect("a viewer").target.xz();
        self.planner.plan().drawn().is_leaf(layout().chunk_at(0, x, z))
    }

    /// The drawn leaves tile what is in view once, differ by one level at most, and are loaded or built in this frame.
    #[track_caller]
    fn assert_whole(&self) {
        let (plan, layout) = (self.planner.plan(), layout());
        let tree = plan.drawn();
        assert!(plan.build_now().len() <= self.max_built_now);
        for &leaf in tree.leaves() {
            assert!(self.planner.is_loaded(leaf) != plan.build_now().contains(&leaf), "{leaf:?}");
            assert_eq!(tree.level_jumps(leaf), [], "{leaf:?}");
        }
        assert!(plan.build_now().iter().all(|&chunk| tree.is_leaf(chunk)));
        // Chunks of which one holds the other compare equal.
        assert!(tree.leaves().is_sorted_by(|one, other| one.compare_positions(*other).is_lt()));
        for viewer in plan.viewers() {
            let (view, [x, z]) = (viewer.current.point.view_distance, viewer.current.xz());
            for step in 0..60 {
                let (radius, angle) = (view * f64::from(step % 6) / 5.0, f64::from(step));
                let (x, z) = (x + radius * libm::cos(angle), z + radius * libm::sin(angle));
                let over = tree.leaves_in(layout.chunk_at(0, x, z)).len();
                assert_eq!(over, usize::from(view >= 0.0), "chunks at {radius} m of {:?}", viewer.current);
            }
        }
    }
}

#[test]
fn other_viewers_far_away_change_no_leaf() {
    let mut world = World::new(vec![viewer(1, 10.0, 20.0, 900.0)]);
    world.settle();
    let alone = world.planner.plan().drawn().leaves().to_vec();
    world.viewers.push(viewer(2, 1.0e6, 0.0, 5000.0));
    world.settle();
    let near = |leaf: &&ChunkCoord| layout().distance(**leaf, [10.0, 20.0]) <= 900.0;
    assert_eq!(world.planner.plan().drawn().leaves().iter().filter(near).copied().collect::<Vec<_>>(), alone);
}

#[test]
fn a_viewer_that_jumps_stands_on_level_0_in_that_frame_and_sees_as_far_as_the_cap_allows() {
    let mut world = World::new(vec![viewer(1, 0.0, 0.0, 2000.0)]);
    world.settle();
    for (x, z) in [(50_000.0, 0.0), (50_900.0, 300.0), (1.0e9, -1.0e9)] {
        world.viewers[0].point.position = [x, 0.0, z];
        world.advance();
        assert!(world.is_level_0_at(1), "at {x}, {z}");
        let view = world.view(1);
        assert!((60.0..2000.0).contains(&view), "{view} m at {x}, {z}");
        let mut views = vec![view];
        while !world.planner.plan().is_settled() {
            world.build(40);
            world.advance();
            assert!(world.view(1) >= *views.last().expect("there is one"), "the view gets shorter");
            views.push(world.view(1));
        }
        assert!(views.len() < 200, "{} frames", views.len());
    }
}

#[test]
fn a_jump_takes_nothing_from_others() {
    let mut world = World::new(vec![viewer(1, 0.0, 0.0, 3000.0), viewer(2, 1.0e6, 0.0, 3000.0)]);
    world.settle();
    let before = *world.planner.plan().viewer(1).expect("it was planned for");
    world.viewers[1].point.position = [1700.0, 0.0, 400.0];
    for _ in 0..400 {
        world.advance();
        assert_eq!(*world.planner.plan().viewer(1).expect("it was planned for"), before);
        assert!(world.view(2) >= 0.0);
        if world.planner.plan().is_settled() {
            return assert!(world.is_level_0_at(2));
        }
        world.build(40);
    }
    panic!("never settled");
}

#[test]
fn many_arrivals_share_the_cap_and_all_get_ground_in_the_end() {
    let mut world = World::new((0..100).map(|id| viewer(id, 10_000.0 * id as f64, 0.0, 60.0)).collect());
    world.advance();
    assert_eq!(world.planner.plan().build_now().len(), 64);
    world.settle();
    assert!((0..100).all(|id| world.is_level_0_at(id)));
}

#[test]
fn a_drawn_chunk_that_is_taken_away_is_built_at_once() {
    let mut world = World::new(vec![viewer(1, 10.0, 20.0, 900.0)]);
    world.settle();
    let before = world.planner.plan().drawn().clone();
    let lost: Vec<ChunkCoord> = before.leaves().iter().copied().step_by(9).collect();
    lost.iter().for_each(|&chunk| world.planner.unload(chunk));
    world.advance();
    let mut built = world.planner.plan().build_now().to_vec();
    built.sort_by(|a, b| a.compare_positions(*b));
    // Where ranges are larger than the minimal ones, the coarser chunk may be drawn instead.
    assert!(!built.is_empty() && built.iter().all(|chunk| lost.contains(chunk) || !before.is_leaf(*chunk)));
    world.settle();
    assert_eq!(*world.planner.plan().drawn(), before);
}

#[test]
fn without_errors_the_ranges_are_minimal() {
    let layout = layout();
    let viewers = [viewer(1, 0.0, 0.0, 900.0)];
    let mut planner = Planner::default();
    let _ = planner.advance(&PlanRequest {
        layout: &layout,
        bounds: (0.0, 0.0),
        errors: &LevelErrors::new(),
        pixel_error: 1.0,
        look_ahead: 0.5,
        viewers: &viewers,
        max_chunks: 1000,
        max_built_now: 64,
        seconds: 0.0,
    });
    assert_eq!(planner.plan().viewers()[0].target.ranges, LodRanges::minimal(&layout, 0));
    assert!(!planner.plan().is_settled());
    assert_eq!(planner.plan().readiness(&layout, [0.0; 2], 10.0), None);
}

#[test]
fn ground_is_ready_only_if_all_of_it_is_drawn() {
    let mut world = World::new(vec![viewer(1, 10.0, 20.0, 900.0)]);
    world.settle();
    let mut times_ready = 0;
    for step in 0..300 {
        // The view gets longer while chunks beyond the old one are missing, and some stay split by hysteresis.
        world.viewers[0].point.view_distance = if step % 20 < 10 { 300.0 } else { 900.0 };
        world.viewers[0].point.position[0] += 17.0;
        world.advance();
        world.build(step % 5);
        let plan = world.planner.plan();
        let target = plan.viewer(1).expect("it was planned for").target;
        for (number, radius) in (0..).zip([5.0, 10.0, 20.0, 50.0, 100.0, 150.0, 250.0, 400.0, 850.0]) {
            let (away, angle) = (f64::from((step as u32 * 37 + number * 11) % 450), step as f64);
            let position = [target.xz()[0] + away * libm::cos(angle), target.xz()[1] + away * libm::sin(angle)];
            if plan.readiness(&layout(), position, radius).is_none_or(|(drawn, all)| drawn < all) {
                continue;
            }
            times_ready += 1;
            for number in 0..200 {
                let (away, angle) = (radius * f64::from(number) / 200.0, f64::from(number));
                let (x, z) = (position[0] + away * libm::cos(angle), position[1] + away * libm::sin(angle));
                let is_in_view = libm::hypot(x - target.xz()[0], z - target.xz()[1]) <= target.point.view_distance;
                let leaves = plan.drawn().leaves_in(layout().chunk_at(0, x, z)).len();
                assert_eq!(leaves.max(usize::from(!is_in_view)), 1, "{away} m of {position:?} in step {step}");
            }
        }
    }
    assert!(times_ready > 500, "ready {times_ready} times");
}

#[test]
fn detail_does_not_swing_in_flight_where_memory_is_just_enough_for_more() {
    let mut world = World::new(vec![viewer(1, 0.0, 0.0, 3000.0)]);
    world.pixel_error = 0.5;
    world.settle();
    world.max_chunks = world.planner.plan().wanted_chunks() / 3;
    world.settle();
    let reduction = world.planner.reduction;
    while world.planner.reduction == reduction {
        world.max_chunks += 1;
        world.advance();
    }
    let (mut changes, mut before) = (0, world.planner.reduction);
    for _ in 0..300 {
        world.viewers[0].point.position[0] += 5.0;
        world.advance();
        assert!(world.planner.plan().wanted_chunks() <= world.max_chunks);
        changes += usize::from(world.planner.reduction != before);
        before = world.planner.reduction;
        world.build(40);
    }
    assert!(changes <= 2, "the detail changed {changes} times");
}

#[test]
fn fewer_chunks_than_wanted_cost_detail_then_view_and_then_the_finest_levels() {
    let mut world = World::new(vec![viewer(1, 0.0, 0.0, 3000.0)]);
    world.pixel_error = 0.1;
    world.settle();
    let all = world.planner.plan().wanted().visible_chunks().count();
    let (mut finest, mut views) = (Vec::new(), Vec::new());
    for max in [all / 2, all / 8, 60, 12] {
        world.max_chunks = max;
        world.planner.reduction = 0;
        world.settle();
        let plan = world.planner.plan();
        let wanted = plan.wanted().visible_chunks().count();
        assert!(plan.is_limited() && wanted <= max, "{wanted} of {max}");
        views.push(world.view(1));
        finest.push(plan.drawn().leaves().iter().map(|leaf| leaf.level).min());
    }
    // Few coarse chunks reach as far as many fine ones.
    assert!(views[0] == 3000.0 && views[..3].is_sorted_by(|one, other| one >= other), "{views:?}");
    assert!(finest[..3] == [Some(0); 3] && finest[3] > Some(0), "{finest:?} for {views:?}");
}

#[test]
fn detail_comes_back_to_viewers_that_stand_still_when_there_is_room_again() {
    let mut world = World::new(vec![viewer(1, 0.0, 0.0, 900.0), viewer(2, 900.0, 400.0, 500.0)]);
    world.pixel_error = 0.5;
    world.settle();
    let expected = world.planner.plan().clone();
    let max = 3 * expected.wanted_chunks() / 2;
    for part in (1..30).step_by(7) {
        // Whatever the limit, it settles.
        world.max_chunks = expected.wanted_chunks() * part / 30;
        world.settle();
        assert!(world.planner.plan().wanted_chunks() <= world.max_chunks.max(8));
        world.max_chunks = max;
        world.settle();
        assert_eq!(*world.planner.plan(), expected);
    }
}
