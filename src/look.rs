//! The look of the ground: what covers it, its textures, and what is seen of it from afar.
//!
//! Use it to describe a ground in code, or to ask which layer covers a place, for the sound of steps or for plants. Nothing here needs
//! an engine: [`render`](crate::render) draws it.
//!
//! [`LookSettings`] list the layers of the ground, each a [`GroundLayer`] with a [`GroundTexture`] and ranges of height, slope and more in
//! which it lies. [`GroundLayers::strongest`] tells which one covers most of a [`GroundPlace`].

#[cfg(feature = "render")]
pub(crate) mod far_map;
mod ground_layer;
mod ground_pictures;
mod ground_texture;
pub(crate) mod layers;
pub(crate) mod pattern;
mod settings;
mod short_form;
#[cfg(feature = "render")]
pub(crate) mod textures;

#[cfg(feature = "inspector")]
pub(crate) use ground_layer::PlainRange;
pub use ground_layer::{AspectRange, GroundLayer, HeightRange, NoiseRange, ReliefRange, SlopeRange};
pub use ground_pictures::GroundPictures;
pub use ground_texture::GroundTexture;
pub use layers::{GroundLayers, GroundPlace};
pub use settings::LookSettings;
