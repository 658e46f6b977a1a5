//! A fractal sum as plain data.

use crate::param::{Choice, Param, ParamMut, ParamVisitor, Params, Scale};
use serde::{Deserialize, Serialize};

/// What each octave contributes to the sum.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bevy", derive(bevy::reflect::Reflect))]
pub enum FractalShape {
    /// The noise itself: fractional Brownian motion. Rolling ground.
    #[default]
    Smooth,
    /// Sharp crests where the noise crosses zero, rough near the crests and calm in the valleys. Mountains.
    ///
    /// With `r = (1 - |n|)^2`, octave `i` contributes `w_i A P^i r`, where `w_0 = 1` and `w_{i+1} = min(1, 2 w_i r)`. After
    /// F. Kenton Musgrave, *Procedural Fractal Terrains* (in *Texturing & Modeling*, 1994), with gain 2 and offset 1.
    Ridged,
    /// Round lumps that meet in sharp creases: each octave contributes `2|n| - 1`. Dunes, old lava.
    Billow,
}

impl FractalShape {
    const ALL: [Self; 3] = [Self::Smooth, Self::Ridged, Self::Billow];
}

impl Choice for FractalShape {
    fn names(&self) -> &'static [&'static str] {
        &["Smooth", "Ridged", "Billow"]
    }

    fn chosen(&self) -> usize {
        *self as usize
    }

    fn choose(&mut self, index: usize) {
        *self = Self::ALL.get(index).copied().unwrap_or(*self);
    }
}

/// A fractal sum as plain data; [`Fractal`](super::Fractal) says how the numbers work together.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bevy", derive(bevy::reflect::Reflect))]
#[serde(deny_unknown_fields, default)]
pub struct FractalSettings {
    /// What each octave contributes. Default: `Smooth`.
    pub shape: FractalShape,
    /// How many octaves are summed. \[Limit: 1 to 16\] Default: 8.
    pub octaves: u32,
    /// Frequency of the first octave: one hill every `1 / frequency` metres. \[Limit: 1e-6 to 1\] \[Units: 1/m\] Default: 0.001.
    pub frequency: f64,
    /// Frequency ratio of an octave to the one before it. \[Limit: 1 to 4\] Default: 2.
    pub lacunarity: f64,
    /// Amplitude ratio of an octave to the one before it. \[Limit: 0 to 1\] Default: 0.5.
    pub persistence: f64,
    /// Amplitude of the first octave. The sum is divided by the sum of amplitudes, so this cancels out.
    /// \[Limit: 0.001 to 1000\] Default: 1.
    pub amplitude: f64,
    /// Exponent `c` of the shaping `sign(v) |v|^c`: above 1 flattens the middle heights and sharpens the extremes.
    /// \[Limit: 0.1 to 8\] Default: 1.
    pub contrast: f64,
    /// What the shaped value is multiplied by, the height scale. Negative turns peaks into pits.
    /// \[Limit: -10000 to 10000\] \[Units: m\] Default: 100.
    pub size: f64,
    /// Whether every octave is moved to a random place of the lattice. Without, all octaves of an integer lacunarity are
    /// zero at the same points, which shows as a regular pattern of pinholes. Default: true.
    pub scattered: bool,
}

impl FractalSettings {
    /// The largest number of octaves that a sum has.
    pub const MAX_OCTAVES: u32 = 16;
}

impl Default for FractalSettings {
    fn default() -> Self {
        Self {
            shape: FractalShape::Smooth,
            octaves: 8,
            frequency: 0.001,
            lacunarity: 2.0,
            persistence: 0.5,
            amplitude: 1.0,
            contrast: 1.0,
            size: 100.0,
            scattered: true,
        }
    }
}

static SHAPE: Param = Param::free("shape", "What each octave looks like: rolling, with crests, or with lumps.");
static OCTAVES: Param = Param::new(
    "octaves",
    "",
    1.0,
    FractalSettings::MAX_OCTAVES as f64,
    "How many frequencies are summed. More give finer detail, and cost.",
);
static FREQUENCY: Param =
    Param::new("frequency", "1/m", 1e-6, 1.0, "Hills per metre of the first octave: 0.001 is one every kilometre.")
        .scale(Scale::Logarithmic);
static LACUNARITY: Param =
    Param::new("lacunarity", "", 1.0, 4.0, "How much finer each octave is than the one before. Usually 2.");
static PERSISTENCE: Param =
    Param::new("persistence", "", 0.0, 1.0, "How much weaker each octave is than the one before. Higher is rougher.");
static AMPLITUDE: Param = Param::new(
    "amplitude",
    "",
    0.001,
    1000.0,
    "Amplitude of the first octave. The sum is normalised, so it cancels out.",
)
.scale(Scale::Logarithmic);
static CONTRAST: Param = Param::new(
    "contrast",
    "",
    0.1,
    8.0,
    "Above 1, plains get flatter and peaks sharper; below 1, the other way round.",
);
static SIZE: Param = Param::new("size", "m", -10_000.0, 10_000.0, "The height scale. Negative turns peaks into pits.");
static SCATTERED: Param =
    Param::free("scattered", "Moves every octave to a random place, which avoids a regular pattern of flat spots.");

impl Params for FractalSettings {
    fn visit(&mut self, visitor: &mut ParamVisitor<'_>) {
        visitor.param(&SHAPE, ParamMut::Choice(&mut self.shape));
        visitor.param(&OCTAVES, ParamMut::Count(&mut self.octaves));
        visitor.param(&FREQUENCY, ParamMut::Float(&mut self.frequency));
        visitor.param(&LACUNARITY, ParamMut::Float(&mut self.lacunarity));
        visitor.param(&PERSISTENCE, ParamMut::Float(&mut self.persistence));
        visitor.param(&AMPLITUDE, ParamMut::Float(&mut self.amplitude));
        visitor.param(&CONTRAST, ParamMut::Float(&mut self.contrast));
        visitor.param(&SIZE, ParamMut::Float(&mut self.size));
        visitor.param(&SCATTERED, ParamMut::Switch(&mut self.scattered));
    }
}
