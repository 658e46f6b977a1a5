//! The tiles of plants of a terrain.

use super::needs::{Around, LayerSet, Need, corners, needs};
use super::tile::{Tile, TilePlant};
use super::{PlantLayer, Plants};
use crate::chunk::ChunkCoord;
use crate::stream::{TaskList, build_now};
use bevy::platform::collections::{HashMap, HashSet};
use bevy::prelude::*;
use std::fmt::Display;
use std::sync::Arc;

/// The tiles of plants near the viewers and the bodies of a terrain.
#[derive(Component, Default)]
pub(super) struct PlantTiles {
    /// The plants that the tiles have, or get.
    plants: Option<Plants>,
    pub(super) needs: HashMap<[i64; 2], Need>,
    pub(super) tiles: HashMap<[i64; 2], Tile>,
    tasks: TaskList<(LayerSet, Vec<TilePlant>)>,
    /// What was found and is not spawned: new plants, and those for which there is no room.
    pub(super) found: HashMap<[i64; 2], (LayerSet, Vec<TilePlant>)>,
    /// What the needs are of.
    around: Around,
    /// Whether there is something to do although nothing moves.
    is_unfinished: bool,
    /// If no more plants may be entities: tiles at this distance in metres and beyond get none.
    full_from: Option<f64>,
    /// Whether that was reported.
    was_full: bool,
}

/// The largest number of plants of a terrain that are entities.
pub(super) const MAX_PLANTS: usize = 4096;

/// The largest number of tasks of a terrain.
const MAX_TASKS: usize = 16;

/// The largest number of tiles whose plants a frame finds at once.
const MAX_FOUND_NOW: usize = 64;

/// While no more plants may be entities, those of tiles that have to come nearer by at most this distance, in metres, are found too, so that
/// no frame finds them at once when bodies get there.
const SOON: f64 = 8.0;

/// The plants on edited ground are found at once within this distance of a viewer or a body, in metres.
const NEAR: f64 = 48.0;

impl PlantTiles {
    /// Whether there is nothing to do for the plants, the viewers and the bodies of this frame.
    pub(super) fn is_current(&self, plants: &Plants, around: &Around) -> bool {
        let has_layers = self.plants.as_ref().is_some_and(|own| own.has_layers_of(plants));
        has_layers && !self.is_unfinished && self.around.is_about(around)
    }

    /// Takes the plants, the viewers and the bodies of this frame, and what tasks have finished. Returns the tiles of another ground.
    pub(super) fn update(&mut self, plants: &Plants, around: &Around) -> Vec<Tile> {
        let mut gone = Vec::new();
        let before = self.plants.replace(plants.clone());
        let has_same_layers = before.as_ref().is_some_and(|before| before.has_layers_of(plants));
        if !has_same_layers {
            self.tasks = TaskList::default();
            self.found.clear();
            match before {
                Some(before) if Arc::ptr_eq(before.ground().field(), plants.ground().field()) => {
                    let new_index = new_indices(&before, plants);
                    self.tiles.values_mut().for_each(|tile| tile.change_layers(&new_index));
                }
                _ => gone.extend(self.tiles.drain().map(|(_, tile)| tile)),
            }
        }
        if !has_same_layers || !self.around.is_about(around) {
            self.around.clone_from(around);
            self.needs = needs(plants, around);
            self.make_room();
        }
        let Self { needs, tasks, found, .. } = self;
        tasks.retain(|coord| needs.contains_key(&[coord.x, coord.z]));
        found.retain(|coord, (layers, all)| {
            let kept = needs.get(coord).map_or(0, |need| need.kept);
            if *layers & !kept != 0 {
                *layers &= kept;
                all.retain(|plant| kept & 1 << plant.layer != 0);
            }
            *layers != 0
        });
        // Tasks for tiles that were edited since they were started are gone.
        while let Some((coord, (layers, all))) = self.tasks.take_finished(|_| true) {
            self.add_found([coord.x, coord.z], layers, all);
        }
        gone
    }

    /// Looks again whether more plants may be entities: others may be nearer now, or plants may be gone.
    pub(super) fn make_room(&mut self) {
        let has_room = self.count() < MAX_PLANTS - MAX_PLANTS / 8;
        let farthest = self.farthest().map(|(_, distance)| distance);
        self.full_from = farthest.filter(|_| self.full_from.is_some() && !has_room);
    }

    /// The layers that the tile at `coord` lacks.
    fn lacking(&self, coord: [i64; 2], need: &Need) -> LayerSet {
        match self.tiles.get(&coord) {
            Some(tile) if tile.is_stale => need.wanted | tile.layers & need.kept,
            Some(tile) => need.wanted & !tile.layers,
            None => need.wanted,
        }
    }

    /// The layers that were found for the tile at `coord` and are not spawned.
    fn found_layers(&self, coord: [i64; 2]) -> LayerSet {
        self.found.get(&coord).map_or(0, |(layers, _)| *layers)
    }

    /// The tiles whose plants are to be found, now or soon, the nearest first, with the layers.
    fn missing(&self) -> Vec<([i64; 2], LayerSet)> {
        let lacks = |(coord, need): (&[i64; 2], &Need)| {
            let missing = self.lacking(*coord, need) & !self.found_layers(*coord);
            let is_missing = missing != 0 && self.can_have(*coord, need.distance - SOON);
            is_missing.then_some((need.distance, *coord, missing))
        };
        in_order(self.needs.iter().filter_map(lacks).collect())
    }

    /// Finds at once the plants that bodies need in this frame, and those on edited ground that is near. Returns their tiles, and those with
    /// such plants that were found before: all of these are to be spawned in this frame.
    pub(super) fn find_now(&mut self, has_threads: bool) -> HashSet<[i64; 2]> {
        let Some(plants) = &self.plants else { return HashSet::default() };
        let lacks = |(coord, need): (&[i64; 2], &Need)| {
            let lacking = self.lacking(*coord, need);
            let is_edited = self.tiles.get(coord).is_some_and(|tile| tile.is_edited) && need.distance <= NEAR;
            let is_now = lacking & need.now != 0 || is_edited && lacking != 0;
            (is_now && self.can_have(*coord, need.distance)).then_some((need.distance, *coord, lacking))
        };
        let mut now = in_order(self.needs.iter().filter_map(lacks).collect());
        now.truncate(MAX_FOUND_NOW);
        let tiles = now.iter().map(|(coord, _)| *coord).collect();
        for (coord, layers) in &mut now {
            *layers &= !self.found_layers(*coord);
        }
        now.retain(|(_, layers)| *layers != 0);
        let layers: HashMap<[i64; 2], LayerSet> = now.iter().copied().collect();
        let coords: Vec<ChunkCoord> = now.iter().map(|([x, z], _)| ChunkCoord::finest(*x, *z)).collect();
        let found =
            build_now(&coords, has_threads, |coord| find(plants, [coord.x, coord.z], layers[&[coord.x, coord.z]]));
        for ((coord, layers), all) in now.into_iter().zip(found) {
            self.add_found(coord, layers, all);
        }
        self.tasks.retain(|coord| !layers.contains_key(&[coord.x, coord.z]));
        tiles
    }

    /// Replaces the plants of some layers among what was found for a tile.
    fn add_found(&mut self, coord: [i64; 2], layers: LayerSet, all: Vec<TilePlant>) {
        let (found, before) = self.found.entry(coord).or_default();
        before.retain(|plant| layers & 1 << plant.layer == 0);
        before.extend(all);
        *found |= layers;
    }

    /// Finds the plants of the nearest tiles that lack some: in tasks, or one at once without threads.
    pub(super) fn look_for_missing(&mut self, has_threads: bool) {
        let Some(plants) = self.plants.clone() else { return };
        let missing = self.missing();
        self.is_unfinished = !missing.is_empty() || self.tasks.len() > 0 || self.to_spawn().next().is_some();
        if !has_threads {
            if let Some(&(coord, layers)) = missing.first() {
                self.add_found(coord, layers, find(&plants, coord, layers));
            }
            return;
        }
        let layers: HashMap<[i64; 2], LayerSet> = missing.iter().copied().collect();
        let coords = missing.iter().map(|([x, z], _)| ChunkCoord::finest(*x, *z));
        self.tasks.start(MAX_TASKS, coords, |coord| {
            let (plants, tile) = (plants.clone(), [coord.x, coord.z]);
            let layers = layers[&tile];
            move || (layers, find(&plants, tile, layers))
        });
    }

    /// The tiles that lack plants which were found and may be entities, with their distances.
    pub(super) fn to_spawn(&self) -> impl Iterator<Item = (f64, [i64; 2])> {
        let found = self.found.iter().filter_map(|(coord, (layers, _))| Some((*coord, layers, self.needs.get(coord)?)));
        let lacking = found.filter(|(coord, layers, need)| self.lacking(*coord, need) & *layers != 0);
        let lacking = lacking.map(|(coord, _, need)| (need.distance, coord));
        lacking.filter(|(distance, coord)| self.can_have(*coord, *distance))
    }

    /// Whether a tile may have more plants at this distance in metres: if there are too many, only if it is nearer than one that has some, or
    /// has old ones.
    fn can_have(&self, coord: [i64; 2], distance: f64) -> bool {
        let is_near = self.full_from.is_none_or(|from| distance < from);
        is_near || self.tiles.get(&coord).is_some_and(|tile| tile.is_stale)
    }

    /// The number of plants that are entities.
    pub(super) fn count(&self) -> usize {
        self.tiles.values().map(Tile::len).sum()
    }

    /// No more plants may be entities, from this distance in metres on, until tiles come nearer or go. What was found for tiles that may come
    /// near enough soon stays.
    pub(super) fn stop(&mut self, from: f64) {
        self.full_from = Some(from);
        let needs = &self.needs;
        self.found.retain(|coord, _| needs.get(coord).is_some_and(|need| need.distance < from + SOON));
    }

    /// The ground between two corners was edited.
    pub(super) fn edit(&mut self, min: [f64; 2], max: [f64; 2]) {
        let is_edited = |coord: &[i64; 2]| {
            let [first, last] = corners(*coord);
            (0..2).all(|axis| first[axis] <= max[axis] && last[axis] >= min[axis])
        };
        // The others go on, so that a game that digs in each frame does not stop them.
        self.found.retain(|coord, _| !is_edited(coord));
        self.tasks.retain(|coord| !is_edited(&[coord.x, coord.z]));
        for (_, tile) in self.tiles.iter_mut().filter(|(coord, _)| is_edited(coord)) {
            (tile.is_stale, tile.is_edited) = (true, true);
        }
        self.is_unfinished = true;
    }

    /// Takes away the tile that is farthest from all viewers and bodies, if it is farther than a distance in metres, for its entities to be
    /// despawned. Its plants stay among what was found, unless they are old.
    pub(super) fn take_farther(&mut self, than: f64) -> Option<Tile> {
        let (coord, _) = self.farthest().filter(|(_, distance)| *distance > than)?;
        let mut tile = self.tiles.remove(&coord)?;
        if !tile.is_stale && self.needs.contains_key(&coord) {
            self.add_found(coord, tile.layers, tile.take_plants());
        }
        Some(tile)
    }

    /// The spawned tile that is farthest from all viewers and bodies, and its distance in metres.
    pub(super) fn farthest(&self) -> Option<([i64; 2], f64)> {
        let distances = self.tiles.keys().map(|coord| {
            let distance = self.needs.get(coord).map_or(f64::INFINITY, |need| need.distance);
            (*coord, distance)
        });
        distances.max_by(|(one, a), (other, b)| a.total_cmp(b).then(one.cmp(other)))
    }

    /// Logs a warning when plants begin to be left out.
    pub(super) fn warn_if_full(&mut self, name: &impl Display) {
        let is_full = self.full_from.is_some();
        if is_full && !self.was_full {
            warn!(
                "the terrain {name}: more than {MAX_PLANTS} plants are near its viewers and bodies, so only the nearest are entities; lower `entities` or \
                 `chance` of a layer of plants"
            );
        }
        self.was_full = is_full;
    }
}

/// For each layer of `before`, its index in `after`. Layers with the same stream are the same.
fn new_indices(before: &Plants, after: &Plants) -> Vec<Option<usize>> {
    let streams = |plants: &Plants| -> Vec<u32> {
        plants.layers().enumerate().map(|(index, layer)| layer.stream_at(index)).collect()
    };
    let after = streams(after);
    streams(before).iter().map(|stream| after.iter().position(|other| other == stream)).collect()
}

/// The tiles of a list with their distances, the nearest first.
fn in_order(mut tiles: Vec<(f64, [i64; 2], LayerSet)>) -> Vec<([i64; 2], LayerSet)> {
    tiles.sort_unstable_by(|(a, one, _), (b, other, _)| a.total_cmp(b).then(one.cmp(other)));
    tiles.into_iter().map(|(_, coord, layers)| (coord, layers)).collect()
}

/// The plants of some layers of a tile.
fn find(plants: &Plants, coord: [i64; 2], layers: LayerSet) -> Vec<TilePlant> {
    let [min, max] = corners(coord);
    let of_layer = |(layer, settings)| {
        // A tile is small, and near a viewer or a body, whose position is a number.
        let found = plants.in_box(layer, min, max).unwrap_or_default();
        let of_plant = |plant| TilePlant { layer, plant, collider: PlantLayer::collider_of(settings, &plant) };
        found.into_iter().map(of_plant).collect::<Vec<_>>()
    };
    plants.layers().enumerate().filter(|(layer, _)| layers & 1 << layer != 0).flat_map(of_layer).collect()
}

#[cfg(test)]
mod tests {
    use super::super::{PlantKind, RemovedPlants};
    use super::*;
    use crate::chunk::ChunkLayout;
    use crate::field::HeightField;
    use crate::settings::TerrainSettings;
    use crate::stream::Body;
    use bevy::tasks::{AsyncComputeTaskPool, TaskPool};
    use perlin_terrain::ground::Ground;

    const BODY: Body = Body { position: [16.0, 16.0], velocity: [0.0; 2], radius: 20.0, ahead: 1.0 };

    /// Trees, and bushes that are entities near viewers.
    fn plants() -> Plants {
        let settings = TerrainSettings::default();
        let ground = Ground::new(Arc::new(HeightField::new(&settings.field)), ChunkLayout::new(&settings.chunks));
        let bush = PlantLayer { kind: PlantKind::Bush, entities: 50.0, spacing: 3.0, ..PlantLayer::default() };
        Plants::new(ground, 1, &[PlantLayer::default(), bush], &settings.look)
    }

    #[test]
    fn what_bodies_need_is_added_to_what_was_found_before() {
        let (plants, mut tiles) = (plants(), PlantTiles::default());
        let around = Around { viewers: vec![[16.0, 16.0, 0.0]], ..Around::default() };
        tiles.update(&plants, &around);
        assert!(tiles.find_now(false).is_empty());
        tiles.look_for_missing(false);
        assert_eq!(tiles.found[&[0, 0]].0, 0b10);
        tiles.update(&plants, &Around { bodies: vec![BODY], ..around });
        // Twice: the second time, all of it was found before.
        for _ in 0..2 {
            let now = tiles.find_now(false);
            assert!(now.len() == 5 && now.contains(&[0, 0]) && now.contains(&[-1, 0]), "{now:?}");
            let (layers, found) = &tiles.found[&[0, 0]];
            assert_eq!(*layers, 0b11);
            assert_eq!(found.len(), find(&plants, [0, 0], 0b11).len());
            assert!([0, 1].iter().all(|layer| found.iter().any(|plant| plant.layer == *layer)));
        }
    }

    #[test]
    fn edits_in_each_frame_do_not_stop_tasks_elsewhere() {
        AsyncComputeTaskPool::get_or_init(TaskPool::new);
        let (plants, mut tiles) = (plants(), PlantTiles::default());
        let around = Around { viewers: vec![[16.0, 16.0, 0.0]], ..Around::default() };
        let field = HeightField::new(&TerrainSettings::default().field);
        let layout = *plants.ground().layout();
        // Some frames wait for the threads.
        for _ in 0..100_000 {
            let edited = plants.on_ground(Ground::new(Arc::new(field.clone()), layout));
            tiles.edit([0.0; 2], [31.0; 2]);
            tiles.update(&edited, &around);
            tiles.look_for_missing(true);
            if tiles.found.contains_key(&[-1, 1]) {
                return;
            }
            std::thread::yield_now();
        }
        panic!("the task never ended");
    }

    #[test]
    fn a_frame_finds_the_nearest_of_many_tiles_at_once() {
        let (plants, mut tiles) = (plants(), PlantTiles::default());
        let at = |number: u16| Body { position: [16.0 + 500.0 * f64::from(number), 16.0], radius: 32.0, ..BODY };
        let around = Around { bodies: (0..20).map(at).collect(), ..Around::default() };
        tiles.update(&plants, &around);
        let now = tiles.find_now(false);
        assert_eq!(now.len(), MAX_FOUND_NOW);
        let farthest = now.iter().map(|coord| tiles.needs[coord].distance).fold(0.0, f64::max);
        let left = tiles.needs.iter().filter(|(coord, need)| need.now != 0 && !now.contains(*coord));
        assert!(left.clone().count() > 20 && left.into_iter().all(|(_, need)| need.distance >= farthest));
    }

    #[test]
    fn while_no_more_plants_may_be_entities_no_frame_looks_for_farther_ones_in_vain() {
        let settings = TerrainSettings::default();
        let ground = Ground::new(Arc::new(HeightField::new(&settings.field)), ChunkLayout::new(&settings.chunks));
        let stone = PlantLayer { kind: PlantKind::Stone, spacing: 0.76, ..PlantLayer::default() };
        let plants = Plants::new(ground, 1, &[stone], &settings.look);
        let around = |x: f64| Around {
            bodies: vec![Body { position: [x, 16.0], radius: 32.0, ahead: 0.0, ..BODY }],
            ..Around::default()
        };
        let (mut world, mut tiles) = (World::new(), PlantTiles::default());
        tiles.update(&plants, &around(16.0));
        let needed = in_order(tiles.needs.iter().map(|(coord, need)| (need.distance, *coord, need.now)).collect());
        for (coord, layers) in needed {
            let found = find(&plants, coord, layers);
            if tiles.count() + found.len() > MAX_PLANTS {
                tiles.stop(tiles.needs[&coord].distance);
                break;
            }
            let mut tile = Tile::new(Entity::PLACEHOLDER);
            tile.take(layers, found);
            tile.spawn(&mut world.commands(), Entity::PLACEHOLDER, coord, &RemovedPlants::default());
            tiles.tiles.insert(coord, tile);
        }
        assert!(tiles.full_from.is_some() && tiles.count() > MAX_PLANTS / 8 * 7, "{}", tiles.count());
        assert!(tiles.find_now(false).is_empty());
        // Those that may come nearer soon are found once, and then there is nothing to do.
        for _ in 0..100 {
            tiles.look_for_missing(false);
        }
        let from = tiles.full_from.expect("it is full");
        let distances: Vec<f64> = tiles.found.keys().map(|coord| tiles.needs[coord].distance).collect();
        assert!(!distances.is_empty() && distances.iter().all(|distance| (from..from + SOON).contains(distance)));
        assert!(tiles.is_current(&plants, &around(16.0)));
        // Now another tile may be nearer than one of these, but not all of them.
        tiles.update(&plants, &around(18.0));
        let (_, farthest) = tiles.farthest().expect("there are some");
        let found = tiles.find_now(false);
        assert!(found.iter().all(|coord| tiles.needs[coord].distance < farthest), "{found:?}");
        // A tile that has plants of one layer gets none of another, and one that is stale gets its own.
        let coord = *tiles.tiles.keys().find(|coord| tiles.needs[*coord].distance == farthest).expect("it is there");
        assert!(!tiles.can_have(coord, farthest));
        tiles.tiles.get_mut(&coord).expect("it is there").is_stale = true;
        assert!(tiles.can_have(coord, farthest));
    }

    #[test]
    fn what_waits_stops_no_other_layer_and_is_spawned_only_where_it_is_wanted() {
        let (plants, mut tiles) = (plants(), PlantTiles::default());
        let of_body = Around { bodies: vec![BODY], ..Around::default() };
        tiles.update(&plants, &Around { viewers: vec![[16.0, 16.0, 0.0]], ..of_body.clone() });
        tiles.found.insert([0, 0], (0b10, find(&plants, [0, 0], 0b10)));
        assert!(tiles.missing().contains(&([0, 0], 0b01)));
        tiles.look_for_missing(false);
        let (layers, found) = &tiles.found[&[0, 0]];
        assert_eq!((*layers, found.len()), (0b11, find(&plants, [0, 0], 0b11).len()));
        // Without the viewer, no bush may stay.
        tiles.update(&plants, &of_body);
        assert_eq!(tiles.found[&[0, 0]], (0b01, find(&plants, [0, 0], 0b01)));
        // The corner of this one is 22.6 m away: its trees may stay, and need not come.
        tiles.found.insert([1, 1], (0b01, find(&plants, [1, 1], 0b01)));
        tiles.update(&plants, &of_body);
        assert!(tiles.found.contains_key(&[1, 1]));
        assert_eq!(tiles.to_spawn().collect::<Vec<_>>(), [(0.0, [0, 0])]);
    }

    #[test]
    fn the_plants_of_a_tile_that_makes_room_wait_until_it_comes_nearer() {
        let (plants, mut tiles, mut world) = (plants(), PlantTiles::default(), World::new());
        tiles.update(&plants, &Around { bodies: vec![BODY], ..Around::default() });
        for coord in [[0, 0], [1, 0]] {
            let mut tile = Tile::new(Entity::PLACEHOLDER);
            tile.take(0b01, find(&plants, coord, 0b01));
            tile.spawn(&mut world.commands(), Entity::PLACEHOLDER, coord, &RemovedPlants::default());
            tiles.tiles.insert(coord, tile);
        }
        let distance = tiles.needs[&[1, 0]].distance;
        assert!(tiles.take_farther(distance).is_none());
        tiles.found.insert([1, 0], (0b10, Vec::new()));
        assert!(tiles.take_farther(distance - 1.0).is_some_and(|tile| tile.len() > 0));
        assert!(tiles.tiles.contains_key(&[0, 0]) && !tiles.tiles.contains_key(&[1, 0]));
        let (layers, found) = &tiles.found[&[1, 0]];
        assert_eq!((*layers, found), (0b11, &find(&plants, [1, 0], 0b01)));
        // The plants of one that is stale are old.
        tiles.tiles.values_mut().for_each(|tile| tile.is_stale = true);
        assert!(tiles.take_farther(-1.0).is_some() && !tiles.found.contains_key(&[0, 0]));
    }
}
