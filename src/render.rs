//! The look of the ground: meshes, material, sea.
//!
//! [`TerrainRenderPlugin`] turns the [`ChunkSurface`](crate::stream::ChunkSurface) of each chunk into a mesh with a
//! [`TerrainMaterial`], one per terrain. Two things lie in that material, one on top of the other, and a game can take either:
//!
//! - [`TerrainMorph`] moves the vertices from one level of detail to the next, in the vertex shader. Where every viewer is,
//!   it knows from a buffer that is written once a frame, so a chunk costs nothing while viewers move.
//! - [`TerrainLook`] colors the ground by height and slope, in the fragment shader. Colors are uniforms, so changing them
//!   touches no mesh.
//!
//! A chunk's mesh is uploaded once. When a neighbor becomes coarser or finer, only the indices of its border are written
//! anew, in place.

mod settings;
pub use settings::LookSettings;

#[cfg(feature = "render")]
mod edges;
#[cfg(feature = "render")]
mod lens;
#[cfg(feature = "render")]
mod material;
#[cfg(feature = "render")]
mod mesh;
#[cfg(feature = "render")]
mod morph;
#[cfg(feature = "render")]
mod plugin;
#[cfg(feature = "render")]
mod surfaces;
#[cfg(feature = "render")]
mod uploads;
#[cfg(feature = "render")]
mod view;
#[cfg(feature = "render")]
mod water;

#[cfg(feature = "render")]
pub use {
    material::{TerrainLook, TerrainMaterial, TerrainMaterials},
    mesh::{ATTRIBUTE_COARSE_HEIGHT, ATTRIBUTE_NORMALS, chunk_mesh, morphing_chunk_mesh},
    morph::TerrainMorph,
    plugin::TerrainRenderPlugin,
    view::TerrainView,
    water::ChunkWater,
};
