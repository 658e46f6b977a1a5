//! The lengths of the parts of a RON text in which a bracket is no bracket: comments and texts.

/// The length of the rest of the line, without its end.
pub(super) fn line_length(text: &[u8]) -> usize {
    text.iter().position(|&byte| byte == b'\n').unwrap_or(text.len())
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

/// Whether `byte` may be part of the name of a field.
pub(super) const fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// The length of the fields of a struct without parentheses in a list: up to the bracket that closes the list, or to the comma before
/// the next struct.
pub(super) fn bare_fields(text: &[u8]) -> usize {
    let (mut at, mut depth, mut before) = (0, 0_usize, 0);
    while let Some(&byte) = text.get(at) {
        let rest = &text[at..];
        let is_comment = rest.starts_with(b"//") || rest.starts_with(b"/*");
        let length = match byte {
            b')' | b']' if depth == 0 => return at,
            b'(' if depth == 0 && text[before] == b',' => return before,
            b'/' if rest.starts_with(b"//") => line_length(rest),
            b'/' if rest.starts_with(b"/*") => block_comment(rest),
            b'"' => string(rest),
            _ => 1,
        };
        depth = match byte {
            b'(' | b'[' => depth + 1,
            b')' | b']' => depth - 1,
            _ => depth,
        };
        before = if is_comment || byte.is_ascii_whitespace() { before } else { at };
        at += length;
    }
    text.len()
}
