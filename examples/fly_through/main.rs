//! Fly over endless terrain, and change it while you fly.
//!
//! Controls: W A S D and E Q fly, Shift is fast, the mouse wheel changes the speed. Hold the right mouse button, or press M, to
//! look around. 1 to 8 go to another preset. F1 opens the inspector, F2 shows the levels of detail, then the triangles. On a
//! touchscreen, one finger looks around, and two fingers fly ahead.
//!
//! Look at: edit the RON file that is named in the title of the window, and save it. The ground changes. Break the file on
//! purpose: the ground stays, and the log names the line and the column of the error.
//!
//! - `flight`: the terrain, its presets, and a viewer above it. It needs no window.
//! - `window`: the camera of the viewer, keys, the inspector.
//! - `headless`: a flight without a window or a GPU, as on a server, with a map.

mod flight;
mod headless;
#[cfg(test)]
mod tests;
mod window;

use bevy::asset::UnapprovedPathMode;
use bevy::prelude::*;
use clap::Parser;
use std::{panic, path::PathBuf};

/// Fly over endless terrain.
#[derive(Parser, Resource)]
struct Options {
    /// The settings file: any file, or a path below `assets/`.
    #[arg(long, value_name = "FILE", default_value = "terrain/alps.terrain.ron")]
    settings: String,
    /// The view distance in metres. Default: that of the preset, or 8000.
    #[arg(long, value_name = "METRES")]
    view: Option<f32>,
    /// The size of the window in pixels.
    #[arg(long, value_name = "WIDTHxHEIGHT", value_parser = size, default_value = "1280x720")]
    window: [u32; 2],
    /// Starts with the inspector open.
    #[arg(long)]
    inspector: bool,
    /// Flies ahead for N frames, then ends.
    #[arg(long, value_name = "N")]
    frames: Option<u32>,
    /// Saves the last frame as a screenshot, or with --headless a map. Without --frames, the flight ends after 300 frames.
    #[arg(long, value_name = "FILE")]
    screenshot: Option<PathBuf>,
    /// Flies without a window or a GPU.
    #[arg(long)]
    headless: bool,
}

fn size(text: &str) -> Result<[u32; 2], String> {
    let (width, height) = text.split_once('x').ok_or("expected two numbers, separated by an x")?;
    let number = |text: &str| text.parse().map_err(|error| format!("{text}: {error}"));
    Ok([number(width)?, number(height)?])
}

impl Options {
    /// The number of frames of a flight that has an end.
    fn last_frame(&self) -> Option<u32> {
        self.frames.or_else(|| (self.headless || self.screenshot.is_some()).then_some(300))
    }
}

/// Loads files from anywhere.
fn asset_plugin() -> AssetPlugin {
    AssetPlugin { unapproved_path_mode: UnapprovedPathMode::Allow, ..default() }
}

fn main() -> AppExit {
    let options = Options::parse();
    if options.headless {
        return headless::app().insert_resource(options).run();
    }
    // Bevy panics where there is no display or no GPU. One line says it as well.
    let usual_hook = panic::take_hook();
    panic::set_hook(Box::new(|_| ()));
    let app = panic::catch_unwind(|| window::app(&options));
    panic::set_hook(usual_hook);
    match app {
        Ok(mut app) => app.insert_resource(options).run(),
        Err(panic) => {
            let reason = panic.downcast_ref::<String>().map_or("unknown", String::as_str);
            eprintln!("error: there is no window: {reason}; use --headless to fly without one");
            AppExit::error()
        }
    }
}
