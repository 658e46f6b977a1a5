//! [`Noise`]: a noise compiled for speed.

mod gradient;
mod nodes;
mod scattered;
mod wesl;

use super::fixed_coord::{AxisMap, TickCount};
use super::fractal::Octave;
use super::kernel::{self, Fill, KernelOctave, KernelScratch, OctaveScale, Output, Rule, Samples, SimdLevel};
use super::{
    AnyLattice, Fade, FixedCoord, Fractal, FractalShape, Lattice, NoiseSettings, OctaveSum, SampleGrid,
    ValueAndGradient, perlin,
};
use crate::param::ParamError;

/// Reusable memory of [`Noise::fill`]. Only the first fill of a size allocates.
#[derive(Clone, Debug, Default)]
pub struct NoiseScratch {
    kernel: KernelScratch,
    displacements: [Vec<f32>; 4],
}

/// A noise in the plane, or in 1 to 4 dimensions, compiled from [`NoiseSettings`] into tables. A fill branches on the settings once,
/// not at every sample.
///
/// There are two ways to evaluate it:
///
/// - [`fill`](Self::fill) for grids, [`values_at`](Self::values_at) for any positions and [`value`](Self::value) for one compute in
///   single precision, for terrain. The same point has the same bits on every machine, with every instruction set and in every
///   grid.
/// - [`sample`](Self::sample) computes the same sum in double precision, with its gradient.
///
/// [`fill_with_gradient`](Self::fill_with_gradient) and [`value_and_gradient_at`](Self::value_and_gradient_at) give the values of the
/// first with their gradients.
///
/// Both compute the same sum and differ by rounding. Tests check these bounds at more than 10^6 positions of every lattice:
///
/// | shape | largest difference |
/// |---|---|
/// | `Fbm`, `Damped` | 2.5e-6 |
/// | `Hybrid` | 3e-6 |
/// | `Billow` | 6e-6 |
/// | `Ridged` | 1.2e-5 |
///
/// They are in units of the height scale, for a normalized sum without a domain warp. An exponent `c` above 1 multiplies them by
/// `c`. In other dimensions than two the bounds are twice as large. There is no bound where small changes have large effects:
///
/// - An exponent below 1 enlarges values near zero.
/// - The slopes of a linear fade jump, and `Damped` depends on them.
/// - A domain warp also rounds how far it moves a position.
/// - `Damped`, `Hybrid` and `Ridged` pass errors from octave to octave. Without offset octaves and with a lacunarity below 1.5, all
///   octaves have nearly the same errors, which add up.
///
/// No value is further from zero than [`bound`](Self::bound). How smooth the noise is:
///
/// - Values are always continuous.
/// - Slopes are continuous, except with a linear fade, and except where values cross zero if the shape has crests or the
///   exponent is below 1.
/// - Curvature is continuous too with a quintic fade.
///
/// ```
/// use perlin_fbm::{Noise, NoiseScratch, NoiseSettings, SampleGrid};
///
/// let noise = Noise::seeded(&NoiseSettings { frequency: 0.01, ..Default::default() }, 42, 0);
/// // 65 by 65 samples, one unit apart.
/// let grid = SampleGrid::new([-32.0, -32.0], 1.0, [65, 65]);
/// let (mut values, mut scratch) = (vec![0.0; 65 * 65], NoiseScratch::default());
/// noise.fill(&grid, &mut scratch, &mut values);
/// assert_eq!(values[64 * 65 + 3], noise.value([-29.0, 32.0]));
/// assert!((f64::from(noise.value([0.5, 7.25])) - noise.sample([0.5, 7.25]).value).abs() < 1e-4);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Noise<const N: usize = 2> {
    /// The same noise in double precision.
    fractal: Fractal<AnyLattice<N>, N>,
    sum: Sum<N>,
    output: Output,
    /// One along each axis, if there is a warp.
    warps: Option<[Warp<N>; N]>,
}

/// A sum of octaves for the kernel.
#[derive(Clone, Debug, PartialEq)]
struct Sum<const N: usize> {
    octaves: Vec<KernelOctave<N>>,
    fade: Fade,
    shape: FractalShape,
}

/// The domain warp along one axis.
#[derive(Clone, Debug, PartialEq)]
struct Warp<const N: usize> {
    sum: Sum<N>,
    /// Its height scale is the warp strength.
    output: Output,
}

impl<const N: usize> Noise<N>
where
    AnyLattice<N>: Lattice<N>,
{
    /// The noise of `settings` over `lattice`, with every octave at the origin.
    ///
    /// [`NoiseSettings::lattice`] and [`NoiseSettings::offset_octaves`] are ignored. Values out of the documented ranges give a
    /// well-defined but useless noise, never a panic.
    #[must_use]
    pub fn new(lattice: impl Into<AnyLattice<N>>, settings: &NoiseSettings) -> Self {
        Self::compile(Fractal::new(lattice.into(), settings), settings)
    }

    /// The noise of `settings`. `seed` and `stream` choose the lattice and the offsets of the octaves. Two streams of a seed
    /// are independent.
    ///
    /// Settings out of their ranges never panic. Three of them are clamped: octaves to [`NoiseSettings::MAX_OCTAVES`],
    /// [`bits`](NoiseSettings::bits) to their range, and the nodes of the lattice `Grid` to [`NoiseSettings::MAX_PERIOD`] along
    /// each axis. All other numbers are used as they are, and may give a useless noise. [`try_seeded`](Self::try_seeded) refuses
    /// settings out of their ranges.
    #[must_use]
    pub fn seeded(settings: &NoiseSettings, seed: u64, stream: u64) -> Self {
        Self::compile(Fractal::seeded(settings, seed, stream), settings)
    }

    /// The noise of [`seeded`](Self::seeded), for settings that may be out of their ranges.
    ///
    /// # Errors
    ///
    /// The problems that [`NoiseSettings::check`] finds.
    pub fn try_seeded(settings: &NoiseSettings, seed: u64, stream: u64) -> Result<Self, Vec<ParamError>> {
        settings.check()?;
        Ok(Self::seeded(settings, seed, stream))
    }

    /// The noise of `settings`, where `seed` means what it means in the publications of integer hashes: its low 32 bits are the
    /// seed of the lattices `Ward`, `Shift` and `ShiftMult`, if octaves have no offsets.
    ///
    /// In all other cases it is [`seeded`](Self::seeded) with stream 0: publications leave the generator open.
    #[must_use]
    pub fn from_published_seed(settings: &NoiseSettings, seed: u64) -> Self {
        Self::compile(Fractal::from_published_seed(settings, seed), settings)
    }

    /// The sum of any octaves over `lattice`, each given as `(frequency, amplitude)`. See [`Fractal::from_octaves`].
    #[must_use]
    pub fn from_octaves(lattice: impl Into<AnyLattice<N>>, octaves: &[(f64, f64)], settings: &NoiseSettings) -> Self {
        Self::compile(Fractal::from_octaves(lattice.into(), octaves, settings), settings)
    }

    /// `fractal`, which was made of `settings`.
    fn compile(fractal: Fractal<AnyLattice<N>, N>, settings: &NoiseSettings) -> Self {
        let is_normalized = settings.sum == OctaveSum::Normalized;
        let sum = Sum::compile(fractal.octaves(), settings, settings.shape, is_normalized);
        let output = Output {
            clamped: settings.sum == OctaveSum::Clamped,
            exponent: settings.exponent as f32,
            height_scale: settings.height_scale as f32,
        };
        let warps = fractal.warps().map(|warps| {
            warps.map(|octaves| Warp {
                sum: Sum::compile(octaves, settings, FractalShape::Fbm, true),
                output: Output { clamped: false, exponent: 1.0, height_scale: settings.warp_strength as f32 },
            })
        });
        Self { fractal, sum, output, warps }
    }

    /// The noise at `p`, in units. Finite for all numbers, if the settings are within their limits.
    #[must_use]
    pub fn value(&self, p: [f64; N]) -> f32 {
        self.value_at(p.map(FixedCoord::from))
    }

    /// The noise at `coord`: the same bits as [`fill`](Self::fill) writes there.
    #[must_use]
    pub fn value_at(&self, coord: [FixedCoord; N]) -> f32 {
        let coord = self.fractal.rotation().map_or(coord, |rotation| rotation.coord(coord));
        let mut moved = coord;
        if let Some(warps) = &self.warps {
            for (moved, warp) in moved.iter_mut().zip(warps) {
                *moved = moved.moved(warp.sum.value_at(warp.output, coord));
            }
        }
        self.sum.value_at(self.output, moved)
    }

    /// The noise at `p` in double precision, with its gradient per unit.
    #[must_use]
    pub fn sample(&self, p: [f64; N]) -> ValueAndGradient<N> {
        self.fractal.sample(p)
    }

    /// The same noise in double precision.
    pub(super) fn fractal(&self) -> &Fractal<AnyLattice<N>, N> {
        &self.fractal
    }

    /// [`NoiseSettings::height_scale`].
    pub(super) fn height_scale(&self) -> f32 {
        self.output.height_scale
    }

    /// No value is further from zero than this, except for rounding.
    #[must_use]
    pub fn bound(&self) -> f64 {
        self.fractal.bound()
    }

    /// Writes the noise on `grid` into `values`, row by row: column `x` of row `y` is at `y * grid.size[0] + x`. In space, one slice
    /// after the other along z.
    ///
    /// # Panics
    ///
    /// If `values` does not have one element per sample of `grid`.
    pub fn fill(&self, grid: &SampleGrid<N>, scratch: &mut NoiseScratch, values: &mut [f32]) {
        self.fill_with(SimdLevel::fastest(), grid, scratch, values);
    }

    /// Like [`fill`](Self::fill), with the instruction set `level`. Falls back to plain Rust if the machine lacks it. The bits
    /// are the same.
    ///
    /// # Panics
    ///
    /// If `values` does not have one element per sample of `grid`.
    pub fn fill_with(&self, level: SimdLevel, grid: &SampleGrid<N>, scratch: &mut NoiseScratch, values: &mut [f32]) {
        self.write(level, grid, scratch, values, true);
    }

    /// Adds the noise on `grid` to `values`, in the same order as [`fill`](Self::fill).
    ///
    /// # Panics
    ///
    /// If `values` does not have one element per sample of `grid`.
    pub fn add_to(&self, grid: &SampleGrid<N>, scratch: &mut NoiseScratch, values: &mut [f32]) {
        self.write(SimdLevel::fastest(), grid, scratch, values, false);
    }

    fn write(
        &self,
        level: SimdLevel,
        grid: &SampleGrid<N>,
        scratch: &mut NoiseScratch,
        values: &mut [f32],
        replace: bool,
    ) {
        check_length(grid, values.len());
        if let Some(rotation) = self.fractal.rotation() {
            // Rotated coordinates are not a grid.
            self.scatter_rotated(level, rotation, grid.coords(), values, replace);
            return;
        }
        let NoiseScratch { kernel, displacements } = scratch;
        let Some(warps) = &self.warps else {
            self.sum.write(level, self.output, grid, kernel, values, replace);
            return;
        };
        for (warp, displacements) in warps.iter().zip(&mut *displacements) {
            displacements.resize(values.len(), 0.0);
            warp.sum.write(level, warp.output, grid, kernel, displacements, true);
        }
        // Warped coordinates are not a grid.
        let along = std::array::from_fn(|axis| &*displacements[axis]);
        self.write_moved(level, grid.coords(), along, values, replace);
    }
}

/// Panics if there is not one value for each sample of `grid`.
fn check_length<const N: usize>(grid: &SampleGrid<N>, length: usize) {
    let lengths = || grid.size.map(|length| length.to_string()).join(" by ");
    assert_eq!(Some(length), grid.sample_count(), "one value for each of {} samples", lengths());
}

impl<const N: usize> Sum<N>
where
    AnyLattice<N>: Lattice<N>,
{
    fn compile(
        octaves: &[Octave<AnyLattice<N>, N>],
        settings: &NoiseSettings,
        shape: FractalShape,
        is_normalized: bool,
    ) -> Self {
        let total: f64 = octaves.iter().map(|octave| octave.amplitude.abs()).sum();
        let whole = if is_normalized && total > 0.0 { total } else { 1.0 };
        let mut compiled: Vec<KernelOctave<N>> = Vec::with_capacity(octaves.len());
        let mut persistence = 1.0;
        for octave in octaves {
            let amplitude = (octave.amplitude / whole) as f32;
            let gradients = match shape {
                FractalShape::Fbm => amplitude,
                FractalShape::Damped => 1.0,
                FractalShape::Billow | FractalShape::Ridged | FractalShape::Hybrid => {
                    (1.0 / perlin::bound(&octave.lattice, settings.fade)) as f32
                }
            };
            compiled.push(KernelOctave {
                rule: match compiled.first() {
                    None => Rule::new(&octave.lattice, octave.period),
                    Some(first) => first.rule.of_octave(&octave.lattice, octave.period),
                },
                axes: octave.axes,
                scale: OctaveScale {
                    gradients,
                    amplitude,
                    persistence: persistence as f32,
                    frequencies: std::array::from_fn(|axis| {
                        octave.axes.get(axis).map_or(0.0, AxisMap::frequency) as f32
                    }),
                },
            });
            persistence *= settings.persistence;
        }
        Self { octaves: compiled, fade: settings.fade, shape }
    }

    fn value_at(&self, output: Output, coord: [FixedCoord; N]) -> f32 {
        self.value_at_with(kernel::level_for(&self.octaves), output, coord)
    }

    fn value_at_with(&self, level: SimdLevel, output: Output, coord: [FixedCoord; N]) -> f32 {
        kernel::value_at(level, &self.octaves, self.fade, self.shape, output, coord.map(TickCount::from))
    }

    fn write(
        &self,
        level: SimdLevel,
        output: Output,
        grid: &SampleGrid<N>,
        scratch: &mut KernelScratch,
        values: &mut [f32],
        replace: bool,
    ) {
        kernel::fill(level, self.shape, self.fill_of(output, grid, scratch, values, replace));
    }

    /// What the kernel needs for a fill without gradients.
    fn fill_of<'a>(
        &'a self,
        output: Output,
        grid: &SampleGrid<N>,
        scratch: &'a mut KernelScratch,
        values: &'a mut [f32],
        replace: bool,
    ) -> Fill<'a, N> {
        let samples = std::array::from_fn(|axis| Samples {
            first: grid.origin[axis],
            step_ticks: grid.step_ticks,
            count: grid.size[axis],
        });
        let gradients = [0; N].map(|_| &mut [][..]);
        Fill { octaves: &self.octaves, fade: self.fade, output, samples, scratch, values, gradients, replace }
    }
}
