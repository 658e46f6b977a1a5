//! The cut of the ground into chunks, and how detail falls off with distance, as plain data.

use crate::param::{Param, ParamMut, ParamVisitor, Params, Scale};
use serde::{Deserialize, Serialize};

/// How the ground is cut into chunks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bevy", derive(bevy::reflect::Reflect))]
#[serde(deny_unknown_fields, default)]
pub struct ChunkSettings {
    /// Quads along each side of a chunk. \[Limit: a power of two, 8 to 128\] Default: 64.
    pub quads: u32,
    /// Distance between neighboring vertices, rounded to 1/1024 m. \[Limit: 0.1 to 100\] \[Units: m\] Default: 4.
    pub spacing: f64,
}

impl Default for ChunkSettings {
    fn default() -> Self {
        Self { quads: 64, spacing: 4.0 }
    }
}

static QUADS: Param = Param::new(
    "quads",
    "",
    8.0,
    128.0,
    "Quads along each side of a chunk. A larger number gives fewer and larger meshes, each of which takes longer to build.",
)
.scale(Scale::PowersOfTwo);
static SPACING: Param = Param::new(
    "spacing",
    "m",
    0.1,
    100.0,
    "Distance between neighboring vertices. Half as much shows finer detail near the viewer, at the cost of some more triangles.",
)
.scale(Scale::Logarithmic);

impl Params for ChunkSettings {
    fn visit(&mut self, visitor: &mut ParamVisitor<'_>) {
        visitor.param(&QUADS, ParamMut::Count(&mut self.quads));
        visitor.param(&SPACING, ParamMut::Float(&mut self.spacing));
    }
}

/// How detail falls off with distance.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bevy", derive(bevy::reflect::Reflect))]
#[serde(deny_unknown_fields, default)]
pub struct LodSettings {
    /// The distance on the screen between the drawn ground and the ground at full detail: 99.9 % of the ground stays within it
    /// ([`LevelErrors::QUANTILE`](super::LevelErrors::QUANTILE)). 0 draws everything in view at full detail.
    /// \[Limit: 0 to 100\] \[Units: pixels\] Default: 3.
    pub pixel_error: f64,
    /// Whether vertices move gradually from one level to the next. If not, a new level appears at once. Neither opens cracks.
    /// Default: true.
    pub morph: bool,
}

impl Default for LodSettings {
    fn default() -> Self {
        Self { pixel_error: 3.0, morph: true }
    }
}

static PIXEL_ERROR: Param = Param::new(
    "pixel_error",
    "pixels",
    0.0,
    100.0,
    "The distance on the screen between the drawn ground and the ground at full detail: 99.9 % of the ground stays within it. A \
     smaller value shows more detail in the distance and costs more triangles. 0 draws everything in view at full detail.",
);
static MORPH: Param = Param::free(
    "morph",
    "Whether vertices move gradually from one level of detail to the next. If not, a new level appears at once. Neither opens \
     cracks.",
);

impl Params for LodSettings {
    fn visit(&mut self, visitor: &mut ParamVisitor<'_>) {
        visitor.param(&PIXEL_ERROR, ParamMut::Float(&mut self.pixel_error));
        visitor.param(&MORPH, ParamMut::Switch(&mut self.morph));
    }
}

/// How chunks are streamed around viewers.
///
/// The machine's budgets are not part of a terrain: they are in `TerrainBudget`, a resource.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bevy", derive(bevy::reflect::Reflect))]
#[serde(deny_unknown_fields, default)]
pub struct StreamSettings {
    /// Chunks are also built for the place that a moving viewer will reach after this time. \[Limit: 0 to 10\] \[Units: s\] Default: 0.5.
    pub look_ahead: f64,
}

impl Default for StreamSettings {
    fn default() -> Self {
        Self { look_ahead: 0.5 }
    }
}

static LOOK_AHEAD: Param = Param::new(
    "look_ahead",
    "s",
    0.0,
    10.0,
    "Chunks are also built for the place that a moving viewer will reach after this time. 0 builds none ahead.",
);

impl Params for StreamSettings {
    fn visit(&mut self, visitor: &mut ParamVisitor<'_>) {
        visitor.param(&LOOK_AHEAD, ParamMut::Float(&mut self.look_ahead));
    }
}
