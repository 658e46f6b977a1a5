//! Shot lists: the images to take, or the views to measure.

use bevy_perlin_terrain::light::Clouds;
use clap::Args;
use serde::Deserialize;
use std::path::PathBuf;

/// A shot list, or some of its shots.
#[derive(Args)]
pub struct ShotList {
    /// The shot list.
    #[arg(long, value_name = "FILE", default_value = "crates/studio/shots.ron")]
    pub shots: PathBuf,
    /// Only the shots with this text in their names.
    #[arg(long, value_name = "TEXT")]
    pub only: Option<String>,
}

/// One image.
#[derive(Deserialize, Clone, Debug)]
#[serde(deny_unknown_fields)]
pub struct Shot {
    /// The name of the image's file, without `.png`.
    pub name: String,
    /// The settings of the ground: a path below `assets/`, or any file.
    pub settings: String,
    /// x and z of the position in metres, height above the ground in metres, yaw and pitch in degrees.
    pub camera: [f64; 5],
    /// Azimuth and elevation of the sun in degrees.
    pub sun: [f64; 2],
    #[serde(default = "view")]
    pub view: f32,
    /// Width and height in pixels.
    #[serde(default = "full_hd")]
    pub size: [u32; 2],
    /// How far one can see, in kilometres. 0 means the view distance.
    #[serde(default)]
    pub visibility: f64,
    /// Stops by which the image is brighter.
    #[serde(default)]
    pub exposure: f64,
    /// As in a sky file.
    #[serde(default)]
    pub clouds: Clouds,
}

const fn view() -> f32 {
    16_000.0
}

const fn full_hd() -> [u32; 2] {
    [1920, 1080]
}

impl ShotList {
    /// Reads the shots. Returns an error if there are none.
    pub fn read(&self) -> Result<Vec<Shot>, String> {
        let in_list = |error: String| format!("{}: {error}", self.shots.display());
        let text = std::fs::read_to_string(&self.shots).map_err(|error| in_list(error.to_string()))?;
        let mut shots: Vec<Shot> = ron::from_str(&text).map_err(|error| in_list(error.to_string()))?;
        shots.retain(|shot| self.only.as_ref().is_none_or(|only| shot.name.contains(only)));
        if shots.is_empty() {
            return Err(in_list("there is no such shot".to_owned()));
        }
        Ok(shots)
    }
}

/// Parses a size in pixels, such as `1920x1080`.
pub fn size(text: &str) -> Result<[u32; 2], String> {
    let (width, height) = text.split_once('x').ok_or("expected two numbers, separated by an x")?;
    let number = |text: &str| match text.trim().parse() {
        Ok(number @ 1..=16_384) => Ok(number),
        Ok(number) => Err(format!("{number}: allowed: 1 to 16384")),
        Err(error) => Err(format!("{text}: {error}")),
    };
    Ok([number(width)?, number(height)?])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(only: &str) -> ShotList {
        ShotList { shots: concat!(env!("CARGO_MANIFEST_DIR"), "/shots.ron").into(), only: Some(only.to_owned()) }
    }

    #[test]
    fn every_shot_shows_a_preset_that_exists() {
        let shots = list("").read().expect("the list is valid");
        let assets = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets"));
        for shot in &shots {
            assert!(assets.join(&shot.settings).is_file(), "{}: there is no {}", shot.name, shot.settings);
        }
    }

    #[test]
    fn only_names_the_shots_to_take() {
        let shots = list("_noon").read().expect("the list has such shots");
        assert!(shots.iter().all(|shot| shot.name.ends_with("_noon")), "{shots:?}");
        assert!(list("midnight").read().is_err_and(|error| error.contains("there is no such shot")));
    }

    #[test]
    fn a_size_has_a_width_and_a_height_within_limits() {
        assert_eq!(size("640x360"), Ok([640, 360]));
        for wrong in ["640", "640x", "0x360", "640x20000", "-1x2"] {
            assert!(size(wrong).is_err(), "{wrong}");
        }
    }
}
