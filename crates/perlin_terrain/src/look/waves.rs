//! Waves on water, as slopes of its surface.
//!
//! Each is a sine that runs along a direction near that of the wind, with the speed of waves on deep water. They repeat in the
//! [`PERIOD`] of the pattern of the ground, so ground with a period has the same waves in every repetition; and their phase is computed
//! in `f64`, so they are the same near the origin and far away, and after an hour.

use super::pattern::PERIOD;
use std::f64::consts::TAU;

/// The number of waves.
pub const WAVES: usize = 6;

/// The length of a wave in metres; its direction, from that of the wind, in radians; and its part of the mean square of all slopes.
///
/// Short waves are steeper, and ripples that are too small to be drawn have the rest.
type Shape = (f64, f64, f64);

const SHAPES: [Shape; WAVES] =
    [(23.0, 0.3, 0.05), (11.0, -0.5, 0.08), (5.3, 0.9, 0.13), (2.5, -0.2, 0.16), (1.2, -1.1, 0.19), (0.56, 0.6, 0.19)];

/// The sum of the parts of all waves.
pub const DRAWN: f32 = 0.8;

/// A wave.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Wave {
    /// How often it repeats in a [`PERIOD`] along x and z. Whole numbers.
    repeats: [f64; 2],
    /// Cycles per second.
    frequency: f64,
    /// The largest slope.
    pub slope: f64,
}

impl Wave {
    /// Cycles per metre along x and z.
    #[must_use]
    pub fn vector(&self) -> [f64; 2] {
        self.repeats.map(|repeats| repeats / PERIOD)
    }

    /// The phase at a position, in cycles from 0 to 1, so many seconds after the start.
    #[must_use]
    pub fn phase(&self, position: [f64; 2], seconds: f64) -> f64 {
        let [x, z] = position.map(|metres| if metres.is_finite() { metres.rem_euclid(PERIOD) / PERIOD } else { 0.0 });
        let moved = (self.frequency * seconds).rem_euclid(1.0);
        let phase = (x * self.repeats[0] + z * self.repeats[1] - moved).rem_euclid(1.0);
        // Rounding may give 1.
        if phase < 1.0 { phase } else { 0.0 }
    }
}

/// The waves that a wind makes, from the longest to the shortest. `wind` is in m/s along x and z; 1 is the strength of open water.
#[must_use]
pub fn waves(wind: [f64; 2], strength: f64) -> [Wave; WAVES] {
    let [x, z] = wind;
    let toward = if x == 0.0 && z == 0.0 { 0.0 } else { libm::atan2(z, x) };
    SHAPES.map(|(length, turned, part)| {
        // The mean square of a sine is a half.
        let slope = (2.0 * part * mean_square_slope(wind, strength)).sqrt();
        let (sin, cos) = libm::sincos(toward + turned);
        let repeats = [cos, sin].map(|part| (part * PERIOD / length).round());
        let length = PERIOD / libm::hypot(repeats[0], repeats[1]);
        // The speed of waves on deep water: the square of the angular frequency is that of gravity times the wave number.
        Wave { repeats, frequency: (9.81 / (TAU * length)).sqrt(), slope }
    })
}

/// The mean square of the slopes of water in a wind of so many m/s. Source: Cox and Munk, *Measurement of the roughness of the sea
/// surface from photographs of the sun's glitter*, 1954.
#[must_use]
pub fn mean_square_slope([x, z]: [f64; 2], strength: f64) -> f64 {
    (0.003 + 0.005_12 * libm::hypot(x, z)) * strength * strength
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The distance between two phases, in cycles.
    fn gap(a: f64, b: f64) -> f64 {
        let gap = (a - b).rem_euclid(1.0);
        gap.min(1.0 - gap)
    }

    #[test]
    fn a_wave_is_the_same_far_away_and_after_an_hour() {
        for wave in waves([3.0, -5.0], 1.0) {
            for far in [0.0, 1e7, -1e9] {
                for seconds in [0.0, 3600.0, 86_400.0 * 30.0] {
                    let [a, b] = [[far, -far], [far + 7.0, 11.0 - far]].map(|position| wave.phase(position, seconds));
                    let [x, z] = wave.vector();
                    // A wave that is so short passes in this time what rounding of the time allows.
                    assert!(gap(b - a, 7.0 * x + 11.0 * z) < 1e-4, "{wave:?} at {far} m after {seconds} s");
                    assert!((0.0..1.0).contains(&a));
                }
                let steps = (0..1000).map(|step| 3600.0 + f64::from(step) / 60.0);
                for (one, other) in steps.clone().zip(steps.skip(1)) {
                    let moved = wave.phase([far; 2], one) - wave.phase([far; 2], other);
                    assert!(gap(moved, wave.frequency / 60.0) < 1e-4);
                }
            }
            let [a, b] = [[0.0, 0.0], [PERIOD, -PERIOD]].map(|position| wave.phase(position, 12.0));
            assert!(gap(a, b) < 1e-9);
        }
    }

    #[test]
    fn waves_have_the_slopes_of_their_wind_and_run_with_it() {
        for (wind, strength) in [([0.0, 0.0], 1.0), ([6.0, 0.0], 1.0), ([-3.0, 12.0], 2.0), ([4.0, 4.0], 0.0)] {
            let waves = waves(wind, strength);
            let mean: f64 = waves.iter().map(|wave| wave.slope * wave.slope / 2.0).sum();
            assert!((mean - f64::from(DRAWN) * mean_square_slope(wind, strength)).abs() < 1e-7, "{mean}");
            let lengths = waves.map(|wave| 1.0 / libm::hypot(wave.vector()[0], wave.vector()[1]));
            for (found, (length, ..)) in lengths.into_iter().zip(SHAPES) {
                assert!((found / length - 1.0).abs() < 0.01, "{found} m for {length} m");
            }
            let along: f64 = waves.iter().map(|wave| wave.vector()[0] * wind[0] + wave.vector()[1] * wind[1]).sum();
            assert!(wind == [0.0; 2] || along > 0.0);
        }
    }

    #[test]
    fn places_that_are_no_numbers_have_a_phase() {
        let wave = waves([6.0, 0.0], 1.0)[0];
        for far in [f64::NAN, f64::INFINITY, f64::MAX] {
            assert!((0.0..1.0).contains(&wave.phase([far, 0.0], 1.0)));
        }
    }
}
