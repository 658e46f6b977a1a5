//! The components that terrain is made of.

use super::TerrainState;
use crate::chunk::{ChunkCoord, ChunkGeometry};
use crate::settings::TerrainSettings;
use bevy::prelude::*;

/// An endless terrain, made from the settings behind the handle.
///
/// Its chunks appear as children, around every [`TerrainViewer`]. The entity may be moved, turned about y, and scaled alike on
/// all axes; heights are in its own coordinates. Changing the handle moves on to other settings as a reload does: the old ground stays until the
/// new is ready.
#[derive(Component, Clone, Debug, Default, Reflect)]
#[reflect(Component, Default)]
#[require(Transform, TerrainState)]
pub struct Terrain(pub Handle<TerrainSettings>);

/// Marks a camera, or anything else with a `Transform`, around which terrain is wanted.
///
/// Any number of them may exist, appear late, move each frame or vanish; the terrain is the union of what they want. A
/// viewer whose place or distance is not a finite number is ignored.
#[derive(Component, Clone, Copy, Debug, PartialEq, Reflect)]
#[reflect(Component, Default)]
#[require(Transform)]
pub struct TerrainViewer {
    /// How far terrain is wanted, in metres. Default: 2000.
    pub view_distance: f32,
}

impl Default for TerrainViewer {
    fn default() -> Self {
        Self { view_distance: 2000.0 }
    }
}

/// A chunk of a terrain. Its `Transform` is the chunk's north-west corner, at height zero.
///
/// Despawning a chunk that is still wanted makes it come again.
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

/// The chunk is part of the world. Chunks that wait for the rest of their generation do not have it yet.
#[derive(Component, Clone, Copy, Debug, Default, Reflect)]
#[reflect(Component, Default)]
pub struct ChunkShown;
