//! Measures the cost of streaming while a viewer stands, walks, drives, flies and teleports. Also tests for leaks.
//!
//! Runs without a window or a GPU, in real time: 60 frames per second. A frame sleeps after its work, so background tasks have as
//! much time as in a game. Prints a Markdown table with one row per path and view distance. Each row is measured in its own
//! process.
//!
//! `--soak 1000000` flies at random instead, as fast as possible, with reloads, teleports, and viewers and terrains that are spawned
//! and despawned. It fails if memory or the number of entities grows.

mod core_time;
mod coverage;
mod delays;
mod flight;
mod memory;
mod options;
mod paths;
mod row;
mod sample;
mod soak;
mod soak_level;
mod table;

use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    let options = options::Options::parse();
    let result = match options.soak {
        Some(frames) => soak::fly(&options, frames),
        None if options.row => row::measure(&options).map(|row| println!("{row}")),
        None => table::print(&options),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            eprintln!("error: {reason}");
            ExitCode::FAILURE
        }
    }
}
