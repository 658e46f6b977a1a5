//! Which chunks to draw: the cover.

#[cfg(test)]
mod fixtures;
mod leaf_edges;
mod numbers;
mod pieces;
mod select;
mod sight;

pub use self::pieces::Piece;
use super::{ChunkCoord, ChunkLayout, Edges, LEVELS, Side};

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
    /// In the order of [`ChunkCoord::compare_places`], as the leaves are too.
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

    const fn is_split(&self) -> bool {
        self.children != 0
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

    /// The level of the roots.
    #[must_use]
    pub const fn top(&self) -> u8 {
        self.top
    }

    /// The chunks to draw, in the order of [`ChunkCoord::compare_places`].
    #[must_use]
    pub fn leaves(&self) -> &[ChunkCoord] {
        &self.leaves
    }

    /// The chunks of the coarsest level, all of which have to be there for the ground to have no hole, in the order of
    /// [`ChunkCoord::compare_places`].
    #[must_use]
    pub fn roots(&self) -> &[ChunkCoord] {
        &self.roots
    }

    /// Where `chunk` lies among the leaves, if it is one.
    #[must_use]
    pub fn leaf_number(&self, chunk: ChunkCoord) -> Option<usize> {
        let at = self.leaves.binary_search_by(|leaf| leaf.compare_places(chunk)).ok()?;
        // Coarser chunks hold leaves, and finer ones are held by one.
        (self.leaves[at] == chunk).then_some(at)
    }

    /// The leaves that are part of `chunk`, or the one that it is part of.
    #[must_use]
    pub fn leaves_in(&self, chunk: ChunkCoord) -> &[ChunkCoord] {
        let first = self.leaves.partition_point(|leaf| leaf.compare_places(chunk).is_lt());
        let many = self.leaves[first..].partition_point(|leaf| leaf.compare_places(chunk).is_eq());
        &self.leaves[first..first + many]
    }

    /// All chunks of the trees: the leaves, and those that they are part of.
    pub fn chunks(&self) -> impl ExactSizeIterator<Item = ChunkCoord> + '_ {
        self.nodes.iter().map(|node| node.chunk)
    }

    /// The chunks that are split: those that finer chunks are drawn in place of.
    pub fn split_chunks(&self) -> impl Iterator<Item = ChunkCoord> + '_ {
        self.nodes.iter().filter(|node| node.is_split()).map(|node| node.chunk)
    }

    /// How many chunks of each level are drawn, from the finest to the coarsest that is.
    #[must_use]
    pub fn leaves_per_level(&self) -> Vec<usize> {
        let mut counts = Vec::new();
        for leaf in &self.leaves {
            let level = usize::from(leaf.level);
            counts.resize(counts.len().max(level + 1), 0);
            counts[level] += 1;
        }
        counts
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

    /// Where `root` lies among the roots, and so among the nodes.
    fn find_root(&self, root: ChunkCoord) -> Option<usize> {
        let at = self.roots.binary_search_by(|other| other.compare_places(root)).ok()?;
        // A root of another level may hold it, or be held by it.
        (self.roots[at] == root).then_some(at)
    }

    /// Where `chunk` lies among the nodes.
    fn find(&self, chunk: ChunkCoord) -> Option<usize> {
        let above_root = self.top.checked_sub(chunk.level)?;
        let index = self.find_root(chunk.ancestor(self.top))?;
        (0..above_root).rev().try_fold(index, |index, above| {
            let [east, south] = [chunk.x, chunk.z].map(|place| (place >> above & 1) as usize);
            self.child(index, east + 2 * south)
        })
    }

    fn is_split_at(&self, index: usize) -> bool {
        self.nodes[index].is_split()
    }

    /// Where child number `number`, in the order of [`ChunkCoord::children`], of the chunk at `index` lies, if that is split.
    fn child(&self, index: usize, number: usize) -> Option<usize> {
        self.is_split_at(index).then(|| self.nodes[index].children as usize + number)
    }

    /// The sides on which the neighbour of the leaf `chunk` is coarser. Of a chunk that is no leaf they mean nothing.
    #[must_use]
    pub fn edges(&self, chunk: ChunkCoord) -> Edges {
        Side::ALL.into_iter().fold(Edges::NONE, |edges, side| {
            let [dx, dz] = side.step();
            let beyond = chunk.neighbour(dx, dz).parent();
            // Of two chunks in three the neighbour has the same parent, which is split.
            if beyond != chunk.parent() && self.is_leaf(beyond) { edges.with(side) } else { edges }
        })
    }

    /// The leaves that touch the leaf `chunk`, be it at a corner, and are coarser by more than one level. There are none in
    /// a cover that was selected with the distances of a [`Reach`](super::Reach).
    #[must_use]
    pub fn level_jumps(&self, chunk: ChunkCoord) -> Vec<ChunkCoord> {
        let around = (-1..=1).flat_map(|dz| (-1..=1).map(move |dx| chunk.neighbour(dx, dz)));
        let coarser = around.flat_map(|beside| (chunk.level + 2..=self.top).map(move |level| beside.ancestor(level)));
        let mut jumps: Vec<_> = coarser.filter(|&above| self.is_leaf(above)).collect();
        jumps.sort_unstable();
        jumps.dedup();
        jumps
    }
}

#[cfg(test)]
mod tests {
    use super::fixtures::{layout, select, viewer_at};
    use super::*;
    use std::collections::HashSet;

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
            assert_eq!(cover.leaves_in(leaf), [leaf]);
            let mut chunk = leaf;
            while expected.insert(chunk) && chunk.level < cover.top() {
                chunk = chunk.parent();
                assert!(cover.is_split(chunk));
            }
        }
        assert_eq!(cover.chunks().collect::<HashSet<_>>(), expected);
        let split: Vec<_> = cover.split_chunks().collect();
        assert!(split.iter().all(|&chunk| cover.is_split(chunk)));
        assert_eq!(split.len() + cover.leaves().len(), expected.len());
        for &chunk in &split {
            let within =
                cover.leaves().iter().copied().filter(|leaf| leaf.ancestor(chunk.level.max(leaf.level)) == chunk);
            assert_eq!(cover.leaves_in(chunk), within.collect::<Vec<_>>());
        }
        assert_eq!(cover.leaves_in(ChunkCoord { level: 0, x: 1_000_000, z: 0 }), []);
        let coarse = cover.leaves().iter().find(|leaf| leaf.level > 0).expect("not all are of the finest level");
        assert_eq!(cover.leaves_in(coarse.child(2)), [*coarse]);
        let roots: HashSet<_> = expected.into_iter().filter(|chunk| chunk.level == cover.top()).collect();
        assert_eq!(cover.roots().iter().copied().collect::<HashSet<_>>(), roots);
    }

    #[test]
    fn every_leaf_is_counted_at_its_level() {
        let cover = select(&[viewer_at(3.0, -5.0, 900.0)], &Cover::default());
        let counts = cover.leaves_per_level();
        let count = |level| cover.leaves().iter().filter(|leaf| usize::from(leaf.level) == level).count();
        assert_eq!(counts, (0..counts.len()).map(count).collect::<Vec<_>>());
        assert_eq!(counts.iter().sum::<usize>(), cover.leaves().len());
        assert!(counts.len() > 2 && counts.last() > Some(&0), "{counts:?}");
    }

    #[test]
    fn no_viewer_wants_nothing() {
        let cover = select(&[], &Cover::default());
        assert_eq!((cover.leaves().len(), cover.split_chunks().count(), cover.leaves_per_level()), (0, 0, vec![]));
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
}
