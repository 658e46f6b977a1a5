//! A chunk as the task leaves it that built it.

use crate::chunk::{ChunkBuilder, ChunkCoord, ChunkGeometry, ChunkLayout, ChunkSettings, ChunkSlices};
use crate::field::{FieldSettings, HeightField};
use crate::stream::components::ChunkSurface;
use bevy::log::debug_span;
use bevy::log::tracing::span::EnteredSpan;
use bevy::prelude::*;
use std::cell::RefCell;
use std::sync::Arc;

/// Gives the chunk's entity what the render layer made of its surface.
pub(crate) type Dress = Box<dyn FnOnce(&mut EntityWorldMut) + Send>;

/// A surface, after a [`SurfaceFinish`].
pub(crate) struct Finished {
    /// Stays with the chunk, for colliders and the like.
    pub surface: Option<ChunkGeometry>,
    /// What the layer above made of it.
    pub dress: Option<Dress>,
}

impl Finished {
    /// Gives all of it to the chunk's entity.
    pub fn give_to(self, chunk: &mut EntityWorldMut) {
        if let Some(geometry) = self.surface {
            chunk.insert(ChunkSurface(geometry));
        }
        // An observer of what was inserted may have despawned the chunk.
        if let Some(dress) = self.dress.filter(|_| !chunk.is_despawned()) {
            dress(chunk);
        }
    }
}

/// What the layer above makes of every surface in the task that builds it, so that the main thread has little left to do.
#[derive(Resource, Clone)]
pub(crate) struct SurfaceFinish(Arc<Finish>);

type Finish = dyn Fn(u8, ChunkGeometry) -> Finished + Send + Sync;

impl SurfaceFinish {
    /// `finish` takes the level of a surface and the surface.
    pub fn new(finish: impl Fn(u8, ChunkGeometry) -> Finished + Send + Sync + 'static) -> Self {
        Self(Arc::new(finish))
    }
}

impl Default for SurfaceFinish {
    /// Surfaces stay as they are.
    fn default() -> Self {
        Self::new(|_, surface| Finished { surface: Some(surface), dress: None })
    }
}

/// A chunk that is ready to be spawned.
pub(in crate::stream) struct BuiltChunk {
    pub coord: ChunkCoord,
    /// The lowest and the highest ground, in metres.
    pub heights: [f32; 2],
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

    /// Builds a slice of a chunk on this thread. Returns the chunk after its last slice.
    pub fn build_slice(field: &HeightField, slices: &mut ChunkSlices, finish: &SurfaceFinish) -> Option<Self> {
        let _span = build_span(slices.chunk());
        let geometry = BUILDER.with_borrow_mut(|builder| slices.advance(builder, field))?;
        Some(Self::new(slices.chunk(), geometry, finish))
    }

    fn new(coord: ChunkCoord, geometry: ChunkGeometry, SurfaceFinish(finish): &SurfaceFinish) -> Self {
        let heights = geometry.height_range;
        Self { coord, heights, finished: finish(coord.level, geometry) }
    }
}

/// Builds a chunk for nothing. The first takes several times as long as any later one, while its code is fetched: better
/// before there is a frame to hold up.
pub(in crate::stream) fn warm_up() {
    let field = HeightField::new(&FieldSettings::default());
    let layout = ChunkLayout::new(&ChunkSettings::default());
    BuiltChunk::build(&field, &layout, ChunkCoord::finest(0, 0), &SurfaceFinish::default());
}

fn build_span(chunk: ChunkCoord) -> EnteredSpan {
    debug_span!("terrain_build_chunk", level = chunk.level, x = chunk.x, z = chunk.z).entered()
}
