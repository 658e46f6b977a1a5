//! Where somebody looks at the terrain from.

use super::{ChunkCoord, ChunkLayout, Reach};

/// Where somebody looks at the terrain from, in the terrain's own coordinates, and how sharply.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ViewerPoint {
    /// Place in metres along x, y and z.
    pub position: [f64; 3],
    /// Horizontal direction of view, of unit length; zero when looking straight up or down.
    pub forward: [f64; 2],
    /// How far terrain is wanted, in metres.
    pub view_distance: f64,
    /// Pixels that a metre covers when it is seen from a metre away; see [`sharpness`](Self::sharpness).
    pub sharpness: f64,
}

impl ViewerPoint {
    /// How sharply a viewport sees that is `height` pixels high and spans `field_of_view` radians from top to bottom: the
    /// pixels that a metre covers, seen from a metre away, at the centre of the picture.
    #[must_use]
    pub fn sharpness(height: f64, field_of_view: f64) -> f64 {
        height / (2.0 * libm::tan(field_of_view / 2.0))
    }

    /// Whether any ground of `chunk` lies within view, in plan.
    #[must_use]
    pub fn sees(&self, layout: &ChunkLayout, chunk: ChunkCoord) -> bool {
        layout.distance(chunk, self.place()) <= self.view_distance
    }

    /// Whether both see some of the same ground, or nearly, in plan.
    #[must_use]
    pub fn is_beside(&self, other: &Self) -> bool {
        let far = self.view_distance + other.view_distance;
        self.place().iter().zip(other.place()).all(|(here, there)| (here - there).abs() <= far)
    }

    /// Place on the ground plane, in metres along x and z.
    #[must_use]
    pub const fn place(&self) -> [f64; 2] {
        [self.position[0], self.position[2]]
    }

    /// Whether anything can be shown around this viewer: all numbers are finite.
    #[must_use]
    pub fn is_finite(&self) -> bool {
        let numbers = [self.view_distance, self.sharpness];
        self.position.iter().chain(&self.forward).chain(&numbers).all(|number| number.is_finite())
    }
}

/// A viewer, and how far around it each level reaches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Viewer {
    /// Where it is.
    pub point: ViewerPoint,
    /// How far each level reaches.
    pub reach: Reach,
    /// How far above or below all ground it is, in metres: 0 between the lowest and the highest place that the ground can
    /// have.
    pub height_gap: f64,
}

impl Viewer {
    /// A viewer over ground between the heights `bounds`.
    #[must_use]
    pub fn new(point: ViewerPoint, reach: Reach, bounds: (f32, f32)) -> Self {
        let (lowest, highest) = (f64::from(bounds.0), f64::from(bounds.1));
        let height_gap = (lowest - point.position[1]).max(point.position[1] - highest).max(0.0);
        Self { point, reach, height_gap }
    }

    /// How much further than it is drawn each level is held in memory, in sides of the chunks that are split for it.
    pub const AHEAD: f64 = 0.25;

    /// The viewer whose [cover](super::Cover) is held in memory, so that what this viewer is about to see is there in time:
    /// it sees further, and every level reaches further, by the part [`AHEAD`](Self::AHEAD) of a side; the view by that of a
    /// chunk of level `top`, the level of the roots.
    #[must_use]
    pub fn ahead(&self, layout: &ChunkLayout, top: u8) -> Self {
        let mut ahead = Self { reach: self.reach.widened(Self::AHEAD), ..*self };
        ahead.point.view_distance += Self::AHEAD * layout.chunk_size(top);
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

    /// How urgent `chunk` is: less is sooner. 1 where the chunk could wait until the viewer comes any nearer; a chunk that
    /// the viewer looks at comes before one to its side or behind it.
    #[must_use]
    pub fn urgency(&self, layout: &ChunkLayout, chunk: ChunkCoord) -> f64 {
        let half = layout.chunk_size(chunk.level) / 2.0;
        let ([west, north], [x, z]) = (layout.origin(chunk), self.place());
        let (to_x, to_z) = (west + half - x, north + half - z);
        let ahead = (to_x * self.point.forward[0] + to_z * self.point.forward[1])
            / (to_x * to_x + to_z * to_z).sqrt().max(1e-9);
        let reach = self.reach.split(chunk.level + 1).max(1e-9);
        (self.distance(layout, chunk) + 0.1 * half) / reach * (1.5 - 0.5 * ahead)
    }
}
