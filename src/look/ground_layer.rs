//! A layer of the ground: what it looks like, and where it lies.

mod ranges;

pub(crate) use ranges::PlainRange;
pub use ranges::{AspectRange, HeightRange, NoiseRange, ReliefRange, SlopeRange};

use super::GroundTexture;
use crate::param::{Param, ParamMut, ParamVisitor, Params};
use serde::{Deserialize, Serialize};

/// A layer of the ground, such as snow: what it looks like, and where it lies.
///
/// It lies where all of its ranges say so, on the layers before it in the list. The default lies everywhere.
///
/// ```
/// use bevy_perlin_terrain::settings::TerrainSettings;
///
/// let text = "(look: (layers: [
///     (name: \"grass\", color: (0.30, 0.42, 0.17), texture: Grass),
///     (name: \"snow\", color: (0.95, 0.96, 0.98), texture: Snow, height: (from: 780, fade: 60), slope: (to: 0.7)),
/// ]))";
/// let settings = TerrainSettings::from_ron(text).unwrap();
/// assert_eq!(settings.look.layers[1].slope.to, 0.7);
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bevy", derive(bevy::reflect::Reflect))]
#[serde(deny_unknown_fields, default)]
pub struct GroundLayer {
    /// A name for the designer, and for games that ask what the ground is. \[Limit: up to 64 characters\] Default: `""`.
    pub name: String,
    /// The color, in sRGB. Default: (0.42, 0.39, 0.36).
    pub color: [f32; 3],
    /// What the layer looks like close up. Default: `Rock`.
    pub texture: GroundTexture,
    /// How much of the layers below it covers. \[Limit: 0 to 1\] Default: 1.
    pub opacity: f64,
    /// How far noise moves the borders of the layer, in fades. 0 gives smooth borders. \[Limit: 0 to 4\] Default: 0.5.
    pub ragged: f64,
    /// The heights that have the layer. Default: all.
    pub height: HeightRange,
    /// The slopes that have the layer. Default: all.
    pub slope: SlopeRange,
    /// The sides of hills that have the layer. Default: all.
    pub aspect: AspectRange,
    /// The ridges and hollows that have the layer: -1 is a ridge, 1 a hollow. Default: all.
    pub curvature: ReliefRange,
    /// The crests and gullies of erosion that have the layer: -1 is a crest, 1 the bottom of a gully. Without erosion, all ground
    /// has 0. Default: all.
    pub drainage: ReliefRange,
    /// The values of noise that have the layer, which makes patches. Default: all.
    pub noise: NoiseRange,
}

impl GroundLayer {
    /// The names of the ranges.
    pub(crate) const RANGES: [&str; 6] = ["height", "slope", "aspect", "curvature", "drainage", "noise"];

    /// The ranges, in the order of [`RANGES`](Self::RANGES).
    pub(crate) fn ranges(&self) -> [PlainRange; 6] {
        [
            self.height.plain(),
            self.slope.plain(),
            self.aspect.plain(),
            self.curvature.plain(),
            self.drainage.plain(),
            self.noise.plain(),
        ]
    }
}

impl Default for GroundLayer {
    fn default() -> Self {
        Self {
            name: String::new(),
            color: [0.42, 0.39, 0.36],
            texture: GroundTexture::Rock,
            opacity: 1.0,
            ragged: 0.5,
            height: HeightRange::default(),
            slope: SlopeRange::default(),
            aspect: AspectRange::default(),
            curvature: ReliefRange::default(),
            drainage: ReliefRange::default(),
            noise: NoiseRange::default(),
        }
    }
}

static NAME: Param = Param::text("name", 64, "A name, for you and for games that ask what the ground is.");
static COLOR: Param = Param::color("color", "The color of the layer. Its texture varies it.");
static TEXTURE: Param = Param::free("texture", "What the layer looks like close up.");
static OPACITY: Param = Param::new("opacity", "", 0.0, 1.0, "How much of the layers below it covers.");
static RAGGED: Param = Param::new(
    "ragged",
    "",
    0.0,
    4.0,
    "How far noise moves the borders of the layer, in fades. 0 gives smooth borders.",
);

impl Params for GroundLayer {
    fn visit(&mut self, visitor: &mut ParamVisitor<'_>) {
        visitor.param(&NAME, ParamMut::Text(&mut self.name));
        visitor.param(&COLOR, ParamMut::Color(&mut self.color));
        visitor.param(&TEXTURE, ParamMut::Choice(&mut self.texture));
        visitor.param(&OPACITY, ParamMut::Float(&mut self.opacity));
        visitor.param(&RAGGED, ParamMut::Float(&mut self.ragged));
        visitor.nested("height", &mut self.height);
        visitor.nested("slope", &mut self.slope);
        visitor.nested("aspect", &mut self.aspect);
        visitor.nested("curvature", &mut self.curvature);
        visitor.nested("drainage", &mut self.drainage);
        visitor.nested("noise", &mut self.noise);
    }
}
