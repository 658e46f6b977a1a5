//! The components that terrain is made of.

use super::{TerrainOrigin, TerrainState};
use crate::chunk::{ChunkCoord, ChunkGeometry, Edges, ViewerPoint};
use crate::settings::TerrainSettings;
use bevy::prelude::*;

/// An endless terrain, made from the settings behind the handle.
///
/// Its chunks appear as children, around every [`TerrainViewer`]. The entity may be moved, turned about y, and scaled alike on
/// all axes; heights are in its own coordinates. [`TerrainOrigin`] says which place of the terrain it stands at. Changing the
/// handle moves on to other settings as a reload does: the old ground stays until the new is ready.
#[derive(Component, Clone, Debug, Default, Reflect)]
#[reflect(Component, Default)]
#[require(Transform, TerrainOrigin, TerrainState)]
pub struct Terrain(pub Handle<TerrainSettings>);

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
    pub fn sharpness(&self) -> f64 {
        ViewerPoint::sharpness(self.height.into(), self.field_of_view.into())
    }
}

/// A chunk of a terrain. Its `Transform` is the chunk's north-west corner, at height zero, relative to the place of the
/// terrain's entity; its [`ChunkBounds`](super::ChunkBounds) tell the same in the terrain's own coordinates.
///
/// Chunks of several levels lie over the same ground; [`ChunkShown`] tells which of them are drawn. Despawning a chunk that is
/// still wanted makes it come again.
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
/// [`TerrainRenderPlugin::keep_surfaces`](crate::render::TerrainRenderPlugin) is set.
#[derive(Component, Clone, Debug, PartialEq)]
pub struct ChunkSurface(pub ChunkGeometry);

/// On which sides the neighbour of a chunk is one level coarser. Its triangles are
/// [`triangle_indices`](crate::chunk::triangle_indices) with these edges.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq, Reflect)]
#[reflect(Component, Default)]
pub struct ChunkEdges(pub Edges);

/// Whether a chunk is part of the world: drawn, where something draws.
///
/// The chunks that are shown tile the ground at any moment, together with a [`TerrainStandIn`](super::TerrainStandIn) where a
/// viewer has just been put, which is shown too. A chunk that finer ones are shown in place of is not, nor one that waits until it is
/// needed or until its generation takes over. What a viewer left behind far away is hidden bit by bit.
///
/// [`ChunkReady`](super::ChunkReady) and [`ChunkRemoved`](super::ChunkRemoved) tell when a chunk is shown and when it is no more. The
/// terrain alone writes this.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_perlin_terrain::prelude::*;
/// fn count(chunks: Query<(&TerrainChunk, &ChunkShown)>) {
///     let finest = chunks.iter().filter(|(chunk, shown)| shown.is_shown() && chunk.coord.level == 0);
///     info!("{} chunks of the finest level", finest.count());
/// }
/// # bevy::ecs::system::assert_is_system(count);
/// ```
// Every chunk has it, shown or not: where a generation takes over, thousands change in one frame, and to write a value takes a fraction
// of the time in which a component is added or removed.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, Reflect)]
#[reflect(Component)]
#[component(on_remove = super::announce::announce_removed)]
pub struct ChunkShown(pub(super) bool);

impl ChunkShown {
    /// Whether it is shown.
    #[must_use]
    pub const fn is_shown(&self) -> bool {
        self.0
    }
}
