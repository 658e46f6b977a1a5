//! Rendering: meshes, the material of the ground, the sea.
//!
//! Use it to draw chunks with another material, to keep their meshes readable for other crates, or to look at the levels of
//! detail. For other colors alone, change the [`LookSettings`].
//!
//! [`TerrainRenderPlugin`] turns the [`ChunkSurface`](crate::stream::ChunkSurface) of each chunk into a mesh. All chunks of a
//! terrain share one [`TerrainMaterial`]. It stacks two material extensions, and a game can use either of them alone:
//!
//! - [`TerrainMorph`] moves the vertices from one level of detail to the next, in the vertex shader. It reads the viewers from a
//!   buffer that is written once per frame, so moving viewers add no cost per chunk.
//! - [`TerrainLook`] colors the ground by height and slope, in the fragment shader. Colors are uniforms, so a new color changes
//!   no mesh.
//!
//! The mesh of a chunk is uploaded once. When the level of a neighbor changes, only the border indices are overwritten in place.

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
