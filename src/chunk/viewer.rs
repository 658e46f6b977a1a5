//! Viewers: places around which terrain is drawn.

use super::{ChunkCoord, ChunkLayout, LodQuadtree, LodRanges};

/// A place from which terrain is seen, in the terrain's own coordinates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ViewerPoint {
    /// Place in metres along x, y and z.
    pub position: [f64; 3],
    /// Horizontal direction of view, of unit length; zero when looking straight up or down.
    pub forward: [f64; 2],
    /// View distance in metres.
    pub view_distance: f64,
    /// Pixels that a metre covers, seen from a metre away; see [`projection_scale`](Self::projection_scale).
    pub projection_scale: f64,
}

impl ViewerPoint {
    /// How sharply a viewport sees that is `height` pixels high and spans `field_of_view` radians from top to bottom: the
    /// pixels that a metre covers, seen from a metre away, at the center of the picture.
    #[must_use]
    pub fn projection_scale(height: f64, field_of_view: f64) -> f64 {
        height / (2.0 * libm::tan(field_of_view / 2.0))
    }

    /// Whether any ground of `chunk` lies within view, in plan.
    #[must_use]
    pub fn sees(&self, layout: &ChunkLayout, chunk: ChunkCoord) -> bool {
        layout.distance(chunk, self.place()) <= self.view_distance
    }

    /// Place on the ground plane, in metres along x and z.
    #[must_use]
    pub const fn place(&self) -> [f64; 2] {
        [self.position[0], self.position[2]]
    }

    /// Whether anything can be shown around this viewer: all numbers are finite.
    #[must_use]
    pub fn is_finite(&self) -> bool {
        let numbers = [self.view_distance, self.projection_scale];
        self.position.iter().chain(&self.forward).chain(&numbers).all(|number| number.is_finite())
    }
}

/// A viewer, with the ranges of its levels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Viewer {
    /// Where it is.
    pub point: ViewerPoint,
    /// The distances at which levels are split.
    pub ranges: LodRanges,
    /// The coarsest level that it sees: that which its view distance [needs](LodQuadtree::coarsest_level), or a coarser one if it
    /// is high above the ground.
    pub coarsest: u8,
    /// Its height above or below all ground, in metres: 0 between the lowest and the highest place that the ground can have.
    pub height_gap: f64,
}

impl Viewer {
    /// A viewer over ground between the heights `bounds`.
    #[must_use]
    pub fn new(layout: &ChunkLayout, point: ViewerPoint, ranges: LodRanges, bounds: (f32, f32)) -> Self {
        let (lowest, highest) = (f64::from(bounds.0), f64::from(bounds.1));
        let height_gap = (lowest - point.position[1]).max(point.position[1] - highest).max(0.0);
        let mut coarsest = LodQuadtree::coarsest_level(layout, point.view_distance);
        // From high above a short view, even the coarsest chunks that the view needs are too far away to be split for.
        let farthest = |level| {
            let in_plan = point.view_distance.max(0.0) + LodRanges::HYSTERESIS * layout.chunk_size(level);
            (in_plan * in_plan + height_gap * height_gap).sqrt()
        };
        while height_gap > 0.0 && coarsest < LodQuadtree::ROOT_LEVEL && ranges.split(coarsest + 1) <= farthest(coarsest)
        {
            coarsest += 1;
        }
        Self { point, ranges, coarsest, height_gap }
    }

    /// The margin by which chunks are loaded before they are drawn, in sides of the chunks that are split for it.
    pub const AHEAD: f64 = 0.25;

    /// The viewer for whom chunks are kept in memory, so that what this viewer is about to see is loaded in time: it sees
    /// further, and its ranges are larger, by the part [`AHEAD`](Self::AHEAD) of a chunk's side.
    #[must_use]
    pub fn ahead(&self, layout: &ChunkLayout) -> Self {
        let mut ahead = Self { ranges: self.ranges.widened(Self::AHEAD), ..*self };
        // The chunks on the horizon are about an eighth as large as the view.
        ahead.point.view_distance += Self::AHEAD * layout.chunk_size(self.coarsest) / 8.0;
        ahead
    }

    /// Place on the ground plane, in metres along x and z.
    #[must_use]
    pub const fn place(&self) -> [f64; 2] {
        self.point.place()
    }

    /// The smallest distance, in metres, that any ground of `chunk` can have from the viewer.
    #[must_use]
    pub fn distance(&self, layout: &ChunkLayout, chunk: ChunkCoord) -> f64 {
        let horizontal = layout.distance(chunk, self.place());
        (horizontal * horizontal + self.height_gap * self.height_gap).sqrt()
    }

    /// The build priority of `chunk`: less is sooner. It is 1 for a chunk that could wait until the viewer comes any nearer. A
    /// chunk ahead of the viewer comes before one to its side or behind it.
    #[must_use]
    pub fn priority(&self, layout: &ChunkLayout, chunk: ChunkCoord) -> f64 {
        let half = layout.chunk_size(chunk.level) / 2.0;
        let ([west, north], [x, z]) = (layout.origin(chunk), self.place());
        let (to_x, to_z) = (west + half - x, north + half - z);
        let ahead = (to_x * self.point.forward[0] + to_z * self.point.forward[1])
            / (to_x * to_x + to_z * to_z).sqrt().max(1e-9);
        let range = self.ranges.split(chunk.level + 1).max(1e-9);
        (self.distance(layout, chunk) + 0.1 * half) / range * (1.5 - 0.5 * ahead)
    }
}
