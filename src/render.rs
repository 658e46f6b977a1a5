//! Rendering.
mod settings;
pub use settings::LookSettings;
