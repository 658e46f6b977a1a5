//! The settings of the light.

use crate::param::{self, Alternative, Choice, Param, ParamError, ParamMut, ParamVisitor, Params};
use crate::ron_edit::{Document, Node};
use crate::settings::{Format, SettingsError, dialect, pretty, read, readable, save_text};
use serde::{Deserialize, Serialize};

/// The settings of the light: where the sun stands, how clear the air is, and how bright the picture.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bevy", derive(bevy::asset::Asset, bevy::reflect::Reflect))]
#[serde(deny_unknown_fields, default)]
pub struct SkySettings {
    /// Where the sun stands. Default: `Angles`.
    pub sun: Sun,
    /// How far one can see: at this distance, 98 % of the contrast of the ground is lost in haze, and a fifth at a quarter of
    /// it. 0 means as far as the camera's view distance, up to 40 km, so that no edge of the world shows. \[Limit: 0 to 300\]
    /// \[Units: km\] Default: 0.
    pub visibility: f64,
    /// How much air there is, compared with the Earth. More air gives a deeper blue, and a redder evening.
    /// \[Limit: 0 to 10\] Default: 1.
    pub air: f64,
    /// How much ozone there is, compared with the Earth. It keeps the sky blue after sunset. \[Limit: 0 to 10\] Default: 1.
    pub ozone: f64,
    /// Color of the ground all around: its light brightens haze, and shade from below. Default: (0.49, 0.46, 0.40).
    pub far_ground: [f32; 3],
    /// Brightens the picture by this number of stops: 1 is twice as bright. The exposure follows the sun, as that of a camera
    /// does. \[Limit: -10 to 10\] \[Units: EV\] Default: 0.
    pub exposure: f64,
    /// How far apart bright and dark parts of the picture are: 1 is as the film has it. \[Limit: 0.5 to 2\] Default: 1.5.
    pub contrast: f64,
    /// How strong the colors of the picture are: 0 is gray. \[Limit: 0 to 2\] Default: 0.95.
    pub saturation: f64,
}

/// Where the sun stands.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bevy", derive(bevy::reflect::Reflect))]
#[non_exhaustive]
pub enum Sun {
    /// In a direction.
    Angles(SunAngles),
    /// Where it is at a time of the year and of the day.
    Time(SunTime),
}

/// A direction in the sky.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bevy", derive(bevy::reflect::Reflect))]
#[serde(deny_unknown_fields, default)]
pub struct SunAngles {
    /// The direction of the sun, clockwise from north, which is -z: 1.57 is east. \[Limit: 0 to 6.3\] \[Units: rad\] Default:
    /// 2.2.
    pub azimuth: f64,
    /// The height of the sun above the horizon. Below 0 it has set. \[Limit: -1.57 to 1.57\] \[Units: rad\] Default: 0.6.
    pub elevation: f64,
}

/// A time and a place on Earth.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bevy", derive(bevy::reflect::Reflect))]
#[serde(deny_unknown_fields, default)]
pub struct SunTime {
    /// The solar time: at 12 the sun is highest. \[Limit: 0 to 24\] \[Units: h\] Default: 10.
    pub hour: f64,
    /// The day of the year: 172 is midsummer in the north. \[Limit: 1 to 366\] Default: 172.
    pub day: f64,
    /// The latitude: positive in the north, where the sun is in the south at noon. \[Limit: -1.57 to 1.57\] \[Units: rad\]
    /// Default: 0.8.
    pub latitude: f64,
}

impl SkySettings {
    /// The extension of sky files.
    pub const FILE_EXTENSION: &str = "sky.ron";

    /// Parses and validates the text of a sky file. Missing fields get their defaults.
    ///
    /// ```
    /// use bevy_perlin_terrain::sky::SkySettings;
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
    /// use bevy_perlin_terrain::sky::SkySettings;
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

impl Default for SkySettings {
    fn default() -> Self {
        Self {
            sun: Sun::default(),
            visibility: 0.0,
            air: 1.0,
            ozone: 1.0,
            far_ground: [0.49, 0.46, 0.40],
            exposure: 0.0,
            contrast: 1.5,
            saturation: 0.95,
        }
    }
}

impl Default for Sun {
    fn default() -> Self {
        Self::Angles(SunAngles::default())
    }
}

impl Default for SunAngles {
    fn default() -> Self {
        Self { azimuth: 2.2, elevation: 0.6 }
    }
}

impl Default for SunTime {
    fn default() -> Self {
        Self { hour: 10.0, day: 172.0, latitude: 0.8 }
    }
}

impl Sun {
    /// Returns the sun with the name that a file has for it, with default values. `None` if there is no such name.
    #[must_use]
    pub fn with_defaults(name: &str) -> Option<Self> {
        match name {
            "Angles" => Some(Self::Angles(SunAngles::default())),
            "Time" => Some(Self::Time(SunTime::default())),
            _ => None,
        }
    }
}

/// Choosing another alternative gives it default values.
impl Choice for Sun {
    fn alternatives(&self) -> &'static [Alternative] {
        &[
            Alternative { name: "Angles", help: "In a direction of your choice." },
            Alternative { name: "Time", help: "Where it is at an hour of a day, somewhere on Earth." },
        ]
    }

    fn chosen(&self) -> usize {
        match self {
            Self::Angles(_) => 0,
            Self::Time(_) => 1,
        }
    }

    fn choose(&mut self, index: usize) {
        if index != self.chosen()
            && let Some(alternative) = self.alternatives().get(index)
            && let Some(sun) = Self::with_defaults(alternative.name)
        {
            *self = sun;
        }
    }
}

static SUN: Param = Param::free("sun", "Where the sun stands.");
static AZIMUTH: Param =
    Param::new("azimuth", "rad", 0.0, 6.3, "The direction of the sun, clockwise from north: 1.57 is east.");
static ELEVATION: Param =
    Param::new("elevation", "rad", -1.57, 1.57, "The height of the sun above the horizon. Below 0 it has set.");
static HOUR: Param = Param::new("hour", "h", 0.0, 24.0, "The solar time: at 12 the sun is highest.");
static DAY: Param = Param::new("day", "", 1.0, 366.0, "The day of the year: 172 is midsummer in the north.");
static LATITUDE: Param = Param::new("latitude", "rad", -1.57, 1.57, "The latitude: positive in the north.");
static VISIBILITY: Param = Param::new(
    "visibility",
    "km",
    0.0,
    300.0,
    "How far one can see through the haze. 0 means the view distance, up to 40 km.",
);
static AIR: Param =
    Param::new("air", "", 0.0, 10.0, "More air gives a deeper blue, and a redder evening. 1 is the Earth.");
static OZONE: Param = Param::new("ozone", "", 0.0, 10.0, "Ozone keeps the sky blue after sunset. 1 is the Earth.");
static FAR_GROUND: Param =
    Param::color("far_ground", "Color of the ground all around. Its light brightens haze, and shade from below.");
static EXPOSURE: Param =
    Param::new("exposure", "EV", -10.0, 10.0, "Brightens the picture by this number of stops: 1 is twice as bright.");
static CONTRAST: Param =
    Param::new("contrast", "", 0.5, 2.0, "How far apart bright and dark parts of the picture are.");
static SATURATION: Param =
    Param::new("saturation", "", 0.0, 2.0, "How strong the colors of the picture are: 0 is gray.");

impl Params for SkySettings {
    fn visit(&mut self, visitor: &mut ParamVisitor<'_>) {
        visitor.param(&SUN, ParamMut::Choice(&mut self.sun));
        visitor.nested("sun", &mut self.sun);
        visitor.param(&VISIBILITY, ParamMut::Float(&mut self.visibility));
        visitor.param(&AIR, ParamMut::Float(&mut self.air));
        visitor.param(&OZONE, ParamMut::Float(&mut self.ozone));
        visitor.param(&FAR_GROUND, ParamMut::Color(&mut self.far_ground));
        visitor.param(&EXPOSURE, ParamMut::Float(&mut self.exposure));
        visitor.param(&CONTRAST, ParamMut::Float(&mut self.contrast));
        visitor.param(&SATURATION, ParamMut::Float(&mut self.saturation));
    }
}

impl Params for Sun {
    fn visit(&mut self, visitor: &mut ParamVisitor<'_>) {
        match self {
            Self::Angles(angles) => {
                visitor.param(&AZIMUTH, ParamMut::Float(&mut angles.azimuth));
                visitor.param(&ELEVATION, ParamMut::Float(&mut angles.elevation));
            }
            Self::Time(time) => {
                visitor.param(&HOUR, ParamMut::Float(&mut time.hour));
                visitor.param(&DAY, ParamMut::Float(&mut time.day));
                visitor.param(&LATITUDE, ParamMut::Float(&mut time.latitude));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
