//! Noise as a module of a shader.

use super::Noise;
use crate::fractal::{WeslError, wesl_module};

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
        wesl_module(self.fractal())
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
        wesl_module(self.fractal())
    }
}
