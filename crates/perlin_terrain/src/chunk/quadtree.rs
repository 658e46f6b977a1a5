//! The LOD quadtree: the chunks around the viewers, and their levels.

#[cfg(test)]
pub(super) mod fixtures;
mod select;
mod sight;
mod stitching;

use super::{ChunkCoord, ChunkLayout, Side, StitchMask};

/// The quadtree of a terrain, split near viewers (chunked LOD, Ulrich 2002).
///
/// One tree covers all viewers. Its roots are the largest chunks, so they don't depend on view distances. Its splits follow the
/// [`LodRanges`](super::LodRanges) alone. A chunk of the tree is *visible* if a part of it lies within the horizontal view distance
/// of a viewer. The visible leaves are the chunks to draw. Every position within the view distance of a viewer lies in exactly one
/// of them. Two leaves that touch, even at a corner, differ by one level at most. The docs of `LodRanges` have the proofs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LodQuadtree {
    /// All chunks of the tree: the roots, then groups of four siblings. Equal trees have the same order.
    nodes: Vec<Node>,
    /// The roots, in the order of [`ChunkCoord::compare_positions`]; root `i` is node `i`.
    roots: Vec<ChunkCoord>,
    /// The visible leaves, in the same order.
    leaves: Vec<ChunkCoord>,
}

/// A chunk of the tree.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Node {
    chunk: ChunkCoord,
    /// Index of the first of four children. 0 if the chunk is not split, because node 0 is always a root.
    children: u32,
    is_visible: bool,
}

impl Node {
    const fn is_split(&self) -> bool {
        self.children != 0
    }
}

impl LodQuadtree {
    /// The visible leaves, in the order of [`ChunkCoord::compare_positions`].
    #[must_use]
    pub fn leaves(&self) -> &[ChunkCoord] {
        &self.leaves
    }

    /// Index of `chunk` among the visible leaves.
    #[must_use]
    pub fn leaf_index(&self, chunk: ChunkCoord) -> Option<usize> {
        let at = self.leaves.binary_search_by(|leaf| leaf.compare_positions(chunk)).ok()?;
        // A coarser chunk compares equal to the leaves in it, and a finer chunk to the leaf that contains it.
        (self.leaves[at] == chunk).then_some(at)
    }

    /// The visible leaves in `chunk`, or the one leaf that contains `chunk`.
    #[must_use]
    pub fn leaves_in(&self, chunk: ChunkCoord) -> &[ChunkCoord] {
        leaves_in(&self.leaves, chunk)
    }

    /// All visible chunks: the leaves and their ancestors.
    pub fn visible_chunks(&self) -> impl Iterator<Item = ChunkCoord> + '_ {
        self.nodes.iter().filter(|node| node.is_visible).map(|node| node.chunk)
    }

    /// All visible chunks that are split, each with its visible children.
    pub fn visible_families(&self) -> impl Iterator<Item = (ChunkCoord, impl Iterator<Item = ChunkCoord> + '_)> + '_ {
        self.nodes.iter().filter(|node| node.is_split() && node.is_visible).map(|node| {
            let first = node.children as usize;
            let children = self.nodes[first..first + 4].iter().filter(|child| child.is_visible);
            (node.chunk, children.map(|child| child.chunk))
        })
    }

    /// The number of visible leaves of each level, from level 0 to the coarsest level that has any.
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

    /// Whether `chunk` is a visible chunk of the tree, split or not.
    #[must_use]
    pub fn shows(&self, chunk: ChunkCoord) -> bool {
        self.find(chunk).is_some_and(|index| self.nodes[index].is_visible)
    }

    /// Whether `chunk` is a visible leaf.
    #[must_use]
    pub fn is_leaf(&self, chunk: ChunkCoord) -> bool {
        self.find(chunk).is_some_and(|index| self.nodes[index].is_visible && !self.nodes[index].is_split())
    }

    /// Whether `chunk` is split.
    #[must_use]
    pub fn is_split(&self, chunk: ChunkCoord) -> bool {
        self.find(chunk).is_some_and(|index| self.nodes[index].is_split())
    }

    /// Makes leaves invisible, except those for which `keeps` returns `true`.
    pub fn retain_leaves(&mut self, keeps: impl Fn(ChunkCoord) -> bool) {
        self.leaves.retain(|&leaf| keeps(leaf));
        for node in self.nodes.iter_mut().filter(|node| node.is_visible && !node.is_split()) {
            node.is_visible = keeps(node.chunk);
        }
    }

    fn find_root(&self, root: ChunkCoord) -> Option<usize> {
        self.roots.iter().position(|&other| other == root)
    }

    /// Index of the node of `chunk`.
    fn find(&self, chunk: ChunkCoord) -> Option<usize> {
        let above = ChunkLayout::ROOT_LEVEL.checked_sub(chunk.level)?;
        let index = self.find_root(chunk.ancestor(ChunkLayout::ROOT_LEVEL))?;
        (0..above).rev().try_fold(index, |index, above| {
            let [east, south] = [chunk.x, chunk.z].map(|position| (position >> above & 1) as usize);
            self.child(index, east + 2 * south)
        })
    }

    /// Index of child `number` of node `index`, in the order of [`ChunkCoord::children`]. `None` if the node is not split.
    fn child(&self, index: usize, number: usize) -> Option<usize> {
        let node = self.nodes[index];
        node.is_split().then(|| node.children as usize + number)
    }

    /// The sides on which a visible leaf of the next coarser level touches the leaf `chunk`.
    #[must_use]
    pub fn stitch_mask(&self, chunk: ChunkCoord) -> StitchMask {
        Side::ALL.into_iter().fold(StitchMask::NONE, |mask, side| {
            let [dx, dz] = side.step();
            let beyond = chunk.neighbor(dx, dz).parent();
            // Two of the four neighbors have the same parent as the leaf, and it is split.
            if beyond != chunk.parent() && self.is_leaf(beyond) { mask.with(side) } else { mask }
        })
    }

    /// The visible leaves that touch the leaf `chunk`, even at a corner, and are coarser by more than one level. Empty if the tree was
    /// selected with [`LodRanges`](super::LodRanges).
    #[must_use]
    pub fn level_jumps(&self, chunk: ChunkCoord) -> Vec<ChunkCoord> {
        let around = (-1..=1).flat_map(|dz| (-1..=1).map(move |dx| chunk.neighbor(dx, dz)));
        let coarser = around
            .flat_map(|beside| (chunk.level + 2..=ChunkLayout::ROOT_LEVEL).map(move |level| beside.ancestor(level)));
        let mut jumps: Vec<_> = coarser.filter(|&above| self.is_leaf(above)).collect();
        jumps.sort_unstable();
        jumps.dedup();
        jumps
    }
}

/// The leaves in `chunk`, or the one leaf that contains `chunk`. `leaves` are in the order of [`ChunkCoord::compare_positions`].
pub(super) fn leaves_in(leaves: &[ChunkCoord], chunk: ChunkCoord) -> &[ChunkCoord] {
    let first = leaves.partition_point(|leaf| leaf.compare_positions(chunk).is_lt());
    let many = leaves[first..].partition_point(|leaf| leaf.compare_positions(chunk).is_eq());
    &leaves[first..first + many]
}

#[cfg(test)]
mod tests {
    use super::fixtures::{layout, select, viewer_at};
    use super::*;
    use std::collections::HashSet;

    fn leaf_under(tree: &LodQuadtree, x: f64, z: f64) -> Vec<ChunkCoord> {
        (0..=ChunkLayout::ROOT_LEVEL)
            .map(|level| layout().chunk_at(level, x, z))
            .filter(|&chunk| tree.is_leaf(chunk))
            .collect()
    }

    #[test]
    fn exactly_one_leaf_lies_over_every_position_in_view() {
        for position in [[0.0, 0.0], [-1000.5, 77.0], [1.0e7, -1.0e7]] {
            let tree = select(&[viewer_at(position[0], position[1], 1000.0)], &LodQuadtree::default());
            for step in 0..2000 {
                let (radius, angle) = (f64::from(step) / 2.0, f64::from(step));
                let (x, z) = (position[0] + radius * libm::cos(angle), position[1] + radius * libm::sin(angle));
                assert_eq!(leaf_under(&tree, x, z).len(), 1, "at {radius} m of {position:?}");
            }
        }
    }

    #[test]
    fn detail_is_near_and_most_of_the_ground_is_coarse() {
        let tree = select(&[viewer_at(10.0, 20.0, 8000.0)], &LodQuadtree::default());
        assert_eq!(leaf_under(&tree, 10.0, 20.0)[0].level, 0);
        assert!(leaf_under(&tree, 7000.0, 0.0)[0].level > 4);
        let at_full_detail = std::f64::consts::PI * 8000.0 * 8000.0 / (32.0 * 32.0);
        assert!((tree.leaves().len() as f64) < at_full_detail / 100.0, "{} leaves", tree.leaves().len());
    }

    #[test]
    fn a_leaf_that_no_viewer_sees_is_not_drawn() {
        let viewer = viewer_at(3.0, -5.0, 900.0);
        let tree = select(&[viewer], &LodQuadtree::default());
        assert!(tree.leaves().iter().all(|&leaf| viewer.point.sees(&layout(), leaf)));
        // Beyond the view, no leaf is visible.
        assert_eq!(leaf_under(&tree, 5000.0, 0.0), []);
    }

    #[test]
    fn visible_chunks_are_the_leaves_and_their_ancestors() {
        let tree = select(&[viewer_at(3.0, -5.0, 900.0), viewer_at(-700.0, 100.0, 100.0)], &LodQuadtree::default());
        let mut expected = HashSet::new();
        let coarsest = layout().coarsest_level(900.0);
        for &leaf in tree.leaves() {
            assert!(tree.is_leaf(leaf) && tree.shows(leaf));
            assert_eq!(tree.leaves_in(leaf), [leaf]);
            assert_eq!(tree.leaves()[tree.leaf_index(leaf).expect("it is a leaf")], leaf);
            let mut chunk = leaf;
            while expected.insert(chunk) && chunk.level < coarsest {
                chunk = chunk.parent();
                assert!(tree.is_split(chunk));
            }
        }
        assert_eq!(tree.visible_chunks().collect::<HashSet<_>>(), expected);
        for (parent, children) in tree.visible_families() {
            assert!(tree.is_split(parent));
            assert!(children.into_iter().all(|child| child.parent() == parent && expected.contains(&child)));
            let within = tree.leaves().iter().copied().filter(|leaf| leaf.ancestor(parent.level) == parent);
            assert_eq!(tree.leaves_in(parent), within.collect::<Vec<_>>());
        }
        assert_eq!(tree.leaves_in(ChunkCoord { level: 0, x: 1_000_000, z: 0 }), []);
    }

    #[test]
    fn every_leaf_is_counted_at_its_level() {
        let tree = select(&[viewer_at(3.0, -5.0, 900.0)], &LodQuadtree::default());
        let counts = tree.leaves_per_level();
        let count = |level| tree.leaves().iter().filter(|leaf| usize::from(leaf.level) == level).count();
        assert_eq!(counts, (0..counts.len()).map(count).collect::<Vec<_>>());
        assert_eq!(counts.iter().sum::<usize>(), tree.leaves().len());
        assert!(counts.len() > 2 && counts.last() > Some(&0), "{counts:?}");
    }

    #[test]
    fn without_viewers_the_tree_is_empty() {
        let tree = select(&[], &LodQuadtree::default());
        assert_eq!((tree.leaves().len(), tree.visible_chunks().count(), tree.leaves_per_level()), (0, 0, vec![]));
    }

    #[test]
    fn a_leaf_is_stitched_where_a_visible_neighbor_is_coarser() {
        let tree = select(&[viewer_at(3.0, -5.0, 900.0)], &LodQuadtree::default());
        let layout = layout();
        let mut coarser = 0;
        for &leaf in tree.leaves() {
            let ([west, north], size) = (layout.origin(leaf), layout.chunk_size(leaf.level));
            for side in Side::ALL {
                let [dx, dz] = side.step().map(|step| step as f64);
                let beyond = |part: f64| {
                    let along = (part - 0.5) * size;
                    let x = west + size / 2.0 + dx * (size / 2.0 + 0.1) + along * dz.abs();
                    let z = north + size / 2.0 + dz * (size / 2.0 + 0.1) + along * dx.abs();
                    leaf_under(&tree, x, z).first().map(|leaf| leaf.level)
                };
                let expected = beyond(0.3).is_some_and(|level| level > leaf.level);
                assert_eq!(tree.stitch_mask(leaf).has(side), expected, "{leaf:?}, {side:?}");
                coarser += usize::from(expected);
            }
        }
        assert!(coarser > 20);
        let masks: Vec<StitchMask> = tree.leaves().iter().map(|&leaf| tree.stitch_mask(leaf)).collect();
        assert_eq!(tree.stitch_masks(), masks, "both ways give the same masks");
    }

    #[test]
    fn an_invisible_leaf_causes_no_stitching() {
        let mut tree = select(&[viewer_at(3.0, -5.0, 900.0)], &LodQuadtree::default());
        let is_kept = |leaf: ChunkCoord| (leaf.x + leaf.z) % 3 != 0;
        let before = tree.clone();
        tree.retain_leaves(is_kept);
        assert_eq!(tree.leaves(), before.leaves().iter().copied().filter(|&leaf| is_kept(leaf)).collect::<Vec<_>>());
        let masks: Vec<StitchMask> = tree.leaves().iter().map(|&leaf| tree.stitch_mask(leaf)).collect();
        assert_eq!(tree.stitch_masks(), masks);
        let stitches = |tree: &LodQuadtree| {
            tree.leaves().iter().filter(|&&leaf| is_kept(leaf) && tree.stitch_mask(leaf) != StitchMask::NONE).count()
        };
        assert!(stitches(&tree) < stitches(&before));
    }
}
