//! Rejects RON text whose brackets nest too deep.
//!
//! Settings nest six deep. The RON parser needs seconds to reject a text of a million `Some(`. This check rejects it first: it
//! passes over the bytes once, allocates nothing, and skips strings, raw strings, characters and comments.

use super::tokens::{block_comment, is_name, line_length, raw_string, string};

/// The deepest nesting that is allowed. No settings file needs more.
pub(super) const MAX_DEPTH: usize = 64;

/// Returns the byte offset of the first opening bracket inside [`MAX_DEPTH`] others, if there is one.
pub(super) fn too_deep_at(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut depth = 0_usize;
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let rest = &bytes[at..];
        at += match byte {
            b'(' | b'[' | b'{' => {
                depth += 1;
                if depth > MAX_DEPTH {
                    return Some(at);
                }
                1
            }
            b')' | b']' | b'}' => {
                depth = depth.saturating_sub(1);
                1
            }
            b'/' if rest.starts_with(b"//") => line_length(rest),
            b'/' if rest.starts_with(b"/*") => block_comment(rest),
            b'"' => string(rest),
            b'\'' => character(text, at),
            // Only `b` may stand directly before the `r` of a raw string. After any other letter, `r` is part of a name.
            b'r' if !is_in_name(&bytes[..at]) => raw_string(rest),
            _ => 1,
        };
    }
    None
}

/// The length of the character literal at `start`, or 1 if the quote does not begin one.
fn character(text: &str, start: usize) -> usize {
    let mut chars = text[start + 1..].char_indices();
    match chars.next() {
        // `\u{10FFFF}` is the longest escape.
        Some((_, '\\')) => {
            // The escaped character may be a quote.
            chars.next();
            chars.take(10).find(|&(_, c)| c == '\'').map_or(1, |(quote, _)| quote + 2)
        }
        Some(_) => chars.next().filter(|&(_, c)| c == '\'').map_or(1, |(quote, _)| quote + 2),
        None => 1,
    }
}

/// Whether the byte after `before` continues a name.
fn is_in_name(before: &[u8]) -> bool {
    before.strip_suffix(b"b").unwrap_or(before).last().is_some_and(|&byte| is_name(byte) || byte >= 0x80)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `text` inside `MAX_DEPTH` brackets.
    fn inside(text: &str) -> String {
        format!("{}{text}", "(".repeat(MAX_DEPTH))
    }

    #[test]
    fn brackets_may_nest_to_the_limit_and_no_deeper() {
        for open in ["(", "[", "{", "Some(", "a:(", " [ "] {
            assert_eq!(too_deep_at(&open.repeat(MAX_DEPTH)), None, "{open}");
            let text = open.repeat(1_000_000);
            let bracket = open.find(['(', '[', '{']).expect("there is one");
            assert_eq!(too_deep_at(&text), Some(MAX_DEPTH * open.len() + bracket), "{open}");
        }
        assert_eq!(too_deep_at(&"()[]{}".repeat(100_000)), None);
        assert_eq!(too_deep_at(&inside(")))()()")), None);
    }

    #[test]
    fn brackets_in_strings_characters_and_comments_do_not_count() {
        for text in [
            r#""(((""#,
            r#""\"(\\\"((""#,
            r##"r"(\""##,
            r###"r#"("("#"###,
            r####"r##"("#("##"####,
            r###"br#"("("#"###,
            r#"b"(""#,
            "'('",
            r"'\''",
            r"'\u{28}'",
            "b'('",
            "'('; '['",
            "// ((\n",
            "/* ( /* ( */ ( */",
            "/* (",
            "\"(",
            "r#\"(\"",
            "é // (",
        ] {
            assert_eq!(too_deep_at(&inside(text)), None, "{text}");
        }
        // After each of these, brackets count again.
        for text in [
            "\"\"", "\"\\\\\"", "r\"\\\"", "r#\"\"#", "r#name", "'x'", "'é'", "'\\''", "'", "//\n", "/**/", "/", "r",
            "br",
        ] {
            let deep = inside(&format!("{text}("));
            assert_eq!(too_deep_at(&deep), Some(deep.len() - 1), "{text}");
        }
        // These are not raw strings: the `r` belongs to a name.
        for text in ["for\"\\\"\"", "xbr\"\\\"\""] {
            let deep = inside(&format!("{text}("));
            assert_eq!(too_deep_at(&deep), Some(deep.len() - 1), "{text}");
        }
    }

    #[test]
    fn comments_and_strings_that_never_end_take_one_pass() {
        for text in ["/*", "\"\\", "r#\"", "r#\"\"", "'\\", "'", "r#", "/*/", "*/"] {
            too_deep_at(&text.repeat(1_000_000));
        }
    }
}
