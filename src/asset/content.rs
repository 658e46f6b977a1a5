//! The content of a settings file, read up to a size limit.

use super::TerrainSettingsLoadError;
use crate::settings::{SettingsError, TerrainSettings, settings_text};
#[cfg(feature = "hot_reload")]
use bevy::asset::Handle;
use bevy::asset::io::Reader;
use bevy::asset::{Asset, AssetPath};
use bevy::tasks::futures_lite::{AsyncReadExt, AsyncSeekExt};
use std::io::{self, SeekFrom};
use std::sync::Arc;

/// Settings that a file loads as.
pub(crate) trait SettingsAsset: Asset + Sized {
    /// The extension of the files.
    const FILE_EXTENSION: &'static str;

    /// Parses and validates a text.
    fn from_text(text: &str) -> Result<Self, SettingsError>;
}

impl SettingsAsset for TerrainSettings {
    const FILE_EXTENSION: &'static str = Self::FILE_EXTENSION;

    fn from_text(text: &str) -> Result<Self, SettingsError> {
        Self::from_ron(text)
    }
}

/// A component with the handle of settings.
#[cfg(feature = "hot_reload")]
pub(crate) trait HasSettings<T: Asset> {
    /// The handle.
    fn settings(&self) -> &Handle<T>;
}

/// The content of a settings file. Cheap to clone.
#[derive(Clone, Debug)]
pub(crate) enum Content {
    /// The whole file.
    Bytes(Arc<[u8]>),
    /// The file is larger than [`TerrainSettings::MAX_FILE_SIZE`]. Has its size in bytes, if the asset source knows it.
    TooLarge(Option<u64>),
}

/// Two files that are too large are equal: the second would only repeat the error of the first.
impl PartialEq for Content {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Bytes(own), Self::Bytes(other)) => own == other,
            (Self::TooLarge(_), Self::TooLarge(_)) => true,
            _ => false,
        }
    }
}

impl Content {
    /// Reads the whole file, or stops one byte beyond the limit.
    pub async fn read(mut reader: &mut dyn Reader) -> io::Result<Self> {
        let limit = TerrainSettings::MAX_FILE_SIZE;
        let mut bytes = Vec::new();
        (&mut reader).take(limit + 1).read_to_end(&mut bytes).await?;
        if bytes.len() as u64 <= limit {
            return Ok(Self::Bytes(bytes.into()));
        }
        let end = match reader.seekable() {
            Ok(seekable) => seekable.seek(SeekFrom::End(0)).await.ok(),
            Err(_) => None,
        };
        // An endless device reports its end at 0.
        Ok(Self::TooLarge(end.filter(|&size| size > limit)))
    }

    /// Parses the settings. `path` names the file in errors.
    pub fn parse<T: SettingsAsset>(&self, path: &AssetPath<'_>) -> Result<T, TerrainSettingsLoadError> {
        let path = path.clone_owned();
        let bytes = match self {
            Self::Bytes(bytes) => bytes,
            Self::TooLarge(size) => return Err(TerrainSettingsLoadError::TooLarge { path, size: *size }),
        };
        let settings = settings_text(bytes).and_then(T::from_text);
        settings.map_err(|source| TerrainSettingsLoadError::Invalid { path, source })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bevy::asset::io::VecReader;
    use bevy::tasks::block_on;

    fn read(length: u64) -> Content {
        let mut reader = VecReader::new(vec![b' '; length as usize]);
        block_on(Content::read(&mut reader)).expect("memory can be read")
    }

    #[test]
    fn a_file_is_read_up_to_the_limit_and_not_beyond() {
        let limit = TerrainSettings::MAX_FILE_SIZE;
        assert!(matches!(read(limit), Content::Bytes(bytes) if bytes.len() as u64 == limit));
        let path = AssetPath::parse("a.terrain.ron");
        let error = read(limit + 1).parse::<TerrainSettings>(&path).expect_err("it is too large");
        assert_eq!(error.to_string(), "a.terrain.ron has 4194305 bytes, allowed: up to 4194304 bytes (4 MiB)");
        let error = Content::TooLarge(None).parse::<TerrainSettings>(&path).expect_err("it is too large");
        assert_eq!(error.to_string(), "a.terrain.ron has too many bytes, allowed: up to 4194304 bytes (4 MiB)");
    }
}
