//! The settings of the ground's colors and of the sea.

use super::{GroundLayer, GroundPictures, GroundTexture};
use crate::param::{Param, ParamError, ParamMut, ParamVisitor, Params};
use serde::{Deserialize, Serialize};

/// The look of the ground: sand on low ground, grass, rock on steep ground, snow on high ground, and a sea if wanted.
///
/// Five colors and a few numbers are enough for that. [`layers`](Self::layers) takes their place where they are not.
///
/// Colors are sRGB, each channel from 0 to 1. A change rebuilds no chunk, because nothing here changes a height.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bevy", derive(bevy::reflect::Reflect))]
#[serde(deny_unknown_fields, default)]
pub struct LookSettings {
    /// Color of low ground: sand. Default: (0.76, 0.68, 0.50).
    pub sand: [f32; 3],
    /// Color of the ground between sand and snow: grass. Default: (0.30, 0.42, 0.17).
    pub grass: [f32; 3],
    /// Second color of grass, in patches. Default: (0.45, 0.48, 0.22).
    pub meadow: [f32; 3],
    /// Color of steep ground: rock. Default: (0.42, 0.39, 0.36).
    pub rock: [f32; 3],
    /// Color of high ground: snow. Default: (0.95, 0.96, 0.98).
    pub snow: [f32; 3],
    /// What the layer with the color `sand` looks like close up. Default: `Sand`.
    pub sand_texture: GroundTexture,
    /// What the layer with the color `grass` looks like close up. Default: `Grass`.
    pub grass_texture: GroundTexture,
    /// What the layer with the color `meadow` looks like close up. Default: `Grass`.
    pub meadow_texture: GroundTexture,
    /// What the layer with the color `rock` looks like close up. Default: `Rock`.
    pub rock_texture: GroundTexture,
    /// What the layer with the color `snow` looks like close up. Default: `Snow`.
    pub snow_texture: GroundTexture,
    /// Ground below this height is sand. A higher value shows more sand. \[Limit: -10000 to 10000\] \[Units: m\] Default: 2.
    pub sand_height: f64,
    /// Ground above this height has snow. A higher value shows less snow. \[Limit: -10000 to 10000\] \[Units: m\] Default: 900.
    pub snow_height: f64,
    /// The range of heights over which one color blends into the next. A larger value gives softer and more ragged borders.
    /// \[Limit: 0.1 to 1000\] \[Units: m\] Default: 12.
    pub blend_height: f64,
    /// Ground steeper than this angle is rock. A larger value shows less rock, and more snow on steep ground.
    /// \[Limit: 0 to 1.57\] \[Units: rad\] Default: 0.6.
    pub rock_slope: f64,
    /// How much the colors vary from place to place. A larger value gives stronger patches and a rougher surface.
    /// \[Limit: 0 to 1\] Default: 0.5.
    pub variation: f64,
    /// Whether a sea is drawn. Default: false.
    pub water: bool,
    /// Height of the sea. A higher value covers more ground with water. \[Limit: -10000 to 10000\] \[Units: m\] Default: 0.
    pub water_height: f64,
    /// Color of the sea. Default: (0.05, 0.22, 0.30).
    pub water_color: [f32; 3],
    /// The layers of the ground, from the lowest to the topmost. They take the place of the five colors, their textures, the heights,
    /// the slope and the blend height above. \[Limit: up to 8 layers\] Default: none, so the layers follow from these.
    pub layers: Vec<GroundLayer>,
    /// Pictures that take the place of the crate's own textures. Default: none.
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

impl Default for LookSettings {
    fn default() -> Self {
        Self {
            sand: [0.76, 0.68, 0.50],
            grass: [0.30, 0.42, 0.17],
            meadow: [0.45, 0.48, 0.22],
            rock: [0.42, 0.39, 0.36],
            snow: [0.95, 0.96, 0.98],
            sand_texture: GroundTexture::Sand,
            grass_texture: GroundTexture::Grass,
            meadow_texture: GroundTexture::Grass,
            rock_texture: GroundTexture::Rock,
            snow_texture: GroundTexture::Snow,
            sand_height: 2.0,
            snow_height: 900.0,
            blend_height: 12.0,
            rock_slope: 0.6,
            variation: 0.5,
            water: false,
            water_height: 0.0,
            water_color: [0.05, 0.22, 0.30],
            layers: Vec::new(),
            pictures: GroundPictures::default(),
        }
    }
}

static SAND: Param = Param::color("sand", "Color of low ground: sand.");
static GRASS: Param = Param::color("grass", "Color of the ground between sand and snow: grass.");
static MEADOW: Param = Param::color("meadow", "Second color of grass, in patches.");
static ROCK: Param = Param::color("rock", "Color of steep ground: rock.");
static SNOW: Param = Param::color("snow", "Color of high ground: snow.");
static SAND_TEXTURE: Param = Param::free("sand_texture", "What the layer with the color `sand` looks like close up.");
static GRASS_TEXTURE: Param =
    Param::free("grass_texture", "What the layer with the color `grass` looks like close up.");
static MEADOW_TEXTURE: Param =
    Param::free("meadow_texture", "What the layer with the color `meadow` looks like close up.");
static ROCK_TEXTURE: Param = Param::free(
    "rock_texture",
    "What the layer with the color `rock` looks like close up. Only rock has stones at its foot.",
);
static SNOW_TEXTURE: Param = Param::free("snow_texture", "What the layer with the color `snow` looks like close up.");
static SAND_HEIGHT: Param = Param::new(
    "sand_height",
    "m",
    -10_000.0,
    10_000.0,
    "Ground below this height is sand. A higher value shows more sand.",
);
static SNOW_HEIGHT: Param = Param::new(
    "snow_height",
    "m",
    -10_000.0,
    10_000.0,
    "Ground above this height has snow. A higher value shows less snow.",
);
static BLEND_HEIGHT: Param = Param::new(
    "blend_height",
    "m",
    0.1,
    1000.0,
    "The range of heights over which one color blends into the next. A larger value gives softer and more ragged borders.",
);
static ROCK_SLOPE: Param = Param::new(
    "rock_slope",
    "rad",
    0.0,
    1.57,
    "Ground steeper than this angle is rock. A larger value shows less rock, and more snow on steep ground. 0 is level, 0.79 is \
     45 degrees.",
);
static VARIATION: Param = Param::new(
    "variation",
    "",
    0.0,
    1.0,
    "How much the colors vary from place to place. A larger value gives stronger patches and a rougher surface.",
);
static WATER: Param = Param::free("water", "Whether a sea is drawn.");
static WATER_HEIGHT: Param = Param::new(
    "water_height",
    "m",
    -10_000.0,
    10_000.0,
    "Height of the sea. A higher value covers more ground with water.",
);
static WATER_COLOR: Param = Param::color("water_color", "Color of the sea.");

impl Params for LookSettings {
    fn visit(&mut self, visitor: &mut ParamVisitor<'_>) {
        visitor.param(&SAND, ParamMut::Color(&mut self.sand));
        visitor.param(&GRASS, ParamMut::Color(&mut self.grass));
        visitor.param(&MEADOW, ParamMut::Color(&mut self.meadow));
        visitor.param(&ROCK, ParamMut::Color(&mut self.rock));
        visitor.param(&SNOW, ParamMut::Color(&mut self.snow));
        visitor.param(&SAND_TEXTURE, ParamMut::Choice(&mut self.sand_texture));
        visitor.param(&GRASS_TEXTURE, ParamMut::Choice(&mut self.grass_texture));
        visitor.param(&MEADOW_TEXTURE, ParamMut::Choice(&mut self.meadow_texture));
        visitor.param(&ROCK_TEXTURE, ParamMut::Choice(&mut self.rock_texture));
        visitor.param(&SNOW_TEXTURE, ParamMut::Choice(&mut self.snow_texture));
        visitor.param(&SAND_HEIGHT, ParamMut::Float(&mut self.sand_height));
        visitor.param(&SNOW_HEIGHT, ParamMut::Float(&mut self.snow_height));
        visitor.param(&BLEND_HEIGHT, ParamMut::Float(&mut self.blend_height));
        visitor.param(&ROCK_SLOPE, ParamMut::Float(&mut self.rock_slope));
        visitor.param(&VARIATION, ParamMut::Float(&mut self.variation));
        visitor.param(&WATER, ParamMut::Switch(&mut self.water));
        visitor.param(&WATER_HEIGHT, ParamMut::Float(&mut self.water_height));
        visitor.param(&WATER_COLOR, ParamMut::Color(&mut self.water_color));
        visitor.list("layers", &mut self.layers);
        visitor.nested("pictures", &mut self.pictures);
    }
}
