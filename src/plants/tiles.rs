//! The tiles of plants of a terrain.

use super::needs::{LayerSet, Need, corners, needs};
use super::tile::Tile;
use super::{Plant, Plants};
use crate::chunk::ChunkCoord;
use crate::stream::TaskList;
use bevy::platform::collections::HashMap;
use bevy::prelude::*;
use std::fmt::Display;
use std::sync::Arc;

/// The tiles of plants near the viewers of a terrain.
#[derive(Component, Default)]
pub(super) struct PlantTiles {
    /// The plants that the tiles have, or get.
    plants: Option<Plants>,
    pub(super) needs: HashMap<[i64; 2], Need>,
    pub(super) tiles: HashMap<[i64; 2], Tile>,
    /// With the plants from which they were found: the ground may be edited meanwhile.
    tasks: TaskList<(Plants, LayerSet, Vec<(usize, Plant)>)>,
    /// What was found and is not spawned yet.
    pub(super) found: HashMap<[i64; 2], (LayerSet, Vec<(usize, Plant)>)>,
    /// The viewers in the last frame, as x and z in metres.
    viewers: Vec<[f64; 2]>,
    /// Whether there is something to do although no viewer moves.
    is_unfinished: bool,
    /// Whether no more plants may be entities.
    is_full: bool,
    /// Whether that was reported.
    was_full: bool,
}

/// The largest number of tasks of a terrain.
const MAX_TASKS: usize = 16;

impl PlantTiles {
    /// Takes the viewers and the plants of this frame, and what tasks have finished. Returns `false` if there is nothing to do, and the
    /// tiles of another ground in `gone`.
    pub(super) fn update(&mut self, plants: &Plants, viewers: &[[f64; 2]], gone: &mut Vec<Tile>) -> bool {
        let before = self.plants.replace(plants.clone());
        let has_same_layers = before.as_ref().is_some_and(|before| before.has_layers_of(plants));
        if !has_same_layers {
            let has_same_field =
                before.is_some_and(|before| Arc::ptr_eq(before.ground().field(), plants.ground().field()));
            self.tasks = TaskList::default();
            self.found.clear();
            if !has_same_field {
                gone.extend(self.tiles.drain().map(|(_, tile)| tile));
            }
            self.tiles.values_mut().for_each(|tile| tile.is_stale = true);
        }
        if has_same_layers && !self.is_unfinished && self.viewers == viewers {
            return false;
        }
        if !has_same_layers || self.viewers != viewers {
            self.viewers = viewers.to_vec();
            self.needs = needs(plants, viewers);
            self.is_full = false;
        }
        let Self { needs, tasks, found, .. } = self;
        tasks.retain(|coord| needs.contains_key(&[coord.x, coord.z]));
        found.retain(|coord, _| needs.contains_key(coord));
        while let Some((coord, (from, layers, all))) = self.tasks.take_finished(|_| true) {
            // One whose ground was edited meanwhile is looked for again.
            if Arc::ptr_eq(from.ground().field(), plants.ground().field()) {
                self.found.insert([coord.x, coord.z], (layers, all));
            }
        }
        true
    }

    /// The tiles that lack plants, the nearest first, with the layers that they lack.
    fn missing(&self) -> Vec<([i64; 2], LayerSet)> {
        let lacks = |(coord, need): (&[i64; 2], &Need)| {
            let has = match self.tiles.get(coord) {
                Some(tile) if !tile.is_stale => tile.layers,
                _ => 0,
            };
            let stale = self.tiles.get(coord).filter(|tile| tile.is_stale).map_or(0, |tile| tile.layers & need.kept);
            let lacking = (need.wanted | stale) & !has;
            (lacking != 0 && !self.found.contains_key(coord)).then_some((need.distance, *coord, lacking))
        };
        let mut missing: Vec<_> = self.needs.iter().filter_map(lacks).collect();
        missing.sort_unstable_by(|(a, one, _), (b, other, _)| a.total_cmp(b).then(one.cmp(other)));
        missing.into_iter().map(|(_, coord, layers)| (coord, layers)).collect()
    }

    /// Finds the plants of the nearest tiles that lack some: in tasks, or one at once without threads.
    pub(super) fn look_for_missing(&mut self, has_threads: bool) {
        let Some(plants) = self.plants.clone() else { return };
        let missing = if self.is_full { Vec::new() } else { self.missing() };
        self.is_unfinished = !missing.is_empty() || self.tasks.len() > 0 || !self.found.is_empty();
        if !has_threads {
            if let Some(&(coord, layers)) = missing.first() {
                self.found.insert(coord, (layers, find(&plants, coord, layers)));
            }
            return;
        }
        let layers: HashMap<[i64; 2], LayerSet> = missing.iter().copied().collect();
        let coords = missing.iter().map(|([x, z], _)| ChunkCoord::finest(*x, *z));
        self.tasks.start(MAX_TASKS, coords, |coord| {
            let (plants, tile) = (plants.clone(), [coord.x, coord.z]);
            let layers = layers[&tile];
            move || {
                let all = find(&plants, tile, layers);
                (plants, layers, all)
            }
        });
    }

    /// No more plants may be entities, until the viewers need other tiles.
    pub(super) fn stop(&mut self) {
        self.is_full = true;
        self.found.clear();
        self.tasks = TaskList::default();
    }

    /// The ground between two corners was edited.
    pub(super) fn edit(&mut self, min: [f64; 2], max: [f64; 2]) {
        let is_edited = |coord: &[i64; 2]| {
            let [first, last] = corners(*coord);
            (0..2).all(|axis| first[axis] <= max[axis] && last[axis] >= min[axis])
        };
        self.found.retain(|coord, _| !is_edited(coord));
        for (_, tile) in self.tiles.iter_mut().filter(|(coord, _)| is_edited(coord)) {
            tile.is_stale = true;
        }
        self.is_unfinished = true;
    }

    /// The spawned tile that is farthest from all viewers, and its distance in metres.
    pub(super) fn farthest(&self) -> Option<([i64; 2], f64)> {
        let distances = self.tiles.keys().map(|coord| {
            let distance = self.needs.get(coord).map_or(f64::INFINITY, |need| need.distance);
            (*coord, distance)
        });
        distances.max_by(|(one, a), (other, b)| a.total_cmp(b).then(one.cmp(other)))
    }

    /// Logs a warning when plants begin to be left out.
    pub(super) fn warn_if_full(&mut self, name: &impl Display, max: usize) {
        if self.is_full && !self.was_full {
            warn!(
                "the terrain {name}: more than {max} plants are near its viewers, so only the nearest are entities; lower `entities` or \
                 `chance` of a layer of plants"
            );
        }
        self.was_full = self.is_full;
    }
}

/// The plants of some layers of a tile.
fn find(plants: &Plants, coord: [i64; 2], layers: LayerSet) -> Vec<(usize, Plant)> {
    let [min, max] = corners(coord);
    let of_layer = |layer: usize| {
        // A tile is small, and near a viewer, whose position is a number.
        let found = plants.in_box(layer, min, max).unwrap_or_default();
        found.into_iter().map(move |plant| (layer, plant))
    };
    let count = plants.layers().len();
    (0..count).filter(|layer| layers & 1 << layer != 0).flat_map(of_layer).collect()
}
