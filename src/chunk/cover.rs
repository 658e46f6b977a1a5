//! Which chunks to draw: the cover.

use super::{ChunkCoord, ChunkLayout, Edges, LEVELS, Side, Viewer};

/// The chunks around all viewers: a tree for each chunk of the coarsest level, split where a viewer is near.
///
/// The leaves tile the ground: every place within view distance of a viewer lies in exactly one of them, and two that touch,
/// be it at a corner, differ by one level at most. [`Reach`](super::Reach) says why.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cover {
    top: u8,
    /// Every chunk of the trees: the roots, then the rest, four children side by side. Equal sets of chunks lie in equal
    /// order. A selection walks through this cover and the one before at once and looks nothing up, which takes less than
    /// half as long as with a hash map of all chunks; who asks for a chunk by name walks down from its root.
    nodes: Vec<Node>,
    leaves: Vec<ChunkCoord>,
    /// In ascending order.
    roots: Vec<ChunkCoord>,
}

/// A chunk of a tree.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Node {
    chunk: ChunkCoord,
    /// Where the first of the four children lies; 0, where always a root lies, if the chunk is not split.
    children: u32,
}

impl Node {
    const fn leaf(chunk: ChunkCoord) -> Self {
        Self { chunk, children: 0 }
    }
}

impl Cover {
    /// The level of the roots for a view so far, in metres: the finest with chunks at least half as large. Some twenty of
    /// them cover the view.
    #[must_use]
    pub fn top_level(layout: &ChunkLayout, view_distance: f64) -> u8 {
        let last = LEVELS as u8 - 2;
        (0..last).find(|&level| 2.0 * layout.chunk_size(level) >= view_distance).unwrap_or(last)
    }

    /// The cover for `viewers`, with roots of level `top`.
    ///
    /// A root is wanted where any part of it lies within a viewer's distance, in plan. What was wanted in the `previous`
    /// cover stays a little longer: a split chunk as [`Reach`](super::Reach) says, a root for `margin` metres. A pure
    /// function: the same input gives the same cover, in the same order.
    #[must_use]
    pub fn select(layout: &ChunkLayout, top: u8, viewers: &[Viewer], margin: f64, previous: &Self) -> Self {
        let roots = Self::wanted_roots(layout, top, viewers, margin, previous);
        let mut nodes = Vec::with_capacity(previous.nodes.len().max(roots.len()) + SPARE);
        nodes.extend(roots.iter().copied().map(Node::leaf));
        let leaves = Vec::with_capacity(previous.leaves.len() + SPARE);
        let mut selection = Selection { layout, viewers, previous, cover: Self { top, nodes, leaves, roots } };
        for index in 0..selection.cover.roots.len() {
            selection.split_if_near(index, previous.find(selection.cover.roots[index]));
        }
        selection.cover
    }

    fn wanted_roots(
        layout: &ChunkLayout,
        top: u8,
        viewers: &[Viewer],
        margin: f64,
        previous: &Self,
    ) -> Vec<ChunkCoord> {
        let mut roots = Vec::with_capacity(previous.roots.len() + SPARE);
        let far = layout.chunk_size(LEVELS as u8 - 2) * 2.0;
        for viewer in viewers {
            let reach = viewer.point.view_distance.clamp(0.0, far);
            let [x, z] = viewer.place();
            let first = layout.chunk_at(top, x - reach - margin, z - reach - margin);
            let last = layout.chunk_at(top, x + reach + margin, z + reach + margin);
            for root_z in first.z..=last.z {
                for root_x in first.x..=last.x {
                    let root = ChunkCoord { level: top, x: root_x, z: root_z };
                    let distance = layout.distance(root, viewer.place());
                    if distance <= reach || distance <= reach + margin && previous.roots.binary_search(&root).is_ok() {
                        roots.push(root);
                    }
                }
            }
        }
        roots.sort_unstable();
        roots.dedup();
        roots
    }

    /// The level of the roots.
    #[must_use]
    pub const fn top(&self) -> u8 {
        self.top
    }

    /// The chunks to draw.
    #[must_use]
    pub fn leaves(&self) -> &[ChunkCoord] {
        &self.leaves
    }

    /// The chunks of the coarsest level, all of which have to be there for the ground to have no hole.
    #[must_use]
    pub fn roots(&self) -> &[ChunkCoord] {
        &self.roots
    }

    /// All chunks of the trees: the leaves, and those that they are part of.
    pub fn chunks(&self) -> impl ExactSizeIterator<Item = ChunkCoord> + '_ {
        self.nodes.iter().map(|node| node.chunk)
    }

    /// The chunks that are split: those that finer chunks are drawn in place of.
    pub fn split_chunks(&self) -> impl Iterator<Item = ChunkCoord> + '_ {
        self.nodes.iter().filter(|node| node.children != 0).map(|node| node.chunk)
    }

    /// Whether `chunk` is part of a tree: to be drawn, or split.
    #[must_use]
    pub fn contains(&self, chunk: ChunkCoord) -> bool {
        self.find(chunk).is_some()
    }

    /// Whether `chunk` is to be drawn.
    #[must_use]
    pub fn is_leaf(&self, chunk: ChunkCoord) -> bool {
        self.find(chunk).is_some_and(|index| !self.is_split_at(index))
    }

    /// Whether finer chunks are drawn in place of `chunk`.
    #[must_use]
    pub fn is_split(&self, chunk: ChunkCoord) -> bool {
        self.find(chunk).is_some_and(|index| self.is_split_at(index))
    }

    /// Where `chunk` lies among the nodes.
    fn find(&self, chunk: ChunkCoord) -> Option<usize> {
        let above_root = self.top.checked_sub(chunk.level)?;
        let root = ChunkCoord { level: self.top, x: chunk.x >> above_root, z: chunk.z >> above_root };
        let index = self.roots.binary_search(&root).ok()?;
        (0..above_root).rev().try_fold(index, |index, above| {
            let [east, south] = [chunk.x, chunk.z].map(|place| (place >> above & 1) as usize);
            self.child(index, east + 2 * south)
        })
    }

    fn is_split_at(&self, index: usize) -> bool {
        self.nodes[index].children != 0
    }

    /// Where child number `number`, in the order of [`ChunkCoord::children`], of the chunk at `index` lies, if that is split.
    fn child(&self, index: usize, number: usize) -> Option<usize> {
        self.is_split_at(index).then(|| self.nodes[index].children as usize + number)
    }

    /// The sides on which the neighbour of the leaf `chunk` is coarser.
    #[must_use]
    pub fn edges(&self, chunk: ChunkCoord) -> Edges {
        Side::ALL.into_iter().fold(Edges::NONE, |edges, side| {
            let [dx, dz] = side.step();
            let beyond = chunk.neighbour(dx, dz).parent();
            // Of two chunks in three the neighbour has the same parent, which is split.
            if beyond != chunk.parent() && self.is_leaf(beyond) { edges.with(side) } else { edges }
        })
    }
}

/// Room for so many more chunks than there were before: what a step of a viewer may add without another allocation.
const SPARE: usize = 64;

/// A cover that is being selected.
struct Selection<'a> {
    layout: &'a ChunkLayout,
    viewers: &'a [Viewer],
    previous: &'a Cover,
    cover: Cover,
}

impl Selection<'_> {
    /// Splits the chunk at `index`, which lay at `before` in the previous cover if it was part of it, and its children.
    fn split_if_near(&mut self, index: usize, before: Option<usize>) {
        let (previous, chunk) = (self.previous, self.cover.nodes[index].chunk);
        if !self.is_near(chunk, before.is_some_and(|before| previous.is_split_at(before))) {
            self.cover.leaves.push(chunk);
            return;
        }
        let children = self.cover.nodes.len();
        self.cover.nodes[index].children = children as u32;
        self.cover.nodes.extend(chunk.children().map(Node::leaf));
        for number in 0..4 {
            let child = children + number;
            let before = if chunk.level == previous.top + 1 {
                previous.find(self.cover.nodes[child].chunk)
            } else {
                before.and_then(|before| previous.child(before, number))
            };
            self.split_if_near(child, before);
        }
    }

    fn is_near(&self, chunk: ChunkCoord, was_split: bool) -> bool {
        chunk.level > 0
            && self.viewers.iter().any(|viewer| {
                let reach = &viewer.reach;
                let near = if was_split { reach.stay_split(chunk.level) } else { reach.split(chunk.level) };
                viewer.distance(self.layout, chunk) < near
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chunk::{ChunkSettings, LevelErrors, Reach, ViewerPoint};
    use crate::field::{FieldSettings, HeightField};
    use std::collections::HashSet;

    fn layout() -> ChunkLayout {
        ChunkLayout::new(&ChunkSettings { quads: 16, spacing: 2.0 })
    }

    fn viewer_at(x: f64, z: f64, view_distance: f64) -> Viewer {
        let point = ViewerPoint { position: [x, 0.0, z], forward: [1.0, 0.0], view_distance, sharpness: 1000.0 };
        let mut errors = LevelErrors::new();
        errors.measure(&HeightField::new(&FieldSettings::default()), &layout(), 8);
        Viewer::new(point, Reach::wanted(&layout(), &errors, &point, 2.0, 8), (-10.0, 10.0))
    }

    fn select(viewers: &[Viewer], previous: &Cover) -> Cover {
        let top = viewers.iter().map(|v| Cover::top_level(&layout(), v.point.view_distance)).max().unwrap_or(0);
        Cover::select(&layout(), top, viewers, 50.0, previous)
    }

    fn leaf_under(cover: &Cover, x: f64, z: f64) -> Vec<ChunkCoord> {
        (0..=cover.top()).map(|level| layout().chunk_at(level, x, z)).filter(|&chunk| cover.is_leaf(chunk)).collect()
    }

    #[test]
    fn exactly_one_leaf_lies_over_every_place_in_view() {
        for place in [[0.0, 0.0], [-1000.5, 77.0], [1.0e7, -1.0e7]] {
            let cover = select(&[viewer_at(place[0], place[1], 1000.0)], &Cover::default());
            for step in 0..2000 {
                let (radius, angle) = (f64::from(step) / 2.0, f64::from(step));
                let (x, z) = (place[0] + radius * libm::cos(angle), place[1] + radius * libm::sin(angle));
                assert_eq!(leaf_under(&cover, x, z).len(), 1, "at {radius} m of {place:?}");
            }
        }
    }

    #[test]
    fn detail_is_near_and_most_of_the_ground_is_coarse() {
        let cover = select(&[viewer_at(10.0, 20.0, 8000.0)], &Cover::default());
        assert_eq!(leaf_under(&cover, 10.0, 20.0)[0].level, 0);
        assert!(leaf_under(&cover, 7000.0, 0.0)[0].level > 4);
        let at_full_detail = std::f64::consts::PI * 8000.0 * 8000.0 / (32.0 * 32.0);
        assert!((cover.leaves().len() as f64) < at_full_detail / 100.0, "{} leaves", cover.leaves().len());
    }

    #[test]
    fn the_leaves_and_the_chunks_they_are_part_of_are_the_whole_cover() {
        let cover = select(&[viewer_at(3.0, -5.0, 900.0), viewer_at(-700.0, 100.0, 100.0)], &Cover::default());
        let mut expected = HashSet::new();
        for &leaf in cover.leaves() {
            assert!(cover.is_leaf(leaf));
            let mut chunk = leaf;
            while expected.insert(chunk) && chunk.level < cover.top() {
                chunk = chunk.parent();
                assert!(cover.is_split(chunk));
            }
        }
        assert_eq!(cover.chunks().collect::<HashSet<_>>(), expected);
        let roots: HashSet<_> = expected.into_iter().filter(|chunk| chunk.level == cover.top()).collect();
        assert_eq!(cover.roots().iter().copied().collect::<HashSet<_>>(), roots);
    }

    #[test]
    fn two_viewers_split_what_either_does() {
        let (a, b) = (viewer_at(0.0, 0.0, 600.0), viewer_at(400.0, 0.0, 600.0));
        let [only_a, only_b, both] = [&[a][..], &[b], &[a, b]].map(|viewers| select(viewers, &Cover::default()));
        for chunk in both.chunks() {
            assert_eq!(both.is_split(chunk), only_a.is_split(chunk) || only_b.is_split(chunk), "{chunk:?}");
        }
        assert!(only_a.chunks().chain(only_b.chunks()).all(|chunk| both.contains(chunk)));
    }

    #[test]
    fn no_viewer_wants_nothing() {
        assert_eq!(select(&[], &Cover::default()).leaves(), []);
    }

    #[test]
    fn a_viewer_that_trembles_on_a_border_changes_nothing() {
        let at = |x| [viewer_at(x, 0.0, 500.0)];
        let mut changes = 0;
        let mut cover = select(&at(0.0), &Cover::default());
        for step in 0..400 {
            let x = f64::from(step) * 0.7;
            let ahead = select(&at(x + 1.0), &cover);
            changes += usize::from(ahead != cover);
            // Back and forth by a metre: nothing that was split or joined is undone.
            for _ in 0..3 {
                assert_eq!(select(&at(x), &ahead), ahead);
                assert_eq!(select(&at(x + 1.0), &ahead), ahead);
            }
            cover = ahead;
        }
        assert!(changes > 20, "the flight changed the cover only {changes} times");
    }

    #[test]
    fn edges_are_where_the_neighbour_is_coarser() {
        let cover = select(&[viewer_at(3.0, -5.0, 900.0)], &Cover::default());
        let layout = layout();
        let mut coarser = 0;
        for &leaf in cover.leaves() {
            let ([west, north], size) = (layout.origin(leaf), layout.chunk_size(leaf.level));
            for side in Side::ALL {
                let [dx, dz] = side.step().map(|step| step as f64);
                let beyond = |part: f64| {
                    let along = (part - 0.5) * size;
                    let x = west + size / 2.0 + dx * (size / 2.0 + 0.1) + along * dz.abs();
                    let z = north + size / 2.0 + dz * (size / 2.0 + 0.1) + along * dx.abs();
                    leaf_under(&cover, x, z).first().map(|leaf| leaf.level)
                };
                let expected = beyond(0.3).is_some_and(|level| level > leaf.level);
                assert_eq!(cover.edges(leaf).has(side), expected, "{leaf:?}, {side:?}");
                coarser += usize::from(expected);
            }
        }
        assert!(coarser > 20);
    }

    #[test]
    fn what_was_split_stays_split_when_the_roots_change_their_level() {
        let at =
            |x, top| move |previous: &Cover| Cover::select(&layout(), top, &[viewer_at(x, 0.0, 900.0)], 50.0, previous);
        let finest = |cover: &Cover| cover.chunks().filter(|&chunk| cover.is_split(chunk)).collect::<HashSet<_>>();
        let mut kept = 0;
        for step in 0..60 {
            let x = f64::from(step) * 1.7;
            for (from, to) in [(3, 5), (5, 3), (4, 4)] {
                // A step of a metre is within the hysteresis: what the finer levels of both have in common stays.
                let before = at(x, from)(&Cover::default());
                let (fresh, after) = (at(x + 1.0, to)(&Cover::default()), at(x + 1.0, to)(&before));
                let lasting: HashSet<_> =
                    finest(&before).into_iter().filter(|chunk| chunk.level <= from.min(to)).collect();
                assert!(lasting.iter().all(|&chunk| after.is_split(chunk)), "from {from} to {to} at {x}");
                kept += lasting.difference(&finest(&fresh)).count();
            }
        }
        assert!(kept > 10, "only {kept} chunks were about to be joined");
    }

    #[test]
    fn viewers_in_another_order_select_the_same_chunks() {
        let (a, b) = (viewer_at(0.0, 0.0, 600.0), viewer_at(1400.0, 300.0, 600.0));
        let before = select(&[viewer_at(-30.0, 10.0, 600.0), b], &Cover::default());
        assert_eq!(select(&[a, b], &before), select(&[b, a], &before));
        assert_eq!(select(&[a, b], &before).leaves(), select(&[b, a], &before).leaves());
    }

    #[test]
    fn an_absurd_view_distance_is_cut() {
        let point = ViewerPoint { view_distance: 1e30, ..viewer_at(0.0, 0.0, 1.0).point };
        let top = Cover::top_level(&layout(), point.view_distance);
        let reach = Reach::wanted(&layout(), &LevelErrors::new(), &point, 0.0, top);
        let cover = Cover::select(&layout(), top, &[Viewer::new(point, reach, (0.0, 0.0))], 0.0, &Cover::default());
        assert!(cover.leaves().len() < 3 * Reach::MAX_CHUNKS as usize, "{} leaves", cover.leaves().len());
    }
}
