//! Which layer of a changed list is which layer of the file, and where a file needs the streams of its layers.
//!
//! A layer without the field `stream` takes it from its name, or without a name from its position in the file.

#[cfg(test)]
pub(super) mod tests;

use super::file::dialect;
use crate::field::stream_of_name;
use crate::ron_edit::{Document, ItemRules, Node};

/// The streams of a file after a change.
pub(super) struct Streams {
    /// Whether a layer may have another stream than before if its file does not have it, because a stream or a name has changed.
    have_changed: bool,
    /// Whether a layer has another stream.
    streams_changed: bool,
}

impl Streams {
    /// `old` and `new` have all fields, before and after the change.
    pub fn of(old: &Document<'_>, new: &Document<'_>) -> Self {
        let is_same = |field: &str| fields(old.root(), field).eq(fields(new.root(), field));
        let streams_changed = !is_same("stream");
        Self { have_changed: streams_changed || !is_same("name"), streams_changed }
    }
}

impl ItemRules for Streams {
    const SAME: &'static [fn(Node<'_>, Node<'_>) -> bool] = &[
        |old, new| value(old, "stream").is_some() && value(old, "stream") == value(new, "stream"),
        // With other streams, this is an item with a new stream.
        |old, new| without_stream(old) == without_stream(new),
        |old, new| lacks_stream(old, new) && name(old).is_some() && name(old) == name(new),
        |old, new| lacks_stream(old, new) && old.variant() == new.variant(),
        lacks_stream,
    ];

    fn may_need_fields(&self, value: Node<'_>) -> bool {
        self.have_changed && fields(value, "stream").next().is_some()
    }

    fn needs_field(&self, old: Node<'_>, new: Node<'_>, field: Node<'_>) -> Option<bool> {
        if !new.is_item() || field.name() != Some("stream") {
            return None;
        }
        let [before, now] = [old, new].map(|item| {
            let name = value(item, "name").unwrap_or("\"\"");
            dialect().from_str::<String>(name).unwrap_or_default()
        });
        let is_other = match &now[..] {
            "" => self.streams_changed || !before.is_empty(),
            now => field.value() != stream_of_name(now).to_string(),
        };
        Some(self.have_changed && is_other)
    }
}

/// Writes the stream of every layer.
pub(super) struct AllStreams;

impl ItemRules for AllStreams {
    const SAME: &'static [fn(Node<'_>, Node<'_>) -> bool] = Streams::SAME;

    fn may_need_fields(&self, value: Node<'_>) -> bool {
        fields(value, "stream").next().is_some()
    }

    fn needs_field(&self, _old: Node<'_>, new: Node<'_>, field: Node<'_>) -> Option<bool> {
        (new.is_item() && field.name() == Some("stream")).then_some(true)
    }
}

/// The values of a field of every item of a list in `node`, and of `node` if it is an item.
fn fields<'a>(node: Node<'a>, field: &str) -> impl Iterator<Item = &'a str> {
    let items = std::iter::once(node).chain(node.descendants()).filter(|node| node.is_item());
    items.filter_map(move |item| value(item, field))
}

fn value<'a>(item: Node<'a>, field: &str) -> Option<&'a str> {
    item.child(field).map(Node::value)
}

fn name(item: Node<'_>) -> Option<&str> {
    value(item, "name").filter(|name| *name != "\"\"")
}

fn lacks_stream(old: Node<'_>, new: Node<'_>) -> bool {
    value(old, "stream").is_none() || value(new, "stream").is_none()
}

/// The text before and after the value of the stream.
fn without_stream(item: Node<'_>) -> (&str, &str) {
    let (value, start) = (item.value(), item.range().start);
    item.child("stream").map_or((value, ""), |stream| {
        let range = stream.range();
        (&value[..range.start - start], &value[range.end - start..])
    })
}
