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
