//! Merges two changes of one value.
//!
//! The three values have all their fields, as ron writes them, so equal texts are equal values. Values that one side alone changed are
//! those of that side. Items of lists are found again by [`ItemRules::SAME`]: an item that one side removed stays if the other one
//! changed it, and items that a side added stand after the same item as on that side.

use super::diff::ItemRules;
use super::document::Document;
use super::list_diff::old_indices;
use super::node::Node;
use super::parser::Kind;

/// A merged value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Merged {
    pub text: String,
    /// The paths of the values that both sides changed, each to another one, in the merged value. They are those of `mine`.
    pub conflicts: Vec<String>,
}

/// Returns `theirs` with every change from `base` to `mine`.
pub(crate) fn merge<R: ItemRules>(base: &Document<'_>, mine: &Document<'_>, theirs: &Document<'_>) -> Merged {
    let mut merge = Merge { rules: std::marker::PhantomData::<R>, conflicts: Vec::new() };
    let text = merge.value("", base.root(), mine.root(), theirs.root());
    Merged { text, conflicts: merge.conflicts }
}

struct Merge<R> {
    rules: std::marker::PhantomData<R>,
    conflicts: Vec<String>,
}

/// An item of a merged list, or a field: as it was, and on both sides.
#[derive(Clone, Copy)]
struct Versions<'a> {
    base: Option<Node<'a>>,
    mine: Option<Node<'a>>,
    theirs: Option<Node<'a>>,
}

fn is_equal(a: Option<Node<'_>>, b: Option<Node<'_>>) -> bool {
    a.map(Node::value) == b.map(Node::value)
}

impl<R: ItemRules> Merge<R> {
    fn value(&mut self, path: &str, base: Node, mine: Node, theirs: Node) -> String {
        let all = [base, mine, theirs];
        let (kind, variant) = (mine.kind(), mine.variant());
        let is_same_kind = all.iter().all(|node| node.kind() == kind && node.variant() == variant);
        let has_names = all.iter().all(|node| node.children().all(|child| child.name().is_some()));
        if mine.value() == base.value() || mine.value() == theirs.value() {
            theirs.value().to_owned()
        } else if theirs.value() == base.value() {
            mine.value().to_owned()
        } else if is_same_kind && kind == Kind::Group && has_names {
            self.group(path, base, mine, theirs)
        } else if is_same_kind && kind == Kind::List {
            self.list(path, base, mine, theirs)
        } else {
            self.conflicts.push(path.to_owned());
            mine.value().to_owned()
        }
    }

    /// The text of a field or an item. `None` if it is gone.
    fn version(&mut self, path: &str, Versions { base, mine, theirs }: Versions) -> Option<String> {
        if let (Some(base), Some(mine), Some(theirs)) = (base, mine, theirs) {
            return Some(self.value(path, base, mine, theirs));
        }
        let kept = if is_equal(mine, base) { theirs } else { mine };
        if !is_equal(mine, base) && !is_equal(theirs, base) && !is_equal(mine, theirs) {
            self.conflicts.push(path.to_owned());
        }
        kept.map(|node| node.value().to_owned())
    }

    fn group(&mut self, path: &str, base: Node, mine: Node, theirs: Node) -> String {
        let of_theirs = theirs.children().filter(|field| mine.counterpart(*field).is_none());
        let fields = mine.children().chain(of_theirs).filter_map(|field| {
            let name = field.name()?;
            let path = if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
            let [base, mine, theirs] = [base, mine, theirs].map(|group| group.counterpart(field));
            Some(format!("{name}: {}", self.version(&path, Versions { base, mine, theirs })?))
        });
        let fields: Vec<String> = fields.collect();
        format!("{}({})", mine.variant(), fields.join(", "))
    }

    fn list(&mut self, path: &str, base: Node, mine: Node, theirs: Node) -> String {
        let [base, mine, theirs] = [base, mine, theirs].map(|list| list.children().collect::<Vec<_>>());
        let mut items = Vec::new();
        for versions in merged_items::<R>(&base, &mine, &theirs) {
            let path = format!("{path}[{}]", items.len());
            items.extend(self.item(&path, versions));
        }
        format!("[{}]", items.join(", "))
    }

    /// The text of an item. One that only one side removed stays if the other one changed it.
    fn item(&mut self, path: &str, versions: Versions) -> Option<String> {
        let Versions { base, mine, theirs } = versions;
        match (mine, theirs) {
            (Some(kept), None) | (None, Some(kept)) => {
                if base.is_some() {
                    self.conflicts.push(path.to_owned());
                }
                Some(kept.value().to_owned())
            }
            _ => self.version(path, versions),
        }
    }
}

/// The items of a merged list, in their order.
fn merged_items<'a, R: ItemRules>(base: &[Node<'a>], mine: &[Node<'a>], theirs: &[Node<'a>]) -> Vec<Versions<'a>> {
    let mut items: Vec<Versions<'a>> =
        base.iter().map(|&item| Versions { base: Some(item), mine: None, theirs: None }).collect();
    // The order of the items on each side, as indices of `items`.
    let mut my_order = old_indices::<R>(base, mine);
    let mut their_order = old_indices::<R>(base, theirs);
    for (index, &item) in my_order.iter_mut().zip(mine) {
        let index = *index.get_or_insert(items.len());
        if index == items.len() {
            items.push(Versions { base: None, mine: None, theirs: None });
        }
        items[index].mine = Some(item);
    }
    for (index, &item) in their_order.iter_mut().zip(theirs) {
        // Both may have added the same.
        let is_same = |added: &Versions| added.theirs.is_none() && is_equal(added.mine, Some(item));
        let added = || base.len() + items[base.len()..].iter().position(is_same).unwrap_or(items.len() - base.len());
        let index = *index.get_or_insert_with(added);
        if index == items.len() {
            items.push(Versions { base: None, mine: None, theirs: None });
        }
        items[index].theirs = Some(item);
    }
    let stays = |&index: &usize| {
        let Versions { base, mine, theirs } = items[index];
        match (mine, theirs) {
            (Some(kept), None) | (None, Some(kept)) => base.is_none_or(|base| base.value() != kept.value()),
            _ => mine.is_some(),
        }
    };
    let [mine, theirs] =
        [my_order, their_order].map(|order| order.into_iter().flatten().filter(stays).collect::<Vec<usize>>());
    let is_common = |index: &&usize| theirs.contains(index) && **index < base.len();
    let has_moved = !mine.iter().filter(is_common).is_sorted();
    let (order, other) = if has_moved { (&mine, &theirs) } else { (&theirs, &mine) };
    with_others(order, other).into_iter().map(|index| items[index]).collect()
}

/// `order` with those of `other` that it lacks, each after the one that it stands after there.
fn with_others(order: &[usize], other: &[usize]) -> Vec<usize> {
    let mut merged = order.to_vec();
    let mut after = 0;
    for index in other {
        match merged.iter().position(|placed| placed == index) {
            Some(at) => after = at + 1,
            None => {
                merged.insert(after, *index);
                after += 1;
            }
        }
    }
    merged
}
