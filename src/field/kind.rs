//! What a layer consists of.

use super::{ErosionSettings, Layer, Terrace};
use crate::noise::NoiseSettings;
use crate::noise::settings::{WARP_FREQUENCY, WARP_OCTAVES, WARP_STRENGTH};
use crate::param::{Alternative, Choice, Param, ParamMut, ParamVisitor, Params};
use serde::{Deserialize, Serialize};

/// What a layer consists of.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bevy", derive(bevy::reflect::Reflect))]
#[non_exhaustive]
pub enum LayerKind {
    /// A noise.
    Noise(NoiseSettings),
    /// The same height everywhere.
    Constant(Constant),
    /// Layers that are blended as one.
    Group(Group),
    /// A filter: steps of equal height.
    Terrace(Terrace),
    /// A filter: gullies and crests.
    Erosion(ErosionSettings),
}

impl LayerKind {
    const ALTERNATIVES: [Alternative; 5] = [
        Alternative { name: "Noise", help: "A noise: hills, crests or lumps." },
        Alternative { name: "Constant", help: "The same height everywhere: a floor for Max, a ceiling for Min." },
        Alternative { name: "Group", help: "A stack of layers that starts at 0 and is blended as one layer." },
        Alternative { name: "Terrace", help: "A filter of the ground below: steps of equal height." },
        Alternative { name: "Erosion", help: "A filter of the ground below: gullies and crests." },
    ];

    /// Returns the kind with the name that a file has for it, with default values. `None` if there is no such kind.
    #[must_use]
    pub fn with_defaults(name: &str) -> Option<Self> {
        let index = Self::ALTERNATIVES.iter().position(|alternative| alternative.name == name)?;
        Some(Self::default_of(index))
    }

    /// Whether the kind changes the height below it, and makes none of its own. A filter has no blend.
    #[must_use]
    pub const fn is_filter(&self) -> bool {
        matches!(self, Self::Terrace(_) | Self::Erosion(_))
    }

    /// The kind at `index` of the alternatives, with default values.
    fn default_of(index: usize) -> Self {
        match index {
            0 => Self::Noise(NoiseSettings::default()),
            1 => Self::Constant(Constant::default()),
            2 => Self::Group(Group::default()),
            3 => Self::Terrace(Terrace::default()),
            _ => Self::Erosion(ErosionSettings::default()),
        }
    }
}

/// Choosing another kind gives it default values.
impl Choice for LayerKind {
    fn alternatives(&self) -> &'static [Alternative] {
        &Self::ALTERNATIVES
    }

    fn chosen(&self) -> usize {
        match self {
            Self::Noise(_) => 0,
            Self::Constant(_) => 1,
            Self::Group(_) => 2,
            Self::Terrace(_) => 3,
            Self::Erosion(_) => 4,
        }
    }

    fn choose(&mut self, index: usize) {
        if index != self.chosen() && index < Self::ALTERNATIVES.len() {
            *self = Self::default_of(index);
        }
    }
}

impl Params for LayerKind {
    fn visit(&mut self, visitor: &mut ParamVisitor<'_>) {
        match self {
            Self::Noise(noise) => noise.visit(visitor),
            Self::Constant(constant) => constant.visit(visitor),
            Self::Group(group) => group.visit(visitor),
            Self::Terrace(terrace) => terrace.visit(visitor),
            Self::Erosion(erosion) => erosion.visit(visitor),
        }
    }
}

/// The same height everywhere.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bevy", derive(bevy::reflect::Reflect))]
#[serde(deny_unknown_fields, default)]
pub struct Constant {
    /// The height. \[Limit: -10000 to 10000\] \[Units: m\] Default: 0.
    pub height: f64,
}

static HEIGHT: Param = Param::new("height", "m", -10_000.0, 10_000.0, "The height.");

impl Params for Constant {
    fn visit(&mut self, visitor: &mut ParamVisitor<'_>) {
        visitor.param(&HEIGHT, ParamMut::Float(&mut self.height));
    }
}

/// A stack of layers that starts at 0 and is blended as one layer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bevy", derive(bevy::reflect::Reflect), reflect(no_field_bounds))]
#[serde(deny_unknown_fields, default)]
pub struct Group {
    /// How far the domain warp of the group moves a place along each axis before its layers are asked there. 0 means no warp.
    /// \[Limit: 0 to 10000\] \[Units: m\] Default: 0.
    pub warp_strength: f64,
    /// Frequency of the first octave of the domain warp. \[Limit: 1e-6 to 1\] \[Units: 1/m\] Default: 0.001.
    pub warp_frequency: f64,
    /// The number of octaves of the domain warp. \[Limit: 1 to 8\] Default: 2.
    pub warp_octaves: u32,
    /// The layers, from bottom to top. Default: none.
    pub layers: Vec<Layer>,
}

impl Default for Group {
    fn default() -> Self {
        Self { warp_strength: 0.0, warp_frequency: 0.001, warp_octaves: 2, layers: Vec::new() }
    }
}

impl From<Vec<Layer>> for Group {
    fn from(layers: Vec<Layer>) -> Self {
        Self { layers, ..Self::default() }
    }
}

impl Params for Group {
    fn visit(&mut self, visitor: &mut ParamVisitor<'_>) {
        visitor.param(&WARP_STRENGTH, ParamMut::Float(&mut self.warp_strength));
        visitor.param(&WARP_FREQUENCY, ParamMut::Float(&mut self.warp_frequency));
        visitor.param(&WARP_OCTAVES, ParamMut::Count(&mut self.warp_octaves));
        visitor.list("layers", &mut self.layers);
    }
}
