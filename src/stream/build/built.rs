//! Chunks that are built and not spawned yet.

use super::store::{ChunkStore, MainMemory};
use crate::chunk::{ChunkBuilder, ChunkCoord, ChunkGeometry, ChunkHeights, ChunkLayout, ChunkSettings, ChunkSlices};
use crate::field::{FieldSettings, HeightField};
use crate::stream::components::ChunkSurface;
use bevy::log::debug_span;
use bevy::log::tracing::span::EnteredSpan;
use bevy::prelude::*;
use std::cell::RefCell;
use std::sync::Arc;

/// Inserts the components of the render layer, such as the mesh, into the chunk's entity. An edited chunk has them already: what depends
/// on heights is replaced.
pub(crate) type InsertComponents = Box<dyn FnOnce(&mut EntityWorldMut) + Send>;

/// The result of a [`SurfaceFinish`].
pub(crate) struct Finished {
    /// The surface, if the chunk keeps it as a [`ChunkSurface`], for example for colliders.
    pub surface: Option<ChunkGeometry>,
    /// Inserts the other components.
    pub insert: Option<InsertComponents>,
}

impl Finished {
    /// Inserts all components into the chunk's entity.
    pub fn insert_into(self, chunk: &mut EntityWorldMut) {
        if let Some(geometry) = self.surface {
            chunk.insert(ChunkSurface(geometry));
        }
        // An observer of the inserted component may have despawned the chunk.
        if let Some(insert) = self.insert.filter(|_| !chunk.is_despawned()) {
            insert(chunk);
        }
    }
}

/// How the render layer processes the heights of each chunk, in the task that builds it, so that little work is left for the main
/// thread; and where it keeps what it makes of them.
#[derive(Resource, Clone)]
pub(crate) struct SurfaceFinish {
    finish: Arc<Finish>,
    pub store: Arc<dyn ChunkStore>,
}

type Finish = dyn Fn(&ChunkLayout, ChunkCoord, ChunkHeights) -> Finished + Send + Sync;

impl SurfaceFinish {
    /// `finish` takes a chunk and its heights.
    pub fn new(
        store: Arc<dyn ChunkStore>,
        finish: impl Fn(&ChunkLayout, ChunkCoord, ChunkHeights) -> Finished + Send + Sync + 'static,
    ) -> Self {
        Self { finish: Arc::new(finish), store }
    }

    /// The surface of a chunk, with the scratch memory of this thread.
    pub fn geometry(heights: &ChunkHeights) -> ChunkGeometry {
        BUILDER.with_borrow_mut(|builder| builder.geometry(heights))
    }

    /// The same, and chunks also get the component that `make` makes from their heights.
    #[cfg(feature = "picking")]
    pub fn with<C: Component>(
        self,
        make: impl Fn(&ChunkLayout, ChunkCoord, &ChunkHeights) -> C + Send + Sync + 'static,
    ) -> Self {
        Self::new(self.store, move |layout, coord, heights| {
            let component = make(layout, coord, &heights);
            let mut finished = (self.finish)(layout, coord, heights);
            let insert = finished.insert.take();
            finished.insert = Some(Box::new(move |chunk| {
                chunk.insert(component);
                // An observer of the inserted component may have despawned the chunk.
                if let Some(insert) = insert.filter(|_| !chunk.is_despawned()) {
                    insert(chunk);
                }
            }));
            finished
        })
    }
}

impl Default for SurfaceFinish {
    /// Keeps the surface.
    fn default() -> Self {
        Self::new(Arc::new(MainMemory), |_, _, heights| Finished {
            surface: Some(Self::geometry(&heights)),
            insert: None,
        })
    }
}

/// A chunk that is built and ready to be spawned.
pub(in crate::stream) struct BuiltChunk {
    pub coord: ChunkCoord,
    /// The lowest and the highest height, in metres.
    pub heights: [f32; 2],
    pub finished: Finished,
}

thread_local! {
    /// The scratch memory of each thread that builds chunks.
    static BUILDER: RefCell<ChunkBuilder> = RefCell::default();
}

impl BuiltChunk {
    /// Builds a chunk on this thread.
    pub fn build(field: &HeightField, layout: &ChunkLayout, coord: ChunkCoord, finish: &SurfaceFinish) -> Self {
        let _span = build_span(coord);
        let heights = BUILDER.with_borrow_mut(|builder| builder.heights(field, layout, coord));
        Self::new(layout, coord, heights, finish)
    }

    /// Builds a slice of a chunk on this thread. Returns the chunk after its last slice.
    pub fn build_slice(field: &HeightField, slices: &mut ChunkSlices, finish: &SurfaceFinish) -> Option<Self> {
        let _span = build_span(slices.chunk());
        let heights = BUILDER.with_borrow_mut(|builder| slices.advance(builder, field))?;
        Some(Self::new(slices.layout(), slices.chunk(), heights, finish))
    }

    fn new(layout: &ChunkLayout, coord: ChunkCoord, heights: ChunkHeights, finish: &SurfaceFinish) -> Self {
        Self { coord, heights: heights.height_range, finished: (finish.finish)(layout, coord, heights) }
    }
}

/// Builds one chunk and drops it. The first build is several times slower than later ones, because the CPU loads the code, so do
/// it before the first frame.
pub(in crate::stream) fn warm_up() {
    let field = HeightField::new(&FieldSettings::default());
    let layout = ChunkLayout::new(&ChunkSettings::default());
    BuiltChunk::build(&field, &layout, ChunkCoord::finest(0, 0), &SurfaceFinish::default());
}

fn build_span(chunk: ChunkCoord) -> EnteredSpan {
    debug_span!("terrain_build_chunk", level = chunk.level, x = chunk.x, z = chunk.z).entered()
}
