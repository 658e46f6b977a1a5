//! A RON text with its tokens and its values.

use super::brackets::{Brackets, not_closed_before, repair};
use super::fault::Fault;
use super::foreign::plain;
use super::parser::{MAX_DEPTH, Value, values};
use super::punctuation::values_of_broken;
use super::token::{Token, TokenKind, tokens};
use std::borrow::Cow;

/// A RON text with its tokens and its values.
pub(crate) struct Document<'a> {
    text: &'a str,
    tokens: Cow<'a, [Token]>,
    values: Vec<Value>,
}

impl<'a> Document<'a> {
    /// Reads `text`. Invalid text gives the values that can be recognized.
    pub fn parse(text: &'a str) -> Self {
        let tokens: Vec<Token> = tokens(text).collect();
        let values = values(text, &tokens);
        Self { text, tokens: tokens.into(), values }
    }

    pub const fn text(&self) -> &'a str {
        self.text
    }

    /// Whether there are only spaces and comments.
    pub fn is_empty(&self) -> bool {
        self.tokens.iter().all(|token| token.is_trivia())
    }

    /// The offset of the first opening bracket inside [`MAX_DEPTH`] others.
    pub fn too_deep_at(&self) -> Option<usize> {
        let mut depth = 0_usize;
        let mut is_too_deep = |token: &&Token| {
            match token.kind {
                TokenKind::Sign(b'(' | b'[' | b'{') => depth += 1,
                TokenKind::Sign(b')' | b']' | b'}') => depth = depth.saturating_sub(1),
                _ => {}
            }
            depth > MAX_DEPTH
        };
        self.tokens.iter().find(|token| is_too_deep(token)).map(|token| token.start)
    }

    /// All values, ordered by where they begin. The first one contains the others.
    pub(super) fn values(&self) -> &[Value] {
        &self.values
    }

    /// The tokens that begin at `at` or later.
    pub(super) fn tokens_from(&self, at: usize) -> &[Token] {
        &self.tokens[self.tokens.partition_point(|token| token.start < at)..]
    }
}

/// A text that the RON parser can't read, with the signs and the brackets that were meant.
pub(crate) struct Repaired {
    text: String,
    tokens: Vec<Token>,
    signs: Vec<Fault>,
    brackets: Brackets,
}

impl Repaired {
    pub fn of(text: &str) -> Self {
        let (mut text, signs) = plain(text);
        let mut tokens: Vec<Token> = tokens(&text).collect();
        let brackets = repair(&mut text, &mut tokens);
        Self { text, tokens, signs, brackets }
    }

    /// Whether it was guessed where a bracket ends.
    pub fn is_guess(&self) -> bool {
        !self.brackets.faults.is_empty()
    }

    /// The values of the text, and all mistakes in its punctuation.
    pub fn document(&self) -> (Document<'_>, Vec<Fault>) {
        self.with(&self.brackets)
    }

    /// The same with the bracket at `open` ending before the value at `end`. `None` if it is not in the only one that is not closed.
    pub fn ending_before(&self, open: usize, end: usize) -> Option<(Document<'_>, Vec<Fault>)> {
        let Brackets { faults, ends } = &self.brackets;
        let (blamed, its_end) = ends.iter().next().filter(|_| faults.len() == 1 && ends.len() == 1)?;
        (*blamed <= open && end < *its_end).then(|| self.with(&not_closed_before(&self.text, open, end)))
    }

    fn with(&self, brackets: &Brackets) -> (Document<'_>, Vec<Fault>) {
        let (values, others) = values_of_broken(&self.text, &self.tokens, brackets);
        let faults = self.signs.iter().chain(&brackets.faults).cloned().chain(others).collect();
        (Document { text: &self.text, tokens: Cow::Borrowed(&self.tokens), values }, faults)
    }
}

#[cfg(test)]
mod tests {
    use super::super::parser::MAX_VALUES;
    use super::*;

    #[test]
    fn broken_text_has_the_values_that_can_be_read() {
        let text = "(a: [\"(\", /* ) */ r#\")\"#], b: C(d: -1))";
        for end in 0..text.len() {
            Document::parse(&text[..end]);
        }
        for text in ["", "(", "(a", "(a:", "((((", "(a: ]", "(a b c)", "[,,,]", "\"", "(a: \"x\\", "/*", ")", "é(ü: 1"]
        {
            Document::parse(text);
            Repaired::of(text).document();
        }
        Document::parse(&"(".repeat(100_000));
    }

    #[test]
    fn a_hostile_text_has_few_values() {
        assert!(Document::parse(&"(1,".repeat(1_000_000)).values.len() <= MAX_VALUES);
        let text = format!("({}: ({}))", "x".repeat(1_000_000), "a: 1, ".repeat(1_000_000));
        assert_eq!(Document::parse(&text).values.len(), MAX_VALUES);
    }

    /// `text` inside `MAX_DEPTH` brackets.
    fn inside(text: &str) -> String {
        format!("{}{text}", "(".repeat(MAX_DEPTH))
    }

    fn too_deep_at(text: &str) -> Option<usize> {
        Document::parse(text).too_deep_at()
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
}
