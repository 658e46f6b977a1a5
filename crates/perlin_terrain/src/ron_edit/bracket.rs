//! The brackets of a text, with the indentation of their lines.

use super::token::{Token, TokenKind, is_name};

use TokenKind::{Sign, Space};

/// A round or square bracket.
#[derive(Clone, Copy)]
pub(super) struct Bracket {
    pub at: usize,
    pub sign: u8,
    /// The offset of the line, and its indentation.
    pub line: usize,
    pub indent: usize,
    /// Whether the bracket is the first thing in its line.
    pub is_first: bool,
    /// Whether it is a square bracket in place of a parenthesis: one directly after a name.
    pub is_square: bool,
}

impl Bracket {
    pub const fn opens(&self) -> bool {
        matches!(self.sign, b'(' | b'[')
    }

    /// The sign that closes it.
    pub const fn close(&self) -> u8 {
        if self.sign == b'(' { b')' } else { b']' }
    }
}

/// All round and square brackets.
pub(super) fn brackets(text: &str, tokens: &[Token]) -> Vec<Bracket> {
    let mut found = Vec::new();
    let (mut line, mut indent, mut is_first) = (0, 0, true);
    for &Token { kind, start, end } in tokens {
        match kind {
            Space => {
                let newline = text[start..end].rfind('\n').map(|newline| start + newline + 1);
                if newline.is_some() || start == 0 {
                    line = newline.unwrap_or(0);
                    indent = text[line..end].bytes().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
                    is_first = true;
                }
                continue;
            }
            Sign(byte @ (b'(' | b'[' | b')' | b']')) => {
                let is_square = byte == b'[' && start > 0 && is_name(text.as_bytes()[start - 1]);
                let sign = if is_square { b'(' } else { byte };
                found.push(Bracket { at: start, sign, line, indent, is_first, is_square });
            }
            _ => {}
        }
        is_first = false;
    }
    found
}

/// How many brackets of `all` are missing or wrong, if those of `stack` are open before them.
pub(super) fn mistakes(all: &[Bracket], stack: &[Bracket]) -> usize {
    let mut stack: Vec<u8> = stack.iter().map(Bracket::close).collect();
    let mut count = 0;
    for bracket in all {
        if bracket.opens() {
            stack.push(bracket.close());
        } else if stack.last() == Some(&bracket.sign) {
            stack.pop();
        } else {
            match stack.iter().rposition(|&close| close == bracket.sign) {
                Some(open) => {
                    count += stack.len() - 1 - open;
                    stack.truncate(open);
                }
                None => {
                    count += 1;
                    stack.pop();
                }
            }
        }
    }
    count + stack.len()
}
