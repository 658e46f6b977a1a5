//! The position of each value in a RON text.
//!
//! The RON parser returns values without their positions. An [`Outline`] is a second, lenient scan of the same text. It ignores
//! types and reports no errors; it only follows brackets, names and commas. With it, an error can name the line of a field,
//! and saving can replace a value without touching the text around it.

use super::depth::{MAX_DEPTH, block_comment, raw_string, string};
use super::names::current_field;
use crate::param::parent_path;
use std::ops::Range;

/// One value in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct OutlineEntry {
    /// The path of the value, such as `field.layers[2].kind.octaves`, with current field names. Empty for the outermost value.
    pub path: String,
    /// The bytes from the start of the field's name to the end of the value. Only the value if it has no name.
    pub field: Range<usize>,
    /// The bytes of the value.
    pub value: Range<usize>,
}

/// Every value of a RON text, ordered by where it begins.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Outline {
    entries: Vec<OutlineEntry>,
}

impl Outline {
    /// Scans `text`. Invalid text gives the values that can be recognized.
    pub fn of(text: &str) -> Self {
        let mut scanner = Scanner { text: text.as_bytes(), at: 0, entries: Vec::new() };
        scanner.skip_attributes();
        scanner.value(String::new(), None, 0);
        Self { entries: scanner.entries }
    }

    /// All values, ordered by where they begin.
    pub fn entries(&self) -> &[OutlineEntry] {
        &self.entries
    }

    /// The value at `path`.
    pub fn find(&self, path: &str) -> Option<&OutlineEntry> {
        self.entries.iter().find(|entry| entry.path == path)
    }

    /// The value at `path`, or else the innermost value around it that the text has.
    pub fn nearest(&self, path: &str) -> Option<&OutlineEntry> {
        let parents = std::iter::successors(Some(path), |path| (!path.is_empty()).then(|| parent_path(path)));
        parents.into_iter().find_map(|path| self.find(path))
    }

    /// The innermost value whose name or text contains the byte `offset`, or ends there.
    pub fn at(&self, offset: usize) -> Option<&OutlineEntry> {
        self.entries.iter().rfind(|entry| entry.field.start <= offset && offset <= entry.field.end)
    }
}

/// The field's name as written in `text`. Empty for an item of a list.
pub(super) fn written_name<'a>(text: &'a str, entry: &OutlineEntry) -> &'a str {
    let field = &text[entry.field.start..entry.value.start];
    &field[..field.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(field.len())]
}

/// The name of the variant or of the struct at the start of a value, such as `Noise` in `Noise(octaves: 3)`. Empty without one.
pub(crate) fn written_variant<'a>(text: &'a str, entry: &OutlineEntry) -> &'a str {
    let value = &text[entry.value.clone()];
    &value[..value.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(value.len())]
}

/// The byte offset of `line` and `column`. The column counts characters; both count from 1.
pub(super) fn offset_of(text: &str, line: usize, column: usize) -> usize {
    let line_start = if line <= 1 {
        0
    } else {
        text.match_indices('\n').nth(line - 2).map_or(text.len(), |(newline, _)| newline + 1)
    };
    text[line_start..].char_indices().nth(column.saturating_sub(1)).map_or(text.len(), |(i, _)| line_start + i)
}

/// The first byte at or after `at` that is neither whitespace nor in a comment.
pub(super) fn skip_space(text: &str, at: usize) -> usize {
    let mut scanner = Scanner { text: text.as_bytes(), at, entries: Vec::new() };
    scanner.skip_space();
    scanner.at
}

/// The first byte at or after `at` that is not part of a word: a name or a number.
pub(super) fn skip_word(text: &str, at: usize) -> usize {
    let mut scanner = Scanner { text: text.as_bytes(), at, entries: Vec::new() };
    scanner.word();
    scanner.at
}

/// The most values that are recorded, so that a hostile text can't exhaust the memory. Settings files have fewer.
const MAX_ENTRIES: usize = 10_000;
/// Longer names are cut, for the same reason.
const MAX_NAME: usize = 64;

struct Scanner<'a> {
    text: &'a [u8],
    at: usize,
    entries: Vec<OutlineEntry>,
}

impl Scanner<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn skip_space(&mut self) {
        while let Some(byte) = self.peek() {
            let rest = &self.text[self.at..];
            if byte.is_ascii_whitespace() {
                self.at += 1;
            } else if rest.starts_with(b"//") {
                self.at += rest.iter().position(|&b| b == b'\n').unwrap_or(rest.len());
            } else if rest.starts_with(b"/*") {
                self.at += block_comment(rest);
            } else {
                break;
            }
        }
    }

    /// `#![enable(...)]` at the top of the file.
    fn skip_attributes(&mut self) {
        self.skip_space();
        while self.text[self.at..].starts_with(b"#![") {
            let rest = &self.text[self.at..];
            self.at += rest.iter().position(|&b| b == b']').map_or(rest.len(), |end| end + 1);
            self.skip_space();
        }
    }

    fn value(&mut self, path: String, name_start: Option<usize>, depth: usize) {
        if self.entries.len() == MAX_ENTRIES {
            self.at = self.text.len();
            return;
        }
        self.skip_space();
        let start = self.at;
        let index = self.entries.len();
        let field_start = name_start.unwrap_or(start);
        self.entries.push(OutlineEntry { path: path.clone(), field: field_start..start, value: start..start });
        if depth < MAX_DEPTH {
            let rest = &self.text[start..];
            match self.peek() {
                Some(b'(') => self.group(&path, depth),
                Some(b'[') => self.list(&path, depth),
                Some(b'"') => self.at += string(rest),
                Some(b'r') if raw_string(rest) > 1 => self.at += raw_string(rest),
                Some(_) => {
                    self.word();
                    let end = self.at;
                    self.skip_space();
                    // A struct or a variant with a name before its bracket.
                    if self.at > start && self.peek() == Some(b'(') {
                        self.group(&path, depth);
                    } else {
                        self.at = end;
                    }
                }
                None => {}
            }
        }
        self.entries[index].field.end = self.at;
        self.entries[index].value.end = self.at;
    }

    fn word(&mut self) {
        let is_word = |b: u8| b.is_ascii_alphanumeric() || b >= 0x80 || b"_.+-#'".contains(&b);
        while self.peek().is_some_and(is_word) {
            self.at += 1;
        }
    }

    /// `(name: value, ...)` or `(value, ...)`.
    fn group(&mut self, path: &str, depth: usize) {
        self.items(b')', |scanner, position| {
            let start = scanner.at;
            scanner.word();
            let end = scanner.at.min(start + MAX_NAME);
            let name = String::from_utf8_lossy(&scanner.text[start..end]).into_owned();
            scanner.skip_space();
            if !name.is_empty() && scanner.peek() == Some(b':') {
                scanner.at += 1;
                let separator = if path.is_empty() { "" } else { "." };
                let name = current_field(path, &name);
                scanner.value(format!("{path}{separator}{name}"), Some(start), depth + 1);
            } else {
                scanner.at = start;
                scanner.value(format!("{path}.{position}"), None, depth + 1);
            }
        });
    }

    fn list(&mut self, path: &str, depth: usize) {
        self.items(b']', |scanner, position| scanner.value(format!("{path}[{position}]"), None, depth + 1));
    }

    /// Reads comma-separated items up to the closing bracket. Skips bytes that do not begin an item.
    fn items(&mut self, close: u8, mut item: impl FnMut(&mut Self, usize)) {
        self.at += 1;
        let mut position = 0;
        loop {
            self.skip_space();
            match self.peek() {
                None => return,
                Some(byte) if byte == close => {
                    self.at += 1;
                    return;
                }
                Some(b',') => self.at += 1,
                Some(_) => {
                    let before = self.at;
                    item(self, position);
                    position += 1;
                    if self.at == before {
                        self.at += 1;
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::error::{TextPlace, text_place};

    const TEXT: &str = "#![enable(implicit_some)]\n// first (\nTerrain(\n  field: (seed: 7, /* a: [ */ layers: [(height_scale: 1.5), (height_scale: -2)]),\n  name: \"a ) \\\" b\", color: (0.5, 1.0, 0.25), raw: r#\"a ) \" \\\"#,\n)\n";

    fn value<'a>(text: &'a str, path: &str) -> &'a str {
        let outline = Outline::of(text);
        &text[outline.find(path).unwrap_or_else(|| panic!("no {path}")).value.clone()]
    }

    #[test]
    fn every_value_is_found_by_its_path() {
        assert_eq!(value(TEXT, "field.seed"), "7");
        assert_eq!(value(TEXT, "field.layers[1].height_scale"), "-2");
        assert_eq!(value(TEXT, "field.layers"), "[(height_scale: 1.5), (height_scale: -2)]");
        assert_eq!(value(TEXT, "name"), "\"a ) \\\" b\"");
        assert_eq!(value(TEXT, "raw"), "r#\"a ) \" \\\"#");
        assert_eq!(value(TEXT, "color"), "(0.5, 1.0, 0.25)");
        assert_eq!(value(TEXT, "color.1"), "1.0");
    }

    #[test]
    fn an_offset_finds_the_innermost_field() {
        let outline = Outline::of(TEXT);
        let path_at = |what: &str| outline.at(TEXT.find(what).expect("in the text")).map(|e| e.path.clone());
        assert_eq!(path_at("1.5").as_deref(), Some("field.layers[0].height_scale"));
        assert_eq!(path_at("height_scale: -2").as_deref(), Some("field.layers[1].height_scale"));
        assert_eq!(path_at("seed").as_deref(), Some("field.seed"));
    }

    #[test]
    fn an_outline_of_broken_text_has_the_values_that_can_be_read() {
        for end in 0..TEXT.len() {
            Outline::of(&TEXT[..end]);
        }
        for text in ["", "(", "(a", "(a:", "((((", "(a: ]", "(a b c)", "[,,,]", "\"", "(a: \"x\\", "/*", ")", "é(ü: 1"]
        {
            Outline::of(text);
        }
        Outline::of(&"(".repeat(100_000));
        assert_eq!(value("(a: 1, b: (c: 2", "b.c"), "2");
    }

    #[test]
    fn a_hostile_text_gives_a_short_outline() {
        let outline = Outline::of(&"(1,".repeat(1_000_000));
        assert!(outline.entries.len() <= MAX_ENTRIES);
        let outline = Outline::of(&format!("({}: ({}))", "x".repeat(1_000_000), "a: 1, ".repeat(1_000_000)));
        assert_eq!(outline.entries.len(), MAX_ENTRIES);
        assert!(outline.entries.iter().all(|entry| entry.path.len() <= 2 * MAX_NAME));
    }

    #[test]
    fn offsets_and_lines_convert_both_ways() {
        let text = "ab\nçd\n\nx";
        for (offset, _) in text.char_indices() {
            let TextPlace { line, column } = text_place(text, offset);
            assert_eq!(offset_of(text, line, column), offset);
        }
        assert_eq!(text_place(text, text.find('d').expect("there")), TextPlace { line: 2, column: 2 });
    }
}
