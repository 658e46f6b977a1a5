//! One look at one file.

use crate::settings::{Content, LoadedFiles, TerrainSettingsLoadError};
use bevy::asset::io::AssetReaderError;
use bevy::asset::{AssetPath, AssetServer};
use std::fs::{self, FileType};
use std::path::PathBuf;

/// Where a file lies on disk, where its source is the file system.
pub(super) type Place = Option<PathBuf>;

/// What a look at a file found.
pub(super) enum Seen {
    /// It was read.
    Content {
        /// What is in it.
        content: Content,
        /// Why that can't be used: found only where the asset server has a good one already, and this one is another.
        error: Option<TerrainSettingsLoadError>,
    },
    /// It can't be read.
    Unreadable,
    /// It is no regular file, but this.
    Irregular(&'static str),
}

/// Looks at a file.
pub(super) async fn look_at(server: AssetServer, loaded: LoadedFiles, path: AssetPath<'static>, place: Place) -> Seen {
    // Where there is nothing on disk, the source may have a reader of its own.
    if let Some(Ok(metadata)) = place.map(fs::metadata)
        && !metadata.is_file()
    {
        return Seen::Irregular(kind(metadata.file_type()));
    }
    match read(&server, &path).await {
        Ok(content) => {
            let is_news = loaded.knows(&path) && !loaded.has(&path, &content);
            let error = if is_news { content.parse(&path).err() } else { None };
            Seen::Content { content, error }
        }
        Err(_) => Seen::Unreadable,
    }
}

async fn read(server: &AssetServer, path: &AssetPath<'_>) -> Result<Content, AssetReaderError> {
    let missing = || AssetReaderError::NotFound(path.path().to_owned());
    let source = server.get_source(path.source()).map_err(|_| missing())?;
    let mut reader = source.reader().read(path.path()).await?;
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
