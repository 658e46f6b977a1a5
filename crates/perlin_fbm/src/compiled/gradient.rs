//! Noise on a grid with its gradient, in single precision.

use super::{Noise, NoiseScratch, check_length};
use crate::fixed_coord::TickCount;
use crate::kernel::{self, Fill};
use crate::{AnyLattice, FixedCoord, FractalShape, Lattice, SampleGrid, SimdLevel, TICKS_PER_UNIT};

impl<const N: usize> Noise<N>
where
    AnyLattice<N>: Lattice<N>,
{
    /// Writes the noise on `grid` into `values`, and its derivative per unit along each axis into a slice of `gradients`. All slices
    /// have the order of [`fill`](Self::fill).
    ///
    /// The values have the same bits as those of `fill`, and so do the derivatives at every instruction set and in every grid. The
    /// derivatives are those of the formula, not differences: they include shape, exponent and clamping. On a crease they are those
    /// of one side.
    ///
    /// They differ from the gradient of [`sample`](Self::sample) by rounding. In units of the height scale times the frequency of
    /// the finest octave along the axis that is stretched least, tests check these bounds for a normalized sum with an exponent of 1:
    ///
    /// | shape | largest difference |
    /// |---|---|
    /// | `Fbm`, `Hybrid` | 6e-6 |
    /// | `Billow`, `Ridged` | 3e-5 |
    ///
    /// There is no bound on creases: the borders of cells with a linear fade, the zeros of octaves of `Billow` and `Ridged`, and
    /// the positions where a weight of `Ridged` or `Hybrid` or a clamped sum reaches its limit. An exponent below 1 has none near
    /// zero, where slopes are infinite.
    ///
    /// `Damped` noise would need second derivatives, and a domain warp or a rotation moves positions off the grid. Then the
    /// derivatives are those of `sample`, rounded to single precision. That is correct, but as slow as `sample`, and coordinates
    /// beyond 9 * 10^12 units are rounded to an `f64`.
    ///
    /// ```
    /// use perlin_fbm::{Noise, NoiseScratch, NoiseSettings, SampleGrid};
    ///
    /// let noise = Noise::seeded(&NoiseSettings { frequency: 0.01, ..NoiseSettings::unit() }, 42, 0);
    /// let grid = SampleGrid::new([0.0, 0.0], 0.5, [64, 32]);
    /// let mut scratch = NoiseScratch::default();
    /// let [mut heights, mut along_x, mut along_y] = [0; 3].map(|_| vec![0.0; 64 * 32]);
    /// noise.fill_with_gradient(&grid, &mut scratch, &mut heights, [&mut along_x, &mut along_y]);
    ///
    /// let rise = (heights[11] - heights[9]) / (2.0 * 0.5);
    /// assert!((along_x[10] - rise).abs() < 1e-3);
    /// assert!((f64::from(along_y[10]) - noise.sample([5.0, 0.0]).gradient[1]).abs() < 1e-6);
    /// ```
    ///
    /// # Panics
    ///
    /// If `values` or a slice of `gradients` does not have one element per sample of `grid`.
    pub fn fill_with_gradient(
        &self,
        grid: &SampleGrid<N>,
        scratch: &mut NoiseScratch,
        values: &mut [f32],
        gradients: [&mut [f32]; N],
    ) {
        self.fill_with_gradient_with(SimdLevel::fastest(), grid, scratch, values, gradients);
    }

    /// Like [`fill_with_gradient`](Self::fill_with_gradient), with the instruction set `level`. Falls back to plain Rust if the
    /// machine lacks it. The bits are the same.
    ///
    /// # Panics
    ///
    /// If `values` or a slice of `gradients` does not have one element per sample of `grid`.
    pub fn fill_with_gradient_with(
        &self,
        level: SimdLevel,
        grid: &SampleGrid<N>,
        scratch: &mut NoiseScratch,
        values: &mut [f32],
        mut gradients: [&mut [f32]; N],
    ) {
        check_length(grid, values.len());
        gradients.iter().for_each(|along| check_length(grid, along.len()));
        if self.has_fast_gradient() {
            let fill = self.sum.fill_of(self.output, grid, &mut scratch.kernel, values, true);
            kernel::fill_with_gradient(level, self.sum.shape, Fill { gradients, ..fill });
            return;
        }
        self.fill_with(level, grid, scratch, values);
        for (i, coord) in grid.coords().enumerate() {
            for (along, slope) in gradients.iter_mut().zip(self.exact_gradient(coord)) {
                along[i] = slope;
            }
        }
    }

    /// The noise at `coord`, and its derivative per unit along each axis: the same bits as
    /// [`fill_with_gradient`](Self::fill_with_gradient) writes there.
    ///
    /// ```
    /// use perlin_fbm::{FixedCoord, Noise, NoiseSettings};
    ///
    /// let noise = Noise::<3>::seeded(&NoiseSettings::unit(), 42, 0);
    /// let coord = [3.5, -7.25, 100.0].map(FixedCoord::from);
    /// let (value, [_, _, along_z]) = noise.value_and_gradient_at(coord);
    /// assert_eq!(value, noise.value_at(coord));
    /// assert!((f64::from(along_z) - noise.sample([3.5, -7.25, 100.0]).gradient[2]).abs() < 1e-6);
    /// ```
    #[must_use]
    pub fn value_and_gradient_at(&self, coord: [FixedCoord; N]) -> (f32, [f32; N]) {
        if self.has_fast_gradient() {
            return self.fast_gradient(kernel::level_for(&self.sum.octaves), coord);
        }
        (self.value_at(coord), self.exact_gradient(coord))
    }

    pub(super) fn fast_gradient(&self, level: SimdLevel, coord: [FixedCoord; N]) -> (f32, [f32; N]) {
        let (sum, ticks) = (&self.sum, coord.map(TickCount::from));
        kernel::value_and_gradient_at(level, &sum.octaves, sum.fade, sum.shape, self.output, ticks)
    }

    /// Whether the kernel computes gradients of this noise.
    fn has_fast_gradient(&self) -> bool {
        self.warps.is_none() && self.fractal.rotation().is_none() && self.sum.shape != FractalShape::Damped
    }

    /// The gradient of [`sample`](Self::sample), rounded.
    fn exact_gradient(&self, coord: [FixedCoord; N]) -> [f32; N] {
        let p = coord.map(|FixedCoord { ticks, fraction }| (ticks as f64 + fraction) / TICKS_PER_UNIT as f64);
        self.sample(p).gradient.map(|slope| slope as f32)
    }
}
