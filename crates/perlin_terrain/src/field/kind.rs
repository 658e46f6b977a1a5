//! The kinds of layers.

use super::{Carve, Curve, Dunes, ErosionSettings, Layer, Scatter, Terrace};
use crate::noise::NoiseSettings;
use crate::param::params;
use serde::{Deserialize, Serialize};

/// The kinds of layers.
#[params]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bevy_reflect", derive(bevy_reflect::Reflect))]
#[non_exhaustive]
pub enum LayerKind {
    /// A noise: hills, crests or lumps.
    Noise(NoiseSettings),
    /// Valleys of an even width along winding lines: canyons, fjords, river valleys.
    Carve(Carve),
    /// The same height everywhere: a floor for `Max`, a ceiling for `Min`.
    Constant(Constant),
    /// Single hills, scattered over the plane: volcanoes or inselbergs.
    Scatter(Scatter),
    /// Waves of sand, steep on one side.
    Dunes(Dunes),
    /// A stack of layers that starts at 0 and is blended as one layer.
    Group(Group),
    /// A filter of the ground below: steps of equal height.
    Terrace(Terrace),
    /// A filter of the ground below: a new height for each height.
    Curve(Curve),
    /// A filter of the ground below: gullies and crests.
    Erosion(ErosionSettings),
}

impl LayerKind {
    /// Whether the kind changes the height below it, and makes none of its own. A filter has no blend.
    #[must_use]
    pub const fn is_filter(&self) -> bool {
        matches!(self, Self::Terrace(_) | Self::Curve(_) | Self::Erosion(_))
    }
}

/// The same height everywhere.
#[params]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bevy_reflect", derive(bevy_reflect::Reflect))]
#[serde(deny_unknown_fields, default)]
pub struct Constant {
    /// The height.
    ///
    /// The default is the default base height: a floor or a ceiling for half of the default hills.
    #[param(default = 30.0, range = -10_000.0..=10_000.0, unit = "m")]
    pub height: f64,
}

/// A stack of layers that starts at 0 and is blended as one layer.
#[params]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bevy_reflect", derive(bevy_reflect::Reflect), reflect(no_field_bounds))]
#[serde(deny_unknown_fields, default)]
pub struct Group {
    /// How far the domain warp moves the ground of the group sideways, which bends crests and shores. 0 means no warp.
    ///
    /// Each position moves so far along each axis before the layers are evaluated there.
    #[param(default = 0.0, range = 0.0..=10_000.0, unit = "m")]
    pub warp_strength: f64,
    /// Cells per metre of the first octave of the warp: 0.001 is one cell per kilometre. A higher value gives tighter bends.
    #[param(default = 0.001, range = 1e-6..=1.0, unit = "1/m", scale = Logarithmic)]
    pub warp_frequency: f64,
    /// How many octaves the warp has. More octaves give more ragged bends.
    #[param(default = 2, range = 1..=8, detail)]
    pub warp_octaves: u32,
    /// The layers, from bottom to top.
    pub layers: Vec<Layer>,
}

impl Group {
    /// The noise that moves positions along one axis.
    pub(crate) fn warp_noise(&self) -> NoiseSettings {
        NoiseSettings {
            octaves: self.warp_octaves,
            frequency: self.warp_frequency,
            height_scale: self.warp_strength,
            ..NoiseSettings::default()
        }
    }
}

impl From<Vec<Layer>> for Group {
    fn from(layers: Vec<Layer>) -> Self {
        Self { layers, ..Self::default() }
    }
}
