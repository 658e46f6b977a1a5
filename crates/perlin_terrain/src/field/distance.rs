//! The distance of a position from a point or a segment, for masks.

use super::mask::{PointMask, SegmentMask};
use crate::noise::{FixedCoord, TICKS_PER_UNIT};

/// The distance from a segment, in metres. A segment without a length is a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Distance {
    start: [FixedCoord; 2],
    /// From the start to the end, in metres.
    along: [f64; 2],
    /// The reciprocal of the square of the length, and 0 for a point.
    per_square: f64,
}

impl Distance {
    pub fn from_point(mask: &PointMask) -> Self {
        Self::new([mask.x, mask.z], [0.0; 2])
    }

    pub fn from_segment(mask: &SegmentMask) -> Self {
        Self::new([mask.x, mask.z], [mask.end_x - mask.x, mask.end_z - mask.z])
    }

    fn new(start: [f64; 2], along: [f64; 2]) -> Self {
        let square = along[0] * along[0] + along[1] * along[1];
        let per_square = 1.0 / square;
        Self {
            start: start.map(FixedCoord::from),
            along,
            // Settings that were never checked may have any numbers.
            per_square: if per_square.is_finite() { per_square } else { 0.0 },
        }
    }

    /// Writes the distances of positions.
    pub fn fill(&self, coords: &[[FixedCoord; 2]], distances: &mut [f32]) {
        let [along_x, along_z] = self.along;
        for (distance, &coord) in distances.iter_mut().zip(coords) {
            // The difference of ticks is exact, also far from the origin.
            let [x, z] = [0, 1].map(|axis| {
                let (here, start): (FixedCoord, FixedCoord) = (coord[axis], self.start[axis]);
                let ticks = here.ticks.wrapping_sub(start.ticks) as f64;
                (ticks + (here.fraction - start.fraction)) * (1.0 / TICKS_PER_UNIT as f64)
            });
            let part = (x * along_x + z * along_z) * self.per_square;
            // The nearest point of the segment. NaN becomes the start.
            let part = if part > 0.0 { part } else { 0.0 };
            let part = if part < 1.0 { part } else { 1.0 };
            let (x, z) = (x - part * along_x, z - part * along_z);
            *distance = (x * x + z * z).sqrt() as f32;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn distance(distance: Distance, x: f64, z: f64) -> f32 {
        let mut distances = [0.0];
        distance.fill(&[[x.into(), z.into()]], &mut distances);
        distances[0]
    }

    #[test]
    fn distances_from_points_and_segments() {
        let point = Distance::from_point(&PointMask { x: 100.0, z: -50.0, ..PointMask::default() });
        assert_eq!(distance(point, 103.0, -46.0), 5.0);
        let ends = SegmentMask { x: 10.0, z: 0.0, end_x: 30.0, end_z: 0.0, ..SegmentMask::default() };
        let segment = Distance::from_segment(&ends);
        for (position, expected) in [([20.0, 7.0], 7.0), ([6.0, 3.0], 5.0), ([34.0, -3.0], 5.0), ([25.0, 0.0], 0.0)] {
            assert_eq!(distance(segment, position[0], position[1]), expected, "{position:?}");
        }
        let none = SegmentMask { end_x: 10.0, ..ends };
        assert_eq!(distance(Distance::from_segment(&none), 13.0, 4.0), 5.0, "a segment without a length");
    }

    #[test]
    fn distances_are_exact_far_from_the_origin() {
        for far in [1e9, -1e9] {
            let point = Distance::from_point(&PointMask { x: far, z: far, ..PointMask::default() });
            assert_eq!(distance(point, far + 0.75, far - 1.0), 1.25);
        }
        let odd = PointMask { x: f64::NAN, z: f64::INFINITY, ..PointMask::default() };
        let _ = distance(Distance::from_point(&odd), 1.0, 2.0);
    }
}
