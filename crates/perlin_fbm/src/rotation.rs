//! A rotation in the plane of the first two axes.

use crate::FixedCoord;

/// Bits after the binary point of a cosine or a sine in fixed point.
const BITS: u32 = 62;

/// Bits of the fraction of a tick that count.
const FRACTION_BITS: u32 = 48;

/// Turns positions of the world into those of a noise whose first axis has a direction of its own.
///
/// Coordinates in fixed point are turned with integers: the same position has the same bits on every machine, and neighbors are as far
/// apart far from the origin as near it. Cosine and sine are rounded to 53 bits, which is an angle of 10^-16.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Rotation {
    cos: f64,
    sin: f64,
    /// Cosine and sine in 2^-62.
    fixed: [i128; 2],
}

impl Rotation {
    /// The first axis of the noise toward `angle` radians: 0 is the first axis of the world, pi/2 the second. `None` if they are the
    /// same, or if `angle` is not finite.
    pub fn toward(angle: f64) -> Option<Self> {
        if angle == 0.0 || !angle.is_finite() {
            return None;
        }
        let (cos, sin) = (libm::cos(angle), libm::sin(angle));
        let fixed = [cos, sin].map(|part| (part * (1_u64 << BITS) as f64) as i128);
        Some(Self { cos, sin, fixed })
    }

    /// The cosine and the sine of the angle.
    pub fn cos_and_sin(&self) -> [f64; 2] {
        [self.cos, self.sin]
    }

    /// The position in the noise of a position in the world.
    pub fn position<const N: usize>(&self, mut p: [f64; N]) -> [f64; N] {
        if let [x, y, ..] = &mut p[..] {
            (*x, *y) = (self.cos * *x + self.sin * *y, self.cos * *y - self.sin * *x);
        }
        p
    }

    /// The direction in the world of a direction in the noise, such as a gradient. It is the inverse of
    /// [`position`](Self::position), except for rounding.
    pub fn back<const N: usize>(&self, mut direction: [f64; N]) -> [f64; N] {
        if let [x, y, ..] = &mut direction[..] {
            (*x, *y) = (self.cos * *x - self.sin * *y, self.cos * *y + self.sin * *x);
        }
        direction
    }

    /// The coordinates in the noise of coordinates in the world. Ticks wrap around at the ends of `i64`.
    pub fn coord<const N: usize>(&self, mut coord: [FixedCoord; N]) -> [FixedCoord; N] {
        if let [x, y, ..] = &mut coord[..] {
            let [cos, sin] = self.fixed;
            (*x, *y) = (sum([(*x, cos), (*y, sin)]), sum([(*y, cos), (*x, -sin)]));
        }
        coord
    }
}

/// The sum of coordinates times factors of at most 1, which are in 2^-62.
fn sum(products: [(FixedCoord, i128); 2]) -> FixedCoord {
    // 64 bits of ticks, times 63 bits: the sum of two fits.
    let whole: i128 = products
        .iter()
        .map(|&(FixedCoord { ticks, fraction }, factor)| {
            // `as` saturates, and turns NaN into 0.
            let fraction = (fraction * (1_u64 << FRACTION_BITS) as f64) as u64;
            i128::from(ticks) * factor + ((i128::from(fraction) * factor) >> FRACTION_BITS)
        })
        .fold(0, i128::wrapping_add);
    // To 53 bits, so that it stays below 1.
    let fraction = (whole as u64 & ((1 << BITS) - 1)) >> (BITS - 53);
    FixedCoord { ticks: (whole >> BITS) as i64, fraction: fraction as f64 / (1_u64 << 53) as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{NoiseRng, TICKS_PER_UNIT};

    fn units(coord: FixedCoord) -> f64 {
        (coord.ticks as f64 + coord.fraction) / TICKS_PER_UNIT as f64
    }

    #[test]
    fn coordinates_turn_as_positions_do_and_back() {
        let mut rng = NoiseRng::new(1, 0);
        for _ in 0..1000 {
            let rotation = Rotation::toward(rng.next_in(-3.15, 3.15)).expect("it is not 0");
            let p = [(); 3].map(|()| rng.next_in(-1e6, 1e6));
            let (rotated, coord) = (rotation.position(p), rotation.coord(p.map(FixedCoord::from)));
            for axis in 0..3 {
                // Both are rounded to 53 bits of up to 1.5 10^6.
                assert!((units(coord[axis]) - rotated[axis]).abs() < 1e-9, "{p:?}: {coord:?}, not {rotated:?}");
                assert!((rotation.back(rotated)[axis] - p[axis]).abs() < 1e-9);
            }
            assert_eq!((rotated[2], coord[2]), (p[2], FixedCoord::from(p[2])), "the third axis stays");
        }
    }

    #[test]
    fn the_first_axis_has_the_direction_of_the_angle() {
        let rotation = Rotation::toward(0.5).expect("it is not 0");
        let [x, y] = rotation.position([libm::cos(0.5) * 7.0, libm::sin(0.5) * 7.0]);
        assert!((x - 7.0).abs() < 1e-12 && y.abs() < 1e-12);
        assert_eq!(Rotation::toward(0.0), None);
        assert_eq!(Rotation::toward(f64::NAN), None);
    }

    #[test]
    fn steps_are_as_fine_far_away_as_near() {
        let rotation = Rotation::toward(1.0).expect("it is not 0");
        let step = |ticks| {
            let [near, next] = [ticks, ticks + 1]
                .map(|ticks| rotation.coord([FixedCoord::from_ticks(ticks), FixedCoord::default()])[0]);
            (next.ticks - near.ticks) as f64 + next.fraction - near.fraction
        };
        for ticks in [0, 1 << 40, -(1 << 60), 1 << 62] {
            // Two fractions are cut off at 53 bits.
            assert!((step(ticks) - libm::cos(1.0)).abs() < 1e-15, "at {ticks}: {}", step(ticks));
        }
    }

    #[test]
    fn any_coordinates_have_a_fraction_below_one() {
        for angle in [1e-300, 0.7, -3.1, 1e9] {
            let rotation = Rotation::toward(angle).expect("it is not 0");
            for (ticks, fraction) in [(i64::MAX, 1.0 - f64::EPSILON / 2.0), (i64::MIN, 0.5), (7, f64::NAN), (-1, 2.0)] {
                let coord = FixedCoord { ticks, fraction };
                for FixedCoord { fraction, .. } in rotation.coord([coord, coord]) {
                    assert!((0.0..1.0).contains(&fraction), "{fraction}");
                }
            }
        }
    }
}
