//! The look of the ground: meshes, material, sea.
//!
//! [`TerrainRenderPlugin`] turns the [`ChunkSurface`](crate::stream::ChunkSurface) of each chunk into a mesh with a
//! [`TerrainMaterial`], one per terrain, which colours the ground by height and slope in the fragment shader. Colours are
//! uniforms, so changing them touches no mesh.

mod settings;
pub use settings::LookSettings;

#[cfg(feature = "render")]
mod material;
#[cfg(feature = "render")]
mod mesh;
#[cfg(feature = "render")]
mod plugin;
#[cfg(feature = "render")]
mod water;

#[cfg(feature = "render")]
pub use {
    material::{TerrainLook, TerrainMaterial, TerrainMaterials},
    mesh::chunk_mesh,
    plugin::TerrainRenderPlugin,
    water::ChunkWater,
};
