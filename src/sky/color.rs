//! Light as colors for the renderer.

use crate::light::SkySettings;
use bevy::prelude::*;

/// A radiance, as the camera shows it.
pub(super) fn exposed(settings: &SkySettings, radiance: [f64; 3]) -> Color {
    linear(radiance.map(|part| part * exposure(settings)))
}

/// The factor by which a radiance is multiplied for the image.
pub(super) fn exposure(settings: &SkySettings) -> f64 {
    // Bevy's exposure: 1.2 is the attenuation of a lens.
    (-settings.exposure_value()).exp2() / 1.2
}

/// A color from linear parts.
pub(super) fn linear([red, green, blue]: [f64; 3]) -> Color {
    Color::linear_rgb(red as f32, green as f32, blue as f32)
}
