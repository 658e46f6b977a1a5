//! The tiles of plants of a terrain that are drawn.

use super::rings::{PlantViewer, RING_BIT, Ring, Rings, TileCoord};
use super::tile_source::{BuiltTile, TileSource};
use crate::chunk::ChunkCoord;
use crate::plants::{Plants, RemovedPlants};
use crate::stream::TaskList;
use bevy::platform::collections::{HashMap, HashSet};
use bevy::prelude::*;
use std::fmt::Display;
use std::sync::Arc;

/// Tiles so near to a viewer follow an edit, or a removal, in the same frame, in metres.
const AT_ONCE: f64 = 48.0;

/// The largest number of tasks of a terrain.
const MAX_TASKS: usize = 16;

/// When a viewer has moved so far, in metres, the needed tiles are found again.
const MOVED: f64 = 2.0;

/// The plants that are drawn around the viewers of a terrain. The plugin adds this component to every
/// [`Terrain`](crate::stream::Terrain).
#[derive(Component, Default)]
#[require(RemovedPlants)]
pub struct DrawnPlants {
    /// What the tiles have, or get.
    source: Option<TileSource>,
    rings: Option<Rings>,
    /// The viewers for which `needs` was found.
    viewers: Vec<PlantViewer>,
    needs: HashMap<TileCoord, (f64, bool)>,
    pub(super) tiles: HashMap<TileCoord, DrawnTile>,
    are_complete: bool,
    tasks: TaskList<BuiltTile>,
    /// What is made and not spawned yet.
    found: HashMap<TileCoord, BuiltTile>,
    /// Whether there is something to do although no viewer moves.
    is_unfinished: bool,
    /// Whether a warning says that a mesh is too large.
    has_warned: bool,
}

/// A tile that is drawn.
#[derive(Debug, Default)]
pub(super) struct DrawnTile {
    /// `None` if it has no plants.
    pub(super) entity: Option<Entity>,
    state: TileState,
    /// The version of the layers that it was made from.
    version: u64,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
enum TileState {
    #[default]
    Current,
    /// It is made again in a task.
    Stale,
    /// It is made again in this frame if a viewer is near.
    Urgent,
}

impl DrawnPlants {
    /// Whether there is nothing to do for the plants, the viewers and the rings of this frame.
    pub(super) fn is_current(
        &self,
        plants: &Plants,
        removed: &Ref<RemovedPlants>,
        viewers: &[PlantViewer],
        rings: Rings,
    ) -> bool {
        let is_of = |source: &TileSource| {
            source.plants.has_layers_of(plants) && source.has_ground_of(plants) && !source.has_other(removed)
        };
        self.source.as_ref().is_some_and(is_of) && !self.has_moved(viewers, rings) && !self.is_unfinished
    }

    fn has_moved(&self, viewers: &[PlantViewer], rings: Rings) -> bool {
        let is_far = |(a, b): (&PlantViewer, &PlantViewer)| {
            let moved = (a.at[0] - b.at[0]).hypot(a.at[1] - b.at[1]).hypot(a.height_gap - b.height_gap);
            moved > MOVED || a.view_distance != b.view_distance
        };
        self.viewers.len() != viewers.len() || self.viewers.iter().zip(viewers).any(is_far) || self.rings != Some(rings)
    }

    /// Takes the plants, the viewers and the rings of this frame, and what tasks have finished. Returns what is not drawn any longer.
    pub(super) fn update(
        &mut self,
        plants: &Plants,
        removed: &Ref<RemovedPlants>,
        viewers: &[PlantViewer],
        rings: Rings,
    ) -> Vec<Entity> {
        let mut gone = Vec::new();
        let has_changed = self.follow_source(plants, removed, &mut gone);
        if has_changed || self.has_moved(viewers, rings) {
            self.viewers = viewers.to_vec();
            self.rings = Some(rings);
            // Without plants there is nothing to look for.
            let is_drawn = plants.layers().any(|layer| layer.kind.number().is_some() && layer.chance > 0.0);
            self.needs = if is_drawn { rings.needs(viewers) } else { HashMap::default() };
            let Self { needs, tasks, found, .. } = self;
            tasks.retain(|coord| needs.contains_key(&tile_of(coord)));
            found.retain(|tile, _| needs.contains_key(tile));
        }
        // Tasks for tiles that have changed since they were started are gone.
        while let Some((coord, built)) = self.tasks.take_finished(|_| true) {
            self.found.insert(tile_of(coord), built);
        }
        gone
    }

    /// Notes new plants, and which tiles they change.
    fn follow_source(&mut self, plants: &Plants, removed: &Ref<RemovedPlants>, gone: &mut Vec<Entity>) -> bool {
        let Some(source) = &mut self.source else {
            self.source =
                Some(TileSource { plants: plants.clone(), removed: Arc::new((**removed).clone()), version: 0 });
            return true;
        };
        let has_layers = source.plants.has_layers_of(plants);
        // A removal changes few tiles, and an edit says which ones.
        let has_removed = source.has_other(removed);
        if has_layers && source.has_ground_of(plants) && !has_removed {
            return false;
        }
        let before = source.clone();
        source.plants = plants.clone();
        source.version += u64::from(!has_layers);
        if has_removed {
            source.removed = Arc::new((**removed).clone());
            self.follow_removals(&before.removed, plants);
        }
        if !has_layers {
            self.has_warned = false;
            // Plants of other ground would stand in the air or in the ground.
            if before.has_ground_of(plants) {
                // What is being made is drawn all the same, so that plants follow a slider while it moves.
                self.tiles.values_mut().for_each(|tile| tile.state = tile.state.max(TileState::Stale));
            } else {
                gone.extend(self.tiles.drain().filter_map(|(_, tile)| tile.entity));
                self.found.clear();
                self.tasks = TaskList::default();
            }
            self.is_unfinished = true;
        }
        true
    }

    /// Marks the tiles whose plants were removed, or grow again.
    fn follow_removals(&mut self, before: &RemovedPlants, plants: &Plants) {
        let Some(source) = &self.source else { return };
        let (ids, clearings) = source.removed.changes(before);
        // A saved game may have thousands of them.
        let places: Vec<[f64; 2]> = ids.into_iter().filter_map(|id| plants.place(id)).collect();
        self.mark(TileState::Urgent, |[min, max]| {
            let is_inside = |place: &[f64; 2]| (0..2).all(|axis| (min[axis]..=max[axis]).contains(&place[axis]));
            places.iter().any(is_inside) || clearings.iter().any(|clearing| clearing.meets(min, max))
        });
    }

    /// The ground between two corners was edited. Plants within `around` metres may grow or not.
    pub(super) fn edit(&mut self, min: [f64; 2], max: [f64; 2], around: f64) {
        let meets = |[first, last]: [[f64; 2]; 2], by: f64| {
            (0..2).all(|axis| first[axis] <= max[axis] + by && last[axis] >= min[axis] - by)
        };
        self.mark(TileState::Stale, |corners| meets(corners, around));
        self.mark(TileState::Urgent, |corners| meets(corners, 0.0));
    }

    /// Marks tiles with these corners as old, and drops what was being made for them.
    fn mark(&mut self, state: TileState, is_old: impl Fn([[f64; 2]; 2]) -> bool) {
        for (_, tile) in self.tiles.iter_mut().filter(|(tile, _)| is_old(tile.corners())) {
            tile.state = tile.state.max(state);
        }
        // The others go on, so that a game that digs in each frame does not stop them.
        self.found.retain(|tile, _| !is_old(tile.corners()));
        self.tasks.retain(|coord| !is_old(tile_of(coord).corners()));
        // Without plants there is nothing to do.
        self.is_unfinished |= self.source.is_some();
    }

    /// Takes away the tiles that no viewer may keep.
    pub(super) fn take_unneeded(&mut self) -> Vec<(TileCoord, Option<Entity>)> {
        let Self { tiles, needs, .. } = self;
        let unneeded = tiles.extract_if(|tile, _| !needs.contains_key(tile));
        unneeded.map(|(coord, tile)| (coord, tile.entity)).collect()
    }

    /// Makes the tiles near viewers that have to follow in this frame.
    pub(super) fn build_urgent(&mut self) -> Vec<(TileCoord, BuiltTile)> {
        let Some(source) = &self.source else { return Vec::new() };
        let mut built = Vec::new();
        for (&coord, tile) in self.tiles.iter_mut().filter(|(_, tile)| tile.state == TileState::Urgent) {
            tile.state = TileState::Stale;
            let is_near = self.needs.get(&coord).is_some_and(|(distance, _)| *distance <= AT_ONCE);
            if coord.ring != Ring::Far && is_near {
                built.push((coord, source.build_now(coord)));
            }
        }
        built
    }

    /// Takes the next tiles to spawn: those for which there are bytes left in this frame, and at least one.
    pub(super) fn take_found(&mut self, bytes_left: &mut u64) -> Vec<(TileCoord, BuiltTile)> {
        let mut order: Vec<TileCoord> = self.found.keys().copied().collect();
        self.sort(&mut order);
        let mut taken: Vec<(TileCoord, BuiltTile)> = Vec::new();
        for coord in order {
            let bytes = self.found[&coord].mesh.bytes as u64;
            let is_first = taken.iter().all(|(_, built)| built.mesh.bytes == 0);
            if !is_first && bytes > *bytes_left {
                break;
            }
            *bytes_left = bytes_left.saturating_sub(bytes);
            taken.push((coord, self.found.remove(&coord).expect("it is among the keys")));
        }
        taken
    }

    /// Notes that a tile was spawned, made from this version of the layers. Returns what it replaces.
    pub(super) fn insert(&mut self, coord: TileCoord, entity: Option<Entity>, version: u64) -> Option<Entity> {
        let is_current = self.source.as_ref().is_some_and(|source| source.version == version);
        let state = if is_current { TileState::Current } else { TileState::Stale };
        self.tiles.insert(coord, DrawnTile { entity, state, version })?.entity
    }

    /// The tag of a tile: its ring, and the squares that finer tiles draw.
    pub(super) fn tag(&self, coord: TileCoord) -> u32 {
        let drawn = |(number, square): (usize, TileCoord)| u32::from(self.tiles.contains_key(&square)) << number;
        coord.squares().enumerate().map(drawn).fold((coord.ring as u32) << RING_BIT, |tag, bit| tag | bit)
    }

    /// Missing tiles first, the coarse ones before the others, since they fill the view, and the nearest of a ring before the others. Then
    /// old tiles: the finer rings first, and of a ring the oldest, so that all near tiles follow layers that change in each frame.
    fn sort(&self, tiles: &mut [TileCoord]) {
        let distance = |tile: &TileCoord| self.needs.get(tile).map_or(f64::INFINITY, |(distance, _)| *distance);
        let order = |tile: &TileCoord| match self.tiles.get(tile) {
            None => (false, Ring::Far as u8 - tile.ring as u8, 0),
            Some(old) => (true, tile.ring as u8, old.version),
        };
        tiles.sort_by(|a, b| order(a).cmp(&order(b)).then(distance(a).total_cmp(&distance(b))).then(a.cmp(b)));
    }

    /// Starts tasks for tiles that are missing or old.
    pub(super) fn look_for_missing(&mut self, has_threads: bool) {
        let Some(source) = self.source.clone() else { return };
        let is_missing = |(tile, (_, is_needed)): (&TileCoord, &(f64, bool))| match self.tiles.get(tile) {
            Some(drawn) => drawn.state != TileState::Current,
            None => *is_needed,
        };
        let missing = self.needs.iter().filter(|need| is_missing(*need)).map(|(tile, _)| *tile);
        let mut missing: Vec<TileCoord> = missing.filter(|tile| !self.found.contains_key(tile)).collect();
        self.sort(&mut missing);
        self.is_unfinished = !missing.is_empty() || self.tasks.len() > 0 || !self.found.is_empty();
        let coords = missing.into_iter().map(|TileCoord { ring, at: [x, z] }| ChunkCoord { level: ring as u8, x, z });
        // Without threads, each frame does a step of each task.
        self.tasks.start_steps(if has_threads { MAX_TASKS } else { 1 }, coords, |coord| {
            let source = source.clone();
            async move { source.build(tile_of(coord)).await }
        });
    }

    /// Notes whether everything is drawn.
    pub(super) fn set_complete(&mut self, are_complete: bool) {
        self.are_complete = are_complete && !self.is_unfinished;
    }

    /// Whether all plants that viewers see are drawn, from the current settings.
    #[must_use]
    pub const fn are_complete(&self) -> bool {
        self.are_complete
    }

    /// Logs a warning when a mesh leaves out plants for the first time.
    pub(super) fn warn_if_too_large(&mut self, name: &impl Display, left_out: usize) {
        if left_out > 0 && !self.has_warned {
            self.has_warned = true;
            warn!(
                "the terrain {name}: a tile of plants has more than 65535 vertices, so {left_out} plants of it are not drawn; raise `spacing` or lower `chance` \
                 of a layer of plants"
            );
        }
    }
}

fn tile_of(ChunkCoord { level, x, z }: ChunkCoord) -> TileCoord {
    TileCoord { ring: Ring::ALL[usize::from(level)], at: [x, z] }
}

/// The tiles whose tags change with these tiles.
pub(super) fn parents(tiles: impl IntoIterator<Item = TileCoord>) -> HashSet<TileCoord> {
    tiles.into_iter().flat_map(|tile| tile.parent().map(|(parent, _)| parent).into_iter().chain([tile])).collect()
}
