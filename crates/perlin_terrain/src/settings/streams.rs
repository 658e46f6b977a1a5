//! Which layer of a changed list is which layer of the file, and where a file needs the streams of its layers.
//!
//! A layer without the field `stream` takes it from its name, or without a name from its position in the file. Layers of plants have a list,
//! and so positions, of their own.

#[cfg(test)]
pub(super) mod tests;

use super::file::dialect;
use crate::field::stream_of_name;
use crate::ron_edit::{Document, ItemRules, Node};
use std::ops::Range;

/// The streams of a file after a change.
pub(super) struct Streams {
    /// Where the layers of plants are, in the text after the change.
    plants: Range<usize>,
    of_plants: Changed,
    of_others: Changed,
}

/// What changed in a list of layers.
struct Changed {
    /// Whether a layer may have another stream than before if its file does not have it, because a stream or a name has changed.
    any: bool,
    /// Whether a layer has another stream.
    streams: bool,
}

impl Streams {
    /// `old` and `new` have all fields, before and after the change.
    pub fn of(old: &Document<'_>, new: &Document<'_>) -> Self {
        let range = |file: &Document<'_>| file.root().child("plants").map_or(0..0, Node::range);
        let ranges = [range(old), range(new)];
        let changed = |is_of_plants: bool| {
            let is_same = |field: &str| {
                let [old, new] = [(old, &ranges[0]), (new, &ranges[1])].map(|(file, plants)| {
                    let of_list = move |item: &Node<'_>| is_inside(*item, plants) == is_of_plants;
                    items(file.root()).filter(of_list).filter_map(|item| value(item, field)).collect::<Vec<_>>()
                });
                old == new
            };
            let streams = !is_same("stream");
            Changed { any: streams || !is_same("name"), streams }
        };
        let [of_plants, of_others] = [changed(true), changed(false)];
        let [_, plants] = ranges;
        Self { plants, of_plants, of_others }
    }

    /// What changed in the list of an item of the text after the change.
    fn around(&self, node: Node<'_>) -> &Changed {
        if is_inside(node, &self.plants) { &self.of_plants } else { &self.of_others }
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
        fields(value, "stream").next().is_some() && self.around(value).any
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
            "" => self.around(new).streams || !before.is_empty(),
            now => field.value() != stream_of_name(now).to_string(),
        };
        Some(self.around(new).any && is_other)
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

/// Every item of a list in `node`, and `node` if it is an item.
fn items(node: Node<'_>) -> impl Iterator<Item = Node<'_>> {
    std::iter::once(node).chain(node.descendants()).filter(|node| node.is_item())
}

/// The values of a field of the [`items`] in `node`.
fn fields<'a>(node: Node<'a>, field: &str) -> impl Iterator<Item = &'a str> {
    items(node).filter_map(move |item| value(item, field))
}

/// Whether `node` is in the part `range` of its text.
fn is_inside(node: Node<'_>, range: &Range<usize>) -> bool {
    range.contains(&node.range().start)
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
