//! All chunks that were built from the same height settings.

use crate::chunk::{ChunkBuilder, ChunkCoord, ChunkGeometry, ChunkLayout, ChunkSettings, Cover, ViewerPoint};
use crate::field::{FieldSettings, HeightField};
use crate::settings::TerrainSettings;
use bevy::platform::collections::{HashMap, HashSet};
use bevy::prelude::*;
use bevy::tasks::{AsyncComputeTaskPool, Task, futures::check_ready};
use std::sync::Arc;

/// The settings that decide every vertex: when they differ, so do the chunks.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Source {
    field: FieldSettings,
    pub chunks: ChunkSettings,
}

impl Source {
    pub fn of(settings: &TerrainSettings) -> Self {
        Self { field: settings.field.clone(), chunks: settings.chunks.clone() }
    }

    /// Whether these are the height settings of `settings`.
    pub fn is_of(&self, settings: &TerrainSettings) -> bool {
        self.field == settings.field && self.chunks == settings.chunks
    }
}

/// A task that builds one chunk.
struct Building {
    coord: ChunkCoord,
    task: Task<ChunkGeometry>,
}

/// The chunks of one source: those that are there, and those being built.
pub(super) struct Generation {
    pub source: Source,
    pub field: Arc<HeightField>,
    pub layout: ChunkLayout,
    /// The chunk entities.
    pub chunks: HashMap<ChunkCoord, Entity>,
    /// The chunks that viewers want of this generation.
    pub cover: Cover,
    building: Vec<Building>,
    /// How many chunks at the head of the cover are known to be there or being built.
    started: usize,
}

impl Generation {
    pub fn new(source: Source) -> Self {
        Self {
            field: Arc::new(HeightField::new(&source.field)),
            layout: ChunkLayout::new(&source.chunks),
            source,
            chunks: HashMap::default(),
            cover: Cover::default(),
            building: Vec::new(),
            started: 0,
        }
    }

    /// Tasks that are not finished or not taken yet.
    pub fn tasks(&self) -> usize {
        self.building.len()
    }

    /// Computes the cover for `viewers`, cancels the tasks that it does not want, and returns how many those were.
    pub fn select(&mut self, viewers: &[ViewerPoint]) -> usize {
        self.cover = Cover::select(&self.layout, viewers);
        self.started = 0;
        let before = self.building.len();
        if before > 0 {
            let wanted: HashSet<ChunkCoord> = self.cover.chunks().iter().copied().collect();
            // Dropping a task cancels it: one that waits never runs, one that runs is finished and thrown away.
            self.building.retain(|building| wanted.contains(&building.coord));
        }
        before - self.building.len()
    }

    /// Cancels every task, and returns how many those were.
    pub fn cancel_all(&mut self) -> usize {
        self.building.drain(..).count()
    }

    /// Something was removed: looks for missing chunks from the most urgent one on.
    pub const fn recheck(&mut self) {
        self.started = 0;
    }

    /// Starts tasks for the most urgent missing chunks, as long as there are fewer than `max_tasks`.
    pub fn start_tasks(&mut self, max_tasks: usize) {
        while self.building.len() < max_tasks {
            let Some(&coord) = self.cover.chunks().get(self.started) else {
                break;
            };
            self.started += 1;
            if self.chunks.contains_key(&coord) || self.building.iter().any(|building| building.coord == coord) {
                continue;
            }
            let (field, layout) = (Arc::clone(&self.field), self.layout);
            let task =
                AsyncComputeTaskPool::get().spawn(async move { ChunkBuilder::default().build(&field, &layout, coord) });
            self.building.push(Building { coord, task });
        }
    }

    /// Takes up to `most` finished chunks, in the order in which they were started.
    pub fn take_finished(&mut self, most: usize) -> Vec<(ChunkCoord, ChunkGeometry)> {
        let mut finished = Vec::new();
        self.building.retain_mut(|building| {
            if finished.len() == most {
                return true;
            }
            match check_ready(&mut building.task) {
                Some(geometry) => {
                    finished.push((building.coord, geometry));
                    false
                }
                None => true,
            }
        });
        finished
    }

    /// Whether every chunk that is wanted is there.
    pub fn is_whole(&self) -> bool {
        self.cover.chunks().iter().all(|coord| self.chunks.contains_key(coord))
    }

    /// Whether this generation can take the place of `old` without opening a hole: every wanted chunk that lies on ground
    /// where `old` has a chunk is there.
    pub fn can_replace(&self, old: &Self) -> bool {
        self.cover
            .chunks()
            .iter()
            .all(|&coord| self.chunks.contains_key(&coord) || !old.has_ground_under(&self.layout, coord))
    }

    /// Whether any chunk of this generation overlaps `coord` of another layout.
    fn has_ground_under(&self, layout: &ChunkLayout, coord: ChunkCoord) -> bool {
        let [west, north] = layout.origin(coord);
        let size = layout.chunk_size(coord.level);
        // A thousandth in from the border: touching is not overlapping.
        let (near, far) = (size * 0.001, size * 0.999);
        let first = self.layout.chunk_at(0, west + near, north + near);
        let last = self.layout.chunk_at(0, west + far, north + far);
        (first.z..=last.z).any(|z| (first.x..=last.x).any(|x| self.chunks.contains_key(&ChunkCoord::finest(x, z))))
    }
}
