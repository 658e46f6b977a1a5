//! The option for the quality of the look.

use bevy_perlin_terrain::render::{TerrainQuality, TerrainRenderPlugin};

/// What drawing the ground may cost.
#[derive(clap::ValueEnum, Clone, Copy, Debug)]
pub enum Quality {
    /// For integrated graphics and browsers.
    Low,
    /// For graphics cards of the middle.
    Medium,
    /// For fast graphics cards.
    High,
}

/// The plugin that draws the terrain. Without a quality, the default of the crate holds.
pub fn render_plugin(quality: Option<Quality>) -> TerrainRenderPlugin {
    let quality = quality.map(|quality| match quality {
        Quality::Low => TerrainQuality::Low,
        Quality::Medium => TerrainQuality::Medium,
        Quality::High => TerrainQuality::High,
    });
    TerrainRenderPlugin::with_quality(quality.unwrap_or_default())
}
