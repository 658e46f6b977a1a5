//! The components that terrain is made of.

use crate::chunk::{ChunkCoord, ChunkGeometry, StitchMask, ViewerPoint};
use bevy::prelude::*;

/// Marks a camera, or anything else with a `Transform`, around which terrain is wanted.
///
/// Any number of them may exist, appear late, move each frame or vanish; the terrain is the union of what they want. A
/// viewer whose place or distance is not a finite number is ignored.
#[derive(Component, Clone, Copy, Debug, PartialEq, Reflect)]
#[reflect(Component, Default)]
#[require(Transform, ViewerLens)]
pub struct TerrainViewer {
    /// How far terrain is wanted, in metres of the world. Default: 8000.
    ///
    /// A camera draws no chunk beyond its far plane, which lies at 1000 m unless it is moved; see
    /// [`PerspectiveProjection::far`].
    pub view_distance: f32,
}

impl Default for TerrainViewer {
    fn default() -> Self {
        Self { view_distance: 8000.0 }
    }
}

/// How sharply a [`TerrainViewer`] sees, which decides how much detail is wanted at a distance.
///
/// Where the viewer is a camera with a perspective projection, the render layer keeps this up to date.
#[derive(Component, Clone, Copy, Debug, PartialEq, Reflect)]
#[reflect(Component, Default)]
pub struct ViewerLens {
    /// Height of the picture in pixels. Default: 1080.
    pub height: f32,
    /// Angle from the top of the picture to its bottom, in radians. Default: pi / 4, as that of Bevy's cameras.
    pub field_of_view: f32,
}

impl Default for ViewerLens {
    fn default() -> Self {
        Self { height: 1080.0, field_of_view: std::f32::consts::FRAC_PI_4 }
    }
}

impl ViewerLens {
    /// Pixels that a metre covers when it is seen from a metre away.
    #[must_use]
    pub fn projection_scale(&self) -> f64 {
        ViewerPoint::projection_scale(self.height.into(), self.field_of_view.into())
    }
}

/// A chunk of a terrain. Its `Transform` is the chunk's north-west corner, at height zero, relative to the place of the
/// terrain's entity; its [`ChunkBounds`](super::ChunkBounds) tell the same in the terrain's own coordinates.
///
/// Chunks of several levels lie over the same ground; [`ChunkDrawn`] tells which of them are drawn. Observe `On<Add, TerrainChunk>`
/// and `On<Remove, TerrainChunk>` to follow what is loaded. A chunk that a game despawns is built again if it is still wanted.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, Reflect)]
#[reflect(Component)]
pub struct TerrainChunk {
    /// The terrain that the chunk belongs to.
    pub terrain: Entity,
    /// Which chunk of it.
    pub coord: ChunkCoord,
}

/// The surface of a chunk: positions and normals, for meshes and colliders.
///
/// With the render layer this is moved into the mesh and removed, unless
/// [`TerrainRenderPlugin::keep_surfaces`](crate::render::TerrainRenderPlugin) is set. That mesh can't be read once it is uploaded,
/// unless `readable_meshes` is set there.
#[derive(Component, Clone, Debug, PartialEq)]
pub struct ChunkSurface(pub ChunkGeometry);

/// The sides on which the neighbor of a chunk is one level coarser. The chunk's triangles are
/// [`triangle_indices`](crate::chunk::triangle_indices) with this mask.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq, Reflect)]
#[reflect(Component, Default)]
pub struct ChunkStitchMask(pub StitchMask);

/// Whether a chunk is drawn, where something draws.
///
/// The drawn chunks tile the ground in every frame. A chunk that finer ones are drawn in place of is loaded and not drawn, as is
/// one that waits until it is needed, or until its ground takes over after a reload.
///
/// [`ChunkShown`](super::ChunkShown) and [`ChunkHidden`](super::ChunkHidden) tell when that changes. Only the terrain writes this.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_perlin_terrain::prelude::*;
/// fn count(chunks: Query<(&TerrainChunk, &ChunkDrawn)>) {
///     let finest = chunks.iter().filter(|(chunk, drawn)| drawn.is_drawn() && chunk.coord.level == 0);
///     info!("{} chunks of the finest level", finest.count());
/// }
/// # bevy::ecs::system::assert_is_system(count);
/// ```
// Every chunk has it, drawn or not: a reload changes thousands in one frame, and to write a value takes a fraction of the time
// that it takes to add or remove a component.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, Reflect)]
#[reflect(Component)]
pub struct ChunkDrawn(pub(super) bool);

impl ChunkDrawn {
    /// Whether it is drawn.
    #[must_use]
    pub const fn is_drawn(&self) -> bool {
        self.0
    }
}
