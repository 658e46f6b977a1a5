//! Which chunks are near enough to a viewer to be split, and which it sees.

use crate::chunk::{ChunkCoord, ChunkLayout, LEVELS, LodRanges, Viewer};

/// A viewer with the squares of its distances.
///
/// It decides as [`Viewer::distance`] does, to the bit, but compares squares: a square root is taken only where two squares
/// are so close that rounding may matter. A selection looks at thousands of chunks.
pub(super) struct Sight<'a> {
    layout: &'a ChunkLayout,
    viewer: &'a Viewer,
    /// The squares of [`LodRanges::split`] and [`LodRanges::stay_split`] of each level.
    near: [[f64; 2]; LEVELS],
    /// The square of the height above or below all ground.
    height_gap: f64,
    /// A chunk that is too far away to be split has no part that is near enough.
    is_nested: bool,
}

/// What a chunk was in the previous tree.
#[derive(Clone, Copy, Default)]
pub(super) struct Before {
    pub was_split: bool,
    pub was_visible: bool,
}

/// What a viewer makes of a chunk.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Look {
    /// The chunk is near enough to be split, or to stay split.
    pub is_near: bool,
    /// The viewer sees some of it, or still does.
    pub is_visible: bool,
    /// Some of it lies within view, whatever its level.
    is_within_view: bool,
}

impl<'a> Sight<'a> {
    /// Squares that differ by less than this part of themselves are not compared: some thousand times what rounding changes.
    const CLOSE: f64 = 1e-12;

    pub fn new(layout: &'a ChunkLayout, viewer: &'a Viewer) -> Self {
        let near = std::array::from_fn(|level| Self::both(viewer, level as u8).map(|near| near * near));
        let is_nested = near.array_windows().all(|[[_, stay_split], [split, _]]| stay_split <= split);
        Self { layout, viewer, near, height_gap: viewer.height_gap * viewer.height_gap, is_nested }
    }

    /// Whether the viewer may split or see parts of a chunk that it looks at so.
    pub const fn concerns_parts(&self, look: Look) -> bool {
        look.is_near || look.is_within_view || !self.is_nested
    }

    /// Looks at one chunk.
    pub fn look(&self, chunk: ChunkCoord, before: Before) -> Look {
        self.decide(self.column(chunk), self.row(chunk), chunk, before)
    }

    /// Looks at four `children`, in the order of [`ChunkCoord::children`].
    pub fn look_at_children(&self, children: &[ChunkCoord; 4], before: [Before; 4]) -> [Look; 4] {
        let [first, _, _, last] = *children;
        let columns = [first, last].map(|child| self.column(child));
        let rows = [first, last].map(|child| self.row(child));
        std::array::from_fn(|number| {
            self.decide(columns[number & 1], rows[number >> 1], children[number], before[number])
        })
    }

    /// The square of the distance to `chunk` along x.
    fn column(&self, chunk: ChunkCoord) -> f64 {
        let gap = self.layout.gap(chunk.level, chunk.x, self.viewer.place()[0]);
        gap * gap
    }

    /// The square of the distance to `chunk` along z.
    fn row(&self, chunk: ChunkCoord) -> f64 {
        let gap = self.layout.gap(chunk.level, chunk.z, self.viewer.place()[1]);
        gap * gap
    }

    fn decide(&self, column: f64, row: f64, chunk: ChunkCoord, before: Before) -> Look {
        let square = column + row;
        let near = self.near[usize::from(chunk.level).min(LEVELS - 1)][usize::from(before.was_split)];
        let beyond = square + self.height_gap - near;
        let is_near = if beyond.abs() > near * Self::CLOSE {
            beyond < 0.0
        } else {
            let limit = Self::both(self.viewer, chunk.level)[usize::from(before.was_split)];
            self.viewer.distance(self.layout, chunk) < limit
        };
        let margin = LodRanges::HYSTERESIS * self.layout.chunk_size(chunk.level);
        let view = self.viewer.point.view_distance;
        // A part of a chunk may still be visible, by a margin that is smaller than the chunk's own.
        let is_within_view = view >= 0.0 && square <= (view + margin) * (view + margin);
        let has_level = chunk.level <= self.viewer.coarsest;
        let is_visible = has_level && is_within_view && (before.was_visible || square.sqrt() <= view);
        Look { is_near, is_visible, is_within_view }
    }

    fn both(viewer: &Viewer, level: u8) -> [f64; 2] {
        [viewer.ranges.split(level), viewer.ranges.stay_split(level)]
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
                let before = viewer.ranges;
                viewer.ranges.limit(level, at.max(0.0));
                borders[usize::from(viewer.ranges == before)] += 1;
            }
            let before = [(); 4].map(|()| Before { was_split: number(2.0) > 1.0, was_visible: number(2.0) > 1.0 });
            let sight = Sight::new(&layout, &viewer);
            let looks = sight.look_at_children(&children, before);
            for ((&child, look), before) in children.iter().zip(looks).zip(before) {
                let limit = if before.was_split { viewer.ranges.stay_split(level) } else { viewer.ranges.split(level) };
                let expected = viewer.distance(&layout, child) < limit;
                assert_eq!(look.is_near, expected, "{child:?} of {viewer:?}");
                assert_eq!(sight.look(child, before), look);
                nears[usize::from(expected)] += 1;
            }
        }
        assert!(nears.iter().all(|&count| count > 10_000) && borders[0] > 3000, "{nears:?}, {borders:?}");
    }
}
