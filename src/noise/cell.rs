//! Splitting a coordinate into a lattice cell and the place inside it.

use super::Real;

/// The cell that holds `x`, and where in it `x` lies, in [0, 1].
///
/// The split is done in `f64` with a floor, so negative coordinates continue the lattice without a mirror. Coordinates
/// beyond 2^52 have no fraction left and count as lattice points; beyond the range of `i64` the cell saturates. A finite
/// `x` always gives a finite place.
#[inline]
pub(super) fn split<R: Real>(x: f64) -> (i64, R) {
    // `as` truncates toward zero, one instruction everywhere; `f64::floor` is a function call on baseline x86-64.
    let truncated = x as i64;
    let cell = truncated.saturating_sub(i64::from(truncated as f64 > x));
    let fraction = (x - cell as f64).clamp(0.0, 1.0);
    (cell, R::from_f64(fraction))
}

#[cfg(test)]
mod tests {
    use super::split;

    #[test]
    fn negative_coordinates_round_down() {
        assert_eq!(split::<f64>(2.25), (2, 0.25));
        assert_eq!(split::<f64>(-2.25), (-3, 0.75));
        assert_eq!(split::<f64>(-3.0), (-3, 0.0));
        assert_eq!(split::<f64>(-0.0), (0, 0.0));
    }

    #[test]
    fn any_finite_coordinate_gives_a_finite_place() {
        for x in [f64::MAX, f64::MIN, 1e300, -1e19, 9e18, f64::MIN_POSITIVE, -f64::MIN_POSITIVE] {
            let (_, fraction) = split::<f32>(x);
            assert!((0.0..=1.0).contains(&fraction), "{x}: {fraction}");
        }
    }
}
