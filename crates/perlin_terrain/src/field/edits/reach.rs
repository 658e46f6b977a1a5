//! How far edits change heights.

use crate::field::interval::Interval;

/// How far edits change heights, at any one position: a height within `bounds` stays within those of [`apply`](Self::apply).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Reach {
    /// The heights that edits bring the ground to. Infinite ends, the wrong way round, if there are none.
    to: Interval,
    /// How far they lower and raise it, in metres. The first is not above 0, the second not below.
    by: Interval,
    /// How many edits change a height, one after the other. Each rounds.
    count: f64,
}

impl Reach {
    /// That of no edit.
    pub const NONE: Self =
        Self { to: Interval::new(f64::INFINITY, f64::NEG_INFINITY), by: Interval::at(0.0), count: 0.0 };

    /// That of an edit that brings the ground to heights between two.
    pub fn to(a: f64, b: f64) -> Self {
        Self { to: Interval::at(a).hull(Interval::at(b)), count: 1.0, ..Self::NONE }
    }

    /// That of an edit that raises the ground by up to `height`, or lowers it.
    pub fn by(height: f64) -> Self {
        Self { by: Interval::at(0.0).hull(Interval::at(height)), count: 1.0, ..Self::NONE }
    }

    /// That of edits which may be at the same place.
    pub fn and(self, other: Self) -> Self {
        Self { to: self.to.hull(other.to), by: self.by + other.by, count: self.count + other.count }
    }

    /// That of edits which are never at the same place.
    pub fn or(self, other: Self) -> Self {
        Self { to: self.to.hull(other.to), by: self.by.hull(other.by), count: self.count.max(other.count) }
    }

    /// The bounds of edited heights, from those of the heights before.
    pub fn apply(self, bounds: Interval) -> Interval {
        let edited = bounds.hull(self.to) + self.by;
        edited.extended(self.count * edited.rounding())
    }
}
