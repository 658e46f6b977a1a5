//! Rectangles and lattices of ticks.

use crate::field::FieldArea;
use crate::noise::{FixedCoord, TICKS_PER_UNIT};

/// A rectangle of ticks. Both corners belong to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TickArea {
    pub low: [i64; 2],
    pub high: [i64; 2],
}

impl TickArea {
    /// All ticks up to `distance` metres from a point, along each axis.
    pub fn around(point: [FixedCoord; 2], distance: f64) -> Self {
        // One more for the fraction of a tick, and one for rounding.
        let distance = (distance * TICKS_PER_UNIT as f64).ceil() as i64 + 2;
        Self {
            low: point.map(|coord| coord.ticks.saturating_sub(distance)),
            high: point.map(|coord| coord.ticks.saturating_add(distance)),
        }
    }

    /// The smallest rectangle around both.
    pub fn hull(self, other: Self) -> Self {
        let pairs = |a: [i64; 2], b: [i64; 2], pick: fn(i64, i64) -> i64| [pick(a[0], b[0]), pick(a[1], b[1])];
        Self { low: pairs(self.low, other.low, i64::min), high: pairs(self.high, other.high, i64::max) }
    }

    /// The same in metres.
    pub fn metres(&self) -> FieldArea {
        let metres = |ticks: i64| ticks as f64 / TICKS_PER_UNIT as f64;
        FieldArea { min: self.low.map(metres), max: self.high.map(metres) }
    }

    /// The longer side in ticks.
    pub fn width(&self) -> i64 {
        let side = |axis: usize| self.high[axis].saturating_sub(self.low[axis]);
        side(0).max(side(1)).saturating_add(1)
    }
}

/// The ticks of a grid along one axis.
#[derive(Clone, Copy, Debug)]
pub(super) struct TickRow {
    first: i64,
    last: i64,
    /// 0 for ticks that do not rise, or that wrap around at the end of the world. Such a row is anywhere.
    step: i64,
    count: usize,
}

impl TickRow {
    /// `count` ticks from `first` on, wrapping around.
    pub fn new(first: i64, step: i64, count: usize) -> Self {
        let steps = (count as i64 - 1).max(0);
        let last = step.checked_mul(steps).and_then(|width| first.checked_add(width)).filter(|_| step > 0);
        last.map_or(Self { first, last: first, step: 0, count }, |last| Self { first, last, step, count })
    }

    /// Whether there is a tick from `low` to `high`. True for a row that is anywhere.
    pub fn meets(&self, low: i64, high: i64) -> bool {
        if self.step == 0 {
            return true;
        }
        if self.first > high || self.last < low {
            return false;
        }
        // Mostly without a division.
        self.first >= low || high.wrapping_sub(low) >= self.step - 1 || !self.within(low, high).is_empty()
    }

    /// The indices of the ticks from `low` to `high`. All of them for a row that is anywhere.
    pub fn within(&self, low: i64, high: i64) -> std::ops::Range<usize> {
        if self.step == 0 {
            return 0..self.count;
        }
        if self.count == 0 || self.first > high {
            return 0..0;
        }
        // Both differences are below 2^64, and not negative.
        let steps = |from: i64, to: i64, round_up: bool| {
            let ticks = to.wrapping_sub(from) as u64;
            let step = self.step as u64;
            if round_up { ticks.div_ceil(step) } else { ticks / step }
        };
        let start = if low <= self.first { 0 } else { steps(self.first, low, true) };
        let end = steps(self.first, high, false).min(self.count as u64 - 1) + 1;
        if start < end { start as usize..end as usize } else { 0..0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use testing::for_all;

    #[test]
    fn a_row_finds_its_ticks_between_two_others() {
        let row = (-50_i64..50, 1_i64..20, 0_usize..20);
        for_all(1000, (row, -100_i64..100, 0_i64..60), |((first, step, count), low, width)| {
            let row = TickRow::new(first, step, count);
            let all = (0..count).filter(|&i| (low..=low + width).contains(&(first + i as i64 * step)));
            assert_eq!(count > 0 && row.meets(low, low + width), all.clone().next().is_some());
            assert!(row.within(low, low + width).eq(all), "{row:?} from {low} to {}", low + width);
        });
    }

    #[test]
    fn rows_at_the_ends_of_the_world_find_nothing_in_between() {
        for first in [i64::MIN, i64::MAX - 1024 * 68] {
            assert!(!TickRow::new(first, 1024, 69).meets(-1000, 1000));
        }
    }
}
