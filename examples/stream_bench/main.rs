//! Measures what streaming costs while a viewer stands, walks, drives, flies and jumps, and whether it leaks over a long time.
//!
//! Without a window or a GPU, and in real time: 60 frames a second, of which each does its work and sleeps for the rest, so
//! that background tasks have as long as in a game. Prints one Markdown table, a row for every path and view, each measured
//! in a process of its own.
//!
//! `--soak 1000000` instead flies at random, as fast as frames go, with reloads, teleports, viewers and terrains that come and
//! go, and tells whether memory and entities stay level.

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
