//! Rendering: meshes, the material of the ground, water.
//!
//! Use it to draw chunks with another material, to make meshes that other crates can read, or to look at the levels of
//! detail. For other colors alone, change the [`LookSettings`](crate::look::LookSettings).
//!
//! [`TerrainRenderPlugin`] writes the heights of each chunk into a texture, the height atlas. All chunks share one flat grid as their
//! mesh, and all chunks of a terrain one [`TerrainMaterial`], so many are drawn at once. The material has two parts, and a game can use
//! the first with a look of its own:
//!
//! - [`TerrainMorph`] makes the vertices of a chunk from its heights, in the vertex shader, and moves them from one level of detail to
//!   the next. It reads the viewers from a buffer that is written once per frame, so moving viewers add no cost per chunk.
//! - [`TerrainLook`] covers the ground with the layers of a [`look`](crate::look), in the fragment shader. Colors are uniforms, so a new
//!   color changes no mesh. [`SurfaceTextures`] are baked in the background.
//!
//! [`TerrainFarMaps`] keep the shape of far ground, and darken what hills hide from the sun or from the sky. [`TerrainLighting`] gives other
//! materials the same light, the shade of clouds, the time and the [wind](TerrainWind). [`CloudPattern`] says when clouds are there.
//!
//! Water is drawn in two layers: what is in it by the material of the ground, and its surface, a [`ChunkWater`] over each chunk, by
//! [`TerrainWater`].
//!
//! Plants are drawn in tiles around the viewers: see [`DrawnPlants`]. Nearby they have leaves on cards, far away they are pictures.
//!
//! The heights of a chunk are written once. When the level of a neighbor changes, only the chunk's tag does.

mod cloud_texture;
mod clouds;
mod far_maps;
mod follow;
#[cfg(test)]
pub(crate) mod gpu;
mod grid;
mod height_atlas;
mod image_overrides;
mod lens;
mod lighting;
mod material;
mod materials;
mod morph;
#[cfg(test)]
mod noise_on_gpu;
mod plain_mesh;
mod plants;
mod plugin;
mod quality;
mod shaders;
mod shown_look;
mod surface_textures;
mod surfaces;
mod texture_array;
mod texture_upload;
mod view;
mod water;
mod water_look;
mod weather;
mod wind;

pub use cloud_texture::CloudPattern;
#[cfg(feature = "sky")]
pub(crate) use cloud_texture::CloudTexture;
#[cfg(feature = "sky")]
pub(crate) use clouds::{CloudDrift, CloudLook, CloudUniform, TerrainClouds};
pub use far_maps::TerrainFarMaps;
pub use lighting::TerrainLighting;
pub use material::{TerrainLook, TerrainMaterial, TerrainMaterials};
pub use morph::TerrainMorph;
pub use plain_mesh::chunk_mesh;
pub use plants::DrawnPlants;
pub use plugin::TerrainRenderPlugin;
pub use quality::TerrainQuality;
#[cfg(feature = "sky")]
pub(crate) use quality::draws_on_processor;
#[cfg(feature = "sky")]
pub(crate) use shaders::SKY_DOME;
#[cfg(feature = "sky")]
pub(crate) use shown_look::ShownLook;
pub use surface_textures::SurfaceTextures;
pub use view::TerrainView;
pub use water::ChunkWater;
#[cfg(feature = "sky")]
pub(crate) use water_look::water_color;
pub use water_look::{TerrainWater, WaterLook};
#[cfg(feature = "sky")]
pub(crate) use weather::WeatherPlugin;
pub use wind::TerrainWind;
