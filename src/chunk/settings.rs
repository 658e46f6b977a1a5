//! The cut of the ground into chunks, as plain data.

use crate::param::{Param, ParamMut, ParamVisitor, Params, Scale};
use serde::{Deserialize, Serialize};

/// How the ground is cut into chunks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bevy", derive(bevy::reflect::Reflect))]
#[serde(deny_unknown_fields, default)]
pub struct ChunkSettings {
    /// Quads along each side of a chunk. \[Limit: a power of two, 8 to 128\] Default: 64.
    pub quads: u32,
    /// Distance between neighbouring vertices, rounded to 1/1024 m. \[Limit: 0.1 to 100\] \[Units: m\] Default: 4.
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
    "Quads along each side of a chunk. More make fewer, larger meshes that take longer to build.",
)
.scale(Scale::PowersOfTwo);
static SPACING: Param = Param::new(
    "spacing",
    "m",
    0.1,
    100.0,
    "Distance between neighbouring vertices. Half as much shows finer detail and costs four times as many triangles.",
)
.scale(Scale::Logarithmic);

impl Params for ChunkSettings {
    fn visit(&mut self, visitor: &mut ParamVisitor<'_>) {
        visitor.param(&QUADS, ParamMut::Count(&mut self.quads));
        visitor.param(&SPACING, ParamMut::Float(&mut self.spacing));
    }
}
