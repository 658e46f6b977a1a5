//! Reads one file to check whether it changed.

use crate::asset::{Content, LoadedFiles, SettingsAsset, TerrainSettingsLoadError};
use bevy::asset::io::AssetReaderError;
use bevy::asset::{AssetPath, AssetServer, AssetServerMode};
use std::fs::{self, FileType};
use std::path::PathBuf;

/// The result of a check.
pub(super) enum Found {
    /// The file was read.
    Content {
        /// Its content.
        content: Content,
        /// Why the content is invalid. Always `None` unless the loader read the file before and its content is new.
        error: Option<TerrainSettingsLoadError>,
    },
    /// The file can't be read.
    Unreadable,
    /// The path is not a regular file, but of this kind.
    Irregular(&'static str),
}

/// Reads a file. `disk_path` is its path on disk, if its source is the file system.
pub(super) async fn check_file<T: SettingsAsset>(
    server: AssetServer,
    loaded: LoadedFiles,
    path: AssetPath<'static>,
    disk_path: Option<PathBuf>,
) -> Found {
    // If nothing is there on disk, the app may have replaced the reader of the source.
    if let Some(Ok(metadata)) = disk_path.map(fs::metadata)
        && !metadata.is_file()
    {
        return Found::Irregular(kind(metadata.file_type()));
    }
    match read(&server, &path).await {
        Ok(content) => {
            let is_new = loaded.contains(&path) && !loaded.matches(&path, &content);
            let error = if is_new { content.parse::<T>(&path).err() } else { None };
            Found::Content { content, error }
        }
        Err(_) => Found::Unreadable,
    }
}

async fn read(server: &AssetServer, path: &AssetPath<'_>) -> Result<Content, AssetReaderError> {
    let missing = || AssetReaderError::NotFound(path.path().to_owned());
    let source = server.get_source(path.source()).map_err(|_| missing())?;
    // What the server itself reads.
    let reader = match server.mode() {
        AssetServerMode::Unprocessed => source.reader(),
        AssetServerMode::Processed => source.processed_reader().map_err(|_| missing())?,
    };
    let mut reader = reader.read(path.path()).await?;
    Ok(Content::read(&mut *reader).await?)
}

#[cfg(unix)]
fn kind(file: FileType) -> &'static str {
    use std::os::unix::fs::FileTypeExt;
    if file.is_dir() {
        "folder"
    } else if file.is_fifo() {
        "named pipe"
    } else if file.is_socket() {
        "socket"
    } else {
        "device"
    }
}

#[cfg(not(unix))]
fn kind(file: FileType) -> &'static str {
    if file.is_dir() { "folder" } else { "device" }
}
