//! The settings of the light.

use crate::param::{self, ParamError, params};
use crate::ron_edit::{Document, Node};
use crate::settings::{Format, SettingsError, dialect, pretty, read, readable, save_text};
use serde::{Deserialize, Serialize};

/// The settings of the light: where the sun stands, how clear the air is, and how bright the picture.
#[params]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bevy", derive(bevy::asset::Asset, bevy::reflect::Reflect))]
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
    /// Color of the ground all around. Its light brightens haze, and shade from below.
    #[param(default = [0.49, 0.46, 0.40])]
    pub far_ground: [f32; 3],
    /// Brightens the picture by this number of stops: 1 is twice as bright.
    ///
    /// The exposure follows the sun, as that of a camera does.
    #[param(default = 0.0, range = -10.0..=10.0, unit = "EV")]
    pub exposure: f64,
    /// How far apart bright and dark parts of the picture are: 1 is as the film has it.
    #[param(default = 1.5, range = 0.5..=2.0)]
    pub contrast: f64,
    /// How strong the colors of the picture are: 0 is gray.
    #[param(default = 0.95, range = 0.0..=2.0)]
    pub saturation: f64,
}

/// Where the sun stands.
#[params]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bevy", derive(bevy::reflect::Reflect))]
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
#[cfg_attr(feature = "bevy", derive(bevy::reflect::Reflect))]
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
#[cfg_attr(feature = "bevy", derive(bevy::reflect::Reflect))]
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

    /// Parses and validates the text of a sky file. Missing fields get their defaults.
    ///
    /// ```
    /// use bevy_perlin_terrain::light::SkySettings;
    ///
    /// let evening = SkySettings::from_ron("(sun: Time(hour: 19.5, latitude: 0.8), visibility: 60.0)").unwrap();
    /// assert!(evening.sun.elevation() < 0.1);
    ///
    /// let error = SkySettings::from_ron("(\n  sun: Angles(elevation: 2.0),\n)").unwrap_err();
    /// assert_eq!(error.to_string(), "2:26: `sun.elevation` is 2.0, allowed: -1.57 to 1.57 rad");
    /// ```
    ///
    /// # Errors
    ///
    /// Returns up to twenty problems of the text, in the order of the file, with the place and what is allowed.
    pub fn from_ron(text: &str) -> Result<Self, SettingsError> {
        read::<Self, _>(&readable(text)?, &Format { example: example_of, check: Self::validate })
    }

    /// Returns the settings as the text of a new file, without comments.
    #[must_use]
    pub fn to_ron(&self) -> String {
        pretty(self)
    }

    /// Writes the settings into `text`, the text of an existing sky file, and returns the result.
    ///
    /// Replaces only the values that differ. Comments, order and layout stay. A field that `text` does not have is added if its
    /// value is not the default. If `text` is invalid, the result is that of [`to_ron`](Self::to_ron).
    ///
    /// ```
    /// use bevy_perlin_terrain::light::SkySettings;
    ///
    /// let text = "(\n  visibility: 30.0, // a little haze\n)";
    /// let mut settings = SkySettings::from_ron(text).unwrap();
    /// settings.visibility = 12.0;
    /// assert_eq!(settings.save_into(text), "(\n  visibility: 12.0, // a little haze\n)");
    /// ```
    #[must_use]
    pub fn save_into(&self, text: &str) -> String {
        let read = |file: &Document<'_>| dialect().from_str::<Self>(file.text()).ok();
        save_text(text, &self.to_ron(), |file| read(file).map(|settings| settings.to_ron()))
    }

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

/// Default settings with the sun of a file, to look up what a parameter allows.
fn example_of(file: &Document<'_>, _: &str) -> SkySettings {
    let sun = file.find("sun").map(Node::first_word).and_then(Sun::with_defaults);
    SkySettings { sun: sun.unwrap_or_default(), ..SkySettings::default() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::param::Choice;

    #[test]
    fn sky_files_are_read_and_every_mistake_has_its_place() {
        assert_eq!(SkySettings::from_ron("()"), Ok(SkySettings::default()));
        let text = "(sun: Time(hour: 6.5), visibility: 12.0, far_ground: (0.1, 0.2, 0.3), exposure: -1)";
        let settings = SkySettings::from_ron(text).expect("the text is valid");
        assert_eq!(settings.sun, Sun::Time(SunTime { hour: 6.5, ..SunTime::default() }));
        assert_eq!((settings.visibility, settings.exposure), (12.0, -1.0));
        let problems = |text: &str| {
            let error = SkySettings::from_ron(text).expect_err("the text is wrong");
            error.problems.iter().map(ToString::to_string).collect::<Vec<_>>()
        };
        assert_eq!(
            problems("(\n  sun: Time(hour: 25.0, latitude: \"north\"),\n  visibilty: 3.0,\n  air: -1.0)"),
            [
                "2:19: `sun.hour` is 25.0, allowed: 0 to 24 h",
                "2:35: `sun.latitude` is \"north\", allowed: a number, -1.57 to 1.57 rad",
                "3:3: unknown field `visibilty`, did you mean `visibility`? allowed: visibility, sun, air, contrast, ozone or 3 more",
                "4:8: `air` is -1.0, allowed: 0 to 10",
            ]
        );
        assert_eq!(problems("(sun: Moon())"), ["1:7: `sun` is Moon(), allowed: Angles, Time"]);
        assert_eq!(problems(" ").len(), 1);
        let preset = include_str!("../../assets/sky/morning.sky.ron");
        assert!(SkySettings::from_ron(preset).is_ok());
    }

    #[test]
    fn saving_keeps_the_comments_of_a_sky_file() {
        let text =
            "\u{feff}// dawn\n(\n    sun: Time(hour: 6.5, /* May */ day: 130.0), // low\n    exposure: 0.5,\n)\n";
        let settings = SkySettings::from_ron(text).expect("the text is valid");
        assert_eq!(settings.save_into(text), text);
        let mut edited = settings.clone();
        edited.sun = Sun::Time(SunTime { hour: 7.25, ..SunTime { day: 130.0, ..SunTime::default() } });
        edited.air = 2.0;
        let expected = text.replace("6.5", "7.25").replace("(\n    sun", "(\n    air: 2.0,\n    sun");
        assert_eq!(edited.save_into(text), expected);
        edited.sun = Sun::Angles(SunAngles { elevation: 0.25, ..SunAngles::default() });
        let saved = edited.save_into(text);
        assert_eq!(SkySettings::from_ron(&saved), Ok(edited.clone()));
        assert!(saved.starts_with("\u{feff}// dawn\n(") && saved.contains("), // low\n"), "{saved}");
        for broken in ["", "()", "(sun: ", "(sun: Moon())"] {
            assert_eq!(SkySettings::from_ron(&edited.save_into(broken)), Ok(edited.clone()), "into {broken:?}");
        }
    }

    #[test]
    fn choosing_another_sun_gives_it_default_values() {
        let mut sun = Sun::default();
        sun.choose(1);
        assert_eq!(sun, Sun::Time(SunTime::default()));
        sun.choose(7);
        assert_eq!(sun.chosen(), 1);
    }
}
