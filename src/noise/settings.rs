//! A noise as plain data.

use super::{Fade, FractalShape, LatticeKind};
use crate::param::{Param, ParamMut, ParamVisitor, Params, Scale, choice};
use serde::{Deserialize, Serialize};

/// How octaves are weighed against one another in the end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bevy", derive(bevy::reflect::Reflect))]
pub enum OctaveSum {
    /// The sum is divided by the sum of amplitudes, so it lies in \[-1, 1\].
    #[default]
    Normalised,
    /// The sum as it is.
    Raw,
    /// The sum as it is, cut off at -1 and 1.
    Clamped,
}

choice!(OctaveSum { Normalised, Raw, Clamped });

/// A noise as plain data: a lattice, a fade, a sum of octaves, and what becomes of it. Compiled by
/// [`Fractal`](super::Fractal), which says how the numbers work together.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bevy", derive(bevy::reflect::Reflect))]
#[serde(deny_unknown_fields, default)]
pub struct NoiseSettings {
    /// Which gradient stands at which lattice point. Default: `Mixed`.
    pub lattice: LatticeKind,
    /// Bits of each component of a gradient, where the lattice is `Bits`. \[Limit: 1 to 6\] Default: 6.
    pub bits: u32,
    /// Cells of the first octave after which the noise repeats along x; 0 for as late as the lattice can. \[Limit: 0 to
    /// 1024\] Default: 0.
    pub period_x: u32,
    /// The same along y. \[Limit: 0 to 1024\] Default: 0.
    pub period_y: u32,
    /// The curve from one lattice point to the next. Default: `Quintic`.
    pub fade: Fade,
    /// What each octave contributes. Default: `Smooth`.
    pub shape: FractalShape,
    /// How many octaves are summed. \[Limit: 1 to 16\] Default: 7.
    pub octaves: u32,
    /// Frequency of the first octave: one hill every `1 / frequency` units. \[Limit: 1e-6 to 1\] \[Units: 1/m\] Default: 0.001.
    pub frequency: f64,
    /// Octaves of a higher frequency are left out; 0 for no such limit. \[Limit: 0 to 1000\] \[Units: 1/m\] Default: 0.
    pub highest_frequency: f64,
    /// Frequency ratio of an octave to the one before it. \[Limit: 1 to 4\] Default: 2.
    pub lacunarity: f64,
    /// Amplitude ratio of an octave to the one before it. \[Limit: 0 to 1\] Default: 0.5.
    pub persistence: f64,
    /// Amplitude of the first octave. In a normalised sum it cancels out. \[Limit: 0.001 to 1000\] Default: 1.
    pub amplitude: f64,
    /// Whether the sum is divided by the sum of amplitudes. Default: `Normalised`.
    pub sum: OctaveSum,
    /// Exponent `c` of the shaping `sign(v) |v|^c`: above 1 flattens the middle heights and sharpens the extremes.
    /// \[Limit: 0.1 to 8\] Default: 1.
    pub contrast: f64,
    /// What the shaped value is multiplied by, the height scale. Negative turns peaks into pits.
    /// \[Limit: -10000 to 10000\] \[Units: m\] Default: 100.
    pub size: f64,
    /// Whether every octave has a lattice of its own, at a random place. Without, all octaves of an integer lacunarity are
    /// zero at the same points, which shows as a regular pattern of pinholes. Default: true.
    pub scattered: bool,
    /// How far places are moved by two more noises before this one is asked: the domain warp. 0 is none.
    /// \[Limit: 0 to 10000\] \[Units: m\] Default: 0.
    pub warp: f64,
    /// Frequency of the first octave of the domain warp. \[Limit: 1e-6 to 1\] \[Units: 1/m\] Default: 0.001.
    pub warp_frequency: f64,
    /// Octaves of the domain warp. \[Limit: 1 to 8\] Default: 2.
    pub warp_octaves: u32,
}

impl NoiseSettings {
    /// The largest number of octaves that a sum has.
    pub const MAX_OCTAVES: u32 = 16;

    /// The largest period, in cells of the first octave. A grid of 1024 by 1024 nodes takes 16 MiB.
    pub const MAX_PERIOD: u32 = 1024;

    /// Frequency and amplitude of every octave: `frequency * lacunarity^i` and `amplitude * persistence^i`, as many as there
    /// are within both limits.
    pub fn octaves(&self) -> impl Iterator<Item = (f64, f64)> {
        let (mut frequency, mut amplitude) = (self.frequency, self.amplitude);
        let highest = if self.highest_frequency > 0.0 { self.highest_frequency } else { f64::INFINITY };
        let (lacunarity, persistence) = (self.lacunarity, self.persistence);
        (0..self.octaves.min(Self::MAX_OCTAVES))
            .map(move |_| {
                let octave = (frequency, amplitude);
                frequency *= lacunarity;
                amplitude *= persistence;
                octave
            })
            .take_while(move |&(frequency, _)| frequency <= highest)
    }

    /// The noise that moves places along an axis, if there is a domain warp.
    pub(crate) fn warp_noise(&self) -> Option<Self> {
        (self.warp > 0.0).then(|| Self {
            octaves: self.warp_octaves,
            frequency: self.warp_frequency,
            highest_frequency: 0.0,
            amplitude: 1.0,
            ..self.clone()
        })
    }
}

impl Default for NoiseSettings {
    fn default() -> Self {
        Self {
            lattice: LatticeKind::Mixed,
            bits: 6,
            period_x: 0,
            period_y: 0,
            fade: Fade::Quintic,
            shape: FractalShape::Smooth,
            octaves: 7,
            frequency: 0.001,
            highest_frequency: 0.0,
            lacunarity: 2.0,
            persistence: 0.5,
            amplitude: 1.0,
            sum: OctaveSum::Normalised,
            contrast: 1.0,
            size: 100.0,
            scattered: true,
            warp: 0.0,
            warp_frequency: 0.001,
            warp_octaves: 2,
        }
    }
}

static LATTICE: Param = Param::free(
    "lattice",
    "Where the directions of the slopes come from. Mixed is the best and the fastest; the others reproduce published noises.",
).detail();
static BITS: Param =
    Param::new("bits", "", 1.0, 6.0, "How finely the Bits lattice grades its slopes: 1 bit has two grades.").detail();
static PERIOD_X: Param = Param::new(
    "period_x",
    "",
    0.0,
    NoiseSettings::MAX_PERIOD as f64,
    "Hills of the first octave after which the noise repeats along x, for tiles. 0: as late as possible.",
)
.detail();
static PERIOD_Y: Param = Param::new(
    "period_y",
    "",
    0.0,
    NoiseSettings::MAX_PERIOD as f64,
    "The same along the other axis (z on the ground).",
)
.detail();
static FADE: Param = Param::free(
    "fade",
    "The curve between lattice points: Quintic is smooth, Cubic has faint creases, Linear plain ones.",
)
.detail();
static SHAPE: Param = Param::free("shape", "What each octave looks like: rolling, with crests, or with lumps.");
static OCTAVES: Param = Param::new(
    "octaves",
    "",
    1.0,
    NoiseSettings::MAX_OCTAVES as f64,
    "How many frequencies are summed. More give finer detail, and cost.",
);
static FREQUENCY: Param =
    Param::new("frequency", "1/m", 1e-6, 1.0, "Hills per metre of the first octave: 0.001 is one every kilometre.")
        .scale(Scale::Logarithmic);
static HIGHEST_FREQUENCY: Param =
    Param::new("highest_frequency", "1/m", 0.0, 1000.0, "Octaves finer than this are left out. 0: none are.").detail();
static LACUNARITY: Param =
    Param::new("lacunarity", "", 1.0, 4.0, "How much finer each octave is than the one before. Usually 2.");
static PERSISTENCE: Param =
    Param::new("persistence", "", 0.0, 1.0, "How much weaker each octave is than the one before. Higher is rougher.");
static AMPLITUDE: Param =
    Param::new("amplitude", "", 0.001, 1000.0, "Amplitude of the first octave. In a normalised sum it cancels out.")
        .scale(Scale::Logarithmic)
        .detail();
static SUM: Param = Param::free(
    "sum",
    "Normalised keeps the height scale whatever the octaves; Raw adds them up; Clamped cuts that off.",
)
.detail();
static CONTRAST: Param = Param::new(
    "contrast",
    "",
    0.1,
    8.0,
    "Above 1, plains get flatter and peaks sharper; below 1, the other way round.",
);
static SIZE: Param = Param::new("size", "m", -10_000.0, 10_000.0, "The height scale. Negative turns peaks into pits.");
static SCATTERED: Param =
    Param::free("scattered", "Moves every octave to a random place, which avoids a regular pattern of flat spots.")
        .detail();
static WARP: Param = Param::new(
    "warp",
    "m",
    0.0,
    10_000.0,
    "How far the ground is dragged about, which bends ridges and shores. 0: not at all.",
);
static WARP_FREQUENCY: Param =
    Param::new("warp_frequency", "1/m", 1e-6, 1.0, "Bends per metre of the warp: 0.001 is one every kilometre.")
        .scale(Scale::Logarithmic);
static WARP_OCTAVES: Param = Param::new("warp_octaves", "", 1.0, 8.0, "How many frequencies the warp has.").detail();

impl Params for NoiseSettings {
    fn visit(&mut self, visitor: &mut ParamVisitor<'_>) {
        visitor.param(&SHAPE, ParamMut::Choice(&mut self.shape));
        visitor.param(&OCTAVES, ParamMut::Count(&mut self.octaves));
        visitor.param(&FREQUENCY, ParamMut::Float(&mut self.frequency));
        visitor.param(&LACUNARITY, ParamMut::Float(&mut self.lacunarity));
        visitor.param(&PERSISTENCE, ParamMut::Float(&mut self.persistence));
        visitor.param(&CONTRAST, ParamMut::Float(&mut self.contrast));
        visitor.param(&SIZE, ParamMut::Float(&mut self.size));
        visitor.param(&WARP, ParamMut::Float(&mut self.warp));
        visitor.param(&WARP_FREQUENCY, ParamMut::Float(&mut self.warp_frequency));
        // The details.
        visitor.param(&WARP_OCTAVES, ParamMut::Count(&mut self.warp_octaves));
        visitor.param(&SCATTERED, ParamMut::Switch(&mut self.scattered));
        visitor.param(&LATTICE, ParamMut::Choice(&mut self.lattice));
        visitor.param(&BITS, ParamMut::Count(&mut self.bits));
        visitor.param(&PERIOD_X, ParamMut::Count(&mut self.period_x));
        visitor.param(&PERIOD_Y, ParamMut::Count(&mut self.period_y));
        visitor.param(&FADE, ParamMut::Choice(&mut self.fade));
        visitor.param(&HIGHEST_FREQUENCY, ParamMut::Float(&mut self.highest_frequency));
        visitor.param(&SUM, ParamMut::Choice(&mut self.sum));
        visitor.param(&AMPLITUDE, ParamMut::Float(&mut self.amplitude));
    }
}
