//! Light as colors for the renderer.

use crate::light::SkySettings;
use bevy::prelude::*;

/// A radiance, as the camera shows it.
pub(super) fn exposed(settings: &SkySettings, radiance: [f64; 3]) -> Color {
    // Bevy's exposure: 1.2 is the attenuation of a lens.
    let exposure = (-settings.exposure_value()).exp2() / 1.2;
    linear(radiance.map(|part| part * exposure))
}

/// A color from linear parts.
pub(super) fn linear([red, green, blue]: [f64; 3]) -> Color {
    Color::linear_rgb(red as f32, green as f32, blue as f32)
}
