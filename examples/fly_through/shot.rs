//! Shot lists: the pictures to take, or the views to measure.

use bevy_perlin_terrain::stream::TerrainState;
use serde::Deserialize;
use std::path::Path;

/// The vertical field of view of all cameras, in radians.
pub const FIELD_OF_VIEW: f32 = 0.95;

/// One picture.
#[derive(Deserialize, Clone, Debug)]
#[serde(deny_unknown_fields)]
pub struct Shot {
    /// The name of the picture's file, without `.png`.
    pub name: String,
    /// The settings of the ground: a path below `assets/`, or any file.
    pub settings: String,
    /// x and z of the place in metres, height above the ground in metres, yaw and pitch in degrees.
    pub camera: [f64; 5],
    /// Azimuth and elevation of the sun in degrees.
    pub sun: [f64; 2],
    #[serde(default = "view")]
    pub view: f32,
    /// Width and height in pixels.
    #[serde(default = "size")]
    pub size: [u32; 2],
    /// How far one can see, in kilometres. 0 means the view distance.
    #[serde(default)]
    pub visibility: f64,
    /// Stops by which the picture is brighter.
    #[serde(default)]
    pub exposure: f64,
}

const fn view() -> f32 {
    16_000.0
}

const fn size() -> [u32; 2] {
    [1920, 1080]
}

/// Reads the shots of a list with `only` in their names.
pub fn read_shots(list: &Path, only: Option<&str>) -> Result<Vec<Shot>, String> {
    let in_list = |error: String| format!("{}: {error}", list.display());
    let text = std::fs::read_to_string(list).map_err(|error| in_list(error.to_string()))?;
    let mut shots: Vec<Shot> = ron::from_str(&text).map_err(|error| in_list(error.to_string()))?;
    shots.retain(|shot| only.is_none_or(|only| shot.name.contains(only)));
    if shots.is_empty() {
        return Err(in_list("there is no such shot".to_owned()));
    }
    Ok(shots)
}

/// The surface at a place where the ground has this height: that of the water where it covers the ground.
pub fn surface(terrain: &TerrainState, ground: f32) -> f32 {
    let look = terrain.settings().map(|settings| &settings.look).filter(|look| look.water);
    look.map_or(ground, |look| ground.max(look.water_height as f32))
}
