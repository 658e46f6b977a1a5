//! Carved lines: valleys, canyons and fjords.

use super::blend::Blend;
use super::interval::Interval;
use crate::noise::{NoiseSettings, TICKS_PER_UNIT};
use crate::param::params;
use serde::{Deserialize, Serialize};

/// Valleys of an even width along winding lines.
///
/// The layer has the height `bed` in a valley and `bed + depth` outside. The blend decides what the ground gets:
///
/// - `Min` cuts down to fixed heights, such as fjords below the sea. The valley shows where `bed` is lower than the ground. Above the
///   rim the sides go straight on, so that they meet any ground, and the valley is wider where the ground is higher.
/// - `Add` follows the ground, if `bed` is `-depth`: the rim stays where it is, and the bed lies `depth` below. With a mask, valleys
///   cut only a part of the ground.
///
/// The lines are closed or endless, and cross one another where three or four valleys meet. They know nothing of the ground: they
/// climb over hills and do not run downhill.
///
/// # The formula
///
/// The lines are those where a noise `n` is 0. The distance `d` to the nearest one is about `|n| / |grad n|`. Halfway between two
/// lines, where the gradient is 0, it is half a wavelength:
///
/// ```text
/// d = |n| / sqrt(|grad n|² + (2 n / l)² + e²)    l: the wavelength; d is at most half of it
///                                                e: a tenth of a typical gradient, so that d is continuous
/// t = clamp((d - bed_width/2) / ((width - bed_width)/2))
/// height = bed + depth t                         or t², which is level at the bed
/// ```
///
/// With `Min`, `t` has no upper limit, and is `2 t - 1` in place of `t²` above the rim.
///
/// The gradient is a central difference over a fixed distance. Source of the distance: G. Taubin, *Distance approximations for
/// rasterizing implicit curves* (1994).
#[params]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bevy_reflect", derive(bevy_reflect::Reflect))]
#[serde(deny_unknown_fields, default)]
pub struct Carve {
    /// The height of the bed of a valley. With the blend `Add` and minus the depth, valleys follow the ground.
    #[param(default = -30.0, range = -10_000.0..=10_000.0, unit = "m")]
    pub bed: f64,
    /// The height from the bed to the rim.
    #[param(default = 30.0, range = 0.0..=10_000.0, unit = "m")]
    pub depth: f64,
    /// The width of a valley, from rim to rim. Valleys that are too wide for the wavelength meet.
    #[param(default = 300.0, range = 1.0..=20_000.0, unit = "m", scale = Logarithmic)]
    pub width: f64,
    /// The width of the level bed, at most 98 % of the width. 0 gives a narrow one.
    #[param(default = 40.0, range = 0.0..=20_000.0, unit = "m")]
    pub bed_width: f64,
    /// A straight line crosses a valley once in this distance, on average.
    #[param(default = 2000.0, range = 20.0..=100_000.0, unit = "m", scale = Logarithmic)]
    pub wavelength: f64,
    /// The number of sizes of bends. More give more ragged valleys and take more time.
    #[param(default = 2, range = 1..=4)]
    pub octaves: u32,
    /// The shape of the sides.
    #[param(default = ValleyShape::U)]
    pub shape: ValleyShape,
}

impl Carve {
    /// The largest number of octaves.
    pub const MAX_OCTAVES: u32 = Self::OCTAVES.max as u32;

    /// The width that a wider bed counts as, in metres. Sides without any width would be cliffs.
    pub(crate) const fn max_bed_width(&self) -> f64 {
        0.98 * Self::WIDTH.nearest(self.width)
    }

    /// The noise that is 0 along the lines.
    pub(crate) fn noise(&self) -> NoiseSettings {
        Valleys::new(self, Blend::Add).noise()
    }
}

/// The shape of the sides of a valley.
#[params]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bevy_reflect", derive(bevy_reflect::Reflect))]
#[non_exhaustive]
pub enum ValleyShape {
    /// Straight sides, as of a river that cuts down.
    V,
    /// Sides that are level at the bed and steepest at the rim, as of a glacier.
    #[default]
    U,
}

/// How often a straight line crosses 0 in a cell of one octave of noise, on average. Measured.
const CROSSINGS_PER_CELL: f64 = 0.93;

/// The root mean square of the gradient of one octave, times the width of a cell. Measured.
const GRADIENT: f64 = 0.88;

/// The amplitude of an octave divided by that of the octave before. Higher ones fray the sides.
const PERSISTENCE: f64 = 0.35;

/// A [`Carve`], compiled.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Valleys {
    /// The noise with the lines has this frequency and so many octaves.
    frequency: f64,
    octaves: u32,
    /// `e²` in the formula.
    min_square: f32,
    /// `4 / l²` in the formula.
    per_half_square: f32,
    half_bed: f32,
    per_side: f32,
    /// The largest `t`.
    max: f32,
    bed: f32,
    depth: f32,
    shape: ValleyShape,
}

impl Valleys {
    /// Compiles `settings`, for a layer with this blend. Numbers out of their ranges count as the nearest number in them.
    pub fn new(settings: &Carve, blend: Blend) -> Self {
        let width = Carve::WIDTH.nearest(settings.width);
        let bed_width = Carve::BED_WIDTH.nearest(settings.bed_width).min(settings.max_bed_width());
        let octaves = settings.octaves.clamp(1, Carve::MAX_OCTAVES);
        let (mut values, mut slopes, mut sum) = (0.0, 0.0, 0.0);
        let (mut frequency, mut amplitude) = (1.0, 1.0);
        for _ in 0..octaves {
            values += amplitude * amplitude;
            slopes += (amplitude * frequency) * (amplitude * frequency);
            sum += amplitude;
            frequency *= 2.0;
            amplitude *= PERSISTENCE;
        }
        // How often a sum crosses 0 grows with the ratio of its slope and its value.
        let crossings: f64 = CROSSINGS_PER_CELL * (slopes / values).sqrt();
        let wavelength = Carve::WAVELENGTH.nearest(settings.wavelength);
        let frequency = 1.0 / (wavelength * crossings);
        let min = 0.1 * GRADIENT * frequency * slopes.sqrt() / sum;
        let (half_bed, per_side) = (0.5 * bed_width, 2.0 / (width - bed_width));
        // No distance is more than half a wavelength.
        let highest = (0.5 * wavelength - half_bed) * per_side;
        Self {
            frequency,
            octaves,
            min_square: (min * min) as f32,
            per_half_square: (4.0 / (wavelength * wavelength)) as f32,
            half_bed: half_bed as f32,
            per_side: per_side as f32,
            max: if blend == Blend::Min { highest.max(1.0) as f32 } else { 1.0 },
            bed: Carve::BED.nearest(settings.bed) as f32,
            depth: Carve::DEPTH.nearest(settings.depth) as f32,
            shape: settings.shape,
        }
    }

    /// The noise that is 0 along the lines.
    pub fn noise(&self) -> NoiseSettings {
        NoiseSettings {
            octaves: self.octaves,
            frequency: self.frequency,
            persistence: PERSISTENCE,
            height_scale: 1.0,
            ..NoiseSettings::default()
        }
    }

    /// The distance over which to measure the gradient, in ticks: an eighth of the narrowest cell.
    pub fn gradient_distance(&self) -> i64 {
        let narrowest = 1.0 / (self.frequency * f64::from(1 << (self.octaves - 1)));
        (narrowest / 8.0 * TICKS_PER_UNIT as f64).round() as i64
    }

    /// Turns the `noise` at a list of positions into heights. `gradients` are those along x, and then all those along z.
    pub fn apply(&self, noise: &mut [f32], gradients: &[f32]) {
        match self.shape {
            ValleyShape::V => self.apply_profile(noise, gradients, |t| t),
            ValleyShape::U => self.apply_profile(noise, gradients, u_profile),
        }
    }

    fn apply_profile(&self, noise: &mut [f32], gradients: &[f32], profile: impl Fn(f32) -> f32) {
        let (x, z) = gradients.split_at(noise.len());
        for ((noise, &x), &z) in noise.iter_mut().zip(x).zip(z) {
            let gradient = x * x + z * z + self.per_half_square * (*noise * *noise) + self.min_square;
            let distance = noise.abs() / gradient.sqrt();
            let t = (distance - self.half_bed) * self.per_side;
            let t = if t > 0.0 { t } else { 0.0 };
            let t = if t < self.max { t } else { self.max };
            *noise = self.bed + self.depth * profile(t);
        }
    }

    /// The bounds of the heights.
    pub fn bounds(&self) -> Interval {
        let (bed, depth) = (f64::from(self.bed), f64::from(self.depth));
        let max = match self.shape {
            ValleyShape::V => self.max,
            ValleyShape::U => u_profile(self.max),
        };
        let bounds = Interval::new(bed, bed + depth * f64::from(max));
        bounds.extended(bounds.rounding())
    }
}

/// Level at the bed, and straight above the rim.
fn u_profile(t: f32) -> f32 {
    if t < 1.0 { t * t } else { 2.0 * t - 1.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::{FieldSettings, HeightField, LayerKind};
    use proptest::sample::select;
    use testing::for_all;

    fn field(carve: Carve) -> HeightField {
        let layers = vec![LayerKind::Carve(carve).into()];
        HeightField::new(&FieldSettings { layers, base_height: 0.0, ..FieldSettings::default() })
    }

    #[test]
    fn valleys_are_continuous_and_within_their_bounds() {
        let shape = select(&[ValleyShape::V, ValleyShape::U]);
        let position = [-1e9..1e9, -1e9..1e9];
        for_all(
            2000,
            (shape, 20.0..2000.0, 0.0..500.0, 1..=4_u32, position),
            |(shape, width, depth, octaves, [x, z])| {
                let carve = Carve { shape, bed: -30.0, depth, width, octaves, wavelength: 1000.0, ..Carve::default() };
                let sides = (width - carve.bed_width.min(0.98 * width)) / 2.0;
                let field = field(carve);
                for distance in [1.0, 0.1, 0.004] {
                    let [here, there] = [x, x + distance].map(|x| f64::from(field.height(x, z)));
                    assert!((-30.001..=depth - 29.999).contains(&here), "{here}");
                    // A side may be steeper than in the formula where the gradient changes. It is no cliff.
                    let steepest = 10.0 * depth / sides.clamp(1.0, 250.0);
                    assert!(
                        (here - there).abs() <= steepest * distance + 1e-3,
                        "{here} and {there}, {distance} m apart"
                    );
                }
            },
        );
    }

    #[test]
    fn valleys_have_the_width_that_the_settings_say() {
        let (width, bed_width) = (240.0, 60.0);
        let carve =
            Carve { bed: 0.0, depth: 100.0, width, bed_width, wavelength: 4000.0, octaves: 1, ..Carve::default() };
        let field = field(carve);
        // Heights along a line of 2000 km, 2 m apart; and the steepest direction where it enters a valley.
        let mut widths = Vec::new();
        let (mut start, mut bed) = (None, false);
        for i in 0..1_000_000 {
            let x = f64::from(i) * 2.0;
            let height = field.height(x, 77.0);
            bed |= height < 0.01;
            match start {
                None if height < 99.0 => (start, bed) = (Some(x), false),
                Some(first) if height >= 99.0 => {
                    // The line crosses a valley at an angle: measure across, along the slope of its first side.
                    let [slope_x, _, slope_z] = field.normal(first + 20.0, 77.0, 4.0);
                    let along = slope_x.abs() / slope_x.hypot(slope_z);
                    if bed && along > 0.5 {
                        widths.push((x - first) * f64::from(along));
                    }
                    start = None;
                }
                _ => {}
            }
        }
        widths.sort_by(f64::total_cmp);
        let median = widths[widths.len() / 2];
        assert!(widths.len() > 100, "{} valleys", widths.len());
        assert!((0.85 * width..1.15 * width).contains(&median), "{median} m");
        let crossings = 2_000_000.0 / widths.len() as f64;
        assert!(crossings < 2.5 * 4000.0, "a valley every {crossings} m");
    }

    #[test]
    fn the_shape_decides_how_steep_the_foot_is() {
        let heights = |shape, blend| {
            let carve = Carve {
                shape,
                bed: 0.0,
                depth: 100.0,
                width: 200.0,
                bed_width: 0.0,
                wavelength: 20_000.0,
                ..Carve::default()
            };
            let valleys = Valleys::new(&carve, blend);
            // On a noise with a gradient that is large enough for the formula to be exact.
            let mut noise = [0.0, 25.0, 50.0, 100.0, 200.0];
            valleys.apply(&mut noise, &[[1.0; 5], [0.0; 5]].concat());
            noise.map(f32::round)
        };
        assert_eq!(heights(ValleyShape::V, Blend::Add), [0.0, 25.0, 50.0, 100.0, 100.0]);
        assert_eq!(heights(ValleyShape::U, Blend::Add), [0.0, 6.0, 25.0, 100.0, 100.0]);
        // No ceiling: the sides go on.
        assert_eq!(heights(ValleyShape::V, Blend::Min), [0.0, 25.0, 50.0, 100.0, 200.0]);
        assert_eq!(heights(ValleyShape::U, Blend::Min), [0.0, 6.0, 25.0, 100.0, 300.0]);
    }
}
