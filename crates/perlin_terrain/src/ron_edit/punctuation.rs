//! Finds the commas, colons and parentheses that are missing or too many, and goes on with what was meant.

use super::brackets::Brackets;
use super::fault::{Fault, MAX_FAULTS};
use super::parser::{Broken, Key, Kind, MAX_DEPTH, MAX_VALUES, Parser, Value};
use super::text_position::cut;
use super::token::{Token, TokenKind, is_name};
use std::ops::Range;

use TokenKind::{Sign, Space, Text, Word};

/// The longest name with spaces in it.
const MAX_NAME: usize = 64;

/// The values of a text that the RON parser can't read, and the mistakes between them.
pub(super) fn values_of_broken(text: &str, tokens: &[Token], brackets: &Brackets) -> (Vec<Value>, Vec<Fault>) {
    let broken = Broken { brackets, faults: Vec::new(), commas: 0 };
    let mut parser = Parser { text, tokens, at: 0, values: Vec::new(), broken: Some(broken) };
    parser.skip_attributes();
    parser.root();
    let Broken { mut faults, commas, .. } = parser.broken.expect("it was given to the parser");
    if commas > 1
        && let Some(first) = faults.iter_mut().find(|fault| fault.wrong.starts_with("a comma is missing"))
    {
        first.wrong += &format!(" ({commas} places)");
    }
    (parser.values, faults)
}

impl Parser<'_> {
    pub fn fault(&mut self, at: usize, wrong: impl FnOnce() -> String) {
        if let Some(broken) = &mut self.broken
            && broken.faults.len() < MAX_FAULTS
        {
            broken.faults.push(Fault::new(at, wrong()));
        }
    }

    fn written(&self, range: Range<usize>) -> String {
        cut(self.text[range].to_owned(), 40)
    }

    /// The byte at `offset`.
    fn byte(&self, offset: usize) -> Option<u8> {
        self.text.as_bytes().get(offset).copied()
    }

    /// The outermost value.
    fn root(&mut self) {
        let (first, start) = (self.at, self.offset());
        if self.word() && self.is_before(b':') {
            let name = self.written(start..self.offset());
            self.at = first;
            self.fault(start, || {
                format!(
                    "the file lacks its outer parentheses; write `(` before `{name}` and `)` at the end of the file"
                )
            });
            let index = self.push(Key::Part(0));
            self.items_to(None, None, &mut |parser, position| parser.item(position, 0));
            self.finish(index);
            self.values[index].range.end = self.text.len();
            return;
        }
        self.at = first;
        self.value(Key::Part(0), 0);
        self.skip_space();
        let is_group = self.tokens[first..self.at].iter().any(|token| token.kind == Sign(b'('));
        if is_group && self.at < self.tokens.len() && self.values.len() < MAX_VALUES {
            self.fault(self.offset(), || {
                "more text after the bracket that closes the file; move it before that bracket".to_owned()
            });
        }
    }

    /// Whether the word that was read from the token `start` on is no value, but the name of another field.
    pub fn is_name_of_next(&self, start: usize) -> bool {
        let first = self.tokens.get(start).and_then(|token| self.byte(token.start));
        self.is_before(b':') && first.is_some_and(|byte| byte.is_ascii_alphabetic())
    }

    /// Reads the fields of the field `name` that has no parentheses: those from the token `first` on that are indented further, as
    /// in YAML.
    pub fn bare_fields(&mut self, name: Range<usize>, first: usize, depth: usize) {
        self.at = first;
        let (text, start) = (self.text, self.offset());
        // To look for the indentation takes a pass over the line, which may be as long as the file.
        if !text[name.start..start].contains('\n') {
            return;
        }
        let spaces = |line: &str| line.len() - line.trim_start_matches([' ', '\t']).len();
        let indent_at = |at: usize| {
            let line = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
            (line, spaces(&text[line..]))
        };
        let ((_, indent), (line, own)) = (indent_at(name.start), indent_at(start));
        if own <= indent {
            return;
        }
        let written = self.written(name.clone());
        self.fault(name.start, || {
            format!("`{written}:` has no parentheses; write `{written}: (` before its fields and `)` after them")
        });
        let is_inside = |line: &&str| spaces(line) > indent || line.trim_ascii().is_empty();
        let end = line + text[line..].split_inclusive('\n').take_while(is_inside).map(str::len).sum::<usize>();
        self.items_to(None, Some(end), &mut |parser, position| parser.item(position, depth));
    }

    /// Reads the fields of a struct in a list that has no parentheses, as in `[kind: Noise()]`. Returns whether there is one.
    pub fn bare_item(&mut self, position: usize, depth: usize) -> bool {
        let (first, start) = (self.at, self.offset());
        let is_bare = self.broken.is_some() && self.word() && self.is_name_of_next(first);
        let name = if is_bare { self.written(start..self.offset()) } else { String::new() };
        self.at = first;
        if !is_bare || depth >= MAX_DEPTH || self.values.len() == MAX_VALUES {
            return false;
        }
        self.fault(start, || format!("`{name}:` in a list; write `(` before it and `)` after the last field"));
        let index = self.push(Key::Item(position));
        let end = self.end_of_bare_item();
        self.items_to(None, Some(end), &mut |parser, position| parser.item(position, depth));
        self.finish(index);
        self.values[index].kind = Kind::Group;
        true
    }

    /// The end of the fields of a struct without parentheses in a list: the bracket that closes the list, or the comma before the
    /// next struct.
    fn end_of_bare_item(&self) -> usize {
        let (mut depth, mut before) = (0_usize, None);
        for token in self.tokens[self.at..].iter().filter(|token| !token.is_trivia()) {
            match (token.kind, before) {
                (Sign(b')' | b']'), _) if depth == 0 => return token.start,
                (Sign(b'('), Some((Sign(b','), comma))) if depth == 0 => return comma,
                (Sign(b'(' | b'['), _) => depth += 1,
                (Sign(b')' | b']'), _) => depth -= 1,
                _ => {}
            }
            before = Some((token.kind, token.start));
        }
        self.text.len()
    }

    /// Reads the other words of a name with spaces in it, such as `base height`. `first` is the token of the first one.
    pub fn rest_of_name(&mut self, first: usize) {
        let end = self.at;
        let mut at = end;
        while self.broken.is_some() && at > first {
            let spaces = self.tokens[at..].iter().take_while(|token| token.kind == Space).count();
            let Some(word) = self.tokens.get(at + spaces).filter(|token| token.kind == Word) else { break };
            let gap = &self.text[self.tokens[at].start..word.start];
            if spaces == 0 || gap.contains(['\n', '\r', '\t']) || word.end - self.tokens[first].start > MAX_NAME {
                break;
            }
            at += spaces + 1;
        }
        let rest = &self.tokens[at.min(self.tokens.len())..];
        let next = rest.iter().find(|token| token.kind != Space).filter(|token| token.kind == Sign(b':'));
        let is_in_line = next.is_some_and(|colon| !self.text[rest[0].start..colon.start].contains('\n'));
        self.at = if is_in_line { at } else { end };
    }

    /// Skips what may stand after the colon of a name in another format, as in `:=`.
    pub fn skip_signs_after_colon(&mut self) {
        let start = self.offset();
        while self.broken.is_some() && matches!(self.peek(), Some(Sign(b':' | b'='))) {
            self.at += 1;
        }
        if self.offset() > start {
            let written = self.written(start - 1..self.offset());
            self.fault(start - 1, || format!("`{written}` after a name; write `:`"));
        }
    }

    /// Skips a token that begins no value.
    pub fn skip_sign(&mut self) {
        let start = self.offset();
        self.at += 1;
        let sign = self.written(start..self.offset());
        self.fault(start, || format!("`{sign}` has no meaning here; remove it"));
    }

    /// Whether `name`, which has no colon, has a value after it, so that the colon was forgotten. Reports it.
    pub fn lacks_colon(&mut self, name: &Range<usize>) -> bool {
        let written = &self.text[name.clone()];
        let is_name = written.starts_with(|c: char| c.is_ascii_alphabetic()) && written.bytes().all(is_name);
        let gap = &self.text[name.end..self.offset()];
        if self.broken.is_none() || !is_name || gap.is_empty() || gap.contains('\n') {
            return false;
        }
        let is_value = self
            .byte(self.offset())
            .is_some_and(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'"' | b'[' | b'-' | b'.'));
        if is_value {
            let name_text = self.written(name.clone());
            self.fault(name.end, || format!("a colon is missing after `{name_text}`"));
        }
        is_value
    }

    /// Reads the rest of a value that is no single word, such as `200 m` or `6:30`, and the part after a decimal comma. `first` is the
    /// first token of the value.
    pub fn rest_of_value(&mut self, first: usize) {
        let start = self.tokens[first].start;
        let word = &self.text[start..self.offset()];
        let mut is_number = word.ends_with(|c: char| c.is_ascii_digit())
            && word.bytes().all(|byte| byte.is_ascii_digit() || b"+-_".contains(&byte));
        loop {
            let (end, offset) = (self.at, self.offset());
            let is_before_digit = self.byte(offset + 1).is_some_and(|byte| byte.is_ascii_digit());
            match self.peek() {
                Some(Sign(b':')) if is_number && is_before_digit => self.at += 1,
                Some(Sign(b',')) if is_number && is_before_digit && self.is_decimal_comma(offset, start) => {
                    self.at += 1;
                }
                Some(Space) => {
                    while self.peek() == Some(Space) {
                        self.at += 1;
                    }
                    if self.text[offset..self.offset()].contains(['\n', '\r']) || !self.continues_value() {
                        self.at = end;
                        return;
                    }
                }
                Some(
                    Text
                    | Sign(
                        b'/' | b'%' | b'*' | b'\\' | b'!' | b'?' | b'&' | b'<' | b'>' | b'|' | b'^' | b'~' | b'@'
                        | b'$',
                    ),
                ) => self.at += 1,
                _ => return,
            }
            is_number = false;
            self.word();
        }
    }

    /// Whether the comma after the digits `start..comma` is that of a decimal number: the value has a name, and only digits follow
    /// directly.
    fn is_decimal_comma(&self, comma: usize, start: usize) -> bool {
        let has_name =
            self.values.last().is_some_and(|value| matches!(value.key, Key::Name(_)) && value.range.start == start);
        let rest = self.text[comma + 1..].trim_start_matches(|c: char| c.is_ascii_digit());
        has_name && !rest.bytes().next().is_some_and(|byte| is_name(byte) || byte == b':')
    }

    /// Whether the next token belongs to the value before it in the line.
    fn continues_value(&mut self) -> bool {
        let start = self.at;
        let is_end = match self.peek() {
            None | Some(Sign(b',' | b':' | b'(' | b')' | b'[' | b']') | Text) => true,
            Some(_) => self.tokens[start].is_comment(),
        };
        // A name or a variant begins the next value.
        let is_next = self.word() && (self.is_before(b':') || self.is_before(b'('));
        self.at = start;
        !is_end && !is_next
    }

    pub fn comma_is_missing(&mut self, end: usize, next: usize) {
        let word = self.text[next..].bytes().take_while(|&byte| is_name(byte)).count();
        let first = self.text[next..].chars().next().map_or(0, char::len_utf8);
        let before = self.written(next..next + word.max(first));
        if let Some(broken) = &mut self.broken {
            broken.commas += 1;
            if broken.commas == 1 {
                broken.faults.push(Fault::new(end, format!("a comma is missing before `{before}`")));
            }
        }
    }

    /// Whether the value at `index`, or the last one in it, lacks its closing bracket.
    pub fn is_cut(&self, index: usize) -> bool {
        let Some(broken) = &self.broken else { return false };
        let before = self.tokens[..self.at].iter().rfind(|token| token.kind != Space).map_or(0, |token| token.end);
        let is_in = |open| self.values.get(index).is_some_and(|value| value.range.contains(open));
        broken.brackets.ends.iter().any(|(open, &end)| is_in(open) && before <= end && end <= self.offset())
    }
}
