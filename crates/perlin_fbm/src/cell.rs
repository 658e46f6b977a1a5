//! Cells of a lattice: splits a coordinate into a cell and a fraction of it, and lists the corners of a cell.

/// The cells of `coordinates`, and the fractions within them, in [0, 1].
///
/// It rounds down, so the lattice continues at negative coordinates and is not mirrored. Coordinates beyond 2^52 have the
/// fraction 0, and cells saturate at the ends of `i64`. Finite coordinates give finite fractions.
#[inline]
pub(super) fn split<const N: usize>(coordinates: [f64; N]) -> ([i64; N], [f64; N]) {
    let cells = coordinates.map(cell);
    (cells, std::array::from_fn(|axis| (coordinates[axis] - cells[axis] as f64).clamp(0.0, 1.0)))
}

fn cell(x: f64) -> i64 {
    // `as` truncates toward zero, one instruction everywhere; `f64::floor` is a function call on baseline x86-64.
    let truncated = x as i64;
    truncated.saturating_sub(i64::from(truncated as f64 > x))
}

/// The corners of a cell in four dimensions, which are the most that noise has.
pub(super) const MAX_CORNERS: usize = 16;

/// One item for each of the `2^N` corners of a cell, and `rest` beyond them.
#[inline(always)]
pub(super) fn each_corner<const N: usize, T: Copy>(rest: T, mut item: impl FnMut(usize) -> T) -> [T; MAX_CORNERS] {
    const { assert!(N <= 4, "noise has at most four dimensions") };
    let mut items = [rest; MAX_CORNERS];
    for (corner, slot) in items.iter_mut().enumerate().take(1 << N) {
        *slot = item(corner);
    }
    items
}

#[cfg(test)]
mod tests {
    use super::split;

    #[test]
    fn negative_coordinates_round_down() {
        assert_eq!(split([2.25, -2.25, -3.0, -0.0]), ([2, -3, -3, 0], [0.25, 0.75, 0.0, 0.0]));
    }

    #[test]
    fn any_finite_coordinate_gives_a_finite_fraction() {
        for x in [f64::MAX, f64::MIN, 1e300, -1e19, 9e18, f64::MIN_POSITIVE, -f64::MIN_POSITIVE] {
            let (_, [fraction]) = split([x]);
            assert!((0.0..=1.0).contains(&fraction), "{x}: {fraction}");
        }
    }
}
