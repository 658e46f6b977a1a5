//! A layer of the ground: what it looks like, and where it lies.

mod ranges;

pub use ranges::{AspectRange, NoiseRange, ReliefRange, SlopeRange};

use super::SurfaceTexture;
use crate::field::{HeightRange, PlainRange};
use crate::param::params;
use serde::{Deserialize, Serialize};

/// A layer of the ground, such as snow: what it looks like, and where it lies.
///
/// It lies where all of its ranges say so, on the layers before it in the list. The default lies everywhere.
///
/// ```
/// use perlin_terrain::settings::TerrainSettings;
///
/// let text = "(look: (layers: [
///     (name: \"grass\", color: (0.30, 0.42, 0.17), texture: Grass),
///     (name: \"snow\", color: (0.95, 0.96, 0.98), texture: Snow, height: (from: 780, fade: 60), slope: (to: 0.7)),
/// ]))";
/// let settings = TerrainSettings::from_ron(text).expect("the text is valid");
/// assert_eq!(settings.look.layers[1].slope.to, 0.7);
/// ```
#[params]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bevy_reflect", derive(bevy_reflect::Reflect))]
#[serde(deny_unknown_fields, default)]
pub struct SurfaceLayer {
    /// A name, for you and for games that ask what the ground is.
    #[param(max_length = 64)]
    pub name: String,
    /// The color of the layer, in sRGB. Its texture varies it.
    #[param(default = [0.42, 0.39, 0.36])]
    pub color: [f32; 3],
    /// The look of the layer close up.
    #[param(default = SurfaceTexture::Rock)]
    pub texture: SurfaceTexture,
    /// How much of the layers below it covers.
    #[param(default = 1.0, range = 0.0..=1.0)]
    pub opacity: f64,
    /// How far noise moves the borders of the layer, in fades. 0 gives smooth borders.
    #[param(default = 0.5, range = 0.0..=4.0)]
    pub ragged: f64,
    /// The heights that have the layer. By default all.
    pub height: HeightRange,
    /// The slopes that have the layer. By default all.
    pub slope: SlopeRange,
    /// The sides of hills that have the layer. By default all.
    pub aspect: AspectRange,
    /// The ridges and hollows that have the layer: -1 is a ridge, 1 a hollow. By default all.
    pub curvature: ReliefRange,
    /// The crests and gullies of erosion that have the layer: -1 is a crest, 1 the bottom of a gully. By default all.
    ///
    /// Without erosion, all ground has 0.
    pub drainage: ReliefRange,
    /// The values of noise that have the layer, which makes patches. By default all.
    pub noise: NoiseRange,
}

impl SurfaceLayer {
    /// The names of the ranges.
    #[doc(hidden)]
    pub const RANGES: [&str; 6] = ["height", "slope", "aspect", "curvature", "drainage", "noise"];

    /// The ranges, in the order of [`RANGES`](Self::RANGES).
    #[doc(hidden)]
    #[must_use]
    pub fn ranges(&self) -> [PlainRange; 6] {
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
