//! Gradient noise: Perlin's lattice noise and the fractal sums made of it.
//!
//! # The model
//!
//! A *lattice* gives every integer point a gradient `g(p)`. With `p0 = floor(x)` and `d = x - p0`, each corner `q` of the
//! cell contributes the plane `w_q = g(p0 + q) . (d - q)`, and the four planes are blended along x, then along y, with a
//! *fade* curve:
//!
//! ```text
//!   p01 ---------- p11        top    = mix(w01, w11, s(dx))
//!    |      . x     |         bottom = mix(w00, w10, s(dx))
//!    |              |         noise  = mix(bottom, top, s(dy))
//!   p00 ---------- p10        s = fade
//! ```
//!
//! Each part is a small type of its own: [`UnitGradients`], [`GradientGrid`] (a period of any size) and
//! [`DiagonalGradients`] are lattices, [`Fade`] the curve, [`Perlin`] joins the two and [`Fractal`] sums octaves of it.
//!
//! # Determinism
//!
//! The same seed gives the same bits on every machine: all randomness is `ChaCha`, angles and powers come from `libm`, no
//! fused multiply-add is used and cells are 64-bit integers, so nothing depends on the width of `usize`.
//!
//! # Precision
//!
//! A coordinate is split into an integer cell and a fraction in [0, 1) in `f64` before anything else happens, and only the
//! fraction is rounded to `f32`. Ten thousand kilometres out, the noise is as smooth as at the origin.
//!
//! # Sources
//!
//! Pintér Bálint, *Perlin-zaj* (2026): the gradient table, the permutation table, the quintic fade and the sum with
//! contrast and size. Ken Perlin, *Improving noise* (SIGGRAPH 2002): the quintic fade and the published permutation.

mod cell;
mod diagonals;
mod directions;
mod fade;
mod fractal;
mod gradient_grid;
mod perlin;
mod permutation;
mod random;
mod real;
mod unit_gradients;

pub use diagonals::DiagonalGradients;
pub use fade::Fade;
pub use fractal::{Fractal, FractalSettings, FractalShape};
pub use gradient_grid::GradientGrid;
pub use perlin::{Lattice, Perlin};
pub use permutation::Permutation;
pub use random::TerrainRng;
pub use real::Real;
pub use unit_gradients::UnitGradients;
