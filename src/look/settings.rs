//! The settings of the ground's colors and of the sea.

use super::{GroundLayer, GroundPictures, GroundTexture};
use crate::param::{ParamError, params};
use serde::{Deserialize, Serialize};

/// The look of the ground: sand on low ground, grass, rock on steep ground, snow on high ground, and a sea if wanted.
///
/// Five colors and a few numbers are enough for that. [`layers`](Self::layers) takes their place where they are not.
///
/// Colors are sRGB, each channel from 0 to 1. A change rebuilds no chunk, because nothing here changes a height.
#[params]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bevy", derive(bevy::reflect::Reflect))]
#[serde(deny_unknown_fields, default)]
pub struct LookSettings {
    /// Color of low ground: sand.
    #[param(default = [0.76, 0.68, 0.50])]
    pub sand: [f32; 3],
    /// Color of the ground between sand and snow: grass.
    #[param(default = [0.30, 0.42, 0.17])]
    pub grass: [f32; 3],
    /// Second color of grass, in patches.
    #[param(default = [0.45, 0.48, 0.22])]
    pub meadow: [f32; 3],
    /// Color of steep ground: rock.
    #[param(default = [0.42, 0.39, 0.36])]
    pub rock: [f32; 3],
    /// Color of high ground: snow.
    #[param(default = [0.95, 0.96, 0.98])]
    pub snow: [f32; 3],
    /// What the layer with the color `sand` looks like close up.
    #[param(default = GroundTexture::Sand)]
    pub sand_texture: GroundTexture,
    /// What the layer with the color `grass` looks like close up.
    #[param(default = GroundTexture::Grass)]
    pub grass_texture: GroundTexture,
    /// What the layer with the color `meadow` looks like close up.
    #[param(default = GroundTexture::Grass)]
    pub meadow_texture: GroundTexture,
    /// What the layer with the color `rock` looks like close up. Only rock has stones at its foot.
    #[param(default = GroundTexture::Rock)]
    pub rock_texture: GroundTexture,
    /// What the layer with the color `snow` looks like close up.
    #[param(default = GroundTexture::Snow)]
    pub snow_texture: GroundTexture,
    /// Ground below this height is sand. A higher value shows more sand.
    #[param(default = 2.0, range = -10_000.0..=10_000.0, unit = "m")]
    pub sand_height: f64,
    /// Ground above this height has snow. A higher value shows less snow.
    #[param(default = 900.0, range = -10_000.0..=10_000.0, unit = "m")]
    pub snow_height: f64,
    /// The range of heights over which one color blends into the next. A larger value gives softer and more ragged borders.
    #[param(default = 12.0, range = 0.1..=1000.0, unit = "m")]
    pub blend_height: f64,
    /// Ground steeper than this angle is rock. A larger value shows less rock, and more snow on steep ground. 0 is level, 0.79 is
    /// 45 degrees.
    #[param(default = 0.6, range = 0.0..=1.57, unit = "rad")]
    pub rock_slope: f64,
    /// How much the colors vary from place to place. A larger value gives stronger patches and a rougher surface.
    #[param(default = 0.5, range = 0.0..=1.0)]
    pub variation: f64,
    /// Whether a sea is drawn.
    #[param(default = false)]
    pub water: bool,
    /// Height of the sea. A higher value covers more ground with water.
    #[param(default = 0.0, range = -10_000.0..=10_000.0, unit = "m")]
    pub water_height: f64,
    /// Color of the sea.
    #[param(default = [0.05, 0.22, 0.30])]
    pub water_color: [f32; 3],
    /// The layers of the ground, from the lowest to the topmost: up to 8. They take the place of the five colors, their textures,
    /// the heights, the slope and the blend height above. Without any, the layers follow from these.
    pub layers: Vec<GroundLayer>,
    /// Pictures that take the place of the crate's own textures. By default none.
    pub pictures: GroundPictures,
}

impl LookSettings {
    /// The largest number of layers of the ground.
    pub const MAX_LAYERS: usize = 8;

    /// The fields that have no effect with a list of [`layers`](Self::layers).
    pub(crate) const SHORT_FORM: [&str; 14] = [
        "sand",
        "grass",
        "meadow",
        "rock",
        "snow",
        "sand_texture",
        "grass_texture",
        "meadow_texture",
        "rock_texture",
        "snow_texture",
        "sand_height",
        "snow_height",
        "blend_height",
        "rock_slope",
    ];

    /// An error if the list of layers is too long.
    pub(crate) fn check_layers(&self) -> Option<ParamError> {
        (self.layers.len() > Self::MAX_LAYERS).then(|| ParamError {
            path: "look.layers".to_owned(),
            found: format!("a list of {}", self.layers.len()),
            allowed: format!("up to {} layers", Self::MAX_LAYERS),
        })
    }
}
