//! What a layer consists of.

use super::{Carve, Curve, Dunes, ErosionSettings, Layer, Scatter, Terrace};
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
    /// Valleys along winding lines.
    Carve(Carve),
    /// The same height everywhere.
    Constant(Constant),
    /// Single hills, scattered over the plane.
    Scatter(Scatter),
    /// Waves of sand.
    Dunes(Dunes),
    /// Layers that are blended as one.
    Group(Group),
    /// A filter: steps of equal height.
    Terrace(Terrace),
    /// A filter: a new height for each height.
    Curve(Curve),
    /// A filter: gullies and crests.
    Erosion(ErosionSettings),
}

impl LayerKind {
    const ALTERNATIVES: [Alternative; 9] = [
        Alternative { name: "Noise", help: "A noise: hills, crests or lumps." },
        Alternative {
            name: "Carve",
            help: "Valleys of an even width along winding lines: canyons, fjords, river valleys.",
        },
        Alternative { name: "Constant", help: "The same height everywhere: a floor for Max, a ceiling for Min." },
        Alternative { name: "Scatter", help: "Single hills, scattered over the plane: volcanoes or inselbergs." },
        Alternative { name: "Dunes", help: "Waves of sand, steep on one side." },
        Alternative { name: "Group", help: "A stack of layers that starts at 0 and is blended as one layer." },
        Alternative { name: "Terrace", help: "A filter of the ground below: steps of equal height." },
        Alternative { name: "Curve", help: "A filter of the ground below: a new height for each height." },
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
        matches!(self, Self::Terrace(_) | Self::Curve(_) | Self::Erosion(_))
    }

    /// The kind at `index` of the alternatives, with default values.
    fn default_of(index: usize) -> Self {
        match index {
            0 => Self::Noise(NoiseSettings::default()),
            1 => Self::Carve(Carve::default()),
            2 => Self::Constant(Constant::default()),
            3 => Self::Scatter(Scatter::default()),
            4 => Self::Dunes(Dunes::default()),
            5 => Self::Group(Group::default()),
            6 => Self::Terrace(Terrace::default()),
            7 => Self::Curve(Curve::default()),
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
            Self::Carve(_) => 1,
            Self::Constant(_) => 2,
            Self::Scatter(_) => 3,
            Self::Dunes(_) => 4,
            Self::Group(_) => 5,
            Self::Terrace(_) => 6,
            Self::Curve(_) => 7,
            Self::Erosion(_) => 8,
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
            Self::Carve(carve) => carve.visit(visitor),
            Self::Constant(constant) => constant.visit(visitor),
            Self::Scatter(scatter) => scatter.visit(visitor),
            Self::Dunes(dunes) => dunes.visit(visitor),
            Self::Group(group) => group.visit(visitor),
            Self::Terrace(terrace) => terrace.visit(visitor),
            Self::Curve(curve) => curve.visit(visitor),
            Self::Erosion(erosion) => erosion.visit(visitor),
        }
    }
}

/// The same height everywhere.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bevy", derive(bevy::reflect::Reflect))]
#[serde(deny_unknown_fields, default)]
pub struct Constant {
    /// The height. \[Limit: -10000 to 10000\] \[Units: m\] Default: 30, the default base height: a floor or a ceiling for half of the
    /// default hills.
    pub height: f64,
}

impl Default for Constant {
    fn default() -> Self {
        Self { height: 30.0 }
    }
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

impl Group {
    /// The noise that moves places along one axis.
    pub(crate) fn warp_noise(&self) -> NoiseSettings {
        NoiseSettings {
            octaves: self.warp_octaves,
            frequency: self.warp_frequency,
            height_scale: self.warp_strength,
            ..NoiseSettings::default()
        }
    }
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
