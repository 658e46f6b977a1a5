//! The fast path: octaves of noise on a grid, in single precision.
//!
//! # The column form
//!
//! A height map is a regular grid, so almost everything in Perlin noise can be computed once for a column, a row or a lattice
//! node. Take a sample at `(dx, dy)` in its cell, with `s` and `t` the fades of `dx` and `dy`:
//!
//! ```text
//!   g01 ------------- g11        lattice row j+1
//!    |       |         |
//!    |      (dx,dy)    |         w_q = g_q . (d - q)
//!    |       |         |
//!   g00 ------------- g10        lattice row j
//!            ^ the column at dx
//! ```
//!
//! Along the lower lattice row the two planes are blended by `s`, which gives a straight line in `dy`:
//!
//! ```text
//! mix(w00, w10, s) = U_j + V_j dy           U_j = g00.x dx (1-s) + g10.x (dx-1) s
//!                                           V_j = g00.y (1-s)    + g10.y s
//! ```
//!
//! and along the upper one `U_{j+1} + V_{j+1} (dy - 1)`. Blending the two by `t`, and sorting by what changes from row to row:
//!
//! ```text
//! n = U_j + V_j dy + dU t + dV (t dy)       dU = U_{j+1} - U_j - V_{j+1}
//!                                           dV = V_{j+1} - V_j
//! ```
//!
//! `U` and `V` belong to a column and a lattice row, and `dy`, `t` and `t dy` to a row of samples. A sample takes
//! three products and three sums, and a fourth sum to add it to the other octaves. The derivatives use the same formula with the
//! derivatives of the weights and of the row's factors.
//!
//! [`Fade::MinimalCubic`](super::Fade::MinimalCubic) has other weights in `U`, and another factor in place of `t dy`. The formula
//! stays the same.
//!
//! # Space
//!
//! A slice of space at one `z` is noise in the plane as well, between nodes that have values: see [`slice`]. On a node with the value
//! `h`, the line of a row has `h00 (1-s) + h10 s` added to its `U`. The rest stays the same, and so does the cost of a sample. A line
//! is a single row of the plane.
//!
//! # The stages
//!
//! ```text
//!  axis      for every octave: the lattice nodes beside each column and row, and their weights (fixed_coord.rs)
//!  rule      for every lattice node, once: its gradient
//!  slice     in space, for every node of a slice: the gradients of the lattice planes around it, blended
//!  sweep     a few vectors of columns go down the rows: U and V of a new lattice row roll into position, the sums add up
//!  remainder the few columns beyond whole vectors: the vectors go along the column instead
//!  output    the sums become results: clamp, exponent, height scale
//! ```
//!
//! Gradients come from the same sweeps, with dual numbers in place of the sum and the weight: see `WithGradient` in `shape`. They are
//! not compiled into fills without gradients.
//!
//! All stages are generic over the width of vectors ([`simd`]) and compiled for each instruction set; [`dispatch`] chooses at
//! run time. `fill` joins the stages. `point` evaluates the same formula at one position, with an octave in each lane, and `scatter` at
//! positions that are not on a grid: there nothing is shared but the instructions.
//!
//! # The same bits at every width
//!
//! - Every operation works on one lane and is exact or correctly rounded, and every formula has one order of operations. So the
//!   width of a vector does not change the result.
//! - Coordinates are integers, and a sample depends on its own coordinates alone. So neither the grid nor the chunk changes it.
//! - Fused multiply-add would gain about a tenth of the time, and would give other bits on machines that lack it.
//!
//! # What was rejected
//!
//! - Sample by sample over vectors of hashes, as other libraries do: it hashes the corners of a cell for every sample in it.
//! - Tables of finished rows: they are bound by memory.
//! - Fewer octaves on coarser grids: a vertex would have another height at another level.

mod axis;
mod buffer;
mod column_remainder;
mod dispatch;
mod dual;
mod fill;
mod formula;
mod octave;
mod output;
mod planes;
mod point;
mod portable;
mod power;
mod rule;
mod scatter;
mod shape;
mod simd;
mod slice;
mod sweep;
#[cfg(target_arch = "x86_64")]
mod x86;

pub(super) use axis::Samples;
pub use dispatch::SimdLevel;
pub use dispatch::call;
pub(super) use dispatch::{fill, fill_with_gradient, scatter};
pub(super) use fill::{Fill, KernelScratch};
pub(super) use formula::OctaveScale;
pub(super) use octave::KernelOctave;
pub(super) use output::Output;
pub(super) use point::{level_for, value_and_gradient_at, value_at};
pub use portable::Portable;
pub(super) use rule::Rule;
pub(super) use scatter::{BLOCK, Scatter};
pub use simd::{MAX_LANES, Simd, Work, abs};
