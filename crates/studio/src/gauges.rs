//! Prints what can be measured in images, as a table: `studio gauges FOLDER [FOLDER]`.
//!
//! They are gauges, not gates: haze rightly has no black, and noise can have the spectrum of a photograph. They show what a change
//! did to the look, and where to look again.

mod luma;
mod sky;
mod spectrum;
mod structure;
mod table;
mod tiling;

use clap::Args;
use luma::Luma;
use std::path::{Path, PathBuf};

/// Measures the PNG files in a folder, or compares them with those of the same names in a second one.
#[derive(Args)]
pub struct Options {
    #[arg(value_name = "FOLDER", num_args = 1..=2, required = true)]
    pub folders: Vec<PathBuf>,
}

/// Prints the gauges of all PNG files in a folder. With a second folder, those of its files of the same names after an arrow.
pub fn print(options: &Options) -> Result<(), String> {
    print!("{}", table::table(&options.folders)?);
    Ok(())
}

/// The gauges of one image. Those that it does not have are `None`.
#[derive(Clone, Debug, PartialEq)]
struct Gauges {
    /// The luma that 1 % of the pixels are below.
    dark: f64,
    /// The luma that 99 % of the pixels are below.
    bright: f64,
    /// The part of the pixels that are black or white.
    clipped: f64,
    /// The slope of the amplitude spectrum of the ground, and the contrast of its two finest bands.
    spectrum: Option<f64>,
    bands: [f64; 2],
    /// The standard deviation of the luma of the sky.
    sky: Option<f64>,
    /// The step of the luma between the farthest ground and the sky.
    horizon: Option<f64>,
    /// The greatest autocorrelation of an image without sky, beyond 12 pixels.
    tiling: Option<f64>,
}

impl Gauges {
    fn of(luma: &Luma) -> Self {
        let [dark, bright] = [0.01, 0.99].map(|part| luma.percentile(part));
        let skyline = sky::Skyline::of(luma);
        Self {
            dark,
            bright,
            clipped: luma.clipped(),
            spectrum: spectrum::ground_slope(luma),
            bands: structure::ground_bands(luma),
            sky: skyline.deviation(luma),
            horizon: skyline.step(luma),
            // What fills an image without sky is ground seen from above.
            tiling: skyline.is_empty(luma.height).then(|| tiling::tiling(luma)).flatten(),
        }
    }

    fn read(file: &Path) -> Result<Self, String> {
        Luma::read(file).map(|luma| Self::of(&luma)).map_err(|error| format!("{}: {error}", file.display()))
    }
}
