//! Haze: fog with the colors of the sky at the horizon.
//!
//! Bevy's atmosphere could have the haze too. But it looks light up by division of two transmittances, and through haze both
//! are too small for its textures near the horizon.

use super::camera::{CurrentSky, GivenBySky};
use super::color::{exposed, linear};
use super::method::SkyMethod;
use super::underwater::{CurrentWater, WaterAround};
use crate::light::SkySettings;
use crate::light::sun::mixed;
use bevy::prelude::*;

/// How fast the glow around the sun fades with the angle: the exponent of its cosine.
pub(super) const GLOW_EXPONENT: f32 = 8.0;

/// The color of haze.
#[derive(Clone, Copy, Debug)]
pub(super) struct HazeColor {
    /// The radiance at a right angle to the sun.
    pub base: [f64; 3],
    /// The additional light from the direction of the sun.
    pub glow: [f64; 3],
}

impl HazeColor {
    pub fn new(settings: &SkySettings) -> Self {
        let [x, _, z] = settings.sun.direction();
        let length = (x * x + z * z).sqrt();
        let (x, z) = if length > 1e-6 { (x / length, z / length) } else { (0.0, -1.0) };
        let [toward, across] = [[x, 0.0, z], [-z, 0.0, x]].map(|direction| settings.radiance(direction));
        // Below clouds, haze has their color, and the sun does not shine through it.
        let (cover, clouds) = (settings.clouds.cover, settings.cloud_radiance().shaded);
        Self {
            base: mixed(across, clouds, cover),
            // Most of the glow is above the haze.
            glow: std::array::from_fn(|i| 0.3 * (1.0 - cover) * (toward[i] - across[i]).max(0.0)),
        }
    }

    /// The same for Bevy.
    pub fn fog(self, settings: &SkySettings, method: SkyMethod) -> DistanceFog {
        // Bevy multiplies the second color by the light of the sun.
        let light = method.sunlight(settings);
        DistanceFog {
            color: exposed(settings, self.base),
            directional_light_color: linear(std::array::from_fn(|i| self.glow[i] / light[i].max(1e-6))),
            directional_light_exponent: GLOW_EXPONENT,
            ..default()
        }
    }
}

/// Gives each camera with new settings its haze, or the color of the water that it is in.
pub(super) fn update_haze(
    mut commands: Commands,
    cameras: Query<
        (Entity, &CurrentSky, &GivenBySky, Option<&CurrentWater>),
        Or<(Changed<CurrentSky>, Changed<CurrentWater>)>,
    >,
    method: Res<SkyMethod>,
) {
    for (camera, sky, _, water) in cameras.iter().filter(|(_, _, given, _)| given.fog) {
        let settings = &sky.settings;
        let fog = match water.and_then(|water| water.0) {
            Some(WaterAround { radiance, absorption }) => DistanceFog {
                color: exposed(settings, radiance),
                falloff: FogFalloff::Atmospheric { extinction: absorption, inscattering: absorption },
                ..default()
            },
            None => DistanceFog {
                falloff: FogFalloff::ExponentialSquared { density: settings.haze(sky.view_distance.into()) as f32 },
                ..HazeColor::new(settings).fog(settings, *method)
            },
        };
        commands.entity(camera).try_insert(fog);
    }
}
