//! A noise in the plane, compiled for speed.

use super::fractal::Octave;
use super::kernel::{self, Fill, Finish, KernelOctave, KernelScratch, OctaveScale, Rule, Samples, SimdLevel};
use super::{AnyLattice, Fade, Fractal, FractalShape, NoiseSettings, OctaveSum, Place, Sample, TerrainRng, perlin};

/// A rectangle of samples: which places, in ticks.
///
/// Whoever asks for the same place gets the same bits, through whichever rectangle, as long as all ticks of the rectangle fit in
/// an `i64`: 9 million million kilometres from the origin. Beyond, [`place`](Self::place) wraps around to the other end of the
/// world, and [`Noise::fill`] goes on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SampleGrid {
    /// The place of the first sample, along x and y.
    pub origin: [Place; 2],
    /// Ticks between neighbouring samples; negative ones go the other way. See [`TICKS_PER_UNIT`](super::TICKS_PER_UNIT).
    pub step: i64,
    /// Samples along x and along y.
    pub size: [usize; 2],
}

impl SampleGrid {
    /// The place of the sample in a column and a row.
    #[must_use]
    pub fn place(&self, column: usize, row: usize) -> [Place; 2] {
        let along = |place: Place, i: usize| Place {
            tick: place.tick.wrapping_add(self.step.wrapping_mul(i as i64)),
            rest: place.rest,
        };
        [along(self.origin[0], column), along(self.origin[1], row)]
    }
}

/// Reusable memory of [`Noise::fill`]: after the first fill of a size, no other of that size allocates.
#[derive(Clone, Debug, Default)]
pub struct NoiseScratch {
    kernel: KernelScratch,
    warps: [Vec<f32>; 2],
}

/// A noise in the plane, compiled from [`NoiseSettings`] into tables that say nothing but numbers: nothing is decided per
/// sample.
///
/// There are two ways to ask. [`fill`](Self::fill) and [`value`](Self::value) compute in single precision, for terrain, and
/// give the same bits for the same place, on every machine, with every instruction set and for any rectangle.
/// [`exact`](Self::exact) computes the same sum in double precision, with its gradient; the two differ by rounding alone,
/// some 1e-6 of the sum of amplitudes.
///
/// Values are no further from zero than [`bound`](Self::bound) says. They are continuous everywhere; so are slopes, unless the
/// fade is linear, or the shape has crests or the contrast is below 1, where values cross zero; curvature too with quintic fades.
///
/// ```
/// use bevy_perlin_terrain::noise::{Noise, NoiseScratch, NoiseSettings, Place, SampleGrid};
///
/// let noise = Noise::seeded(&NoiseSettings { frequency: 0.01, ..Default::default() }, 42, 0);
/// // 65 by 65 samples, one unit of 1024 ticks apart.
/// let grid = SampleGrid { origin: [Place::from(-32.0); 2], step: 1024, size: [65, 65] };
/// let (mut values, mut scratch) = (vec![0.0; 65 * 65], NoiseScratch::default());
/// noise.fill(&grid, &mut scratch, &mut values);
/// assert_eq!(values[64 * 65 + 3], noise.value(-29.0, 32.0));
/// assert!((f64::from(noise.value(0.5, 7.25)) - noise.exact(0.5, 7.25).value).abs() < 1e-4);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Noise {
    exact: Fractal<AnyLattice, 2>,
    sum: Sum,
    finish: Finish,
    warps: Option<[Warp; 2]>,
}

/// A sum of octaves for the kernel.
#[derive(Clone, Debug, PartialEq)]
struct Sum {
    octaves: Vec<KernelOctave>,
    fade: Fade,
    shape: FractalShape,
}

/// Two sums that displace places before the noise is asked.
#[derive(Clone, Debug, PartialEq)]
struct Warp {
    sum: Sum,
    /// The strength.
    finish: Finish,
}

impl Noise {
    /// The noise that `settings` describe, over a lattice of your own, with every octave at the origin: settings say nothing of
    /// the lattice then.
    ///
    /// Values out of the documented ranges give a well-defined but useless noise, never a panic.
    #[must_use]
    pub fn new(lattice: impl Into<AnyLattice>, settings: &NoiseSettings) -> Self {
        Self::compile(Fractal::new(lattice.into(), settings), settings)
    }

    /// The noise that `settings` describe. `seed` and `stream` choose the lattice and the places of scattered octaves: two
    /// streams of a seed have nothing in common.
    ///
    /// Values out of the documented ranges give a well-defined but useless noise. Only a lattice `Grid` with a period far out of
    /// its range asks for more memory than there is.
    #[must_use]
    pub fn seeded(settings: &NoiseSettings, seed: u64, stream: u64) -> Self {
        let mut rng = TerrainRng::new(seed, stream);
        let lattice = AnyLattice::random(settings, &mut rng);
        let exact = if settings.scattered {
            Fractal::scattered(lattice, settings, &mut rng)
        } else {
            Fractal::new(lattice, settings)
        };
        Self::compile(exact, settings)
    }

    fn compile(exact: Fractal<AnyLattice, 2>, settings: &NoiseSettings) -> Self {
        let normalised = settings.sum == OctaveSum::Normalised;
        let sum = Sum::compile(exact.octaves(), settings, settings.shape, normalised);
        let finish = Finish {
            clamped: settings.sum == OctaveSum::Clamped,
            contrast: settings.contrast as f32,
            size: settings.size as f32,
        };
        let warps = exact.warps().map(|warps| {
            warps.map(|octaves| Warp {
                sum: Sum::compile(octaves, settings, FractalShape::Smooth, true),
                finish: Finish { clamped: false, contrast: 1.0, size: settings.warp as f32 },
            })
        });
        Self { exact, sum, finish, warps }
    }

    /// The noise at `(x, y)`, in units. Finite for any numbers, if the settings are within their limits.
    #[must_use]
    pub fn value(&self, x: f64, y: f64) -> f32 {
        self.value_at([x.into(), y.into()])
    }

    /// The noise at a place: what [`fill`](Self::fill) writes there, to the bit.
    #[must_use]
    pub fn value_at(&self, place: [Place; 2]) -> f32 {
        let place = match &self.warps {
            None => place,
            Some([x, y]) => {
                [place[0].moved(x.sum.value_at(x.finish, place)), place[1].moved(y.sum.value_at(y.finish, place))]
            }
        };
        self.sum.value_at(self.finish, place)
    }

    /// The noise at `(x, y)` in double precision, with its gradient per unit.
    #[must_use]
    pub fn exact(&self, x: f64, y: f64) -> Sample<2> {
        self.exact.sample([x, y])
    }

    /// No value is further from zero than this, but for rounding.
    #[must_use]
    pub fn bound(&self) -> f64 {
        self.exact.bound()
    }

    /// Replaces `values` by the noise on `grid`, row by row: column `x` of row `y` is at `y * grid.size[0] + x`.
    ///
    /// # Panics
    ///
    /// When `values` has another length than `grid` has samples.
    pub fn fill(&self, grid: &SampleGrid, scratch: &mut NoiseScratch, values: &mut [f32]) {
        self.fill_with(SimdLevel::fastest(), grid, scratch, values);
    }

    /// Does what [`fill`](Self::fill) does, with an instruction set of your choice; with plain Rust where the machine lacks it.
    /// The bits are the same.
    ///
    /// # Panics
    ///
    /// When `values` has another length than `grid` has samples.
    pub fn fill_with(&self, level: SimdLevel, grid: &SampleGrid, scratch: &mut NoiseScratch, values: &mut [f32]) {
        self.write(level, grid, scratch, values, true);
    }

    /// Adds the noise on `grid` to `values`, laid out as [`fill`](Self::fill) does.
    ///
    /// # Panics
    ///
    /// When `values` has another length than `grid` has samples.
    pub fn add_to(&self, grid: &SampleGrid, scratch: &mut NoiseScratch, values: &mut [f32]) {
        self.write(SimdLevel::fastest(), grid, scratch, values, false);
    }

    fn write(
        &self,
        level: SimdLevel,
        grid: &SampleGrid,
        scratch: &mut NoiseScratch,
        values: &mut [f32],
        replace: bool,
    ) {
        let [columns, rows] = grid.size;
        assert_eq!(Some(values.len()), columns.checked_mul(rows), "one value for each of {columns} by {rows} samples");
        let NoiseScratch { kernel, warps: displacements } = scratch;
        let Some(warps) = &self.warps else {
            self.sum.write(level, self.finish, grid, kernel, values, replace);
            return;
        };
        for (warp, displacements) in warps.iter().zip(&mut *displacements) {
            displacements.resize(values.len(), 0.0);
            warp.sum.write(level, warp.finish, grid, kernel, displacements, true);
        }
        // Warped places form no grid.
        let [x, y] = displacements;
        for ((i, value), (&x, &y)) in values.iter_mut().enumerate().zip(x.iter().zip(y.iter())) {
            let [column, row] = grid.place(i % columns, i / columns);
            let noise = self.sum.value_at(self.finish, [column.moved(x), row.moved(y)]);
            *value = if replace { noise } else { *value + noise };
        }
    }
}

impl Sum {
    fn compile(
        octaves: &[Octave<AnyLattice, 2>],
        settings: &NoiseSettings,
        shape: FractalShape,
        normalised: bool,
    ) -> Self {
        let total: f64 = octaves.iter().map(|octave| octave.amplitude.abs()).sum();
        let whole = if normalised && total > 0.0 { total } else { 1.0 };
        let mut compiled: Vec<KernelOctave> = Vec::with_capacity(octaves.len());
        let mut persistence = 1.0;
        for octave in octaves {
            let amplitude = (octave.amplitude / whole) as f32;
            let gradients = match shape {
                FractalShape::Smooth => amplitude,
                FractalShape::Damped => 1.0,
                FractalShape::Billow | FractalShape::Ridged | FractalShape::Hybrid => {
                    (1.0 / perlin::bound(&octave.lattice)) as f32
                }
            };
            compiled.push(KernelOctave {
                rule: match compiled.first() {
                    None => Rule::new(&octave.lattice, octave.period),
                    Some(first) => first.rule.of_octave(&octave.lattice, octave.period),
                },
                tracks: octave.tracks,
                scale: OctaveScale { gradients, amplitude, persistence: persistence as f32 },
            });
            persistence *= settings.persistence;
        }
        Self { octaves: compiled, fade: settings.fade, shape }
    }

    fn value_at(&self, finish: Finish, place: [Place; 2]) -> f32 {
        kernel::value_at(&self.octaves, self.fade, self.shape, finish, place)
    }

    fn write(
        &self,
        level: SimdLevel,
        finish: Finish,
        grid: &SampleGrid,
        scratch: &mut KernelScratch,
        values: &mut [f32],
        replace: bool,
    ) {
        let samples = [0, 1].map(|i| Samples { first: grid.origin[i], step: grid.step, count: grid.size[i] });
        let fill = Fill { octaves: &self.octaves, fade: self.fade, finish, samples, scratch, values, replace };
        kernel::fill(level, self.shape, fill);
    }
}
