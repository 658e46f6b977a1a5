//! `terrain map`: a picture of a terrain, from above or from the side.

mod pictures;
mod view;

use crate::Outcome;
use crate::arguments::{Map, Show};
use crate::files::{FileError, SettingsFile, read};
use crate::report::{Problem, Report, Severity};
use perlin_terrain::draft::replace_file::replace_file;
use perlin_terrain::settings::{TerrainSettings, settings_text};
use pictures::{Frame, Picture};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Draws the picture, writes it, and says what it shows.
pub fn run(options: &Map, output: &mut Vec<u8>) -> Result<Outcome, FileError> {
    let file = read(&options.file, "standard input")?;
    let settings = settings_text(&file.bytes).and_then(TerrainSettings::from_ron);
    let settings = match settings {
        Ok(settings) => settings,
        Err(error) => {
            let problems = error.problems.into_iter().map(|problem| Problem::new(&file.name, Severity::Error, problem));
            Report { files: 1, problems: problems.collect() }.write(crate::arguments::Format::Text, output);
            return Ok(Outcome::Problems);
        }
    };
    if options.view && options.metres > view::MAX_METRES {
        let text = format!("with --view, --metres can be up to {:.0}", view::MAX_METRES);
        return Err(FileError::new(&file.name, io::Error::other(text)));
    }
    let frame = Frame::new(options.at, options.metres, options.size);
    let picture = match &options.show {
        Show::Ground => frame.ground(&settings),
        Show::Height => frame.height(&settings),
        Show::Slope => frame.slope(&settings),
        Show::Drainage => frame.drainage(&settings),
        Show::Layer(name) => frame.layer(&settings, name).ok_or_else(|| no_layer(&file, name))?,
        Show::Mask(name) => frame.mask(&settings, name).ok_or_else(|| no_layer(&file, name))?,
    };
    let (picture, side) = if options.view {
        let look = &settings.look;
        let water = (options.show == Show::Ground && look.water).then_some(look.water_height);
        (view::view(&picture, &frame, &settings, water), "seen from the south")
    } else {
        (picture, "north is up")
    };
    write(&picture, side, options, output)?;
    Ok(Outcome::Fine)
}

fn no_layer(file: &SettingsFile, name: &str) -> FileError {
    FileError::new(&file.name, io::Error::other(format!("no layer of its field has the name or the path {name:?}")))
}

/// Writes the image to its file, or to standard output. `side` says from where the ground is seen.
fn write(picture: &Picture, side: &str, options: &Map, output: &mut Vec<u8>) -> Result<(), FileError> {
    let path = options.output.clone().unwrap_or_else(|| image_beside(&options.file));
    let error = |source| FileError::new(path.display().to_string(), source);
    if path == Path::new("-") {
        return picture.write_png(output).map_err(error);
    }
    if path.exists() && !options.force {
        return Err(error(io::Error::other("the file exists; give another name, or --force to replace it")));
    }
    replace_file(&path, |file| picture.write_png(file)).map_err(error)?;
    writeln!(output, "wrote {}: {}; {side}", path.display(), picture.caption).map_err(error)
}

/// `alps.png` in the current folder for `terrain/alps.terrain.ron`.
fn image_beside(file: &Path) -> PathBuf {
    let name = file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let stem = name.strip_suffix(&format!(".{}", TerrainSettings::FILE_EXTENSION)).unwrap_or(&name);
    PathBuf::from(if stem.is_empty() || stem == "-" { "terrain.png".to_owned() } else { format!("{stem}.png") })
}
