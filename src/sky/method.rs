//! The two ways to draw a sky.

use crate::light::SkySettings;
use crate::light::sun::SUNLIGHT;
use bevy::prelude::*;

/// How skies are drawn. [`TerrainSkyPlugin`](super::TerrainSkyPlugin) chooses it when the app starts; cameras that have a sky keep theirs.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum SkyMethod {
    /// As Bevy's atmosphere. Needs compute shaders that write textures; without them, there is no sky.
    Atmosphere,
    /// As a dome with colors of its own. Costs less, and runs everywhere.
    #[default]
    Dome,
}

impl SkyMethod {
    /// The light of the sun in lux for red, green and blue, as it leaves the [`DirectionalLight`].
    pub(super) fn sunlight(self, settings: &SkySettings) -> [f64; 3] {
        match self {
            // Bevy reddens the light on its way through the air. What dims the sun dims the whole sky too, also between clouds. After sunset, its sky does not grow dark enough: each degree
            // takes a part of what is left, so that the sky and its haze fade together.
            Self::Atmosphere => {
                let degrees = settings.sun.elevation().to_degrees().min(0.0);
                [SUNLIGHT * settings.clouds.daylight() * (0.6 * degrees).exp(); 3]
            }
            Self::Dome => settings.sunlight().map(|part| SUNLIGHT * part),
        }
    }
}
