//! The edges of all leaves at once.

use super::Cover;
use crate::chunk::{Edges, Side};

/// What lies beyond a side of a chunk.
#[derive(Clone, Copy)]
enum Beyond {
    /// The cover ends.
    Nothing,
    /// A leaf of a coarser level.
    Coarser,
    /// A chunk of the same level, and where it lies among the nodes.
    Same(usize),
}

impl Cover {
    /// The [`edges`](Self::edges) of every leaf, in the order of the [`leaves`](Self::leaves).
    ///
    /// One walk through the trees, which takes along what lies around each chunk, and looks up the neighbours of the roots
    /// alone, not those of every leaf.
    #[must_use]
    pub fn leaf_edges(&self) -> Vec<Edges> {
        let mut edges = Vec::with_capacity(self.leaves.len());
        for (index, &root) in self.roots.iter().enumerate() {
            let around = Side::ALL.map(|side| {
                let [dx, dz] = side.step();
                self.find_root(root.neighbour(dx, dz)).map_or(Beyond::Nothing, Beyond::Same)
            });
            self.add_leaf_edges(index, around, &mut edges);
        }
        edges
    }

    /// Adds the edges of the leaves in the chunk at `index`, which has `around` it, in the order of [`Side::ALL`].
    fn add_leaf_edges(&self, index: usize, around: [Beyond; 4], edges: &mut Vec<Edges>) {
        if !self.is_split_at(index) {
            edges.push(Edges::of(around.map(|beyond| matches!(beyond, Beyond::Coarser))));
            return;
        }
        let first = self.nodes[index].children as usize;
        let own = |number: usize| Beyond::Same(first + number);
        let [north, south, west, east] = around.map(|beyond| move |number: usize| self.part(beyond, number));
        // The children lie in rows from north to south, and each from west to east.
        self.add_leaf_edges(first, [north(2), own(2), west(1), own(1)], edges);
        self.add_leaf_edges(first + 1, [north(3), own(3), own(0), east(0)], edges);
        self.add_leaf_edges(first + 2, [own(0), south(0), west(3), own(3)], edges);
        self.add_leaf_edges(first + 3, [own(1), south(1), own(2), east(2)], edges);
    }

    /// What a child of a chunk has beyond its side, where that chunk has `beyond`: child number `number` of that, or a leaf that
    /// is coarser than the child.
    fn part(&self, beyond: Beyond, number: usize) -> Beyond {
        match beyond {
            Beyond::Same(index) => self.child(index, number).map_or(Beyond::Coarser, Beyond::Same),
            coarser_or_nothing => coarser_or_nothing,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixtures::{select, viewer_at};
    use super::*;

    #[test]
    fn every_leaf_has_the_edges_that_it_has_when_it_is_asked_for_alone() {
        let mut coarser = 0;
        for step in 0..40 {
            let place = f64::from(step) * 37.0;
            let viewers = [viewer_at(place, -place, 900.0), viewer_at(place - 900.0, 100.0, 40.0 * f64::from(step))];
            let cover = select(&viewers[..1 + step as usize % 2], &Cover::default());
            let expected: Vec<Edges> = cover.leaves().iter().map(|&leaf| cover.edges(leaf)).collect();
            assert_eq!(cover.leaf_edges(), expected);
            coarser += expected.iter().filter(|&&edges| edges != Edges::NONE).count();
        }
        assert!(coarser > 1000, "{coarser} leaves beside coarser ones");
        assert_eq!(Cover::default().leaf_edges(), []);
    }
}
