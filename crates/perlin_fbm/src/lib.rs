//! Gradient noise: Perlin noise over a choice of lattices, and fractal sums of it.
//!
//! Values, slopes, maps and volumes: [`Noise`] in one to four dimensions, [`Fractal`] in double precision, [`NoisePreset`] for a noise
//! by name.
//!
//! ```no_run
//! use perlin_fbm::{Noise, NoiseSettings, SampleGrid};
//! use std::fs::File;
//!
//! fn main() -> std::io::Result<()> {
//!     // Cells of 64 units, six octaves, values within -1 and 1.
//!     let settings = NoiseSettings { octaves: 6, ..NoiseSettings::unit() };
//!     // Seed 42, stream 0: streams of a seed are independent noises.
//!     let noise = Noise::seeded(&settings, 42, 0);
//!     println!("{} with slope {:?}", noise.value([10.0, 20.0]), noise.sample([10.0, 20.0]).gradient);
//!     // 512 by 512 samples from (0, 0), one unit apart.
//!     let map = noise.map(&SampleGrid::new([0.0, 0.0], 1.0, [512, 512]));
//!     map.write_pgm(&mut File::create("noise.pgm")?)
//! }
//! ```
//!
//! # The model
//!
//! A *lattice* gives every integer point `p`, called a *node*, a gradient `g(p)`. For a point `x` in the *cell* at
//! `p0 = floor(x)`, with `d = x - p0`, each corner `q` of the cell contributes the plane `w_q = g(p0 + q) . (d - q)`. The planes
//! are blended along x, then along y, and so on, with a *fade* curve:
//!
//! ```text
//!   p01 ---------- p11        top    = mix(w01, w11, s(dx))
//!    |      . x     |         bottom = mix(w00, w10, s(dx))
//!    |              |         noise  = mix(bottom, top, s(dy))
//!   p00 ---------- p10        s = fade
//! ```
//!
//! Each part has a type of its own. There are several implementations of [`Lattice`]:
//!
//! | lattice | [`LatticeKind`] | gradients | dimensions | period | seed |
//! |---|---|---|---|---|---|
//! | [`FastHashGradients`] | `FastHash`, the default | 32 even directions chosen by a fast hash | 1 to 4 | 2^32 | yes |
//! | [`TableGradients`] | `Table` | a table of 256 random directions | 1 to 4 | 256 | yes |
//! | [`GridGradients`] | `Grid` | a random direction for each node of a grid | 1 to 4 | any | yes |
//! | [`DiagonalGradients`] | `Diagonal` | the diagonals: four in the plane | 1 to 4 | 256 | shuffled |
//! | [`BitGradients`] | `Bit` | components of 1 to 8 bits of a permutation | 1 to 4 | 256 | shuffled |
//! | [`EdgeGradients`] | `Edge` | the edges of a cube: Perlin's improved noise of 2002 | 1 to 4 | 256 | shuffled |
//! | [`HashGradients`] | `Ward`, `Shift`, `ShiftMult` | components by an [`IntegerHash`] | 1 to 4 | 2^32 | yes |
//! | [`SplitHashGradients`] | | components of 8 bits of one [`IntegerHash`] | 1 to 4 | 2^32 | yes |
//!
//! The three lattices with a fixed permutation have a seed only if [`NoiseSettings::permutation`] is `Shuffled`. For gradients of
//! your own, use [`GridGradients::from_fn`] or [`TableGradients::from_parts`], or implement [`Lattice`].
//!
//! - [`Fade`] is the curve. [`Fade::MinimalCubic`] replaces the planes by cubics.
//! - [`Perlin`] is one octave: a lattice and a fade.
//! - [`Fractal`] sums octaves, as described by [`NoiseSettings`].
//! - [`AnyLattice`] is any of these lattices, chosen at run time.
//! - [`NoisePreset`] lists noises by name: published ones, and some of ours.
//!
//! # Exact and fast
//!
//! All types above compute in double precision, point by point, with gradients. They are the definition of the noise: in the source,
//! `perlin` and `fractal`.
//!
//! [`Noise`] is the same noise, compiled from [`NoiseSettings`]. It also computes in single precision and fills
//! grids, about a hundred times as fast and with the same bits at every instruction set (see [`SimdLevel`]): in the source, `compiled` and
//! `kernel`. Terrain uses it.
//!
//! | | error | dimensions | gradient | use |
//! |---|---|---|---|---|
//! | [`Fractal`] | 1e-12 | 1 to 4 | yes | lattices of your own |
//! | [`Noise::sample`] | 1e-12 | 1 to 4 | yes | slopes, comparisons |
//! | [`Noise::fill`], [`Noise::values_at`], [`Noise::value`] | see [`Noise`] | 1 to 4 | | heights, volumes, clouds |
//! | [`Noise::fill_with_gradient`], [`Noise::value_and_gradient_at`] | [its docs](Noise::fill_with_gradient) | 1 to 4 | yes | slopes and normals in bulk |
//! | [`Noise::map`] | see [`Noise`] | 1 to 4 | | images |
//! | [`Noise::normal_map`] | as the gradient | 2 | yes | normal maps |
//! | [`Noise::wesl`](Noise::wesl) | see there | 2 and 3 | yes | shaders: looks and effects |
//!
//! # In a shader
//!
//! [`Noise::wesl`](Noise::wesl) writes the noise as a module in WESL, the language of Bevy's shaders. It has the same nodes, and the
//! error of single precision: up to 2e-4 of the height scale within a thousand cells of the finest
//! octave from the origin.
//!
//! # Value ranges
//!
//! A normalized sum can't leave -1 to 1, and seldom comes near: a single octave of unit gradients stays within sqrt(1/2), and
//! octaves are rarely high at the same position. With [`Fade::MinimalCubic`], values are about half as high. The value furthest
//! from zero, in 2^20 samples of 2^16 cells of [`NoiseSettings::unit`] with seed 1; other seeds differ by a few hundredths:
//!
//! | octaves | persistence 0.3 | persistence 0.5 | persistence 0.7 |
//! |---|---|---|---|
//! | 1 | 0.69 | 0.69 | 0.69 |
//! | 2 | 0.61 | 0.58 | 0.58 |
//! | 4 | 0.57 | 0.52 | 0.49 |
//! | 8 | 0.56 | 0.48 | 0.42 |
//!
//! The same over each lattice, with persistence 0.5. To fill 0 to 1, take `0.5 + 0.5 v / range` and clamp it:
//!
//! | lattice | 1 octave | 2 | 4 | 8 |
//! |---|---|---|---|---|
//! | `FastHash` | 0.69 | 0.58 | 0.52 | 0.48 |
//! | `Table` | 0.67 | 0.63 | 0.51 | 0.49 |
//! | `Grid` | 0.70 | 0.63 | 0.53 | 0.50 |
//! | `Diagonal` | 1.00 | 0.85 | 0.72 | 0.69 |
//! | `Bit` | 0.72 | 0.60 | 0.50 | 0.46 |
//! | `Edge` | 0.99 | 0.73 | 0.62 | 0.60 |
//! | `Ward` | 0.78 | 0.57 | 0.48 | 0.44 |
//! | `Shift` | 0.78 | 0.60 | 0.47 | 0.45 |
//! | `ShiftMult` | 0.77 | 0.59 | 0.49 | 0.46 |
//!
//! # Determinism
//!
//! The same seed gives the same bits on every machine:
//!
//! - All random numbers are `ChaCha` (see [`NoiseRng`]).
//! - Angles and powers use `libm`, and nothing uses fused multiply-add.
//! - Cells are 64-bit integers, so nothing depends on the width of `usize`.
//!
//! # Precision
//!
//! A coordinate is first split into an integer cell and a fraction in [0, 1). Sums of octaves do this in fixed point (see
//! [`FixedCoord`]). So the noise is as smooth 10 000 km from the origin as at the origin.
//!
//! Fixed point rounds the frequency of an octave to a multiple of 2^-54 cells per unit. At `x` units, the position in the lattice is
//! off by at most `|x| 2^-55` cells: 3e-8 cells after 10^9 units. Frequencies of at most 54 binary places, such as 1/64, are
//! exact.
//!
//! # Sources
//!
//! - Ken Perlin, *Improving noise* (SIGGRAPH 2002): the quintic fade, the published permutation, the edges.
//! - Pintér Bálint, *Perlin-zaj* (2026): the tables of directions and of a permutation, the sum with exponent and height scale.
//! - *Шум Перлина*, ip76.ru (2025): the grid of any period.
//! - *2차원 펄린 노이즈*: the diagonals and the clamped sum.
//! - Wilhelm Burger, *Gradientenbasierte Rauschfunktionen und Perlin Noise* (Technical Report HGBTR08-02, FH Hagenberg, 2008):
//!   noise in any number of dimensions, bits of a permutation, integer hashes, the minimal cubic, the band limit.

mod band_limit;
mod cell;
mod compiled;
#[cfg(doctest)]
mod docs;
mod fade;
mod fixed_coord;
mod fractal;
mod kernel;
mod lattice;
mod map;
mod normal_map;
mod perlin;
mod permutation;
mod preset;
mod random;
mod rotation;
mod sample_grid;
mod settings;
mod value_and_gradient;

pub use compiled::{Noise, NoiseScratch};
pub use fade::Fade;
pub use fixed_coord::{FixedCoord, TICKS_PER_UNIT};
pub use fractal::{Fractal, FractalShape, LatticeNode, WeslError};
pub use kernel::SimdLevel;
pub use lattice::{
    AnyLattice, BitGradients, DiagonalGradients, EdgeGradients, FastHashGradients, GridGradients, HashGradients,
    IntegerHash, Lattice, LatticeKind, SplitHashGradients, TableGradients,
};
pub use map::NoiseMap;
pub use normal_map::NormalMap;
pub use perlin::Perlin;
pub use permutation::{Permutation, PermutationError, PermutationKind};
pub use preset::NoisePreset;
pub use random::NoiseRng;
pub use sample_grid::{SampleGrid, SampleGridError};
pub use settings::{NoiseSettings, OctaveSum};
pub use value_and_gradient::ValueAndGradient;

#[doc(inline)]
pub use perlin_params as param;

/// Items that `perlin_terrain` needs and other users don't. It changes without notice.
#[doc(hidden)]
pub mod internal {
    pub use crate::band_limit::{MAX_CELLS_PER_SAMPLE, ROUNDING, is_usable};
    pub use crate::fixed_coord::{AxisMap, Position};
    pub use crate::kernel::{MAX_LANES, Portable, Simd, Work, abs, call};
}
