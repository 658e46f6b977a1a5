//! The chunks of a cover by their numbers, for what else is to be known of each.

use super::Cover;
use crate::chunk::ChunkCoord;
use std::ops::Range;

impl Cover {
    /// Where `chunk` lies among the [chunks](Self::chunks), if it is one of them.
    #[must_use]
    pub fn number(&self, chunk: ChunkCoord) -> Option<usize> {
        self.find(chunk)
    }

    /// Chunk number `number` of the [chunks](Self::chunks).
    ///
    /// # Panics
    ///
    /// Where there are not so many.
    #[must_use]
    pub fn chunk(&self, number: usize) -> ChunkCoord {
        self.nodes[number].chunk
    }

    /// The numbers of the four children of chunk number `number`; of none if it is not split.
    ///
    /// # Panics
    ///
    /// Where there are not so many chunks.
    #[must_use]
    pub fn children(&self, number: usize) -> Range<usize> {
        let first = self.nodes[number].children as usize;
        first..if self.is_split_at(number) { first + 4 } else { first }
    }

    /// The numbers of all chunks that are split, and of the four children of each.
    pub fn families(&self) -> impl Iterator<Item = (usize, Range<usize>)> {
        (0..self.nodes.len()).filter(|&number| self.is_split_at(number)).map(|number| (number, self.children(number)))
    }

    /// The number that each of the [chunks](Self::chunks) has in the cover `before`, if it is part of that.
    ///
    /// One walk through the trees of both, which looks up the roots alone.
    #[must_use]
    pub fn numbers_in(&self, before: &Self) -> Vec<Option<usize>> {
        let mut numbers = vec![None; self.nodes.len()];
        for (number, &root) in numbers.iter_mut().zip(&self.roots) {
            *number = before.find(root);
        }
        // Parents come before their children.
        for (number, children) in self.families() {
            let there = numbers[number];
            // The roots of the other cover may lie below this chunk.
            let are_roots = there.is_none() && self.chunk(number).level == before.top + 1;
            for (index, child) in children.enumerate() {
                numbers[child] = match there {
                    Some(there) => before.child(there, index),
                    None if are_roots => before.find_root(self.chunk(child)),
                    None => None,
                };
            }
        }
        numbers
    }

    /// The number that each of the [leaves](Self::leaves) has among the chunks of `other`, if it is one of them. A walk, as
    /// [`numbers_in`](Self::numbers_in) is.
    #[must_use]
    pub fn leaf_numbers_in(&self, other: &Self) -> Vec<Option<usize>> {
        let numbers = self.numbers_in(other);
        let mut of_leaves = Vec::with_capacity(self.leaves.len());
        let mut left: Vec<usize> = (0..self.roots.len()).rev().collect();
        while let Some(number) = left.pop() {
            if self.is_split_at(number) {
                left.extend(self.children(number).rev());
            } else {
                of_leaves.push(numbers[number]);
            }
        }
        of_leaves
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixtures::{layout, select, viewer_at};
    use super::*;
    use crate::chunk::{Reach, Viewer};

    #[test]
    fn every_chunk_has_the_number_by_which_it_is_found() {
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
            let numbers = now.numbers_in(before);
            let expected: Vec<_> = now.chunks().map(|chunk| before.number(chunk)).collect();
            assert_eq!(numbers, expected);
            let expected: Vec<_> = now.leaves().iter().map(|&leaf| before.number(leaf)).collect();
            assert_eq!(now.leaf_numbers_in(before), expected);
            counts.push(numbers.iter().flatten().count());
        }
        assert!(counts.contains(&0) && counts.iter().any(|&count| count > 100), "{counts:?}");
    }

    #[test]
    fn chunks_are_numbered_in_their_order_and_families_are_complete() {
        let cover = select(&[viewer_at(3.0, -5.0, 900.0)], &Cover::default());
        for (number, chunk) in cover.chunks().enumerate() {
            assert_eq!((cover.number(chunk), cover.chunk(number)), (Some(number), chunk));
            let children: Vec<_> = cover.children(number).map(|child| cover.chunk(child)).collect();
            let expected: Vec<_> = chunk.children().filter(|_| cover.is_split(chunk)).collect();
            assert_eq!(children, expected);
        }
        let parents: Vec<_> = cover.families().map(|(number, _)| cover.chunk(number)).collect();
        let split: Vec<_> = cover.chunks().filter(|&chunk| cover.is_split(chunk)).collect();
        assert!(split.len() > 10);
        assert_eq!(parents, split);
        assert!(cover.families().all(|(number, children)| children == cover.children(number)));
    }
}
