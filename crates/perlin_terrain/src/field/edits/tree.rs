//! Edits, in a tree of cells.
//!
//! Each node of the quadtree is a square cell, and its children are the quarters. A piece of an edit is kept in the cells of the finest
//! level whose cells are at least as wide as the piece: in one to four of them. So what has an effect at a position is in the cells
//! around it, one of each level.
//!
//! The tree is persistent: a change copies the nodes on its way, and copies of the tree share the others.
//!
//! Sources: quadtrees, Finkel and Bentley, *Quad Trees* (1974). Copies of the way, Driscoll et al., *Making Data Structures Persistent*
//! (1989).

use super::area::{TickArea, TickRow};
use super::piece::Piece;
use super::reach::Reach;
use crate::field::interval::Interval;
use crate::noise::TICKS_PER_UNIT;
use std::sync::Arc;

/// The pieces of edits.
#[derive(Clone, Debug, Default, PartialEq)]
pub(in crate::field) struct EditTree {
    root: Option<Arc<Node>>,
}

/// A cell, its children from north-west to south-east, and how far everything in it changes heights.
#[derive(Clone, Debug, PartialEq)]
struct Node {
    /// In their order.
    pieces: Vec<Arc<Piece>>,
    children: [Option<Arc<Self>>; 4],
    reach: Reach,
}

impl Default for Node {
    fn default() -> Self {
        Self { pieces: Vec::new(), children: [const { None }; 4], reach: Reach::NONE }
    }
}

/// The side of a cell of level 0, in ticks: 64 m.
const FINEST: i64 = 64 * TICKS_PER_UNIT;
/// The level of the root, which spans 4 million km to each side of the origin. Edits are up to 1 million km away.
const ROOT: u32 = 27;

/// A cell: its level and its indices, counted from the north-west corner of the root.
#[derive(Clone, Copy)]
struct Cell {
    level: u32,
    at: [u64; 2],
}

impl Cell {
    const ROOT: Self = Self { level: ROOT, at: [0; 2] };

    /// The cells that a piece is kept in.
    fn all_of(area: TickArea) -> impl Iterator<Item = Self> {
        let level = (0..ROOT).find(|&level| FINEST << level >= area.width()).unwrap_or(ROOT);
        let index = |ticks: i64| {
            let from_corner = ticks.saturating_add(FINEST << (ROOT - 1)).clamp(0, (FINEST << ROOT) - 1);
            (from_corner / FINEST) as u64 >> level
        };
        let ([x0, z0], [x1, z1]) = (area.low.map(index), area.high.map(index));
        (z0..=z1).flat_map(move |z| (x0..=x1).map(move |x| Self { level, at: [x, z] }))
    }

    fn child(self, index: usize) -> Self {
        let [x, z] = self.at;
        Self { level: self.level - 1, at: [x << 1 | (index as u64 & 1), z << 1 | (index as u64 >> 1)] }
    }

    /// The index of the child that contains a cell of a finer level.
    fn child_towards(self, cell: Self) -> usize {
        let bit = |axis: usize| (cell.at[axis] >> (self.level - 1 - cell.level) & 1) as usize;
        bit(0) | bit(1) << 1
    }

    fn area(self) -> TickArea {
        let side = FINEST << self.level;
        let low = self.at.map(|index| index as i64 * side - (FINEST << (ROOT - 1)));
        TickArea { low, high: low.map(|low| low + (side - 1)) }
    }
}

impl EditTree {
    pub const fn is_empty(&self) -> bool {
        self.root.is_none()
    }

    /// Adds a piece.
    pub(super) fn insert(&mut self, piece: Piece) {
        let piece = Arc::new(piece);
        for cell in Cell::all_of(piece.area) {
            let root = self.root.get_or_insert_default();
            change(Arc::make_mut(root), Cell::ROOT, cell, &|pieces| {
                let index = pieces.partition_point(|other| other.order < piece.order);
                pieces.insert(index, Arc::clone(&piece));
            });
        }
    }

    /// Removes a piece, if it is there.
    pub(super) fn remove(&mut self, piece: &Piece) {
        for cell in Cell::all_of(piece.area) {
            let Some(root) = &mut self.root else { return };
            let root = Arc::make_mut(root);
            change(root, Cell::ROOT, cell, &|pieces| pieces.retain(|other| other.order != piece.order));
            if root.is_empty() {
                self.root = None;
            }
        }
    }

    /// The tree without the edits of a game.
    pub fn without_edits_of_games(&self) -> Self {
        Self { root: self.root.as_ref().and_then(|root| root.retained(&|piece| !piece.order.is_of_game)) }
    }

    /// The areas of the pieces that only one of both trees has. What the trees share is not looked at.
    pub(super) fn difference(&self, other: &Self) -> Vec<TickArea> {
        let mut pieces = Vec::new();
        differences(self.root.as_ref(), other.root.as_ref(), &mut pieces);
        // A piece may be in several cells.
        pieces.sort_unstable_by_key(|piece| (piece.order, piece.area.low, piece.area.high));
        pieces.dedup_by_key(|piece| (piece.order, piece.area));
        pieces.into_iter().map(|piece| piece.area).collect()
    }

    /// Bounds of all edited heights, from those of the heights before.
    pub fn bounds(&self, before: Interval) -> Interval {
        self.root.as_ref().map_or(before, |root| root.reach.apply(before))
    }

    /// Adds the pieces whose areas contain a place of a lattice to `found`, in the order in which they are applied.
    pub(super) fn find<'a>(&'a self, lattice: &Lattice, found: &mut Vec<&'a Piece>) {
        let Some(root) = &self.root else { return };
        collect(root, Cell::ROOT, lattice, found);
        found.sort_unstable_by_key(|piece| piece.order);
        found.dedup_by_key(|piece| piece.order);
    }
}

/// The places of a grid, as ticks along x and along z.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lattice(pub [TickRow; 2]);

impl Lattice {
    /// One place.
    pub fn at(place: [i64; 2]) -> Self {
        Self(place.map(|tick| TickRow::new(tick, 1, 1)))
    }

    fn meets(&self, area: TickArea) -> bool {
        (0..2).all(|axis| self.0[axis].meets(area.low[axis], area.high[axis]))
    }
}

/// Changes the pieces of a cell below a node.
fn change(node: &mut Node, at: Cell, cell: Cell, change_pieces: &dyn Fn(&mut Vec<Arc<Piece>>)) {
    if at.level == cell.level {
        change_pieces(&mut node.pieces);
    } else {
        let index = at.child_towards(cell);
        let slot = &mut node.children[index];
        let child = Arc::make_mut(slot.get_or_insert_default());
        change(child, at.child(index), cell, change_pieces);
        if child.is_empty() {
            *slot = None;
        }
    }
    node.update_reach();
}

/// Adds the pieces that only one of two nodes of the same cell has.
fn differences<'a>(one: Option<&'a Arc<Node>>, other: Option<&'a Arc<Node>>, found: &mut Vec<&'a Piece>) {
    let is_same = match (one, other) {
        (Some(one), Some(other)) => Arc::ptr_eq(one, other),
        (one, other) => one.is_none() && other.is_none(),
    };
    if is_same {
        return;
    }
    let pieces = |node: Option<&'a Arc<Node>>| node.map_or(&[][..], |node| &node.pieces);
    let (mut one_pieces, mut other_pieces) = (pieces(one).iter().peekable(), pieces(other).iter().peekable());
    // Both are in order.
    while let Some(order) = one_pieces.peek().into_iter().chain(other_pieces.peek()).map(|piece| piece.order).min() {
        let [one, other] =
            [&mut one_pieces, &mut other_pieces].map(|pieces| pieces.next_if(|next| next.order == order));
        let is_same = one.zip(other).is_some_and(|(one, other)| Arc::ptr_eq(one, other) || one == other);
        if !is_same {
            found.extend(one.into_iter().chain(other).map(|piece| &**piece));
        }
    }
    for child in 0..4 {
        let child = |node: Option<&'a Arc<Node>>| node.and_then(|node| node.children[child].as_ref());
        differences(child(one), child(other), found);
    }
}

impl Node {
    fn update_reach(&mut self) {
        // Of the segments of a path, the nearest ones have an effect.
        let edits = self.pieces.chunk_by(|a, b| a.order.is_of_same_edit(b.order));
        let reaches = edits.filter_map(|pieces| pieces.iter().map(|piece| piece.reach()).reduce(Reach::or));
        let children = self.children.iter().flatten().map(|child| child.reach).reduce(Reach::or);
        self.reach = reaches.chain(children).fold(Reach::NONE, Reach::and);
    }

    /// The node with those pieces alone that `keep` returns true for. `None` if there are none.
    fn retained(&self, keep: &dyn Fn(&Piece) -> bool) -> Option<Arc<Self>> {
        let pieces = self.pieces.iter().filter(|piece| keep(piece)).cloned().collect();
        let children = self.children.each_ref().map(|child| child.as_ref()?.retained(keep));
        let mut node = Self { pieces, children, reach: Reach::NONE };
        node.update_reach();
        (!node.is_empty()).then(|| Arc::new(node))
    }

    fn is_empty(&self) -> bool {
        self.pieces.is_empty() && self.children.iter().all(Option::is_none)
    }
}

fn collect<'a>(node: &'a Node, cell: Cell, lattice: &Lattice, found: &mut Vec<&'a Piece>) {
    found.extend(node.pieces.iter().map(|piece| &**piece).filter(|piece| lattice.meets(piece.area)));
    for (index, child) in node.children.iter().enumerate() {
        if let Some(child) = child {
            let cell = cell.child(index);
            if lattice.meets(cell.area()) {
                collect(child, cell, lattice, found);
            }
        }
    }
}
