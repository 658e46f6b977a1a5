//! Decides for one viewer which chunks are near enough to be split, and which are visible.

use crate::chunk::{ChunkCoord, ChunkLayout, LEVELS, LodRanges, Viewer};

/// A viewer with the squares of its LOD ranges.
///
/// A selection tests thousands of chunks, so this compares squares of distances. It computes a square root only if two squares are
/// so close that rounding may matter. All decisions are exactly those of [`Viewer::distance`].
pub(super) struct Sight<'a> {
    layout: &'a ChunkLayout,
    viewer: &'a Viewer,
    /// The squares of [`LodRanges::split`] and [`LodRanges::stay_split`] of each level.
    near: [[f64; 2]; LEVELS],
    /// The square of the height above or below all ground.
    height_gap: f64,
    /// Whether the children of a chunk that is too far away to be split are also too far away.
    is_nested: bool,
}

/// The state of a chunk in the previous tree.
#[derive(Clone, Copy, Default)]
pub(super) struct Before {
    pub was_split: bool,
    pub was_visible: bool,
}

/// The decisions of one viewer about a chunk.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Look {
    /// Whether the chunk is near enough to be split, or to stay split.
    pub is_near: bool,
    /// Whether a part of the chunk is visible, or stays visible by hysteresis.
    pub is_visible: bool,
    /// Whether a part of the chunk, or of a child, may be within the view distance, whatever its level.
    is_within_view: bool,
}

impl<'a> Sight<'a> {
    /// Squares with a smaller relative difference are too close to compare. About a thousand times the rounding error.
    const CLOSE: f64 = 1e-12;

    pub fn new(layout: &'a ChunkLayout, viewer: &'a Viewer) -> Self {
        let near = std::array::from_fn(|level| Self::both(viewer, level as u8).map(|near| near * near));
        let is_nested = near.array_windows().all(|[[_, stay_split], [split, _]]| stay_split <= split);
        Self { layout, viewer, near, height_gap: viewer.height_gap * viewer.height_gap, is_nested }
    }

    /// Whether the viewer may split or see children of a chunk with this `look`.
    pub const fn concerns_parts(&self, look: Look) -> bool {
        look.is_near || look.is_within_view || !self.is_nested
    }

    /// Decides about one chunk.
    pub fn look(&self, chunk: ChunkCoord, before: Before) -> Look {
        self.decide(self.column(chunk), self.row(chunk), chunk, before)
    }

    /// Decides about four `children`, in the order of [`ChunkCoord::children`].
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
        let gap = self.layout.gap(chunk.level, chunk.x, self.viewer.xz()[0]);
        gap * gap
    }

    /// The square of the distance to `chunk` along z.
    fn row(&self, chunk: ChunkCoord) -> f64 {
        let gap = self.layout.gap(chunk.level, chunk.z, self.viewer.xz()[1]);
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
        // The margin of a child is smaller, so a child outside of this margin is not visible.
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
    use proptest::array::{uniform2, uniform4};
    use proptest::option;
    use proptest::prelude::*;
    use proptest::sample::select;
    use std::cell::Cell;
    use testing::for_all;

    /// A chunk, a viewer and a previous state of the four children of the chunk.
    #[derive(Clone, Debug)]
    struct Case {
        viewer: [f64; 2],
        height_gap: Option<f64>,
        /// The level of the children.
        level: u8,
        /// The position of the chunk, relative to the viewer.
        offset: [f64; 2],
        /// If set, the LOD range of the level ends at the distance of this child, or at a number next to it.
        border: Option<(usize, Nudge)>,
        before: [(bool, bool); 4],
    }

    #[derive(Clone, Copy, Debug)]
    enum Nudge {
        None,
        Up,
        Down,
        Close,
    }

    fn any_case() -> impl Strategy<Value = Case> {
        let position = (select(vec![0.0, 1e4, 1e9]), uniform2(0.0..3000.0));
        let border = (0..4_usize, select(vec![Nudge::None, Nudge::Up, Nudge::Down, Nudge::Close]));
        let before = uniform4((any::<bool>(), any::<bool>()));
        let chunk = (1..7_u8, uniform2(-2000.0..2000.0));
        let height_gap = option::of(0.0..500.0);
        (position, height_gap, chunk, option::weighted(0.8, border), before).prop_map(
            |((far, [x, z]), height_gap, (level, offset), border, before)| Case {
                viewer: [far + x, z],
                height_gap,
                level,
                offset,
                border,
                before,
            },
        )
    }

    #[test]
    fn decisions_by_squares_equal_decisions_by_distances_even_at_the_border() {
        let (layout, near, borders) = (layout(), [(); 2].map(|()| Cell::new(0)), Cell::new(0));
        for_all(20_000, any_case(), |case| {
            let Case { viewer: [x, z], height_gap, level, offset, border, before } = case;
            let mut viewer = viewer_at(x, z, 4000.0);
            viewer.height_gap = height_gap.unwrap_or_default();
            let chunk = layout.chunk_at(level + 1, x + offset[0], z + offset[1]);
            let children: [ChunkCoord; 4] = std::array::from_fn(|number| chunk.child(number));
            if let Some((child, nudge)) = border {
                let at = viewer.distance(&layout, children[child]);
                let at = match nudge {
                    Nudge::None => at,
                    Nudge::Up => at.next_up(),
                    Nudge::Down => at.next_down(),
                    Nudge::Close => at * (1.0 + 1e-13),
                };
                let ranges = viewer.ranges;
                viewer.ranges.limit(level, at.max(0.0));
                borders.set(borders.get() + usize::from(viewer.ranges != ranges));
            }
            let before = before.map(|(was_split, was_visible)| Before { was_split, was_visible });
            let sight = Sight::new(&layout, &viewer);
            let looks = sight.look_at_children(&children, before);
            for ((&child, look), before) in children.iter().zip(looks).zip(before) {
                let limit = if before.was_split { viewer.ranges.stay_split(level) } else { viewer.ranges.split(level) };
                let expected = viewer.distance(&layout, child) < limit;
                assert_eq!(look.is_near, expected, "{child:?} of {viewer:?}");
                assert_eq!(sight.look(child, before), look);
                near[usize::from(expected)].set(near[usize::from(expected)].get() + 1);
            }
        });
        let (near, borders) = (near.map(Cell::into_inner), borders.into_inner());
        assert!(near.iter().all(|&count| count > 10_000) && borders > 3000, "{near:?}, {borders}");
    }
}
