//! The stitch masks of all visible leaves at once.

use super::LodQuadtree;
use crate::chunk::{Side, StitchMask};

/// The neighbor beyond a side of a chunk.
#[derive(Clone, Copy)]
enum Beyond {
    /// No drawn chunk, or leaves that are not coarser.
    Nothing,
    /// A visible leaf of a coarser level.
    Coarser,
    /// The node of the same level with this index.
    Same(usize),
}

impl LodQuadtree {
    /// The [`stitch_mask`](Self::stitch_mask) of every visible leaf, in the order of the [`leaves`](Self::leaves).
    ///
    /// One pass over the tree that tracks the neighbors of each chunk. This is faster than one search per leaf.
    #[must_use]
    pub fn stitch_masks(&self) -> Vec<StitchMask> {
        let mut masks = Vec::with_capacity(self.leaves.len());
        for (index, &root) in self.roots.iter().enumerate() {
            let around = Side::ALL.map(|side| {
                let [dx, dz] = side.step();
                self.find_root(root.neighbor(dx, dz)).map_or(Beyond::Nothing, Beyond::Same)
            });
            self.add_masks(index, around, &mut masks);
        }
        masks
    }

    /// Adds the masks of the visible leaves in node `index`. `around` are its neighbors, in the order of [`Side::ALL`].
    fn add_masks(&self, index: usize, around: [Beyond; 4], masks: &mut Vec<StitchMask>) {
        let node = self.nodes[index];
        if !node.is_split() {
            if node.is_visible {
                masks.push(StitchMask::of(around.map(|beyond| matches!(beyond, Beyond::Coarser))));
            }
            return;
        }
        let first = node.children as usize;
        let own = |number: usize| Beyond::Same(first + number);
        let [north, south, west, east] = around.map(|beyond| move |number: usize| self.part(beyond, number));
        // The children lie in rows from north to south, and each row from west to east.
        self.add_masks(first, [north(2), own(2), west(1), own(1)], masks);
        self.add_masks(first + 1, [north(3), own(3), own(0), east(0)], masks);
        self.add_masks(first + 2, [own(0), south(0), west(3), own(3)], masks);
        self.add_masks(first + 3, [own(1), south(1), own(2), east(2)], masks);
    }

    /// The neighbor of a child, if its parent has the neighbor `beyond` on that side: child `number` of `beyond`, or a leaf that is
    /// coarser than the child.
    fn part(&self, beyond: Beyond, number: usize) -> Beyond {
        match beyond {
            Beyond::Same(index) => match self.child(index, number) {
                Some(child) => Beyond::Same(child),
                None if self.nodes[index].is_visible => Beyond::Coarser,
                None => Beyond::Nothing,
            },
            coarser_or_nothing => coarser_or_nothing,
        }
    }
}
