//! Sums of octaves: from one frequency of noise to terrain.

mod octave;
mod shape;
mod sum;

pub(super) use octave::Octave;
pub use shape::FractalShape;
pub(super) use shape::HYBRID_OFFSET;

use super::sample::Number;
use super::{Lattice, NoiseSettings, OctaveSum, Sample, TerrainRng};
use sum::{OctaveNumber, Sum};

/// A sum of octaves of noise in `N` dimensions, shaped by contrast, scaled by size, its places moved by a domain warp:
///
/// ```text
/// p' = p + warp (w_0(p), .. w_N-1(p))           each w a smooth sum of its own
/// v  = sum_i a_i c_i(p')                        a_i = amplitude persistence^i, at frequency lacunarity^i
/// v  = v / sum_i |a_i|                          normalised; or as it is; or as it is, cut off at -1 and 1
/// f  = sign(v) |v|^contrast size
/// ```
///
/// Octave `i` has the noise `n_i`, of which `m_i = n_i / bound` lies in \[-1, 1\]. What it contributes:
///
/// | shape | `c_i` | next weight `w_i+1`, with `w_0 = 1` | source |
/// |---|---|---|---|
/// | `Smooth` | `n_i` | | fractional Brownian motion: Pintér |
/// | `Billow` | `2 \|m_i\| - 1` | | turbulence: Perlin 1985 |
/// | `Ridged` | `2 w_i (1 - \|m_i\|)^2 - 1` | `min(1, 2 w_i (1 - \|m_i\|)^2)` | ridged multifractal, gain 2 and offset 1: Musgrave |
/// | `Hybrid` | `w_i (m_i + 0.7) - 0.7` | `w_i (m_i + 0.7) persistence^i`, in \[0, 1\] | hybrid multifractal, offset 0.7: Musgrave |
/// | `Damped` | `n_i / (1 + \|D_i\|^2)`, `D_i` the sum of the slopes of octaves 0 to i, each per cell of its own | | Quilez |
///
/// All lie in \[-1, 1\] for unit gradients.
///
/// With a period, octave `i` repeats after `period * lacunarity^i` cells, rounded to a whole number, and its frequency is
/// changed by as little as makes those fill `period / frequency` units: so the sum tiles, warp and all, whatever the lacunarity.
///
/// This is the exact side, in `f64` and place by place; positions are those of fixed point (see [`Place`](super::Place)), so
/// it is as good far from the origin as near it.
///
/// Sources: Pintér Bálint, *Perlin-zaj* (2026), section 5, for the sum with contrast and size. F. Kenton Musgrave, *Procedural
/// Fractal Terrains*, in *Texturing & Modeling: A Procedural Approach* (1994). Inigo Quilez, *Value noise derivatives* (2008),
/// whose sum is of value noise and takes the slopes of octaves together in the same way. Wilhelm Burger,
/// *Gradientenbasierte Rauschfunktionen und Perlin Noise* (2008), for the highest frequency. Periods of a lacunarity that
/// is no whole number, and scattered octaves, are ours.
///
/// ```
/// use bevy_perlin_terrain::noise::*;
///
/// let settings = NoiseSettings {
///     octaves: 8, frequency: 0.0385, lacunarity: 2.2, persistence: 0.476, amplitude: 2.17,
///     contrast: 4.0, size: 120.0, ..NoiseSettings::default()
/// };
/// let fractal = Fractal::new(DiagonalGradients::default(), &settings);
/// let height = fractal.value([-544.8205044753781, 222.37796324765293]);
/// assert!((height + 1.0472022952775242).abs() < 1e-12 * 120.0);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Fractal<L, const N: usize> {
    main: Sum<L, N>,
    /// One along each axis, if there is a warp.
    warps: Option<[Sum<L, N>; N]>,
    warp: f64,
    normalisation: OctaveSum,
    contrast: f64,
    size: f64,
}

impl<L: Lattice<N>, const N: usize> Fractal<L, N> {
    /// The sum that `settings` describe, with all octaves over `lattice`, at its origin.
    ///
    /// [`NoiseSettings::lattice`] and [`NoiseSettings::scattered`] are not looked at: whoever has compiled a lattice has decided.
    /// Values out of the documented ranges give a well-defined but useless sum, never a panic; octaves beyond
    /// [`NoiseSettings::MAX_OCTAVES`] are left out.
    #[must_use]
    pub fn new(lattice: L, settings: &NoiseSettings) -> Self {
        Self::compile(&lattice, settings, None)
    }

    /// The same sum with each octave over a lattice of its own (if the lattice has a seed) and at a random place of it.
    ///
    /// Without this, all octaves of a sum with an integer lacunarity are zero at the lattice points of the first: terrain
    /// has a pinhole of height zero there, in a regular pattern.
    #[must_use]
    pub fn scattered(lattice: L, settings: &NoiseSettings, rng: &mut TerrainRng) -> Self {
        Self::compile(&lattice, settings, Some(rng))
    }

    fn compile(lattice: &L, settings: &NoiseSettings, mut rng: Option<&mut TerrainRng>) -> Self {
        let sum = |octaves, shape| Sum::new(lattice, octaves, shape, settings.fade, settings.persistence);
        let main = sum(Octave::main(lattice, settings, rng.as_deref_mut()), settings.shape);
        let warps = Octave::warps(lattice, settings, rng).map(|octaves| sum(octaves, FractalShape::Smooth));
        Self {
            main,
            warps: (settings.warp > 0.0).then_some(warps),
            warp: settings.warp,
            normalisation: settings.sum,
            contrast: settings.contrast,
            size: settings.size,
        }
    }

    /// The octaves, ready to be compiled into something else.
    pub(super) fn octaves(&self) -> &[Octave<L, N>] {
        self.main.octaves()
    }

    /// The octaves of the domain warp along each axis, if there is one.
    pub(super) fn warps(&self) -> Option<[&[Octave<L, N>]; N]> {
        self.warps.as_ref().map(|warps| warps.each_ref().map(Sum::octaves))
    }

    /// No value is further from zero than this.
    #[must_use]
    pub fn bound(&self) -> f64 {
        let contribution = self.main.bound();
        let bound = match self.normalisation {
            OctaveSum::Normalised => contribution,
            OctaveSum::Raw => contribution * self.main.total(),
            OctaveSum::Clamped => (contribution * self.main.total()).min(1.0),
        };
        bound.signed_power(self.contrast) * self.size.abs()
    }

    /// The sum at `p`, in units. Finite for finite coordinates.
    #[inline]
    #[must_use]
    pub fn value(&self, p: [f64; N]) -> f64 {
        let mut moved = p;
        if let Some(warps) = &self.warps {
            for (axis, warp) in warps.iter().enumerate() {
                moved[axis] += self.warp * normalised::<f64>(warp.at(p), warp.total());
            }
        }
        self.shaped(self.main.at(moved))
    }

    /// The sum at `p`, in units, and how it changes along each axis, per unit.
    ///
    /// The gradient is exact, not a difference, through shape, contrast and warp. On a crease it is that of one side.
    #[must_use]
    pub fn sample(&self, p: [f64; N]) -> Sample<N> {
        let Some(warps) = &self.warps else {
            return self.shaped(self.main.at(p));
        };
        let mut moved = p;
        let mut slopes = [[0.0; N]; N];
        for (axis, warp) in warps.iter().enumerate() {
            let Sample { value, gradient } = normalised::<Sample<N>>(warp.at(p), warp.total());
            moved[axis] += self.warp * value;
            slopes[axis] = gradient.map(|slope| self.warp * slope);
            slopes[axis][axis] += 1.0;
        }
        let Sample { value, gradient } = self.shaped::<Sample<N>>(self.main.at(moved));
        // The chain rule: row `axis` of `slopes` says how the place moves along `axis`.
        let gradient = std::array::from_fn(|along| (0..N).map(|axis| gradient[axis] * slopes[axis][along]).sum());
        Sample { value, gradient }
    }

    /// What becomes of the sum of octaves.
    fn shaped<T: OctaveNumber<N>>(&self, sum: T) -> T {
        let v = match self.normalisation {
            OctaveSum::Normalised => normalised(sum, self.main.total()),
            OctaveSum::Raw => sum,
            OctaveSum::Clamped => sum.clamp(-1.0, 1.0),
        };
        v.signed_power(self.contrast) * T::constant(self.size)
    }
}

/// The sum, divided by the sum of amplitudes; without any octave it is zero already.
fn normalised<T: Number>(sum: T, total: f64) -> T {
    if total > 0.0 { sum * T::constant(1.0 / total) } else { sum }
}

#[cfg(test)]
mod tests;
