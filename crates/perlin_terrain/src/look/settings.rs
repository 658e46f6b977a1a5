//! The settings of the ground's colors and of the water.

use super::default_layers::default_layers;
use super::{SurfaceImages, SurfaceLayer};
use crate::param::{ParamError, params};
use serde::{Deserialize, Serialize};

/// The look of the ground: its layers, and water if wanted.
///
/// Colors are sRGB, each channel from 0 to 1. A change rebuilds no chunk, because nothing here changes a height.
#[params]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bevy_reflect", derive(bevy_reflect::Reflect))]
#[serde(deny_unknown_fields, default)]
pub struct LookSettings {
    /// How much the colors vary from place to place. A larger value gives stronger patches and a rougher surface.
    #[param(default = 0.5, range = 0.0..=1.0)]
    pub variation: f64,
    /// Whether low ground is under water.
    #[param(default = false)]
    pub water: bool,
    /// Height of the water. A higher value covers more ground with water.
    #[param(default = 0.0, range = -10_000.0..=10_000.0, unit = "m")]
    pub water_height: f64,
    /// Color of deep water, which also tints what is seen through shallow water.
    #[param(default = [0.05, 0.22, 0.30])]
    pub water_color: [f32; 3],
    /// How clear the water is: the depth at which a tenth of the light of the bottom comes back.
    #[param(default = 6.0, range = 0.3..=80.0, unit = "m")]
    pub water_clarity: f64,
    /// How steep the waves are: 0 is a mirror, 1 is what the wind makes of open water.
    #[param(default = 1.0, range = 0.0..=2.0)]
    pub waves: f64,
    /// The layers of the ground, from the lowest to the topmost: 1 to 8. The default is seven: grass, dry grass, forest floor, sand on
    /// low ground, scree and rock on steep ground, and snow on high ground.
    #[param(default = default_layers())]
    pub layers: Vec<SurfaceLayer>,
    /// Images that take the place of the crate's own textures. By default none.
    pub images: SurfaceImages,
}

impl LookSettings {
    /// The largest number of layers of the ground.
    pub const MAX_LAYERS: usize = 8;

    /// An error if the list of layers is empty or too long.
    pub(crate) fn check_layers(&self) -> Option<ParamError> {
        let count = self.layers.len();
        (!(1..=Self::MAX_LAYERS).contains(&count)).then(|| ParamError {
            path: "look.layers".to_owned(),
            found: format!("a list of {count}"),
            allowed: format!("1 to {} layers", Self::MAX_LAYERS),
        })
    }
}
