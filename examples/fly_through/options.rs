//! The command line.

use crate::assets::asset_path;
use crate::quality::Quality;
use crate::tour::preset_of;
use bevy::prelude::*;
use bevy_perlin_terrain::chunk::LodSettings;
use bevy_perlin_terrain::prelude::*;
use bevy_perlin_terrain::sky::{SkyMethod, TerrainSkyPlugin};
use clap::Parser;
use std::path::PathBuf;

/// Fly over endless terrain.
#[derive(Parser, Resource, Clone)]
pub struct Options {
    /// The settings file: any file, or a path below `assets/`.
    #[arg(long, value_name = "FILE", default_value = "terrain/alps.terrain.ron")]
    pub settings: String,
    /// The file with the light: any file, or a path below `assets/`.
    #[arg(long, value_name = "FILE", default_value = "sky/morning.sky.ron")]
    pub sky: String,
    /// How to draw the sky. Without it, the device decides.
    #[arg(long, value_enum)]
    pub sky_method: Option<Method>,
    /// Flies a fixed path for N frames, then ends.
    #[arg(long, value_name = "N")]
    pub frames: Option<u32>,
    /// Saves the last frame as a picture, or with --headless a map. Without --frames, the flight ends after 300 frames.
    #[arg(long, value_name = "FILE")]
    pub screenshot: Option<PathBuf>,
    /// Flies without a window or a GPU.
    #[arg(long)]
    pub headless: bool,
    /// The view distance in metres. Default: that of the preset, or 8000.
    #[arg(long, value_name = "METRES")]
    pub view: Option<f32>,
    /// The start of the camera: x, height above the ground and z in metres, yaw and pitch in degrees.
    #[arg(long, value_name = "X,UP,Z,YAW,PITCH", value_parser = five_numbers, allow_hyphen_values = true)]
    pub camera: Option<Numbers>,
    /// The terrain position to start from: x and z in metres. Any distance works.
    #[arg(long, value_name = "X,Z", value_parser = place, allow_hyphen_values = true, default_value = "0,0")]
    pub origin: Place,
    /// The screen-space error in pixels, from 0 to 100. Overrides `lod.pixel_error` of the file. A larger value draws fewer
    /// triangles; 0 draws full detail everywhere.
    #[arg(long, value_name = "PIXELS", value_parser = pixel_error)]
    pub pixel_error: Option<f64>,
    /// How to draw the ground.
    #[arg(long, value_enum, default_value_t)]
    pub show: Shown,
    /// What drawing the ground may cost. Default: high, and low in browsers.
    #[arg(long, value_enum)]
    pub quality: Option<Quality>,
    /// Starts with the inspector open.
    #[arg(long)]
    pub inspector: bool,
    /// The size of the window in pixels.
    #[arg(long, value_name = "WIDTHxHEIGHT", value_parser = two_numbers, default_value = "1280x720")]
    pub window: [u32; 2],
    /// Hides the statistics and the list of keys.
    #[arg(long)]
    pub bare: bool,
    /// Takes the pictures of a shot list, without a window, and ends.
    #[arg(long, value_name = "FILE")]
    pub stills: Option<PathBuf>,
    /// The folder for these pictures.
    #[arg(long, value_name = "FOLDER", default_value = "stills", requires = "stills")]
    pub folder: PathBuf,
    /// Takes only the shots with this text in their names.
    #[arg(long, value_name = "TEXT", requires = "stills")]
    pub only: Option<String>,
    /// Multiplies the width and the height of all pictures. The ground keeps the detail of the full size.
    #[arg(long, value_name = "FACTOR", default_value_t = 1.0, requires = "stills")]
    pub scale: f32,
    /// Takes only a piece of each picture, in pixels of the full size.
    #[arg(long, value_name = "X,Y,WIDTH,HEIGHT", value_parser = four_numbers, requires = "stills")]
    pub crop: Option<[u32; 4]>,
    /// Takes small and rough pictures: 640 pixels wide, 6 pixels of error, and shadows nearby only.
    #[arg(long, requires = "stills")]
    pub fast: bool,
    /// Measures the PNG files in a folder, or compares them with those in a second one, and ends.
    #[arg(long, value_name = "FOLDER", num_args = 1..=2)]
    pub gauges: Option<Vec<PathBuf>>,
}

/// How the ground is drawn.
#[derive(clap::ValueEnum, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Shown {
    /// The normal look.
    #[default]
    Look,
    /// One color per level of detail.
    Levels,
    /// Colors by morph factor.
    Morph,
    /// The normal look with the borders of chunks.
    Borders,
}

/// How the sky is drawn.
#[derive(clap::ValueEnum, Clone, Copy, Debug)]
pub enum Method {
    /// As Bevy's atmosphere.
    Atmosphere,
    /// As a dome, as in a browser.
    Dome,
}

/// Five numbers, separated by commas.
pub type Numbers = [f32; 5];

fn five_numbers(text: &str) -> Result<Numbers, String> {
    let numbers: Result<Vec<f32>, _> = text.split(',').map(|number| number.trim().parse()).collect();
    let numbers = numbers.map_err(|error| error.to_string())?;
    numbers.try_into().map_err(|numbers: Vec<f32>| format!("expected five numbers, found {}", numbers.len()))
}

fn four_numbers(text: &str) -> Result<[u32; 4], String> {
    let numbers: Result<Vec<u32>, _> = text.split(',').map(|number| number.trim().parse()).collect();
    let numbers = numbers.map_err(|error| error.to_string())?;
    numbers.try_into().map_err(|numbers: Vec<u32>| format!("expected four numbers, found {}", numbers.len()))
}

/// A position on the terrain: x and z in metres.
pub type Place = [f64; 2];

fn place(text: &str) -> Result<Place, String> {
    let (x, z) = text.split_once(',').ok_or("expected two numbers, separated by a comma")?;
    let number = |text: &str| text.trim().parse().map_err(|error| format!("{text}: {error}"));
    Ok([number(x)?, number(z)?])
}

fn two_numbers(text: &str) -> Result<[u32; 2], String> {
    let (width, height) = text.split_once('x').ok_or("expected two numbers, separated by an x")?;
    let number = |text: &str| text.trim().parse().map_err(|error| format!("{text}: {error}"));
    Ok([number(width)?, number(height)?])
}

/// Parses a pixel error and checks it like that of a settings file.
fn pixel_error(text: &str) -> Result<f64, String> {
    let pixel_error = text.parse().map_err(|error: std::num::ParseFloatError| error.to_string())?;
    let settings = TerrainSettings { lod: LodSettings { pixel_error, ..default() }, ..default() };
    match settings.validate() {
        Ok(()) => Ok(pixel_error),
        Err(errors) => Err(errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")),
    }
}

impl Options {
    /// Whether the camera follows the fixed path.
    pub const fn on_rails(&self) -> bool {
        self.headless || self.frames.is_some() && self.camera.is_none()
    }

    pub fn last_frame(&self) -> Option<u32> {
        self.frames.or_else(|| (self.headless || self.screenshot.is_some()).then_some(300))
    }

    /// The view distance in metres.
    pub fn view_distance(&self) -> f32 {
        // A browser draws with less.
        let most = if cfg!(target_family = "wasm") { 8000.0 } else { f32::MAX };
        self.view.unwrap_or_else(|| preset_of(&self.settings).view.min(most))
    }

    /// The asset path of the settings.
    pub fn asset_path(&self) -> String {
        asset_path(&self.settings)
    }

    /// The plugin of the light.
    pub fn sky_plugin(&self) -> TerrainSkyPlugin {
        let method = self.sky_method.map(|method| match method {
            Method::Atmosphere => SkyMethod::Atmosphere,
            Method::Dome => SkyMethod::Dome,
        });
        TerrainSkyPlugin { method }
    }

    /// The asset path of the light.
    pub fn sky_path(&self) -> String {
        asset_path(&self.sky)
    }
}
