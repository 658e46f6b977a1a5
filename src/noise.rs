//! Gradient noise: Perlin's lattice noise and the fractal sums made of it.
//!
//! # The model
//!
//! A *lattice* gives every integer point a gradient `g(p)`. With `p0 = floor(x)` and `d = x - p0`, each corner `q` of the
//! cell contributes the plane `w_q = g(p0 + q) . (d - q)`, and the planes are blended along x, then along y, and so on, with a
//! *fade* curve:
//!
//! ```text
//!   p01 ---------- p11        top    = mix(w01, w11, s(dx))
//!    |      . x     |         bottom = mix(w00, w10, s(dx))
//!    |              |         noise  = mix(bottom, top, s(dy))
//!   p00 ---------- p10        s = fade
//! ```
//!
//! Each part is a small type of its own. A [`Lattice`] is one of many:
//!
//! | lattice | gradients | dimensions | period | seed |
//! |---|---|---|---|---|
//! | [`MixedGradients`] | 32 even directions by a fully mixed hash; the default | 1 to 4 | 2^32 | yes |
//! | [`UnitGradients`] | a table of 256 random directions | 2 | 256 | yes |
//! | [`GradientGrid`] | a random direction for each node of a grid | 2 | any | yes |
//! | [`DiagonalGradients`] | the four diagonals | 2 | 256 | |
//! | [`BitGradients`] | components of 1 to 6 bits of a permutation | 1 to 4 | 256 | |
//! | [`EdgeGradients`] | the edges of a cube: Perlin's noise of 2002 | 2, 3 | 256 | |
//! | [`HashGradients`] | components by an [`IntegerHash`] | 1 to 4 | 2^32 | yes |
//!
//! [`Fade`] is the curve, [`Perlin`] joins the two, [`Fractal`] sums octaves of it as [`NoiseSettings`] say, and
//! [`MinimalCubic`] is another noise on a line. [`AnyLattice`] is any lattice of the plane, chosen at run time.
//! [`NoisePreset`] has names for what was published, and for some noises of ours.
//!
//! # Exact, and fast
//!
//! All of these compute in double precision, point by point, with gradients: the definition, to be read and to be compared with.
//! [`Noise`] is the same in the plane, compiled from [`NoiseSettings`]: besides the exact value it gives one in single precision,
//! and fills grids with that, a hundred times as fast and with the same bits at every instruction set (see
//! [`SimdLevel`]). Terrain is made of those. Which of the two:
//!
//! | | precision | dimensions | gradient | for |
//! |---|---|---|---|---|
//! | [`Fractal`], [`Noise::exact`] | 1e-12 | 1 to 4, 2 | yes | comparisons, slopes, textures in space |
//! | [`Noise::fill`], [`Noise::value`] | 1e-6 | 2 | | heights |
//!
//! # Determinism
//!
//! The same seed gives the same bits on every machine: all randomness is `ChaCha`, angles and powers come from `libm`, no
//! fused multiply-add is used and cells are 64-bit integers, so nothing depends on the width of `usize`.
//!
//! # Precision
//!
//! A coordinate is split into an integer cell and a fraction in [0, 1) before anything else happens; in a sum, in fixed point
//! (see [`Place`]). Ten thousand kilometres out, the noise is as smooth as at the origin.
//!
//! # Sources
//!
//! Ken Perlin, *Improving noise* (SIGGRAPH 2002): the quintic fade, the published permutation, the edges. Pintér Bálint,
//! *Perlin-zaj* (2026): the tables of directions and of a permutation, the sum with contrast and size. *Шум Перлина*, ip76.ru
//! (2025): the grid of any period. *2차원 펄린 노이즈*: the diagonals and the clamped sum. Wilhelm Burger, *Gradientenbasierte
//! Rauschfunktionen und Perlin Noise* (Technical Report HGBTR08-02, FH Hagenberg, 2008): noise in any number of dimensions,
//! bits of a permutation, integer hashes, the minimal cubic, the band limit.

mod cell;
mod fade;
mod fractal;
mod kernel;
mod lattice;
mod minimal_cubic;
mod perlin;
mod permutation;
mod place;
mod preset;
mod random;
mod sample;
mod sampler;
mod settings;

pub use fade::Fade;
pub use fractal::{Fractal, FractalShape};
pub use kernel::SimdLevel;
pub use lattice::{
    AnyLattice, BitGradients, DiagonalGradients, EdgeGradients, GradientGrid, HashGradients, IntegerHash, Lattice,
    LatticeKind, MixedGradients, UnitGradients,
};
pub use minimal_cubic::MinimalCubic;
pub use perlin::Perlin;
pub use permutation::Permutation;
pub use place::{Place, TICKS_PER_UNIT};
pub use preset::NoisePreset;
pub use random::TerrainRng;
pub use sample::Sample;
pub use sampler::{Noise, NoiseScratch, SampleGrid};
pub use settings::{NoiseSettings, OctaveSum};
