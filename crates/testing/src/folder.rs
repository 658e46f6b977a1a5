//! A temporary folder for the files of a test.

use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// An empty folder. It is removed when it is dropped.
pub struct Folder(TempDir);

impl Default for Folder {
    fn default() -> Self {
        Self::new()
    }
}

impl Folder {
    /// Creates a folder.
    pub fn new() -> Self {
        Self(TempDir::new().expect("temporary folders can be created"))
    }

    /// The path of `name` in the folder.
    pub fn path(&self, name: impl AsRef<Path>) -> PathBuf {
        self.0.path().join(name)
    }

    /// Writes a file and returns its path.
    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        fs::write(&path, content).expect("the folder can be written");
        path
    }

    /// The content of a file.
    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).expect("the file exists")
    }

    /// The names of all entries, sorted.
    pub fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.0.path()).expect("the folder exists");
        let name = |entry: fs::DirEntry| entry.file_name().into_string().expect("names are UTF-8");
        let mut names: Vec<String> = entries.map(|entry| name(entry.expect("the entry can be read"))).collect();
        names.sort();
        names
    }
}
