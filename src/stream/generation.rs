//! All chunks that were built from the same height settings.

use crate::chunk::{
    ChunkBuilder, ChunkCoord, ChunkGeometry, ChunkLayout, ChunkSettings, CoordMap, CoordSet, Cover, LevelErrors,
    LodSettings, Reach, Viewer, ViewerPoint,
};
use crate::field::{FieldSettings, HeightField};
use crate::settings::TerrainSettings;
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
///
/// There is more than what is drawn: the chunks that are split stay, so that they can take over from their children at once,
/// and the children of those that will soon be split are built ahead.
pub(super) struct Generation {
    pub source: Source,
    pub field: Arc<HeightField>,
    pub layout: ChunkLayout,
    errors: LevelErrors,
    /// The chunk entities.
    chunks: CoordMap<Entity>,
    /// The chunks that are to be there.
    wanted: Cover,
    /// How far each level is to reach around each viewer.
    targets: Vec<Reach>,
    building: Vec<Building>,
    /// The wanted chunks that are neither there nor being built; the most urgent last.
    queue: Vec<ChunkCoord>,
    /// The wanted chunks that can't be split, as a child of theirs is not there.
    incomplete: Vec<ChunkCoord>,
    /// `incomplete` is to be found anew.
    recheck: bool,
    /// A chunk was rougher than any before: levels have to reach further.
    pub is_rougher: bool,
}

/// How much further than it is drawn each level is built, in sides of the chunks that are split for it.
const AHEAD: f64 = 0.25;

impl Generation {
    pub fn new(source: Source) -> Self {
        Self {
            field: Arc::new(HeightField::new(&source.field)),
            layout: ChunkLayout::new(&source.chunks),
            source,
            errors: LevelErrors::new(),
            chunks: CoordMap::default(),
            wanted: Cover::default(),
            targets: Vec::new(),
            building: Vec::new(),
            queue: Vec::new(),
            incomplete: Vec::new(),
            recheck: false,
            is_rougher: false,
        }
    }

    /// Tasks that are not finished or not taken yet.
    pub fn tasks(&self) -> usize {
        self.building.len()
    }

    /// The entity of a chunk that is there.
    pub fn entity(&self, coord: ChunkCoord) -> Option<Entity> {
        self.chunks.get(&coord).copied()
    }

    /// How many chunks are there.
    pub fn len(&self) -> usize {
        self.chunks.len()
    }

    /// How many chunks are to be there.
    pub fn wanted(&self) -> usize {
        self.wanted.chunks().len()
    }

    /// The level of the coarsest chunks.
    pub const fn top(&self) -> u8 {
        self.wanted.top()
    }

    /// How far each level is to reach around each viewer, in the order of the viewers.
    pub fn targets(&self) -> &[Reach] {
        &self.targets
    }

    /// Finds what is wanted around `points`, cancels the tasks that are not, and returns how many those were.
    pub fn select(&mut self, points: &[ViewerPoint], lod: &LodSettings, margin: f64) -> usize {
        self.is_rougher = false;
        let tops = points.iter().map(|point| Cover::top_level(&self.layout, point.view_distance));
        let top = tops.max().unwrap_or_default();
        self.errors.measure(&self.field, &self.layout, top + 1);
        self.targets.clear();
        self.targets
            .extend(points.iter().map(|point| Reach::wanted(&self.layout, &self.errors, point, lod.pixel_error, top)));
        let ahead = AHEAD * self.layout.chunk_size(top);
        let bounds = self.field.bounds();
        let viewers: Vec<Viewer> = points
            .iter()
            .zip(&self.targets)
            .map(|(&point, reach)| {
                let point = ViewerPoint { view_distance: point.view_distance + ahead, ..point };
                Viewer::new(point, reach.widened(AHEAD), bounds)
            })
            .collect();
        let wanted = Cover::select(&self.layout, top, &viewers, margin, &self.wanted);
        if wanted == self.wanted && self.queue.is_empty() {
            return 0;
        }
        self.wanted = wanted;
        self.recheck = true;
        let before = self.building.len();
        // Dropping a task cancels it: one that waits never runs, one that runs is finished and thrown away.
        self.building.retain(|building| self.wanted.contains(building.coord));
        self.rank(&viewers);
        before - self.building.len()
    }

    /// Lines up what is wanted and not there.
    fn rank(&mut self, viewers: &[Viewer]) {
        let started: CoordSet = self.building.iter().map(|building| building.coord).collect();
        let is_missing = |coord: &ChunkCoord| !self.chunks.contains_key(coord) && !started.contains(coord);
        let urgency =
            |coord| viewers.iter().map(|viewer| viewer.urgency(&self.layout, coord)).fold(f64::INFINITY, f64::min);
        let mut ranked: Vec<(f64, ChunkCoord)> =
            self.wanted.chunks().filter(is_missing).map(|coord| (urgency(coord), coord)).collect();
        ranked.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(b.1.cmp(&a.1)));
        self.queue.clear();
        self.queue.extend(ranked.into_iter().map(|(_, coord)| coord));
    }

    /// Cancels every task, and returns how many those were.
    pub fn cancel_all(&mut self) -> usize {
        self.building.drain(..).count()
    }

    /// Starts tasks for the most urgent missing chunks, as long as there are fewer than `max_tasks`.
    pub fn start_tasks(&mut self, max_tasks: usize) {
        while self.building.len() < max_tasks {
            let Some(coord) = self.queue.pop() else {
                break;
            };
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

    /// Builds a chunk here and now, and takes it off every list.
    pub fn build_now(&mut self, coord: ChunkCoord) -> ChunkGeometry {
        self.building.retain(|building| building.coord != coord);
        self.queue.retain(|&queued| queued != coord);
        ChunkBuilder::default().build(&self.field, &self.layout, coord)
    }

    /// A chunk is there now.
    pub fn insert(&mut self, coord: ChunkCoord, entity: Entity, coarse_error: f32) {
        self.chunks.insert(coord, entity);
        self.recheck = true;
        // What the coarsest level loses to a level above it shows nowhere.
        self.is_rougher |= coord.level < self.top() && self.errors.note(coord.level, coarse_error);
    }

    /// A chunk is there no more. Returns whether it was.
    pub fn forget(&mut self, coord: ChunkCoord, entity: Entity) -> bool {
        let was_there = self.chunks.get(&coord) == Some(&entity);
        if was_there {
            self.chunks.remove(&coord);
            self.recheck = true;
            if self.wanted.contains(coord) {
                self.queue.push(coord);
            }
        }
        was_there
    }

    /// Takes out all chunks.
    pub fn drain(&mut self) -> impl Iterator<Item = Entity> + '_ {
        self.chunks.drain().map(|(_, entity)| entity)
    }

    /// Takes out the chunks that are not wanted, other than those that `stays` says, and hands them to `remove`.
    pub fn remove_unwanted(&mut self, stays: impl Fn(ChunkCoord) -> bool, mut remove: impl FnMut(Entity)) {
        let Self { chunks, wanted, .. } = self;
        chunks.retain(|&coord, entity| {
            let keep = wanted.contains(coord) || stays(coord);
            if !keep {
                remove(*entity);
            }
            keep
        });
    }

    /// Whether every chunk that is wanted is there.
    pub const fn is_whole(&self) -> bool {
        self.queue.is_empty() && self.building.is_empty()
    }

    /// Whether there is a hole without `root`: where it is within view of `points`, or drawn already. Other roots are wanted
    /// ahead of time.
    fn is_needed(&self, root: ChunkCoord, points: &[ViewerPoint], drawn: &Cover) -> bool {
        let is_in_view = |point: &ViewerPoint| {
            let [x, _, z] = point.position;
            self.layout.distance(root, [x, z]) <= point.view_distance
        };
        drawn.contains(root) || points.iter().any(is_in_view)
    }

    /// The roots without which there is a hole.
    pub fn missing_roots(&self, points: &[ViewerPoint], drawn: &Cover) -> Vec<ChunkCoord> {
        let is_missing = |root: &ChunkCoord| !self.chunks.contains_key(root) && self.is_needed(*root, points, drawn);
        self.wanted.roots().iter().copied().filter(is_missing).collect()
    }

    /// How far each level can reach around each of `points`, with the chunks that are there: as far as is wanted, but no
    /// further than to the first chunk that can't be split.
    pub fn possible(&mut self, points: &[ViewerPoint], drawn: &Cover) -> Vec<Viewer> {
        if std::mem::take(&mut self.recheck) {
            self.incomplete.clear();
            for coord in self.wanted.chunks().filter(|&coord| self.wanted.is_split(coord)) {
                if coord.children().any(|child| !self.chunks.contains_key(&child)) {
                    self.incomplete.push(coord);
                }
            }
        }
        let bounds = self.field.bounds();
        let top = self.top();
        let is_needed = |coord: ChunkCoord| {
            let above = top - coord.level;
            self.is_needed(ChunkCoord { level: top, x: coord.x >> above, z: coord.z >> above }, points, drawn)
        };
        let limits: Vec<ChunkCoord> = self.incomplete.iter().copied().filter(|&coord| is_needed(coord)).collect();
        let viewers = points.iter().zip(&self.targets).map(|(&point, &target)| {
            let mut viewer = Viewer::new(point, target, bounds);
            for &coord in &limits {
                let margin = Reach::HYSTERESIS * 1.01 * self.layout.chunk_size(coord.level);
                let distance = viewer.distance(&self.layout, coord);
                viewer.reach.limit(coord.level, distance - margin);
            }
            viewer.reach.keep_apart();
            viewer
        });
        viewers.collect()
    }
}
