//! Writes files as a whole or not at all.

use std::fs::{self, File};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::Path;
use tempfile::{Builder, NamedTempFile};

/// Replaces the content of the file `path` by what `write` writes. Creates the file if it does not exist.
///
/// Writes a temporary file beside `path`, flushes it to disk, and renames it. So a reader, even after a crash, finds either the
/// whole old content or the whole new content. The file keeps its permissions. On failure, the temporary file is removed and
/// `path` is unchanged.
///
/// # Errors
///
/// Returns an error if the file is read-only, or if `write` or the system fails.
pub fn replace_file(path: &Path, write: impl FnOnce(&mut BufWriter<&File>) -> io::Result<()>) -> io::Result<()> {
    let old = fs::metadata(path).ok().map(|metadata| metadata.permissions());
    // The system allows renaming a file over a read-only one, so check it here.
    if old.as_ref().is_some_and(fs::Permissions::readonly) {
        return Err(io::Error::new(ErrorKind::PermissionDenied, "the file is read-only"));
    }
    let temporary = temporary_file(folder_of(path), write)?;
    if let Some(permissions) = old {
        temporary.as_file().set_permissions(permissions)?;
    }
    temporary.as_file().sync_all()?;
    temporary.persist(path).map(drop).map_err(|error| error.error)
}

/// The folder of a file.
pub fn folder_of(path: &Path) -> &Path {
    // A path without a folder is in the current folder.
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Writes a file without a name of its own in `folder`. It is removed unless it is given one.
pub fn temporary_file(
    folder: &Path,
    write: impl FnOnce(&mut BufWriter<&File>) -> io::Result<()>,
) -> io::Result<NamedTempFile> {
    // Not named after the file that it becomes: that name may already have the maximum length.
    let mut builder = Builder::new();
    builder.prefix(".terrain-").suffix(".tmp");
    // The permissions of a normal new file. By default, only the owner can read a temporary file.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let temporary = builder.tempfile_in(folder)?;
    let mut writer = BufWriter::new(temporary.as_file());
    write(&mut writer)?;
    writer.flush()?;
    drop(writer);
    Ok(temporary)
}

#[cfg(test)]
mod tests {
    use super::*;
    use testing::Folder;

    #[test]
    fn a_file_is_created_or_replaced_and_no_other_file_stays() {
        let folder = Folder::new();
        let path = folder.path("a.pgm");
        for text in ["first", "second"] {
            replace_file(&path, |file| file.write_all(text.as_bytes())).expect("the folder can be written");
            assert_eq!(folder.read("a.pgm"), text);
            assert_eq!(folder.names(), ["a.pgm"]);
        }
    }

    #[test]
    fn a_failure_half_way_leaves_the_folder_as_it_was() {
        let folder = Folder::new();
        let path = folder.path("a.pgm");
        let half = |file: &mut BufWriter<&File>| {
            file.write_all(b"half")?;
            file.flush()?;
            Err(io::Error::from(ErrorKind::StorageFull))
        };
        assert_eq!(replace_file(&path, half).expect_err("the disk is full").kind(), ErrorKind::StorageFull);
        assert!(folder.names().is_empty());

        folder.write("a.pgm", "old");
        assert!(replace_file(&path, half).is_err());
        assert_eq!(folder.read("a.pgm"), "old");
        assert_eq!(folder.names(), ["a.pgm"]);
    }

    #[test]
    fn a_folder_at_the_path_or_a_missing_parent_is_an_error() {
        let folder = Folder::new();
        let in_the_way = folder.path("a.pgm");
        fs::create_dir(&in_the_way).expect("the folder can be written");
        assert!(replace_file(&in_the_way, |_| Ok(())).is_err());
        assert!(replace_file(&folder.path("missing/b.pgm"), |_| Ok(())).is_err());
        assert_eq!(folder.names(), ["a.pgm"]);
    }

    #[test]
    fn a_read_only_file_is_not_replaced() {
        let folder = Folder::new();
        let path = folder.write("a.pgm", "old");
        let mut permissions = fs::metadata(&path).expect("the file is there").permissions();
        permissions.set_readonly(true);
        fs::set_permissions(&path, permissions).expect("the file is ours");
        let error = replace_file(&path, |_| Ok(())).expect_err("it is read-only");
        assert_eq!(error.kind(), ErrorKind::PermissionDenied);
        assert_eq!(folder.read("a.pgm"), "old");
    }

    #[cfg(unix)]
    #[test]
    fn permissions_stay_and_a_new_file_has_the_usual_ones() {
        use std::os::unix::fs::PermissionsExt;
        let folder = Folder::new();
        let mode =
            |name: &str| fs::metadata(folder.path(name)).expect("the file is there").permissions().mode() & 0o777;
        replace_file(&folder.path("new"), |_| Ok(())).expect("the folder can be written");
        folder.write("any", "");
        assert_eq!(mode("new"), mode("any"));
        fs::set_permissions(folder.path("any"), fs::Permissions::from_mode(0o640)).expect("the file is ours");
        replace_file(&folder.path("any"), |_| Ok(())).expect("the folder can be written");
        assert_eq!(mode("any"), 0o640);
    }
}
