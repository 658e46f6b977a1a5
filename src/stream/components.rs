//! The components of viewers and chunks.

use crate::chunk::{ChunkCoord, ChunkGeometry, StitchMask, ViewerPoint};
use bevy::prelude::*;

/// Loads terrain around a camera, or around any other entity with a `Transform`.
///
/// Viewers can be added, moved and removed at any time. With several viewers, the terrain covers the view of each. A viewer whose
/// position or view distance is not finite keeps the last ones that were, with a warning. A camera that is not active stays a
/// viewer, so that its ground is there when the game switches to it: remove this component to free it.
///
/// The maps of far ground, and an origin shift without an [`OriginAnchor`](super::OriginAnchor), follow one viewer: an active camera,
/// the same one for as long as it is active.
#[derive(Component, Clone, Copy, Debug, PartialEq, Reflect)]
#[reflect(Component, Default)]
#[require(Transform, ViewerLens)]
pub struct TerrainViewer {
    /// The distance up to which terrain is drawn, in metres of the world. Default: 8000.
    ///
    /// A camera draws nothing beyond its far plane, which is at 1000 m by default; see [`PerspectiveProjection::far`].
    pub view_distance: f32,
}

impl Default for TerrainViewer {
    fn default() -> Self {
        Self { view_distance: 8000.0 }
    }
}

/// The lens of a [`TerrainViewer`]: how large the image shows the ground. It determines the level of detail.
///
/// If the viewer is a camera, the render layer updates this component from its projection, whatever its kind.
#[derive(Component, Clone, Copy, Debug, PartialEq, Reflect)]
#[reflect(Component, Default)]
pub enum ViewerLens {
    /// A perspective projection: distant ground appears smaller.
    Perspective {
        /// Height of the image, in pixels. Default: 1080.
        height: f32,
        /// Vertical field of view, in radians. Default: pi / 4, as in Bevy's cameras.
        field_of_view: f32,
    },
    /// Everything appears at one scale, as on a map.
    Orthographic {
        /// Pixels for each metre of the world.
        pixels_per_metre: f32,
    },
}

impl Default for ViewerLens {
    fn default() -> Self {
        Self::Perspective { height: 1080.0, field_of_view: std::f32::consts::FRAC_PI_4 }
    }
}

impl ViewerLens {
    /// The size of one metre in pixels: at a distance of one metre, or at any distance in an orthographic image.
    #[must_use]
    pub fn projection_scale(&self) -> f64 {
        match *self {
            Self::Perspective { height, field_of_view } => {
                ViewerPoint::projection_scale(height.into(), field_of_view.into())
            }
            Self::Orthographic { pixels_per_metre } => pixels_per_metre.into(),
        }
    }
}

/// A chunk of a terrain. Its `Transform` is the chunk's north-west corner, at height zero, relative to the terrain's entity. Its
/// [`ChunkBounds`](super::ChunkBounds) are the box of its ground in the terrain's own coordinates.
///
/// Loaded chunks of several levels can lie over the same ground. Only those whose [`ChunkDrawn`] is set are drawn. Observe
/// `On<Add<TerrainChunk>>` and `On<Remove<TerrainChunk>>` to follow which chunks are loaded. If a game despawns a chunk, the
/// terrain builds it again while it is wanted.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, Reflect)]
#[reflect(Component)]
#[non_exhaustive]
pub struct TerrainChunk {
    /// The terrain that the chunk belongs to.
    pub terrain: Entity,
    /// The level and the position of the chunk in the terrain.
    pub coord: ChunkCoord,
}

/// The surface of a chunk: positions and normals, for a game's own meshes and colliders.
///
/// Where chunks are drawn they don't have this component, unless
/// [`TerrainRenderPlugin::keep_surfaces`](crate::render::TerrainRenderPlugin) is set.
#[derive(Component, Clone, Debug, PartialEq)]
pub struct ChunkSurface(pub ChunkGeometry);

/// The sides on which the chunk's neighbor is one level coarser. The chunk's triangles are
/// [`triangle_indices`](crate::chunk::triangle_indices) with this mask.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq, Reflect)]
#[reflect(Component, Default)]
pub struct ChunkStitchMask(pub StitchMask);

/// Whether a chunk is drawn. On a server, whether a renderer would draw it.
///
/// The drawn chunks tile the ground in every frame. A loaded chunk is not drawn while finer chunks replace it, before it is needed,
/// or before its ground takes over in a reload.
///
/// When the value changes, the terrain sends [`ChunkShown`](super::ChunkShown) or [`ChunkHidden`](super::ChunkHidden). Only the
/// terrain writes this component.
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
// A value and not a marker: a reload changes thousands of chunks in one frame, and writing a value is much faster than adding or
// removing a component.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, Reflect)]
#[reflect(Component)]
pub struct ChunkDrawn(pub(super) bool);

impl ChunkDrawn {
    /// Whether the chunk is drawn.
    #[must_use]
    pub const fn is_drawn(&self) -> bool {
        self.0
    }
}
