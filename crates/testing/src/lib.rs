//! Shared by the tests of several packages.

#![allow(missing_docs, reason = "the names of fields say what they are")]

#[cfg(feature = "app")]
pub mod app;
#[cfg(feature = "bodies")]
pub mod bodies;
#[cfg(feature = "render")]
mod driver;
mod folder;
#[cfg(feature = "terrain")]
mod hostile;
mod property;
#[cfg(feature = "terrain")]
mod terrain;

#[cfg(feature = "render")]
pub use driver::{driver, skip};
pub use folder::Folder;
#[cfg(feature = "terrain")]
pub use hostile::check_text;
pub use property::{any_magnitude, for_all};
#[cfg(feature = "terrain")]
pub use terrain::{rough_ground, surface_layer_of, surface_sample_of};
