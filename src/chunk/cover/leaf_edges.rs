//! The edges of all leaves at once.

use super::Cover;
use crate::chunk::{Edges, Side};

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
                self.find_root(root.neighbour(dx, dz))
            });
            self.add_leaf_edges(index, around, &mut edges);
        }
        edges
    }

    /// Adds the edges of the leaves in the chunk at `index`. `around` are the chunks on its sides, of the same level or, where
    /// those are not split, coarser; none at the end of the cover.
    fn add_leaf_edges(&self, index: usize, around: [Option<usize>; 4], edges: &mut Vec<Edges>) {
        let level = self.nodes[index].chunk.level;
        if !self.is_split_at(index) {
            let is_coarser = |beyond: usize| !self.is_split_at(beyond) && self.nodes[beyond].chunk.level > level;
            let sides = Side::ALL.into_iter().zip(around).filter(|(_, beyond)| beyond.is_some_and(is_coarser));
            edges.push(sides.fold(Edges::NONE, |edges, (side, _)| edges.with(side)));
            return;
        }
        let children = self.nodes[index].children as usize;
        for number in 0..4 {
            let mut around = around;
            for (side, around) in Side::ALL.into_iter().zip(&mut around) {
                // Across a side lies the child beside this one, of the same chunk or of the one beyond.
                let bit = if matches!(side, Side::West | Side::East) { 1 } else { 2 };
                let is_outer = (number & bit != 0) == matches!(side, Side::East | Side::South);
                *around = if is_outer {
                    around.map(|beyond| self.child(beyond, number ^ bit).unwrap_or(beyond))
                } else {
                    Some(children + (number ^ bit))
                };
            }
            self.add_leaf_edges(children + number, around, edges);
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
