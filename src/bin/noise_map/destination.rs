//! Where a picture goes.

use crate::encode::Format;
use crate::request::Stop;
use std::path::{Path, PathBuf};

/// Where a picture goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Destination {
    /// The file.
    pub path: PathBuf,
    /// What `path` ends in.
    pub format: Format,
    /// The folder of `path`, where the user did not choose it.
    pub folder_to_create: Option<PathBuf>,
}

impl Destination {
    /// `output`, or `default` in the folder `output`. The name must end in .pgm or .png.
    pub fn new(output: Option<PathBuf>, default: &str) -> Result<Self, Stop> {
        let folder_to_create = output.is_none().then(|| PathBuf::from("output"));
        let path = output.unwrap_or_else(|| Path::new("output").join(default));
        let mistake = || {
            let path = path.display();
            Stop::Mistake(format!("invalid value '{path}' for '[outputFile]': must end in .pgm or .png"))
        };
        let format = Format::of(&path).ok_or_else(mistake)?;
        Ok(Self { path, format, folder_to_create })
    }
}
