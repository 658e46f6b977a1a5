//! What becomes of a surface in the task that built it.

use super::{ChunkSurface, StandInTriangles};
use crate::chunk::{
    ChunkBorders, ChunkBuilder, ChunkCoord, ChunkGeometry, ChunkLayout, ChunkSlices, GroundPatch, PatchNeighbours,
    PatchSurface,
};
use crate::field::HeightField;
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
    pub surface: Option<ChunkGeometry>,
    /// The triangles of the surface, where they are not those of a chunk.
    pub triangles: Option<Vec<u32>>,
    /// What the layer above made of it.
    pub dress: Option<Dress>,
}

impl Finished {
    /// Gives all of it to the entity that it was made for.
    pub fn give_to(self, entity: &mut EntityCommands) {
        if let Some(surface) = self.surface {
            entity.insert(ChunkSurface(surface));
            if let Some(triangles) = self.triangles {
                entity.insert(StandInTriangles(triangles));
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

impl Default for SurfaceFinish {
    /// Surfaces stay as they are.
    fn default() -> Self {
        Self::new(|_, surface| Finished { surface: Some(surface.geometry), triangles: surface.triangles, dress: None })
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
        let geometry = BUILDER.with_borrow_mut(|builder| builder.build(field, layout, coord));
        Self::new(coord, geometry, finish)
    }

    /// Builds a slice of a chunk on this thread. Returns the chunk when that was its last.
    pub fn build_slice(field: &HeightField, slices: &mut ChunkSlices, finish: &SurfaceFinish) -> Option<Self> {
        let _span = build_span(slices.chunk());
        let geometry = BUILDER.with_borrow_mut(|builder| slices.advance(builder, field))?;
        Some(Self::new(slices.chunk(), geometry, finish))
    }

    fn new(coord: ChunkCoord, geometry: ChunkGeometry, finish: &SurfaceFinish) -> Self {
        let ChunkGeometry { coarse_error, height_range, .. } = geometry;
        let borders = ChunkBorders::of(&geometry);
        let surface = PatchSurface { geometry, triangles: None };
        Self { coord, coarse_error, height_range, borders, finished: (finish.0)(coord.level, surface) }
    }
}

/// Builds the ground of a patch beside its `neighbours`, for who stands at `places`, on this thread. Returns its lowest and its
/// highest height, in metres, how many bytes a graphics card is sent, and what was made of it.
pub(super) fn finish_patch<'a>(
    field: &HeightField,
    layout: &ChunkLayout,
    patch: &GroundPatch,
    neighbours: &PatchNeighbours,
    borders: impl Fn(ChunkCoord) -> Option<&'a ChunkBorders>,
    places: &[[f64; 2]],
    finish: &SurfaceFinish,
) -> ([f32; 2], usize, Finished) {
    let surface =
        BUILDER.with_borrow_mut(|builder| builder.build_patch(field, layout, patch, neighbours, borders, places));
    let (height_range, bytes) = (surface.geometry.height_range, surface.mesh_bytes());
    (height_range, bytes, (finish.0)(patch.level, surface))
}

fn build_span(chunk: ChunkCoord) -> EnteredSpan {
    debug_span!("terrain_build_chunk", level = chunk.level, x = chunk.x, z = chunk.z).entered()
}
