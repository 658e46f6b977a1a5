//! Fly over endless terrain, and change it while you fly.
//!
//! Controls: W A S D and E Q fly, Shift is fast, the mouse wheel changes the speed. Hold the right mouse button, or press M, to
//! look around. On a touchscreen, one finger looks around, and two fingers fly. The keys 1 to 8 go to another preset, and T lets time pass (back with Shift). F1 inspector, F2 wireframe, F3
//! chunk borders with level and age, F4 statistics, F5 colors by level and by morph, F6 freezes the viewer while the camera
//! flies on, F7 checks for seams, F12 a picture of 3840 by 2160 pixels.
//!
//! What to look at: edit the RON file that is named in the corner, and save it. The ground changes. Break the file on purpose:
//! the ground stays, and the log names the line and the column of the error.
//!
//! `--stills` takes the pictures of a shot list without a window, such as those of the README: `examples/fly_through/shots.ron`.
//! `--gauges` measures them.
//!
//! `--headless` flies a fixed path without a window or a GPU, prints statistics, and draws a map of the flight.

mod assets;
mod borders;
mod flight;
mod freeze;
mod gauges;
mod headless;
mod options;
mod overlay;
mod picture;
mod quality;
mod scene;
mod seams;
mod shot;
mod stage;
mod stills;
#[cfg(test)]
mod tests;
mod touch;
mod tour;
mod window;

use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    let options = options::Options::parse();
    match (&options.stills, &options.gauges) {
        (Some(list), _) => stills::take(list, &options),
        (None, Some(folders)) => gauges::print(folders),
        (None, None) if options.headless => headless::fly(options),
        (None, None) => window::fly(options),
    }
}
