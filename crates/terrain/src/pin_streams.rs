//! `terrain pin-streams`: writes the streams of layers into their files.

use crate::Outcome;
use crate::arguments::{Format, PinStreams};
use crate::check::problems;
use crate::files::{FileError, SettingsFile, find, is_terrain, read};
use crate::report::{Report, Severity};
use perlin_terrain::draft::replace_file::replace_file;
use perlin_terrain::settings::{TerrainSettings, settings_text};
use std::fs;
use std::io::Write;
use std::path::Path;

/// Writes the streams, and says in which files. A file with mistakes is left alone.
pub fn run(options: &PinStreams, output: &mut Vec<u8>) -> Result<Outcome, FileError> {
    let mut outcome = Outcome::Fine;
    for path in find(&options.paths, is_terrain)? {
        let file = read(&path, "standard input")?;
        let pinned = settings_text(&file.bytes).and_then(TerrainSettings::pin_streams_of);
        let Ok(pinned) = pinned else {
            let mut report = Report { files: 1, problems: problems(&file) };
            report.problems.retain(|problem| problem.severity == Severity::Error);
            report.write(Format::Text, output);
            outcome = Outcome::Problems;
            continue;
        };
        let SettingsFile { name, bytes, .. } = &file;
        if path == Path::new("-") && !options.check {
            output.extend(pinned.into_bytes());
            continue;
        }
        if pinned.as_bytes() == bytes {
            continue;
        }
        let line = if options.check {
            outcome = Outcome::Problems;
            format!("{name}: some layers have no stream\n")
        } else {
            replace(&path, &pinned).map_err(|source| FileError::new(name, source))?;
            format!("{name}: wrote the streams of its layers\n")
        };
        output.extend(line.into_bytes());
    }
    Ok(outcome)
}

/// Replaces the text of a file, or of the file that a link leads to.
fn replace(path: &Path, text: &str) -> std::io::Result<()> {
    replace_file(&fs::canonicalize(path)?, |file| file.write_all(text.as_bytes()))
}
