//! Properties of plans, whatever viewers do, and whichever chunks are loaded.

use super::*;
use proptest::array::{uniform2, uniform3};
use proptest::collection::vec;
use proptest::prelude::*;
use std::cell::Cell;
use std::collections::BTreeMap;
use std::ops::Range;
use testing::for_all;

/// An event after a plan.
#[derive(Clone, Debug)]
struct Step {
    /// How many chunks of the queue are built.
    built: usize,
    /// Which of the wanted chunks are taken away, as numbers to be divided by how many there are.
    taken: Vec<usize>,
    /// How far each viewer moves, in metres.
    moves: [[f64; 2]; 3],
}

/// Viewers near one another and further apart, some of them high above the ground.
fn any_viewers() -> impl Strategy<Value = Vec<PlanViewer>> {
    let height = prop_oneof![3 => Just(0.0), 1 => 0.0..5000.0];
    let viewers = vec(((0.0..3000.0, height, 0.0..3000.0), 0.0..1500.0), 1..=3);
    let viewer = |id, ((x, y, z), view)| {
        let mut viewer = viewer(id, x, z, view);
        viewer.point.position[1] = y;
        viewer
    };
    viewers.prop_map(move |viewers| (0..).zip(viewers).map(|(id, position)| viewer(id, position)).collect())
}

/// Up to 40 steps, in each of which so many chunks are taken away. One way in ten is a jump.
fn any_steps(taken: Range<usize>) -> impl Strategy<Value = Vec<Step>> {
    let way = prop_oneof![9 => uniform2(0.0..10.0), 1 => uniform2(0.0..4000.0)];
    let step = (0..20_usize, vec(0..10_000_usize, taken), uniform3(way));
    vec(step.prop_map(|(built, taken, moves)| Step { built, taken, moves }), 1..40)
}

impl World {
    fn take(&mut self, step: &Step) {
        self.build(step.built);
        let wanted: Vec<ChunkCoord> = self.planner.plan().wanted().visible_chunks().collect();
        step.taken.iter().for_each(|number| self.planner.unload(wanted[number % wanted.len()]));
        for (viewer, [x, z]) in self.viewers.iter_mut().zip(step.moves) {
            viewer.point.position[0] += x;
            viewer.point.position[2] += z;
        }
    }
}

#[test]
fn whatever_is_loaded_the_drawn_leaves_tile_the_view_once() {
    let shortened = Cell::new(0);
    let max_chunks = prop_oneof![2 => Just(100_000_usize), 1 => 10..400_usize];
    let input = (any_viewers(), 0..90_usize, max_chunks, any_steps(0..5));
    for_all(120, input, |(viewers, max_built_now, max_chunks, steps)| {
        let mut world = World::new(viewers);
        (world.max_built_now, world.max_chunks) = (max_built_now, max_chunks);
        for step in steps {
            // Which asserts that the plan is whole.
            world.advance();
            let is_short = |viewer: &&PlannedViewer| !viewer.is_settled();
            shortened.set(shortened.get() + world.planner.plan().viewers().iter().filter(is_short).count());
            world.take(&step);
        }
    });
    assert!(shortened.get() > 1000, "only {} views were shortened", shortened.get());
}

#[test]
fn the_settled_plan_does_not_depend_on_the_order_in_which_chunks_arrive() {
    for_all(12, (any_viewers(), vec(0..10_000_usize, 1..50)), |(viewers, order)| {
        let mut world = World::new(viewers.clone());
        world.settle();
        let expected = world.planner.plan();
        let mut other = World::new(viewers);
        let mut order = order.into_iter().cycle();
        for _ in 0..3000 {
            other.advance();
            if other.planner.plan().is_settled() {
                break;
            }
            other.build(0);
            let is_missing = |chunk: &ChunkCoord| !other.planner.is_loaded(*chunk);
            let missing: Vec<ChunkCoord> = expected.wanted().visible_chunks().filter(is_missing).collect();
            for number in order.by_ref().take(10.min(missing.len())) {
                other.planner.load(missing[number % missing.len()]);
            }
        }
        assert_eq!(other.planner.plan(), expected);
    });
}

#[test]
fn a_diff_leads_from_one_plan_to_the_next() {
    let area = |chunks: &[ChunkCoord]| chunks.iter().map(|chunk| 4_f64.powi(chunk.level.into())).sum::<f64>();
    let covers = |plan: &Plan, chunk: &ChunkCoord| !plan.drawn().leaves_in(*chunk).is_empty();
    let with_masks = |plan: &Plan| -> BTreeMap<ChunkCoord, StitchMask> {
        plan.drawn().leaves().iter().copied().zip(plan.stitch_masks().iter().copied()).collect()
    };
    let changes = Cell::new(0);
    for_all(60, (any_viewers(), any_steps(0..1)), |(viewers, steps)| {
        let mut world = World::new(viewers);
        for step in steps {
            let before = world.advance();
            let (plan, diff) = (world.planner.plan(), &world.last_diff);
            let mut drawn = with_masks(&before);
            diff.hidden.iter().for_each(|chunk| assert!(drawn.remove(chunk).is_some()));
            diff.shown.iter().for_each(|&(chunk, mask)| assert!(drawn.insert(chunk, mask).is_none()));
            diff.restitched.iter().for_each(|&(chunk, mask)| assert!(drawn.insert(chunk, mask) != Some(mask)));
            assert_eq!(drawn, with_masks(plan));
            // Ground that is drawn before and after is neither new nor gone, at whatever levels.
            let ground = area(before.drawn().leaves()) + area(&diff.ground_shown) - area(&diff.ground_hidden);
            assert_eq!(ground, area(plan.drawn().leaves()));
            assert!(!diff.ground_shown.iter().any(|area| covers(&before, area)));
            assert!(!diff.ground_hidden.iter().any(|area| covers(plan, area)));
            changes.set(changes.get() + diff.level_changes.len());
            world.take(&step);
        }
    });
    assert!(changes.get() > 500, "only {} changes of level", changes.get());
}
