//! Rendering: meshes, the material of the ground, the sea.
//!
//! Use it to draw chunks with another material, to keep their meshes readable for other crates, or to look at the levels of
//! detail. For other colors alone, change the [`LookSettings`](crate::look::LookSettings).
//!
//! [`TerrainRenderPlugin`] turns the [`ChunkSurface`](crate::stream::ChunkSurface) of each chunk into a mesh. All chunks of a
//! terrain share one [`TerrainMaterial`]. It has two parts, and a game can use the first with a look of its own:
//!
//! - [`TerrainMorph`] moves the vertices from one level of detail to the next, in the vertex shader. It reads the viewers from a
//!   buffer that is written once per frame, so moving viewers add no cost per chunk.
//! - [`TerrainLook`] covers the ground with the layers of a [`look`](crate::look), in the fragment shader. Colors are uniforms, so a new
//!   color changes no mesh. [`SurfaceTextures`] are baked in the background.
//!
//! [`TerrainFarMaps`] keep the shape of far ground, and darken what hills hide from the sun or from the sky.
//!
//! The mesh of a chunk is uploaded once. When the level of a neighbor changes, only the border indices are overwritten in place.

mod edges;
mod far_maps;
mod follow;
#[cfg(test)]
mod gpu;
mod image_overrides;
mod lens;
mod material;
mod materials;
mod mesh;
mod morph;
#[cfg(test)]
mod noise_on_gpu;
mod plugin;
mod quality;
mod shaders;
mod surface_textures;
mod surfaces;
mod texture_upload;
mod uploads;
mod view;
mod water;

pub use far_maps::TerrainFarMaps;
pub use material::{TerrainLook, TerrainMaterial, TerrainMaterials};
pub use mesh::{ATTRIBUTE_COARSE_HEIGHT, ATTRIBUTE_NORMALS, chunk_mesh, morphing_chunk_mesh};
pub use morph::TerrainMorph;
pub use plugin::TerrainRenderPlugin;
pub use quality::TerrainQuality;
#[cfg(feature = "sky")]
pub(crate) use quality::draws_on_processor;
pub use surface_textures::SurfaceTextures;
pub use view::TerrainView;
pub use water::ChunkWater;
