//! Selects a quadtree from the viewers and the previous tree.

use super::sight::{Before, Sight};
use super::{LodQuadtree, Node};
use crate::chunk::{ChunkCoord, ChunkLayout, LodRanges, Viewer};

impl LodQuadtree {
    /// Selects the quadtree for `viewers`.
    ///
    /// The `previous` tree adds hysteresis: a split chunk stays split, and a visible chunk stays visible, up to a slightly larger
    /// distance; see [`LodRanges::HYSTERESIS`]. A pure function: the same input gives the same tree, in any order of the viewers.
    #[must_use]
    pub fn select(layout: &ChunkLayout, viewers: &[Viewer], previous: &Self) -> Self {
        let sights: Vec<_> = viewers.iter().map(|viewer| Sight::new(layout, viewer)).collect();
        let roots = Self::wanted_roots(layout, viewers);
        let tree = Self {
            nodes: Vec::with_capacity(previous.nodes.len().max(roots.len()) + SPARE),
            leaves: Vec::with_capacity(previous.leaves.len() + SPARE),
            roots,
        };
        let mut selection = Selection { sights: &sights, concerned: Vec::new(), previous, tree };
        selection.select_roots();
        selection.tree
    }

    fn wanted_roots(layout: &ChunkLayout, viewers: &[Viewer]) -> Vec<ChunkCoord> {
        let mut roots = Vec::new();
        for viewer in viewers {
            // Large enough for all visible chunks, also by hysteresis.
            let view = viewer.point.view_distance.clamp(0.0, LodRanges::farthest_view(layout)) * 1.5;
            let [x, z] = viewer.xz();
            let first = layout.chunk_at(ChunkLayout::ROOT_LEVEL, x - view, z - view);
            let last = layout.chunk_at(ChunkLayout::ROOT_LEVEL, x + view, z + view);
            roots
                .extend((first.z..=last.z).flat_map(|z| (first.x..=last.x).map(move |x| ChunkCoord { x, z, ..first })));
        }
        roots.sort_unstable_by(|one, other| one.compare_positions(*other));
        roots.dedup();
        roots
    }
}

/// Capacity for additional chunks, so that a small move of a viewer needs only one allocation.
const SPARE: usize = 64;

/// A quadtree that is being selected.
struct Selection<'a> {
    sights: &'a [Sight<'a>],
    /// A stack: for each chunk on the path from a root, the viewers that may split it or see it, each with one bit per child that
    /// they may split or see.
    concerned: Vec<(u32, u8)>,
    previous: &'a LodQuadtree,
    tree: LodQuadtree,
}

impl Selection<'_> {
    fn before(&self, index: Option<usize>) -> Before {
        index.map_or_else(Before::default, |index| {
            let node = self.previous.nodes[index];
            Before { was_split: node.is_split(), was_visible: node.is_visible }
        })
    }

    fn select_roots(&mut self) {
        // All roots first, so that root i is node i.
        let roots = self.tree.roots.clone();
        self.tree.nodes.extend(roots.iter().map(|&chunk| Node { chunk, children: 0, is_visible: false }));
        for (index, &root) in roots.iter().enumerate() {
            let at = self.previous.find_root(root);
            let before = self.before(at);
            let mut is_near = false;
            self.concerned.clear();
            for (number, sight) in (0..).zip(self.sights) {
                let look = sight.look(root, before);
                is_near |= look.is_near;
                self.tree.nodes[index].is_visible |= look.is_visible;
                if sight.concerns_parts(look) {
                    self.concerned.push((number, 1));
                }
            }
            if is_near {
                self.split(index, at, 0, 1);
            } else if self.tree.nodes[index].is_visible {
                self.tree.leaves.push(root);
            }
        }
    }

    /// Splits the chunk of node `index`, and recursively its children that are near. `at` is its index in the previous tree. Only the
    /// viewers in the stack from index `first` on with the bit `mask` matter.
    fn split(&mut self, index: usize, at: Option<usize>, first: usize, mask: u8) {
        let (previous, chunk) = (self.previous, self.tree.nodes[index].chunk);
        let first_child = self.tree.nodes.len();
        self.tree.nodes[index].children = first_child as u32;
        let children: [ChunkCoord; 4] = std::array::from_fn(|number| chunk.child(number));
        let ats: [Option<usize>; 4] = std::array::from_fn(|number| previous.child(at?, number));
        let before = ats.map(|at| self.before(at));
        let [mut near, mut visible] = [[false; 4]; 2];
        let (own, end) = (self.concerned.len(), self.concerned.len());
        for at in first..end {
            let (number, bits) = self.concerned[at];
            if bits & mask == 0 {
                continue;
            }
            let sight = &self.sights[number as usize];
            let mut concerns = 0;
            for (child, look) in sight.look_at_children(&children, before).into_iter().enumerate() {
                near[child] |= look.is_near;
                visible[child] |= look.is_visible;
                concerns |= u8::from(sight.concerns_parts(look)) << child;
            }
            if concerns != 0 {
                self.concerned.push((number, concerns));
            }
        }
        let nodes =
            children.into_iter().zip(visible).map(|(chunk, is_visible)| Node { chunk, children: 0, is_visible });
        self.tree.nodes.extend(nodes);
        for (number, child) in children.into_iter().enumerate() {
            if near[number] && child.level > 0 {
                self.split(first_child + number, ats[number], own, 1 << number);
            } else if visible[number] {
                self.tree.leaves.push(child);
            }
        }
        self.concerned.truncate(own);
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixtures::{ERRORS, any_viewers, layout, select, viewer_at};
    use super::*;
    use crate::chunk::{LevelErrors, ViewerPoint};
    use proptest::collection::vec;
    use proptest::prelude::*;
    use std::cell::Cell;
    use std::collections::HashSet;
    use testing::for_all;

    #[test]
    fn two_viewers_split_and_see_the_chunks_of_both() {
        let (a, b) = (viewer_at(0.0, 0.0, 600.0), viewer_at(400.0, 0.0, 600.0));
        let [only_a, only_b, both] = [&[a][..], &[b], &[a, b]].map(|viewers| select(viewers, &LodQuadtree::default()));
        for chunk in both.visible_chunks() {
            assert!(only_a.shows(chunk) || only_b.shows(chunk) || only_a.leaves_in(chunk) != only_b.leaves_in(chunk));
            assert_eq!(both.is_split(chunk), only_a.is_split(chunk) || only_b.is_split(chunk), "{chunk:?}");
        }
        assert!(only_a.visible_chunks().chain(only_b.visible_chunks()).all(|chunk| both.shows(chunk)));
    }

    #[test]
    fn a_chunk_is_split_and_visible_as_the_definition_says() {
        // Ranges without the required gaps: a chunk that is too far away to be split can have children that are not.
        let limits = vec(vec(0.0..400.0, 0..3), 4);
        let viewers = (any_viewers(4), limits).prop_map(|(mut viewers, limits)| {
            for (viewer, limits) in viewers.iter_mut().zip(limits) {
                (0..).zip(limits).for_each(|(level, limit)| viewer.ranges.limit(4 - level, limit));
            }
            viewers
        });
        let [splits, kept] = [(); 2].map(|()| Cell::new(0));
        for_all(100, vec(viewers, 1..6), |rounds| {
            let mut before = LodQuadtree::default();
            for viewers in rounds {
                let now = LodQuadtree::select(&layout(), &viewers, &before);
                let (split, leaves, by_hysteresis) = defined(&viewers, &before, &now.roots);
                let now_split = now.nodes.iter().filter(|node| node.is_split()).map(|node| node.chunk);
                assert_eq!(now_split.collect::<HashSet<_>>(), split);
                assert_eq!(now.leaves().iter().copied().collect::<HashSet<_>>(), leaves);
                assert!(now.leaves().is_sorted_by(|one, other| one.compare_positions(*other).is_lt()));
                splits.set(splits.get() + split.len());
                kept.set(kept.get() + by_hysteresis);
                before = now;
            }
        });
        let (splits, kept) = (splits.get(), kept.get());
        assert!(splits > 3000 && kept > 20, "{splits} are split, {kept} of them only by hysteresis");
    }

    /// The split chunks and the visible leaves by definition, and the number of chunks that are split only by hysteresis.
    fn defined(
        viewers: &[Viewer],
        before: &LodQuadtree,
        roots: &[ChunkCoord],
    ) -> (HashSet<ChunkCoord>, HashSet<ChunkCoord>, usize) {
        let is_near = |chunk: ChunkCoord, was_split: bool| {
            viewers.iter().any(|viewer| {
                let ranges = &viewer.ranges;
                let near = if was_split { ranges.stay_split(chunk.level) } else { ranges.split(chunk.level) };
                viewer.distance(&layout(), chunk) < near
            })
        };
        let is_visible = |chunk: ChunkCoord| {
            let margin = if before.shows(chunk) { 0.1 * layout().chunk_size(chunk.level) } else { 0.0 };
            viewers.iter().any(|viewer| {
                let far = viewer.point.view_distance + margin;
                chunk.level <= viewer.coarsest && layout().distance(chunk, viewer.xz()) <= far
            })
        };
        let (mut split, mut leaves, mut by_hysteresis, mut left) = (HashSet::new(), HashSet::new(), 0, roots.to_vec());
        while let Some(chunk) = left.pop() {
            if chunk.level > 0 && is_near(chunk, before.is_split(chunk)) {
                by_hysteresis += usize::from(!is_near(chunk, false));
                split.insert(chunk);
                left.extend(chunk.children());
            } else if is_visible(chunk) {
                leaves.insert(chunk);
            }
        }
        (split, leaves, by_hysteresis)
    }

    #[test]
    fn a_viewer_that_moves_back_and_forth_causes_no_changes() {
        let at = |x| [viewer_at(x, 0.0, 500.0)];
        let mut changes = 0;
        let mut tree = select(&at(0.0), &LodQuadtree::default());
        for step in 0..400 {
            let x = f64::from(step) * 0.7;
            let ahead = select(&at(x + 1.0), &tree);
            changes += usize::from(ahead != tree);
            for _ in 0..3 {
                assert_eq!(select(&at(x), &ahead), ahead);
                assert_eq!(select(&at(x + 1.0), &ahead), ahead);
            }
            tree = ahead;
        }
        assert!(changes > 20, "the flight changed the tree only {changes} times");
    }

    #[test]
    fn for_the_same_viewers_a_tree_stays_as_it_is() {
        let with_more = Cell::new(0);
        for_all(50, vec(any_viewers(2), 1..10), |rounds| {
            let mut tree = LodQuadtree::default();
            for viewers in rounds {
                let now = select(&viewers, &tree);
                with_more.set(with_more.get() + usize::from(now != select(&viewers, &LodQuadtree::default())));
                assert_eq!(select(&viewers, &now), now);
                tree = now;
            }
        });
        assert!(with_more.get() > 20, "only {} trees kept anything", with_more.get());
    }

    #[test]
    fn leaves_tile_the_views_once_and_differ_by_one_level_after_any_previous_tree() {
        let far = proptest::sample::select(vec![0.0, 1.0e7, -1.0e9]);
        for_all(60, (any_viewers(3), any_viewers(4), far), |(before, mut now, far)| {
            now.iter_mut().for_each(|viewer| viewer.point.position[0] += far);
            let tree = select(&now, &select(&before, &LodQuadtree::default()));
            // Chunks compare equal if one contains the other.
            assert!(tree.leaves().is_sorted_by(|one, other| one.compare_positions(*other).is_lt()));
            assert!(tree.leaves().iter().all(|&leaf| tree.level_jumps(leaf).is_empty()));
            for viewer in &now {
                for step in 0..200 {
                    let ([x, z], angle) = (viewer.xz(), f64::from(step));
                    let radius = 0.999 * viewer.point.view_distance * angle / 199.0;
                    let (x, z) = (x + radius * libm::cos(angle), z + radius * libm::sin(angle));
                    assert_eq!(tree.leaves_in(layout().chunk_at(0, x, z)).len(), 1, "{radius} m from {viewer:?}");
                }
            }
        });
    }

    #[test]
    fn viewers_in_another_order_select_the_same_chunks() {
        let (a, b) = (viewer_at(0.0, 0.0, 600.0), viewer_at(1400.0, 300.0, 600.0));
        let before = select(&[viewer_at(-30.0, 10.0, 600.0), b], &LodQuadtree::default());
        assert_eq!(select(&[a, b], &before), select(&[b, a], &before));
    }

    #[test]
    fn an_extreme_view_distance_is_limited_and_detail_stays_near() {
        for (view_distance, pixel_error) in [(1e30, 0.0), (f64::from(f32::MAX), 0.25), (f64::MAX, 0.0)] {
            let point = ViewerPoint { view_distance, ..viewer_at(0.0, 0.0, 1.0).point };
            let with_errors = |errors: Option<&LevelErrors>| {
                let ranges = LodRanges::wanted(&layout(), errors, &point, 0.0, pixel_error, LodRanges::MAX_CHUNKS);
                select(&[Viewer::new(&layout(), point, ranges, (0.0, 0.0))], &LodQuadtree::default())
            };
            let tree = with_errors(Some(&ERRORS));
            assert!(tree.leaves().len() < 3 * LodRanges::MAX_CHUNKS as usize, "{} leaves", tree.leaves().len());
            // Without errors, all ranges are minimal.
            let (finest, min) = (tree.leaves_per_level()[0], with_errors(None).leaves_per_level()[0]);
            assert!(finest > min, "{finest} of the finest chunks, and {min} at least");
        }
    }
}
