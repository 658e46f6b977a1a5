//! A noise as plain data.

use super::{Fade, FractalShape, LatticeKind, PermutationKind};
use crate::param::{self, Param, ParamError, params};
use serde::{Deserialize, Serialize};

/// The change of the sum of the octaves before the [`exponent`](NoiseSettings::exponent) is applied.
#[params]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bevy_reflect", derive(bevy_reflect::Reflect))]
#[non_exhaustive]
pub enum OctaveSum {
    /// Divides by the sum of the amplitudes: the noise stays within its height scale.
    ///
    /// So the sum lies in \[-1, 1\].
    #[default]
    Normalized,
    /// Adds the octaves: more octaves give higher values.
    ///
    /// The values may reach [`NoiseSettings::MAX_VALUE`].
    Raw,
    /// Adds the octaves and cuts the sum off at the height scale: flat tops and flat floors.
    ///
    /// The sum is clamped to \[-1, 1\].
    Clamped,
}

/// A noise as plain data: a lattice, a fade, a sum of octaves, and the shaping of that sum.
///
/// [`Fractal`](super::Fractal) compiles it, and documents the formula.
#[params]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bevy_reflect", derive(bevy_reflect::Reflect))]
#[serde(deny_unknown_fields, default)]
pub struct NoiseSettings {
    /// The contribution of each octave. It decides whether the noise has waves, crests or lumps.
    #[param(default = FractalShape::Fbm)]
    pub shape: FractalShape,
    /// How many octaves are summed. More octaves add finer detail and take more time.
    ///
    /// Without any, the noise is 0 everywhere.
    #[param(default = 7, range = 0..=32)]
    pub octaves: u32,
    /// Cells per metre of the first octave: 0.001 is one cell per kilometre. A lower value gives wider features.
    #[param(default = 0.001, range = 1e-6..=1.0, unit = "1/m", scale = Logarithmic)]
    pub frequency: f64,
    /// How much finer each octave is than the one before. Usually about 2.
    ///
    /// It is the frequency of an octave divided by the frequency of the octave before it.
    #[param(default = 2.0, range = 1.0..=4.0)]
    pub lacunarity: f64,
    /// How strong each octave is, compared with the one before. A higher value gives a rougher noise.
    ///
    /// It is the amplitude of an octave divided by the amplitude of the octave before it.
    #[param(default = 0.5, range = 0.0..=1.0)]
    pub persistence: f64,
    /// Above 1, values near 0 get flatter and peaks sharper. Below 1, values near 0 get rougher and peaks blunter.
    ///
    /// It is the exponent `c` of the shaping `sign(v) |v|^c`.
    #[param(default = 1.0, range = 0.1..=8.0)]
    pub exponent: f64,
    /// The noise from -1 to 1 is multiplied by this height. A negative value turns peaks into pits.
    #[param(default = 100.0, range = -10_000.0..=10_000.0, unit = "m")]
    pub height_scale: f64,
    /// How far the domain warp moves the noise sideways, which bends its features. 0 means no warp.
    ///
    /// Each coordinate moves so far along each axis before the noise is evaluated there.
    #[param(default = 0.0, range = 0.0..=10_000.0, unit = "m")]
    pub warp_strength: f64,
    /// Cells per metre of the first octave of the warp: 0.001 is one cell per kilometre. A higher value gives tighter bends.
    #[param(default = 0.001, range = 1e-6..=1.0, unit = "1/m", scale = Logarithmic)]
    pub warp_frequency: f64,
    /// Width of a cell of the first octave, in place of the frequency: a wavelength of 500 is a frequency of 0.002. 0 means that
    /// the frequency counts.
    #[param(default = 0.0, range = 0.0..=1e6, unit = "m", detail)]
    pub wavelength: f64,
    /// How many octaves the warp has. More octaves give more ragged bends.
    #[param(default = 2, range = 1..=8, detail)]
    pub warp_octaves: u32,
    /// Gives every octave a random offset, which avoids a regular pattern of flat spots.
    ///
    /// Every octave then has a lattice of its own, too. If not, and if the lacunarity is an integer, all octaves are zero at the
    /// nodes of the first. That shows as a regular pattern of pinholes.
    #[param(default = true, detail)]
    pub offset_octaves: bool,
    /// The rule that gives each node of the lattice its gradient. `FastHash` is the default; the others are published noises.
    #[param(default = LatticeKind::FastHash, detail)]
    pub lattice: LatticeKind,
    /// The number of bits of each gradient component, for the lattice `Bit` only. With 8, all gradients lie on one
    /// diagonal.
    #[param(default = 6, range = 1..=8, detail)]
    pub bits: u32,
    /// The permutation that hashes nodes, for the lattices `Diagonal`, `Bit` and `Edge` only.
    ///
    /// `Shuffled` gives these lattices a seed.
    #[param(default = PermutationKind::Perlin, detail)]
    pub permutation: PermutationKind,
    /// The number of cells of the first octave after which the noise repeats along x, for tiles. 0 gives the longest period of the
    /// lattice.
    ///
    /// An octave whose period would exceed 2^62 cells also uses the lattice's own.
    #[param(default = 0, range = 0..=1024, detail)]
    pub period_x: u32,
    /// The same along the second axis: y on a map, z on a terrain.
    #[param(default = 0, range = 0..=1024, detail)]
    pub period_y: u32,
    /// The same along the third axis, in space.
    #[param(default = 0, range = 0..=1024, detail)]
    pub period_z: u32,
    /// The same along the fourth axis, such as time.
    ///
    /// With a period, an animation loops after `period_w / frequency` units of time, times `stretch_w`.
    #[param(default = 0, range = 0..=1024, detail)]
    pub period_w: u32,
    /// How many times as long everything is along x. `rotation` gives it another direction.
    ///
    /// It divides the frequency along that axis. The warp is stretched too.
    #[param(default = 1.0, range = 0.01..=100.0, scale = Logarithmic, detail)]
    pub stretch_x: f64,
    /// The same along the second axis: y on a map, z on a terrain.
    #[param(default = 1.0, range = 0.01..=100.0, scale = Logarithmic, detail)]
    pub stretch_y: f64,
    /// The same along the third axis, in space.
    #[param(default = 1.0, range = 0.01..=100.0, scale = Logarithmic, detail)]
    pub stretch_z: f64,
    /// The same along the fourth axis, such as time.
    #[param(default = 1.0, range = 0.01..=100.0, scale = Logarithmic, detail)]
    pub stretch_w: f64,
    /// The direction of the first axis of the noise: 0 is toward +x, pi/2 toward the second axis. It takes about ten times as long.
    ///
    /// It rotates the noise about the origin, in the plane of its first two axes, with its warp and its periods. Rotated samples are
    /// not a grid of the lattice, so a fill computes each by itself, as [`values_at`](super::Noise::values_at) does.
    #[param(default = 0.0, range = -3.15..=3.15, unit = "rad", detail)]
    pub rotation: f64,
    /// How far the gradients of the lattices `Table` and `Grid` have turned: from 0 to 1 the noise flows in place, and 1 is 0 again.
    ///
    /// Each gradient turns once or twice, one way or the other. Source: Ken Perlin and Fabrice Neyret, *Flow Noise* (2001).
    #[param(default = 0.0, range = 0.0..=1.0, detail)]
    pub flow: f64,
    /// The curve from one node of the lattice to the next: how smooth the noise is between them.
    #[param(default = Fade::Quintic, detail)]
    pub fade: Fade,
    /// Octaves above this frequency are left out. 0 means no limit.
    #[param(default = 0.0, range = 0.0..=1000.0, unit = "1/m", detail)]
    pub max_frequency: f64,
    /// The change of the sum of the octaves before the exponent and the height scale.
    #[param(default = OctaveSum::Normalized, detail)]
    pub sum: OctaveSum,
    /// Amplitude of the first octave. It has an effect only if the `sum` is `Raw` or `Clamped`.
    #[param(default = 1.0, range = 0.001..=1000.0, scale = Logarithmic, detail)]
    pub amplitude: f64,
}

impl NoiseSettings {
    /// The largest number of octaves in a sum.
    pub const MAX_OCTAVES: u32 = Self::OCTAVES.max as u32;

    /// The furthest from 0 that a value may be: 10^7, which is 10 000 km if values are metres.
    ///
    /// Only the sum [`OctaveSum::Raw`] can exceed it, with a large amplitude or many strong octaves, and with a high exponent. Then
    /// values may even be infinite, so [`check`](Self::check) refuses such settings. The limit holds for
    /// `sum^exponent * height_scale`, with the sum of all amplitudes.
    pub const MAX_VALUE: f64 = 1e7;

    /// The parameters of axes that a plane does not have.
    #[doc(hidden)]
    pub const BEYOND_PLANE: [&'static Param; 4] = [Self::PERIOD_Z, Self::PERIOD_W, Self::STRETCH_Z, Self::STRETCH_W];

    /// The largest period, in cells of the first octave. A grid of 1024 by 1024 nodes takes 16 MiB.
    pub const MAX_PERIOD: u32 = Self::PERIOD_X.max as u32;

    /// The default noise at the scale of an image instead of terrain: values from -1 to 1, and cells of 64 units.
    ///
    /// [`height_scale`](Self::height_scale) is 1; [`frequency`](Self::frequency) and
    /// [`warp_frequency`](Self::warp_frequency) are 1/64.
    #[must_use]
    pub fn unit() -> Self {
        Self { height_scale: 1.0, frequency: 1.0 / 64.0, warp_frequency: 1.0 / 64.0, ..Self::default() }
    }

    /// Checks that every number is within its documented range, and that no value can be further from 0 than
    /// [`MAX_VALUE`](Self::MAX_VALUE).
    ///
    /// ```
    /// use perlin_fbm::NoiseSettings;
    ///
    /// let settings = NoiseSettings { persistence: 1.5, ..NoiseSettings::unit() };
    /// let errors = settings.check().unwrap_err();
    /// assert_eq!(errors[0].to_string(), "`persistence` is 1.5, allowed: 0 to 1");
    /// ```
    ///
    /// # Errors
    ///
    /// One for each number out of its range, with the name of the field and the range, and one for `sum` if values can be too large.
    pub fn check(&self) -> Result<(), Vec<ParamError>> {
        let mut errors = param::check(&mut self.clone());
        errors.extend(self.check_values());
        if errors.is_empty() { Ok(()) } else { Err(errors) }
    }

    /// An error for `sum` if values can be further from 0 than [`MAX_VALUE`](Self::MAX_VALUE).
    #[doc(hidden)]
    #[must_use]
    pub fn check_values(&self) -> Option<ParamError> {
        // The other sums lie between -1 and 1.
        if self.sum != OctaveSum::Raw {
            return None;
        }
        // No octave of amplitude 1 is further from 0 than 1, in the plane.
        let sum = self.octaves().map(|(_, amplitude)| amplitude.abs()).sum();
        let largest = libm::pow(sum, self.exponent) * self.height_scale.abs();
        (largest > Self::MAX_VALUE).then(|| ParamError {
            path: Self::SUM.name.to_owned(),
            found: format!("Raw, with values up to {largest:.1e}"),
            allowed: format!(
                "values up to {:.0e}; choose Normalized or Clamped, or a lower amplitude, persistence, exponent or height scale, or \
                 fewer octaves",
                Self::MAX_VALUE
            ),
        })
    }

    /// Returns whether the seed changes the noise. It does not if all of it comes from Perlin's published permutation: over the
    /// lattices `Diagonal`, `Bit` and `Edge`, without offsets of octaves.
    ///
    /// ```
    /// use perlin_fbm::{NoiseSettings, PermutationKind};
    ///
    /// let perlin = NoiseSettings::perlin_2002();
    /// assert!(!perlin.has_seed());
    /// assert!(NoiseSettings { permutation: PermutationKind::Shuffled, ..perlin }.has_seed());
    /// ```
    #[must_use]
    pub fn has_seed(&self) -> bool {
        let is_permuted = matches!(self.lattice, LatticeKind::Diagonal | LatticeKind::Bit | LatticeKind::Edge);
        self.offset_octaves || !is_permuted || self.permutation == PermutationKind::Shuffled
    }

    /// The frequency of the first octave: that of [`wavelength`](Self::wavelength), if it has one, or else
    /// [`frequency`](Self::frequency).
    ///
    /// ```
    /// use perlin_fbm::NoiseSettings;
    ///
    /// let settings = NoiseSettings { frequency: 0.01, ..NoiseSettings::default() };
    /// assert_eq!(settings.first_frequency(), 0.01);
    /// assert_eq!(NoiseSettings { wavelength: 500.0, ..settings }.first_frequency(), 0.002);
    /// ```
    #[must_use]
    pub fn first_frequency(&self) -> f64 {
        if self.wavelength > 0.0 { 1.0 / self.wavelength } else { self.frequency }
    }

    /// The cells of the first octave after which the noise repeats along each axis. 0 means the period of the lattice.
    #[must_use]
    pub fn periods(&self) -> [u32; 4] {
        [self.period_x, self.period_y, self.period_z, self.period_w]
    }

    /// How many times as long everything is along each axis.
    #[must_use]
    pub fn stretches(&self) -> [f64; 4] {
        [self.stretch_x, self.stretch_y, self.stretch_z, self.stretch_w]
    }

    /// Frequency and amplitude of every octave: `first_frequency * lacunarity^i` and `amplitude * persistence^i`.
    ///
    /// Ends after [`octaves`](Self::octaves) items, or before the first frequency above
    /// [`max_frequency`](Self::max_frequency). Along an axis that is stretched, the frequency is divided by its stretch.
    pub fn octaves(&self) -> impl Iterator<Item = (f64, f64)> {
        let (mut frequency, mut amplitude) = (self.first_frequency(), self.amplitude);
        let max_frequency = if self.max_frequency > 0.0 { self.max_frequency } else { f64::INFINITY };
        let (lacunarity, persistence) = (self.lacunarity, self.persistence);
        (0..self.octaves.min(Self::MAX_OCTAVES))
            .map(move |_| {
                let octave = (frequency, amplitude);
                frequency *= lacunarity;
                amplitude *= persistence;
                octave
            })
            .take_while(move |&(frequency, _)| frequency <= max_frequency)
    }

    /// The same noise, scaled so that a cell of the first octave is `cell_size` units wide. Its values do not change.
    ///
    /// The maximum frequency and the domain warp scale with it.
    ///
    /// ```
    /// use perlin_fbm::NoiseSettings;
    ///
    /// let settings = NoiseSettings { frequency: 0.01, warp_strength: 30.0, ..Default::default() };
    /// let wide = settings.with_cells_of(200.0);
    /// assert_eq!((wide.frequency, wide.warp_strength), (0.005, 60.0));
    /// ```
    #[must_use]
    pub fn with_cells_of(&self, cell_size: f64) -> Self {
        let factor = cell_size * self.first_frequency();
        Self {
            frequency: self.first_frequency() / factor,
            wavelength: 0.0,
            max_frequency: self.max_frequency / factor,
            warp_strength: self.warp_strength * factor,
            warp_frequency: self.warp_frequency / factor,
            ..self.clone()
        }
    }

    /// The noise that moves coordinates along one axis. `None` without a domain warp.
    #[doc(hidden)]
    #[must_use]
    pub fn warp_noise(&self) -> Option<Self> {
        (self.warp_strength > 0.0).then(|| Self {
            octaves: self.warp_octaves,
            frequency: self.warp_frequency,
            wavelength: 0.0,
            max_frequency: 0.0,
            amplitude: 1.0,
            ..self.clone()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_raw_sum_with_values_that_are_too_large_is_refused() {
        let raw = NoiseSettings { sum: OctaveSum::Raw, ..NoiseSettings::default() };
        let all = NoiseSettings {
            amplitude: 1000.0,
            persistence: 1.0,
            octaves: 32,
            exponent: 8.0,
            height_scale: -10_000.0,
            ..raw.clone()
        };
        let errors = all.check().expect_err("values are infinite");
        assert_eq!(
            errors.iter().map(ToString::to_string).collect::<Vec<_>>(),
            [
                "`sum` is Raw, with values up to 1.1e40, allowed: values up to 1e7; choose Normalized or Clamped, or a lower \
                 amplitude, persistence, exponent or height scale, or fewer octaves"
            ]
        );
        assert!(crate::Noise::<2>::try_seeded(&all, 1, 0).is_err());
        for allowed in [
            raw.clone(),
            NoiseSettings { amplitude: 1000.0, octaves: 1, height_scale: 10_000.0, ..raw },
            NoiseSettings { octaves: 0, ..all.clone() },
            NoiseSettings { height_scale: 0.0, ..all.clone() },
            NoiseSettings { sum: OctaveSum::Clamped, ..all.clone() },
            NoiseSettings { sum: OctaveSum::Normalized, ..all },
        ] {
            assert_eq!(allowed.check(), Ok(()), "{allowed:?}");
        }
    }
}
