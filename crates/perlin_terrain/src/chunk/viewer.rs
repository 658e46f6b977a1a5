//! Viewers with their LOD ranges.

use super::{ChunkCoord, ChunkLayout, LodRanges, ViewerPoint};

/// A viewer with its LOD ranges.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Viewer {
    /// Its position and view.
    pub point: ViewerPoint,
    /// Its LOD ranges: the distances at which the chunks of each level are split.
    pub ranges: LodRanges,
    /// Its coarsest level: the level that its view distance [needs](ChunkLayout::coarsest_level), or a coarser one if it is high
    /// above the ground.
    pub coarsest: u8,
    /// Its height above or below all ground, in metres. 0 between the bounds of the height field.
    pub height_gap: f64,
}

impl Viewer {
    /// Creates a viewer. `bounds` are those of the height field.
    #[must_use]
    pub fn new(layout: &ChunkLayout, point: ViewerPoint, ranges: LodRanges, bounds: (f32, f32)) -> Self {
        let height_gap = point.height_gap(bounds);
        let mut coarsest = layout.coarsest_level(point.view_distance);
        // High above the ground, even the coarsest chunks that the view needs can be farther away than the distance at which their
        // parents are split. Draw the parents instead.
        let farthest = |level| {
            let in_plan = point.view_distance.max(0.0) + LodRanges::HYSTERESIS * layout.chunk_size(level);
            (in_plan * in_plan + height_gap * height_gap).sqrt()
        };
        while height_gap > 0.0 && coarsest < ChunkLayout::ROOT_LEVEL && ranges.split(coarsest + 1) <= farthest(coarsest)
        {
            coarsest += 1;
        }
        Self { point, ranges, coarsest, height_gap }
    }

    /// The margin by which chunks are loaded before they are drawn, in sides of the chunks that are split.
    pub const AHEAD: f64 = 0.25;

    /// Returns the viewer whose chunks are kept in memory, so that chunks are loaded before this viewer needs them. Its view
    /// distance and its LOD ranges are larger by a margin of [`AHEAD`](Self::AHEAD) chunk sides.
    #[must_use]
    pub fn ahead(&self, layout: &ChunkLayout) -> Self {
        let mut ahead = Self { ranges: self.ranges.widened(Self::AHEAD), ..*self };
        // Chunks at the horizon are about an eighth as large as a chunk of the coarsest level.
        ahead.point.view_distance += Self::AHEAD * layout.chunk_size(self.coarsest) / 8.0;
        ahead
    }

    /// Position on the ground plane: x and z, in metres.
    #[must_use]
    pub const fn xz(&self) -> [f64; 2] {
        self.point.xz()
    }

    /// A lower bound of the distance from the viewer to the ground of `chunk`, in metres.
    #[must_use]
    pub fn distance(&self, layout: &ChunkLayout, chunk: ChunkCoord) -> f64 {
        let horizontal = layout.distance(chunk, self.xz());
        (horizontal * horizontal + self.height_gap * self.height_gap).sqrt()
    }

    /// The build priority of `chunk`. Lower numbers are built first. It is about 1 at the distance at which the chunk becomes
    /// necessary. Chunks in front of the viewer are built before chunks beside or behind it.
    #[must_use]
    pub fn priority(&self, layout: &ChunkLayout, chunk: ChunkCoord) -> f64 {
        let half = layout.chunk_size(chunk.level) / 2.0;
        let ([west, north], [x, z]) = (layout.origin(chunk), self.xz());
        let (to_x, to_z) = (west + half - x, north + half - z);
        let ahead = (to_x * self.point.forward[0] + to_z * self.point.forward[1])
            / (to_x * to_x + to_z * to_z).sqrt().max(1e-9);
        let range = self.ranges.split(chunk.level + 1).max(1e-9);
        (self.distance(layout, chunk) + 0.1 * half) / range * (1.5 - 0.5 * ahead)
    }
}
