//! The whitespace and the comments between the values of a RON text.

use super::document::Document;
use super::token::{Token, TokenKind, tokens};
use std::ops::Range;

impl Document<'_> {
    /// The whitespace and the comments at `at`.
    fn trivia(&self, at: usize) -> impl Iterator<Item = Token> {
        self.tokens_from(at).iter().copied().take_while(|token| token.is_trivia())
    }

    /// The first byte at or after `at` that is neither whitespace nor in a comment.
    pub(super) fn skip_space(&self, at: usize) -> usize {
        self.trivia(at).last().map_or(at, |token| token.end)
    }

    /// The end of the comments that fill the rest of the line at `at`. Returns `at` if a value follows on the line.
    pub(super) fn rest_of_line(&self, at: usize) -> usize {
        let (mut here, mut end) = (at, at);
        for token in self.trivia(at) {
            here = token.end;
            if token.is_comment() {
                end = here;
            } else if self.text()[token.start..token.end].contains('\n') {
                return end;
            }
        }
        if here == self.text().len() || self.text()[here..].starts_with([')', ']']) { end } else { at }
    }

    /// The start of the comments that belong to the value at the end of `range`, a range without values.
    ///
    /// A comment belongs to the value if no blank line is between them.
    pub(super) fn start_of_comments(&self, range: Range<usize>) -> usize {
        let mut start = range.start;
        for token in self.trivia(range.start).take_while(|token| token.start < range.end) {
            let newlines = self.text()[token.start..token.end].matches('\n').count();
            if !token.is_comment() && (token.start == start || newlines > 1) {
                start = token.end;
            }
        }
        start
    }
}

/// Whether text directly after `trivia` would be part of a comment.
pub(super) fn ends_in_line_comment(trivia: &str) -> bool {
    tokens(trivia).last().is_some_and(|token| token.kind == TokenKind::LineComment)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rest_of_a_line_has_the_comments_up_to_its_end() {
        for (line, rest) in [
            ("", ""),
            (" // a\n", " // a"),
            (" // a\r\n", " // a"),
            (" /* a */ // b \n 1", " /* a */ // b "),
            ("/* a\n b */  \n", "/* a\n b */"),
            ("\n// a", ""),
            (" /* a */ 1\n", ""),
            (" /* a */ ]", " /* a */"),
            ("/* a", "/* a"),
        ] {
            assert_eq!(&line[..Document::parse(line).rest_of_line(0)], rest, "{line:?}");
        }
    }

    #[test]
    fn comments_belong_to_a_value_unless_a_blank_line_follows() {
        for (before, comments) in [
            ("", ""),
            ("\n  ", ""),
            ("\n  // a\n  // b\n  ", "// a\n  // b\n  "),
            ("\n\n  // a\n\n  /* b */ ", "/* b */ "),
            ("\r\n// a\r\n\r\n", ""),
            (" /* a\n\n */ ", "/* a\n\n */ "),
        ] {
            let start = Document::parse(before).start_of_comments(0..before.len());
            assert_eq!(&before[start..], comments, "{before:?}");
        }
    }
}
