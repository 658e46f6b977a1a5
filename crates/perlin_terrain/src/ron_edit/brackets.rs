//! Finds brackets that are not closed, or not opened.
//!
//! Counting alone finds that a bracket is missing, but not where: it blames the outermost one. The indentation tells more. A bracket
//! that is not closed where the indentation returns to that of its line is the one to blame.

use super::bracket::{Bracket, brackets, mistakes};
use super::fault::{Fault, MAX_FAULTS};
use super::text_position::{TextPosition, cut};
use super::token::{Token, TokenKind};
use std::collections::HashMap;

use TokenKind::{Sign, Space};

/// The mistakes in the brackets of a text.
#[derive(Default)]
pub(super) struct Brackets {
    pub faults: Vec<Fault>,
    /// Where each bracket that is not closed should have been, by its offset.
    pub ends: HashMap<usize, usize>,
}

/// Finds what is wrong with the brackets of `text`. Takes away those that close nothing, adds those that are missing before a value,
/// and exchanges those that close a bracket of the other kind.
pub(super) fn repair(text: &mut String, tokens: &mut [Token]) -> Brackets {
    let all = brackets(text, tokens);
    if mistakes(&all, &[]) == 0 {
        return Brackets::default();
    }
    let mut repair =
        Repair { text, tokens, all: &all, stack: Vec::new(), found: Brackets::default(), edits: Vec::new() };
    // How many more brackets are closed than opened from each one on.
    let mut surplus = vec![0_isize; all.len() + 1];
    for (index, bracket) in all.iter().enumerate().rev() {
        surplus[index] = surplus[index + 1] + if bracket.opens() { -1 } else { 1 };
    }
    for (index, &bracket) in all.iter().enumerate() {
        if repair.found.faults.len() >= MAX_FAULTS {
            break;
        }
        if bracket.opens() {
            repair.open(bracket);
        } else {
            repair.close(index, bracket, surplus[index + 1] > 0);
        }
    }
    repair.leave_open();
    let Repair { found, edits, .. } = repair;
    for (at, sign) in edits {
        text.replace_range(at..=at, sign.encode_utf8(&mut [0]));
        let index = tokens.partition_point(|token| token.start < at);
        tokens[index].kind = if sign == ' ' { Space } else { Sign(sign as u8) };
    }
    found
}

/// The brackets of a text whose bracket at `open` is not closed before the value at `end`.
pub(super) fn not_closed_before(text: &str, open: usize, end: usize) -> Brackets {
    let line = text[..open].rfind('\n').map_or(0, |newline| newline + 1);
    let bracket = Bracket { at: open, sign: text.as_bytes()[open], line, indent: 0, is_first: false, is_square: false };
    let mut repair =
        Repair { text, tokens: &[], all: &[], stack: Vec::new(), found: Brackets::default(), edits: Vec::new() };
    let is_name = |c: &char| c.is_alphanumeric() || *c == '_';
    let name: String = text[end..].chars().take_while(is_name).take(40).collect();
    let name = if name.is_empty() { text[end..].chars().take(1).collect() } else { name };
    let wrong = format!("is missing before `{name}` in line {}", TextPosition::of(text, end).line);
    repair.report_open(bracket, &wrong, end);
    repair.found
}

struct Repair<'a> {
    text: &'a str,
    tokens: &'a [Token],
    all: &'a [Bracket],
    /// The brackets that are open.
    stack: Vec<Bracket>,
    found: Brackets,
    /// The signs to write at some positions.
    edits: Vec<(usize, char)>,
}

impl Repair<'_> {
    fn open(&mut self, bracket: Bracket) {
        self.stack.push(bracket);
        if bracket.is_square {
            let label = self.label(bracket);
            let wrong = format!("`{}[`: fields are in parentheses; write `{label}` and `)`", &label[..label.len() - 1]);
            self.found.faults.push(Fault::new(bracket.at, wrong));
            self.edits.push((bracket.at, '('));
        }
    }

    /// Closes a bracket with `all[index]`. `has_surplus` says that after it, more brackets are closed than opened.
    fn close(&mut self, index: usize, bracket: Bracket, has_surplus: bool) {
        while let [below @ .., top] = &self.stack[..]
            && bracket.is_first
            && bracket.indent < top.indent
            && below
                .iter()
                .any(|open| open.close() == bracket.sign && open.indent == bracket.indent && open.line != top.line)
        {
            self.not_closed(bracket);
        }
        let Some(&top) = self.stack.last() else {
            return self.closes_unopened(bracket, "closes nothing; remove it");
        };
        if top.is_square && bracket.sign == b']' {
            self.edits.push((bracket.at, ')'));
            self.stack.pop();
            return;
        }
        if top.close() == bracket.sign {
            let next = self.text[bracket.at + 1..].trim_start().trim_start_matches(',').trim_start();
            if self.stack.len() == 1 && has_surplus && !next.is_empty() && !next.starts_with([')', ']']) {
                return self.closes_unopened(bracket, "closes the whole file, but more follows; remove it");
            }
            self.stack.pop();
            return;
        }
        let opener = self.stack.iter().rposition(|open| open.close() == bracket.sign);
        // What leaves the fewest mistakes after it was probably meant.
        let (rest, below) = (&self.all[index + 1..], self.stack.len() - 1);
        let missing = opener.map_or(usize::MAX, |open| below - open + mistakes(rest, &self.stack[..open]));
        let exchanged = 1 + mistakes(rest, &self.stack[..below]);
        let is_aligned = bracket.is_first && bracket.indent == top.indent && top.line != bracket.line;
        if !is_aligned && 1 + mistakes(rest, &self.stack) < exchanged.min(missing) {
            return self.closes_unopened(bracket, "is one too many; remove it");
        }
        let is_exchanged = is_aligned || exchanged < missing;
        if is_exchanged {
            let (label, line) = (self.label(top), TextPosition::of(self.text, top.at).line);
            let [close, written] = [top.close(), bracket.sign].map(char::from);
            let wrong = format!("`{written}` in place of `{close}`: it closes `{label}` of line {line}");
            self.found.faults.push(Fault::new(bracket.at, wrong));
            self.edits.push((bracket.at, close));
            self.stack.pop();
            return;
        }
        while self.stack.last().is_some_and(|top| top.close() != bracket.sign) {
            self.not_closed(bracket);
        }
        self.stack.pop();
    }

    /// Reports the bracket that is missing before `close`, and opens it. If no field lacks one, takes `close` away and says `why`.
    fn closes_unopened(&mut self, close: Bracket, why: &str) {
        let from = self.stack.last().map_or(0, |top| top.at + 1);
        let Some((name, open_at)) = self.offset_without_bracket(from, close) else {
            self.found.faults.push(Fault::new(close.at, format!("`{}` {why}", char::from(close.sign))));
            self.edits.push((close.at, ' '));
            // Its comma goes with it, if there is one before it.
            let comma = self.text.len() - self.text[close.at + 1..].trim_start().len();
            if self.text[..close.at].trim_end().ends_with([',', '(', '[']) && self.text[comma..].starts_with(',') {
                self.edits.push((comma, ' '));
            }
            return;
        };
        let opens = if close.sign == b')' { '(' } else { '[' };
        let (closes, line) = (char::from(close.sign), TextPosition::of(self.text, close.at).line);
        let before = cut(self.text[name..open_at].trim_end().to_owned(), 40);
        let wrong = format!("`{opens}` is missing after `{before}`; the `{closes}` in line {line} closes it");
        self.found.faults.push(Fault::new(name, wrong));
        self.edits.push((open_at, opens));
    }

    /// The last field between `from` and `close` whose value looks like what `close` closes, but has no opening bracket: where its
    /// name begins, and where the bracket belongs.
    fn offset_without_bracket(&self, from: usize, close: Bracket) -> Option<(usize, usize)> {
        let (mut depth, mut found) = (0_usize, None);
        let first = self.tokens.partition_point(|token| token.start < from);
        for &Token { kind, start, end } in self.tokens[first..].iter().take_while(|token| token.start < close.at) {
            match kind {
                Sign(b'(' | b'[') => depth += 1,
                Sign(b')' | b']') => depth = depth.saturating_sub(1),
                // A colon after a field and its colon is a mistake wherever it is. A struct after a colon is usual inside others.
                Sign(b':') if depth == 0 || close.sign == b')' => {
                    let offset = offset_in_value(&self.text[end..close.at], close.sign);
                    let name = self.text[..start].trim_end_matches(|c: char| c.is_alphanumeric() || c == '_').len();
                    found = offset.map(|offset| (name, end + offset)).or(found);
                }
                _ => {}
            }
        }
        found
    }

    /// Reports that the last open bracket is not closed before `next`.
    fn not_closed(&mut self, next: Bracket) {
        let Some(top) = self.stack.pop() else { return };
        let end = self.end_by_indent(top, next.at);
        let wrong = match end {
            Some(end) => format!("is missing before line {}", TextPosition::of(self.text, end).line),
            None if next.line == top.line => format!("is missing before the next `{}`", char::from(next.sign)),
            None => {
                let line = TextPosition::of(self.text, next.at).line;
                format!("is missing before the `{}` in line {line}", char::from(next.sign))
            }
        };
        self.report_open(top, &wrong, end.unwrap_or(next.at));
    }

    /// Reports all brackets that are still open.
    fn leave_open(&mut self) {
        while let Some(top) = self.stack.pop() {
            if self.found.faults.len() >= MAX_FAULTS {
                self.found.ends.insert(top.at, self.text.len());
                continue;
            }
            let end = self.end_by_indent(top, self.text.len());
            let wrong = end.map_or("is missing at the end of the file".to_owned(), |end| {
                format!("is missing before line {}", TextPosition::of(self.text, end).line)
            });
            self.report_open(top, &wrong, end.unwrap_or(self.text.len()));
        }
    }

    fn report_open(&mut self, open: Bracket, wrong: &str, end: usize) {
        let wrong = format!("`{}` is not closed: `{}` {wrong}", self.label(open), char::from(open.close()));
        self.found.faults.push(Fault::new(open.at, wrong));
        self.found.ends.insert(open.at, end);
    }

    /// The first line after that of `open` that is not indented further and begins a value, if it begins before `limit`.
    fn end_by_indent(&self, open: Bracket, limit: usize) -> Option<usize> {
        let mut at = open.line;
        for line in self.text[open.line..limit].split_inclusive('\n') {
            let trimmed = line.trim_start();
            let is_value = !trimmed.is_empty() && !trimmed.starts_with([')', ']', '/', ',']);
            if at > open.at && is_value && line.len() - trimmed.len() <= open.indent {
                return Some(at);
            }
            at += line.len();
        }
        None
    }

    /// The words before a bracket, such as `kind: Noise(`.
    fn label(&self, open: Bracket) -> String {
        let before = &self.text[open.line..open.at];
        let start = before.rfind(['(', '[', ',', ')', ']']).map_or(0, |sign| sign + 1);
        let label = before[start..].trim_start();
        let label = if label.contains('"') || label.contains('/') { "" } else { label };
        cut(label.to_owned(), 40) + if open.sign == b'(' { "(" } else { "[" }
    }
}

/// The offset of the bracket in the value of a field that has fields or structs, but lacks the bracket that `close` closes.
fn offset_in_value(value: &str, close: u8) -> Option<usize> {
    let after_word = |text: &str| text.trim_start().trim_start_matches(|c: char| c.is_alphanumeric() || c == '_').len();
    // The bracket takes the place of the whitespace before the fields.
    let offset = |rest: usize| {
        let end = value.len() - rest;
        value[end..].starts_with(|c: char| c.is_ascii_whitespace()).then_some(end)
    };
    let rest = after_word(value);
    let next = &value[value.len() - rest..];
    if close == b']' {
        // Structs, as in `layers: (kind: Noise()), ...]`.
        return next.trim_start().starts_with('(').then(|| offset(value.len())).flatten();
    }
    // Fields, as in `field: seed: 3)`, maybe after the name of a variant, as in `kind: Noise octaves: 3)`.
    if next.trim_start().starts_with(':') && rest < value.trim_start().len() {
        return offset(value.len());
    }
    let is_variant = value.trim_start().starts_with(|c: char| c.is_ascii_uppercase());
    let second = after_word(next);
    let is_field = second < next.trim_start().len() && next[next.len() - second..].trim_start().starts_with(':');
    if is_variant && is_field { offset(rest) } else { None }
}
