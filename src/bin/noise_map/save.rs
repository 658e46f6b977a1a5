//! Writing a file whole or not at all.

use std::fs::{self, File};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process;
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

/// Makes the file `path` of what `write` puts into it.
///
/// The bytes go to a file beside `path`, which takes its name when all of them are there. When anything fails, that file is
/// removed and `path` is as it was.
pub fn save(path: &Path, write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>) -> io::Result<()> {
    // A new file can take the name of a protected one; its protection is respected here because the system won't.
    if fs::metadata(path).is_ok_and(|old| old.permissions().readonly()) {
        return Err(io::Error::new(ErrorKind::PermissionDenied, "the file is read-only"));
    }
    let (temporary, file) = create_beside(path)?;
    let written = fill(file, write).and_then(|()| fs::rename(&temporary, path));
    if written.is_err() {
        // The first failure is the one to report.
        let _ = fs::remove_file(&temporary);
    }
    written
}

fn fill(file: File, write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>) -> io::Result<()> {
    let mut writer = BufWriter::new(file);
    write(&mut writer)?;
    writer.flush()
}

/// A new file in the folder of `path`, under a name that nobody else uses.
fn create_beside(path: &Path) -> io::Result<(PathBuf, File)> {
    let mut attempt = 0;
    loop {
        // Not made from the name of `path`, which may be as long as names can be.
        let temporary = path.with_file_name(format!(".noise_map-{}-{attempt}.tmp", process::id()));
        match File::create_new(&temporary) {
            Ok(file) => return Ok((temporary, file)),
            // Left behind by a process that was killed: process numbers come round again.
            Err(error) if error.kind() == ErrorKind::AlreadyExists && attempt < 100 => attempt += 1,
            Err(error) => return Err(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::env;

    /// An empty folder that goes away with the test.
    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str) -> Self {
            let path = env::temp_dir().join(format!("noise_map-{name}-{}", process::id()));
            fs::create_dir_all(&path).unwrap();
            Self(path)
        }

        fn names(&self) -> Vec<String> {
            let mut names: Vec<_> =
                fs::read_dir(&self.0).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
            names.sort();
            names
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn a_file_is_made_or_replaced_and_nothing_else_stays() {
        let folder = Folder::new("replace");
        let path = folder.0.join("a.pgm");
        for text in ["first", "second"] {
            save(&path, |file| file.write_all(text.as_bytes())).unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
            assert_eq!(folder.names(), ["a.pgm"]);
        }
    }

    #[test]
    fn a_failure_half_way_leaves_the_folder_as_it_was() {
        let folder = Folder::new("half");
        let path = folder.0.join("a.pgm");
        let half = |file: &mut BufWriter<File>| {
            file.write_all(b"half")?;
            file.flush()?;
            Err(io::Error::from(ErrorKind::StorageFull))
        };
        assert_eq!(save(&path, half).unwrap_err().kind(), ErrorKind::StorageFull);
        assert!(folder.names().is_empty());

        fs::write(&path, "old").unwrap();
        assert!(save(&path, half).is_err());
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        assert_eq!(folder.names(), ["a.pgm"]);
    }

    #[test]
    fn a_folder_in_the_way_or_a_missing_one_is_an_error() {
        let folder = Folder::new("way");
        let in_the_way = folder.0.join("a.pgm");
        fs::create_dir(&in_the_way).unwrap();
        assert!(save(&in_the_way, |_| Ok(())).is_err());
        assert!(save(&folder.0.join("missing/b.pgm"), |_| Ok(())).is_err());
        assert_eq!(folder.names(), ["a.pgm"]);
    }

    #[test]
    fn a_read_only_file_is_not_replaced() {
        let folder = Folder::new("read-only");
        let path = folder.0.join("a.pgm");
        fs::write(&path, "old").unwrap();
        let mut permissions = fs::metadata(&path).unwrap().permissions();
        permissions.set_readonly(true);
        fs::set_permissions(&path, permissions).unwrap();
        assert_eq!(save(&path, |_| Ok(())).unwrap_err().kind(), ErrorKind::PermissionDenied);
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
    }

    #[test]
    fn what_a_killed_process_left_behind_is_no_obstacle() {
        let folder = Folder::new("left");
        let path = folder.0.join("a.pgm");
        let (left, _) = create_beside(&path).unwrap();
        save(&path, |file| file.write_all(b"new")).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        assert!(left.exists(), "it may belong to a process that is still writing");
    }

    #[test]
    fn errors_name_the_path_and_the_reason() {
        let source = || io::Error::new(ErrorKind::NotFound, "no such folder");
        let file = SaveError::File { path: "a/b.pgm".into(), source: source() };
        assert_eq!(file.to_string(), "cannot write a/b.pgm: no such folder");
        let folder = SaveError::Folder { path: "output".into(), source: source() };
        assert_eq!(folder.to_string(), "cannot create the folder output: no such folder");
    }
}
