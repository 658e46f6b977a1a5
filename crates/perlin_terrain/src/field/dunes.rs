//! Dunes: waves of sand whose steep sides face away from the wind.
//!
//! The phase of a position `p` is `p . u / l + bend(p)` turns, with the direction `u` of the wind and the wavelength `l`. Its fraction
//! `f` runs from the foot of one dune to the foot of the next, along the wind. The height is the lower of two sides:
//!
//! ```text
//! windward   h s(f / c)                  s(t) = t² (3 - 2 t), and 1 from t = 1 on
//! lee        l tan(32°) r(1 - f, q)      a straight slope at the angle of repose, with a round foot
//!
//! r(x, q) = x²/2q below q, and x - q/2 above
//! w = h / (l tan(32°))     q = 0.3 w     c = 1 - w - q/2
//! ```
//!
//! So both sides are `h` high at the crest, `f = c`, and the edge there is sharp. `h` changes along the crests. A lower dune has a
//! narrower lee side and the same slope.
//!
//! The phase is a sum in fixed point, of which whole turns are dropped. It is as exact far from the origin as near it.
//!
//! The angle of repose of dry sand: Ralph Bagnold, *The Physics of Blown Sand and Desert Dunes* (1941), 32 to 34 degrees.

use super::band::smooth;
use super::interval::Interval;
use crate::noise::internal::AxisMap;
use crate::noise::{FixedCoord, Noise, NoiseRng, NoiseSettings};
use crate::param::params;
use serde::{Deserialize, Serialize};

/// Waves of sand. Their gentle sides face the wind, and their other sides are as steep as sand can be.
#[params]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bevy_reflect", derive(bevy_reflect::Reflect))]
#[serde(deny_unknown_fields, default)]
pub struct Dunes {
    /// Distance from one crest to the next.
    #[param(default = 200.0, range = 1.0..=10_000.0, unit = "m", scale = Logarithmic)]
    pub wavelength: f64,
    /// The height of the highest crests. Sand can't be steeper, so more than a fifth of the wavelength counts as a fifth.
    #[param(default = 20.0, range = 0.0..=2000.0, unit = "m")]
    pub height: f64,
    /// Where the wind blows to: 0 is toward +x, pi/2 toward +z. The steep sides face there, and crests are at right angles to it.
    #[param(default = 0.0, range = 0.0..=6.3, unit = "rad")]
    pub direction: f64,
    /// How far crests bend to each side, as a fraction of the wavelength. 0 gives straight crests.
    #[param(default = 0.8, range = 0.0..=10.0)]
    pub bending: f64,
    /// Distance from one bend of a crest to the next.
    #[param(default = 1000.0, range = 10.0..=100_000.0, unit = "m", scale = Logarithmic)]
    pub bend_length: f64,
    /// How much the height changes along a crest. 0 gives crests of one height; at 1 they end here and there.
    ///
    /// The height changes twice as often as the crest bends. The lowest places are lower than the highest ones by this fraction of
    /// the height.
    #[param(default = 0.7, range = 0.0..=1.0)]
    pub variation: f64,
}

impl Dunes {
    /// The height that higher dunes count as, in metres: a fifth of the wavelength.
    pub(crate) const fn max_height(&self) -> f64 {
        STEEPEST * Self::WAVELENGTH.nearest(self.wavelength)
    }
}

/// The tangent of the angle of repose, 32 degrees.
const REPOSE: f64 = 0.624_869_35;

/// The largest height divided by the wavelength. Above 0.235, the windward side would be the steeper one.
const STEEPEST: f64 = 0.2;

/// The part of the width of a lee side in which its foot is round.
const FOOT: f32 = 0.3;

/// Waves of [`Dunes`], compiled.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct DuneWaves {
    /// From coordinates to turns, along each axis.
    axes: [AxisMap; 2],
    /// Whether the turns of each axis count down.
    reversed: [bool; 2],
    height: f32,
    /// The height of a slope at the angle of repose that is a wavelength long.
    drop: f32,
    variation: f32,
}

impl DuneWaves {
    /// Compiles `settings`. Numbers out of their ranges count as the nearest number in them.
    pub fn new(settings: &Dunes, seed: u64, stream: u64) -> Self {
        let wavelength = Dunes::WAVELENGTH.nearest(settings.wavelength);
        let direction = Dunes::DIRECTION.nearest(settings.direction);
        let along = [libm::cos(direction), libm::sin(direction)];
        let offset = NoiseRng::new(seed, stream).next_unit();
        Self {
            axes: along.map(|part| AxisMap::new(part.abs() / wavelength, offset)),
            reversed: along.map(|part| part < 0.0),
            height: Dunes::HEIGHT.nearest(settings.height).min(settings.max_height()) as f32,
            drop: (REPOSE * wavelength) as f32,
            variation: Dunes::VARIATION.nearest(settings.variation) as f32,
        }
    }

    /// The noise by which crests bend, in turns, and the noise by which their height changes. Each has a random stream.
    pub fn noises(settings: &Dunes, seed: u64, streams: [u64; 2]) -> [Noise; 2] {
        let frequency = 1.0 / Dunes::BEND_LENGTH.nearest(settings.bend_length);
        let noise = |frequency, height_scale, stream| {
            let settings = NoiseSettings { octaves: 2, frequency, height_scale, ..NoiseSettings::default() };
            Noise::seeded(&settings, seed, stream)
        };
        // Two octaves of noise reach about -1/2 to 1/2.
        let bends = noise(frequency, 2.0 * Dunes::BENDING.nearest(settings.bending), streams[0]);
        [bends, noise(2.0 * frequency, 1.0, streams[1])]
    }

    /// The bounds of the heights.
    pub fn bounds(&self) -> Interval {
        let highest = Interval::at(self.height.into());
        Interval::new(0.0, highest.high + highest.rounding())
    }

    /// Replaces `bends`, in turns, by the heights at up to a block of places.
    pub fn fill(&self, coords: &[[FixedCoord; 2]], bends: &mut [f32], variations: &[f32]) {
        for ((coord, height), &variation) in coords.iter().zip(bends).zip(variations) {
            *height = self.at(self.phase(*coord), *height, variation);
        }
    }

    /// The fraction of a turn at a position, without bends, in 2^-24 turns.
    fn phase(&self, coord: [FixedCoord; 2]) -> u32 {
        let [x, z] = [0, 1].map(|axis| {
            let turns = self.axes[axis].position(coord[axis]).0 as u64;
            if self.reversed[axis] { turns.wrapping_neg() } else { turns }
        });
        (x.wrapping_add(z) >> 40) as u32
    }

    fn at(&self, phase: u32, bend: f32, variation: f32) -> f32 {
        // Whole turns are dropped as integers.
        let bend = (bend * 16_777_216.0) as i32 as u32;
        let along = (phase.wrapping_add(bend) & 0xff_ffff) as i32 as f32 * (1.0 / 16_777_216.0);
        let height = self.height * (1.0 - self.variation * smooth(0.5 + variation));
        let width = height / self.drop;
        let foot = FOOT * width;
        let crest = 1.0 - width - 0.5 * foot;
        let windward = height * smooth(along / crest);
        let lee = self.drop * rounded(1.0 - along, foot);
        if windward < lee { windward } else { lee }
    }
}

/// `x` with its corner at 0 rounded off: `x²/2q` below `q` and `x - q/2` above. `x` is at least 0.
fn rounded(x: f32, q: f32) -> f32 {
    let q = if q > 1e-6 { q } else { 1e-6 };
    let low = if x < q { x } else { q };
    x - low + low * low * (0.5 / q)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::{FieldSettings, HeightField, LayerKind};
    use proptest::prelude::*;
    use std::f64::consts::{FRAC_PI_2, PI};
    use testing::for_all;

    fn field(dunes: Dunes) -> HeightField {
        let layers = vec![LayerKind::Dunes(dunes).into()];
        HeightField::new(&FieldSettings { layers, base_height: 0.0, ..FieldSettings::default() })
    }

    fn straight() -> Dunes {
        Dunes { bending: 0.0, variation: 0.0, ..Dunes::default() }
    }

    /// The slopes along a line of length 6 km, in a direction, over half a metre.
    fn slopes(field: &HeightField, [x, z]: [f64; 2]) -> Vec<f64> {
        let heights: Vec<f32> = (0..12_000).map(|i| 0.5 * f64::from(i)).map(|d| field.height(x * d, z * d)).collect();
        heights.windows(2).map(|pair| 2.0 * f64::from(pair[1] - pair[0])).collect()
    }

    #[test]
    fn the_lee_side_has_the_angle_of_repose_and_faces_where_the_wind_blows_to() {
        for (direction, along) in
            [(0.0, [1.0, 0.0]), (FRAC_PI_2, [0.0, 1.0]), (PI, [-1.0, 0.0]), (4.0, [-0.6536, -0.7568])]
        {
            for (height, variation) in [(5.0, 0.0), (20.0, 0.9), (40.0, 0.0), (500.0, 0.5)] {
                let slopes = slopes(&field(Dunes { height, direction, variation, ..straight() }), along);
                let lowest = slopes.iter().copied().fold(0.0, f64::min);
                let highest = slopes.iter().copied().fold(0.0, f64::max);
                // Crests that become lower along the wind make it a little steeper.
                let slack = 0.005 + 0.04 * variation;
                assert!((lowest + REPOSE).abs() < slack, "{lowest} with height {height}, toward {direction}");
                assert!(highest < 0.9 * REPOSE, "{highest} with height {height}, toward {direction}");
                // The slope of the lee side is constant but at its foot.
                let lee = slopes.iter().filter(|slope| **slope < -0.02 * REPOSE).count();
                let steep = slopes.iter().filter(|slope| **slope < -0.95 * REPOSE).count();
                assert!(2 * steep > lee, "{steep} of {lee}");
            }
        }
        let mut lee: Vec<f64> = slopes(&field(Dunes::default()), [1.0, 0.0]);
        lee.retain(|slope| *slope < -0.3);
        lee.sort_by(f64::total_cmp);
        let [steepest, median] = [lee[0], lee[lee.len() / 2]].map(|slope| libm::atan(-slope).to_degrees());
        assert!(steepest < 45.0 && (28.0..36.0).contains(&median), "{steepest} and {median} degrees");
    }

    #[test]
    fn heights_are_continuous_and_within_their_bounds() {
        let settings = (1.0..3000.0_f64, 0.0..0.4, 0.0..6.3, 0.0..2.0, 0.0..=1.0, -1e9..1e9).prop_map(
            |(wavelength, height, direction, bending, variation, x)| {
                let bend_length = 5.0 * wavelength.max(2.0);
                let height = height * wavelength;
                (Dunes { wavelength, height, direction, bending, bend_length, variation }, x)
            },
        );
        for_all(200, settings, |(settings, x)| {
            let (dunes, field) = (DuneWaves::new(&settings, 0, 0), field(settings.clone()));
            let heights: Vec<f32> =
                (0..2000).map(|i| field.height(x + f64::from(i) * 1e-3 * settings.wavelength, 5.0)).collect();
            let bounds = dunes.bounds();
            assert!(heights.iter().all(|&height| (bounds.low..=bounds.high).contains(&height.into())));
            // Bends compress a wave up to five times; each step is a thousandth of it.
            let steepest = 5e-3 * (REPOSE * settings.wavelength) as f32;
            for pair in heights.windows(2) {
                assert!((pair[1] - pair[0]).abs() < steepest, "{} and {}", pair[0], pair[1]);
            }
        });
    }

    #[test]
    fn a_turn_ends_at_the_height_at_which_it_begins() {
        for_all(500, (0.0..300.0, 0.0..=1.0, -20.0..20.0_f32, -0.6..0.6_f32), |(height, variation, bend, noise)| {
            let waves = DuneWaves::new(&Dunes { height, variation, ..Dunes::default() }, 1, 0);
            let whole = bend.round();
            let [first, last] = [0, 0xff_ffff].map(|phase| waves.at(phase, whole, noise));
            assert!(first.abs() < 1e-4 && last.abs() < 1e-4, "{first} and {last}");
            assert_eq!(waves.at(12_345, whole, noise), waves.at(12_345, 0.0, noise), "whole turns change nothing");
        });
    }

    #[test]
    fn far_away_the_dunes_are_those_near_the_origin() {
        // 1/128 is exact in fixed point.
        let field = field(Dunes { wavelength: 128.0, ..straight() });
        for i in 0..1000 {
            let x = f64::from(i) * 0.173;
            let x = (x * 1024.0).round() / 1024.0;
            let near = field.height(x, 0.0);
            for waves in [1_i64 << 23, -(1 << 30), (1 << 23) - 1] {
                assert_eq!(near.to_bits(), field.height(x + 128.0 * waves as f64, 1e9).to_bits());
            }
        }
    }

    #[test]
    fn both_sides_meet_at_the_full_height() {
        for height in [1.0, 20.0, 40.0, 1000.0] {
            let waves = DuneWaves::new(&Dunes { height, ..straight() }, 0, 0);
            let top = (0..1 << 18).map(|step| waves.at(step << 6, 0.0, 0.0)).fold(0.0, f32::max);
            assert!(waves.height - top < 1e-3, "{top} of {}", waves.height);
        }
    }

    #[test]
    fn crests_change_their_height_as_the_variation_says() {
        // Along a crest, the height is that of the crest.
        let crests = |variation| {
            let settings = Dunes { variation, ..straight() };
            let field = field(settings);
            let top = |z: f64| (0..400).map(|x| field.height(f64::from(x) * 0.5, z)).fold(0.0, f32::max);
            let tops: Vec<f32> = (0..200).map(|i| top(f64::from(i) * 97.0)).collect();
            tops.iter().fold([f32::MAX, 0.0_f32], |[low, high], &top| [low.min(top), high.max(top)])
        };
        let [low, high] = crests(0.0);
        assert!(low > 19.8 && high <= 20.001, "{low} to {high}");
        let [low, high] = crests(0.7);
        assert!((5.9..8.0).contains(&low) && (18.0..20.001).contains(&high), "{low} to {high}");
    }
}
