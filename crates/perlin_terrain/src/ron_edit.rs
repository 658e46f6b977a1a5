//! RON text with its positions, comments and spaces: reads it, says what is wrong with its punctuation, and edits it.
//!
//! The RON parser returns values alone. A [`Document`] is the same text as its author sees it: each value has its bytes, and the
//! comments around it stay in an edit. The module knows no types and no settings.
//!
//! 1. [`token`] splits the text into words, texts, signs, spaces and comments, once.
//! 2. [`parser`] finds the values among the tokens. A [`Node`] is one of them, with the values in it.
//! 3. [`merged`] writes changed values into the text. It asks [`ItemRules`] which item of a changed list is which.
//! 4. [`merge`] joins two changes of one text's values.
//! 5. [`Repaired`] is a text that the RON parser refuses. It replaces foreign signs ([`foreign`]), matches the brackets by their
//!    indentation ([`brackets`]), and finds missing commas and colons ([`punctuation`]). Each mistake is a [`Fault`].
//!
//! ```text
//! let document = Document::parse("(a: 1, b: [(c: 2)]) // last");
//! let c = document.find("b[0].c").expect("it is there");
//! assert_eq!((c.value(), c.range()), ("2", 15..16));
//! ```

mod bracket;
mod brackets;
mod diff;
mod document;
mod fault;
mod foreign;
mod foreign_sign;
mod list_diff;
mod merge;
mod node;
mod parser;
mod punctuation;
mod text_position;
mod token;
mod trivia;

pub(crate) use diff::{ItemRules, merged};
pub(crate) use document::{Document, Repaired};
pub(crate) use fault::Fault;
pub(crate) use merge::{Merged, merge};
pub(crate) use node::Node;
pub(crate) use parser::{Kind, MAX_DEPTH};
pub use text_position::TextPosition;
pub(crate) use text_position::{cut, shortened};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_has_its_position_in_the_text() {
        let document = Document::parse("(a: 1, b: [(c: 2)]) // last");
        let c = document.find("b[0].c").expect("it is there");
        assert_eq!((c.value(), c.range()), ("2", 15..16));
        assert_eq!(TextPosition::of(document.text(), c.start()), TextPosition { line: 1, column: 13 });
        // The innermost value that is there.
        assert_eq!(document.nearest("b[0].d").value(), "(c: 2)");
    }

    /// Items are the same if they have the same text.
    struct ByText;

    impl ItemRules for ByText {
        const SAME: &'static [fn(Node<'_>, Node<'_>) -> bool] = &[|old, new| old.value() == new.value()];

        fn may_need_fields(&self, _: Node<'_>) -> bool {
            false
        }

        fn needs_field(&self, _: Node<'_>, _: Node<'_>, _: Node<'_>) -> Option<bool> {
            None
        }
    }

    #[test]
    fn an_edit_keeps_the_comments() {
        let text = "(\n    a: 1, // one\n    b: [\n        2, // two\n        3, // three\n    ],\n)";
        let [text, old, new] = [text, "(a: 1, b: [2, 3])", "(a: 4, b: [3])"].map(Document::parse);
        let expected = "(\n    a: 4, // one\n    b: [\n        3, // three\n    ],\n)";
        assert_eq!(merged(&text, &old, &new, &ByText), expected);
    }

    #[test]
    fn a_broken_text_has_values_and_faults() {
        let repaired = Repaired::of("(a = 1 b: [2, 3)");
        let (document, faults) = repaired.document();
        assert_eq!(document.find("b[1]").map(Node::value), Some("3"));
        let wrong: Vec<&str> = faults.iter().map(|fault| fault.wrong.as_str()).collect();
        let bracket = "`a : 1 b: [` is not closed: `]` is missing before the next `)`";
        assert_eq!(wrong, ["`=` after a name; write `:`", bracket, "a comma is missing before `b`"]);
    }
}
