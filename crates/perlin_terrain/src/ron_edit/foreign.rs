//! A text with the characters that its author meant: straight quotes, plain spaces, parentheses, `//` before comments.
//!
//! Word processors and web pages replace characters by others that look alike, and other file formats have other signs. Each is
//! reported once, and replaced by the sign that a settings file has. So the rest of the text can be read as usual, and its
//! mistakes are found too. Every replacement has as many bytes as what it replaces, so all positions stay the same.

use super::fault::{Fault, MAX_FAULTS};
use super::foreign_sign::{Foreign, QUOTES, is_foreign_space, look_alike};
use super::text_position::cut;
use super::token::{block_comment, is_name, line_length, raw_string, string};
use std::ops::Range;

/// Returns `text` with the characters that were meant, and a fault for each kind of character that was replaced.
pub(super) fn plain(text: &str) -> (String, Vec<Fault>) {
    let mut reader = Reader { text, bytes: text.as_bytes().to_vec(), found: Vec::new(), faults: Vec::new() };
    let mut at = 0;
    while at < text.len() && reader.faults.len() < MAX_FAULTS {
        at = reader.step(at);
    }
    let mut faults = reader.faults;
    faults.extend(reader.found.into_iter().map(|(kind, at, written, count)| {
        let others = if count > 1 { format!(" ({count} places)") } else { String::new() };
        Fault::new(at, kind.wrong(&written) + &others)
    }));
    let plain = String::from_utf8(reader.bytes).expect("whole characters were replaced by ASCII");
    (plain, faults)
}

struct Reader<'a> {
    text: &'a str,
    bytes: Vec<u8>,
    /// Each kind of sign, its first position, what is written there, and how often it occurs.
    found: Vec<(Foreign, usize, String, usize)>,
    faults: Vec<Fault>,
}

impl<'a> Reader<'a> {
    /// Reads what begins at `at`, and returns its end.
    fn step(&mut self, at: usize) -> usize {
        let text = self.text;
        let rest = &text[at..];
        let Some(sign) = rest.chars().next() else { return text.len() };
        let end = at + sign.len_utf8();
        match sign {
            '"' => self.quoted(at, string(rest.as_bytes()), '"'),
            'r' if !self.is_in_name(at) && raw_string(rest.as_bytes()) > 1 => at + raw_string(rest.as_bytes()),
            // A letter in single quotes, or a text.
            '\'' => match self.end_of_line_quote(end, &['\'']) {
                Some(close) => self.name_or_text(at..close + 1),
                None => end,
            },
            '/' if rest.starts_with("//") => at + line_length(rest.as_bytes()),
            '/' if rest.starts_with("/*") => {
                let length = block_comment(rest.as_bytes());
                let is_closed = rest[..length].ends_with("*/") && length > 3;
                if is_closed {
                    return at + length;
                }
                self.faults.push(Fault::new(at, "the comment `/*` is not closed; write `*/` at its end".to_owned()));
                self.blank(at..at + line_length(rest.as_bytes()))
            }
            '#' if rest.starts_with("#!") && self.bytes[..at].iter().all(u8::is_ascii_whitespace) => {
                at + line_length(rest.as_bytes())
            }
            ';' | '%' if self.begins_value(at) => self.comment(at, if sign == ';' { ";" } else { "%" }),
            '<' if rest.starts_with("<!--") => {
                let length = rest.find("-->").map_or(line_length(rest.as_bytes()), |close| close + 3);
                self.add(Foreign::Comment("<!--"), at, "<!--");
                self.blank(at..at + length)
            }
            '#' if !self.is_in_name(at) && !self.is_value(at, 1) => self.comment(at, "#"),
            '-' if rest.starts_with("--") && !self.is_value(at, 2) => self.comment(at, "--"),
            '{' | '}' => {
                self.foreign(Foreign::Brace, at, sign);
                self.put(at..end, if sign == '{' { b'(' } else { b')' })
            }
            '=' if !self.is_after_colon(at) => {
                let length = if rest.starts_with("=>") { 2 } else { 1 };
                self.foreign(Foreign::Equals, at, sign);
                self.put(at..at + length, b':')
            }
            ':' => match self.variant_before(at) {
                Some(name) if rest[1..].trim_start().starts_with(['(', '{']) => {
                    self.add(Foreign::Colon, at, name);
                    self.blank(at..end)
                }
                _ => end,
            },
            ';' => {
                self.foreign(Foreign::Semicolon, at, sign);
                self.put(at..end, b',')
            }
            _ if QUOTES.contains(&sign) => {
                let close = self.end_of_line_quote(end, &QUOTES).or_else(|| self.end_of_line_quote(end, &['"']));
                let Some(close) = close else { return self.unclosed(at, end) };
                self.foreign(Foreign::Quote, at, sign);
                let close_end = close + text[close..].chars().next().map_or(1, char::len_utf8);
                // The first quote moves to the text, so that no space gets into it.
                self.blank(at..end);
                self.bytes[end - 1] = b'"';
                self.put(close..close_end, b'"');
                self.name_or_text(at..close_end)
            }
            _ if is_foreign_space(sign) => {
                self.foreign(Foreign::Space, at, sign);
                self.blank(at..end)
            }
            _ => match look_alike(sign) {
                Some(meant) => {
                    self.foreign(Foreign::Sign(sign, meant), at, sign);
                    let meant = match meant {
                        '{' => b'(',
                        '}' => b')',
                        '=' => b':',
                        ';' => b',',
                        meant => meant as u8,
                    };
                    // `-5` may have no space between its sign and its number.
                    self.blank(at..end);
                    self.bytes[end - 1] = meant;
                    end
                }
                None => end,
            },
        }
    }

    /// A text in straight quotes that is `length` bytes long. Texts end in their lines, so one that does not lacks a quote.
    fn quoted(&mut self, at: usize, length: usize, quote: char) -> usize {
        let text = self.text;
        let written = &text[at..at + length];
        if self.is_in_name(at) || written.contains('\n') || !written.ends_with(quote) || length < 2 {
            let close = self.end_of_line_quote(at + 1, &QUOTES).filter(|_| !self.is_in_name(at));
            let Some(close) = close else { return self.unclosed(at, at + 1) };
            let close_end = close + text[close..].chars().next().map_or(1, char::len_utf8);
            self.add(Foreign::Quote, close, &text[close..close_end]);
            self.put(close..close_end, b'"');
            return self.name_or_text(at..close_end);
        }
        self.name_or_text(at..at + length)
    }

    /// Reports the quote at `at..end`. What follows it is read as a word.
    fn unclosed(&mut self, at: usize, end: usize) -> usize {
        let wrong = if self.is_in_name(at) {
            let name = self.name_start(at);
            format!("the text that ends with {} has no opening quote", cut(self.text[name..end].to_owned(), 16))
        } else {
            let line = &self.text[at..at + line_length(&self.text.as_bytes()[at..])];
            let written = cut(line.trim_end().to_owned(), 16);
            format!("the text that begins with {written} has no closing quote in its line")
        };
        self.faults.push(Fault { hides_value: true, ..Fault::new(at, wrong) });
        self.blank(at..end)
    }

    /// Takes the quotes away from a name: a text before a colon.
    fn name_or_text(&mut self, quoted: Range<usize>) -> usize {
        let rest = self.text[quoted.end..].trim_start();
        if rest.starts_with([':', '=', '：', '＝']) {
            let written = self.text[quoted.clone()].to_owned();
            self.add(Foreign::Name, quoted.start, &written);
            for byte in self.bytes[quoted.clone()].iter_mut().filter(|byte| matches!(byte, b'"' | b'\'')) {
                *byte = b' ';
            }
            let inner = self.text[quoted.clone()].trim_matches(|c: char| c == '"' || c == '\'' || QUOTES.contains(&c));
            let is_name = !inner.is_empty() && inner.chars().all(|c| c.is_alphanumeric() || c == '_');
            if !is_name {
                // Nothing in it may be taken for a bracket or a comma.
                self.blank(quoted.clone());
                self.bytes[quoted.start] = b'_';
            }
        }
        quoted.end
    }

    /// The next of some quotes in the line.
    fn end_of_line_quote(&self, at: usize, quotes: &[char]) -> Option<usize> {
        // No further than to the first of both, because a line may be as long as the file.
        let found = self.text[at..].find(|c| c == '\n' || quotes.contains(&c)).map(|close| at + close);
        found.filter(|&close| !self.text[close..].starts_with('\n'))
    }

    fn comment(&mut self, at: usize, sign: &'static str) -> usize {
        self.add(Foreign::Comment(sign), at, sign);
        self.blank(at..at + line_length(&self.text.as_bytes()[at..]))
    }

    fn foreign(&mut self, kind: Foreign, at: usize, sign: char) {
        self.add(kind, at, sign.encode_utf8(&mut [0; 4]));
    }

    fn add(&mut self, kind: Foreign, at: usize, written: &str) {
        match self.found.iter_mut().find(|(known, ..)| *known == kind) {
            Some((.., count)) => *count += 1,
            None => self.found.push((kind, at, cut(written.to_owned(), 40), 1)),
        }
    }

    fn blank(&mut self, range: Range<usize>) -> usize {
        self.bytes[range.clone()].fill(b' ');
        range.end
    }

    fn put(&mut self, range: Range<usize>, byte: u8) -> usize {
        self.blank(range.clone());
        self.bytes[range.start] = byte;
        range.end
    }

    fn is_in_name(&self, at: usize) -> bool {
        let before = self.bytes[..at].last();
        before.is_some_and(|&byte| is_name(byte) || byte >= 0x80)
    }

    /// Where the name before `at` begins.
    fn name_start(&self, at: usize) -> usize {
        self.text[..at].trim_end_matches(|c: char| c.is_alphanumeric() || c == '_').len()
    }

    /// Whether a value, a field or a line begins at `at`.
    fn begins_value(&self, at: usize) -> bool {
        let before = self.bytes[..at].iter().rev().find(|&&byte| byte != b' ' && byte != b'\t');
        matches!(before, None | Some(b'\n' | b',' | b'(' | b'['))
    }

    /// The variant before the colon at `at`, as in `kind: Noise: (...)`.
    fn variant_before(&self, at: usize) -> Option<&'a str> {
        let text = self.text;
        let name = self.name_start(at);
        (self.is_after_colon(name) && text[name..].starts_with(|c: char| c.is_ascii_uppercase()))
            .then(|| &text[name..at])
    }

    /// Whether the `length` signs at `at` begin the value of a field, such as `#ff8800`.
    fn is_value(&self, at: usize, length: usize) -> bool {
        let is_word = |c: char| c.is_alphanumeric() || c == '.';
        self.is_after_colon(at) && self.text[at + length..].starts_with(is_word)
    }

    /// Whether a colon is the last sign before `at` in its line.
    fn is_after_colon(&self, at: usize) -> bool {
        self.bytes[..at].iter().rev().find(|&&byte| byte != b' ' && byte != b'\t') == Some(&b':')
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (String, Vec<String>) {
        let (plain, faults) = plain(text);
        (plain, faults.into_iter().map(|fault| format!("{}: {}", fault.at, fault.wrong)).collect())
    }

    #[test]
    fn a_text_of_settings_stays_as_it_is() {
        for text in [
            "#![enable(implicit_some)]\n(a: \"{#; = “x”\", /* “ { */ b: -1.5e-3, // # -- ;\n c: [r#\"{ \" “\"#, 'x'], d: r#seed)",
            "(name: \"é  \\\" ü\")",
            "",
        ] {
            assert_eq!(read(text), (text.to_owned(), Vec::new()));
        }
    }

    #[test]
    fn each_kind_of_sign_is_reported_once_and_replaced() {
        for (text, expected, count) in [
            ("{a: {}}", "(a: ())", 1),
            ("(“a”: “b c”)", "(   a   :   \"b c\"  )", 2),
            ("(a: «b», c: „d”)", "(a:  \"b\" , c:   \"d\"  )", 1),
            ("(a:\u{a0}1)", "(a:  1)", 1),
            ("(a：−3，b: 2)", "(a  :  -3  ,b: 2)", 3),
            ("(a: 1, # b (\n-- c (\n)", "(a: 1,      \n      \n)", 2),
            ("(a: #ff8800)", "(a: #ff8800)", 0),
            ("(a: --5)", "(a: --5)", 0),
            ("(a = 1; b = 2)", "(a : 1, b : 2)", 2),
            ("('a': 1, \"b\" : 2)", "( a : 1,  b  : 2)", 1),
            ("(a: \"b, c: 1\n)", "(a:  b, c: 1\n)", 1),
            ("(/* a: 1\nb: 2)", "(       \nb: 2)", 1),
        ] {
            let (found, faults) = read(text);
            // Characters of several bytes become as many bytes.
            assert_eq!(found.len(), text.len(), "{text}");
            assert_eq!(found.split_whitespace().collect::<String>(), expected.split_whitespace().collect::<String>());
            assert_eq!(faults.len(), count, "{text}: {faults:?}");
        }
    }
}
