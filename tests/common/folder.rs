//! A folder for the files of a test.

#![allow(dead_code, reason = "every test file uses a part of it")]

use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// An empty folder that goes away with the test.
pub struct Folder(TempDir);

impl Folder {
    pub fn new() -> Self {
        Self(TempDir::new().expect("the folder for temporary files can be written"))
    }

    /// The place of `name` in the folder.
    pub fn path(&self, name: impl AsRef<Path>) -> PathBuf {
        self.0.path().join(name)
    }

    /// Writes a file and returns its place.
    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        fs::write(&path, content).expect("the folder can be written");
        path
    }

    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).expect("the file is there")
    }

    /// The names of what is in it, sorted.
    pub fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.0.path()).expect("the folder is there");
        let name = |entry: fs::DirEntry| entry.file_name().into_string().expect("a plain name");
        let mut names: Vec<String> = entries.map(|entry| name(entry.expect("it can be read"))).collect();
        names.sort();
        names
    }
}
