//! The command line.

use super::flight_path::FlightPath;
use clap::Args;
use std::ffi::OsString;

/// Measures the cost of streaming, and tests for leaks.
#[derive(Args)]
pub struct Options {
    /// The paths to fly, separated by commas. Default: all that measure the terrain.
    #[arg(long, value_enum, value_delimiter = ',', default_values_t = FlightPath::of_terrain())]
    pub paths: Vec<FlightPath>,
    /// The view distances in metres, separated by commas.
    #[arg(long, value_name = "METRES", value_delimiter = ',', default_values_t = [1000.0, 8000.0, 32_000.0])]
    pub views: Vec<f32>,
    /// The settings file: any file, or a path below `assets/`.
    #[arg(long, value_name = "FILE", default_value = "terrain/rolling_hills.terrain.ron")]
    pub settings: String,
    /// The duration of each flight in seconds.
    #[arg(long, default_value_t = 20.0)]
    pub seconds: f64,
    /// The number of flights per path. Prints the flight with the shortest longest frame, and beside that time the longest frame
    /// of all flights. The flights are equal, so a longer frame in one of them may come from other programs on the machine.
    #[arg(long, default_value_t = 1)]
    pub runs: u32,
    /// Starts the process of every row through this command. `chrt --reset-on-fork --fifo 50` gives the main thread a core
    /// whenever it has work, but not the other threads. Then other threads and programs do not affect the measurement.
    #[arg(long, value_name = "COMMAND", value_delimiter = ' ')]
    pub through: Vec<OsString>,
    /// Makes meshes and materials as a game does, with a camera, visibility and frustum culling. Otherwise, runs only what a
    /// server does.
    #[arg(long)]
    pub meshes: bool,
    /// The memory limit of the chunks, in MB. Default: that of `TerrainBudget`. A row fails if the chunks take more.
    #[arg(long, value_name = "MB")]
    pub memory_limit: Option<f64>,
    /// Also prints the parts of the longest frame of every row, to standard error.
    #[arg(long)]
    pub parts: bool,
    /// Flies at random for this many simulated frames, and fails if memory or entities grow.
    #[arg(long, value_name = "FRAMES")]
    pub soak: Option<u64>,
    /// The seed of the random flight of `--soak`.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Measures only this path, in this process, and prints its row.
    #[arg(long, hide = true, requires = "row_view")]
    pub row_path: Option<FlightPath>,
    /// The view distance of that row in metres.
    #[arg(long, hide = true)]
    pub row_view: Option<f32>,
}
