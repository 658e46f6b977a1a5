//! Haze: fog with the colors of the sky at the horizon.
//!
//! Bevy's atmosphere could have the haze too. But it looks light up by division of two transmittances, and through haze both
//! are too small for its textures near the horizon.

use super::camera::SkyInForce;
use super::color::{exposed, linear};
use super::method::SkyMethod;
use crate::sky::SkySettings;
use bevy::prelude::*;

/// Gives each camera with new settings its haze.
pub(super) fn update_haze(
    mut commands: Commands,
    cameras: Query<(Entity, &SkyInForce), Changed<SkyInForce>>,
    method: Res<SkyMethod>,
) {
    for (camera, sky) in &cameras {
        let settings = &sky.settings;
        let [toward_sun, beside_sun] = horizon(settings).map(|direction| settings.radiance(direction));
        // Bevy multiplies this color by the light of the sun. Most of the glow is above the haze.
        let light = method.sunlight(settings);
        let glow = std::array::from_fn(|i| 0.3 * (toward_sun[i] - beside_sun[i]).max(0.0) / light[i].max(1e-6));
        commands.entity(camera).try_insert(DistanceFog {
            color: exposed(settings, beside_sun),
            directional_light_color: linear(glow),
            directional_light_exponent: 8.0,
            falloff: FogFalloff::ExponentialSquared { density: settings.haze(sky.view_distance.into()) as f32 },
        });
    }
}

/// Two directions at the horizon: below the sun, and at a right angle to it.
pub(super) fn horizon(settings: &SkySettings) -> [[f64; 3]; 2] {
    let [x, _, z] = settings.sun.direction();
    let length = (x * x + z * z).sqrt();
    let (x, z) = if length > 1e-6 { (x / length, z / length) } else { (0.0, -1.0) };
    [[x, 0.0, z], [-z, 0.0, x]]
}
