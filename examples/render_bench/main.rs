//! Counts what the views of a shot list cost to draw, and measures them where there is a graphics card.
//!
//! Runs without a window, and prints a Markdown table with one row per view. The counts are the same on every machine, also where
//! a processor draws. Times are those of the graphics card, from timestamps in its own queue.
//!
//! The number of textures that a pixel reads is not counted here: `docs/performance.md` has it.

#[path = "../fly_through/assets.rs"]
mod assets;
mod cost;
mod options;
#[path = "../fly_through/quality.rs"]
mod quality;
#[path = "../fly_through/shot.rs"]
mod shot;
#[path = "../fly_through/stage.rs"]
mod stage;
mod table;

use bevy::prelude::*;
use clap::Parser;
use options::Options;
use quality::render_plugin;
use shot::read_shots;
use stage::Stage;
use std::process::ExitCode;

fn main() -> ExitCode {
    let options = Options::parse();
    let mut shots = match read_shots(&options.shots, options.only.as_deref()) {
        Ok(shots) => shots,
        Err(error) => {
            eprintln!("error: {error}");
            return ExitCode::FAILURE;
        }
    };
    shots.iter_mut().for_each(|shot| shot.size = options.size);
    let mut app = stage::app(Stage::new(shots, options.frames), default(), render_plugin(options.quality));
    match app.add_plugins(table::plugin).run() {
        AppExit::Success => ExitCode::SUCCESS,
        AppExit::Error(code) => ExitCode::from(code.get()),
    }
}
