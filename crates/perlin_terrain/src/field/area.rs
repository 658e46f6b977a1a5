//! Rectangles of the ground plane.

/// A rectangle of the ground plane, in metres. Its borders belong to it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FieldArea {
    /// The lowest x and z.
    pub min: [f64; 2],
    /// The highest x and z.
    pub max: [f64; 2],
}

impl FieldArea {
    /// Whether this area and another one have a point in common.
    #[must_use]
    pub fn meets(&self, other: &Self) -> bool {
        (0..2).all(|axis| self.min[axis] <= other.max[axis] && other.min[axis] <= self.max[axis])
    }

    /// The smallest area around both.
    #[must_use]
    pub fn hull(&self, other: &Self) -> Self {
        let pick = |a: [f64; 2], b: [f64; 2], pick: fn(f64, f64) -> f64| [pick(a[0], b[0]), pick(a[1], b[1])];
        Self { min: pick(self.min, other.min, f64::min), max: pick(self.max, other.max, f64::max) }
    }

    /// The area and all points up to `distance` metres from it along each axis.
    #[must_use]
    pub fn widened(&self, distance: f64) -> Self {
        Self { min: self.min.map(|along| along - distance), max: self.max.map(|along| along + distance) }
    }

    /// The smallest area around a point and all points up to `distance` metres from it along each axis.
    #[must_use]
    pub fn around(point: [f64; 2], distance: f64) -> Self {
        Self { min: point, max: point }.widened(distance)
    }
}
