//! The output in the command line: a file, its format, and whether the view can be written so.

use crate::destination::{Destination, Target, check_output};
use crate::encode::Format;
use crate::stop::Stop;
use clap::ValueEnum;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The formats of a view.
pub struct Formats {
    /// The first is the default.
    pub allowed: &'static [Format],
    /// The view, or the option that needs them.
    pub reason: &'static str,
}

/// The arguments about the output.
pub struct Output {
    /// The file, or `-`.
    pub file: Option<OsString>,
    /// The format, whatever the name of the file.
    pub format: Option<Format>,
    /// Whether a file may be replaced.
    pub force: bool,
}

impl Output {
    /// Where an image goes, if it is not refused. Without a file, it is named `stem`.
    pub fn destination(self, stem: &str, formats: &Formats) -> Result<Destination, Stop> {
        let Self { file, format, force } = self;
        let file = file.map(PathBuf::from);
        let is_output = file.as_deref() == Some(Path::new("-"));
        let named = file.as_deref().filter(|_| !is_output);
        let format = match (format, named) {
            (Some(format), _) => format,
            (None, None) => formats.allowed[0],
            (None, Some(path)) => Format::of(path).ok_or_else(|| {
                let mut endings: Vec<_> =
                    formats.allowed.iter().map(|format| format!(".{}", format.extension())).collect();
                // Two formats may have one ending.
                endings.dedup();
                let path = path.display();
                Stop::Mistake(format!(
                    "the name of the file '{path}' must end in {}, or type --format",
                    endings.join(" or ")
                ))
            })?,
        };
        if !formats.allowed.contains(&format) {
            let wanted = formats.allowed[0].extension();
            let wrong = format!(
                "{} makes no {}: name a file .{wanted}, or type --format {wanted}",
                formats.reason,
                name(format)
            );
            return Err(Stop::Mistake(wrong));
        }
        let target = match file {
            Some(_) if is_output => {
                check_output()?;
                Target::Output
            }
            Some(path) => Target::File { path, force },
            None => Target::New { stem: stem.to_owned() },
        };
        Ok(Destination { target, format })
    }
}

/// As on the command line.
fn name(format: Format) -> String {
    format.to_possible_value().map_or(String::new(), |value| value.get_name().to_owned())
}
