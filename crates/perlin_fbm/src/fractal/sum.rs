//! The sum of the octaves of a noise, by shape.

use super::octave::Octave;
use super::shape::{FractalShape, HYBRID_OFFSET, RIDGED_GAIN};
use crate::fixed_coord::TickCount;
use crate::perlin::{self, Jet};
use crate::value_and_gradient::Number;
use crate::{Fade, Lattice, ValueAndGradient};

/// A number type that octaves can be computed in.
pub(super) trait OctaveNumber<const N: usize>: Number {
    /// The octave at `p`.
    fn noise<L: Lattice<N>>(octave: &Octave<L, N>, fade: Fade, p: [TickCount; N]) -> Self;

    /// The octave at `p`, and its slope along each axis, per cell.
    fn noise_and_slopes<L: Lattice<N>>(octave: &Octave<L, N>, fade: Fade, p: [TickCount; N]) -> (Self, [Self; N]);
}

impl<const N: usize> OctaveNumber<N> for f64 {
    #[inline]
    fn noise<L: Lattice<N>>(octave: &Octave<L, N>, fade: Fade, p: [TickCount; N]) -> Self {
        octave.at(fade, p)
    }

    #[inline]
    fn noise_and_slopes<L: Lattice<N>>(octave: &Octave<L, N>, fade: Fade, p: [TickCount; N]) -> (Self, [Self; N]) {
        let ValueAndGradient { value, gradient } = octave.at(fade, p);
        (value, gradient)
    }
}

/// With gradients per unit of length.
impl<const N: usize> OctaveNumber<N> for ValueAndGradient<N> {
    #[inline]
    fn noise<L: Lattice<N>>(octave: &Octave<L, N>, fade: Fade, p: [TickCount; N]) -> Self {
        let Self { value, gradient } = octave.at(fade, p);
        Self { value, gradient: per_unit(octave, gradient) }
    }

    #[inline]
    fn noise_and_slopes<L: Lattice<N>>(octave: &Octave<L, N>, fade: Fade, p: [TickCount; N]) -> (Self, [Self; N]) {
        let Jet { value, gradient, hessian } = octave.at(fade, p);
        let slope = |axis: usize| Self { value: gradient[axis], gradient: per_unit(octave, hessian[axis]) };
        (Self { value, gradient: per_unit(octave, gradient) }, std::array::from_fn(slope))
    }
}

/// Converts slopes per cell to slopes per unit.
fn per_unit<L: Lattice<N>, const N: usize>(octave: &Octave<L, N>, gradient: [f64; N]) -> [f64; N] {
    let frequencies = octave.frequencies();
    std::array::from_fn(|axis| gradient[axis] * frequencies[axis])
}

/// The sum of the octaves for a shape. It is neither normalized nor raised to the exponent.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Sum<L, const N: usize> {
    pub(super) octaves: Vec<Octave<L, N>>,
    pub(super) shape: FractalShape,
    pub(super) fade: Fade,
    pub(super) persistence: f64,
    /// No noise of an octave is further from zero.
    pub(super) octave_bound: f64,
    /// The sum of the magnitudes of amplitudes.
    pub(super) total: f64,
}

impl<L: Lattice<N>, const N: usize> Sum<L, N> {
    pub fn new(lattice: &L, octaves: Vec<Octave<L, N>>, shape: FractalShape, fade: Fade, persistence: f64) -> Self {
        let total = octaves.iter().map(|octave| octave.amplitude.abs()).sum();
        Self { octaves, shape, fade, persistence, octave_bound: perlin::bound(lattice, fade), total }
    }

    /// No contribution of an octave of amplitude 1 is further from zero than this.
    pub fn bound(&self) -> f64 {
        match self.shape {
            FractalShape::Fbm | FractalShape::Damped => self.octave_bound,
            FractalShape::Ridged | FractalShape::Billow | FractalShape::Hybrid => 1.0,
        }
    }

    /// The sum at `p`, in units.
    pub fn at<T: OctaveNumber<N>>(&self, p: [f64; N]) -> T {
        let p = p.map(TickCount::from);
        let noise = |octave| T::noise(octave, self.fade, p);
        // Noise, scaled so that its bound becomes 1; beyond it by rounding alone.
        let scaled = |octave| (noise(octave) * c(1.0 / self.octave_bound)).clamp(-1.0, 1.0);
        match self.shape {
            FractalShape::Fbm => self.add_up(noise),
            FractalShape::Billow => self.add_up(|octave| c::<T>(2.0) * scaled(octave).abs() - c(1.0)),
            FractalShape::Ridged => {
                let mut weight = c::<T>(1.0);
                self.add_up(|octave| {
                    let crest = c::<T>(1.0) - scaled(octave).abs();
                    let ridge = c::<T>(RIDGED_GAIN) * weight * (crest * crest);
                    weight = ridge.clamp(0.0, 1.0);
                    ridge - c(1.0)
                })
            }
            FractalShape::Hybrid => {
                let (mut weight, mut power) = (c::<T>(1.0), 1.0);
                self.add_up(|octave| {
                    let height = weight * (scaled(octave) + c(HYBRID_OFFSET));
                    weight = (height * c(power)).clamp(0.0, 1.0);
                    power *= self.persistence;
                    height - c(HYBRID_OFFSET)
                })
            }
            FractalShape::Damped => {
                let mut slopes = [c::<T>(0.0); N];
                self.add_up(|octave| {
                    let (value, own) = T::noise_and_slopes(octave, self.fade, p);
                    slopes = std::array::from_fn(|axis| slopes[axis] + own[axis]);
                    let steepness = slopes.iter().fold(c::<T>(1.0), |sum, &slope| sum + slope * slope);
                    value * steepness.reciprocal()
                })
            }
        }
    }

    /// The sum of what the octaves contribute, from the first to the last.
    fn add_up<'a, T: Number>(&'a self, mut contribution: impl FnMut(&'a Octave<L, N>) -> T) -> T {
        self.octaves.iter().fold(c(0.0), |sum, octave| sum + c::<T>(octave.amplitude) * contribution(octave))
    }
}

fn c<T: Number>(value: f64) -> T {
    T::constant(value)
}
