//! The settings of the height field.

use crate::noise::NoiseSettings;
use crate::param::{Param, ParamMut, ParamVisitor, Params};
use serde::{Deserialize, Serialize};

/// The settings of the heights: layers of noise on top of a base height.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bevy", derive(bevy::reflect::Reflect))]
#[serde(deny_unknown_fields, default)]
pub struct FieldSettings {
    /// Selects one of 2^64 worlds. The same seed and settings give the same heights on every machine.
    /// \[Limit: 0 to 2^64 - 1\] Default: 0.
    pub seed: u64,
    /// The height that the layers are added to. A higher value raises the whole ground. \[Limit: -10000 to 10000\] \[Units: m\] Default: 0.
    pub base_height: f64,
    /// The layers of noise. Their heights are added. \[Limit: up to 8 layers\] Default: one layer of rolling hills.
    pub layers: Vec<NoiseSettings>,
}

impl FieldSettings {
    /// The largest number of layers.
    pub const MAX_LAYERS: usize = 8;
}

impl Default for FieldSettings {
    fn default() -> Self {
        Self { seed: 0, base_height: 0.0, layers: vec![NoiseSettings::default()] }
    }
}

static SEED: Param =
    Param::free("seed", "Selects the world. The same seed and settings give the same heights on every machine.");
static BASE_HEIGHT: Param = Param::new(
    "base_height",
    "m",
    -10_000.0,
    10_000.0,
    "The height that the layers are added to. A higher value raises the whole ground.",
);

impl Params for FieldSettings {
    fn visit(&mut self, visitor: &mut ParamVisitor<'_>) {
        visitor.param(&SEED, ParamMut::Seed(&mut self.seed));
        visitor.param(&BASE_HEIGHT, ParamMut::Float(&mut self.base_height));
        visitor.list("layers", &mut self.layers);
    }
}
