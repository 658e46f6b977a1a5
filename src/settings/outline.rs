//! The position of each value in a RON text.
//!
//! The RON parser returns values without their positions. An [`Outline`] is a second, lenient scan of the same text. It ignores
//! types and reports no errors; it only follows brackets, names and commas. With it, an error can name the line of a field,
//! and saving can replace a value without touching the text around it.

use super::brackets::Brackets;
use super::depth::MAX_DEPTH;
use super::error::cut;
use super::fault::{Fault, MAX_FAULTS};
use super::tokens::{bare_fields, block_comment, is_name, line_length, raw_string, string};
use crate::param::parent_path;
use std::ops::Range;

/// One value in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct OutlineEntry {
    /// The path of the value, such as `field.layers[2].kind.octaves`. Empty for the outermost value.
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
        let mut scanner = Scanner::new(text, 0);
        scanner.skip_attributes();
        scanner.value(String::new(), None, 0);
        Self { entries: scanner.entries }
    }

    /// Scans a text that the parser can't read, and reports the commas, colons and brackets that are missing or too many. `brackets`
    /// are those of `text`.
    pub(super) fn of_broken(text: &str, brackets: &Brackets) -> (Self, Vec<Fault>) {
        let broken = Broken { brackets, faults: Vec::new(), commas: 0 };
        let mut scanner = Scanner { broken: Some(broken), ..Scanner::new(text, 0) };
        scanner.skip_attributes();
        scanner.root();
        let Scanner { entries, broken, .. } = scanner;
        let Broken { mut faults, commas, .. } = broken.expect("it was given to the scanner");
        if commas > 1
            && let Some(first) = faults.iter_mut().find(|fault| fault.wrong.starts_with("a comma is missing"))
        {
            first.wrong += &format!(" ({commas} places)");
        }
        (Self { entries }, faults)
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
    let mut scanner = Scanner::new(text, at);
    scanner.skip_space();
    scanner.at
}

/// The first byte at or after `at` that is not part of a word: a name or a number.
pub(super) fn skip_word(text: &str, at: usize) -> usize {
    let mut scanner = Scanner::new(text, at);
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
    /// What is known about a text that the parser can't read.
    broken: Option<Broken<'a>>,
}

struct Broken<'a> {
    brackets: &'a Brackets,
    faults: Vec<Fault>,
    /// How many commas are missing. Who forgets them forgets many, so the first is reported.
    commas: usize,
}

impl<'a> Scanner<'a> {
    const fn new(text: &'a str, at: usize) -> Self {
        Self { text: text.as_bytes(), at, entries: Vec::new(), broken: None }
    }

    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn skip_space(&mut self) {
        while let Some(byte) = self.peek() {
            let rest = &self.text[self.at..];
            if byte.is_ascii_whitespace() {
                self.at += 1;
            } else if rest.starts_with(b"//") {
                self.at += line_length(rest);
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
                // A value that is not there.
                Some(b',' | b')' | b']') if self.broken.is_some() => {}
                Some(_) => {
                    self.word();
                    if self.broken.is_some() {
                        if let (Some(name_start), true) = (name_start, self.is_name_of_next(start)) {
                            self.bare_fields(&path, name_start, start, depth);
                            self.entries[index].field.end = self.at;
                            self.entries[index].value.end = self.at;
                            return;
                        }
                        self.rest_of_value(start);
                    }
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
        self.items(b')', |scanner, position| scanner.item(path, position, depth));
    }

    /// `name: value` or `value`, in parentheses.
    fn item(&mut self, path: &str, position: usize, depth: usize) {
        let start = self.at;
        self.word();
        self.rest_of_name(start);
        let end = self.at.min(start + MAX_NAME);
        let name = String::from_utf8_lossy(&self.text[start..end]).into_owned();
        let word_end = self.at;
        self.skip_space();
        let has_colon = self.peek() == Some(b':');
        if !name.is_empty() && (has_colon || self.lacks_colon(start, word_end)) {
            self.at += usize::from(has_colon);
            self.skip_signs_after_colon(word_end);
            let separator = if path.is_empty() { "" } else { "." };
            self.value(format!("{path}{separator}{name}"), Some(start), depth + 1);
        } else {
            self.at = start;
            self.value(format!("{path}.{position}"), None, depth + 1);
        }
    }

    fn list(&mut self, path: &str, depth: usize) {
        self.items(b']', |scanner, position| {
            let path = format!("{path}[{position}]");
            if !scanner.bare_item(&path, depth + 1) {
                scanner.value(path, None, depth + 1);
            }
        });
    }

    /// Reads comma-separated items up to the closing bracket. Skips bytes that do not begin an item.
    fn items(&mut self, close: u8, mut item: impl FnMut(&mut Self, usize)) {
        let end = self.broken.as_ref().and_then(|broken| broken.brackets.ends.get(&self.at).copied());
        self.at += 1;
        self.items_to(Some(close), end, &mut item);
    }

    /// Reads comma-separated items up to the byte `close` or the place `end`.
    fn items_to(&mut self, close: Option<u8>, end: Option<usize>, item: &mut dyn FnMut(&mut Self, usize)) {
        let mut position = 0;
        // Whether a comma was read after the last item, and the end of that item.
        let (mut has_comma, mut last) = (true, self.at);
        loop {
            self.skip_space();
            if end.is_some_and(|end| self.at >= end) {
                return;
            }
            match self.peek() {
                None => return,
                Some(byte) if Some(byte) == close => {
                    self.at += 1;
                    return;
                }
                Some(b',') => {
                    if has_comma {
                        let wrong = if position == 0 { "a comma before the first value" } else { "two commas" };
                        self.fault(self.at, || format!("{wrong}; remove one"));
                    }
                    has_comma = true;
                    self.at += 1;
                }
                Some(_) => {
                    let before = self.at;
                    let index = self.entries.len();
                    item(self, position);
                    position += 1;
                    if self.at == before {
                        self.skip_sign();
                        self.entries.truncate(index);
                        continue;
                    }
                    if !has_comma {
                        self.comma_is_missing(last, before);
                    }
                    // A bracket that is not closed hides its comma.
                    has_comma = self.is_cut(index);
                    last = self.at;
                }
            }
        }
    }
}

/// The parts of the scan that find mistakes in the punctuation.
impl Scanner<'_> {
    fn fault(&mut self, at: usize, wrong: impl FnOnce() -> String) {
        if let Some(broken) = &mut self.broken
            && broken.faults.len() < MAX_FAULTS
        {
            broken.faults.push(Fault::new(at, wrong()));
        }
    }

    fn written(&self, range: Range<usize>) -> String {
        cut(String::from_utf8_lossy(&self.text[range]).into_owned(), 40)
    }

    /// The outermost value.
    fn root(&mut self) {
        let start = self.at;
        self.word();
        let end = self.at;
        self.skip_space();
        let is_bare = end > start && self.peek() == Some(b':');
        self.at = start;
        if is_bare {
            let name = self.written(start..end);
            self.fault(start, || {
                format!(
                    "the file lacks its outer parentheses; write `(` before `{name}` and `)` at the end of the file"
                )
            });
            self.entries.push(OutlineEntry { path: String::new(), field: start..start, value: start..self.text.len() });
            self.items_to(None, None, &mut |scanner, position| scanner.item("", position, 0));
            self.entries[0].field.end = self.text.len();
            return;
        }
        self.value(String::new(), None, 0);
        self.skip_space();
        let is_group = self.text[start..self.at].contains(&b'(');
        if is_group && self.at < self.text.len() && self.entries.len() < MAX_ENTRIES {
            self.fault(self.at, || {
                "more text after the bracket that closes the file; move it before that bracket".to_owned()
            });
        }
    }

    /// Whether the word that was read from `start` on is no value, but the name of another field.
    fn is_name_of_next(&mut self, start: usize) -> bool {
        let end = self.at;
        self.skip_space();
        let has_colon = self.peek() == Some(b':');
        self.at = end;
        has_colon && end > start && self.text[start].is_ascii_alphabetic()
    }

    /// Reads the fields of the field at `name` that has no parentheses: those at `start` that are indented further, as in YAML.
    fn bare_fields(&mut self, path: &str, name: usize, start: usize, depth: usize) {
        self.at = start;
        // To look for the indentation takes a pass over the line, which may be as long as the file.
        if !self.text[name..start].contains(&b'\n') {
            return;
        }
        let indent_at = |at: usize| {
            let line = self.text[..at].iter().rposition(|&byte| byte == b'\n').map_or(0, |newline| newline + 1);
            (line, self.text[line..].iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count())
        };
        let ((_, indent), (first, own)) = (indent_at(name), indent_at(start));
        let written = self.written(name..start);
        let written = written.trim().trim_end_matches(':').trim_end();
        if own <= indent {
            return;
        }
        self.fault(name, || {
            format!("`{written}:` has no parentheses; write `{written}: (` before its fields and `)` after them")
        });
        let mut end = first;
        for line in self.text[first..].split_inclusive(|&byte| byte == b'\n') {
            let spaces = line.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
            if spaces <= indent && !line.trim_ascii().is_empty() {
                break;
            }
            end += line.len();
        }
        self.items_to(None, Some(end), &mut |scanner, position| scanner.item(path, position, depth));
    }

    /// Reads the fields of a struct in a list that has no parentheses, as in `[kind: Noise()]`. Returns whether there is one.
    fn bare_item(&mut self, path: &str, depth: usize) -> bool {
        let start = self.at;
        self.word();
        let is_bare = self.broken.is_some() && self.is_name_of_next(start);
        let name = if is_bare { self.written(start..self.at) } else { String::new() };
        self.at = start;
        if !is_bare || depth >= MAX_DEPTH || self.entries.len() == MAX_ENTRIES {
            return false;
        }
        self.fault(start, || format!("`{name}:` in a list; write `(` before it and `)` after the last field"));
        let index = self.entries.len();
        self.entries.push(OutlineEntry { path: path.to_owned(), field: start..start, value: start..start });
        let end = start + bare_fields(&self.text[start..]);
        self.items_to(None, Some(end), &mut |scanner, position| scanner.item(path, position, depth));
        self.entries[index].field.end = self.at;
        self.entries[index].value.end = self.at;
        true
    }

    /// Reads the other words of a name with spaces in it, such as `base height`.
    fn rest_of_name(&mut self, start: usize) {
        let first = self.at;
        while self.broken.is_some() && self.at > start && self.peek() == Some(b' ') {
            while self.peek() == Some(b' ') {
                self.at += 1;
            }
            let word = self.at;
            self.word();
            if self.at == word || self.at - start > MAX_NAME {
                break;
            }
        }
        if self.peek() != Some(b':') {
            self.at = first;
        }
    }

    /// Skips what may stand after the colon of a name in another format, as in `:=`.
    fn skip_signs_after_colon(&mut self, name_end: usize) {
        let start = self.at;
        while self.broken.is_some() && matches!(self.peek(), Some(b':' | b'=')) {
            self.at += 1;
        }
        if self.at > start {
            let written = self.written(start - 1..self.at);
            self.fault(name_end, || format!("`{written}` after a name; write `:`"));
        }
    }

    /// Skips a sign that begins no value.
    fn skip_sign(&mut self) {
        let length = (self.text[self.at..].iter().skip(1)).take_while(|&&byte| byte & 0xC0 == 0x80).count() + 1;
        let sign = self.written(self.at..self.at + length);
        self.fault(self.at, || format!("`{sign}` has no meaning here; remove it"));
        self.at += length;
    }

    /// Whether a name without a colon at `start..end` has a value after it, so that the colon was forgotten. Reports it.
    fn lacks_colon(&mut self, start: usize, end: usize) -> bool {
        let is_name = self.text[start].is_ascii_alphabetic() && self.text[start..end].iter().all(|&byte| is_name(byte));
        let gap = &self.text[end..self.at];
        if self.broken.is_none() || !is_name || gap.is_empty() || gap.contains(&b'\n') {
            return false;
        }
        let is_value = match self.peek() {
            Some(b'"' | b'[' | b'-' | b'.') => true,
            Some(byte) => byte.is_ascii_alphanumeric(),
            None => false,
        };
        if is_value {
            let name = self.written(start..end);
            self.fault(end, || format!("a colon is missing after `{name}`"));
        }
        is_value
    }

    /// Reads the rest of a value that is no single word, such as `200 m` or `6:30`, and the part after a decimal comma.
    fn rest_of_value(&mut self, start: usize) {
        let first = &self.text[start..self.at];
        let mut is_number = first.last().is_some_and(u8::is_ascii_digit)
            && first.iter().all(|byte| byte.is_ascii_digit() || b"+-_".contains(byte));
        loop {
            let end = self.at;
            let is_digit = |at: usize| self.text.get(at).is_some_and(u8::is_ascii_digit);
            match self.peek() {
                Some(b':') if is_number && is_digit(end + 1) => self.at += 1,
                Some(b',') if is_number && is_digit(end + 1) && self.is_decimal_comma(end, start) => self.at += 1,
                Some(b' ' | b'\t') => {
                    while matches!(self.peek(), Some(b' ' | b'\t')) {
                        self.at += 1;
                    }
                    if !self.continues_value() {
                        self.at = end;
                        return;
                    }
                }
                Some(b'/') if !matches!(self.text.get(end + 1), Some(b'/' | b'*')) => self.at += 1,
                Some(
                    b'%' | b'*' | b'"' | b'\\' | b'!' | b'?' | b'&' | b'<' | b'>' | b'|' | b'^' | b'~' | b'@' | b'$',
                ) => {
                    self.at += 1;
                }
                _ => return,
            }
            is_number = false;
            self.word();
        }
    }

    /// Whether the comma after the digits `start..comma` is that of a decimal number: the value has a name, and only digits follow
    /// directly.
    fn is_decimal_comma(&self, comma: usize, start: usize) -> bool {
        let has_name = self.entries.last().is_some_and(|entry| entry.field.start < start);
        let rest = &self.text[comma + 1..];
        let digits = rest.iter().take_while(|&&byte| byte.is_ascii_digit()).count();
        has_name && !matches!(rest.get(digits), Some(byte) if is_name(*byte) || *byte == b':')
    }

    /// Whether what is at the place belongs to the value before it in the line.
    fn continues_value(&mut self) -> bool {
        let start = self.at;
        let starts = match self.peek() {
            None | Some(b',' | b':' | b'(' | b')' | b'[' | b']' | b'\n' | b'\r') => return false,
            Some(b'/') if matches!(self.text.get(start + 1), Some(b'/' | b'*')) => return false,
            Some(byte) => byte,
        };
        self.word();
        let is_word = self.at > start;
        self.skip_space();
        // A name or a variant begins the next value.
        let is_next = is_word && matches!(self.peek(), Some(b':' | b'('));
        self.at = start;
        !is_next && starts != b'"'
    }

    fn comma_is_missing(&mut self, end: usize, next: usize) {
        let word = self.text[next..].iter().take_while(|&&byte| is_name(byte)).count();
        let before = self.written(next..next + word.max(1));
        if let Some(broken) = &mut self.broken {
            broken.commas += 1;
            if broken.commas == 1 {
                broken.faults.push(Fault::new(end, format!("a comma is missing before `{before}`")));
            }
        }
    }

    /// Whether the value at `index`, or the last one in it, lacks its closing bracket.
    fn is_cut(&self, index: usize) -> bool {
        let Some(broken) = &self.broken else { return false };
        !broken.brackets.ends.is_empty()
            && broken.brackets.ends.iter().any(|(open, &end)| {
                let is_in = self.entries.get(index).is_some_and(|entry| entry.value.contains(open));
                is_in && end <= self.at && self.text[end..self.at].iter().all(u8::is_ascii_whitespace)
            })
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
