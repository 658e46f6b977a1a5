//! The command line.

use crate::quality::Quality;
use clap::Parser;
use std::path::PathBuf;

/// Counts what the views of a shot list cost to draw.
#[derive(Parser)]
pub struct Options {
    /// The shot list.
    #[arg(long, value_name = "FILE", default_value = "examples/fly_through/shots.ron")]
    pub shots: PathBuf,
    /// Only the shots with this text in their names.
    #[arg(long, value_name = "TEXT")]
    pub only: Option<String>,
    /// The size of the picture in pixels, in place of that in the list.
    #[arg(long, value_name = "WIDTHxHEIGHT", value_parser = size, default_value = "1920x1080")]
    pub size: [u32; 2],
    /// What drawing the ground may cost. Default: high, and low in browsers.
    #[arg(long, value_enum)]
    pub quality: Option<Quality>,
    /// How many frames each view draws. Times are their medians. The first numbers come after about five frames.
    #[arg(long, value_name = "N", default_value_t = 60)]
    pub frames: u32,
}

fn size(text: &str) -> Result<[u32; 2], String> {
    let (width, height) = text.split_once('x').ok_or("expected two numbers, separated by an x")?;
    let number = |text: &str| match text.trim().parse() {
        Ok(number @ 1..=16_384) => Ok(number),
        Ok(number) => Err(format!("{number}: allowed: 1 to 16384")),
        Err(error) => Err(format!("{text}: {error}")),
    };
    Ok([number(width)?, number(height)?])
}
