//! Why a settings file failed to load.

use crate::settings::{SettingsError, SettingsProblem, TerrainSettings, joined};
use bevy::asset::io::AssetReaderError;
use bevy::asset::{AssetLoadError, AssetPath};
use std::error::Error;
use std::{fmt, io};

/// Why a settings file failed to load. `Display` writes its [problems](Self::problems), one per line.
#[derive(Debug)]
#[non_exhaustive]
pub enum TerrainSettingsLoadError {
    /// The file could not be read.
    Io {
        /// The file.
        path: AssetPath<'static>,
        /// The cause.
        source: io::Error,
    },
    /// The file is larger than [`TerrainSettings::MAX_FILE_SIZE`]. The loader did not read the rest.
    TooLarge {
        /// The file.
        path: AssetPath<'static>,
        /// Its size in bytes, if the asset source knows it.
        size: Option<u64>,
    },
    /// The content is not valid settings, or not even UTF-8 text.
    Invalid {
        /// The file.
        path: AssetPath<'static>,
        /// All problems in the text.
        source: SettingsError,
    },
}

impl fmt::Display for TerrainSettingsLoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&joined(&self.problems(), "\n"))
    }
}

impl Error for TerrainSettingsLoadError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Io { source, .. } => Some(source),
            Self::TooLarge { .. } => None,
            Self::Invalid { source, .. } => Some(source),
        }
    }
}

impl TerrainSettingsLoadError {
    /// Returns the error of this crate's loader inside an error of the asset server, if it contains one.
    ///
    /// The server boxes the errors of loaders. Hot reload does not give an invalid changed file to the server. This function finds
    /// the error of such a file too.
    #[must_use]
    pub fn of(error: &AssetLoadError) -> Option<&Self> {
        match error {
            AssetLoadError::AssetLoaderError(error) => error.error().downcast_ref(),
            AssetLoadError::AssetReaderError(AssetReaderError::Io(error)) => error.get_ref()?.downcast_ref(),
            _ => None,
        }
    }

    /// Returns all problems of the file. Never empty.
    #[must_use]
    pub fn problems(&self) -> Vec<SettingsProblem> {
        let whole = |path: &AssetPath<'_>, wrong: String, allowed| {
            let mut problem = SettingsProblem::new(wrong).in_file(path);
            problem.allowed = allowed;
            vec![problem]
        };
        match self {
            Self::Io { path, source } => whole(path, format!("can't be read: {source}"), None),
            Self::TooLarge { path, size } => {
                let limit = TerrainSettings::MAX_FILE_SIZE;
                let size = size.map_or_else(|| "too many".to_owned(), |size| size.to_string());
                let allowed = format!("up to {limit} bytes ({} MiB)", limit >> 20);
                whole(path, format!("has {size} bytes"), Some(allowed))
            }
            Self::Invalid { path, source } => {
                source.problems.iter().map(|problem| problem.clone().in_file(path)).collect()
            }
        }
    }

    /// Wraps this error in an error of the asset server. [`of`](Self::of) finds it there.
    #[cfg(feature = "hot_reload")]
    pub(crate) fn into_asset_error(self) -> AssetLoadError {
        AssetLoadError::AssetReaderError(io::Error::other(self).into())
    }
}
