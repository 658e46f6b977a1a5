//! Takes images of terrain, measures them, and measures what terrain costs. All of it without a window.
//!
//! - [`stills`] takes the images of a shot list, such as those of the README: `shots.ron`.
//! - [`gauges`] measures images.
//! - [`render`] counts what the views of a shot list cost to draw.
//! - [`stream`] measures what streaming costs on the main thread, and tests for leaks.

mod app;
mod gauges;
mod percentile;
mod render;
mod shot;
mod stage;
mod stills;
mod stream;

use clap::Parser;
use std::process::ExitCode;

#[derive(Parser)]
#[command(about)]
enum Command {
    Stills(stills::Options),
    Gauges(gauges::Options),
    Render(render::Options),
    Stream(stream::Options),
}

fn main() -> ExitCode {
    let result = match Command::parse() {
        Command::Stills(options) => stills::take(&options),
        Command::Gauges(options) => gauges::print(&options),
        Command::Render(options) => render::print(&options),
        Command::Stream(options) => stream::measure(&options),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        Command::command().debug_assert();
    }
}
