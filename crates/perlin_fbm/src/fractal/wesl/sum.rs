//! The octaves of a sum as lines of a shader.

use super::super::Octave;
use super::WeslError;
use super::parts::Parts;
use crate::fixed_coord::FixedCoord;
use crate::{AnyLattice, FractalShape, Lattice};

/// What a line says about an octave.
pub(super) struct Line {
    /// As in the settings: not divided by the sum of amplitudes.
    pub amplitude: f64,
    /// Cells per unit, the fraction and the cells of its offset, and its period, along each axis.
    frequency: String,
    fraction: String,
    cells: String,
    period: Option<String>,
    /// The key of its lattice.
    key: u32,
}

impl Line {
    /// Octave `index` of a sum.
    pub fn new<const N: usize>(index: usize, octave: &Octave<AnyLattice<N>, N>) -> Result<Self, WeslError>
    where
        AnyLattice<N>: Lattice<N>,
    {
        let lattice = match &octave.lattice {
            AnyLattice::FastHash(lattice) => lattice,
            other => return Err(WeslError::Lattice { found: lattice_name(other) }),
        };
        let too_long = octave.period.into_iter().find(|&cells| i32::try_from(cells).is_err());
        if let Some(cells) = too_long {
            return Err(WeslError::Period { octave: index, cells });
        }
        let offsets = octave.axes.map(|axis| axis.position(FixedCoord::from_ticks(0)).split_f64());
        let frequencies = octave.frequencies().map(number).into_iter().collect::<Result<Vec<_>, _>>()?;
        let fractions = offsets.map(|(_, fraction)| number(fraction)).into_iter().collect::<Result<Vec<_>, _>>()?;
        let period = octave.period.iter().any(|&cells| cells > 0);
        Ok(Self {
            amplitude: octave.amplitude,
            frequency: vector(&frequencies),
            fraction: vector(&fractions),
            cells: vector(&offsets.map(|(cell, _)| (cell as i32).to_string())),
            period: period.then(|| vector(&octave.period.map(|cells| cells.to_string()))),
            key: lattice.row_key(&[]),
        })
    }

    pub fn has_period(&self) -> bool {
        self.period.is_some()
    }

    /// The call that computes the octave.
    fn call(&self, has_periods: bool, dimensions: usize) -> String {
        let Self { frequency, fraction, cells, period, key, .. } = self;
        let no_period = || vector(&vec!["0".to_owned(); dimensions]);
        let period =
            if has_periods { format!(", {}", period.clone().unwrap_or_else(no_period)) } else { String::new() };
        format!("octave(p, {frequency}, {fraction}, {cells}{period}, {key:#010x}u)")
    }
}

impl<const N: usize> Parts<N> {
    /// The function `name`, which adds `octaves`, with amplitudes times `factor`. `persistence` is that of the weights of `Hybrid`.
    pub fn sum(
        &self,
        name: &str,
        shape: FractalShape,
        octaves: &[Line],
        factor: f64,
        persistence: f64,
    ) -> Result<String, WeslError> {
        let mut lines = String::new();
        let mut power = 1.0;
        for octave in octaves {
            let amplitude = number(octave.amplitude * factor)?;
            let call = octave.call(self.has_periods, N);
            lines += &match shape {
                // Its octaves have slopes and curvature too, which the warp does not need.
                FractalShape::Fbm if self.shape == FractalShape::Damped => {
                    format!("    v += {amplitude} * {call}.noise;\n")
                }
                FractalShape::Fbm => format!("    v += {amplitude} * {call};\n"),
                FractalShape::Billow => format!("    v += {amplitude} * billow({call});\n"),
                FractalShape::Ridged => format!("    state = ridged(state, {amplitude}, {call});\n"),
                FractalShape::Hybrid => {
                    format!("    state = hybrid(state, {amplitude}, {}, {call});\n", number(power)?)
                }
                FractalShape::Damped => format!("    state = damped(state, {amplitude}, {call});\n"),
            };
            power *= persistence;
        }
        let (start, end) = match shape {
            FractalShape::Fbm | FractalShape::Billow => ("var v = $num(0.0)", "v"),
            FractalShape::Ridged | FractalShape::Hybrid => ("var state = State($num(0.0), ONE)", "state.sum"),
            FractalShape::Damped => ("var state = State()", "state.sum"),
        };
        let what = if name == "sum" {
            "// The sum of the octaves: amplitude, frequency, offset in fractions and in cells, $perkey.\n"
        } else {
            "\n// How far the warp moves a position along one axis.\n"
        };
        let what = what.replace("$per", if self.has_periods { "period, " } else { "" });
        Ok(self.filled(&format!(
            "{what}fn {name}(p: $vec<f32>) -> $num<f32> {{\n    {start};\n{lines}    return {end};\n}}\n"
        )))
    }
}

/// A number in single precision, with as many digits as it takes to read it back.
pub(super) fn number(value: f64) -> Result<String, WeslError> {
    let value = value as f32;
    let text = format!("{value:?}");
    if value.is_finite() { Ok(text) } else { Err(WeslError::NotFinite { found: text }) }
}

/// A vector of parts, which is short if they are equal.
fn vector(parts: &[String]) -> String {
    let first = &parts[0];
    let inside = if parts.iter().all(|part| part == first) { first.clone() } else { parts.join(", ") };
    format!("vec{}({inside})", parts.len())
}

/// The name of a lattice, as in [`LatticeKind`](crate::LatticeKind).
fn lattice_name<const N: usize>(lattice: &AnyLattice<N>) -> String {
    match lattice {
        AnyLattice::FastHash(_) => "FastHash".to_owned(),
        AnyLattice::Table(_) => "Table".to_owned(),
        AnyLattice::Grid(_) => "Grid".to_owned(),
        AnyLattice::Diagonal(_) => "Diagonal".to_owned(),
        AnyLattice::Bit(_) => "Bit".to_owned(),
        AnyLattice::Edge(_) => "Edge".to_owned(),
        AnyLattice::Hash(lattice) => format!("{:?}", lattice.hash()),
    }
}
