//! All chunks that were built from the same height settings.

mod building;
mod chunk_table;
mod drawable;
mod gaps;
mod newcomers;
mod sweep;

use self::chunk_table::ChunkTable;
use self::gaps::Gaps;
use self::newcomers::Newcomers;
pub(super) use self::newcomers::Standing;
use self::sweep::Sweep;
use super::measurement::Measurement;
use super::workshop::Workshop;
use crate::chunk::{
    ChunkBorders, ChunkCoord, ChunkLayout, ChunkSettings, Cover, CoverCost, LodSettings, Reach, Viewer, ViewerPoint,
};
use crate::field::{FieldSettings, HeightField};
use crate::settings::TerrainSettings;
use bevy::prelude::*;
use std::collections::hash_map::IntoIter;
use std::sync::Arc;

/// So many roots are built at once, where they are missing, rather than have a patch stand in for them: that takes as long.
pub(super) const FEW_ROOTS: usize = 2;

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

/// What a selection is made for.
pub(super) struct Wishes<'a> {
    /// The viewers.
    pub points: &'a [ViewerPoint],
    /// Where each of them stood when chunks were last selected.
    pub standing: &'a [Standing],
    /// Where those of them that move will soon be.
    pub ahead: &'a [ViewerPoint],
    pub lod: &'a LodSettings,
    /// How far a root may fall behind the view, in metres.
    pub margin: f64,
    /// Bytes that all chunks may take.
    pub most_bytes: f64,
}

#[cfg(test)]
impl<'a> Wishes<'a> {
    /// Those of viewers who have stood at `points` for a while.
    pub fn of(points: &'a [ViewerPoint], lod: &'a LodSettings) -> Self {
        let standing = &[Standing::There; 4][..points.len()];
        Self { points, standing, ahead: &[], lod, margin: 500.0, most_bytes: 1e9 }
    }
}

/// What draws a chunk. Thousands change hands in one frame, so it is small: the bounds of a chunk follow from where it lies.
#[derive(Clone, Copy)]
pub(super) struct ChunkBody {
    pub entity: Entity,
    /// The lowest and the highest ground, in metres.
    pub heights: [f32; 2],
}

/// A chunk that is there.
pub(super) struct LoadedChunk {
    pub body: ChunkBody,
    /// Bytes of its vertices and indices.
    pub bytes: usize,
    pub borders: ChunkBorders,
}

#[cfg(test)]
impl LoadedChunk {
    /// One without any ground.
    pub fn empty(entity: Entity) -> Self {
        let borders = ChunkBorders::of(&crate::chunk::ChunkGeometry::default());
        Self { body: ChunkBody { entity, heights: [0.0; 2] }, bytes: 0, borders }
    }
}

/// The chunks of one source: those that are there, and those being built.
///
/// There is more than what is drawn: the chunks that are split stay, so that they can take over from their children at once,
/// and the children of those that will soon be split are built ahead.
pub(super) struct Generation {
    pub source: Source,
    pub field: Arc<HeightField>,
    pub layout: ChunkLayout,
    pub workshop: Workshop,
    measurement: Measurement,
    /// The chunks that are there.
    chunks: ChunkTable,
    /// The chunks that are to be there.
    wanted: Cover,
    /// How far each level is to reach around each viewer.
    targets: Vec<Reach>,
    /// The viewers for whom no detail is wanted yet.
    newcomers: Newcomers,
    /// Those who want chunks: the viewers, then those that will be somewhere else soon.
    wanting: Vec<Viewer>,
    /// The viewers, with the reach that was last in force around them.
    in_force: Vec<Viewer>,
    /// How many chunks viewers may ask for, so that those which are there stay within their memory.
    allowance: Option<f64>,
    /// What the allowance was found for: the chunks that there may be, the error in pixels, and what all viewers see.
    asked: [f64; 4],
    /// The viewers may be allowed more.
    has_room: bool,
    gaps: Gaps,
    /// The chunks that are to be built are to be lined up anew.
    is_queue_outdated: bool,
    sweep: Sweep,
    /// More is known of the errors of levels: they have to reach further.
    pub is_rougher: bool,
}

impl Generation {
    pub fn new(source: Source) -> Self {
        Self {
            field: Arc::new(HeightField::new(&source.field)),
            layout: ChunkLayout::new(&source.chunks),
            source,
            workshop: Workshop::default(),
            measurement: Measurement::default(),
            chunks: ChunkTable::default(),
            wanted: Cover::default(),
            targets: Vec::new(),
            newcomers: Newcomers::default(),
            wanting: Vec::new(),
            in_force: Vec::new(),
            allowance: None,
            asked: [0.0; 4],
            has_room: false,
            gaps: Gaps::default(),
            is_queue_outdated: false,
            sweep: Sweep::default(),
            is_rougher: false,
        }
    }

    /// A chunk that is there.
    pub fn chunk(&self, coord: ChunkCoord) -> Option<&LoadedChunk> {
        self.chunks.get(coord)
    }

    /// What draws the leaves of `cover`, as far as they are wanted and there. Of many at once, that takes less than to look up
    /// each.
    pub fn leaves(&self, cover: &Cover) -> Vec<Option<ChunkBody>> {
        let numbers = cover.leaf_numbers_in(&self.wanted).into_iter();
        numbers.map(|number| number.and_then(|number| self.gaps.chunk(number))).collect()
    }

    /// What draws a chunk that is there.
    pub fn body(&self, coord: ChunkCoord) -> Option<ChunkBody> {
        self.chunk(coord).map(|chunk| chunk.body)
    }

    /// The borders of a chunk that is there.
    pub fn borders(&self, coord: ChunkCoord) -> Option<&ChunkBorders> {
        self.chunk(coord).map(|chunk| &chunk.borders)
    }

    /// How many chunks are there.
    pub fn len(&self) -> usize {
        self.chunks.len()
    }

    /// How many chunks are to be there.
    pub fn wanted(&self) -> usize {
        self.wanted.chunks().len()
    }

    /// Bytes of the vertices and indices of one chunk.
    pub const fn bytes_per_chunk(&self) -> usize {
        CoverCost::bytes_per_chunk(&self.layout)
    }

    /// The level of the coarsest chunks.
    pub const fn top(&self) -> u8 {
        self.wanted.top()
    }

    /// How far each level is to reach around each viewer, in the order of the viewers.
    pub fn targets(&self) -> &[Reach] {
        &self.targets
    }

    /// The same, as far as it is wanted already: no level is around newcomers.
    pub fn targets_by_now(&self) -> impl Iterator<Item = Reach> {
        self.newcomers.ask(&self.targets, self.top())
    }

    /// How far from its border a chunk of the finest level is built before it is drawn, in metres.
    pub fn built_ahead(&self) -> f64 {
        Viewer::AHEAD * self.layout.chunk_size(1)
    }

    /// Whether there is less detail than was asked for, as it would take too much memory.
    pub const fn is_limited(&self) -> bool {
        self.allowance.is_some()
    }

    /// Finds what is wanted, cancels the tasks that are not, and returns how many those were.
    pub fn select(&mut self, wishes: &Wishes<'_>) -> usize {
        self.is_rougher = false;
        let tops = wishes.points.iter().map(|point| Cover::top_level(&self.layout, point.view_distance));
        // Where nobody looks, the level stays: no chunk is coarser than the roots, so all can be left behind and go bit by bit.
        let top = tops.max().unwrap_or(self.top());
        self.find_newcomers(wishes, top);
        let wanted = self.select_within_memory(wishes, top);
        let is_other = wanted != self.wanted;
        if !is_other && self.is_complete() {
            return 0;
        }
        if is_other {
            // After a jump thousands come new, and as a rule none of them is there.
            let are_others_there = self.chunks.len() + self.gaps.len() > self.wanted();
            let there = |chunk| if are_others_there { self.chunks.get(chunk) } else { None };
            self.gaps.follow(&self.wanted, &wanted, |chunk| there(chunk).map(|there| there.body));
            self.wanted = wanted;
            self.sweep.is_outdated = true;
        }
        let cancelled = self.workshop.cancel_unwanted(|coord| self.wanted.contains(coord));
        self.is_queue_outdated = true;
        cancelled
    }

    fn select_within_memory(&mut self, wishes: &Wishes<'_>, top: u8) -> Cover {
        let most = (wishes.most_bytes / self.bytes_per_chunk() as f64).max(1.0);
        let [mut views, mut sharpness] = [0.0; 2];
        for point in wishes.points {
            (views, sharpness) = (views + point.view_distance, sharpness + point.sharpness);
        }
        let asked = [most, wishes.lod.pixel_error, views, sharpness];
        if std::mem::replace(&mut self.asked, asked) != asked {
            self.allowance = None;
        }
        // With room to spare, detail comes back bit by bit; but what newcomers will want has to find room too.
        let is_of_all = self.newcomers.are_none_for_long();
        let grows = is_of_all && self.allowance.is_some() && (self.wanted.chunks().len() as f64) < Self::ROOM * most;
        if grows {
            self.allowance = self.allowance.map(|chunks| chunks * 1.05).filter(|&chunks| chunks < Reach::MAX_CHUNKS);
        }
        let mut was_too_much = false;
        loop {
            let wanted = self.select_with_allowance(wishes, top);
            let chunks = wanted.chunks().len() as f64;
            let allowance = self.allowance.unwrap_or_else(|| self.largest_demand(wishes, top));
            // The roots are there at any price.
            if chunks <= most || allowance < 1.0 {
                // Where the next step is too large already, it need not be tried again before something changes.
                self.has_room =
                    self.is_limited() && is_of_all && chunks < Self::ROOM * most && !(grows && was_too_much);
                return wanted;
            }
            was_too_much = true;
            self.allowance = Some(allowance * (most / chunks).clamp(0.1, 0.9));
        }
    }

    /// With less than this part of the chunks that there may be, viewers are allowed more.
    const ROOM: f64 = 0.7;

    /// Whether another selection may want more, though no viewer moves: less was allowed than there is memory for.
    pub const fn has_room(&self) -> bool {
        self.has_room
    }

    /// About how many chunks the viewer asks for that asks for the most.
    fn largest_demand(&self, wishes: &Wishes<'_>, top: u8) -> f64 {
        let demand = |(reach, point): (&Reach, &ViewerPoint)| reach.estimated_chunks(point.view_distance, top);
        self.targets.iter().zip(wishes.points).map(demand).fold(1.0, f64::max).min(Reach::MAX_CHUNKS)
    }

    fn select_with_allowance(&mut self, wishes: &Wishes<'_>, top: u8) -> Cover {
        let allowance = self.allowance.unwrap_or(Reach::MAX_CHUNKS);
        let reach = |point: &ViewerPoint| {
            if allowance < 1.0 {
                return Reach::none(&self.layout);
            }
            let errors = self.measurement.errors();
            Reach::wanted_within(&self.layout, errors, point, wishes.lod.pixel_error, top, allowance)
        };
        self.targets.clear();
        self.targets.extend(wishes.points.iter().map(reach));
        let bounds = self.field.bounds();
        let widened = |&point: &ViewerPoint, target: Reach| Viewer::new(point, target, bounds).ahead(&self.layout, top);
        self.wanting.clear();
        let asked = self.newcomers.ask(&self.targets, top);
        self.wanting.extend(wishes.points.iter().zip(asked).map(|(point, asked)| widened(point, asked)));
        self.wanting.extend(wishes.ahead.iter().map(|point| widened(point, reach(point))));
        Cover::select(&self.layout, top, &self.wanting, wishes.margin, &self.wanted)
    }

    /// Finds out more about the errors of levels, in the background.
    pub fn measure(&mut self) {
        let news = self.measurement.advance(self.top() + 1, &self.field, &self.layout);
        self.is_rougher |= news;
    }

    /// Finds out more about the errors of levels, here and now, while there is time.
    pub fn measure_here(&mut self, has_time: impl Fn() -> bool) {
        let news = self.measurement.advance_here(self.top() + 1, &self.field, &self.layout, has_time);
        self.is_rougher |= news;
    }

    /// A chunk is there now.
    pub fn insert(&mut self, coord: ChunkCoord, chunk: LoadedChunk, coarse_error: f32) {
        let body = chunk.body;
        self.chunks.insert(coord, chunk);
        if let Some(number) = self.wanted.number(coord)
            && self.gaps.set(number, Some(body))
        {
            self.line_up_children(number);
        }
        // What the coarsest level loses to a level above it shows nowhere.
        self.is_rougher |= coord.level < self.top() && self.measurement.note(coord.level, coarse_error);
    }

    /// A chunk is there no more. Returns whether it was.
    pub fn forget(&mut self, coord: ChunkCoord, entity: Entity) -> bool {
        let was_there = self.body(coord).is_some_and(|body| body.entity == entity);
        if was_there {
            self.chunks.remove(coord);
            self.sweep.is_outdated = true;
            if let Some(number) = self.wanted.number(coord) {
                self.gaps.set(number, None);
                self.is_queue_outdated = true;
            }
        }
        was_there
    }

    /// Takes out all chunks, in parts.
    pub fn take_chunks(&mut self) -> impl Iterator<Item = IntoIter<ChunkCoord, LoadedChunk>> + use<> {
        std::mem::take(&mut self.chunks).into_parts()
    }

    /// Whether it is known what is wanted: the levels are measured.
    pub fn is_measured(&self) -> bool {
        !self.is_rougher && !self.has_newcomers() && self.measurement.is_complete(self.top() + 1)
    }

    /// Whether every chunk that is wanted is there.
    pub const fn is_complete(&self) -> bool {
        self.gaps.len() == 0
    }

    /// Whether every chunk that is wanted is there, no other but for what is drawn, and no more will be wanted.
    pub fn is_whole(&self) -> bool {
        let are_all_wanted = self.sweep.is_done() || self.chunks.len() == self.wanted();
        self.is_measured() && !self.has_room && self.is_complete() && are_all_wanted
    }
}
