//! The command line.

use bevy::prelude::*;
use bevy_perlin_terrain::chunk::LodSettings;
use bevy_perlin_terrain::prelude::*;
use clap::Parser;
use std::path::{Path, PathBuf};

/// Fly over endless terrain.
#[derive(Parser, Resource, Clone)]
pub struct Options {
    /// The settings: a file, or a name below `assets/`.
    #[arg(long, value_name = "FILE", default_value = "terrain/rolling_hills.terrain.ron")]
    pub settings: String,
    /// Flies a fixed path for so many frames, then ends.
    #[arg(long, value_name = "N")]
    pub frames: Option<u32>,
    /// Saves a picture before it ends: the last frame, or with --headless a map. Without --frames, that is after 300 frames.
    #[arg(long, value_name = "FILE")]
    pub screenshot: Option<PathBuf>,
    /// Flies without a window or a GPU.
    #[arg(long)]
    pub headless: bool,
    /// How far the view reaches, in metres.
    #[arg(long, value_name = "METRES", default_value_t = 8000.0)]
    pub view: f32,
    /// Where to start: x, height above the ground and z in metres, direction and tilt in degrees.
    #[arg(long, value_name = "X,UP,Z,YAW,PITCH", value_parser = five_numbers, allow_hyphen_values = true)]
    pub camera: Option<Numbers>,
    /// Which place of the terrain to start from, in metres: as far as you like.
    #[arg(long, value_name = "X,Z", value_parser = place, allow_hyphen_values = true, default_value = "0,0")]
    pub origin: Place,
    /// How far the drawn ground may lie from that at full detail, in pixels from 0 to 100, in place of the file's; 0
    /// is full detail everywhere.
    #[arg(long, value_name = "PIXELS", value_parser = pixel_error)]
    pub pixel_error: Option<f64>,
    /// What to show.
    #[arg(long, value_enum, default_value_t)]
    pub show: Shown,
    /// Begins with the inspector open.
    #[arg(long)]
    pub inspector: bool,
    /// The window's size in pixels.
    #[arg(long, value_name = "WIDTHxHEIGHT", value_parser = two_numbers, default_value = "1280x720")]
    pub window: [u32; 2],
    /// Hides the numbers and the controls.
    #[arg(long)]
    pub bare: bool,
}

/// What the ground shows.
#[derive(clap::ValueEnum, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Shown {
    /// The ground as it looks.
    #[default]
    Look,
    /// A color for every level of detail.
    Levels,
    /// How far vertices have moved toward the next level.
    Morph,
    /// The borders of chunks.
    Borders,
}

/// Five numbers, with commas between them.
pub type Numbers = [f32; 5];

fn five_numbers(text: &str) -> Result<Numbers, String> {
    let numbers: Result<Vec<f32>, _> = text.split(',').map(|number| number.trim().parse()).collect();
    let numbers = numbers.map_err(|error| error.to_string())?;
    numbers.try_into().map_err(|numbers: Vec<f32>| format!("five numbers are needed, here are {}", numbers.len()))
}

/// A place of the terrain: x and z in metres.
pub type Place = [f64; 2];

fn place(text: &str) -> Result<Place, String> {
    let (x, z) = text.split_once(',').ok_or("two numbers with a comma between them are needed")?;
    let number = |text: &str| text.trim().parse().map_err(|error| format!("{text}: {error}"));
    Ok([number(x)?, number(z)?])
}

fn two_numbers(text: &str) -> Result<[u32; 2], String> {
    let (width, height) = text.split_once('x').ok_or("two numbers with an x between them are needed")?;
    let number = |text: &str| text.trim().parse().map_err(|error| format!("{text}: {error}"));
    Ok([number(width)?, number(height)?])
}

/// A value that a settings file may have, too.
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

    /// An asset path: files outside `assets/` are named by their full path.
    pub fn asset_path(&self) -> String {
        let path = Path::new(&self.settings);
        match path.canonicalize() {
            Ok(full) => full.to_string_lossy().into_owned(),
            Err(_) => self.settings.clone(),
        }
    }
}
