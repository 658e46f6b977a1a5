//! The look of the ground: what covers it, its textures, and what is seen of it from afar.
//!
//! Use it to describe a ground in code, or to ask which layer covers a position, for the sound of steps or for plants. Nothing here needs
//! an engine: `bevy_perlin_terrain` draws it.
//!
//! [`LookSettings`] list the layers of the ground, each a [`SurfaceLayer`] with a [`SurfaceTexture`] and ranges of height, slope and more in
//! which it lies. [`SurfaceLayers::strongest`] tells which one covers most of a [`SurfaceSample`].

mod default_layers;
#[doc(hidden)]
pub mod far_map;
#[doc(hidden)]
pub mod pattern;
mod settings;
mod surface_images;
mod surface_layer;
#[doc(hidden)]
pub mod surface_layers;
mod surface_texture;
#[doc(hidden)]
pub mod textures;
#[doc(hidden)]
pub mod water;
#[doc(hidden)]
pub mod waves;

pub use crate::field::HeightRange;
pub use settings::LookSettings;
pub use surface_images::SurfaceImages;
pub use surface_layer::{AspectRange, NoiseRange, ReliefRange, SlopeRange, SurfaceLayer};
pub use surface_layers::{SurfaceLayers, SurfaceSample};
pub use surface_texture::SurfaceTexture;
