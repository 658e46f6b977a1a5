//! Rejects RON text whose brackets nest too deep.
//!
//! Settings nest six deep. The RON parser needs seconds to reject a text of a million `Some(`. This check rejects it first: it
//! passes over the bytes once, allocates nothing, and skips strings, raw strings, characters and comments.

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
            b'/' if rest.starts_with(b"//") => find(rest, b'\n'),
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

/// The index of `wanted`, or the length of `text`.
fn find(text: &[u8], wanted: u8) -> usize {
    text.iter().position(|&byte| byte == wanted).unwrap_or(text.len())
}

/// The length of the comment that `text` begins with. Comments nest.
pub(super) fn block_comment(text: &[u8]) -> usize {
    let mut depth = 0;
    let mut at = 0;
    while at < text.len() {
        let step = match &text[at..] {
            [b'/', b'*', ..] => {
                depth += 1;
                2
            }
            [b'*', b'/', ..] => {
                depth -= 1;
                2
            }
            _ => 1,
        };
        at += step;
        if depth == 0 {
            break;
        }
    }
    at
}

/// The length of the string that `text` begins with.
pub(super) fn string(text: &[u8]) -> usize {
    let mut at = 1;
    loop {
        match text.get(at) {
            None => return text.len(),
            Some(b'"') => return at + 1,
            Some(b'\\') => at += 2,
            Some(_) => at += 1,
        }
    }
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

/// The length of the raw string that `text` begins with, or 1 if the `r` does not begin one.
pub(super) fn raw_string(text: &[u8]) -> usize {
    let hashes = text[1..].iter().take_while(|&&byte| byte == b'#').count();
    let open = 1 + hashes;
    if text.get(open) != Some(&b'"') {
        return 1;
    }
    let mut at = open + 1;
    loop {
        at += find(&text[at..], b'"');
        if at >= text.len() {
            return text.len();
        }
        at += 1;
        let closing = text[at..].iter().take(hashes).take_while(|&&byte| byte == b'#').count();
        at += closing;
        if closing == hashes {
            return at;
        }
    }
}

/// Whether the byte after `before` continues a name.
fn is_in_name(before: &[u8]) -> bool {
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80;
    before.strip_suffix(b"b").unwrap_or(before).last().is_some_and(|&byte| is_name(byte))
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
