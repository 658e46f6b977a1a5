//! Checks and draws the settings files of `perlin_terrain`, `.terrain.ron` and `.sky.ron`, without the game.
//!
//! ```text
//! terrain check [FILE or FOLDER]...
//! terrain pin-streams FILE...
//! terrain map FILE [IMAGE]
//! ```
//!
//! `terrain help check` explains the options.
//!
//! `arguments` reads the command line, `files` finds and reads files, `check`, `pin_streams` and `map` do the work, and `report` prints
//! problems.
//!
//! Exit code 0: there is nothing to complain about. 1: there are problems. 2: the command line makes no sense, or a file can't be read or
//! written.

mod arguments;
mod check;
mod files;
mod map;
mod pin_streams;
mod report;

use arguments::{Arguments, Command};
use clap::Parser;
use files::FileError;
use std::io::{self, ErrorKind, Write};
use std::process::ExitCode;

/// What a command found out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    Fine,
    Problems,
}

fn main() -> ExitCode {
    // It prints mistakes and help itself, and ends with 2 for mistakes.
    let arguments = Arguments::parse();
    let mut text = Vec::new();
    let result = match &arguments.command {
        Command::Check(options) => check::run(options, &mut text),
        Command::PinStreams(options) => pin_streams::run(options, &mut text),
        Command::Map(options) => map::run(options, &mut text),
    };
    match (print(&text), result) {
        (Ok(()), Ok(Outcome::Fine)) => ExitCode::SUCCESS,
        (Ok(()), Ok(Outcome::Problems)) => ExitCode::from(1),
        (_, Err(error)) => fail(&error),
        (Err(source), Ok(_)) => fail(&FileError::new("standard output", source)),
    }
}

/// Writes to standard output. A reader who does not read to the end, as with `| head`, is no failure.
fn print(text: &[u8]) -> io::Result<()> {
    let mut output = io::stdout().lock();
    match output.write_all(text).and_then(|()| output.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(error),
        _ => Ok(()),
    }
}

fn fail(error: &FileError) -> ExitCode {
    // Unlike `eprintln!`, this does not panic if standard error is closed.
    drop(writeln!(io::stderr(), "error: {error}"));
    ExitCode::from(2)
}
