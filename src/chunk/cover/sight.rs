//! Which chunks are near enough to a viewer to be split.

use crate::chunk::{ChunkCoord, ChunkLayout, LEVELS, Viewer};

/// A viewer, and how near each level has to be to it.
///
/// Decides as [`Viewer::distance`] does, to the bit, but compares squares: only where these are so close that rounding might
/// tell do roots have to be drawn. A selection asks for thousands of chunks.
pub(super) struct Sight<'a> {
    layout: &'a ChunkLayout,
    viewer: &'a Viewer,
    /// The distances of [`Reach::split`](crate::chunk::Reach::split) and [`stay_split`](crate::chunk::Reach::stay_split), squared,
    /// for each level.
    near: [[f64; 2]; LEVELS],
    /// How far above or below all ground the viewer is, squared.
    height_gap: f64,
    /// What is too far away to be split has no part that is near enough.
    is_nested: bool,
}

impl<'a> Sight<'a> {
    /// Squares that differ by less than this part of themselves are not compared: some thousand times what rounding changes.
    const CLOSE: f64 = 1e-12;

    pub(super) fn new(layout: &'a ChunkLayout, viewer: &'a Viewer) -> Self {
        let near = std::array::from_fn(|level| Self::both(viewer, level as u8).map(|near| near * near));
        let is_nested = near.array_windows().all(|[[_, stay_split], [split, _]]| stay_split <= split);
        Self { layout, viewer, near, height_gap: viewer.height_gap * viewer.height_gap, is_nested }
    }

    /// Whether any part of a split `chunk` may be near. None is where the whole is too far away, and is split for another viewer.
    pub(super) fn may_split_parts(&self, chunk: ChunkCoord) -> bool {
        !self.is_nested || self.is_near(chunk, false)
    }

    /// Whether `chunk` is near enough to be split, or, where it `was_split`, to stay so.
    pub(super) fn is_near(&self, chunk: ChunkCoord, was_split: bool) -> bool {
        let square = self.column(chunk) + self.row(chunk);
        self.decide(square, self.limits(chunk.level), chunk, was_split)
    }

    /// Adds to `near` which of four `children`, in the order of [`ChunkCoord::children`], are.
    pub(super) fn find_near(&self, children: &[ChunkCoord; 4], were_split: [bool; 4], near: &mut [bool; 4]) {
        let [first, _, _, last] = *children;
        let (columns, rows) =
            ([first, last].map(|child| self.column(child)), [first, last].map(|child| self.row(child)));
        let limits = self.limits(first.level);
        for (number, &child) in children.iter().enumerate() {
            near[number] |= self.decide(columns[number & 1] + rows[number >> 1], limits, child, were_split[number]);
        }
    }

    /// Square of the distance to `chunk` along x.
    fn column(&self, chunk: ChunkCoord) -> f64 {
        let gap = self.layout.gap(chunk.level, chunk.x, self.viewer.place()[0]);
        gap * gap
    }

    /// Square of the distance to `chunk` along z and from above or below.
    fn row(&self, chunk: ChunkCoord) -> f64 {
        let gap = self.layout.gap(chunk.level, chunk.z, self.viewer.place()[1]);
        gap * gap + self.height_gap
    }

    fn limits(&self, level: u8) -> [f64; 2] {
        self.near.get(usize::from(level)).copied().unwrap_or([f64::INFINITY; 2])
    }

    /// Whether `chunk` is near enough, the square of whose distance is about `square`.
    fn decide(&self, square: f64, limits: [f64; 2], chunk: ChunkCoord, was_split: bool) -> bool {
        let limit = limits[usize::from(was_split)];
        let beyond = square - limit;
        if beyond.abs() > limit * Self::CLOSE {
            return beyond < 0.0;
        }
        self.viewer.distance(self.layout, chunk) < Self::both(self.viewer, chunk.level)[usize::from(was_split)]
    }

    fn both(viewer: &Viewer, level: u8) -> [f64; 2] {
        [viewer.reach.split(level), viewer.reach.stay_split(level)]
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixtures::{layout, viewer_at};
    use super::*;
    use crate::noise::NoiseRng;

    #[test]
    fn squares_decide_as_distances_do_even_at_the_very_border() {
        let mut rng = NoiseRng::new(11, 0);
        let mut number = |most: f64| rng.next_unit() * most;
        let (layout, mut nears, mut borders) = (layout(), [0; 2], [0; 2]);
        for round in 0..20_000 {
            let far_away = [0.0, 1e4, 1e9][round % 3];
            let mut viewer = viewer_at(far_away + number(3000.0), number(3000.0), 4000.0);
            viewer.height_gap = [0.0, number(500.0)][round % 2];
            let level = 1 + number(6.0) as u8;
            let [x, z] = viewer.place();
            let beside = layout.chunk_at(level + 1, x + number(4000.0) - 2000.0, z + number(4000.0) - 2000.0);
            let children: Vec<ChunkCoord> = beside.children().collect();
            let children: [ChunkCoord; 4] = children.try_into().unwrap();
            // The distance of one of them may be the very limit, or the next number.
            if round % 5 > 0 {
                let at = viewer.distance(&layout, children[number(4.0) as usize]);
                let at = [at, at.next_up(), at.next_down(), at * (1.0 + 1e-13)][round % 5 - 1];
                let before = viewer.reach;
                viewer.reach.limit(level, at.max(0.0));
                borders[usize::from(viewer.reach == before)] += 1;
            }
            let were_split = [(); 4].map(|()| number(2.0) > 1.0);
            let sight = Sight::new(&layout, &viewer);
            let mut near = [false; 4];
            sight.find_near(&children, were_split, &mut near);
            for (number, &child) in children.iter().enumerate() {
                let limit = if were_split[number] { viewer.reach.stay_split(level) } else { viewer.reach.split(level) };
                let expected = viewer.distance(&layout, child) < limit;
                assert_eq!(near[number], expected, "{child:?} of {viewer:?}");
                assert_eq!(sight.is_near(child, were_split[number]), expected);
                nears[usize::from(expected)] += 1;
            }
        }
        assert!(nears.iter().all(|&count| count > 10_000) && borders[0] > 3000, "{nears:?}, {borders:?}");
    }

    #[test]
    fn one_viewer_takes_nothing_back_that_another_needs() {
        let (layout, viewer) = (layout(), viewer_at(0.0, 0.0, 10.0));
        let children: Vec<ChunkCoord> = ChunkCoord { level: 3, x: 4000, z: 4000 }.children().collect();
        let mut near = [true, false, true, false];
        Sight::new(&layout, &viewer).find_near(&children.try_into().unwrap(), [false; 4], &mut near);
        assert_eq!(near, [true, false, true, false]);
    }
}
