//! The whitespace and the comments between the values of a RON text.

use super::tokens::block_comment;
use std::ops::Range;

/// The pieces that `text` begins with: runs of whitespace and single comments.
fn pieces(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let length = if rest.starts_with("//") {
            let line = &rest[..rest.find('\n').unwrap_or(rest.len())];
            line.strip_suffix('\r').unwrap_or(line).len()
        } else if rest.starts_with("/*") {
            block_comment(rest.as_bytes())
        } else {
            rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_whitespace()).len()
        };
        let piece;
        (piece, rest) = rest.split_at(length);
        (length > 0).then_some(piece)
    })
}

fn is_comment(piece: &str) -> bool {
    piece.starts_with('/')
}

/// The end of the comments that fill the rest of the line at `at`. Returns `at` if a value follows on the line.
pub(super) fn rest_of_line(text: &str, at: usize) -> usize {
    let (mut here, mut end) = (at, at);
    for piece in pieces(&text[at..]) {
        here += piece.len();
        if is_comment(piece) {
            end = here;
        } else if piece.contains('\n') {
            return end;
        }
    }
    if here == text.len() || text[here..].starts_with([')', ']']) { end } else { at }
}

/// The start of the comments that belong to the value at the end of `range`, a range without values.
///
/// A comment belongs to the value if no blank line is between them.
pub(super) fn start_of_comments(text: &str, range: Range<usize>) -> usize {
    let (mut here, mut start) = (range.start, range.start);
    for piece in pieces(&text[range]) {
        let is_first = here == start;
        here += piece.len();
        if !is_comment(piece) && (is_first || piece.matches('\n').count() > 1) {
            start = here;
        }
    }
    start
}

/// Whether text directly after `trivia` would be part of a comment.
pub(super) fn ends_in_line_comment(trivia: &str) -> bool {
    pieces(trivia).last().is_some_and(|piece| piece.starts_with("//"))
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
            assert_eq!(&line[..rest_of_line(line, 0)], rest, "{line:?}");
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
            assert_eq!(&before[start_of_comments(before, 0..before.len())..], comments, "{before:?}");
        }
    }
}
