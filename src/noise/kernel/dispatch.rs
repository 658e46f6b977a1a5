//! Choosing the instruction set at run time.

use super::fill::Fill;
use super::formula::{Billow, Damped, Fbm, Hybrid, Ridged, ShapeWork};
use super::portable::Portable;
use super::scatter::Scatter;
use super::simd::{Simd, Work};
#[cfg(target_arch = "x86_64")]
use super::x86::{Avx2, Avx512, Sse2};
use crate::noise::FractalShape;

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
pub(in crate::noise) fn fill(level: SimdLevel, shape: FractalShape, fill: Fill<'_>) {
    run(level, shape, fill);
}

/// Evaluates any places with `level`, or with portable code where the machine lacks it.
pub(in crate::noise) fn scatter(level: SimdLevel, shape: FractalShape, scatter: Scatter<'_>) {
    run(level, shape, scatter);
}

fn run(level: SimdLevel, shape: FractalShape, work: impl ShapeWork) {
    call(level, Job { shape, work });
}

/// Does `work` with `level`, or with portable code where the machine lacks it.
pub(crate) fn call(level: SimdLevel, work: impl Work) {
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

struct Job<W> {
    shape: FractalShape,
    work: W,
}

impl<W: ShapeWork> Work for Job<W> {
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
