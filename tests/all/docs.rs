//! The pages of the documentation: their links lead somewhere, their commands are run, their samples are valid, and the table of
//! fields is the one in the code. Cargo runs the tests in the root of the repository, where all paths begin.

mod commands;
mod fields;
mod links;
mod samples;

use std::fs;
use std::path::{Path, PathBuf};

/// A page of the documentation.
struct Page {
    /// The path from the root of the repository.
    path: PathBuf,
    text: String,
}

pub fn read(path: impl AsRef<Path>) -> String {
    let path = path.as_ref();
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The names of the files in a folder of the repository, sorted.
fn names_in(folder: &str) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{folder}: {error}"));
    let name = |entry: fs::DirEntry| entry.file_name().into_string().expect("a plain name");
    let mut names: Vec<String> = entries.map(|entry| name(entry.expect("the folder can be read"))).collect();
    names.sort();
    names
}

/// The pages that say what the crates are.
const READMES: [&str; 3] = ["README.md", "crates/perlin_fbm/README.md", "crates/perlin_terrain/README.md"];

/// The pages for users: each README, and what is in the folders docs/.
fn pages() -> Vec<Page> {
    let folders = ["docs", "crates/perlin_fbm/docs"].into_iter();
    let pages = folders.flat_map(|folder| names_in(folder).into_iter().map(move |name| format!("{folder}/{name}")));
    READMES.map(str::to_owned).into_iter().chain(pages.filter(|path| path.ends_with(".md"))).map(Page::read).collect()
}

/// All [`pages`], and those beside the examples.
fn pages_and_examples() -> Vec<Page> {
    let examples = ["examples/README.md", "examples/web/noise/README.md"];
    pages().into_iter().chain(examples.map(Page::read)).collect()
}

impl Page {
    fn read(path: impl Into<PathBuf>) -> Self {
        let path = path.into();
        let text = read(&path);
        Self { path, text }
    }

    /// The text of every code block in `language`.
    fn blocks(&self, language: &str) -> Vec<String> {
        let mut blocks = Vec::new();
        self.walk(|line, inside| match inside {
            Some((name, is_first)) if name == language => {
                if is_first {
                    blocks.push(String::new());
                }
                if let Some(block) = blocks.last_mut() {
                    *block += line;
                    *block += "\n";
                }
            }
            _ => {}
        });
        blocks
    }

    /// The lines that are in no code block.
    fn prose(&self) -> Vec<String> {
        let mut lines = Vec::new();
        self.walk(|line, inside| {
            if inside.is_none() {
                lines.push(line.to_owned());
            }
        });
        lines
    }

    /// Passes every line to `visit`, except the fences of code blocks. A line of a block has the language of the block, and
    /// whether it is the first line there.
    fn walk(&self, mut visit: impl FnMut(&str, Option<(&str, bool)>)) {
        let mut language = None;
        let mut is_first = false;
        for line in self.text.lines() {
            match line.strip_prefix("```") {
                Some(_) if language.is_some() => language = None,
                Some(info) => {
                    language = Some(info.split(',').next().unwrap_or_default());
                    is_first = true;
                }
                None => {
                    visit(line, language.map(|language| (language, is_first)));
                    is_first = false;
                }
            }
        }
        assert_eq!(language, None, "{}: a code block does not end", self.path.display());
    }
}
