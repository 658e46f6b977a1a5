//! The chunks that are built from one set of height settings.

use super::build::{BuiltChunk, ChunkStore, Measurement, TaskList};
use super::collider_tiles::TileSet;
use crate::chunk::plan::{PlanDiff, PlanRequest, PlanViewer, Planner};
use crate::chunk::{ChunkCoord, ChunkLayout, ChunkSettings, ChunkSlices, CoordMap, CoordSet};
use crate::field::{FieldSettings, HeightField};
use crate::settings::TerrainSettings;
use bevy::prelude::*;
use perlin_terrain::ground::Ground;
use perlin_terrain::plants::Plants;
use std::collections::VecDeque;
use std::sync::Arc;

/// The settings that decide every vertex of the ground below edits: when they differ, so do the chunks.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct HeightSettings {
    /// With the edits of the settings that the ground has followed.
    pub field: FieldSettings,
    pub chunks: ChunkSettings,
}

impl HeightSettings {
    pub fn of(settings: &TerrainSettings) -> Self {
        Self { field: settings.field.clone(), chunks: settings.chunks.clone() }
    }

    /// Whether these are the height settings of `settings`, but for edits.
    pub fn is_of(&self, settings: &TerrainSettings) -> bool {
        self.has_field_of(settings) && self.chunks == settings.chunks
    }

    /// Whether the ground below edits is that of `settings`.
    pub fn has_field_of(&self, settings: &TerrainSettings) -> bool {
        self.field.is_same_without_edits(&settings.field)
    }
}

/// A chunk that is loaded.
#[derive(Clone, Copy, Debug)]
pub(super) struct LoadedChunk {
    pub entity: Entity,
    /// The lowest and the highest ground, in metres.
    pub heights: [f32; 2],
    /// Bytes that it takes.
    pub bytes: u64,
}

/// All chunks of one source: those that are loaded, the plan for them, and those that are being built.
pub(super) struct StreamedTerrain {
    pub source: HeightSettings,
    /// The field of all chunks.
    pub field: Arc<HeightField>,
    /// The field with all edits.
    pub latest: HeightField,
    /// Whether `latest` has edits that take too long for one frame, so that only a reload can show them. The ground then keeps its field.
    pub is_behind: bool,
    /// Loaded chunks whose ground was edited since they were built. A chunk is built again before it is drawn.
    pub stale: CoordSet,
    pub layout: ChunkLayout,
    pub planner: Planner,
    /// The chunks that are being built, and the fields that they come from: edits may change the field meanwhile.
    pub tasks: TaskList<(Arc<HeightField>, BuiltChunk)>,
    /// The chunk that the main thread builds in slices, and the field that it comes from. Only without threads.
    pub slices: Option<(Arc<HeightField>, ChunkSlices)>,
    pub measurement: Measurement,
    /// The plants on the ground.
    pub plants: Plants,
    /// The tiles around bodies.
    pub collider_tiles: TileSet,
    /// Bytes that one chunk takes.
    pub bytes_per_chunk: u64,
    chunks: CoordMap<LoadedChunk>,
    /// All loaded chunks, in the order in which they are checked for eviction.
    to_check: VecDeque<EvictionCheck>,
    /// Counts the frames in which chunks were checked.
    frame: u64,
}

/// A loaded chunk that is checked for eviction from time to time.
struct EvictionCheck {
    coord: ChunkCoord,
    entity: Entity,
    /// The frame in which the chunk was first found to be unwanted.
    unwanted_since: Option<u64>,
}

/// For how many frames unwanted chunks are kept while there is memory. A viewer that returns soon finds them.
const KEPT_FRAMES: u64 = 10;

/// The parameters of a plan, beside the terrain itself.
pub(super) struct PlanParams<'a> {
    pub settings: &'a TerrainSettings,
    pub viewers: &'a [PlanViewer],
    /// Bytes that all chunks may take.
    pub max_bytes: u64,
    /// The number of chunks for which there is room beside the loaded ones.
    pub free_chunks: usize,
    pub max_built_now: usize,
    pub seconds: f64,
}

impl StreamedTerrain {
    /// A ground without chunks. `field` comes from `settings`, with all edits.
    pub fn new(settings: &TerrainSettings, field: HeightField, store: &dyn ChunkStore) -> Self {
        let source = HeightSettings::of(settings);
        let layout = ChunkLayout::new(&source.chunks);
        let shared = Arc::new(field.clone());
        Self {
            bytes_per_chunk: store.bytes_per_chunk(&layout),
            plants: plants_of(settings, &shared, layout),
            field: shared,
            latest: field,
            is_behind: false,
            stale: CoordSet::default(),
            collider_tiles: TileSet::new(&layout),
            layout,
            source,
            planner: Planner::default(),
            tasks: TaskList::default(),
            slices: None,
            measurement: Measurement::default(),
            chunks: CoordMap::default(),
            to_check: VecDeque::new(),
            frame: 0,
        }
    }

    /// Takes other layers of plants, or of the ground below them, if these are settings of the same ground.
    pub fn take_plants(&mut self, settings: &TerrainSettings) {
        if self.source.is_of(settings) {
            self.plants = self.plants.with_settings(settings.field.seed, &settings.plants, &settings.look);
        }
    }

    /// Takes the plants of a ground with other edits.
    pub fn keep_plants(&mut self, plants: &Plants) {
        self.plants = plants.on_ground(Ground::new(Arc::clone(&self.field), self.layout));
    }

    /// Takes a field with other edits.
    pub fn take_field(&mut self, field: HeightField) {
        self.field = Arc::new(field);
        self.keep_plants(&self.plants.clone());
    }

    /// A loaded chunk.
    pub fn chunk(&self, coord: ChunkCoord) -> Option<LoadedChunk> {
        self.chunks.get(&coord).copied()
    }

    /// Whether the ground has the current height settings and all edits.
    pub fn is_current(&self, settings: &TerrainSettings) -> bool {
        self.source.is_of(settings) && !self.is_behind
    }

    /// The drawn chunks that are to be built again in this frame.
    pub fn stale_drawn(&self) -> impl Iterator<Item = ChunkCoord> {
        let tree = self.planner.plan().drawn();
        self.stale.iter().copied().filter(|&chunk| tree.is_leaf(chunk))
    }

    /// All loaded chunks.
    pub fn coords(&self) -> impl Iterator<Item = ChunkCoord> {
        self.chunks.keys().copied()
    }

    /// Takes out a chunk.
    fn unload(&mut self, coord: ChunkCoord) -> Option<LoadedChunk> {
        self.stale.remove(&coord);
        self.planner.unload(coord);
        self.chunks.remove(&coord)
    }

    /// A loaded chunk was built again.
    pub fn renew(&mut self, coord: ChunkCoord, heights: [f32; 2]) -> Option<LoadedChunk> {
        self.stale.remove(&coord);
        let chunk = self.chunks.get_mut(&coord)?;
        chunk.heights = heights;
        Some(*chunk)
    }

    /// How many chunks are loaded.
    pub fn len(&self) -> usize {
        self.chunks.len()
    }

    /// Bytes of all loaded chunks.
    pub fn bytes(&self) -> u64 {
        self.len() as u64 * self.bytes_per_chunk
    }

    /// Makes the next plan, and returns what changes.
    pub fn plan(&mut self, params: &PlanParams<'_>) -> PlanDiff {
        let max_chunks = usize::try_from(params.max_bytes / self.bytes_per_chunk).unwrap_or(usize::MAX);
        let max_chunks = max_chunks.min(self.len().saturating_add(params.free_chunks)).max(1);
        let request = PlanRequest {
            layout: &self.layout,
            // Edits change no level of detail.
            bounds: self.field.without_edits().bounds(),
            errors: self.measurement.errors(params.viewers, &self.layout),
            pixel_error: params.settings.lod.pixel_error,
            look_ahead: params.settings.stream.look_ahead,
            viewers: params.viewers,
            max_chunks,
            max_built_now: params.max_built_now,
            seconds: params.seconds,
        };
        self.planner.advance(&request)
    }

    /// A chunk is loaded.
    pub fn insert(&mut self, coord: ChunkCoord, chunk: LoadedChunk) {
        self.chunks.insert(coord, chunk);
        self.to_check.push_back(EvictionCheck { coord, entity: chunk.entity, unwanted_since: None });
        self.planner.load(coord);
    }

    /// A chunk was despawned by something else. Returns whether it was one of these.
    pub fn forget(&mut self, coord: ChunkCoord, entity: Entity) -> bool {
        let is_here = self.chunk(coord).is_some_and(|chunk| chunk.entity == entity);
        if is_here {
            self.unload(coord);
        }
        is_here
    }

    /// Takes out chunks that have not been wanted or drawn for some frames. Each call checks a part of all chunks. If
    /// `at_once`, it checks all of them, and takes out those that are unwanted now.
    pub fn evict(&mut self, at_once: bool, mut evict: impl FnMut(LoadedChunk)) {
        self.frame += u64::from(!at_once);
        let wanted = self.planner.plan().wanted_chunks() - self.planner.plan().missing();
        // Drawn chunks that are not wanted are few.
        if self.len() <= wanted {
            return;
        }
        let checks = if at_once { self.to_check.len() } else { self.to_check.len().div_ceil(8).max(64) };
        for _ in 0..checks.min(self.to_check.len()) {
            let Some(mut check) = self.to_check.pop_front() else { break };
            if self.chunk(check.coord).is_none_or(|chunk| chunk.entity != check.entity) {
                // Something else despawned it.
                continue;
            }
            if !self.planner.is_unwanted(check.coord) {
                self.to_check.push_back(EvictionCheck { unwanted_since: None, ..check });
                continue;
            }
            let since = *check.unwanted_since.get_or_insert(self.frame);
            if at_once || self.frame - since >= KEPT_FRAMES {
                self.unload(check.coord).into_iter().for_each(&mut evict);
            } else {
                self.to_check.push_back(check);
            }
        }
    }

    /// The height range of the nearest loaded chunk that contains `area`, in metres. If there is none, the bounds of the field.
    pub fn heights_at(&self, area: ChunkCoord) -> [f32; 2] {
        let mut above = (area.level..=ChunkLayout::ROOT_LEVEL).map(|level| area.ancestor(level));
        let is_right = |chunk: &ChunkCoord| !self.stale.contains(chunk);
        above
            .find_map(|chunk| self.chunk(chunk).filter(|_| is_right(&chunk)))
            .map_or_else(|| self.field.bounds().into(), |chunk| chunk.heights)
    }

    /// The height range of the drawn chunks over `area`, in metres.
    pub fn heights_over(&self, area: ChunkCoord) -> Option<[f32; 2]> {
        let leaves = self.planner.plan().drawn().leaves_in(area);
        let heights = leaves.iter().filter_map(|&leaf| self.chunk(leaf)).map(|chunk| chunk.heights);
        heights.reduce(|one, other| [one[0].min(other[0]), one[1].max(other[1])])
    }

    /// Takes out all chunks.
    pub fn take_chunks(&mut self) -> impl Iterator<Item = LoadedChunk> + use<> {
        std::mem::take(&mut self.chunks).into_values()
    }
}

/// The plants of `settings` on the ground of `field`.
fn plants_of(settings: &TerrainSettings, field: &Arc<HeightField>, layout: ChunkLayout) -> Plants {
    Plants::new(Ground::new(Arc::clone(field), layout), settings.field.seed, &settings.plants, &settings.look)
}
