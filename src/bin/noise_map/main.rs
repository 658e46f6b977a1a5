//! Writes noise as a gray picture.
//!
//! ```text
//! noise_map imageWidth imageHeight cellSize seed [outputFile] [--fade linear|cubic|quintic]
//! noise_map --preset name [--seed seed] [--size WxH] [--scale pixels] [outputFile]
//! noise_map --gallery [outputFile]
//! noise_map --list
//! ```
//!
//! `noise_map 1000 1000 20 42` writes a picture of 1000 by 1000 pixels, 50 by 50 cells, to `output/PerlinNoise_42.pgm`.
//! `noise_map --preset ridged` draws any of the noises that `--list` names, and `--gallery` all of them on one sheet.
//!
//! Exit code 0: written. 1: the file can't be written. 2: the command line makes no sense.
//!
//! Source: Marko Nikic, *Perlin-Noise* (exercise, 2024): the first command line, the grid with one gradient more than cells
//! along each axis, and the three fades. The PNG, the limits, the presets and the gallery are ours.

mod command;
mod destination;
mod encode;
mod font;
mod gallery;
mod picture;
mod preset_map;
#[path = "../../replace_file.rs"]
mod replace_file;
mod request;
mod save;
#[cfg(test)]
#[path = "../../../tests/common/folder.rs"]
mod test_folder;

use bevy_perlin_terrain::noise::NoisePreset;
use command::Command;
use destination::Destination;
use encode::encode;
use picture::Picture;
use replace_file::replace_file;
use request::Stop;
use save::SaveError;
use std::io::Write;
use std::process::ExitCode;
use std::{env, fs, io};

fn main() -> ExitCode {
    // What can't be printed, because the other end of a pipe is gone, is nobody's loss: no `println!`, which would panic.
    match command::parse(env::args_os()) {
        Ok(command) => match run(&command) {
            Ok(text) => {
                let _ = writeln!(io::stdout(), "{text}");
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

/// Does what was asked for, and says what was done.
fn run(command: &Command) -> Result<String, SaveError> {
    match command {
        Command::Map(request) => {
            let [columns, rows] = request.cells();
            let written = write(&request.destination, || Picture::draw(request))?;
            Ok(format!("{written}, {columns} by {rows} cells"))
        }
        Command::Preset(map, destination) => {
            let written = write(destination, || map.draw())?;
            let NoisePreset { name, .. } = map.preset;
            let seed =
                if map.preset.has_seed() { format!("seed {}", map.seed) } else { "which has no seed".to_owned() };
            Ok(format!("{written} of {name}, {seed}"))
        }
        Command::Gallery(destination) => {
            let written = write(destination, gallery::draw)?;
            Ok(format!("{written}, {} noises", NoisePreset::ALL.len()))
        }
        Command::List => Ok(list()),
    }
}

/// Draws a picture and writes it. Says so.
fn write(destination: &Destination, draw: impl FnOnce() -> Picture) -> Result<String, SaveError> {
    let Destination { path, format, folder_to_create } = destination;
    // A folder that the user named has to be there, so that a typing mistake in it does not go unnoticed.
    if let Some(folder) = folder_to_create {
        fs::create_dir_all(folder).map_err(|source| SaveError::Folder { path: folder.clone(), source })?;
    }
    let picture = draw();
    replace_file(path, |file| encode(&picture, *format, file))
        .map_err(|source| SaveError::File { path: path.clone(), source })?;
    Ok(format!("wrote {}: {} by {} pixels", path.display(), picture.width, picture.height))
}

/// A line for each preset: name, title, source.
fn list() -> String {
    let lines = NoisePreset::ALL
        .iter()
        .map(|NoisePreset { name, title, source, .. }| format!("{name:<12} {title:<15} {source}"));
    lines.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_has_a_line_for_each_preset_in_columns() {
        let list = list();
        assert_eq!(list.lines().count(), NoisePreset::ALL.len());
        for (line, preset) in list.lines().zip(NoisePreset::ALL) {
            assert!(line.starts_with(&format!("{} ", preset.name)) && line.ends_with(preset.source), "{line}");
            assert_eq!(line.find(preset.title), Some(13), "{line}");
        }
    }
}
