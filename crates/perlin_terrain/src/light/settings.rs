//! The settings of the light.

use crate::param::{self, ParamError, params};
use serde::{Deserialize, Serialize};

/// The settings of the light: where the sun stands, how clear the air is, what clouds there are, how the wind blows, and how bright the image
/// is.
#[params]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bevy_reflect", derive(bevy_reflect::Reflect))]
#[cfg_attr(feature = "bevy_asset", derive(bevy_asset::Asset))]
#[serde(deny_unknown_fields, default)]
pub struct SkySettings {
    /// Where the sun stands.
    #[param(default = Sun::Angles(SunAngles::default()))]
    pub sun: Sun,
    /// How far one can see through the haze. 0 means as far as the view distance, up to 40 km, so that no edge of the world shows.
    ///
    /// At this distance, 98 % of the contrast of the ground is lost in haze, and a fifth at a quarter of it. The view distance is
    /// that of the camera.
    #[param(default = 0.0, range = 0.0..=300.0, unit = "km")]
    pub visibility: f64,
    /// How much air there is: 1 is the Earth. More air gives a deeper blue, and a redder evening.
    #[param(default = 1.0, range = 0.0..=10.0)]
    pub air: f64,
    /// How much ozone there is: 1 is the Earth. It keeps the sky blue after sunset.
    #[param(default = 1.0, range = 0.0..=10.0)]
    pub ozone: f64,
    /// The clouds.
    pub clouds: Clouds,
    /// The wind.
    pub wind: Wind,
    /// Color of the ground all around. Its light brightens haze, and shade from below.
    #[param(default = [0.49, 0.46, 0.40])]
    pub far_ground: [f32; 3],
    /// Brightens the image by this number of stops: 1 is twice as bright.
    ///
    /// The exposure follows the sun, as that of a camera does.
    #[param(default = 0.0, range = -10.0..=10.0, unit = "EV")]
    pub exposure: f64,
    /// How far apart bright and dark parts of the image are: 1 is as the film has it.
    #[param(default = 1.5, range = 0.5..=2.0)]
    pub contrast: f64,
    /// How strong the colors of the image are: 0 is gray.
    #[param(default = 0.95, range = 0.0..=2.0)]
    pub saturation: f64,
}

/// A deck of clouds.
#[params]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bevy_reflect", derive(bevy_reflect::Reflect))]
#[serde(deny_unknown_fields, default)]
pub struct Clouds {
    /// How much of the sky they hide: 0 is a clear sky, 1 an overcast one.
    #[param(default = 0.4, range = 0.0..=1.0)]
    pub cover: f64,
    /// How high they are above the height 0 of the terrain. Above them, none are seen.
    #[param(default = 1500.0, range = 100.0..=15_000.0, unit = "m")]
    pub height: f64,
    /// How large a cloud is, about.
    #[param(default = 3000.0, range = 300.0..=25_000.0, unit = "m")]
    pub size: f64,
}

/// The wind. It moves clouds, waves and plants.
#[params]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bevy_reflect", derive(bevy_reflect::Reflect))]
#[serde(deny_unknown_fields, default)]
pub struct Wind {
    /// How fast it is: 0 is calm, 6 moves branches, 20 is a storm.
    #[param(default = 6.0, range = 0.0..=60.0, unit = "m/s")]
    pub speed: f64,
    /// Where it blows to, clockwise from north, which is -z: 1.57 is east.
    #[param(default = 1.2, range = 0.0..=6.3, unit = "rad")]
    pub toward: f64,
}

/// Where the sun stands.
#[params]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bevy_reflect", derive(bevy_reflect::Reflect))]
#[non_exhaustive]
pub enum Sun {
    /// In a direction of your choice.
    #[default]
    Angles(SunAngles),
    /// Where it is at an hour of a day, somewhere on Earth.
    Time(SunTime),
}

/// A direction in the sky.
#[params]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bevy_reflect", derive(bevy_reflect::Reflect))]
#[serde(deny_unknown_fields, default)]
pub struct SunAngles {
    /// The direction of the sun, clockwise from north, which is -z: 1.57 is east.
    #[param(default = 2.2, range = 0.0..=6.3, unit = "rad")]
    pub azimuth: f64,
    /// The height of the sun above the horizon. Below 0 it has set.
    #[param(default = 0.6, range = -1.57..=1.57, unit = "rad")]
    pub elevation: f64,
}

/// A time and a place on Earth.
#[params]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bevy_reflect", derive(bevy_reflect::Reflect))]
#[serde(deny_unknown_fields, default)]
pub struct SunTime {
    /// The solar time: at 12 the sun is highest.
    #[param(default = 10.0, range = 0.0..=24.0, unit = "h")]
    pub hour: f64,
    /// The day of the year: 172 is midsummer in the north.
    #[param(default = 172.0, range = 1.0..=366.0)]
    pub day: f64,
    /// The latitude: positive in the north, where the sun is in the south at noon.
    #[param(default = 0.8, range = -1.57..=1.57, unit = "rad")]
    pub latitude: f64,
}

impl SkySettings {
    /// The extension of sky files.
    pub const FILE_EXTENSION: &str = "sky.ron";

    /// Checks that every number is within its documented range.
    ///
    /// # Errors
    ///
    /// One for each number out of its range, with the path of the parameter and the range.
    pub fn validate(&self) -> Result<(), Vec<ParamError>> {
        let errors = param::check(&mut self.clone());
        if errors.is_empty() { Ok(()) } else { Err(errors) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::param::Choice;

    #[test]
    fn choosing_another_sun_gives_it_default_values() {
        let mut sun = Sun::default();
        sun.choose(1);
        assert_eq!(sun, Sun::Time(SunTime::default()));
        sun.choose(7);
        assert_eq!(sun.chosen(), 1);
    }
}
