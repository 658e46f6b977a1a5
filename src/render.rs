//! Rendering: meshes, the material of the ground, the sea.
//!
//! Use it to draw chunks with another material, to keep their meshes readable for other crates, or to look at the levels of
//! detail. For other colors alone, change the [`LookSettings`].
//!
//! [`TerrainRenderPlugin`] turns the [`ChunkSurface`](crate::stream::ChunkSurface) of each chunk into a mesh. All chunks of a
//! terrain share one [`TerrainMaterial`]. It has two parts, and a game can use the first with a look of its own:
//!
//! - [`TerrainMorph`] moves the vertices from one level of detail to the next, in the vertex shader. It reads the viewers from a
//!   buffer that is written once per frame, so moving viewers add no cost per chunk.
//! - [`TerrainLook`] covers the ground with layers by height, slope and more, in the fragment shader. Colors are uniforms, so a new
//!   color changes no mesh. [`GroundTextures`] are baked in the background. [`GroundLayers::strongest`] tells a game which
//!   [`GroundLayer`] covers most of a place, for the sound of steps or for plants.
//! - [`TerrainFarMaps`] keep the shape of far ground, and darken what hills hide from the sun or from the sky.
//!
//! The mesh of a chunk is uploaded once. When the level of a neighbor changes, only the border indices are overwritten in place.

#[cfg(feature = "render")]
mod draw;
#[cfg(feature = "render")]
mod far_map;
mod ground_layer;
mod ground_pictures;
mod ground_texture;
mod layers;
mod pattern;
mod settings;
mod short_form;
#[cfg(feature = "render")]
mod textures;

#[cfg(feature = "render")]
pub use draw::*;
#[cfg(feature = "inspector")]
pub(crate) use ground_layer::PlainRange;
pub use ground_layer::{AspectRange, GroundLayer, HeightRange, NoiseRange, ReliefRange, SlopeRange};
pub use ground_pictures::GroundPictures;
pub use ground_texture::GroundTexture;
pub use layers::{GroundLayers, GroundPlace};
pub use settings::LookSettings;
