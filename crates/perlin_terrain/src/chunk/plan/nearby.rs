//! Which viewers are near a chunk.

use crate::chunk::{ChunkCoord, ChunkLayout, Viewer};

/// Finds the viewers near a chunk without a look at all of them: a hundred players want ten thousand chunks.
pub(super) struct Nearby {
    /// The x and the number of each viewer, in the order of x.
    by_x: Vec<(f64, usize)>,
    /// The longest view distance of all, in metres.
    view: f64,
}

impl Nearby {
    pub fn new<'a>(viewers: impl Iterator<Item = &'a Viewer>) -> Self {
        let (mut by_x, mut view) = (Vec::new(), 0.0_f64);
        for (number, viewer) in viewers.enumerate() {
            by_x.push((viewer.xz()[0], number));
            view = view.max(viewer.point.view_distance);
        }
        by_x.sort_unstable_by(|(one, _), (other, _)| one.total_cmp(other));
        Self { by_x, view }
    }

    /// The numbers of all viewers that see any of `chunk`, or would from a side of it nearer, and maybe of some more.
    pub fn of(&self, layout: &ChunkLayout, chunk: ChunkCoord) -> impl Iterator<Item = usize> {
        let (west, size) = (layout.origin(chunk)[0], layout.chunk_size(chunk.level));
        let first = self.by_x.partition_point(|&(x, _)| x < west - self.view - size);
        let from_first = self.by_x[first..].iter().copied();
        let east = west + 2.0 * size + self.view;
        from_first.take_while(move |&(x, _)| x <= east).map(|(_, number)| number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chunk::quadtree::fixtures::{layout, viewer_at};
    use crate::noise::NoiseRng;

    #[test]
    fn every_viewer_that_sees_a_chunk_is_near_it_and_few_others_are() {
        let mut rng = NoiseRng::new(8, 0);
        let mut number = |max: f64| max * (rng.next_unit() - 0.5);
        let (mut near, mut seen) = (0, 0);
        for _ in 0..200 {
            let viewers: Vec<Viewer> =
                (0..100).map(|_| viewer_at(number(1e5), number(1e5), 1000.0 + number(1000.0))).collect();
            let nearby = Nearby::new(viewers.iter());
            let chunk = layout().chunk_at(3, number(1e5), number(1e5));
            let found: Vec<usize> = nearby.of(&layout(), chunk).collect();
            let sees = |viewer: &Viewer| {
                let margin = layout().chunk_size(chunk.level);
                layout().distance(chunk, viewer.xz()) <= viewer.point.view_distance + margin
            };
            for (number, _) in viewers.iter().enumerate().filter(|(_, viewer)| sees(viewer)) {
                assert!(found.contains(&number));
                seen += 1;
            }
            near += found.len();
        }
        assert!(seen > 0 && near < 200 * 10, "{near} near, {seen} of them see the chunk");
    }
}
