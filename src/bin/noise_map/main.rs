//! Writes a map of Perlin noise as a grey picture.
//!
//! ```text
//! noise_map imageWidth imageHeight cellSize seed [outputFile] [--fade linear|cubic|quintic]
//! ```
//!
//! `noise_map 1000 1000 20 42` writes a picture of 1000 by 1000 pixels, 50 by 50 cells, to `output/PerlinNoise_42.pgm`.
//!
//! Exit code 0: written. 1: the file can't be written. 2: the command line makes no sense.
//!
//! Source: Marko Nikic, *Perlin-Noise* (exercise, 2024): the command line, the grid with one gradient more than cells
//! along each axis, and the three fades. The PNG and the limits are ours.

mod encode;
mod picture;
mod request;
mod save;

use encode::encode;
use picture::Picture;
use request::{Request, Stop};
use save::{SaveError, save};
use std::io::Write;
use std::process::ExitCode;
use std::{env, fs, io};

fn main() -> ExitCode {
    // What can't be printed, because the other end of a pipe is gone, is nobody's loss: no `println!`, which would panic.
    match request::parse(env::args_os()) {
        Ok(request) => match write_map(&request) {
            Ok(()) => {
                let [columns, rows] = request.cells();
                let (path, width, height) = (request.output.display(), request.width, request.height);
                let cells = format_args!("{columns} by {rows} cells");
                let _ = writeln!(io::stdout(), "wrote {path}: {width} by {height} pixels, {cells}");
                ExitCode::SUCCESS
            }
            Err(error) => {
                let _ = writeln!(io::stderr(), "error: {error}");
                ExitCode::from(1)
            }
        },
        Err(Stop::Help(text)) => {
            let _ = write!(io::stdout(), "{text}");
            ExitCode::SUCCESS
        }
        Err(Stop::Mistake(text)) => {
            let _ = writeln!(io::stderr(), "error: {text}");
            ExitCode::from(2)
        }
    }
}

fn write_map(request: &Request) -> Result<(), SaveError> {
    // A folder that the user named has to be there, so that a typing mistake in it does not go unnoticed.
    if let Some(folder) = &request.folder_to_create {
        fs::create_dir_all(folder).map_err(|source| SaveError::Folder { path: folder.clone(), source })?;
    }
    let picture = Picture::draw(request);
    save(&request.output, |file| encode(&picture, request.format, file))
        .map_err(|source| SaveError::File { path: request.output.clone(), source })
}
