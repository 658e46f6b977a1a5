//! The text of `.sky.ron` files.

use super::diagnosis::Format;
use super::error::SettingsError;
use super::file::{dialect, pretty};
use super::parse::{read, readable};
use super::save::save_text;
use crate::light::{SkySettings, Sun};
use crate::ron_edit::{Document, Node};

impl SkySettings {
    /// Parses and validates the text of a sky file. Missing fields get their defaults.
    ///
    /// ```
    /// use perlin_terrain::light::SkySettings;
    ///
    /// let text = "(sun: Time(hour: 19.5, latitude: 0.8), visibility: 60.0)";
    /// let evening = SkySettings::from_ron(text).expect("the text is valid");
    /// assert!(evening.sun.elevation() < 0.1);
    ///
    /// let error = SkySettings::from_ron("(\n  sun: Angles(elevation: 2.0),\n)").unwrap_err();
    /// assert_eq!(error.to_string(), "2:26: `sun.elevation` is 2.0, allowed: -1.57 to 1.57 rad");
    /// ```
    ///
    /// # Errors
    ///
    /// Returns up to twenty problems of the text, in the order of the file, with the position and what is allowed.
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
    /// use perlin_terrain::light::SkySettings;
    ///
    /// let text = "(\n  visibility: 30.0, // a little haze\n)";
    /// let mut settings = SkySettings::from_ron(text).expect("the text is valid");
    /// settings.visibility = 12.0;
    /// assert_eq!(settings.save_into(text), "(\n  visibility: 12.0, // a little haze\n)");
    /// ```
    #[must_use]
    pub fn save_into(&self, text: &str) -> String {
        let read = |file: &Document<'_>| dialect().from_str::<Self>(file.text()).ok();
        save_text(text, &self.to_ron(), |file| read(file).map(|settings| settings.to_ron()))
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
    use crate::light::{SunAngles, SunTime};

    #[test]
    fn sky_files_are_read_and_every_mistake_has_its_position() {
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
                "3:3: unknown field `visibilty`, did you mean `visibility`? allowed: visibility, sun, air, wind, contrast or 5 more",
                "4:8: `air` is -1.0, allowed: 0 to 10",
            ]
        );
        assert_eq!(
            problems("(\n  clouds: (cover: 1.5, hieght: 900.0),\n  wind: (speed: fast))"),
            [
                "2:19: `clouds.cover` is 1.5, allowed: 0 to 1",
                "2:24: unknown field `hieght`, did you mean `height`? allowed: cover, height, size",
                "3:17: `wind.speed` is fast, allowed: a number, 0 to 60 m/s",
            ]
        );
        assert_eq!(problems("(sun: Moon())"), ["1:7: `sun` is Moon(), allowed: Angles, Time"]);
        assert_eq!(problems(" ").len(), 1);
        let preset = include_str!("../../../../assets/sky/morning.sky.ron");
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
}
