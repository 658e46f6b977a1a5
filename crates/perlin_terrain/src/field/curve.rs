//! Curves: a new height for each height.

use super::interval::Interval;
use crate::param::params;
use serde::{Deserialize, Serialize};

/// Gives each height a new one: a smooth curve through points.
///
/// Between two points the curve rises if the second one has the higher `to`, falls if it has the lower one, and is level if both are
/// equal. It never overshoots. Beyond the first and the last point it goes straight on, as steep as from that point to its neighbor.
/// So two last points with equal `to` make a plateau above. Without points nothing changes; one point raises or lowers all of the
/// ground.
///
/// ```
/// use perlin_terrain::field::{Curve, CurvePoint, FieldSettings, HeightField, LayerKind};
///
/// let points = vec![CurvePoint { from: 0.0, to: 0.0 }, CurvePoint { from: 100.0, to: 40.0 }];
/// let layers = vec![LayerKind::Curve(Curve { points }).into()];
/// let field = HeightField::new(&FieldSettings { base_height: 50.0, layers, ..Default::default() });
/// assert_eq!(field.height(1.0, 2.0), 20.0);
/// ```
#[params]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bevy_reflect", derive(bevy_reflect::Reflect))]
#[serde(deny_unknown_fields, default)]
pub struct Curve {
    /// The points, from low to high: up to 32, and each `from` at least 0.1 m above the one before.
    ///
    /// The default is four points that make a plain and a plateau of the default hills, with a steep slope between.
    #[param(default = points([(0.0, 18.0), (25.0, 23.0), (35.0, 43.0), (60.0, 48.0)]))]
    pub points: Vec<CurvePoint>,
}

impl Curve {
    /// The largest number of points.
    pub const MAX_POINTS: usize = 32;

    /// The least distance from one [`from`](CurvePoint::from) to the next, in metres.
    pub const MIN_DISTANCE: f64 = 0.1;

    /// A point above the last one that lies on the curve, so that adding it changes nothing. `None` if there is no room for it.
    pub(crate) fn next_point(&self) -> Option<CurvePoint> {
        let next = match &self.points[..] {
            [] => CurvePoint::default(),
            [only] => CurvePoint { from: only.from + 100.0, to: only.to + 100.0 },
            [.., before, last] => CurvePoint { from: 2.0 * last.from - before.from, to: 2.0 * last.to - before.to },
        };
        let is_allowed =
            next.from <= CurvePoint::FROM.max && (CurvePoint::TO.min..=CurvePoint::TO.max).contains(&next.to);
        (self.points.len() < Self::MAX_POINTS && is_allowed).then_some(next)
    }

    /// The index of each point that is not far enough above the point before it.
    pub(super) fn unordered_points(&self) -> impl Iterator<Item = usize> {
        let pairs = self.points.windows(2).enumerate();
        pairs.filter(|(_, pair)| !is_above(pair[1].from, pair[0].from)).map(|(index, _)| index + 1)
    }
}

fn points<const N: usize>(points: [(f64, f64); N]) -> Vec<CurvePoint> {
    points.map(|(from, to)| CurvePoint { from, to }).into()
}

/// Whether one `from` is far enough above another. Written decimals that are a tenth apart may differ by less.
fn is_above(from: f64, before: f64) -> bool {
    from - before >= Curve::MIN_DISTANCE - 1e-9
}

/// A point of a [`Curve`].
#[params]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bevy_reflect", derive(bevy_reflect::Reflect))]
#[serde(deny_unknown_fields, default)]
pub struct CurvePoint {
    /// A height of the ground below.
    #[param(default = 0.0, range = -2e4..=2e4, unit = "m")]
    pub from: f64,
    /// The height that it becomes.
    #[param(default = 0.0, range = -2e4..=2e4, unit = "m")]
    pub to: f64,
}

/// No height is further from 0 than this many metres after a curve. Steep curves on top of one another would have infinite ones.
const MAX_HEIGHT: f32 = 1e7;

/// A power of two above the number of points.
const TABLE: usize = 2 * Curve::MAX_POINTS;

/// A [`Curve`], compiled: a monotone cubic through its points.
///
/// With secants `D` between points that are `w` apart, the tangent of a point is 0 if the secants on both sides have different signs
/// or one is 0, and else `3 (w0 + w1) / ((2 w1 + w0) / D0 + (w1 + 2 w0) / D1)`. The tangents of the ends are the secants next to
/// them. No tangent is more than three times as steep as a secant next to it, so the cubic Hermite curve is monotone between points.
/// Its derivative is continuous.
///
/// Sources: F. N. Fritsch and R. E. Carlson, *Monotone piecewise cubic interpolation* (1980), for the condition; F. N. Fritsch and
/// J. Butland, *A method for constructing local monotone piecewise cubic interpolants* (1984), for the tangents.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct CurveTable {
    /// The heights at which the pieces after the first one start. Then infinity.
    starts: [f32; TABLE],
    /// The piece below the first point, one from each point to the next, and the piece above the last point. Then
    /// that piece again.
    pieces: [Piece; TABLE],
    /// The largest power of two that is not above the number of points.
    half: usize,
    points: usize,
    /// A bound of the rounding between points.
    rounding: f64,
}

/// `to + x (a + x (b + x c))` at the height `from + x`.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Piece {
    from: f32,
    to: f32,
    a: f32,
    b: f32,
    c: f32,
}

impl CurveTable {
    /// `None` without any points. Settings that were never checked may have any: points that are not allowed do not count.
    pub fn new(curve: &Curve) -> Option<Self> {
        let mut points: Vec<[f64; 2]> = Vec::new();
        for &CurvePoint { from, to } in curve.points.iter().take(Curve::MAX_POINTS) {
            let is_allowed = [(from, CurvePoint::FROM), (to, CurvePoint::TO)]
                .iter()
                .all(|(height, param)| (param.min..=param.max).contains(height));
            if is_allowed && points.last().is_none_or(|&[before, _]| is_above(from, before)) {
                points.push([from, to]);
            }
        }
        // The pieces start at rounded heights and must meet there.
        points.iter_mut().flatten().for_each(|height| *height = f64::from(*height as f32));
        let (first, last) = (*points.first()?, *points.last()?);
        let tangents = tangents(&points);
        let line = |[from, to]: [f64; 2], slope: f64| Piece::new(from, to, [slope, 0.0, 0.0]);
        let (below, above) = (line(first, *tangents.first()?), line(last, *tangents.last()?));
        let mut table = Self {
            starts: [f32::INFINITY; TABLE],
            pieces: [above; TABLE],
            half: 1 << points.len().ilog2(),
            points: points.len(),
            rounding: 0.0,
        };
        let mut largest = first[1].abs();
        table.pieces[0] = below;
        for (index, (pair, slopes)) in points.windows(2).zip(tangents.windows(2)).enumerate() {
            let ([from, to], [end, end_to]) = (pair[0], pair[1]);
            let (width, rise) = (end - from, end_to - to);
            let (square, cube) = (
                (3.0 * rise / width - 2.0 * slopes[0] - slopes[1]) / width,
                (slopes[0] + slopes[1] - 2.0 * rise / width) / (width * width),
            );
            table.starts[index] = from as f32;
            table.pieces[index + 1] = Piece::new(from, to, [slopes[0], square, cube]);
            let terms = [to, slopes[0] * width, square * width * width, cube * width * width * width, end_to];
            largest = largest.max(terms.iter().map(|term| term.abs()).sum());
        }
        table.starts[points.len() - 1] = last[0] as f32;
        table.rounding = 2e-6 * largest;
        Some(table)
    }

    pub fn apply(&self, heights: &mut [f32]) {
        heights.iter_mut().for_each(|height| *height = self.at(*height));
    }

    fn at(&self, height: f32) -> f32 {
        // How many pieces start at or below the height, by a binary search without branches.
        let (mut index, mut half) = (0, self.half);
        while half > 0 {
            let start = self.starts[(index + half - 1) % TABLE];
            index += if start <= height { half } else { 0 };
            half /= 2;
        }
        let Piece { from, to, a, b, c } = self.pieces[index % TABLE];
        let x = height - from;
        let height = to + x * (a + x * (b + x * c));
        let height = if height > -MAX_HEIGHT { height } else { -MAX_HEIGHT };
        if height < MAX_HEIGHT { height } else { MAX_HEIGHT }
    }

    /// The bounds of the result for heights within `below`. The curve is monotone between points.
    pub fn bounds(&self, below: Interval) -> Interval {
        let at = |height: f64| Interval::at(self.at(height as f32).into());
        let points = self.starts[..self.points].iter().map(|&start| f64::from(start));
        let inside = points.filter(|point| (below.low..=below.high).contains(point));
        let bounds = inside.fold(at(below.low).hull(at(below.high)), |bounds, point| bounds.hull(at(point)));
        bounds.extended(self.rounding + 2.0 * bounds.rounding())
    }
}

impl Piece {
    fn new(from: f64, to: f64, [a, b, c]: [f64; 3]) -> Self {
        Self { from: from as f32, to: to as f32, a: a as f32, b: b as f32, c: c as f32 }
    }
}

/// The slopes of the curve at `points`.
fn tangents(points: &[[f64; 2]]) -> Vec<f64> {
    let sides: Vec<[f64; 2]> = points
        .windows(2)
        .map(|pair| {
            let width = pair[1][0] - pair[0][0];
            [width, (pair[1][1] - pair[0][1]) / width]
        })
        .collect();
    let (Some(first), Some(last)) = (sides.first(), sides.last()) else {
        // One point moves all of the ground.
        return vec![1.0; points.len()];
    };
    let inner = sides.windows(2).map(|sides| {
        let ([w0, d0], [w1, d1]) = (sides[0], sides[1]);
        if d0 * d1 > 0.0 { 3.0 * (w0 + w1) / ((2.0 * w1 + w0) / d0 + (w1 + 2.0 * w0) / d1) } else { 0.0 }
    });
    [first[1]].into_iter().chain(inner).chain([last[1]]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::collection::vec;
    use proptest::prelude::*;
    use testing::for_all;

    fn curve(points: &[(f64, f64)]) -> CurveTable {
        let points = points.iter().map(|&(from, to)| CurvePoint { from, to }).collect();
        CurveTable::new(&Curve { points }).expect("there are points")
    }

    fn any_points() -> impl Strategy<Value = Vec<(f64, f64)>> {
        let to = prop_oneof![3 => -300.0..300.0, 1 => Just(50.0), 1 => -2e4..2e4];
        vec((0.1..100.0, to), 1..=Curve::MAX_POINTS).prop_map(|steps| {
            let mut from = -1000.0;
            let next = |(step, to)| {
                from += step;
                (from, to)
            };
            steps.into_iter().map(next).collect()
        })
    }

    #[test]
    fn a_curve_goes_through_its_points_and_is_monotone_between_them() {
        for_all(300, any_points(), |points| {
            let table = curve(&points);
            for pair in points.windows(2) {
                let ((from, to), (end, end_to)) = (pair[0], pair[1]);
                let margin = table.rounding as f32 + 1e-4;
                // The height of the point is rounded too.
                assert!(
                    (f64::from(table.at(from as f32)) - to).abs() <= 0.01,
                    "{from} becomes {}",
                    table.at(from as f32)
                );
                let positions = (0..=200_i16).map(|i| (from + (end - from) * f64::from(i) / 200.0) as f32);
                let heights: Vec<f32> = positions.map(|height| table.at(height)).collect();
                let direction = if end_to >= to { 1.0 } else { -1.0 };
                for (i, pair) in heights.windows(2).enumerate() {
                    assert!((pair[1] - pair[0]) * direction >= -margin, "{pair:?} at {i} from {from} to {end}");
                    // No part is more than three times as steep as the secant.
                    let rise = (pair[1] - pair[0]).abs();
                    let max = 0.016 * (end_to - to).abs() as f32;
                    let rounding = (1e-4 * (end_to - to).abs() / (end - from)) as f32;
                    assert!(rise <= max + rounding + margin, "{rise} at {i} from {from} to {end}");
                }
            }
        });
    }

    #[test]
    fn heights_of_a_curve_are_within_its_bounds_and_the_bounds_are_tight() {
        for_all(500, (any_points(), -1500.0_f32..3000.0, 0.0_f32..1000.0), |(points, low, range)| {
            let table = curve(&points);
            let below = Interval::new(low.into(), (low + range).into());
            let bounds = table.bounds(below);
            let (mut min, mut max) = (f64::MAX, f64::MIN);
            let ends = points.iter().map(|&(from, _)| from as f32).filter(|from| (low..=low + range).contains(from));
            for height in (0..=500_i16).map(|i| low + range * f32::from(i) / 500.0).chain(ends) {
                let height = f64::from(table.at(height.min(low + range)));
                assert!(bounds.low <= height && height <= bounds.high, "{height} is not within {bounds:?}");
                (min, max) = (min.min(height), max.max(height));
            }
            let margin = 2.0 * (table.rounding + 2.0 * bounds.rounding()) + 1e-3;
            assert!(bounds.low >= min - margin && bounds.high <= max + margin, "{bounds:?}, not {min} to {max}");
        });
    }

    #[test]
    fn outside_of_its_points_a_curve_goes_straight_on() {
        let table = curve(&[(0.0, 0.0), (100.0, 40.0), (200.0, 120.0), (300.0, 120.0)]);
        assert_eq!(
            [-100.0, 0.0, 100.0, 200.0, 300.0, 5000.0].map(|h| table.at(h)),
            [-40.0, 0.0, 40.0, 120.0, 120.0, 120.0]
        );
        let down = curve(&[(0.0, 100.0), (100.0, 0.0)]);
        assert_eq!([-100.0, 25.0, 50.0, 300.0].map(|h| down.at(h)), [200.0, 75.0, 50.0, -200.0]);
        let shift = curve(&[(10.0, 35.0)]);
        assert_eq!([-100.0, 0.0, 10.0, 1000.0].map(|h| shift.at(h)), [-75.0, 25.0, 35.0, 1025.0]);
        assert_eq!(CurveTable::new(&Curve { points: vec![] }), None);
    }

    #[test]
    fn points_that_are_not_allowed_do_not_count() {
        let odd = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e300, -3.0, 0.0, 5.0, 5.0, 4.0, 5.000_001];
        for first in odd {
            let points = odd.iter().flat_map(|&from| odd.iter().map(move |&to| (from, to)));
            let points = [(first, first)].into_iter().chain(points).map(|(from, to)| CurvePoint { from, to });
            let points: Vec<_> = points.collect();
            // All of them, and each part of them.
            for table in (0..points.len()).filter_map(|i| CurveTable::new(&Curve { points: points[i..].to_vec() })) {
                let below = Interval::new(-1e4, 1e4);
                let bounds = table.bounds(below);
                for height in [-1e4, -3.0, 0.0, 4.999, 5.0, 7.0, 1e4] {
                    let height = f64::from(table.at(height));
                    assert!(bounds.low <= height && height <= bounds.high, "{height} is not within {bounds:?}");
                }
                assert!(
                    [f32::MAX, f32::MIN, f32::INFINITY, f32::NAN].iter().all(|&height| table.at(height).is_finite())
                );
            }
        }
        let table = curve(&[(0.0, 0.0), (100.0, 40.0), (50.0, 1000.0), (100.05, 7.0), (f64::NAN, 3.0), (200.0, 80.0)]);
        assert_eq!(table, curve(&[(0.0, 0.0), (100.0, 40.0), (200.0, 80.0)]));
    }
}
