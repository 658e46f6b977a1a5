//! Streaming.
mod settings;
pub use settings::StreamSettings;
