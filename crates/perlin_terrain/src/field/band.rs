//! Bands: where a number of a position, such as its height, is in a range.
//!
//! Masks of the field and layers of the ground have ranges of one shape: `from`, `to`, a `fade` outside of both, and `invert`. An end
//! at its limit is open: what lies beyond counts too.

use super::interval::Interval;
use crate::param::Param;
use std::f64::consts::FRAC_PI_2;

/// A range in plain numbers: from one end to the other, with a fade at both. An open end is infinite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlainRange {
    /// The lower end.
    pub from: f64,
    /// The upper end.
    pub to: f64,
    /// The fade outside of both ends.
    pub fade: f64,
    /// Whether the values outside count instead.
    pub invert: bool,
}

impl PlainRange {
    /// The range between the `ends`. An end at the limit of its parameter is open.
    pub fn new(ends: [f64; 2], fade: f64, invert: bool, limits: [&Param; 2]) -> Self {
        let [from, to] = ends;
        Self {
            from: if from > limits[0].min { from } else { f64::NEG_INFINITY },
            to: if to < limits[1].max { to } else { f64::INFINITY },
            fade,
            invert,
        }
    }

    /// Whether the range has all values.
    pub fn is_everything(self) -> bool {
        self.from == f64::NEG_INFINITY && self.to == f64::INFINITY && !self.invert
    }
}

/// Gives types with the fields of a range a method that returns it in plain numbers.
macro_rules! plain_ranges {
    ($($range:ty),+) => {$(
        impl $range {
            /// The range in plain numbers.
            pub(crate) fn plain(&self) -> $crate::field::PlainRange {
                let limits = [Self::FROM, Self::TO];
                $crate::field::PlainRange::new([self.from, self.to], self.fade, self.invert, limits)
            }
        }
    )+};
}
pub(crate) use plain_ranges;

/// A smooth band, compiled: 0 below `start`, 1 after a rise until `end`, 0 again after a fall. The other way round with `invert`.
/// `Band` in `layers.wesl` is its twin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Band {
    /// Where the rise starts.
    pub start: f32,
    /// One divided by the length of the rise.
    pub per_rise: f32,
    /// Far beyond all values without an upper end.
    pub end: f32,
    /// One divided by the length of the fall.
    pub per_fall: f32,
    /// Whether 0 and 1 are swapped.
    pub invert: bool,
}

impl Band {
    /// Where an open end lies: far beyond all values, and finite, as shaders need it.
    const OPEN: f32 = 1e30;

    /// Of a range of values that fades evenly.
    pub fn new(range: PlainRange) -> Self {
        let PlainRange { from, to, fade, invert } = range;
        Self::between([from - fade, to], [fade, fade], invert)
    }

    /// Of slopes as rise over run, for a range of angles. It fades evenly in rise over run.
    pub fn of_angles(range: PlainRange) -> Self {
        let PlainRange { from, to, fade, invert } = range;
        // A quarter turn has no slope.
        let slope = |angle: f64| {
            if angle.abs() < FRAC_PI_2 - 0.01 { libm::tan(angle) } else { f64::INFINITY.copysign(angle) }
        };
        let (start, end) = (slope(from - fade), slope(to));
        Self::between([start, end], [slope(from) - start, slope(to + fade) - end], invert)
    }

    /// From where the band starts to where it begins to end, with the lengths of its rise and its fall.
    fn between(ends: [f64; 2], lengths: [f64; 2], invert: bool) -> Self {
        let [start, end] = ends.map(|end| (end as f32).clamp(-Self::OPEN, Self::OPEN));
        // The length at an open end may be no number. Settings that were never checked may have a fade of 0.
        let [per_rise, per_fall] = lengths.map(|length| (1.0 / length.max(1e-6)) as f32);
        Self { start, per_rise, end, per_fall, invert }
    }

    /// Whether the band is 0 at all `values`.
    pub(super) fn is_zero_on(self, values: Interval) -> bool {
        let (low, high) = (values.low as f32, values.high as f32);
        if self.invert {
            // The band rises and then falls, so it is 1 between two positions where it is 1.
            return self.at(low) == 0.0 && self.at(high) == 0.0;
        }
        smooth((high - self.start) * self.per_rise) == 0.0 || smooth((low - self.end) * self.per_fall) == 1.0
    }

    /// The part of `values` outside of which the band is 0. All of them if it is inverted or is 0 at all of them.
    pub(super) fn nonzero_part(self, values: Interval) -> Interval {
        if self.invert || self.is_zero_on(values) {
            return values;
        }
        let end = f64::from(self.end) + 1.0 / f64::from(self.per_fall);
        Interval::new(values.low.max(self.start.into()), values.high.min(end))
    }

    /// Whether the band is 1 at all values, or nearly all.
    pub fn is_everything(self) -> bool {
        self.start <= -Self::OPEN && self.end >= Self::OPEN && !self.invert
    }

    /// The band at `value`.
    pub fn at(self, value: f32) -> f32 {
        let mut band = smooth((value - self.start) * self.per_rise);
        if self.end < Self::OPEN {
            band *= 1.0 - smooth((value - self.end) * self.per_fall);
        }
        if self.invert { 1.0 - band } else { band }
    }

    /// How far `value` is inside of the band, for bands of several values that share one border: 1 at the ends of the range and
    /// above inside of them, 0 where the band is 0 and below farther outside. `smooth` of it is [`at`](Self::at).
    pub fn ramp(self, value: f32) -> f32 {
        let ramp = ((value - self.start) * self.per_rise).min(1.0 - (value - self.end) * self.per_fall);
        if self.invert { 1.0 - ramp } else { ramp }
    }
}

/// 0 below 0, 1 above 1, and smooth between them.
pub(crate) fn smooth(t: f32) -> f32 {
    let t = if t > 0.0 { t } else { 0.0 };
    let t = if t < 1.0 { t } else { 1.0 };
    t * t * (3.0 - 2.0 * t)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::{HeightRange, LayerMask, NoiseMask, SlopeMask};
    use proptest::prelude::*;
    use testing::for_all;

    fn of_heights(range: &HeightRange) -> Band {
        Band::new(range.plain())
    }

    fn of_slopes(from: f64, to: f64) -> Band {
        Band::of_angles(SlopeMask { from, to, ..SlopeMask::default() }.plain())
    }

    #[test]
    fn bands_are_full_within_their_range_and_fade_outside() {
        let range = HeightRange { from: 100.0, to: 200.0, fade: 50.0, invert: false };
        let (band, inverted) = (of_heights(&range), of_heights(&HeightRange { invert: true, ..range }));
        for (height, expected) in
            [(0.0, 0.0), (50.0, 0.0), (75.0, 0.5), (100.0, 1.0), (200.0, 1.0), (225.0, 0.5), (250.0, 0.0)]
        {
            assert_eq!([band.at(height), inverted.at(height)], [expected, 1.0 - expected], "at {height} m");
        }
        let steep = of_slopes(0.6, 1.5);
        assert_eq!([0.0, 10.0, 1e6].map(|slope| steep.at(slope)), [0.0, 1.0, 1.0], "no upper end");
        assert!((steep.at(0.5_f32.tan()) - 0.5).abs() < 0.1);
        let gentle = of_slopes(0.0, 0.3);
        assert_eq!([0.0, 0.2, 1.0].map(|slope| gentle.at(slope)), [1.0, 1.0, 0.0]);
        let patches = Band::new(NoiseMask::default().plain());
        assert_eq!([-0.5, -0.1, 0.0, 0.1, 0.5].map(|noise| patches.at(noise)), [0.0, 0.0, 0.5, 1.0, 1.0]);
    }

    #[test]
    fn an_end_at_its_limit_is_open() {
        for range in [HeightRange::default().plain(), SlopeMask::default().plain()] {
            assert!(range.is_everything());
            assert!([-1e9, 0.0, 1e9].iter().all(|&value| Band::new(range).at(value) == 1.0));
            assert!([0.0, 1.0, 1e9].iter().all(|&slope| Band::of_angles(range).at(slope) == 1.0));
            assert!(!PlainRange { invert: true, ..range }.is_everything());
        }
        let high = HeightRange { from: 0.6, ..HeightRange::default() }.plain();
        assert_eq!((high.from, high.to), (0.6, f64::INFINITY));
        let patches = [NoiseMask::default().plain(), LayerMask::default().plain()];
        assert!(patches.iter().all(|range| range.to == f64::INFINITY && Band::new(*range).at(1e9) == 1.0));
    }

    #[test]
    fn no_band_jumps() {
        let all = [
            (of_heights(&HeightRange::default()), 100.0),
            (of_slopes(0.6, 1.5), 4.0),
            (of_slopes(1.5, 1.5), 40.0),
            (Band::of_angles(SlopeMask { to: 1.0, fade: 0.5, ..SlopeMask::default() }.plain()), 40.0),
            (Band::new(NoiseMask { fade: 0.001, ..NoiseMask::default() }.plain()), 2.0),
        ];
        for (band, reach) in all {
            let values: Vec<f32> = (0..100_000).map(|i| band.at((i as f32 / 50_000.0 - 1.0) * reach)).collect();
            assert!(values.iter().all(|value| (0.0..=1.0).contains(value)));
            assert!(values.windows(2).all(|pair| (pair[0] - pair[1]).abs() < 0.2), "{band:?}");
        }
    }

    #[test]
    fn a_ramp_is_the_band_before_it_is_smoothed() {
        for invert in [false, true] {
            for (from, to) in [(-2e4, 200.0), (100.0, 2e4), (100.0, 200.0)] {
                let band = of_heights(&HeightRange { from, to, fade: 50.0, invert });
                for height in (0..300).map(|height| height as f32) {
                    let (at, ramp) = (band.at(height), band.ramp(height));
                    assert!((smooth(ramp) - at).abs() < 1e-6, "{ramp} and {at} at {height} m of {band:?}");
                }
            }
        }
        let band = of_heights(&HeightRange { from: 100.0, to: 400.0, fade: 50.0, invert: false });
        assert_eq!([0.0, 100.0, 250.0, 500.0].map(|height| band.ramp(height)), [-1.0, 1.0, 4.0, -1.0]);
    }

    #[test]
    fn a_band_is_zero_outside_of_its_part_of_some_values() {
        let ranges = (-50.0..50.0, 0.0..40.0, 0.1..30.0, any::<bool>());
        for_all(1000, (ranges, -100.0..100.0, 0.0..150.0), |((from, width, fade, invert), low, length)| {
            let band = Band::new(PlainRange { from, to: from + width, fade, invert });
            let values = Interval::new(low, low + length);
            let part = band.nonzero_part(values);
            assert!(values.low <= part.low && part.high <= values.high);
            for i in 0..=100 {
                let value = low + length * f64::from(i) / 100.0;
                let is_zero = band.at(value as f32) == 0.0;
                // The ends are rounded to f32.
                assert!(is_zero || (part.low - 1e-4..=part.high + 1e-4).contains(&value), "{value} of {band:?}");
                assert!(is_zero || !band.is_zero_on(values), "{value} of {band:?}");
            }
        });
    }
}
