//! Places in fixed point: how a coordinate becomes a lattice cell and a fraction, anywhere in the world.
//!
//! Length is counted in *ticks* of 1/1024 unit (a millimetre, about, where the unit is a metre). An octave moves `Rate` cells
//! per tick, a fixed-point number with 64 bits before and 64 behind the point, so the place of tick `n` in the lattice,
//! `offset + n * rate`, is integer arithmetic: exact, the same on every machine, for any order in which a grid is walked and
//! any way it is cut into chunks, and no coarser far from the origin than near it.
//!
//! ```text
//!   |<------ 64 bits: cell ------>|<------ 64 bits: fraction ------->|
//!                                 |<- 24 bits: f32 ->|
//!                                 |<-------- 53 bits: f64 -------->|
//! ```
//!
//! What was rejected: `f32` coordinates (broken after 10^6 cells, as in most peers), `f64` coordinates (fine to about 10^9, but
//! `origin + i * step` rounds differently for every origin, so that borders of chunks differ in their last bits), and a fixed
//! step per sample rather than per tick (the terrain would change with the spacing of its vertices).

/// Ticks in a unit of length.
pub const TICKS_PER_UNIT: i64 = 1024;

/// Half of the last bit of an `f32` fraction: added before the rest is cut off, it rounds to the nearest.
const HALF_OF_24_BITS: u128 = 1 << 39;

/// Bits that are kept of what is below a tick.
const REST_BITS: u32 = 48;

/// A coordinate: a whole number of ticks, and a rest below one tick.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Place {
    /// Whole ticks, rounded down.
    pub tick: i64,
    /// The rest, in ticks, in [0, 1).
    pub rest: f64,
}

impl Place {
    /// The place of whole `tick`.
    #[must_use]
    pub const fn at_tick(tick: i64) -> Self {
        Self { tick, rest: 0.0 }
    }

    /// The place `units` further on.
    #[inline]
    #[must_use]
    pub fn moved(self, units: f32) -> Self {
        let Self { tick, rest } = Self::from(f64::from(units) + self.rest / TICKS_PER_UNIT as f64);
        Self { tick: self.tick.wrapping_add(tick), rest }
    }
}

/// The place of a coordinate in units. Exact up to 2^53 ticks, nine million million units; beyond `i64` it saturates, and what
/// is no number counts as 0.
impl From<f64> for Place {
    #[inline]
    fn from(coordinate: f64) -> Self {
        let ticks = coordinate * TICKS_PER_UNIT as f64;
        // `as` truncates toward zero, one instruction everywhere; `f64::floor` is a function call on baseline x86-64.
        let truncated = ticks as i64;
        let tick = truncated.saturating_sub(i64::from(truncated as f64 > ticks));
        let rest = ticks - tick as f64;
        // Beyond the range of i64 the difference is no rest any more.
        Self { tick, rest: if (0.0..1.0).contains(&rest) { rest } else { 0.0 } }
    }
}

/// How an octave moves through its lattice along one axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Track {
    /// Cells per tick, in 2^-64 cells.
    rate: u128,
    /// Where tick 0 is, in 2^-64 cells, wrapping.
    offset: u128,
}

impl Track {
    /// `frequency` cells per unit, with tick 0 at `offset` cells.
    pub fn new(frequency: f64, offset: f64) -> Self {
        let fixed = |cells: f64| (cells * two_to_the(64)).round();
        // `as` saturates, and turns what is no number into 0.
        Self { rate: fixed(frequency / TICKS_PER_UNIT as f64) as u128, offset: fixed(offset) as i128 as u128 }
    }

    /// Where `place` is.
    #[inline]
    pub fn position(&self, place: Place) -> Position {
        let mut position = self.offset.wrapping_add((i128::from(place.tick) as u128).wrapping_mul(self.rate));
        if place.rest > 0.0 {
            let rest = (place.rest * two_to_the(REST_BITS)) as u128;
            // `rest * rate >> REST_BITS` in two parts: the product of the whole rate of a very fine octave exceeds 128 bits.
            let (whole, part) = (self.rate >> REST_BITS, self.rate & ((1 << REST_BITS) - 1));
            position =
                position.wrapping_add(rest.wrapping_mul(whole)).wrapping_add(rest.wrapping_mul(part) >> REST_BITS);
        }
        Position(position)
    }

    /// How far apart places are that differ by `ticks`.
    #[inline]
    pub fn step(&self, ticks: i64) -> u128 {
        (i128::from(ticks) as u128).wrapping_mul(self.rate)
    }

    /// Cells per unit.
    pub fn frequency(&self) -> f64 {
        self.rate as f64 / two_to_the(64) * TICKS_PER_UNIT as f64
    }
}

/// A position in a lattice: cells in two's complement above 64 bits of fraction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Position(pub u128);

impl Position {
    /// The cell, and the place in it to 53 bits, in [0, 1).
    #[inline]
    pub fn split_f64(self) -> (i64, f64) {
        let fraction = self.0 as u64;
        ((self.0 >> 64) as i64, (fraction >> 11) as f64 / two_to_the(53))
    }

    /// The position so that cutting off all but 24 bits of the fraction rounds to the nearest.
    #[inline]
    pub const fn rounded(self) -> u128 {
        self.0.wrapping_add(HALF_OF_24_BITS)
    }

    /// The cell, and the place in it rounded to 24 bits: a multiple of 2^-24 in [0, 1).
    #[inline]
    pub fn split_24(self) -> (i64, u32) {
        let rounded = self.rounded();
        ((rounded >> 64) as i64, (rounded as u64 >> 40) as u32)
    }
}

/// A fraction of 24 bits as a number in [0, 1). Exact: they fit into an `f32`.
#[inline]
pub(super) fn fraction_24(bits: u32) -> f32 {
    // Signed integers convert in one instruction.
    bits as i32 as f32 * (1.0 / 16_777_216.0)
}

const fn two_to_the(exponent: u32) -> f64 {
    (1_u128 << exponent) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::noise::TerrainRng;

    #[test]
    fn a_coordinate_is_split_without_loss() {
        for (coordinate, tick, rest) in [
            (0.0, 0, 0.0),
            (1.0, 1024, 0.0),
            (-1.0, -1024, 0.0),
            (2.0_f64.powi(-12), 0, 0.25),
            (-(2.0_f64.powi(-12)), -1, 0.75),
        ] {
            assert_eq!(Place::from(coordinate), Place { tick, rest });
        }
        let mut rng = TerrainRng::new(1, 0);
        for _ in 0..1000 {
            let coordinate = (rng.next_unit() - 0.5) * 1e9;
            let Place { tick, rest } = Place::from(coordinate);
            assert_eq!((tick as f64 + rest) / 1024.0, coordinate);
        }
    }

    #[test]
    fn any_number_has_a_place() {
        for coordinate in [f64::MAX, f64::MIN, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e19, -1e19, -1e-320] {
            let rest = Place::from(coordinate).rest;
            assert!((0.0..1.0).contains(&rest), "{coordinate}: {rest}");
        }
    }

    #[test]
    fn cells_are_rounded_down_on_both_sides_of_zero() {
        let track = Track::new(0.5, 0.0);
        let split = |x: f64| track.position(x.into()).split_f64();
        assert_eq!([split(4.5), split(-4.5), split(-6.0), split(0.0)], [(2, 0.25), (-3, 0.75), (-3, 0.0), (0, 0.0)]);
        assert_eq!(track.position((-4.5).into()).split_24(), (-3, 3 << 22));
    }

    #[test]
    fn a_fraction_of_24_bits_is_the_nearest() {
        let mut rng = TerrainRng::new(2, 0);
        for _ in 0..1000 {
            let position = Position(u128::from(rng.next_u64()) << 64 | u128::from(rng.next_u64()));
            let ((cell, fraction), (rounded_cell, rounded)) = (position.split_f64(), position.split_24());
            let difference = rounded_cell.wrapping_sub(cell) as f64 + f64::from(rounded) / two_to_the(24) - fraction;
            assert!(difference.abs() <= 0.5 / two_to_the(24), "{difference}");
        }
    }

    #[test]
    fn steps_are_as_exact_far_away_as_near() {
        let track = Track::new(0.001, 17.3);
        let step = track.step(4096);
        for tick in [0, 1 << 40, -(1 << 60), i64::MAX - 5000] {
            let (here, there) = (track.position(Place::at_tick(tick)), track.position(Place::at_tick(tick + 4096)));
            assert_eq!(there.0.wrapping_sub(here.0), step);
        }
    }

    #[test]
    fn a_rest_counts_in_the_finest_octave_too() {
        // 1 cell per unit, and 15 octaves of lacunarity 4 above it: 2^20 cells a tick.
        let track = Track::new(two_to_the(30), 0.0);
        for (rest, cell) in [(0.25, 1 << 18), (0.75, 3 << 18)] {
            assert_eq!(track.position(Place { tick: -1, rest }).split_f64(), (cell - (1 << 20), 0.0));
        }
    }

    #[test]
    fn a_frequency_is_kept_to_the_precision_of_its_type() {
        for frequency in [1e-6, 0.001, 0.0385, 1.0, 1e9] {
            // Half of 2^-64 cells per tick.
            let slack = 1024.0 / two_to_the(65) + frequency * f64::EPSILON;
            assert!((Track::new(frequency, 0.0).frequency() - frequency).abs() <= slack);
        }
    }
}
