//! Positions in a text, and short pieces of it for messages.

use std::fmt;

/// A position in a text: line and column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TextPosition {
    /// The line, counted from 1.
    pub line: usize,
    /// The column, in characters, counted from 1.
    pub column: usize,
}

impl fmt::Display for TextPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

impl TextPosition {
    /// The line and column of the byte `offset` in `text`.
    pub(crate) fn of(text: &str, offset: usize) -> Self {
        let before = &text.as_bytes()[..offset.min(text.len())];
        let line_start = before.iter().rposition(|&b| b == b'\n').map_or(0, |newline| newline + 1);
        let line = before.iter().filter(|&&b| b == b'\n').count() + 1;
        let is_char_start = |b: &&u8| (**b & 0xC0) != 0x80;
        Self { line, column: before[line_start..].iter().filter(is_char_start).count() + 1 }
    }

    /// The byte offset of the position in `text`.
    pub(crate) fn offset_in(self, text: &str) -> usize {
        let newline = self.line.checked_sub(2).map(|lines| text.match_indices('\n').nth(lines));
        let start = newline.map_or(0, |newline| newline.map_or(text.len(), |(newline, _)| newline + 1));
        let mut chars = text[start..].char_indices();
        chars.nth(self.column.saturating_sub(1)).map_or(text.len(), |(i, _)| start + i)
    }
}

/// Cuts `text` to at most `max` characters and marks a cut with `...`.
pub(crate) fn cut(mut text: String, max: usize) -> String {
    if let Some((end, _)) = text.char_indices().nth(max) {
        text.truncate(end);
        text.push_str("...");
    }
    text
}

/// The first line of a value, cut if it is long.
pub(crate) fn shortened(value: &str) -> String {
    const MAX: usize = 40;
    let line = value.lines().next().unwrap_or_default();
    match cut(line.to_owned(), MAX) {
        short if short == line && line.len() < value.len() => format!("{line}..."),
        short => short,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_and_lines_convert_both_ways() {
        let text = "ab\nçd\n\nx";
        for (offset, _) in text.char_indices() {
            assert_eq!(TextPosition::of(text, offset).offset_in(text), offset);
        }
        assert_eq!(TextPosition::of(text, text.find('d').expect("there")), TextPosition { line: 2, column: 2 });
    }
}
