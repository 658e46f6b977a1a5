//! [`SampleGrid`]: where a map of noise is sampled.

use super::{FixedCoord, TICKS_PER_UNIT};

/// A regular grid of sample points in the plane.
///
/// [`Noise::fill`](super::Noise::fill) gives the same bits for the same point in any grid, if all ticks of the grid fit in an
/// `i64`: that is within 9 * 10^12 km of the origin if a unit is a metre. Beyond that, [`coord`](Self::coord) wraps around to
/// the other end of the world, and `fill` continues past it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SampleGrid {
    /// Coordinates of the first sample, along x and y.
    pub origin: [FixedCoord; 2],
    /// Ticks between neighboring samples. Negative steps go the other way. See [`TICKS_PER_UNIT`](super::TICKS_PER_UNIT).
    pub step_ticks: i64,
    /// The number of samples along x and y: columns and rows.
    pub size: [usize; 2],
}

impl SampleGrid {
    /// `size` samples along x and y from `origin` on, `spacing` units apart.
    ///
    /// The origin is exact. The spacing is rounded to a whole number of ticks of 1/1024 unit, and to at least one:
    /// [`spacing`](Self::spacing) returns the result. Use a multiple of 1/1024 to keep samples on their exact coordinates.
    ///
    /// ```
    /// use bevy_perlin_terrain::noise::SampleGrid;
    ///
    /// let grid = SampleGrid::new([-8.0, 0.3], 0.25, [64, 48]);
    /// assert_eq!(grid.spacing(), 0.25);
    /// // 102.4 ticks are rounded to 102.
    /// assert_eq!(SampleGrid::new([0.0, 0.0], 0.1, [64, 48]).spacing(), 102.0 / 1024.0);
    /// ```
    #[must_use]
    pub fn new(origin: [f64; 2], spacing: f64, size: [usize; 2]) -> Self {
        // `as` saturates, and turns NaN into 0.
        let step_ticks = ((spacing * TICKS_PER_UNIT as f64).round() as i64).max(1);
        Self { origin: origin.map(FixedCoord::from), step_ticks, size }
    }

    /// The distance between neighboring samples, in units. Negative if the grid goes the other way.
    #[must_use]
    pub fn spacing(&self) -> f64 {
        self.step_ticks as f64 / TICKS_PER_UNIT as f64
    }

    /// The coordinates of the sample in a column and a row.
    #[must_use]
    pub fn coord(&self, column: usize, row: usize) -> [FixedCoord; 2] {
        let along = |first: FixedCoord, i: usize| FixedCoord {
            ticks: first.ticks.wrapping_add(self.step_ticks.wrapping_mul(i as i64)),
            fraction: first.fraction,
        };
        [along(self.origin[0], column), along(self.origin[1], row)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spacing_is_rounded_to_ticks_and_is_at_least_one() {
        let ticks = |spacing| SampleGrid::new([0.0, 0.0], spacing, [1, 1]).step_ticks;
        assert_eq!([1.0, 0.25, 0.1, 1.5 / 1024.0].map(ticks), [1024, 256, 102, 2]);
        assert_eq!([1e-9, 0.0, -3.0, f64::NAN, f64::NEG_INFINITY].map(ticks), [1; 5]);
        assert_eq!(ticks(f64::INFINITY), i64::MAX);
    }

    #[test]
    fn samples_lie_on_multiples_of_the_spacing_from_the_exact_origin() {
        let origin = [-7.3, 1e6 + 0.1];
        let grid = SampleGrid::new(origin, 0.5, [9, 5]);
        assert_eq!(grid.coord(0, 0), origin.map(FixedCoord::from));
        let [x, y] = grid.coord(8, 4);
        assert_eq!((x.ticks - grid.origin[0].ticks, y.ticks - grid.origin[1].ticks), (4 * 1024, 2 * 1024));
    }
}
