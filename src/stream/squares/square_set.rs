//! The squares of one ground: needed, being built, built and spawned.

use super::GroundSquare;
use super::needs::{Body, Need};
use crate::chunk::{ChunkCoord, ChunkLayout, CoordMap};
use crate::field::HeightField;
use crate::stream::build::in_background;
use bevy::prelude::*;
use bevy::tasks::{ComputeTaskPool, Task, futures::check_ready};
use std::sync::Arc;

/// The squares of one ground.
pub(in crate::stream) struct SquareSet {
    /// The grid of squares.
    layout: ChunkLayout,
    needs: CoordMap<Need>,
    /// The squares that are spawned.
    spawned: CoordMap<Entity>,
    /// The squares that are built and not spawned yet. During a reload, all squares of the new ground.
    built: CoordMap<Arc<[f32]>>,
    tasks: Vec<(ChunkCoord, Task<Arc<[f32]>>)>,
    /// The number of needed squares, at the last check, that were neither spawned nor built.
    missing: usize,
    /// Whether the needs were never set.
    is_new: bool,
    /// Whether spawned squares may be needed no longer.
    has_changed: bool,
}

/// The largest number of tasks of a ground: what some threads build in a frame.
const MOST_TASKS: usize = 64;

/// Squares that the main thread builds in a frame if there are no threads, beside those that a body is on.
const BUILT_WITHOUT_THREADS: usize = 2;

/// Up to this number of squares, one thread is faster than waking up several.
const FEW_SQUARES: usize = 2;

impl SquareSet {
    /// An empty set over the vertices of `layout`.
    pub fn new(layout: &ChunkLayout) -> Self {
        Self {
            layout: GroundSquare::layout(layout),
            needs: CoordMap::default(),
            spawned: CoordMap::default(),
            built: CoordMap::default(),
            tasks: Vec::new(),
            missing: 0,
            is_new: true,
            has_changed: false,
        }
    }

    /// The grid of squares.
    pub(super) const fn layout(&self) -> &ChunkLayout {
        &self.layout
    }

    /// The number of spawned squares.
    pub fn len(&self) -> usize {
        self.spawned.len()
    }

    /// Whether all squares are spawned that bodies want.
    pub fn is_complete(&self) -> bool {
        !self.is_new && self.missing == 0 && self.built.is_empty() && self.tasks.is_empty()
    }

    /// Whether all squares are spawned that bodies wanted when the needs were set last.
    pub const fn has_all(&self) -> bool {
        self.missing == 0
    }

    /// Whether the ground can be drawn: so few squares are missing that they can be built in the same frame.
    pub const fn can_replace(&self) -> bool {
        self.missing <= GroundSquare::MOST_BUILT_NOW
    }

    /// Sets the bodies, and takes what tasks have finished.
    pub(super) fn update<'a>(&mut self, bodies: impl Iterator<Item = &'a Body>) {
        (self.is_new, self.has_changed) = (false, true);
        self.needs.clear();
        bodies.for_each(|body| body.add_needs(&self.layout, &mut self.needs));
        let Self { needs, tasks, built, .. } = self;
        tasks.retain_mut(|(square, task)| {
            if !needs.contains_key(square) {
                return false;
            }
            check_ready(task).map(|heights| built.insert(*square, heights)).is_none()
        });
        built.retain(|square, _| needs.contains_key(square));
        self.missing = self.missing().count();
    }

    /// The squares that bodies want and that are neither spawned nor built.
    fn missing(&self) -> impl Iterator<Item = (ChunkCoord, Need)> + '_ {
        let is_here = |square| self.spawned.contains_key(square) || self.built.contains_key(square);
        let missing = self.needs.iter().filter(move |(square, need)| need.is_wanted() && !is_here(square));
        missing.map(|(&square, &need)| (square, need))
    }

    /// Whether a body has all squares that it needs now.
    pub(super) fn holds(&self, body: &Body) -> bool {
        body.squares_now(&self.layout).all(|square| self.spawned.contains_key(&square))
    }

    /// Builds squares on this thread and helpers: those that bodies need now, and more of the others without threads. At most
    /// `most`. Returns the number of squares that were built because a body needs them now.
    pub(super) fn build_now(&mut self, field: &HeightField, has_threads: bool, most: usize) -> usize {
        let mut now: Vec<_> = self.missing().collect();
        now.sort_unstable_by(|(a, one), (b, other)| {
            let by_need = other.is_now.cmp(&one.is_now).then(one.nearness.total_cmp(&other.nearness));
            by_need.then(a.cmp(b))
        });
        let count = now.iter().filter(|(_, need)| need.is_now).count().min(most);
        let others = if has_threads { 0 } else { BUILT_WITHOUT_THREADS };
        now.truncate((count + others).min(most.max(others)));
        let layout = self.layout;
        let build = |square| GroundSquare::heights(field, &layout, square);
        let heights: Vec<_> = if has_threads && now.len() > FEW_SQUARES {
            ComputeTaskPool::get().scope(|scope| {
                now.iter().for_each(|&(square, _)| scope.spawn(async move { build(square) }));
            })
        } else {
            now.iter().map(|&(square, _)| build(square)).collect()
        };
        self.built.extend(now.into_iter().map(|(square, _)| square).zip(heights));
        let Self { tasks, built, .. } = self;
        tasks.retain(|(square, _)| !built.contains_key(square));
        count
    }

    /// Starts tasks for the nearest missing squares.
    pub(super) fn start_tasks(&mut self, field: &Arc<HeightField>) {
        let mut missing: Vec<_> = self.missing().collect();
        missing.retain(|(square, _)| self.tasks.iter().all(|(started, _)| started != square));
        missing.sort_unstable_by(|(a, one), (b, other)| one.nearness.total_cmp(&other.nearness).then(a.cmp(b)));
        for (square, _) in missing.into_iter().take(MOST_TASKS.saturating_sub(self.tasks.len())) {
            let (field, layout) = (Arc::clone(field), self.layout);
            self.tasks.push((square, in_background(move || GroundSquare::heights(&field, &layout, square))));
        }
    }

    /// Takes out the squares to spawn.
    pub(super) fn take_built(&mut self) -> Vec<(ChunkCoord, Arc<[f32]>)> {
        self.missing = self.missing().count();
        let mut built: Vec<_> = self.built.drain().collect();
        // Spawn them in the same order on every machine.
        built.sort_unstable_by_key(|(square, _)| *square);
        built
    }

    /// A square is spawned.
    pub(super) fn insert(&mut self, square: ChunkCoord, entity: Entity) {
        self.spawned.insert(square, entity);
    }

    /// Something else despawned a square.
    pub(super) fn forget(&mut self, square: ChunkCoord, entity: Entity) {
        if self.spawned.get(&square) == Some(&entity) {
            self.spawned.remove(&square);
            self.missing += 1;
        }
    }

    /// Takes out the squares that no body needs.
    pub(super) fn take_unneeded(&mut self) -> Vec<Entity> {
        if !std::mem::take(&mut self.has_changed) {
            return Vec::new();
        }
        let Self { spawned, needs, .. } = self;
        spawned.extract_if(|square, _| !needs.contains_key(square)).map(|(_, entity)| entity).collect()
    }

    /// Takes out all squares, in no order.
    pub fn take_spawned(&mut self) -> impl Iterator<Item = Entity> + use<> {
        std::mem::take(&mut self.spawned).into_values()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chunk::ChunkSettings;
    use crate::field::FieldSettings;

    #[test]
    fn without_threads_a_frame_also_builds_the_nearest_of_the_other_squares() {
        let mut squares = SquareSet::new(&ChunkLayout::new(&ChunkSettings::default()));
        let body = Body { place: [64.0, 64.0], velocity: [0.0; 2], radius: 400.0, ahead: 0.0 };
        squares.update([&body].into_iter());
        let field = HeightField::new(&FieldSettings::default());
        let now = squares.build_now(&field, false, GroundSquare::MOST_BUILT_NOW);
        assert_eq!(squares.built.len(), now + BUILT_WITHOUT_THREADS);
        let nearness = |square: &ChunkCoord| squares.needs[square].nearness;
        let farthest = squares.built.keys().map(nearness).fold(0.0, f64::max);
        let missing: Vec<_> = squares.missing().collect();
        assert!(missing.len() > 4 && missing.iter().all(|(_, need)| need.nearness >= farthest));
    }
}
