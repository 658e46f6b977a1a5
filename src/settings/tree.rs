//! A value of a RON text together with the values in it.

use super::outline::{Outline, OutlineEntry, skip_space, skip_word, written_variant};
use std::ops::Range;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A number, a text, a switch or a name.
    Leaf,
    /// `(...)`: a struct, a tuple or an enum variant with fields.
    Group,
    /// `[...]`
    List,
}

#[derive(Clone, Copy)]
pub(super) struct Node<'a> {
    text: &'a str,
    entry: &'a OutlineEntry,
    /// All values inside this one, ordered by where they begin.
    inside: &'a [OutlineEntry],
}

impl<'a> Node<'a> {
    /// The outermost value of `text`.
    pub fn root(text: &'a str, outline: &'a Outline) -> Option<Self> {
        let (entry, inside) = outline.entries().split_first()?;
        Some(Self { text, entry, inside })
    }

    /// The whole text that contains the value.
    pub fn text(self) -> &'a str {
        self.text
    }

    /// Where the value begins, or its name.
    pub fn start(self) -> usize {
        self.entry.field.start
    }

    /// The bytes of the name and the value.
    pub fn field_range(self) -> Range<usize> {
        self.entry.field.clone()
    }

    /// Whether the value has the name of a field.
    pub fn has_name(self) -> bool {
        self.entry.field.start < self.entry.value.start
    }

    /// The name of the field as it is written.
    pub fn written_key(self) -> &'a str {
        let name = &self.text[self.entry.field.start..self.entry.value.start];
        name.split([':', '\n', '\r', '\t', '/']).next().unwrap_or_default().trim_end()
    }

    pub fn range(self) -> Range<usize> {
        self.entry.value.clone()
    }

    pub fn value(self) -> &'a str {
        &self.text[self.range()]
    }

    /// The name of the field, or the position in a tuple.
    pub fn name(self) -> &'a str {
        self.entry.path.rsplit('.').next().unwrap_or_default()
    }

    pub fn children(self) -> impl Iterator<Item = Self> {
        let mut rest = self.inside;
        std::iter::from_fn(move || {
            let (entry, after) = rest.split_first()?;
            let inside;
            (inside, rest) = after.split_at(after.partition_point(|other| other.field.start < entry.value.end));
            Some(Self { text: self.text, entry, inside })
        })
    }

    pub fn child(self, name: &str) -> Option<Self> {
        self.children().find(|child| child.name() == name)
    }

    /// The offset of the opening bracket.
    pub fn bracket(self) -> Option<usize> {
        let Range { start, end } = self.range();
        let at = skip_space(self.text, skip_word(self.text, start));
        (at < end && matches!(self.text.as_bytes()[at], b'(' | b'[')).then_some(at)
    }

    /// The bytes between the brackets.
    pub fn between_brackets(self) -> Option<Range<usize>> {
        let open = self.bracket()? + 1;
        let close = self.range().end.checked_sub(1)?;
        (open <= close && self.value().ends_with([')', ']'])).then_some(open..close)
    }

    pub fn kind(self) -> Kind {
        match self.bracket().map(|at| self.text.as_bytes()[at]) {
            Some(b'(') => Kind::Group,
            Some(_) => Kind::List,
            // Fields whose parentheses are missing.
            None if !self.inside.is_empty() => Kind::Group,
            None => Kind::Leaf,
        }
    }

    /// The name before the opening bracket.
    pub fn variant(self) -> &'a str {
        if self.bracket().is_some() { written_variant(self.text, self.entry) } else { "" }
    }

    /// What stands before the opening bracket, such as the name of an enum variant.
    pub fn word(self) -> &'a str {
        self.bracket().map_or("", |at| &self.text[self.range().start..at])
    }

    /// The values of the field `stream` of every item of a list in this value, or of this field itself.
    pub fn streams(self) -> impl Iterator<Item = &'a str> {
        let is_stream = |entry: &&OutlineEntry| entry.path.ends_with("].stream");
        std::iter::once(self.entry)
            .chain(self.inside)
            .filter(is_stream)
            .map(move |entry| &self.text[entry.value.clone()])
    }

    /// Whether this is the field `stream` of an item of a list.
    pub fn is_stream(self) -> bool {
        self.entry.path.ends_with("].stream")
    }

    /// The values of the field `name` of every item of a list in this value.
    pub fn names(self) -> impl Iterator<Item = &'a str> {
        let is_name = |entry: &&OutlineEntry| entry.path.ends_with("].name");
        self.inside.iter().filter(is_name).map(move |entry| &self.text[entry.value.clone()])
    }

    /// The whitespace before the line in which the field begins.
    pub fn indent(self) -> &'a str {
        let before = &self.text[..self.entry.field.start];
        let line = &self.text[before.rfind('\n').map_or(0, |newline| newline + 1)..];
        &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "(\n  seed: 7,\n  layers: [ // [\n    (stream: 3, kind: Noise /* ( */ (octaves: 3)),\n    \
                        (name: \"a ] \\\" // b\", other: r#\"(\"#),\n  ],\n  color: (0.5, 1.0), stream: (),\n)";

    fn with_node(path: &[&str], check: impl Fn(Node)) {
        let outline = Outline::of(TEXT);
        let root = Node::root(TEXT, &outline).expect("there is a value");
        check(path.iter().fold(root, |node, name| node.child(name).unwrap_or_else(|| panic!("no {name}"))));
    }

    #[test]
    fn the_tree_has_the_fields_and_items_of_each_value() {
        let names = |node: Node| node.children().map(|child| child.name().to_owned()).collect::<Vec<_>>();
        with_node(&[], |root| assert_eq!(names(root), ["seed", "layers", "color", "stream"]));
        with_node(&["layers"], |layers| assert_eq!(names(layers), ["layers[0]", "layers[1]"]));
        with_node(&["layers", "layers[0]", "kind"], |kind| assert_eq!(names(kind), ["octaves"]));
        with_node(&["layers", "layers[1]"], |layer| assert_eq!(names(layer), ["name", "other"]));
        with_node(&["color"], |color| assert_eq!(names(color), ["0", "1"]));
    }

    #[test]
    fn brackets_tell_the_kind_of_a_value() {
        let kind = |path: &[&str], kind, between: Option<&str>| {
            with_node(path, |node| {
                assert_eq!(node.kind(), kind, "{path:?}");
                assert_eq!(node.between_brackets().map(|range| &TEXT[range]), between, "{path:?}");
            });
        };
        kind(&["seed"], Kind::Leaf, None);
        kind(&["color"], Kind::Group, Some("0.5, 1.0"));
        kind(&["stream"], Kind::Group, Some(""));
        kind(&["layers", "layers[0]", "kind"], Kind::Group, Some("octaves: 3"));
        kind(&["layers", "layers[1]", "name"], Kind::Leaf, None);
        kind(&["layers", "layers[1]", "other"], Kind::Leaf, None);
        with_node(&["layers"], |layers| assert_eq!(layers.kind(), Kind::List));
        with_node(&["layers", "layers[0]", "kind"], |kind| assert_eq!(kind.word(), "Noise /* ( */ "));
    }

    #[test]
    fn only_items_of_lists_have_streams() {
        with_node(&[], |root| assert_eq!(root.streams().collect::<Vec<_>>(), ["3"]));
        with_node(&["layers", "layers[0]", "stream"], |stream| assert_eq!(stream.streams().count(), 1));
        with_node(&["stream"], |stream| assert_eq!(stream.streams().count(), 0));
    }

    #[test]
    fn values_on_one_line_have_the_same_indent() {
        with_node(&["color", "1"], |value| assert_eq!(value.indent(), "  "));
        with_node(&["layers", "layers[0]", "kind"], |value| assert_eq!(value.indent(), "    "));
    }
}
