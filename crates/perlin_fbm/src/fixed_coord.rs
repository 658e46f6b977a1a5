//! Coordinates in fixed point: from a coordinate to a lattice cell and a fraction, anywhere in the world.
//!
//! Lengths are counted in *ticks* of 1/1024 unit. If the unit is a metre, a tick is about a millimetre. An octave moves a fixed
//! number of cells per tick, its `rate`, which has 64 bits before the binary point and 64 bits after it. Tick `n` is at
//! `offset + n * rate` in the lattice. That is integer arithmetic, so
//!
//! - it is exact, and the same on every machine;
//! - it does not depend on the order in which a grid is filled, or on how the grid is split into chunks;
//! - it is as fine far from the origin as near it.
//!
//! So the frequency of an octave is rounded to a multiple of 2^-54 cells per unit. At `x` units, the position in the lattice is off
//! by at most `|x| 2^-55` cells: 3e-8 cells after 10^9 units. A frequency of at most 54 binary places, such as 1/64, is exact.
//!
//! ```text
//!   |<------ 64 bits: cell ------>|<------ 64 bits: fraction ------->|
//!                                 |<- 24 bits: f32 ->|
//!                                 |<-------- 53 bits: f64 -------->|
//! ```
//!
//! # What was rejected
//!
//! - `f32` coordinates, as in most libraries: they break down after 10^6 cells.
//! - `f64` coordinates: fine to about 10^9, but `origin + i * step` rounds differently for every origin, so the borders of
//!   neighboring chunks differ in their last bits.
//! - A fixed step per sample instead of per tick: the terrain would change with the spacing of its vertices.

/// Ticks in a unit of length.
pub const TICKS_PER_UNIT: i64 = 1024;

/// Half of the last bit of an `f32` fraction. Added before truncation, it rounds to the nearest.
const HALF_OF_24_BITS: u128 = 1 << 39;

/// How many bits of the fraction of a tick are used.
const FRACTION_BITS: u32 = 48;

/// A coordinate in fixed point: a whole number of ticks and a fraction of a tick. See [`TICKS_PER_UNIT`].
///
/// ```
/// use perlin_fbm::FixedCoord;
///
/// assert_eq!(FixedCoord::from(2.0), FixedCoord::from_ticks(2048));
/// assert_eq!(FixedCoord::from(-0.25 / 1024.0), FixedCoord { ticks: -1, fraction: 0.75 });
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FixedCoord {
    /// Whole ticks, rounded down.
    pub ticks: i64,
    /// The fraction of a tick above `ticks`. \[Limit: 0 to 1, without 1\]
    pub fraction: f64,
}

impl FixedCoord {
    /// The coordinate of a whole number of ticks.
    #[must_use]
    pub const fn from_ticks(ticks: i64) -> Self {
        Self { ticks, fraction: 0.0 }
    }

    /// The coordinate of sample `index` of samples `step_ticks` apart. Ticks wrap around at the ends of `i64`.
    #[inline]
    pub(crate) fn stepped(self, step_ticks: i64, index: usize) -> Self {
        Self { ticks: self.ticks.wrapping_add(step_ticks.wrapping_mul(index as i64)), ..self }
    }

    /// The coordinate plus `units`. Ticks wrap around at the ends of `i64`.
    #[inline]
    #[must_use]
    pub fn moved(self, units: f32) -> Self {
        let Self { ticks, fraction } = Self::from(f64::from(units) + self.fraction / TICKS_PER_UNIT as f64);
        Self { ticks: self.ticks.wrapping_add(ticks), fraction }
    }
}

/// Converts a coordinate in units. Exact up to 2^53 ticks, 9 * 10^12 units. Saturates at the ends of `i64`; NaN becomes 0.
impl From<f64> for FixedCoord {
    #[inline]
    fn from(coordinate: f64) -> Self {
        let scaled = coordinate * TICKS_PER_UNIT as f64;
        // `as` truncates toward zero, one instruction everywhere; `f64::floor` is a function call on baseline x86-64.
        let truncated = scaled as i64;
        let ticks = truncated.saturating_sub(i64::from(truncated as f64 > scaled));
        let fraction = scaled - ticks as f64;
        // Beyond the range of i64 the difference is not a fraction.
        Self { ticks, fraction: if (0.0..1.0).contains(&fraction) { fraction } else { 0.0 } }
    }
}

/// A coordinate as whole numbers, which all octaves of a sum share: its ticks, and the fraction of a tick in 2^-48 ticks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct TickCount {
    whole: i64,
    fraction: u64,
}

impl From<FixedCoord> for TickCount {
    #[inline]
    fn from(coord: FixedCoord) -> Self {
        // Below 2^48. Conversions of signed integers are one instruction.
        let fraction =
            if coord.fraction > 0.0 { (coord.fraction * two_to_the(FRACTION_BITS)) as i64 as u64 } else { 0 };
        Self { whole: coord.ticks, fraction }
    }
}

impl From<f64> for TickCount {
    #[inline]
    fn from(coordinate: f64) -> Self {
        FixedCoord::from(coordinate).into()
    }
}

/// Maps one axis of the world to one axis of an octave's lattice.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AxisMap {
    /// Cells per tick.
    cells: u64,
    /// What is left of a cell per tick, in 2^-64 cells. By itself, so that a product with it is one of halves.
    rest: u64,
    /// The position of tick 0, in 2^-64 cells, wrapping.
    offset: u128,
    /// See [`with_period`](Self::with_period).
    period: Option<Period>,
}

/// Ticks after which an octave repeats, though its rate is rounded.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Period {
    ticks: i64,
    /// How far so many ticks go beyond a whole number of cells, in 2^-64 cells.
    excess: i64,
}

impl AxisMap {
    /// `frequency` cells per unit, with tick 0 at `offset` cells.
    pub fn new(frequency: f64, offset: f64) -> Self {
        let fixed = |cells: f64| (cells * two_to_the(64)).round();
        // `as` saturates, and turns NaN into 0.
        let rate = fixed(frequency / TICKS_PER_UNIT as f64) as u128;
        Self { cells: (rate >> 64) as u64, rest: rate as u64, offset: fixed(offset) as i128 as u128, period: None }
    }

    /// The same map, where `units` are `cells` exactly: after each, the position is corrected by what the rounded rate has left. So
    /// noise that repeats after so many cells has the same bits in every period.
    ///
    /// Only if `units` are a whole number of ticks, of which there are fewer than 2^32: others have no two coordinates that are a period
    /// apart, or more ticks than a position has bits left for.
    #[must_use]
    pub fn with_period(self, units: f64, cells: i64) -> Self {
        let ticks = (units * TICKS_PER_UNIT as f64).round();
        // A width that was computed is rounded.
        let is_whole = (ticks / TICKS_PER_UNIT as f64 - units).abs() <= units * 1e-12;
        if !is_whole || !(1.0..(1_u64 << 32) as f64).contains(&ticks) {
            return self;
        }
        let ticks = ticks as i64;
        let excess = self.step(ticks).wrapping_sub((i128::from(cells) << 64) as u128) as i128;
        // Less than a tick, so that positions ascend.
        let is_small = excess.unsigned_abs() < self.rate();
        let excess = i64::try_from(excess).ok().filter(|&excess| is_small && excess != 0);
        Self { period: excess.map(|excess| Period { ticks, excess }), ..self }
    }

    /// Whether positions are not [`step`](Self::step) apart everywhere.
    #[inline]
    pub fn is_corrected(&self) -> bool {
        self.period.is_some()
    }

    /// The position of `coord` in the lattice.
    #[inline]
    pub fn position(&self, coord: FixedCoord) -> Position {
        self.position_of(coord.into())
    }

    /// The position of a number of ticks in the lattice.
    // In a browser, bytes count.
    #[cfg_attr(not(target_arch = "wasm32"), inline)]
    #[cfg_attr(target_arch = "wasm32", inline(never))]
    pub(crate) fn position_of(&self, TickCount { whole, fraction }: TickCount) -> Position {
        // Products count modulo 2^128, so a negative number of ticks may be taken for one that is 2^64 larger, less 2^64.
        let along_ticks = u128::from(whole as u64) * u128::from(self.rest);
        let beyond = u128::from(self.rest & (whole >> 63) as u64) << 64;
        let mut along_fraction = (u128::from(fraction) * u128::from(self.rest)) >> FRACTION_BITS;
        let mut along_cells = 0;
        if self.cells > 0 {
            along_cells = (whole as u64).wrapping_mul(self.cells);
            along_fraction += (u128::from(fraction) * u128::from(self.cells)) << (64 - FRACTION_BITS);
        }
        let mut along_ticks = along_ticks.wrapping_sub(beyond).wrapping_add(u128::from(along_cells) << 64);
        if let Some(Period { ticks, excess }) = self.period {
            let excess = i128::from(whole.div_euclid(ticks)) * i128::from(excess);
            along_ticks = along_ticks.wrapping_sub(excess as u128);
        }
        Position(self.offset.wrapping_add(along_ticks).wrapping_add(along_fraction))
    }

    /// The distance in the lattice between coordinates that differ by `ticks`, in 2^-64 cells; without the correction of a period.
    #[inline]
    pub fn step(&self, ticks: i64) -> u128 {
        (i128::from(ticks) as u128).wrapping_mul(self.rate())
    }

    /// The positions of `first` and of the coordinates `step_ticks` apart after it.
    pub fn walk(&self, first: FixedCoord, step_ticks: i64) -> impl Iterator<Item = Position> {
        let Period { ticks, excess } = self.period.unwrap_or(Period { ticks: i64::MAX, excess: 0 });
        let excess = i128::from(excess) as u128;
        let (whole, rest) = (step_ticks.div_euclid(ticks), step_ticks.rem_euclid(ticks));
        let step = self.step(step_ticks).wrapping_sub((i128::from(whole) as u128).wrapping_mul(excess));
        let (mut next, mut phase) = (self.position(first).0, first.ticks.rem_euclid(ticks));
        std::iter::repeat_with(move || {
            let position = Position(next);
            next = next.wrapping_add(step);
            // Both are below 2^32 if there is a period.
            phase = phase.wrapping_add(rest);
            if phase >= ticks {
                phase -= ticks;
                next = next.wrapping_sub(excess);
            }
            position
        })
    }

    /// Cells per tick, in 2^-64 cells.
    #[inline]
    const fn rate(&self) -> u128 {
        (self.cells as u128) << 64 | self.rest as u128
    }

    /// Cells per unit.
    pub fn frequency(&self) -> f64 {
        self.rate() as f64 / two_to_the(64) * TICKS_PER_UNIT as f64
    }
}

/// A position in a lattice: cells in two's complement above 64 bits of fraction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position(pub u128);

impl Position {
    /// The cell, and the fraction of a cell to 53 bits, in [0, 1).
    #[inline]
    pub fn split_f64(self) -> (i64, f64) {
        let fraction = self.0 as u64;
        // Signed integers convert in one instruction.
        ((self.0 >> 64) as i64, (fraction >> 11) as i64 as f64 / two_to_the(53))
    }

    /// The position plus half of the last of 24 bits of fraction, so that truncating it to 24 bits rounds to the nearest.
    #[inline]
    pub const fn rounded(self) -> u128 {
        self.0.wrapping_add(HALF_OF_24_BITS)
    }

    /// The cell, and the fraction of a cell rounded to 24 bits: a multiple of 2^-24 in [0, 1).
    #[inline]
    pub fn split_24(self) -> (i64, u32) {
        let rounded = self.rounded();
        ((rounded >> 64) as i64, (rounded as u64 >> 40) as u32)
    }
}

/// A fraction of 24 bits as a number in [0, 1). Exact, because 24 bits fit into an `f32`.
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
    use crate::NoiseRng;

    #[test]
    fn a_coordinate_is_split_without_loss() {
        for (coordinate, ticks, fraction) in [
            (0.0, 0, 0.0),
            (1.0, 1024, 0.0),
            (-1.0, -1024, 0.0),
            (2.0_f64.powi(-12), 0, 0.25),
            (-(2.0_f64.powi(-12)), -1, 0.75),
        ] {
            assert_eq!(FixedCoord::from(coordinate), FixedCoord { ticks, fraction });
        }
        let mut rng = NoiseRng::new(1, 0);
        for _ in 0..1000 {
            let coordinate = (rng.next_unit() - 0.5) * 1e9;
            let FixedCoord { ticks, fraction } = FixedCoord::from(coordinate);
            assert_eq!((ticks as f64 + fraction) / 1024.0, coordinate);
        }
    }

    #[test]
    fn any_number_has_a_fraction_below_one() {
        for coordinate in [f64::MAX, f64::MIN, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e19, -1e19, -1e-320] {
            let fraction = FixedCoord::from(coordinate).fraction;
            assert!((0.0..1.0).contains(&fraction), "{coordinate}: {fraction}");
        }
    }

    #[test]
    fn cells_are_rounded_down_on_both_sides_of_zero() {
        let map = AxisMap::new(0.5, 0.0);
        let split = |x: f64| map.position(x.into()).split_f64();
        assert_eq!([split(4.5), split(-4.5), split(-6.0), split(0.0)], [(2, 0.25), (-3, 0.75), (-3, 0.0), (0, 0.0)]);
        assert_eq!(map.position((-4.5).into()).split_24(), (-3, 3 << 22));
    }

    #[test]
    fn a_fraction_of_24_bits_is_the_nearest() {
        let mut rng = NoiseRng::new(2, 0);
        for _ in 0..1000 {
            let position = Position(u128::from(rng.next_u64()) << 64 | u128::from(rng.next_u64()));
            let ((cell, fraction), (rounded_cell, rounded)) = (position.split_f64(), position.split_24());
            let difference = rounded_cell.wrapping_sub(cell) as f64 + f64::from(rounded) / two_to_the(24) - fraction;
            assert!(difference.abs() <= 0.5 / two_to_the(24), "{difference}");
        }
    }

    #[test]
    fn a_period_is_a_whole_number_of_cells_at_any_position() {
        let mut rng = NoiseRng::new(3, 0);
        for _ in 0..200 {
            let (cells, ticks) = (i64::from(rng.next_u32() % 1000 + 1), i64::from(rng.next_u32() % 1_000_000 + 1000));
            let units = ticks as f64 / TICKS_PER_UNIT as f64;
            let map = AxisMap::new(cells as f64 / units, 3.7).with_period(units, cells);
            let first = FixedCoord { ticks: rng.next_u64() as i64 >> 20, fraction: rng.next_unit() };
            let position = |ticks| map.position(FixedCoord { ticks, ..first }).0;
            for periods in [1, -1, 1000] {
                let moved = position(first.ticks + periods * ticks).wrapping_sub(position(first.ticks));
                assert_eq!(moved as i128, i128::from(periods * cells) << 64, "{map:?} at {first:?}");
            }
            // Walks within a period and over many, in both directions.
            for step in [1, 700, -700, 3 * ticks + 5, -ticks - 3] {
                for (i, Position(found)) in (0..).zip(map.walk(first, step).take(3000)) {
                    assert_eq!(found, position(first.ticks + i * step), "step {i} of {step}, {map:?}");
                }
            }
        }
    }

    #[test]
    fn a_period_that_no_coordinates_are_apart_is_not_corrected() {
        for (units, cells) in [(100.0 / 3.0, 3), (5e6, 7), (0.0001, 1), (64.0, 3)] {
            let map = AxisMap::new(cells as f64 / units, 0.0);
            // 64 units need no correction: the rate is exact.
            assert_eq!(map.with_period(units, cells), map, "{units}");
        }
    }

    #[test]
    fn steps_are_as_exact_far_away_as_near() {
        let map = AxisMap::new(0.001, 17.3);
        let step = map.step(4096);
        for ticks in [0, 1 << 40, -(1 << 60), i64::MAX - 5000] {
            let [here, there] = [ticks, ticks + 4096].map(|ticks| map.position(FixedCoord::from_ticks(ticks)));
            assert_eq!(there.0.wrapping_sub(here.0), step);
        }
    }

    #[test]
    fn the_fraction_of_a_tick_counts_in_the_finest_octave_too() {
        // 1 cell per unit, and 15 octaves of lacunarity 4 above it: 2^20 cells a tick.
        let map = AxisMap::new(two_to_the(30), 0.0);
        for (fraction, cell) in [(0.25, 1 << 18), (0.75, 3 << 18)] {
            assert_eq!(map.position(FixedCoord { ticks: -1, fraction }).split_f64(), (cell - (1 << 20), 0.0));
        }
    }

    #[test]
    fn a_dyadic_frequency_is_exact_and_any_other_is_off_by_half_of_the_last_bit() {
        for frequency in [1.0 / 64.0, 0.75, 1.0, 3.0 / two_to_the(54)] {
            let map = AxisMap::new(frequency, 0.0);
            assert_eq!((map.frequency(), map.rate()), (frequency, (frequency * two_to_the(54)) as u128));
        }
        for frequency in [1e-6, 0.001, 0.0385, 0.1] {
            // The last bit of a rate is 2^-54 cells a unit.
            let rate = AxisMap::new(frequency, 0.0).rate() as f64;
            assert!((rate - frequency * two_to_the(54)).abs() <= 0.5, "{frequency}");
        }
    }

    #[test]
    fn a_frequency_is_kept_to_the_precision_of_its_type() {
        for frequency in [1e-6, 0.001, 0.0385, 1.0, 1e9] {
            // Half of 2^-64 cells per tick.
            let slack = 1024.0 / two_to_the(65) + frequency * f64::EPSILON;
            assert!((AxisMap::new(frequency, 0.0).frequency() - frequency).abs() <= slack);
        }
    }
}
