//! The tokens of a RON text: words, texts, signs, spaces and comments. They follow each other without a gap.

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TokenKind {
    /// Spaces and line breaks.
    Space,
    /// `// ...`, without the end of the line.
    LineComment,
    /// `/* ... */`. Comments nest.
    BlockComment,
    /// A string or a raw string, with its quotes.
    Text,
    /// A character in single quotes, or a text that should have double ones. It ends in its line.
    Quoted,
    /// A name or a number.
    Word,
    /// Any other character: a bracket, a comma, a colon.
    Sign(u8),
}

use TokenKind::{BlockComment, LineComment, Quoted, Sign, Space, Text, Word};

/// A token, and where it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Token {
    pub kind: TokenKind,
    pub start: usize,
    pub end: usize,
}

impl Token {
    pub const fn is_comment(self) -> bool {
        matches!(self.kind, LineComment | BlockComment)
    }

    pub const fn is_trivia(self) -> bool {
        matches!(self.kind, Space | LineComment | BlockComment)
    }
}

/// All tokens of `text`.
pub(super) fn tokens(text: &str) -> impl Iterator<Item = Token> {
    let mut start = 0;
    std::iter::from_fn(move || {
        let rest = &text.as_bytes()[start..];
        let (kind, length) = first(rest)?;
        let token = Token { kind, start, end: start + length };
        start = token.end;
        Some(token)
    })
}

/// The kind and the length of the token that `text` begins with.
fn first(text: &[u8]) -> Option<(TokenKind, usize)> {
    // A `b` before them makes them bytes.
    let prefix = usize::from(text.starts_with(b"br") || text.starts_with(b"b'"));
    let (literal, length) = match &text[prefix..] {
        rest @ [b'r', ..] => (Text, raw_string(rest)),
        rest @ [b'\'', ..] => (Quoted, quoted(rest)),
        _ => (Word, 1),
    };
    if length > 1 {
        return Some((literal, prefix + length));
    }
    let count = |is_part: fn(&u8) -> bool| text.iter().take_while(|byte| is_part(byte)).count();
    Some(match *text.first()? {
        b'/' if text.starts_with(b"//") => {
            let line = &text[..line_length(text)];
            (LineComment, line.strip_suffix(b"\r").unwrap_or(line).len())
        }
        b'/' if text.starts_with(b"/*") => (BlockComment, block_comment(text)),
        b'"' => (Text, string(text)),
        byte if byte.is_ascii_whitespace() => (Space, count(u8::is_ascii_whitespace)),
        byte if is_word(&byte) => (Word, count(is_word)),
        byte => (Sign(byte), 1),
    })
}

/// Whether `byte` may be part of a name or a number.
fn is_word(byte: &u8) -> bool {
    is_name(*byte) || *byte >= 0x80 || b".+-#'".contains(byte)
}

/// Whether `byte` may be part of the name of a field.
pub(super) const fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// The length of the rest of the line, without its end.
pub(super) fn line_length(text: &[u8]) -> usize {
    text.iter().position(|&byte| byte == b'\n').unwrap_or(text.len())
}

/// The length of the comment that `text` begins with.
pub(super) fn block_comment(text: &[u8]) -> usize {
    let (mut depth, mut at) = (0, 0);
    while at < text.len() {
        at += match &text[at..] {
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

/// The length of the raw string that `text` begins with, or 1 if the `r` does not begin one.
pub(super) fn raw_string(text: &[u8]) -> usize {
    let hashes = text[1..].iter().take_while(|&&byte| byte == b'#').count();
    let open = 1 + hashes;
    if text.get(open) != Some(&b'"') {
        return 1;
    }
    let mut at = open + 1;
    loop {
        at += text[at..].iter().position(|&byte| byte == b'"').unwrap_or(text.len() - at);
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

/// The length of the quoted text that `text` begins with, or 1 if it is not closed in its line.
fn quoted(text: &[u8]) -> usize {
    // The escaped character may be a quote.
    let start = if text.get(1) == Some(&b'\\') { 3 } else { 1 };
    let rest = text.get(start..).unwrap_or_default();
    let close = rest.iter().position(|&byte| byte == b'\'' || byte == b'\n');
    close.filter(|&close| rest[close] == b'\'').map_or(1, |close| start + close + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_follow_each_other_without_a_gap() {
        let text = "#![enable(a)]\n(b: -1.5e3, /* ( /* */ ( */ c: \"\\\")\", // (\r\n d: r#\"(\"\"#, e: br\"(\", 'f', '\\'', g't)";
        let mut end = 0;
        for token in tokens(text) {
            assert_eq!(token.start, end);
            end = token.end;
        }
        assert_eq!(end, text.len());
        let words = tokens(text).filter(|token| matches!(token.kind, Word | Text | Quoted));
        let words: Vec<&str> = words.map(|token| &text[token.start..token.end]).collect();
        let expected = [
            "#",
            "enable",
            "a",
            "b",
            "-1.5e3",
            "c",
            "\"\\\")\"",
            "d",
            "r#\"(\"\"#",
            "e",
            "br\"(\"",
            "'f'",
            "'\\''",
            "g't",
        ];
        assert_eq!(words, expected);
        let comments = tokens(text).filter(|token| token.is_comment());
        let comments: Vec<&str> = comments.map(|token| &text[token.start..token.end]).collect();
        assert_eq!(comments, ["/* ( /* */ ( */", "// ("]);
    }

    #[test]
    fn comments_and_strings_that_never_end_take_one_pass() {
        for text in ["/*", "\"\\", "r#\"", "r#\"\"", "'\\", "'", "r#", "/*/", "*/"] {
            assert!(tokens(&text.repeat(1_000_000)).count() > 0);
        }
    }
}
