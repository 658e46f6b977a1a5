//! Sums of octaves: from one frequency of noise to terrain.

mod nodes;
mod octave;
mod shape;
mod sum;
mod wesl;

pub use nodes::LatticeNode;
pub(super) use octave::Octave;
pub use shape::FractalShape;
pub(super) use shape::HYBRID_OFFSET;
pub use wesl::WeslError;
pub(super) use wesl::module as wesl_module;

use super::rotation::Rotation;
use super::value_and_gradient::Number;
use super::{AnyLattice, HashGradients, Lattice, NoiseRng, NoiseSettings, OctaveSum, ValueAndGradient};
use sum::{OctaveNumber, Sum};

/// A sum of octaves of noise in `N` dimensions. The sum is raised to the exponent and multiplied by the height scale, and a
/// domain warp can move its coordinates:
///
/// ```text
/// p' = p + warp_strength (w_0(p), .. w_N-1(p))  each w is a normalized Fbm sum of its own
/// v  = sum_i a_i c_i(p')                        a_i = amplitude persistence^i, at frequency lacunarity^i
/// v  = v / sum_i |a_i|                          if normalized; or v; or v clamped to [-1, 1]
/// f  = sign(v) |v|^exponent height_scale
/// ```
///
/// Octave `i` has the noise `n_i`, and `m_i = n_i / bound` lies in \[-1, 1\]. Its contribution `c_i` is:
///
/// | shape | `c_i` | next weight `w_i+1`, with `w_0 = 1` | source |
/// |---|---|---|---|
/// | `Fbm` | `n_i` | | fractional Brownian motion: Pintér |
/// | `Billow` | `2 \|m_i\| - 1` | | turbulence: Perlin 1985 |
/// | `Ridged` | `2 w_i (1 - \|m_i\|)^2 - 1` | `min(1, 2 w_i (1 - \|m_i\|)^2)` | ridged multifractal, gain 2 and offset 1: Musgrave |
/// | `Hybrid` | `w_i (m_i + 0.7) - 0.7` | `w_i (m_i + 0.7) persistence^i`, in \[0, 1\] | hybrid multifractal, offset 0.7: Musgrave |
/// | `Damped` | `n_i / (1 + \|D_i\|^2)`, `D_i` the sum of the slopes of octaves 0 to i, each per cell of its own | | Quilez |
///
/// For unit gradients in the plane, all contributions lie in \[-1, 1\].
///
/// With a stretch, frequencies along an axis are divided by it. With a rotation, the axes of the noise are those of the world, rotated in
/// the plane of the first two: `f(p) = f_0(R^-1 p)`.
///
/// With a period, octave `i` repeats after `period * lacunarity^i` cells, rounded to a whole number. Its frequency changes
/// slightly, so that these cells fill `period / frequency` units. So the sum tiles for any lacunarity, with its warp: to the last bit
/// without a warp, if that width is a multiple of 1/1024 unit below 4 * 10^6 units.
///
/// This is the exact evaluation, in `f64` and point by point. Coordinates are in fixed point (see
/// [`FixedCoord`](super::FixedCoord)), so the noise is as fine far from the origin as near it.
///
/// Sources:
///
/// - Pintér Bálint, *Perlin-zaj* (2026), section 5: the sum, its exponent ("contrast") and its height scale ("size").
/// - F. Kenton Musgrave, *Procedural Fractal Terrains*, in *Texturing & Modeling: A Procedural Approach* (1994).
/// - Inigo Quilez, *Value noise derivatives* (2008). That sum is of value noise; the slopes of its octaves add up in the same
///   way.
/// - Wilhelm Burger, *Gradientenbasierte Rauschfunktionen und Perlin Noise* (2008): the maximum frequency.
///
/// Periods with a fractional lacunarity and offset octaves are ours.
///
/// ```
/// use perlin_fbm::*;
///
/// let settings = NoiseSettings {
///     octaves: 8, frequency: 0.0385, lacunarity: 2.2, persistence: 0.476, amplitude: 2.17,
///     exponent: 4.0, height_scale: 120.0, ..NoiseSettings::default()
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
    warp_strength: f64,
    /// `None` if its first axis is that of the world.
    rotation: Option<Rotation>,
    normalization: OctaveSum,
    exponent: f64,
    height_scale: f64,
}

impl<L: Lattice<N>, const N: usize> Fractal<L, N> {
    /// The sum of `settings` over `lattice`, with every octave at the origin.
    ///
    /// [`NoiseSettings::lattice`] and [`NoiseSettings::offset_octaves`] are ignored. Values out of the documented ranges give a
    /// well-defined but useless sum, never a panic. Octaves beyond [`NoiseSettings::MAX_OCTAVES`] are left out.
    #[must_use]
    pub fn new(lattice: L, settings: &NoiseSettings) -> Self {
        let octaves = Octave::main(&lattice, settings, None);
        Self::compile(&lattice, octaves, settings, None)
    }

    /// The sum of any octaves over `lattice`, each given as `(frequency, amplitude)`, with every octave at the origin.
    ///
    /// [`octaves`](NoiseSettings::octaves), [`max_frequency`](NoiseSettings::max_frequency),
    /// [`lacunarity`](NoiseSettings::lacunarity), [`amplitude`](NoiseSettings::amplitude),
    /// [`lattice`](NoiseSettings::lattice) and [`offset_octaves`](NoiseSettings::offset_octaves) of `settings` have no effect on
    /// the sum. Shape, fade, normalization, exponent, height scale and domain warp are those of `settings`. The weights of
    /// `Hybrid` use [`persistence`](NoiseSettings::persistence) as they always do. Periods count cells of
    /// [`frequency`](NoiseSettings::frequency).
    ///
    /// Frequencies are in cells per unit. \[Limit: 0 to 1000\] Amplitudes may be negative. \[Limit: -1000 to 1000\] Others give a
    /// useless sum, never a panic. There may be any number of octaves in any order.
    ///
    /// Source: Wilhelm Burger, *Gradientenbasierte Rauschfunktionen und Perlin Noise* (2008), equations 37 and 61.
    ///
    /// ```
    /// use perlin_fbm::{Fade, Fractal, FastHashGradients, NoiseSettings, OctaveSum, Perlin};
    ///
    /// let lattice = FastHashGradients::new(42);
    /// let settings = NoiseSettings { sum: OctaveSum::Raw, height_scale: 1.0, ..NoiseSettings::default() };
    /// let sum = Fractal::from_octaves(lattice, &[(0.25, 3.0), (1.5, -0.5)], &settings);
    /// let noise = Perlin::new(lattice, Fade::Quintic);
    /// let expected = 3.0 * noise.value([0.25 * 7.5, 0.25 * 4.0]) - 0.5 * noise.value([1.5 * 7.5, 1.5 * 4.0]);
    /// assert!((sum.value([7.5, 4.0]) - expected).abs() < 1e-12);
    /// ```
    #[must_use]
    pub fn from_octaves(lattice: L, octaves: &[(f64, f64)], settings: &NoiseSettings) -> Self {
        let octaves = Octave::from_pairs(&lattice, settings, octaves);
        Self::compile(&lattice, octaves, settings, None)
    }

    /// The same sum, with a random offset for each octave, drawn from `rng`. If the lattice has a seed, each octave has a
    /// lattice of its own too.
    ///
    /// Without offsets, all octaves of a sum with an integer lacunarity are zero at the lattice nodes of the first. Terrain has
    /// a pinhole of height zero there, in a regular pattern.
    #[must_use]
    pub fn with_offset_octaves(lattice: L, settings: &NoiseSettings, rng: &mut NoiseRng) -> Self {
        let octaves = Octave::main(&lattice, settings, Some(rng));
        Self::compile(&lattice, octaves, settings, Some(rng))
    }

    /// The sum of `octaves`, warped by the warp of `settings`.
    fn compile(lattice: &L, octaves: Vec<Octave<L, N>>, settings: &NoiseSettings, rng: Option<&mut NoiseRng>) -> Self {
        let sum = |octaves, shape| Sum::new(lattice, octaves, shape, settings.fade, settings.persistence);
        let main = sum(octaves, settings.shape);
        let warps = Octave::warps(lattice, settings, rng).map(|octaves| sum(octaves, FractalShape::Fbm));
        Self {
            main,
            warps: (settings.warp_strength > 0.0).then_some(warps),
            warp_strength: settings.warp_strength,
            rotation: Rotation::toward(settings.rotation),
            normalization: settings.sum,
            exponent: settings.exponent,
            height_scale: settings.height_scale,
        }
    }

    /// The octaves.
    pub(super) fn octaves(&self) -> &[Octave<L, N>] {
        &self.main.octaves
    }

    /// The octaves of the domain warp along each axis. `None` without a warp.
    pub(super) fn warps(&self) -> Option<[&[Octave<L, N>]; N]> {
        self.warps.as_ref().map(|warps| warps.each_ref().map(|warp| &warp.octaves[..]))
    }

    /// The direction of its first axis. `None` if that is the first axis of the world.
    pub(super) fn rotation(&self) -> Option<&Rotation> {
        self.rotation.as_ref()
    }

    /// No value is further from zero than this. 0 without octaves.
    #[must_use]
    pub fn bound(&self) -> f64 {
        let contribution = self.main.bound();
        let bound = match self.normalization {
            _ if self.main.total == 0.0 => 0.0,
            OctaveSum::Normalized => contribution,
            OctaveSum::Raw => contribution * self.main.total,
            OctaveSum::Clamped => (contribution * self.main.total).min(1.0),
        };
        bound.signed_power(self.exponent) * self.height_scale.abs()
    }

    /// The sum at `p`, in units. Finite for finite coordinates.
    #[inline]
    #[must_use]
    pub fn value(&self, p: [f64; N]) -> f64 {
        let p = self.rotated(p);
        let mut moved = p;
        if let Some(warps) = &self.warps {
            for (axis, warp) in warps.iter().enumerate() {
                moved[axis] += self.warp_strength * normalized::<f64>(warp.at(p), warp.total);
            }
        }
        self.shaped(self.main.at(moved))
    }

    /// The sum at `p`, in units, and its gradient per unit.
    ///
    /// The gradient is exact, not a finite difference: it includes shape, exponent and warp. On a crease it is the gradient of
    /// one side.
    #[must_use]
    pub fn sample(&self, p: [f64; N]) -> ValueAndGradient<N> {
        self.rotated_back(self.unrotated_sample(self.rotated(p)))
    }

    /// The position in the noise of a position in the world.
    #[inline]
    fn rotated(&self, p: [f64; N]) -> [f64; N] {
        self.rotation.map_or(p, |rotation| rotation.position(p))
    }

    /// With a gradient along the axes of the world.
    fn rotated_back(&self, ValueAndGradient { value, gradient }: ValueAndGradient<N>) -> ValueAndGradient<N> {
        ValueAndGradient { value, gradient: self.rotation.map_or(gradient, |rotation| rotation.back(gradient)) }
    }

    /// The sum at a position in the noise, and its gradient there.
    fn unrotated_sample(&self, p: [f64; N]) -> ValueAndGradient<N> {
        let Some(warps) = &self.warps else {
            return self.shaped(self.main.at(p));
        };
        let mut moved = p;
        let mut slopes = [[0.0; N]; N];
        for (axis, warp) in warps.iter().enumerate() {
            let ValueAndGradient { value, gradient } = normalized::<ValueAndGradient<N>>(warp.at(p), warp.total);
            moved[axis] += self.warp_strength * value;
            slopes[axis] = gradient.map(|slope| self.warp_strength * slope);
            slopes[axis][axis] += 1.0;
        }
        let ValueAndGradient { value, gradient } = self.shaped::<ValueAndGradient<N>>(self.main.at(moved));
        // The chain rule: row `axis` of `slopes` is the gradient of the moved coordinate `axis`.
        let gradient = std::array::from_fn(|along| (0..N).map(|axis| gradient[axis] * slopes[axis][along]).sum());
        ValueAndGradient { value, gradient }
    }

    /// The result for the sum of the octaves.
    fn shaped<T: OctaveNumber<N>>(&self, sum: T) -> T {
        let v = match self.normalization {
            OctaveSum::Normalized => normalized(sum, self.main.total),
            OctaveSum::Raw => sum,
            OctaveSum::Clamped => sum.clamp(-1.0, 1.0),
        };
        v.signed_power(self.exponent) * T::constant(self.height_scale)
    }
}

impl<const N: usize> Fractal<AnyLattice<N>, N>
where
    AnyLattice<N>: Lattice<N>,
{
    /// The sum of `settings` in 1 to 4 dimensions. `seed` and `stream` choose the lattice and the offsets of the octaves. Two
    /// streams of a seed are independent.
    ///
    /// In the plane it is the sum that [`Noise::seeded`](super::Noise::seeded) compiles.
    ///
    /// Settings out of their ranges never panic. Octaves beyond [`NoiseSettings::MAX_OCTAVES`] are left out,
    /// [`bits`](NoiseSettings::bits) are clamped to their range, and a grid is cut to [`AnyLattice::MAX_GRID_SIZE`] nodes along an
    /// axis. All other numbers are used as they are, and may give a useless sum. [`NoiseSettings::check`] finds them.
    ///
    /// ```
    /// use perlin_fbm::{Fractal, LatticeKind, NoiseSettings};
    ///
    /// // A cloud that drifts with time, the fourth dimension.
    /// let settings = NoiseSettings { lattice: LatticeKind::Table, frequency: 0.1, ..NoiseSettings::default() };
    /// let cloud = Fractal::<_, 4>::seeded(&settings, 42, 0);
    /// assert!(cloud.value([1.0, 2.0, 3.0, 0.5]).abs() <= cloud.bound());
    /// ```
    #[must_use]
    pub fn seeded(settings: &NoiseSettings, seed: u64, stream: u64) -> Self {
        let mut rng = NoiseRng::new(seed, stream);
        let lattice = AnyLattice::random(settings, &mut rng);
        Self::from_lattice(lattice, settings, &mut rng)
    }

    /// The sum of `settings` in 1 to 4 dimensions, with the seed of
    /// [`Noise::from_published_seed`](super::Noise::from_published_seed).
    #[must_use]
    pub fn from_published_seed(settings: &NoiseSettings, seed: u64) -> Self {
        let mut rng = NoiseRng::new(seed, 0);
        let lattice = match AnyLattice::random(settings, &mut rng) {
            AnyLattice::Hash(lattice) if !settings.offset_octaves => {
                HashGradients::new(lattice.hash(), seed as i32).into()
            }
            lattice => lattice,
        };
        Self::from_lattice(lattice, settings, &mut rng)
    }

    /// The sum over `lattice`, with random offsets if `settings` ask for them.
    fn from_lattice(lattice: AnyLattice<N>, settings: &NoiseSettings, rng: &mut NoiseRng) -> Self {
        if settings.offset_octaves {
            Self::with_offset_octaves(lattice, settings, rng)
        } else {
            Self::new(lattice, settings)
        }
    }
}

/// The sum divided by the sum of the amplitudes. Without octaves the sum is zero already.
fn normalized<T: Number>(sum: T, total: f64) -> T {
    if total > 0.0 { sum * T::constant(1.0 / total) } else { sum }
}

#[cfg(test)]
mod tests;
