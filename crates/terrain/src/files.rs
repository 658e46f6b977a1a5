//! Finds and reads settings files.

use perlin_terrain::light::SkySettings;
use perlin_terrain::settings::TerrainSettings;
use std::fmt;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// What a file has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Terrain,
    Sky,
}

impl Kind {
    /// The kind of a file with this name. Any other name is that of a terrain.
    pub fn of(name: &str) -> Self {
        if name.ends_with(SkySettings::FILE_EXTENSION) { Self::Sky } else { Self::Terrain }
    }
}

/// A settings file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingsFile {
    /// The path as it is printed.
    pub name: String,
    pub kind: Kind,
    pub bytes: Vec<u8>,
}

/// A file or a folder that can't be read or written.
#[derive(Debug)]
pub struct FileError {
    path: String,
    source: io::Error,
}

impl FileError {
    pub fn new(path: impl Into<String>, source: io::Error) -> Self {
        Self { path: path.into(), source }
    }

    fn of(path: &Path, source: io::Error) -> Self {
        Self::new(path.display().to_string(), source)
    }
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path, self.source)
    }
}

/// The files that `paths` name, and the settings files in the folders among them, in order. Each folder must have one.
pub fn find(paths: &[PathBuf], is_wanted: impl Fn(&str) -> bool + Copy) -> Result<Vec<PathBuf>, FileError> {
    let mut files = Vec::new();
    for path in paths {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let before = files.len();
        search(path, is_wanted, &mut files)?;
        if files.len() == before {
            return Err(FileError::of(path, io::Error::other("there are no settings files in this folder")));
        }
    }
    Ok(files)
}

/// Adds the settings files in a folder and in the folders in it, sorted. Skips hidden ones, and links to folders.
fn search(folder: &Path, is_wanted: impl Fn(&str) -> bool + Copy, files: &mut Vec<PathBuf>) -> Result<(), FileError> {
    let error = |source| FileError::of(folder, source);
    let entries: Result<Vec<_>, _> = fs::read_dir(folder).map_err(error)?.collect();
    let mut entries = entries.map_err(error)?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let name = entry.file_name().to_string_lossy().into_owned();
        let is_folder = entry.file_type().map_err(error)?.is_dir();
        if name.starts_with('.') {
            continue;
        } else if is_folder {
            search(&entry.path(), is_wanted, files)?;
        } else if is_wanted(&name) {
            files.push(entry.path());
        }
    }
    Ok(())
}

/// Whether a file with this name has settings.
pub fn is_settings(name: &str) -> bool {
    is_terrain(name) || name.ends_with(&format!(".{}", SkySettings::FILE_EXTENSION))
}

/// Whether a file with this name has the settings of a terrain.
pub fn is_terrain(name: &str) -> bool {
    name.ends_with(&format!(".{}", TerrainSettings::FILE_EXTENSION))
}

/// Reads a file, or standard input if the path is `-`. That is then called `stdin_name`.
pub fn read(path: &Path, stdin_name: &str) -> Result<SettingsFile, FileError> {
    // One byte more than a file may have. An endless device ends there.
    let limit = TerrainSettings::MAX_FILE_SIZE + 1;
    let mut bytes = Vec::new();
    let name = if path == Path::new("-") {
        io::stdin().take(limit).read_to_end(&mut bytes).map_err(|source| FileError::new(stdin_name, source))?;
        stdin_name.to_owned()
    } else {
        let file = File::open(path).map_err(|source| FileError::of(path, source))?;
        file.take(limit).read_to_end(&mut bytes).map_err(|source| FileError::of(path, source))?;
        path.display().to_string()
    };
    if bytes.len() as u64 == limit {
        let text = format!("it is larger than {} bytes, the most that a settings file may have", limit - 1);
        return Err(FileError::new(name, io::Error::other(text)));
    }
    Ok(SettingsFile { kind: Kind::of(&name), name, bytes })
}
