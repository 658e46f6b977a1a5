//! The command line.

use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

/// Checks settings files of terrains and of their light
#[derive(Debug, Parser)]
#[command(name = "terrain", version, arg_required_else_help = true, after_help = EXIT)]
pub struct Arguments {
    #[command(subcommand)]
    pub command: Command,
}

const EXIT: &str = "Exit code 0: nothing to complain about. 1: there are problems. 2: the command line makes no sense, or a \
                    file can't be read or written.";

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Lists the mistakes and the warnings of settings files, one a line, as compilers print them
    Check(Check),
    /// Writes into files the stream that each layer has now, by its name or its position. No height changes, comments stay. After
    /// that, layers can be renamed, moved and added in an editor and keep their hills
    PinStreams(PinStreams),
    /// Draws a terrain, from above or from the side
    Map(Map),
}

/// The options of `check`.
#[derive(Args, Debug)]
#[command(after_help = EXIT)]
pub struct Check {
    /// Files, and folders to search for .terrain.ron and .sky.ron files. `-` is a terrain from standard input [default: the current
    /// folder]
    #[arg(value_name = "FILE or FOLDER")]
    pub paths: Vec<PathBuf>,
    /// Takes standard input for a file with this name: a .sky.ron file is a light
    #[arg(long, value_name = "NAME", default_value = "standard input")]
    pub stdin_name: String,
    /// Ends with 1 if there are only warnings, too
    #[arg(long)]
    pub deny_warnings: bool,
    /// How to print what was found
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: Format,
}

/// How problems are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// A line for each problem, as compilers print them
    Text,
    /// One JSON object
    Json,
}

/// The options of `pin-streams`.
#[derive(Args, Debug)]
#[command(after_help = EXIT)]
pub struct PinStreams {
    /// The .terrain.ron files, and folders to search for them. `-` writes standard input to standard output
    #[arg(value_name = "FILE or FOLDER", required = true)]
    pub paths: Vec<PathBuf>,
    /// Writes nothing. Ends with 1 if a layer has no stream
    #[arg(long)]
    pub check: bool,
}

/// The options of `map`.
#[derive(Args, Debug)]
#[command(after_help = EXIT)]
pub struct Map {
    /// The .terrain.ron file. `-` is standard input
    pub file: PathBuf,
    /// The PNG to write. `-` is standard output [default: the name of the file, in the current folder]
    pub output: Option<PathBuf>,
    /// The position in the middle, x and z, in metres
    #[arg(long, value_name = "X,Z", default_value = "0,0", value_parser = position, allow_hyphen_values = true)]
    pub at: [f64; 2],
    /// The side of the square that is drawn, in metres
    #[arg(long, default_value_t = 8000.0, value_parser = metres)]
    pub metres: f64,
    /// The side of the image, in pixels
    #[arg(long, value_name = "PIXELS", default_value_t = 1024, value_parser = clap::value_parser!(u32).range(1..=8192))]
    pub size: u32,
    /// What to draw: ground, height, slope, drainage, layer=NAME (what a layer changes) or mask=NAME (where it has an effect)
    #[arg(long, value_name = "WHAT", default_value = "ground", value_parser = show)]
    pub show: Show,
    /// Draws it on the ground, seen from the side: from the south, 30 degrees from above. The image is 9/16 as high as wide
    #[arg(long)]
    pub view: bool,
    /// Replaces an image that exists
    #[arg(long)]
    pub force: bool,
}

/// What a map shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Show {
    Ground,
    Height,
    Slope,
    Drainage,
    /// What the layer with this name, or with a path such as `field.layers[2]`, changes.
    Layer(String),
    /// Where it has an effect.
    Mask(String),
}

fn show(text: &str) -> Result<Show, String> {
    Ok(match text {
        "ground" => Show::Ground,
        "height" => Show::Height,
        "slope" => Show::Slope,
        "drainage" => Show::Drainage,
        _ => match text.split_once('=') {
            Some(("layer", name)) => Show::Layer(name.to_owned()),
            Some(("mask", name)) => Show::Mask(name.to_owned()),
            _ => return Err("allowed: ground, height, slope, drainage, layer=NAME or mask=NAME".to_owned()),
        },
    })
}

/// The farthest position, in metres. Beyond, the field is less exact.
const FARTHEST: f64 = 1e9;

fn position(text: &str) -> Result<[f64; 2], String> {
    let number = |text: &str| text.trim().parse().ok().filter(|number: &f64| number.abs() <= FARTHEST);
    let numbers = text.split_once(',').and_then(|(x, z)| Some([number(x)?, number(z)?]));
    numbers.ok_or_else(|| format!("allowed: two numbers such as 1200,-350, each up to {FARTHEST:.0}"))
}

fn metres(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|metres| (1.0..=1e6).contains(metres));
    number.ok_or_else(|| "allowed: 1 to 1000000".to_owned())
}
