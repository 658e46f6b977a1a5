//! The coordinates of chunks, and the layout of chunks on the world grid.

use super::ChunkSettings;
use crate::field::{FieldArea, NodeGrid};
use std::cmp::Ordering;

/// The coordinates of a chunk: its level, and its position in the grid of chunks of that level.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "bevy_reflect", derive(bevy_reflect::Reflect))]
pub struct ChunkCoord {
    /// Level of detail. 0 is the finest. Each level doubles the size of a chunk and of its quads.
    pub level: u8,
    /// Position along x, in chunks of this level.
    pub x: i64,
    /// Position along z, in chunks of this level.
    pub z: i64,
}

impl ChunkCoord {
    /// A chunk of level 0.
    #[must_use]
    pub const fn finest(x: i64, z: i64) -> Self {
        Self { level: 0, x, z }
    }

    /// The chunk of the next coarser level that contains this one.
    #[must_use]
    pub const fn parent(self) -> Self {
        Self { level: self.level + 1, x: self.x >> 1, z: self.z >> 1 }
    }

    /// The chunk of `level` that contains this one. Returns the chunk itself if `level` is not coarser.
    #[must_use]
    pub const fn ancestor(self, level: u8) -> Self {
        let above = level.saturating_sub(self.level);
        // From 63 levels up, four chunks cover the whole grid.
        let shift = if above < 63 { above } else { 63 };
        Self { level: self.level + above, x: self.x >> shift, z: self.z >> shift }
    }

    /// The four chunks of the next finer level in this one. Empty at level 0.
    pub fn children(self) -> impl Iterator<Item = Self> {
        let count = if self.level == 0 { 0 } else { 4 };
        (0..count).map(move |number| self.child(number))
    }

    /// Child `number`, from 0 to 3. The level must not be 0.
    pub(super) const fn child(self, number: usize) -> Self {
        let (east, south) = ((number & 1) as i64, (number >> 1) as i64);
        Self { level: self.level - 1, x: self.x.wrapping_mul(2) + east, z: self.z.wrapping_mul(2) + south }
    }

    /// The chunk of the same level, `dx` chunks to the east and `dz` chunks to the south.
    #[must_use]
    pub const fn neighbor(self, dx: i64, dz: i64) -> Self {
        Self { level: self.level, x: self.x.wrapping_add(dx), z: self.z.wrapping_add(dz) }
    }

    /// Compares two chunks along the Z-order (Morton) curve, which visits the four [`children`](Self::children) of each chunk in
    /// their order. Returns `Equal` if the chunks are the same, or if one contains the other.
    #[must_use]
    pub fn compare_positions(self, other: Self) -> Ordering {
        let level = self.level.max(other.level);
        let (here, there) = (self.ancestor(level), other.ancestor(level));
        // The coarsest level at which the ancestors differ decides. There, the row counts before the column.
        let (apart_x, apart_z) = ((here.x ^ there.x) as u64, (here.z ^ there.z) as u64);
        let is_row = apart_z.leading_zeros() <= apart_x.leading_zeros();
        if is_row && apart_z != 0 { here.z.cmp(&there.z) } else { here.x.cmp(&there.x) }
    }
}

/// The number of levels.
pub const LEVELS: usize = 24;

/// The layout of chunks on the plane: their size and their positions.
///
/// Chunk `(0, 0)` of every level starts at the origin. A chunk includes its west and its north border. It shares the vertices of
/// all borders with its neighbors.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChunkLayout {
    quads: u32,
    spacing: f64,
}

impl ChunkLayout {
    /// The level of the roots of a quadtree.
    pub const ROOT_LEVEL: u8 = LEVELS as u8 - 2;

    /// The coarsest level that a viewer with this view distance, in metres, needs: the finest level whose chunks have at least twice
    /// that side length. One to four of them cover the view.
    #[must_use]
    pub fn coarsest_level(&self, view_distance: f64) -> u8 {
        (0..Self::ROOT_LEVEL).find(|&level| self.chunk_size(level) >= 2.0 * view_distance).unwrap_or(Self::ROOT_LEVEL)
    }

    /// Creates the layout of `settings`. Clamps values that are out of range.
    ///
    /// Rounds the spacing to a whole multiple of 1/1024 m. So the position of a vertex in its chunk is exact in `f32`. The corner of
    /// a chunk is exact up to 16 km from the origin for any spacing, and much farther for a round one: up to 67 000 km for 4 m. A
    /// GPU that adds both gets the same position from both sides of a border.
    #[must_use]
    pub fn new(settings: &ChunkSettings) -> Self {
        let spacing = if settings.spacing.is_finite() { settings.spacing.clamp(0.1, 100.0) } else { 1.0 };
        Self {
            quads: settings.quads.clamp(8, 128).next_power_of_two(),
            spacing: (spacing * Self::STEPS_PER_METRE).round() / Self::STEPS_PER_METRE,
        }
    }

    /// Spacings are whole multiples of a metre divided by this number.
    #[doc(hidden)]
    pub const STEPS_PER_METRE: f64 = 1024.0;

    /// Quads along each side of a chunk.
    #[must_use]
    pub const fn quads(&self) -> u32 {
        self.quads
    }

    /// Vertices along each side of a chunk, including those on both borders.
    #[must_use]
    pub const fn vertices(&self) -> u32 {
        self.quads + 1
    }

    /// Distance between neighboring vertices of a chunk of `level`, in metres.
    #[must_use]
    pub fn spacing(&self, level: u8) -> f64 {
        self.spacing * (1_u64 << level.min(62)) as f64
    }

    /// Side length of a chunk of `level`, in metres.
    #[must_use]
    pub fn chunk_size(&self, level: u8) -> f64 {
        self.spacing(level) * f64::from(self.quads)
    }

    /// The position of the north-west corner of `chunk`: x and z, in metres.
    #[must_use]
    pub fn origin(&self, chunk: ChunkCoord) -> [f64; 2] {
        self.grid(chunk, 0).position(0, 0)
    }

    /// The square of the vertices of `chunk`, with `apron` more on every side.
    #[must_use]
    pub fn area(&self, chunk: ChunkCoord, apron: u32) -> FieldArea {
        let grid = self.grid(chunk, apron);
        FieldArea { min: grid.position(0, 0), max: grid.position(grid.size[0] - 1, grid.size[1] - 1) }
    }

    /// The chunk of `level` that contains `(x, z)`. Saturates at the ends of the grid.
    #[must_use]
    pub fn chunk_at(&self, level: u8, x: f64, z: f64) -> ChunkCoord {
        let size = self.chunk_size(level);
        ChunkCoord { level, x: (x / size).floor() as i64, z: (z / size).floor() as i64 }
    }

    /// The vertices of `chunk` in the world grid, with `apron` more vertices of the same stride on every side.
    #[must_use]
    pub fn grid(&self, chunk: ChunkCoord, apron: u32) -> NodeGrid {
        let stride = 1_i64 << chunk.level.min(62);
        let quads = i64::from(self.quads);
        let corner = [chunk.x, chunk.z].map(|position| position.wrapping_mul(quads));
        NodeGrid {
            origin: corner.map(|first| first.wrapping_sub(apron.into()).wrapping_mul(stride)),
            stride,
            size: [(self.quads + 1 + 2 * apron) as usize; 2],
            spacing: self.spacing(0),
        }
    }

    /// The vertices of a square of `quads` by `quads` quads of level 0, whose north-west vertex has the index `corner`.
    #[must_use]
    pub const fn square(&self, corner: [i64; 2], quads: u32) -> NodeGrid {
        NodeGrid { origin: corner, stride: 1, size: [quads as usize + 1; 2], spacing: self.spacing }
    }

    /// Horizontal distance from `(x, z)` to the nearest point of `chunk`, in metres. 0 inside the chunk.
    #[must_use]
    pub fn distance(&self, chunk: ChunkCoord, [x, z]: [f64; 2]) -> f64 {
        let (x, z) = (self.gap(chunk.level, chunk.x, x), self.gap(chunk.level, chunk.z, z));
        (x * x + z * z).sqrt()
    }

    /// Distance along one axis from `position` to the nearest point of a chunk, in metres. `chunk` is its coordinate on that axis. 0
    /// inside the chunk, and for NaN.
    pub(super) fn gap(&self, level: u8, chunk: i64, position: f64) -> f64 {
        // A single instruction, unlike `f64::max`.
        let larger = |a: f64, b: f64| if a > b { a } else { b };
        let size = self.chunk_size(level);
        // Both factors are exact, so the result has the bits of the chunk's origin.
        let start = chunk as f64 * size;
        larger(larger(start - position, position - (start + size)), 0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::cell::Cell;
    use testing::for_all;

    #[test]
    fn children_have_the_chunk_as_their_parent() {
        for chunk in [ChunkCoord { level: 1, x: 0, z: 0 }, ChunkCoord { level: 5, x: -3, z: 7 }] {
            let children: Vec<_> = chunk.children().collect();
            assert_eq!(children.len(), 4);
            assert!(children.iter().all(|child| child.parent() == chunk && child.level + 1 == chunk.level));
            let layout = layout();
            let corner = layout.origin(children[0]);
            assert_eq!(corner, layout.origin(chunk));
            assert_eq!(layout.origin(children[3]), corner.map(|start| start + layout.chunk_size(children[0].level)));
        }
        assert_eq!(ChunkCoord::finest(3, 4).children().count(), 0);
    }

    #[test]
    fn an_ancestor_is_the_parent_of_parents() {
        for mut chunk in [ChunkCoord::finest(-7, 12), ChunkCoord { level: 3, x: i64::MAX, z: -1 }] {
            let start = chunk;
            assert_eq!(start.ancestor(0), start, "a finer level has no ancestor");
            for level in start.level..start.level + 66 {
                assert_eq!(start.ancestor(level), chunk);
                chunk = chunk.parent();
            }
        }
    }

    #[test]
    fn chunks_are_ordered_like_their_ancestors() {
        let any_chunk = || (0..6_u8, -4..4_i64, -4..4_i64).prop_map(|(level, x, z)| ChunkCoord { level, x, z });
        let orders = [0; 3].map(Cell::new);
        for_all(20_000, (any_chunk(), any_chunk()), |(one, other)| {
            let level = one.level.max(other.level);
            let path = |chunk: ChunkCoord| {
                (level..=level + 63).rev().map(move |level| chunk.ancestor(level)).map(|above| (above.z, above.x))
            };
            let expected = path(one).cmp(path(other));
            assert_eq!(one.compare_positions(other), expected);
            orders[(expected as i8 + 1) as usize].update(|count: u32| count + 1);
        });
        assert!(orders.iter().all(|count| count.get() > 100), "{orders:?}");
    }

    fn layout() -> ChunkLayout {
        ChunkLayout::new(&ChunkSettings { quads: 64, spacing: 2.0 })
    }

    #[test]
    fn a_position_is_in_the_chunk_that_is_found_for_it() {
        let layout = layout();
        for level in [0, 1, 5] {
            for (x, z) in [(0.0, 0.0), (-0.001, 127.9), (-128.0, 128.0), (1.0e7, -1.0e7), (5.5e9, 3.0)] {
                let chunk = layout.chunk_at(level, x, z);
                let [west, north] = layout.origin(chunk);
                let size = layout.chunk_size(level);
                assert!(west <= x && x < west + size, "x of {chunk:?}");
                assert!(north <= z && z < north + size, "z of {chunk:?}");
                assert_eq!(layout.distance(chunk, [x, z]), 0.0);
            }
        }
    }

    #[test]
    fn neighbors_share_their_border_indices() {
        let layout = layout();
        let chunk = ChunkCoord { level: 3, x: -4, z: 9 };
        let (here, east) = (layout.grid(chunk, 0), layout.grid(chunk.neighbor(1, 0), 0));
        assert_eq!(here.origin[0] + here.stride * 64, east.origin[0]);
        assert_eq!(here.origin[1], east.origin[1]);
    }

    #[test]
    fn a_border_vertex_has_the_same_f32_position_from_both_sides() {
        for spacing in [0.1, 0.3, 1.0 / 3.0, 4.0, 7.7, 99.99] {
            for quads in [8, 64, 128] {
                let layout = ChunkLayout::new(&ChunkSettings { quads, spacing });
                let step = layout.spacing(0) as f32;
                assert!((f64::from(step) - spacing).abs() < 0.0005, "{spacing} became {step}");
                for x in (-40..40).chain([1500, -1501]) {
                    let chunk = ChunkCoord::finest(x, 0);
                    let corner = |chunk| layout.origin(chunk)[0];
                    if corner(chunk).abs() > 16_000.0 {
                        continue;
                    }
                    let (here, next) = (corner(chunk) as f32, corner(chunk.neighbor(1, 0)) as f32);
                    assert_eq!(f64::from(here), corner(chunk), "the corner is exact");
                    assert_eq!(here + quads as f32 * step, next, "{spacing} m, {quads} quads, chunk {x}");
                }
            }
        }
    }

    #[test]
    fn distance_is_measured_to_the_nearest_point() {
        let layout = layout();
        let chunk = ChunkCoord::finest(1, 1);
        assert_eq!(layout.distance(chunk, [128.0 - 3.0, 128.0 - 4.0]), 5.0);
        assert_eq!(layout.distance(chunk, [200.0, 300.0]), 44.0);
    }
}
