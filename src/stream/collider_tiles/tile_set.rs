//! The tiles of one ground: needed, being built, built and spawned.

use super::ColliderTile;
use super::needs::{Body, Need};
use crate::chunk::{ChunkCoord, ChunkLayout, CoordMap, CoordSet};
use crate::field::{FieldArea, HeightField};
use crate::stream::build::{TaskList, build_now};
use bevy::prelude::*;
use std::sync::Arc;

/// The tiles of one ground.
pub(in crate::stream) struct TileSet {
    /// The grid of tiles.
    layout: ChunkLayout,
    needs: CoordMap<Need>,
    /// The tiles that are spawned.
    spawned: CoordMap<Entity>,
    /// Tiles, spawned or built, whose ground was edited since. They stay until others replace them.
    stale: CoordSet,
    /// The tiles that are built and not spawned yet. During a reload, all tiles of the new ground.
    built: CoordMap<Arc<[f32]>>,
    /// With the fields that the tiles come from: edits may change the field meanwhile.
    tasks: TaskList<(Arc<HeightField>, Arc<[f32]>)>,
    /// The number of needed tiles, at the last check, that were neither spawned nor built.
    missing: usize,
    /// Whether the needs were never set.
    is_new: bool,
    /// Whether spawned tiles may be needed no longer.
    has_changed: bool,
}

/// The largest number of tasks of a ground: what some threads build in a frame.
const MAX_TASKS: usize = 64;

/// Tiles that the main thread builds in a frame if there are no threads, beside those that a body is on.
const BUILT_WITHOUT_THREADS: usize = 2;

impl TileSet {
    /// An empty set over the vertices of `layout`.
    pub fn new(layout: &ChunkLayout) -> Self {
        Self {
            layout: ColliderTile::layout(layout),
            needs: CoordMap::default(),
            spawned: CoordMap::default(),
            stale: CoordSet::default(),
            built: CoordMap::default(),
            tasks: TaskList::default(),
            missing: 0,
            is_new: true,
            has_changed: false,
        }
    }

    /// The grid of tiles.
    pub(super) const fn layout(&self) -> &ChunkLayout {
        &self.layout
    }

    /// The number of spawned tiles.
    pub fn len(&self) -> usize {
        self.spawned.len()
    }

    /// Whether all tiles are spawned that bodies want.
    pub fn is_complete(&self) -> bool {
        !self.is_new && self.missing == 0 && self.built.is_empty() && self.tasks.len() == 0
    }

    /// Whether all tiles are spawned that bodies wanted when the needs were set last.
    pub const fn has_all(&self) -> bool {
        self.missing == 0
    }

    /// Whether the ground can be drawn: so few tiles are missing that they can be built in the same frame.
    pub fn can_replace(&self) -> bool {
        let absent = self.missing().filter(|(tile, _)| !self.stale.contains(tile));
        absent.count() <= ColliderTile::MAX_BUILT_NOW
    }

    /// Sets the bodies, and takes what tasks have finished.
    pub(super) fn update<'a>(&mut self, field: &HeightField, bodies: impl Iterator<Item = &'a Body>) {
        (self.is_new, self.has_changed) = (false, true);
        self.needs.clear();
        bodies.for_each(|body| body.add_needs(&self.layout, &mut self.needs));
        let Self { needs, tasks, built, spawned, stale, layout, .. } = self;
        tasks.retain(|tile| needs.contains_key(&tile));
        while let Some((tile, (from, heights))) = tasks.take_finished(|_| true) {
            let is_old = is_edited(layout, tile, &field.edited_since(&from).unwrap_or_default());
            if is_old {
                stale.insert(tile)
            } else {
                stale.remove(&tile)
            };
            built.insert(tile, heights);
        }
        built.retain(|tile, _| needs.contains_key(tile));
        stale.retain(|tile| built.contains_key(tile) || spawned.contains_key(tile));
        self.missing = self.missing().count();
    }

    /// The ground was edited in these areas.
    pub fn edit(&mut self, areas: &[FieldArea]) {
        let layout = self.layout;
        let all = self.spawned.keys().chain(self.built.keys()).copied();
        self.stale.extend(all.filter(|&tile| is_edited(&layout, tile, areas)));
        self.missing = self.missing().count();
    }

    /// The tiles that bodies want and that are neither spawned nor built, or stale.
    fn missing(&self) -> impl Iterator<Item = (ChunkCoord, Need)> + '_ {
        let is_here =
            |tile| (self.spawned.contains_key(tile) || self.built.contains_key(tile)) && !self.stale.contains(tile);
        let missing = self.needs.iter().filter(move |(tile, need)| need.is_wanted() && !is_here(tile));
        missing.map(|(&tile, &need)| (tile, need))
    }

    /// The same, first those that bodies need now, then the nearest.
    fn missing_in_order(&self) -> Vec<ChunkCoord> {
        let mut missing: Vec<_> = self.missing().collect();
        missing.sort_unstable_by(|(a, one), (b, other)| {
            let by_need = other.is_now.cmp(&one.is_now);
            // A body can stand on a stale tile, but not on none.
            let by_need = by_need.then(self.stale.contains(a).cmp(&self.stale.contains(b)));
            by_need.then(one.nearness.total_cmp(&other.nearness)).then(a.cmp(b))
        });
        missing.into_iter().map(|(tile, _)| tile).collect()
    }

    /// Whether a body has all tiles that it needs now.
    pub(super) fn holds(&self, body: &Body) -> bool {
        body.tiles_now(&self.layout).all(|tile| self.spawned.contains_key(&tile))
    }

    /// Builds tiles on this thread and helpers: those that bodies need now, and more of the others without threads. At most
    /// `max`. Returns the number of tiles that were built because a body needs them now.
    pub(super) fn build_now(&mut self, field: &HeightField, has_threads: bool, max: usize) -> usize {
        let mut now = self.missing_in_order();
        let count = now.iter().filter(|tile| self.needs[*tile].is_now).count().min(max);
        let others = if has_threads { 0 } else { BUILT_WITHOUT_THREADS };
        now.truncate((count + others).min(max.max(others)));
        let layout = self.layout;
        let heights = build_now(&now, has_threads, |tile| ColliderTile::heights(field, &layout, tile));
        now.iter().for_each(|tile| _ = self.stale.remove(tile));
        self.tasks.retain(|tile| !now.contains(&tile));
        self.built.extend(now.into_iter().zip(heights));
        count
    }

    /// Starts tasks for the nearest missing tiles.
    pub(super) fn start_tasks(&mut self, field: &Arc<HeightField>) {
        let missing = self.missing_in_order();
        self.tasks.start(MAX_TASKS, missing.into_iter(), |tile| {
            let (field, layout) = (Arc::clone(field), self.layout);
            move || {
                let heights = ColliderTile::heights(&field, &layout, tile);
                (field, heights)
            }
        });
    }

    /// Takes out the tiles to spawn.
    pub(super) fn take_built(&mut self) -> Vec<(ChunkCoord, Arc<[f32]>)> {
        self.missing = self.missing().count();
        let mut built: Vec<_> = self.built.drain().collect();
        // Spawn them in the same order on every machine.
        built.sort_unstable_by_key(|(tile, _)| *tile);
        built
    }

    /// A tile is spawned. Returns the one that it replaces.
    pub(super) fn insert(&mut self, tile: ChunkCoord, entity: Entity) -> Option<Entity> {
        self.spawned.insert(tile, entity)
    }

    /// Something else despawned a tile.
    pub(super) fn forget(&mut self, tile: ChunkCoord, entity: Entity) {
        if self.spawned.get(&tile) == Some(&entity) {
            self.spawned.remove(&tile);
            // One that is stale is missing already. What is built in its place may be stale too.
            self.missing += usize::from(!self.stale.contains(&tile));
        }
    }

    /// Takes out the tiles that no body needs.
    pub(super) fn take_unneeded(&mut self) -> Vec<Entity> {
        if !std::mem::take(&mut self.has_changed) {
            return Vec::new();
        }
        let Self { spawned, stale, needs, .. } = self;
        stale.retain(|tile| needs.contains_key(tile));
        spawned.extract_if(|tile, _| !needs.contains_key(tile)).map(|(_, entity)| entity).collect()
    }

    /// Takes out all tiles, in no order.
    pub fn take_spawned(&mut self) -> impl Iterator<Item = Entity> + use<> {
        self.stale.clear();
        std::mem::take(&mut self.spawned).into_values()
    }
}

/// Whether a height of a tile is in an area.
fn is_edited(layout: &ChunkLayout, tile: ChunkCoord, areas: &[FieldArea]) -> bool {
    let own = layout.area(tile, ColliderTile::APRON as u32);
    areas.iter().any(|area| area.meets(&own))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chunk::ChunkSettings;
    use crate::field::FieldSettings;

    #[test]
    fn without_threads_a_frame_also_builds_the_nearest_of_the_other_tiles() {
        let mut tiles = TileSet::new(&ChunkLayout::new(&ChunkSettings::default()));
        let body = Body { position: [64.0, 64.0], velocity: [0.0; 2], radius: 400.0, ahead: 0.0 };
        let field = HeightField::new(&FieldSettings::default());
        tiles.update(&field, [&body].into_iter());
        let now = tiles.build_now(&field, false, ColliderTile::MAX_BUILT_NOW);
        assert_eq!(tiles.built.len(), now + BUILT_WITHOUT_THREADS);
        let nearness = |tile: &ChunkCoord| tiles.needs[tile].nearness;
        let farthest = tiles.built.keys().map(nearness).fold(0.0, f64::max);
        let missing: Vec<_> = tiles.missing().collect();
        assert!(missing.len() > 4 && missing.iter().all(|(_, need)| need.nearness >= farthest));
    }
}
