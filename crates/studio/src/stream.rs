//! Measures the cost of streaming while a viewer stands, walks, drives, flies and teleports: `studio stream`. Also tests for leaks.
//!
//! Runs without a GPU, in real time: 60 frames per second. A frame sleeps after its work, so background tasks have as
//! much time as in a game. Prints a Markdown table with one row per path and view distance. Each row is measured in its own
//! process.
//!
//! `--soak 1000000` flies at random instead, as fast as possible, with reloads, teleports, and viewers and terrains that are spawned
//! and despawned. It fails if memory or the number of entities grows.

mod core_time;
mod coverage;
mod delays;
mod flight;
mod flight_path;
mod memory;
mod options;
mod paths;
mod row;
mod sample;
mod soak;
mod soak_level;
mod table;

pub use options::Options;

/// Prints the table, or one row of it, or tests for leaks.
pub fn measure(options: &Options) -> Result<(), String> {
    match (options.soak, options.row_path.zip(options.row_view)) {
        (Some(frames), _) => soak::fly(options, frames),
        (None, Some((path, view))) => row::measure(options, path, view).map(|row| println!("{row}")),
        (None, None) => table::print(options),
    }
}
