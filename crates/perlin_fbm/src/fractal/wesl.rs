//! The noise as a shader: a module in WESL, the shader language of Bevy.

mod octave;
mod parts;
mod sum;
#[cfg(test)]
mod tests;

use super::{Fractal, FractalShape, Sum};
use crate::{AnyLattice, Lattice, OctaveSum};
use parts::Parts;
use sum::{Line, number};

/// The error of a noise that a shader can't have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum WeslError {
    /// The lattice needs a table, or more arithmetic than a shader should do.
    #[error("the lattice of a shader is {found}, allowed: FastHash")]
    Lattice {
        /// The lattice of the noise.
        found: String,
    },
    /// A shader counts cells in 32 bits.
    #[error("octave {octave} repeats after {cells} cells, allowed in a shader: up to {}; use fewer octaves", i32::MAX)]
    Period {
        /// The octave, from 0.
        octave: usize,
        /// Its period, in cells.
        cells: i64,
    },
    /// A number of settings out of their ranges.
    #[error("a frequency, an amplitude or a factor of the noise is {found}, allowed in a shader: finite numbers")]
    NotFinite {
        /// The number in single precision.
        found: String,
    },
}

/// The module of a noise in 2 or 3 dimensions. See [`Noise::wesl`](crate::Noise::wesl).
pub(crate) fn module<const N: usize>(fractal: &Fractal<AnyLattice<N>, N>) -> Result<String, WeslError>
where
    AnyLattice<N>: Lattice<N>,
{
    let Fractal { main, warps, warp_strength, normalization, exponent, height_scale, rotation } = fractal;
    let octaves = lines(main)?;
    let warps = warps.iter().flatten().map(lines).collect::<Result<Vec<_>, _>>()?;
    let is_warped = !warps.is_empty();
    let parts = Parts::<N> {
        shape: main.shape,
        fade: main.fade,
        has_periods: warps.iter().flatten().chain(&octaves).any(Line::has_period),
        scale: number(1.0 / main.octave_bound)?,
        is_clamped: *normalization == OctaveSum::Clamped,
        exponent: if *exponent == 1.0 { None } else { Some(number(*exponent)?) },
        height_scale: number(*height_scale)?,
        rotation: match rotation.map(|rotation| rotation.cos_and_sin()) {
            Some([cos, sin]) => Some([number(cos)?, number(sin)?]),
            None => None,
        },
    };
    let normalized = |total: f64| if total > 0.0 { 1.0 / total } else { 1.0 };
    let factor = if *normalization == OctaveSum::Normalized { normalized(main.total) } else { 1.0 };
    let mut text = parts.head(octaves.len(), is_warped) + &parts.result(is_warped);
    text += &parts.sum("sum", main.shape, &octaves, factor, main.persistence)?;
    for ((octaves, warp), axis) in warps.iter().zip(fractal.warps.iter().flatten()).zip(["x", "y", "z"]) {
        let factor = warp_strength * normalized(warp.total);
        text += &parts.sum(&format!("warp_{axis}"), FractalShape::Fbm, octaves, factor, 1.0)?;
    }
    if is_warped || !octaves.is_empty() {
        text += &parts.octave();
    }
    Ok(text)
}

/// The octaves of a sum.
fn lines<const N: usize>(sum: &Sum<AnyLattice<N>, N>) -> Result<Vec<Line>, WeslError>
where
    AnyLattice<N>: Lattice<N>,
{
    sum.octaves.iter().enumerate().map(|(index, octave)| Line::new(index, octave)).collect()
}
