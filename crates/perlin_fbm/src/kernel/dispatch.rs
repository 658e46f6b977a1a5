//! Choosing the instruction set at run time.

use super::fill::Fill;
use super::formula::ShapeWork;
use super::portable::Portable;
use super::scatter::Scatter;
use super::shape::{Billow, Damped, Fbm, Hybrid, Ridged, WithGradient};
use super::simd::{Simd, Work};
#[cfg(target_arch = "x86_64")]
use super::x86::{Avx2, Avx512, Sse2};
use crate::FractalShape;

/// An instruction set that the kernel can use. All give the same bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum SimdLevel {
    /// One number at a time: the reference that the others are compared with.
    Scalar,
    /// Plain Rust in fours, which the compiler turns into whatever vectors the machine has.
    Portable,
    /// x86-64's vectors of four numbers.
    Sse2,
    /// Vectors of eight.
    Avx2,
    /// Vectors of sixteen.
    Avx512,
}

impl SimdLevel {
    /// All levels, from the narrowest vectors to the widest.
    pub const ALL: [Self; 5] = [Self::Scalar, Self::Portable, Self::Sse2, Self::Avx2, Self::Avx512];

    /// The fastest that this machine has.
    #[must_use]
    pub fn fastest() -> Self {
        // A constant elsewhere, so that a program has the code of one level only: in a browser, bytes count.
        if cfg!(target_arch = "x86_64") {
            Self::ALL.into_iter().rev().find(|level| level.is_available()).unwrap_or(Self::Portable)
        } else {
            Self::Portable
        }
    }

    /// Whether this machine has it.
    #[must_use]
    pub fn is_available(self) -> bool {
        match self {
            Self::Scalar | Self::Portable => true,
            #[cfg(target_arch = "x86_64")]
            Self::Sse2 => Sse2::on_this_machine().is_some(),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => Avx2::on_this_machine().is_some(),
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => Avx512::on_this_machine().is_some(),
            #[cfg(not(target_arch = "x86_64"))]
            Self::Sse2 | Self::Avx2 | Self::Avx512 => false,
        }
    }
}

/// Fills a grid with `level`, or with portable code where the machine lacks it.
pub(crate) fn fill<const N: usize>(level: SimdLevel, shape: FractalShape, fill: Fill<'_, N>) {
    run(level, shape, fill);
}

/// Why there is no code for the gradients of `Damped`.
pub(super) const NO_GRADIENT: &str = "the gradient of a damped sum comes from double precision";

/// Like [`fill`], with gradients. Of any shape but `Damped`.
pub(crate) fn fill_with_gradient<const N: usize>(level: SimdLevel, shape: FractalShape, fill: Fill<'_, N>) {
    call(level, GradientJob { shape, work: fill });
}

/// Evaluates any positions with `level`, or with portable code where the machine lacks it.
pub(crate) fn scatter<const N: usize>(level: SimdLevel, shape: FractalShape, scatter: Scatter<'_, N>) {
    run(level, shape, scatter);
}

fn run<const N: usize>(level: SimdLevel, shape: FractalShape, work: impl ShapeWork<N>) {
    call(level, Job { shape, work });
}

/// Does `work` with `level`, or with portable code where the machine lacks it.
pub fn call(level: SimdLevel, work: impl Work) {
    match level {
        SimdLevel::Scalar => Portable::<1>.call(work),
        #[cfg(target_arch = "x86_64")]
        SimdLevel::Sse2 if let Some(s) = Sse2::on_this_machine() => s.call(work),
        #[cfg(target_arch = "x86_64")]
        SimdLevel::Avx2 if let Some(s) = Avx2::on_this_machine() => s.call(work),
        #[cfg(target_arch = "x86_64")]
        SimdLevel::Avx512 if let Some(s) = Avx512::on_this_machine() => s.call(work),
        _ => Portable::<4>.call(work),
    }
}

struct Job<W, const N: usize> {
    shape: FractalShape,
    work: W,
}

impl<W: ShapeWork<N>, const N: usize> Work for Job<W, N> {
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        match self.shape {
            FractalShape::Fbm => self.work.run::<S, Fbm>(s),
            FractalShape::Billow => self.work.run::<S, Billow>(s),
            FractalShape::Ridged => self.work.run::<S, Ridged>(s),
            FractalShape::Hybrid => self.work.run::<S, Hybrid>(s),
            FractalShape::Damped => self.work.run::<S, Damped>(s),
        }
    }
}

/// Like [`Job`], with gradients.
struct GradientJob<W, const N: usize> {
    shape: FractalShape,
    work: W,
}

impl<W: ShapeWork<N>, const N: usize> Work for GradientJob<W, N> {
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        match self.shape {
            FractalShape::Fbm => self.work.run::<S, WithGradient<Fbm>>(s),
            FractalShape::Billow => self.work.run::<S, WithGradient<Billow>>(s),
            FractalShape::Ridged => self.work.run::<S, WithGradient<Ridged>>(s),
            FractalShape::Hybrid => self.work.run::<S, WithGradient<Hybrid>>(s),
            FractalShape::Damped => unreachable!("{NO_GRADIENT}"),
        }
    }
}
