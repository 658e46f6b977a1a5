//! A value of a RON text together with the values in it.

use super::document::Document;
use super::parser::{Key, Kind, Value};
use std::ops::Range;

#[derive(Clone, Copy)]
pub(crate) struct Node<'a> {
    document: &'a Document<'a>,
    value: &'a Value,
    /// All values inside this one, ordered by where they begin.
    inside: &'a [Value],
}

impl Document<'_> {
    /// The outermost value.
    pub fn root(&self) -> Node<'_> {
        Node::new(self, self.values())
    }

    /// The value at `path`, such as `field.layers[2].kind`.
    pub fn find(&self, path: &str) -> Option<Node<'_>> {
        steps(path).try_fold(self.root(), Node::child)
    }

    /// The value at `path`, or else the innermost value around it that the text has.
    pub fn nearest(&self, path: &str) -> Node<'_> {
        let mut node = self.root();
        for step in steps(path) {
            let Some(child) = node.child(step) else { break };
            node = child;
        }
        node
    }
}

/// The names and positions in a path.
fn steps(path: &str) -> impl Iterator<Item = &str> {
    path.split(['.', '[']).map(|step| step.trim_end_matches(']')).filter(|step| !step.is_empty())
}

impl<'a> Node<'a> {
    /// The first of some values, which contains the others.
    fn new(document: &'a Document<'a>, values: &'a [Value]) -> Self {
        let (value, inside) = values.split_first().expect("each text has an outermost value");
        Self { document, value, inside }
    }

    pub(super) const fn document(self) -> &'a Document<'a> {
        self.document
    }

    /// Where the value begins, or its name.
    pub fn start(self) -> usize {
        if let Key::Name(name) = &self.value.key { name.start } else { self.value.range.start }
    }

    /// The bytes of the value.
    pub fn range(self) -> Range<usize> {
        self.value.range.clone()
    }

    /// The bytes of the name and the value.
    pub fn field_range(self) -> Range<usize> {
        self.start()..self.value.range.end
    }

    /// The value as it is written.
    pub fn value(self) -> &'a str {
        &self.document.text()[self.range()]
    }

    /// The name of the field.
    pub fn name(self) -> Option<&'a str> {
        if let Key::Name(name) = &self.value.key { Some(self.document.text()[name.clone()].trim_end()) } else { None }
    }

    /// Whether the value is an item of a list.
    pub fn is_item(self) -> bool {
        matches!(self.value.key, Key::Item(_))
    }

    /// How many values stand before it in the value around it. `None` for a field.
    pub(super) fn position(self) -> Option<usize> {
        match self.value.key {
            Key::Name(_) => None,
            Key::Part(position) | Key::Item(position) => Some(position),
        }
    }

    pub fn children(self) -> impl Iterator<Item = Self> {
        let mut rest = self.inside;
        std::iter::from_fn(move || {
            let values;
            (values, rest) = rest.split_at(rest.first()?.size);
            Some(Self::new(self.document, values))
        })
    }

    /// The field with a name, or the value at a position without a name, such as `2`.
    pub fn child(self, key: &str) -> Option<Self> {
        let position = key.parse().ok();
        self.children().find(|child| child.name().map_or(child.position() == position, |name| name == key))
    }

    /// The value in this one that has the name, or else the position, of `other`.
    pub(super) fn counterpart(self, other: Self) -> Option<Self> {
        let key = |node: Self| (node.name(), node.position());
        self.children().find(|child| key(*child) == key(other))
    }

    /// All values inside this one.
    pub fn descendants(self) -> impl Iterator<Item = Self> {
        (0..self.inside.len())
            .map(move |index| Self::new(self.document, &self.inside[index..][..self.inside[index].size]))
    }

    /// The offset of the opening bracket.
    pub fn bracket(self) -> Option<usize> {
        self.value.open
    }

    /// The bytes between the brackets.
    pub(super) fn between_brackets(self) -> Option<Range<usize>> {
        let open = self.bracket()? + 1;
        let close = self.range().end.checked_sub(1)?;
        (open <= close && self.value().ends_with([')', ']'])).then_some(open..close)
    }

    pub fn kind(self) -> Kind {
        self.value.kind
    }

    /// The name of the variant or of the struct, such as `Noise` in `Noise(octaves: 3)`. Empty without a bracket.
    pub fn variant(self) -> &'a str {
        if self.bracket().is_some() { self.first_word() } else { "" }
    }

    /// The name or the number that the value begins with, such as `Noise` in `Noise(octaves: 3)` and in `Noise`.
    pub fn first_word(self) -> &'a str {
        let value = self.value();
        &value[..value.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(value.len())]
    }

    /// The whitespace before the line in which the field begins.
    pub(super) fn indent(self) -> &'a str {
        let text = self.document.text();
        let line = &text[text[..self.start()].rfind('\n').map_or(0, |newline| newline + 1)..];
        &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "(\n  seed: 7,\n  layers: [ // [\n    (stream: 3, kind: Noise /* ( */ (octaves: 3)),\n    \
                        (name: \"a ] \\\" // b\", other: r#\"(\"#),\n  ],\n  color: (0.5, 1.0), stream: (),\n)";

    fn with_node(path: &[&str], check: impl Fn(Node)) {
        let document = Document::parse(TEXT);
        check(path.iter().fold(document.root(), |node, name| node.child(name).unwrap_or_else(|| panic!("no {name}"))));
    }

    #[test]
    fn the_tree_has_the_fields_and_items_of_each_value() {
        let names = |node: Node| {
            let name = |child: Node| child.name().map_or_else(|| format!("{:?}", child.position()), str::to_owned);
            node.children().map(name).collect::<Vec<_>>()
        };
        with_node(&[], |root| assert_eq!(names(root), ["seed", "layers", "color", "stream"]));
        with_node(&["layers"], |layers| assert_eq!(names(layers), ["Some(0)", "Some(1)"]));
        with_node(&["layers", "0", "kind"], |kind| assert_eq!(names(kind), ["octaves"]));
        with_node(&["layers", "1"], |layer| assert_eq!(names(layer), ["name", "other"]));
        with_node(&["color"], |color| assert_eq!(names(color), ["Some(0)", "Some(1)"]));
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
        kind(&["layers", "0", "kind"], Kind::Group, Some("octaves: 3"));
        kind(&["layers", "1", "name"], Kind::Leaf, None);
        kind(&["layers", "1", "other"], Kind::Leaf, None);
        with_node(&["layers"], |layers| assert_eq!(layers.kind(), Kind::List));
        with_node(&["layers", "0", "kind"], |kind| assert_eq!(kind.variant(), "Noise"));
    }

    #[test]
    fn values_on_one_line_have_the_same_indent() {
        with_node(&["color", "1"], |value| assert_eq!(value.indent(), "  "));
        with_node(&["layers", "0", "kind"], |value| assert_eq!(value.indent(), "    "));
    }

    #[test]
    fn every_value_is_found_by_its_path() {
        let text = "#![enable(implicit_some)]\n// first (\nTerrain(\n  field: (seed: 7, /* a: [ */ layers: [(height_scale: 1.5), (height_scale: -2)]),\n  name: \"a ) \\\" b\", color: (0.5, 1.0, 0.25), raw: r#\"a ) \" \\\"#,\n)\n";
        let document = Document::parse(text);
        for (path, value) in [
            ("field.seed", "7"),
            ("field.layers[1].height_scale", "-2"),
            ("field.layers", "[(height_scale: 1.5), (height_scale: -2)]"),
            ("name", "\"a ) \\\" b\""),
            ("raw", "r#\"a ) \" \\\"#"),
            ("color", "(0.5, 1.0, 0.25)"),
            ("color.1", "1.0"),
        ] {
            assert_eq!(document.find(path).map(Node::value), Some(value), "{path}");
        }
        assert!(document.find("field.layers[2]").is_none() && document.find("seed").is_none());
        assert_eq!(document.nearest("field.layers[2].kind").value(), "[(height_scale: 1.5), (height_scale: -2)]");
        let broken = Document::parse("(a: 1, b: (c: 2");
        assert_eq!(broken.find("b.c").map(Node::value), Some("2"));
    }
}
