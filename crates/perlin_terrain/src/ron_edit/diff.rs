//! Writes changed values into a RON text and keeps the rest of it.
//!
//! The diff walks three trees in parallel: the author's text, and two texts that ron wrote and that have every field: the values of
//! the author's text before and after the change. Where the two agree, the author's text stays.

use super::document::Document;
use super::node::Node;
use super::parser::Kind;

/// The meaning of the items of lists, which their values alone do not tell.
pub(crate) trait ItemRules {
    /// Rules for which item of a changed list is which item of the list before, the surest first. Each rule takes an item before and
    /// one after. It is asked for all items that the rules before it do not match.
    const SAME: &'static [fn(Node<'_>, Node<'_>) -> bool];

    /// Whether fields that the text lacks inside a value may have to be written, although the value has not changed.
    fn may_need_fields(&self, value: Node<'_>) -> bool;

    /// Whether to write the field `field` of `new`, which was `old`, into a text that lacks it. `None` for a field that is written if
    /// it has changed.
    fn needs_field(&self, old: Node<'_>, new: Node<'_>, field: Node<'_>) -> Option<bool>;
}

/// Returns `text` with the values of `new`. `old` has the values of `text`.
///
/// Comments, order and layout stay. The result is only right if the three texts are valid, so check it.
pub(crate) fn merged(text: &Document<'_>, old: &Document<'_>, new: &Document<'_>, rules: &impl ItemRules) -> String {
    let newline = if text.text().contains("\r\n") { "\r\n" } else { "\n" };
    let mut merged = text.text().to_owned();
    merged.replace_range(text.root().range(), &Diff { newline, rules }.value(text.root(), old.root(), new.root()));
    merged
}

pub(super) struct Diff<'a, R> {
    pub newline: &'a str,
    pub rules: &'a R,
}

/// A field that is not in the author's text, before and after the change.
type Missing<'a> = (Option<Node<'a>>, Node<'a>);

impl<R: ItemRules> Diff<'_, R> {
    fn differs(&self, old: Option<Node>, new: Node) -> bool {
        old.is_none_or(|old| old.value() != new.value()) || self.rules.may_need_fields(new)
    }

    /// The text of the value `text` after the change.
    pub fn value(&self, text: Node, old: Node, new: Node) -> String {
        if !self.differs(Some(old), new) {
            return text.value().to_owned();
        }
        let kind = new.kind();
        let is_same_kind = text.kind() == kind && old.kind() == kind && old.variant() == new.variant();
        let merged = match kind {
            _ if !is_same_kind => None,
            Kind::Leaf => (old.value() == new.value()).then(|| text.value().to_owned()),
            Kind::Group => self.group(text, old, new),
            Kind::List => self.list(text, old, new),
        };
        merged.unwrap_or_else(|| self.written(new, text.indent()))
    }

    fn group(&self, text: Node, old: Node, new: Node) -> Option<String> {
        let mut missing = Vec::new();
        let mut changes = Vec::new();
        for field in new.children() {
            let before = old.counterpart(field);
            let differs = self.differs(before, field);
            match text.counterpart(field) {
                Some(written) if differs => {
                    let value = before.map(|before| self.value(written, before, field));
                    changes.push((written.range(), value.unwrap_or_else(|| self.written(field, written.indent()))));
                }
                None if self.rules.needs_field(old, new, field).unwrap_or(differs) => missing.push((before, field)),
                _ => {}
            }
        }
        if !missing.is_empty() {
            let (at, fields) = self.insertion(text, &missing)?;
            changes.push((at..at, fields));
        }
        changes.sort_by_key(|(range, _)| range.start);
        let (source, mut result, mut written) = (text.document().text(), String::new(), text.range().start);
        for (range, value) in changes {
            result += source.get(written..range.start)?;
            result += &value;
            written = range.end;
        }
        result += source.get(written..text.range().end)?;
        Some(result)
    }

    /// The text that adds `fields` as the first fields of `group`, and where to insert it.
    fn insertion(&self, group: Node, fields: &[Missing]) -> Option<(usize, String)> {
        if fields.iter().any(|(_, field)| field.name().is_none()) {
            return None;
        }
        let inside = group.between_brackets()?;
        let document = group.document();
        // A comment on the line of the bracket describes the group, so insert after it.
        let at = document.rest_of_line(inside.start);
        let first = group.children().next();
        // In a text that is not valid, a comment may reach beyond the group.
        let is_own_line = document.text().get(at..inside.end)?.trim_start_matches([' ', '\t', '\r']).starts_with('\n');
        if is_own_line {
            let indent = first.map_or_else(|| indented(group.indent()), |first| first.indent().to_owned());
            let line = |&(old, field): &Missing| {
                format!("{}{indent}{},", self.newline, self.missing_field(old, field, &indent))
            };
            return Some((at, fields.iter().map(line).collect()));
        }
        let (start, end) = (if at > inside.start { " " } else { "" }, if first.is_some() { ", " } else { "" });
        Some((at, format!("{start}{}{end}", self.joined(fields, group.indent()))))
    }

    fn joined(&self, fields: &[Missing], indent: &str) -> String {
        fields.iter().map(|&(old, field)| self.missing_field(old, field, indent)).collect::<Vec<_>>().join(", ")
    }

    fn missing_field(&self, old: Option<Node>, field: Node, indent: &str) -> String {
        format!("{}: {}", field.name().unwrap_or_default(), self.changed_fields(old, field, indent))
    }

    /// The text of a value that is missing in the author's text. A struct has only the fields that differ: those of an enum
    /// variant might have no default.
    fn changed_fields(&self, old: Option<Node>, new: Node, indent: &str) -> String {
        let is_struct = |node: &Node| {
            node.kind() == Kind::Group
                && node.variant().is_empty()
                && node.children().next().is_some_and(|field| field.name().is_some())
        };
        let Some(old) = old.filter(|old| is_struct(old) && is_struct(&new)) else {
            return self.written(new, indent);
        };
        let fields = new.children().map(|field| (old.counterpart(field), field));
        let fields: Vec<Missing> = fields.filter(|&(old, field)| self.differs(old, field)).collect();
        format!("({})", self.joined(&fields, indent))
    }

    /// The text of `value`, which ron wrote, for a line with another indent.
    pub fn written(&self, value: Node, indent: &str) -> String {
        let mut lines = value.value().lines();
        let mut text = lines.next().unwrap_or_default().to_owned();
        for line in lines {
            // The value begins in a line with the indent of its last line.
            let line = line.strip_prefix(value.indent()).unwrap_or(line);
            text += &format!("{}{indent}{line}", self.newline);
        }
        text
    }
}

/// The indent of the values inside a bracket whose line has the indent `outer`.
pub(super) fn indented(outer: &str) -> String {
    format!("{outer}    ")
}
