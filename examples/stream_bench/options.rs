//! The command line.

use crate::paths::FlightPath;
use clap::{Parser, ValueEnum};
use std::ffi::OsString;
use std::path::Path;

/// Measure what streaming costs.
#[derive(Parser, Clone)]
pub struct Options {
    /// The paths to fly, with commas between them.
    #[arg(long, value_enum, value_delimiter = ',', default_values_t = FlightPath::value_variants().to_vec())]
    pub paths: Vec<FlightPath>,
    /// How far the view reaches, in metres; several with commas between them.
    #[arg(long, value_name = "METRES", value_delimiter = ',', default_values_t = [1000.0, 8000.0, 32_000.0])]
    pub views: Vec<f32>,
    /// The settings: a file, or a name below `assets/`.
    #[arg(long, value_name = "FILE", default_value = "terrain/rolling_hills.terrain.ron")]
    pub settings: String,
    /// How long each path is flown.
    #[arg(long, default_value_t = 20.0)]
    pub seconds: f64,
    /// Flies each path so often, and prints the flight whose longest frame was the shortest, and beside that time the longest of
    /// all flights. Flights are alike: what is long in one alone may have been something else that ran on the machine.
    #[arg(long, default_value_t = 1)]
    pub runs: u32,
    /// Starts the process of every row through this command. `chrt --reset-on-fork --fifo 50` lets the main thread have a core
    /// whenever it has work, and leaves the other threads as they are: what they and other programs do is not counted then.
    #[arg(long, value_name = "COMMAND", value_delimiter = ' ')]
    pub through: Vec<OsString>,
    /// Makes meshes and materials as a game does, with a camera, visibility and frustum culling. Without, the terrain is that of a
    /// server.
    #[arg(long)]
    pub meshes: bool,
    /// Also prints, on the standard error, what the longest frame of every row was made of.
    #[arg(long)]
    pub parts: bool,
    /// Flies at random for so many simulated frames, and fails if memory or entities grow.
    #[arg(long, value_name = "FRAMES")]
    pub soak: Option<u64>,
    /// Which random flight `--soak` flies.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Measures the first path and the first view in this very process, and prints their row alone.
    #[arg(long, hide = true)]
    pub row: bool,
}

impl Options {
    /// An asset path: files outside `assets/` are named by their full path.
    pub fn asset_path(&self) -> String {
        let path = Path::new(&self.settings);
        match path.canonicalize() {
            Ok(full) => full.to_string_lossy().into_owned(),
            Err(_) => self.settings.clone(),
        }
    }
}
