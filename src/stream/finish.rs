//! What becomes of a surface in the task that built it.

use super::{ChunkSurface, StandInTriangles};
use crate::chunk::{
    ChunkBorders, ChunkBuilder, ChunkCoord, ChunkGeometry, ChunkLayout, ChunkSettings, ChunkSlices, Cover, GroundPatch,
    PatchSurface, Reach, Viewer, ViewerPoint,
};
use crate::field::{FieldSettings, HeightField};
use bevy::log::debug_span;
use bevy::log::tracing::span::EnteredSpan;
use bevy::prelude::*;
use std::cell::RefCell;
use std::sync::Arc;

/// Gives the chunk's entity what was made of its surface.
pub(crate) type Dress = Box<dyn FnOnce(&mut EntityWorldMut) + Send>;

/// A surface, after a [`SurfaceFinish`].
pub(crate) struct Finished {
    /// Stays with the chunk, for colliders and the like.
    pub surface: Option<PatchSurface>,
    /// What the layer above made of it.
    pub dress: Option<Dress>,
}

impl Finished {
    /// Gives all of it to the entity that it was made for, unless an observer has taken that away already.
    pub fn give_to(self, entity: &mut EntityCommands) {
        if let Some(PatchSurface { geometry, triangles }) = self.surface {
            entity.try_insert(ChunkSurface(geometry));
            if let Some(triangles) = triangles {
                entity.try_insert(StandInTriangles(triangles));
            }
        }
        if let Some(dress) = self.dress {
            entity.queue_silenced(move |mut entity: EntityWorldMut| dress(&mut entity));
        }
    }
}

/// What the layer above makes of every surface, in the background, so that the main thread has little left to do.
#[derive(Resource, Clone)]
pub(crate) struct SurfaceFinish(Arc<Finish>);

type Finish = dyn Fn(u8, PatchSurface) -> Finished + Send + Sync;

impl SurfaceFinish {
    /// `finish` takes the level of a surface and the surface.
    pub fn new(finish: impl Fn(u8, PatchSurface) -> Finished + Send + Sync + 'static) -> Self {
        Self(Arc::new(finish))
    }
}

impl SurfaceFinish {
    /// What becomes of a surface of `level`.
    pub fn of(&self, level: u8, surface: PatchSurface) -> Finished {
        (self.0)(level, surface)
    }
}

impl Default for SurfaceFinish {
    /// Surfaces stay as they are.
    fn default() -> Self {
        Self::new(|_, surface| Finished { surface: Some(surface), dress: None })
    }
}

/// A chunk that is ready to be put into the world.
pub(super) struct BuiltChunk {
    pub coord: ChunkCoord,
    /// The largest distance, in metres, between a vertex and the surface of the next coarser level.
    pub coarse_error: f32,
    /// The lowest and the highest ground, in metres.
    pub height_range: [f32; 2],
    pub borders: ChunkBorders,
    pub finished: Finished,
}

thread_local! {
    /// The scratch memory of every thread that builds chunks.
    static BUILDER: RefCell<ChunkBuilder> = RefCell::default();
}

impl BuiltChunk {
    /// Builds a chunk on this thread.
    pub fn build(field: &HeightField, layout: &ChunkLayout, coord: ChunkCoord, finish: &SurfaceFinish) -> Self {
        let _span = build_span(coord);
        let geometry = with_builder(|builder| builder.build(field, layout, coord));
        Self::new(coord, geometry, finish)
    }

    /// Builds a slice of a chunk on this thread. Returns the chunk when that was its last.
    pub fn build_slice(field: &HeightField, slices: &mut ChunkSlices, finish: &SurfaceFinish) -> Option<Self> {
        let _span = build_span(slices.chunk());
        let geometry = with_builder(|builder| slices.advance(builder, field))?;
        Some(Self::new(slices.chunk(), geometry, finish))
    }

    fn new(coord: ChunkCoord, geometry: ChunkGeometry, finish: &SurfaceFinish) -> Self {
        let ChunkGeometry { coarse_error, height_range, .. } = geometry;
        let borders = ChunkBorders::of(&geometry);
        let surface = PatchSurface { geometry, triangles: None };
        Self { coord, coarse_error, height_range, borders, finished: finish.of(coord.level, surface) }
    }
}

/// Lends the builder of this thread.
pub(super) fn with_builder<R>(build: impl FnOnce(&mut ChunkBuilder) -> R) -> R {
    BUILDER.with_borrow_mut(build)
}

/// Builds a chunk for nobody, and a patch beside it. The first takes several times as long as any later one, while its code is fetched:
/// better before there is a frame to hold up.
pub(super) fn warm_up() {
    let field = HeightField::new(&FieldSettings::default());
    let layout = ChunkLayout::new(&ChunkSettings::default());
    let coord = ChunkCoord { level: 0, x: 0, z: 0 };
    BuiltChunk::build(&field, &layout, coord, &SurfaceFinish::default());
    let (size, middle) = (layout.chunk_size(0), layout.chunk_size(0) / 2.0);
    let position = [middle, 0.0, middle];
    let point = ViewerPoint { position, forward: [1.0, 0.0], view_distance: 0.0, sharpness: 1.0 };
    let viewer = Viewer::new(point, Reach::none(&layout), field.bounds());
    let cover = Cover::select(&layout, coord.level, &[viewer], 0.0, &Cover::default());
    if let Some(patch) = GroundPatch::around(&layout, [-4.0 * size; 2], [4.0 * size; 2])
        && let Some(neighbours) = patch.beside(&layout, &cover)
    {
        let places = [[middle; 2]];
        with_builder(|builder| builder.build_patch(&field, &layout, &patch, &neighbours, |_| None, &places));
    }
}

fn build_span(chunk: ChunkCoord) -> EnteredSpan {
    debug_span!("terrain_build_chunk", level = chunk.level, x = chunk.x, z = chunk.z).entered()
}
