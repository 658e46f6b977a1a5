//! How a cover is selected, from the viewers and from the cover before.

use super::sight::Sight;
use super::{Cover, Node};
use crate::chunk::{ChunkCoord, ChunkLayout, Reach, Viewer};

impl Cover {
    /// The cover for `viewers`, with roots of level `top`.
    ///
    /// A root is wanted where any part of it lies within a viewer's distance, in plan. What was wanted in the `previous`
    /// cover stays a little longer: a split chunk as [`Reach`] says, a root for `margin` metres. A pure function: the same
    /// input gives the same cover, in the same order.
    ///
    /// All roots within a viewer's distance are looked at. So `top` is to be the [`top_level`](Self::top_level) of the furthest
    /// view, or coarser: far finer roots take as long as there are such roots.
    #[must_use]
    pub fn select(layout: &ChunkLayout, top: u8, viewers: &[Viewer], margin: f64, previous: &Self) -> Self {
        let roots = Self::wanted_roots(layout, top, viewers, margin, previous);
        let mut nodes = Vec::with_capacity(previous.nodes.len().max(roots.len()) + SPARE);
        nodes.extend(roots.iter().copied().map(Node::leaf));
        let leaves = Vec::with_capacity(previous.leaves.len() + SPARE);
        let sights: Vec<_> = viewers.iter().map(|viewer| Sight::new(layout, viewer)).collect();
        let concerned = Vec::with_capacity(sights.len());
        let mut selection =
            Selection { sights: &sights, concerned, previous, cover: Self { top, nodes, leaves, roots } };
        for index in 0..selection.cover.roots.len() {
            selection.split_root(index);
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
        let far = Reach::farthest_view(layout);
        for viewer in viewers {
            let reach = viewer.point.view_distance.clamp(0.0, far);
            let [x, z] = viewer.place();
            let first = layout.chunk_at(top, x - reach, z - reach);
            let last = layout.chunk_at(top, x + reach, z + reach);
            let around =
                (first.z..=last.z).flat_map(|z| (first.x..=last.x).map(move |x| ChunkCoord { level: top, x, z }));
            let within = |far: f64| move |root: &ChunkCoord| layout.distance(*root, viewer.place()) <= far;
            roots.extend(around.filter(within(reach)));
            let before = previous.roots.iter().copied().filter(|root| root.level == top);
            roots.extend(before.filter(within(reach + margin)));
        }
        roots.sort_unstable_by(|one, other| one.compare_places(*other));
        roots.dedup();
        roots
    }
}

/// Room for so many more chunks than there were before: what a step of a viewer may add without another allocation.
const SPARE: usize = 64;

/// A cover that is being selected.
struct Selection<'a> {
    /// The viewers.
    sights: &'a [Sight<'a>],
    /// Those of them whom the root concerns that is being split.
    concerned: Vec<&'a Sight<'a>>,
    previous: &'a Cover,
    cover: Cover,
}

impl Selection<'_> {
    /// Splits the chunk at `index`, which lay at `before` in the previous cover if it was part of it, and those of its children that
    /// are near.
    fn split(&mut self, index: usize, before: Option<usize>) {
        let (previous, chunk) = (self.previous, self.cover.nodes[index].chunk);
        let first = self.cover.nodes.len();
        self.cover.nodes[index].children = first as u32;
        let children = std::array::from_fn(|number| chunk.child(number));
        self.cover.nodes.extend(children.map(Node::leaf));
        if chunk.level == 1 {
            self.cover.leaves.extend(children);
            return;
        }
        let before = if chunk.level == previous.top + 1 {
            children.map(|child| previous.find(child))
        } else {
            std::array::from_fn(|number| previous.child(before?, number))
        };
        let were_split = before.map(|before| before.is_some_and(|before| previous.is_split_at(before)));
        let mut near = [false; 4];
        for sight in &self.concerned {
            sight.find_near(&children, were_split, &mut near);
        }
        for (number, child) in children.into_iter().enumerate() {
            if near[number] {
                self.split(first + number, before[number]);
            } else {
                self.cover.leaves.push(child);
            }
        }
    }

    /// Splits the root at `index` if it is near.
    fn split_root(&mut self, index: usize) {
        let root = self.cover.roots[index];
        let before = self.previous.find(root);
        let was_split = before.is_some_and(|before| self.previous.is_split_at(before));
        if root.level > 0 && self.sights.iter().any(|sight| sight.is_near(root, was_split)) {
            self.concerned.clear();
            self.concerned.extend(self.sights.iter().filter(|sight| sight.may_split_parts(root)));
            self.split(index, before);
        } else {
            self.cover.leaves.push(root);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixtures::{ERRORS, layout, select, viewer_at};
    use super::*;
    use crate::chunk::{LevelErrors, ViewerPoint};
    use crate::noise::NoiseRng;
    use std::collections::HashSet;

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
    fn a_chunk_is_split_where_it_is_near_to_any_of_many_viewers() {
        let (mut rng, mut before, mut splits, mut held) = (NoiseRng::new(5, 0), Cover::default(), 0, 0);
        for round in 0..300 {
            let mut number = |most: f64| most * rng.next_unit();
            let top = 4 + round as u8 % 2;
            let viewers: Vec<Viewer> = (0..1 + round % 4)
                .map(|_| {
                    let mut viewer = viewer_at(number(3000.0), number(3000.0), 100.0 + number(900.0));
                    // Distances that are not as far apart as they should be: what is too far to be split may have parts that are not.
                    for level in 0..round as u8 % 3 {
                        viewer.reach.limit(top - level, number(400.0));
                    }
                    viewer
                })
                .collect();
            let now = Cover::select(&layout(), top, &viewers, 50.0, &before);
            let is_near = |chunk: ChunkCoord, was_split: bool| {
                viewers.iter().any(|viewer| {
                    let reach = &viewer.reach;
                    let near = if was_split { reach.stay_split(chunk.level) } else { reach.split(chunk.level) };
                    viewer.distance(&layout(), chunk) < near
                })
            };
            let (mut expected, mut left) = (HashSet::new(), now.roots().to_vec());
            while let Some(chunk) = left.pop() {
                if chunk.level > 0 && is_near(chunk, before.is_split(chunk)) {
                    held += usize::from(!is_near(chunk, false));
                    expected.insert(chunk);
                    left.extend(chunk.children());
                }
            }
            assert_eq!(now.split_chunks().collect::<HashSet<_>>(), expected, "round {round}");
            splits += expected.len();
            before = now;
        }
        assert!(splits > 3000 && held > 20, "{splits} split, {held} of them still");
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
    fn for_the_same_viewers_a_cover_stays_as_it_is() {
        let (mut rng, mut cover, mut with_more) = (NoiseRng::new(3, 0), Cover::default(), 0);
        for _ in 0..300 {
            let viewers = [(); 2].map(|()| {
                let [x, z, far] = [(); 3].map(|()| 600.0 * rng.next_unit());
                viewer_at(x, z, 300.0 + far)
            });
            let top = 3 + (3.0 * rng.next_unit()) as u8;
            let select = |previous: &Cover| Cover::select(&layout(), top, &viewers, 50.0, previous);
            let now = select(&cover);
            with_more += usize::from(now != select(&Cover::default()));
            assert_eq!(select(&now), now);
            cover = now;
        }
        assert!(with_more > 50, "only {with_more} covers held on to anything");
    }

    #[test]
    fn what_was_split_stays_split_when_the_roots_change_their_level() {
        let at =
            |x, top| move |previous: &Cover| Cover::select(&layout(), top, &[viewer_at(x, 0.0, 900.0)], 50.0, previous);
        let split = |cover: &Cover| cover.split_chunks().collect::<HashSet<_>>();
        let mut kept = 0;
        for step in 0..60 {
            let x = f64::from(step) * 1.7;
            for (from, to) in [(3, 5), (5, 3), (4, 4)] {
                // A step of a metre is within the hysteresis: what the finer levels of both have in common stays.
                let before = at(x, from)(&Cover::default());
                let (fresh, after) = (at(x + 1.0, to)(&Cover::default()), at(x + 1.0, to)(&before));
                let lasting: HashSet<_> =
                    split(&before).into_iter().filter(|chunk| chunk.level <= from.min(to)).collect();
                assert!(lasting.iter().all(|&chunk| after.is_split(chunk)), "from {from} to {to} at {x}");
                kept += lasting.difference(&split(&fresh)).count();
            }
        }
        assert!(kept > 10, "only {kept} chunks were about to be joined");
    }

    #[test]
    fn roots_stay_for_a_while_only_where_they_were_roots_before() {
        let at = |x, top, previous: &Cover| Cover::select(&layout(), top, &[viewer_at(x, 0.0, 900.0)], 50.0, previous);
        let mut stayed = 0;
        for step in 0..60 {
            let x = f64::from(step) * 7.3;
            let fresh = at(x + 20.0, 4, &Cover::default());
            for top in [3, 4, 5] {
                let after = at(x + 20.0, 4, &at(x, top, &Cover::default()));
                assert!(fresh.roots().iter().all(|&root| after.contains(root)));
                stayed += after.roots().len() - fresh.roots().len();
                assert!(top == 4 || after.roots() == fresh.roots(), "they were not there at level {top}");
            }
        }
        assert!(stayed > 10, "{stayed} roots stayed");
    }

    #[test]
    fn viewers_in_another_order_select_the_same_chunks() {
        let (a, b) = (viewer_at(0.0, 0.0, 600.0), viewer_at(1400.0, 300.0, 600.0));
        let before = select(&[viewer_at(-30.0, 10.0, 600.0), b], &Cover::default());
        assert_eq!(select(&[a, b], &before), select(&[b, a], &before));
        assert_eq!(select(&[a, b], &before).leaves(), select(&[b, a], &before).leaves());
    }

    #[test]
    fn an_absurd_view_distance_is_cut_and_detail_stays_near() {
        for (view_distance, pixel_error) in [(1e30, 0.0), (f64::from(f32::MAX), 0.25), (f64::MAX, 0.0)] {
            let point = ViewerPoint { view_distance, ..viewer_at(0.0, 0.0, 1.0).point };
            let top = Cover::top_level(&layout(), view_distance);
            let with_errors = |errors: &LevelErrors| {
                let viewer = Viewer::new(point, Reach::wanted(&layout(), errors, &point, pixel_error, top), (0.0, 0.0));
                Cover::select(&layout(), top, &[viewer], 0.0, &Cover::default())
            };
            let cover = with_errors(&ERRORS);
            assert!(cover.leaves().len() < 3 * Reach::MAX_CHUNKS as usize, "{} leaves", cover.leaves().len());
            // Without an error, every level reaches no further than it must.
            let (finest, least) = (cover.leaves_per_level()[0], with_errors(&LevelErrors::new()).leaves_per_level()[0]);
            assert!(finest > least, "{finest} of the finest chunks, and {least} at least");
        }
    }
}
