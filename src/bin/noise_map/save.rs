//! Why a picture could not be written.

use std::io;
use std::path::PathBuf;
use thiserror::Error;

/// Why there is no picture on disk.
#[derive(Debug, Error)]
pub enum SaveError {
    /// The folder is neither there nor can it be made.
    #[error("cannot create the folder {}: {source}", path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// The file can't be written. What was there before still is.
    #[error("cannot write {}: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::ErrorKind;

    #[test]
    fn errors_name_the_path_and_the_reason() {
        let source = || io::Error::new(ErrorKind::NotFound, "no such folder");
        let file = SaveError::File { path: "a/b.pgm".into(), source: source() };
        assert_eq!(file.to_string(), "cannot write a/b.pgm: no such folder");
        let folder = SaveError::Folder { path: "output".into(), source: source() };
        assert_eq!(folder.to_string(), "cannot create the folder output: no such folder");
    }
}
