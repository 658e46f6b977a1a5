//! Which chunks come new, when one cover follows another.

use super::Cover;
use crate::chunk::ChunkCoord;

impl Cover {
    /// The [chunks](Self::chunks) of this cover that are not part of the one `before`.
    ///
    /// One walk through the trees of both, which looks up the roots alone.
    #[must_use]
    pub fn chunks_since(&self, before: &Self) -> Vec<ChunkCoord> {
        let mut news = Vec::new();
        for (index, &root) in self.roots.iter().enumerate() {
            self.add_chunks_since(index, before, before.find(root), &mut news);
        }
        news
    }

    /// Adds the chunk at `index`, which lay at `at` in the cover `before` if it was part of it, and those below it.
    fn add_chunks_since(&self, index: usize, before: &Self, at: Option<usize>, news: &mut Vec<ChunkCoord>) {
        let chunk = self.nodes[index].chunk;
        if at.is_none() {
            news.push(chunk);
        }
        if !self.is_split_at(index) {
            return;
        }
        let children = self.nodes[index].children as usize;
        for number in 0..4 {
            let child = children + number;
            let at = match at {
                Some(at) => before.child(at, number),
                // Its roots lay below this one.
                None if chunk.level == before.top + 1 => before.find_root(self.nodes[child].chunk),
                None => None,
            };
            self.add_chunks_since(child, before, at, news);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixtures::{layout, select, viewer_at};
    use super::*;
    use crate::chunk::{Reach, Viewer};
    use std::collections::BTreeSet;

    #[test]
    fn all_chunks_are_new_that_were_not_part_of_the_cover_before() {
        let mut covers = vec![Cover::default()];
        for step in 0..30 {
            let place = f64::from(step * step) * 7.0;
            covers.push(select(&[viewer_at(place, -place, 900.0)], &covers[covers.len() - 1]));
        }
        let undivided = |top| {
            let viewer = viewer_at(6000.0, -6000.0, 900.0);
            let viewers = [Viewer { reach: Reach::none(&layout()), ..viewer }, viewer];
            [0, 1].map(|detail| Cover::select(&layout(), top, &viewers[detail..=detail], 0.0, &Cover::default()))
        };
        covers.extend([7, 3, 5].into_iter().flat_map(undivided));
        covers.push(Cover::default());
        let mut counts = Vec::new();
        for (before, now) in covers.windows(2).map(|pair| (&pair[0], &pair[1])) {
            let [old, new] = [before, now].map(|cover| cover.chunks().collect::<BTreeSet<_>>());
            let news = now.chunks_since(before);
            counts.push(news.len());
            let distinct: BTreeSet<_> = news.iter().copied().collect();
            assert_eq!(distinct.len(), news.len());
            assert_eq!(distinct, &new - &old);
        }
        assert!(counts.contains(&0) && counts.iter().any(|&count| count > 100), "{counts:?}");
    }
}
