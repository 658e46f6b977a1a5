//! [`SampleGrid`]: where a map of noise is sampled.

use super::{FixedCoord, TICKS_PER_UNIT};

/// A regular grid of sample points in the plane, or in 1 to 4 dimensions.
///
/// [`Noise::fill`](super::Noise::fill) gives the same bits for the same point in any grid, if all ticks of the grid fit in an
/// `i64`: that is within 9 * 10^12 km of the origin if a unit is a metre. Beyond that, [`coord`](Self::coord) wraps around to
/// the other end of the world, and `fill` continues past it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SampleGrid<const N: usize = 2> {
    /// Coordinates of the first sample along each axis.
    pub origin: [FixedCoord; N],
    /// Ticks between neighboring samples. Negative steps go the other way. See [`TICKS_PER_UNIT`](super::TICKS_PER_UNIT).
    pub step_ticks: i64,
    /// The number of samples along each axis: columns and rows, and so on.
    pub size: [usize; N],
}

impl<const N: usize> SampleGrid<N> {
    /// `size` samples along each axis from `origin` on, `spacing` units apart. A negative spacing goes the other way.
    ///
    /// ```
    /// use perlin_fbm::SampleGrid;
    ///
    /// let grid = SampleGrid::new([-8.0, 0.3], 0.25, [64, 48]);
    /// assert_eq!(grid.spacing(), 0.25);
    /// ```
    ///
    /// # Panics
    ///
    /// If [`try_new`](Self::try_new) returns an error.
    #[must_use]
    pub fn new(origin: [f64; N], spacing: f64, size: [usize; N]) -> Self {
        Self::try_new(origin, spacing, size).unwrap_or_else(|error| panic!("{error}"))
    }

    /// The grid of [`new`](Self::new), for numbers that may be no grid, such as those of a user.
    ///
    /// Samples lie a whole number of ticks of 1/1024 unit apart, so that each is exactly on its coordinates, however large the grid.
    /// A rounded spacing would sample another area. For any area and any number of samples, see
    /// [`Noise::map_between`](super::Noise::map_between).
    ///
    /// ```
    /// use perlin_fbm::SampleGrid;
    ///
    /// let error = SampleGrid::try_new([0.0, 0.0], 0.1, [64, 48]).unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "the spacing 0.1 is not a multiple of 1/1024 unit, as 0.099609375 and 0.1005859375 are; `Noise::map_between` takes any"
    /// );
    /// ```
    ///
    /// # Errors
    ///
    /// If `spacing` is not a multiple of 1/1024, is 0 or does not fit in 2^63 ticks, or if a coordinate of `origin` does not.
    pub fn try_new(origin: [f64; N], spacing: f64, size: [usize; N]) -> Result<Self, SampleGridError> {
        // Exact: a power of two.
        let ticks = spacing * TICKS_PER_UNIT as f64;
        if ticks.fract() != 0.0 || ticks == 0.0 || !fits(spacing) {
            return Err(SampleGridError::Spacing(spacing));
        }
        if let Some(coordinate) = origin.into_iter().find(|&coordinate| !fits(coordinate)) {
            return Err(SampleGridError::Origin(coordinate));
        }
        Ok(Self { origin: origin.map(FixedCoord::from), step_ticks: ticks as i64, size })
    }

    /// The samples from `min` on, `spacing` units apart, as many along each axis as lie before `max`. None where `max` is not above
    /// `min`. So grids with a common border fit together: the first sample of the next one is at `max`, if `spacing` divides the
    /// length.
    ///
    /// ```
    /// use perlin_fbm::SampleGrid;
    ///
    /// let grid = SampleGrid::from_bounds([-8.0, 0.0], [8.0, 10.0], 0.5)?;
    /// assert_eq!(grid, SampleGrid::new([-8.0, 0.0], 0.5, [32, 20]));
    /// # Ok::<(), perlin_fbm::SampleGridError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If `spacing` is not a positive multiple of 1/1024, or if it or a coordinate does not fit in 2^63 ticks.
    pub fn from_bounds(min: [f64; N], max: [f64; N], spacing: f64) -> Result<Self, SampleGridError> {
        if spacing < 0.0 {
            return Err(SampleGridError::Spacing(spacing));
        }
        let mut grid = Self::try_new(min, spacing, [0; N])?;
        if let Some(coordinate) = max.into_iter().find(|&coordinate| !fits(coordinate)) {
            return Err(SampleGridError::Bounds(coordinate));
        }
        // `as` saturates, and turns a negative number into 0.
        grid.size = std::array::from_fn(|axis| ((max[axis] - min[axis]) / spacing).ceil() as usize);
        Ok(grid)
    }

    /// The distance between neighboring samples, in units. Negative if the grid goes the other way.
    #[must_use]
    pub fn spacing(&self) -> f64 {
        self.step_ticks as f64 / TICKS_PER_UNIT as f64
    }

    /// The number of samples. `None` if it does not fit in a `usize`.
    #[must_use]
    pub fn sample_count(&self) -> Option<usize> {
        self.size.iter().try_fold(1, |product: usize, &count| product.checked_mul(count))
    }

    /// The coordinates of the sample with this index along each axis: column and row, and so on.
    #[must_use]
    pub fn coord(&self, index: [usize; N]) -> [FixedCoord; N] {
        std::array::from_fn(|axis| self.origin[axis].stepped(self.step_ticks, index[axis]))
    }

    /// The coordinates of all samples, those along x first.
    pub(crate) fn coords(self) -> impl Iterator<Item = [FixedCoord; N]> {
        let mut next = (!self.size.contains(&0)).then_some([0; N]);
        std::iter::from_fn(move || {
            let index = next?;
            let mut following = index;
            next = (0..N)
                .any(|axis| {
                    following[axis] += 1;
                    let is_within = following[axis] < self.size[axis];
                    if !is_within {
                        following[axis] = 0;
                    }
                    is_within
                })
                .then_some(following);
            Some(self.coord(index))
        })
    }
}

/// Whether a length has as many ticks as an `i64` holds. NaN does not.
fn fits(units: f64) -> bool {
    units.abs() < MAX_UNITS
}

/// The first length that has too many ticks for an `i64`: 2^63 ticks, in units.
const MAX_UNITS: f64 = (1_u64 << 63) as f64 / TICKS_PER_UNIT as f64;

/// Why numbers are no [`SampleGrid`].
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SampleGridError {
    /// The spacing, which is not a multiple of 1/1024 unit, is 0, or is too large.
    #[error("the spacing {0} {problem}", problem = spacing_problem(*.0))]
    Spacing(f64),
    /// A coordinate of the origin, which is too large, or not a number.
    #[error("the coordinate {0} of the origin is not between -{limit:e} and {limit:e} units", limit = MAX_UNITS)]
    Origin(f64),
    /// A coordinate of the bounds, which is too large, or not a number.
    #[error("the coordinate {0} of the bounds is not between -{limit:e} and {limit:e} units", limit = MAX_UNITS)]
    Bounds(f64),
}

fn spacing_problem(spacing: f64) -> String {
    let ticks = spacing * TICKS_PER_UNIT as f64;
    if !fits(spacing) {
        return format!("is not between -{MAX_UNITS:e} and {MAX_UNITS:e} units");
    }
    if ticks == 0.0 {
        return "puts all samples at one position, the smallest is 1/1024 unit".to_owned();
    }
    let neighbors = [ticks.floor(), ticks.ceil()].into_iter().filter(|&ticks| ticks != 0.0);
    let neighbors: Vec<_> = neighbors.map(|ticks| (ticks / TICKS_PER_UNIT as f64).to_string()).collect();
    let verb = if neighbors.len() == 1 { "is" } else { "are" };
    let neighbors = neighbors.join(" and ");
    format!("is not a multiple of 1/1024 unit, as {neighbors} {verb}; `Noise::map_between` takes any")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spacing_is_exact_or_refused() {
        let ticks = |spacing: f64| SampleGrid::try_new([0.0, 0.0], spacing, [1, 1]).map(|grid| grid.step_ticks);
        for (spacing, expected) in [(1.0, 1024), (0.25, 256), (102.0 / 1024.0, 102), (1.0 / 1024.0, 1), (-3.0, -3072)] {
            assert_eq!(ticks(spacing), Ok(expected));
            assert_eq!(SampleGrid::new([0.0, 0.0], spacing, [1, 1]).spacing(), spacing);
        }
        assert_eq!(ticks((1_u64 << 52) as f64), Ok(1 << 62));
        for spacing in [1.0 / 300.0, 0.1, 16.3, -0.3, 1.5 / 1024.0, 1e-9, f64::MIN_POSITIVE, 0.0, -0.0] {
            assert_eq!(ticks(spacing), Err(SampleGridError::Spacing(spacing)));
        }
        for spacing in [1e16, f64::MAX, f64::INFINITY, f64::NEG_INFINITY, MAX_UNITS] {
            assert_eq!(ticks(spacing), Err(SampleGridError::Spacing(spacing)));
        }
        assert!(matches!(ticks(f64::NAN), Err(SampleGridError::Spacing(spacing)) if spacing.is_nan()));
    }

    #[test]
    fn a_spacing_that_is_refused_is_answered_with_the_nearest_ones() {
        for (spacing, expected) in [
            (
                1.0 / 300.0,
                "the spacing 0.0033333333333333335 is not a multiple of 1/1024 unit, as 0.0029296875 and 0.00390625 are; \
                 `Noise::map_between` takes any",
            ),
            (
                -0.0001,
                "the spacing -0.0001 is not a multiple of 1/1024 unit, as -0.0009765625 is; `Noise::map_between` takes any",
            ),
            (0.0, "the spacing 0 puts all samples at one position, the smallest is 1/1024 unit"),
            (f64::INFINITY, "the spacing inf is not between -9.007199254740992e15 and 9.007199254740992e15 units"),
        ] {
            assert_eq!(SampleGridError::Spacing(spacing).to_string(), expected);
        }
    }

    #[test]
    fn an_origin_that_has_no_ticks_is_refused() {
        for coordinate in [f64::INFINITY, 1e16, -MAX_UNITS] {
            let origin = SampleGrid::try_new([0.0, coordinate], 1.0, [1, 1]);
            assert_eq!(origin, Err(SampleGridError::Origin(coordinate)));
        }
        assert!(SampleGrid::try_new([f64::NAN, 0.0], 1.0, [1, 1]).is_err());
        assert!(SampleGrid::try_new([-9e15, 9e15], 1.0, [1, 1]).is_ok());
    }

    #[test]
    fn bounds_hold_every_sample_before_their_end() {
        let size = |min, max, spacing| SampleGrid::from_bounds(min, max, spacing).map(|grid| grid.size);
        assert_eq!(size([0.0, -3.0], [10.0, 7.0], 2.5), Ok([4, 4]));
        // The last sample lies at 10, before 10.1.
        assert_eq!(size([0.0, 0.0], [10.1, 0.1], 2.5), Ok([5, 1]));
        assert_eq!(size([0.0, 0.0], [-1.0, 0.0], 2.5), Ok([0, 0]));
        for spacing in [0.0, -1.0, 0.3] {
            assert_eq!(size([0.0; 2], [1.0; 2], spacing), Err(SampleGridError::Spacing(spacing)));
        }
        assert_eq!(size([0.0, 1e17], [1.0; 2], 1.0), Err(SampleGridError::Origin(1e17)));
        assert_eq!(size([0.0; 2], [1.0, f64::INFINITY], 1.0), Err(SampleGridError::Bounds(f64::INFINITY)));
        let error = SampleGridError::Bounds(f64::NAN).to_string();
        assert!(error.starts_with("the coordinate NaN of the bounds is not between -9"), "{error}");
    }

    #[test]
    #[should_panic(expected = "the spacing 0.3 is not a multiple of 1/1024 unit")]
    fn new_panics_where_try_new_refuses() {
        let _ = SampleGrid::new([0.0, 0.0], 0.3, [1, 1]);
    }

    #[test]
    fn samples_lie_on_multiples_of_the_spacing_from_the_exact_origin() {
        let origin = [-7.3, 1e6 + 0.1];
        let grid = SampleGrid::new(origin, 0.5, [9, 5]);
        assert_eq!(grid.coord([0, 0]), origin.map(FixedCoord::from));
        let [x, y] = grid.coord([8, 4]);
        assert_eq!((x.ticks - grid.origin[0].ticks, y.ticks - grid.origin[1].ticks), (4 * 1024, 2 * 1024));
    }
}
