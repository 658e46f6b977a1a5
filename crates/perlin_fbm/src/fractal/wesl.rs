//! The noise as a shader: a module in WESL, the shader language of Bevy.

mod octave;
mod parts;
mod sum;
#[cfg(test)]
mod tests;

use super::{Fractal, FractalShape, Sum};
use crate::{AnyLattice, Lattice, Noise, OctaveSum};
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

impl Noise<2> {
    /// Writes the noise as a module of a shader, in WESL: the language of Bevy's shaders from 0.20 on, and WGSL as well.
    ///
    /// The module has two functions for shaders that import it:
    ///
    /// - `noise(p: vec2<f32>) -> f32`, the value at `p`, in units;
    /// - `noise_with_gradient(p: vec2<f32>) -> vec3<f32>`, the value and the derivative along each axis, per unit. It is exact, not a
    ///   finite difference.
    ///
    /// The module needs no buffer and no texture. It has only the code that the settings need: every shape, fade and sum, exponents,
    /// periods, stretches, rotations and the domain warp are possible. A game writes the module once, and adds it to its shaders:
    ///
    /// ```
    /// use perlin_fbm::{LatticeKind, Noise, NoiseSettings};
    ///
    /// let settings = NoiseSettings { octaves: 2, ..NoiseSettings::unit() };
    /// let module = Noise::<2>::seeded(&settings, 42, 0).wesl()?;
    /// assert!(module.contains("fn noise(p: vec2<f32>) -> f32 {"));
    ///
    /// let table = NoiseSettings { lattice: LatticeKind::Table, ..settings };
    /// let error = Noise::<2>::seeded(&table, 42, 0).wesl().expect_err("shaders have no tables");
    /// assert_eq!(error.to_string(), "the lattice of a shader is Table, allowed: FastHash");
    /// # Ok::<(), perlin_fbm::WeslError>(())
    /// ```
    ///
    /// # Precision
    ///
    /// Nodes are the same as here on every device, because their hash is integer arithmetic. Everything else is single precision,
    /// and devices round differently. So the module is for looks and effects, not for heights that several machines must agree on.
    ///
    /// Tests compare it with [`sample`](Self::sample), for sums of four octaves. Within 1000 cells of the finest octave from the origin,
    /// values differ by at most 2e-4 of the height scale, and derivatives by at most 2e-3 of the height scale per cell of that octave.
    /// The difference grows with the distance, because coordinates are rounded: ten times as far, it is ten times as large. Beside a
    /// crease, where slopes jump, a derivative may be that of the other side. There is no bound where [`Noise`] has none, such as near
    /// zero with an exponent below 1.
    ///
    /// # Errors
    ///
    /// If the lattice is not [`FastHash`](crate::LatticeKind::FastHash), if the period of an octave is beyond 2^31 cells, or if settings
    /// out of their ranges give numbers that are not finite.
    pub fn wesl(&self) -> Result<String, WeslError> {
        module(self.fractal())
    }
}

impl Noise<3> {
    /// Writes the noise in space as a module of a shader: see [`Noise::<2>::wesl`](Noise::wesl). Its functions are
    /// `noise(p: vec3<f32>) -> f32` and `noise_with_gradient(p: vec3<f32>) -> vec4<f32>`.
    ///
    /// # Errors
    ///
    /// Those of [`Noise::<2>::wesl`](Noise::wesl).
    pub fn wesl(&self) -> Result<String, WeslError> {
        module(self.fractal())
    }
}

/// The module of a noise in 2 or 3 dimensions.
fn module<const N: usize>(fractal: &Fractal<AnyLattice<N>, N>) -> Result<String, WeslError>
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
