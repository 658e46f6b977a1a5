//! Finds the values among the tokens of a text.
//!
//! The parser follows brackets, names and commas only, and ignores types, so it finds the values of an invalid text too.

use super::brackets::Brackets;
use super::fault::Fault;
use super::token::{Token, TokenKind};
use std::ops::Range;

use TokenKind::{Quoted, Sign, Text, Word};

/// The deepest nesting of brackets. Deeper values are not entered: the RON parser needs seconds to reject a text of a million
/// `Some(`.
pub(crate) const MAX_DEPTH: usize = 64;
/// The most values that are recorded, so that a hostile text can't exhaust the memory.
pub(super) const MAX_VALUES: usize = 10_000;

/// The parts of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A number, a text, a switch or a name.
    Leaf,
    /// `(...)`: a struct, a tuple or an enum variant with fields.
    Group,
    /// `[...]`
    List,
}

/// The role of a value in the value around it.
#[derive(Clone, Debug)]
pub(super) enum Key {
    /// A field, and the bytes of its name.
    Name(Range<usize>),
    /// The value in parentheses with this many others before it.
    Part(usize),
    /// The same in square brackets.
    Item(usize),
}

/// One value of a text.
#[derive(Debug)]
pub(super) struct Value {
    pub key: Key,
    pub range: Range<usize>,
    pub kind: Kind,
    /// The offset of the opening bracket.
    pub open: Option<usize>,
    /// The number of values in it, and itself.
    pub size: usize,
}

/// The values of a text, ordered by where they begin. The first one contains the others.
pub(super) fn values(text: &str, tokens: &[Token]) -> Vec<Value> {
    let mut parser = Parser { text, tokens, at: 0, values: Vec::new(), broken: None };
    parser.skip_attributes();
    parser.value(Key::Part(0), 0);
    parser.values
}

pub(super) struct Parser<'a> {
    pub text: &'a str,
    pub tokens: &'a [Token],
    /// The index of the next token.
    pub at: usize,
    pub values: Vec<Value>,
    /// The knowledge about a text that the RON parser can't read.
    pub broken: Option<Broken<'a>>,
}

pub(super) struct Broken<'a> {
    pub brackets: &'a Brackets,
    pub faults: Vec<Fault>,
    /// How many commas are missing. Who forgets them forgets many, so the first is reported.
    pub commas: usize,
}

impl Parser<'_> {
    pub fn peek(&self) -> Option<TokenKind> {
        self.tokens.get(self.at).map(|token| token.kind)
    }

    /// Where the next token begins.
    pub fn offset(&self) -> usize {
        self.tokens.get(self.at).map_or(self.text.len(), |token| token.start)
    }

    pub fn skip_space(&mut self) {
        while self.tokens.get(self.at).is_some_and(|token| token.is_trivia()) {
            self.at += 1;
        }
    }

    /// `#![enable(...)]` at the top of the text.
    pub fn skip_attributes(&mut self) {
        self.skip_space();
        while self.text[self.offset()..].starts_with("#![") {
            let end = self.tokens[self.at..].iter().position(|token| token.kind == Sign(b']'));
            self.at = end.map_or(self.tokens.len(), |end| self.at + end + 1);
            self.skip_space();
        }
    }

    /// Whether the next token after spaces is the sign `byte`. Stays where it is.
    pub fn is_before(&self, byte: u8) -> bool {
        self.tokens[self.at..].iter().find(|token| !token.is_trivia()).is_some_and(|token| token.kind == Sign(byte))
    }

    /// Skips a word. Returns whether there is one.
    pub fn word(&mut self) -> bool {
        let is_word = matches!(self.peek(), Some(Word | Quoted));
        self.at += usize::from(is_word);
        is_word
    }

    /// Records a value that begins at the next token.
    pub fn push(&mut self, key: Key) -> usize {
        let start = self.offset();
        self.values.push(Value { key, range: start..start, kind: Kind::Leaf, open: None, size: 1 });
        self.values.len() - 1
    }

    /// Ends the value at `index` before the next token.
    pub fn finish(&mut self, index: usize) {
        let (end, size) = (self.offset(), self.values.len() - index);
        let value = &mut self.values[index];
        (value.range.end, value.size) = (end, size);
        if value.open.is_none() && size > 1 {
            // Fields whose parentheses are missing.
            value.kind = Kind::Group;
        }
    }

    pub fn value(&mut self, key: Key, depth: usize) {
        if self.values.len() == MAX_VALUES {
            self.at = self.tokens.len();
            return;
        }
        self.skip_space();
        let index = self.push(key);
        if depth < MAX_DEPTH {
            match self.peek() {
                Some(Sign(b'(')) => self.group(index, depth),
                Some(Sign(b'[')) => self.list(index, depth),
                Some(Text) => self.at += 1,
                // A value that is not there.
                Some(Sign(b',' | b')' | b']')) if self.broken.is_some() => {}
                Some(_) => self.words(index, depth),
                None => {}
            }
        }
        self.finish(index);
    }

    /// A value that begins with a word or with a sign.
    fn words(&mut self, index: usize, depth: usize) {
        let start = self.at;
        let is_word = self.word();
        let end = self.at;
        if self.broken.is_some() {
            if let (Key::Name(name), true) = (&self.values[index].key, is_word && self.is_name_of_next(start)) {
                return self.bare_fields(name.clone(), start, depth);
            }
            self.rest_of_value(start);
        }
        // A struct or a variant with a name before its bracket.
        if self.at > start && self.is_before(b'(') {
            let is_name = self.at == end;
            self.skip_space();
            self.group(index, depth);
            if !is_name {
                (self.values[index].open, self.values[index].kind) = (None, Kind::Leaf);
            }
        }
    }

    /// `(name: value, ...)` or `(value, ...)`.
    fn group(&mut self, index: usize, depth: usize) {
        self.values[index].kind = Kind::Group;
        self.items(index, b')', |parser, position| parser.item(position, depth));
    }

    /// `[value, ...]`
    fn list(&mut self, index: usize, depth: usize) {
        self.values[index].kind = Kind::List;
        self.items(index, b']', |parser, position| {
            if !parser.bare_item(position, depth + 1) {
                parser.value(Key::Item(position), depth + 1);
            }
        });
    }

    /// `name: value` or `value`, in parentheses.
    pub fn item(&mut self, position: usize, depth: usize) {
        let (first, start) = (self.at, self.offset());
        let is_word = self.word();
        self.rest_of_name(first);
        let name = start..self.offset();
        self.skip_space();
        let has_colon = self.peek() == Some(Sign(b':'));
        if is_word && (has_colon || self.lacks_colon(&name)) {
            self.at += usize::from(has_colon);
            self.skip_signs_after_colon();
            self.value(Key::Name(name), depth + 1);
        } else {
            self.at = first;
            self.value(Key::Part(position), depth + 1);
        }
    }

    /// Reads comma-separated items up to the closing bracket. Skips signs that do not begin an item.
    fn items(&mut self, index: usize, close: u8, mut item: impl FnMut(&mut Self, usize)) {
        let open = self.offset();
        self.values[index].open = Some(open);
        let end = self.broken.as_ref().and_then(|broken| broken.brackets.ends.get(&open).copied());
        self.at += 1;
        self.items_to(Some(close), end, &mut item);
    }

    /// Reads comma-separated items up to the sign `close` or the position `end`.
    pub fn items_to(&mut self, close: Option<u8>, end: Option<usize>, item: &mut dyn FnMut(&mut Self, usize)) {
        let mut position = 0;
        // Whether a comma was read after the last item, and the end of that item.
        let (mut has_comma, mut last) = (true, self.offset());
        loop {
            self.skip_space();
            if end.is_some_and(|end| self.offset() >= end) {
                return;
            }
            match self.peek() {
                None => return,
                Some(Sign(sign)) if Some(sign) == close => {
                    self.at += 1;
                    return;
                }
                Some(Sign(b',')) => {
                    if has_comma {
                        let wrong = if position == 0 { "a comma before the first value" } else { "two commas" };
                        self.fault(self.offset(), || format!("{wrong}; remove one"));
                    }
                    has_comma = true;
                    self.at += 1;
                }
                Some(_) => {
                    let (before, start, index) = (self.at, self.offset(), self.values.len());
                    item(self, position);
                    position += 1;
                    if self.at == before {
                        self.skip_sign();
                        self.values.truncate(index);
                        continue;
                    }
                    if !has_comma {
                        self.comma_is_missing(last, start);
                    }
                    // A bracket that is not closed hides its comma.
                    has_comma = self.is_cut(index);
                    last = self.offset();
                }
            }
        }
    }
}
