//! The cut of the ground into chunks, and how detail falls off with distance, as plain data.

use crate::param::params;
use serde::{Deserialize, Serialize};

/// How the ground is cut into chunks.
#[params]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bevy_reflect", derive(bevy_reflect::Reflect))]
#[serde(deny_unknown_fields, default)]
pub struct ChunkSettings {
    /// Quads along each side of a chunk. A larger number gives fewer and larger meshes, each of which takes longer to build.
    #[param(default = 64, range = 8..=128, scale = PowersOfTwo)]
    pub quads: u32,
    /// Distance between neighboring vertices. Half as much shows finer detail near the viewer, at the cost of some more triangles.
    ///
    /// It is rounded to 1/1024 m.
    #[param(default = 4.0, range = 0.1..=100.0, unit = "m", scale = Logarithmic)]
    pub spacing: f64,
}

/// How detail falls off with distance.
#[params]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bevy_reflect", derive(bevy_reflect::Reflect))]
#[serde(deny_unknown_fields, default)]
pub struct LodSettings {
    /// The distance on the screen between the drawn ground and the ground at full detail: 99.9 % of the ground stays within it. A
    /// smaller value shows more detail in the distance and costs more triangles. 0 draws everything in view at full detail.
    ///
    /// The part of the ground is [`LevelErrors::QUANTILE`](super::LevelErrors::QUANTILE).
    #[param(default = 3.0, range = 0.0..=100.0, unit = "pixels")]
    pub pixel_error: f64,
    /// Whether vertices move gradually from one level of detail to the next. If not, a new level appears at once. Neither opens
    /// cracks.
    #[param(default = true)]
    pub morph: bool,
}

/// How chunks are streamed around viewers.
///
/// The machine's budgets are not part of a terrain: they are in `TerrainBudget`, a resource.
#[params]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bevy_reflect", derive(bevy_reflect::Reflect))]
#[serde(deny_unknown_fields, default)]
pub struct StreamSettings {
    /// Chunks are also built for the position that a moving viewer will reach after this time. 0 builds none ahead.
    #[param(default = 0.5, range = 0.0..=10.0, unit = "s")]
    pub look_ahead: f64,
}
