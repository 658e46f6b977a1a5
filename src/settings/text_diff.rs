//! Writes changed values into a RON text and keeps the rest of it.
//!
//! The diff walks three trees in parallel: the designer's text, and two texts that ron wrote and that have every field: the
//! values of the designer's text before and after the change. Where the two agree, the designer's text stays.

#[cfg(test)]
pub(super) mod tests;

use super::file::dialect;
use super::outline::Outline;
use super::tree::{Kind, Node};
use super::trivia::rest_of_line;
use crate::field::stream_of_name;

/// Returns `text` with the values of `new`. `old` has the values of `text`.
///
/// Comments, order and layout stay. The result is only right if the three texts are valid, so check it.
pub(super) fn merged(text: &str, old: &str, new: &str) -> Option<String> {
    let outlines = [text, old, new].map(Outline::of);
    let [written, before, after] = [(text, &outlines[0]), (old, &outlines[1]), (new, &outlines[2])]
        .map(|(text, outline)| Node::root(text, outline));
    let (written, before, after) = (written?, before?, after?);
    let diff = Diff {
        newline: if text.contains("\r\n") { "\r\n" } else { "\n" },
        streams_changed: !before.streams().eq(after.streams()),
        names_changed: !before.names().eq(after.names()),
    };
    let mut text = text.to_owned();
    text.replace_range(written.range(), &diff.value(written, before, after));
    Some(text)
}

pub(super) struct Diff<'a> {
    pub newline: &'a str,
    /// Whether an item has another stream. An item without the field and without a name has the position of the item in the file, and
    /// that might have changed.
    streams_changed: bool,
    /// Whether an item has another name, which gives it another stream unless it has the field.
    names_changed: bool,
}

/// A field that is not in the designer's text, before and after the change.
type Missing<'a> = (Option<Node<'a>>, Node<'a>);

impl Diff<'_> {
    fn differs(&self, old: Option<Node>, new: Node) -> bool {
        let may_miss_streams = self.streams_changed || self.names_changed;
        old.is_none_or(|old| old.value() != new.value()) || may_miss_streams && new.streams().next().is_some()
    }

    /// Whether the item `new` needs the field `stream` to have its stream. It was `old`, and does not have the field.
    fn needs_stream(&self, old: Node, new: Node, stream: Node) -> bool {
        let name = |item: Node| {
            let name = item.child("name").map_or("\"\"", Node::value);
            dialect().from_str::<String>(name).unwrap_or_default()
        };
        match (name(old), name(new)) {
            (before, now) if now.is_empty() => self.streams_changed || !before.is_empty(),
            (_, now) => stream.value() != stream_of_name(&now).to_string(),
        }
    }

    /// The text of the value `text` after the change.
    pub fn value(&self, text: Node, old: Node, new: Node) -> String {
        if !self.differs(Some(old), new) {
            return text.value().to_owned();
        }
        let kind = new.kind();
        let is_same_kind = text.kind() == kind && old.kind() == kind && old.word() == new.word();
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
            let before = old.child(field.name());
            if !self.differs(before, field) {
                continue;
            }
            match (text.child(field.name()), before) {
                (Some(written), Some(before)) => changes.push((written.range(), self.value(written, before, field))),
                (Some(written), None) => changes.push((written.range(), self.written(field, written.indent()))),
                (None, _) if field.is_stream() && !self.needs_stream(old, new, field) => {}
                (None, _) => missing.push((before, field)),
            }
        }
        if !missing.is_empty() {
            let (at, fields) = self.insertion(text, &missing)?;
            changes.push((at..at, fields));
        }
        changes.sort_by_key(|(range, _)| range.start);
        let (mut result, mut written) = (String::new(), text.range().start);
        for (range, value) in changes {
            result += text.text().get(written..range.start)?;
            result += &value;
            written = range.end;
        }
        result += text.text().get(written..text.range().end)?;
        Some(result)
    }

    /// The text that adds `fields` as the first fields of `group`, and where to insert it.
    fn insertion(&self, group: Node, fields: &[Missing]) -> Option<(usize, String)> {
        if fields.iter().any(|(_, field)| is_position(field.name())) {
            return None;
        }
        let inside = group.between_brackets()?;
        let text = group.text();
        // A comment on the line of the bracket describes the group, so insert after it.
        let at = rest_of_line(text, inside.start);
        let first = group.children().next();
        // In a text that is not valid, a comment may reach beyond the group.
        let is_own_line = text.get(at..inside.end)?.trim_start_matches([' ', '\t', '\r']).starts_with('\n');
        if is_own_line {
            let indent = first.map_or_else(|| indented(group.indent()), |first| first.indent().to_owned());
            let line = |&(old, field): &Missing| {
                let newline = self.newline;
                format!("{newline}{indent}{}: {},", field.name(), self.changed_fields(old, field, &indent))
            };
            return Some((at, fields.iter().map(line).collect()));
        }
        let (start, end) = (if at > inside.start { " " } else { "" }, if first.is_some() { ", " } else { "" });
        Some((at, format!("{start}{}{end}", self.joined(fields, group.indent()))))
    }

    fn joined(&self, fields: &[Missing], indent: &str) -> String {
        let field = |&(old, field): &Missing| format!("{}: {}", field.name(), self.changed_fields(old, field, indent));
        fields.iter().map(field).collect::<Vec<_>>().join(", ")
    }

    /// The text of a value that is missing in the designer's text. A struct has only the fields that differ: those of an enum
    /// variant might have no default.
    fn changed_fields(&self, old: Option<Node>, new: Node, indent: &str) -> String {
        let is_struct = |node: &Node| {
            node.kind() == Kind::Group
                && node.word().is_empty()
                && node.children().next().is_some_and(|field| !is_position(field.name()))
        };
        let Some(old) = old.filter(|old| is_struct(old) && is_struct(&new)) else {
            return self.written(new, indent);
        };
        let fields = new.children().map(|field| (old.child(field.name()), field));
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

/// Whether `name` is a position in a tuple.
fn is_position(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_digit())
}
