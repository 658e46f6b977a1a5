//! A layer of plants: what they look like, and where they stand.

use super::{Plant, PlantCollider, PlantKind, Plants};
use crate::field::{HeightRange, PlainRange, stream_of_name};
use crate::look::{AspectRange, LookSettings, NoiseRange, ReliefRange, SlopeRange, SurfaceLayer};
use crate::param::{ParamError, params};
use serde::{Deserialize, Serialize};

/// The smallest and the largest size of the plants of a layer.
#[params]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bevy_reflect", derive(bevy_reflect::Reflect))]
#[serde(deny_unknown_fields, default)]
pub struct PlantSize {
    /// The height of the smallest plants, or the width of the smallest stones.
    #[param(default = 6.0, range = 0.1..=60.0, unit = "m", scale = Logarithmic)]
    pub from: f64,
    /// The height of the largest plants, or the width of the largest stones.
    #[param(default = 12.0, range = 0.1..=60.0, unit = "m", scale = Logarithmic)]
    pub to: f64,
}

impl PlantSize {
    /// The size of the largest ones, in metres, in whatever order the two are.
    #[must_use]
    pub const fn largest(&self) -> f64 {
        self.from.max(self.to)
    }
}

/// Plants of one sort, such as spruces: what they look like, and where they stand.
///
/// They stand where all of the ranges say so, on the layers of the ground that `on` names. The default stands everywhere.
#[params]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bevy_reflect", derive(bevy_reflect::Reflect))]
#[serde(deny_unknown_fields, default)]
pub struct PlantLayer {
    /// A name, for you and for games. It also gives the layer its random stream.
    #[param(max_length = 64)]
    pub name: String,
    /// Selects the random numbers of the layer: where its plants stand. Without it, the name selects them.
    ///
    /// Without a stream, the layer takes the 32-bit FNV-1a hash of its name in UTF-8, which is the same on every machine. Without a name it
    /// takes its index in the list. No other layer of plants may have the same one.
    #[param(range = 0..=4_294_967_295, detail)]
    pub stream: Option<u32>,
    /// What the plants look like.
    #[param(default = PlantKind::Broadleaf)]
    pub kind: PlantKind,
    /// The color of the leaves or of the stone, in sRGB. Without it, that of the kind.
    pub color: Option<[f32; 3]>,
    /// The smallest distance between two plants of the layer. Most have a neighbor that is little farther away.
    ///
    /// A hectare has at most `5600 / spacing²` plants. A layer also keeps away from the plants of layers with a larger spacing.
    #[param(default = 5.0, range = 0.5..=1000.0, unit = "m", scale = Logarithmic)]
    pub spacing: f64,
    /// The part of the plants that grow. A lower value takes some away, and moves none.
    #[param(default = 1.0, range = 0.0..=1.0)]
    pub chance: f64,
    /// The plants of the layer are entities within this distance of viewers, for a game's own models and its own logic. 0 makes none.
    ///
    /// Plants that bodies bump into are entities around bodies too, with any value.
    #[param(default = 0.0, range = 0.0..=200.0, unit = "m")]
    pub entities: f64,
    /// Whether the game draws the plants within the distance of `entities`: then the terrain draws none that are so near to the camera.
    pub own: bool,
    /// Whether bodies bump into the plants: into the trunks of trees, and into stones. Bushes never stop a body.
    #[param(default = true)]
    pub collider: bool,
    /// How far noise moves the borders of the layer, in fades. 0 gives smooth borders.
    #[param(default = 0.5, range = 0.0..=4.0)]
    pub ragged: f64,
    /// How large the plants are.
    pub size: PlantSize,
    /// The heights that have the plants. By default all.
    pub height: HeightRange,
    /// The slopes that have the plants. By default all.
    pub slope: SlopeRange,
    /// The sides of hills that have the plants. By default all.
    pub aspect: AspectRange,
    /// The ridges and hollows that have the plants: -1 is a ridge, 1 a hollow. By default all.
    pub curvature: ReliefRange,
    /// The crests and gullies of erosion that have the plants: -1 is a crest, 1 the bottom of a gully. By default all.
    ///
    /// Without erosion, all ground has 0.
    pub drainage: ReliefRange,
    /// The values of noise that have the plants, which makes groves and clearings. By default all.
    pub noise: NoiseRange,
    /// The names of the layers of the ground on which the plants grow. By default on all.
    pub on: Vec<String>,
}

impl PlantLayer {
    /// The largest number of names in [`on`](Self::on): all layers of the ground.
    pub const MAX_ON: usize = LookSettings::MAX_LAYERS;

    /// The stream of the layer, which is number `index` of its list: its own one, or that of its name, or else its number.
    #[must_use]
    pub fn stream_at(&self, index: usize) -> u32 {
        self.stream.unwrap_or_else(|| if self.name.is_empty() { index as u32 } else { stream_of_name(&self.name) })
    }

    /// What bodies bump into of a plant of this layer. `None` if they pass through it.
    #[must_use]
    pub fn collider_of(&self, plant: &Plant) -> Option<PlantCollider> {
        PlantCollider::new(self.kind, plant.size).filter(|_| self.collider)
    }

    /// What bodies bump into of the largest plants of the layer. `None` if they pass through all of its plants.
    #[must_use]
    pub fn largest_collider(&self) -> Option<PlantCollider> {
        let [from, to] = [self.size.from, self.size.to].map(|size| PlantSize::FROM.nearest(size));
        PlantCollider::new(self.kind, from.max(to) as f32).filter(|_| self.collider)
    }

    /// Gives each layer without a stream the one that it has anyway.
    pub(crate) fn pin_streams(layers: &mut [Self]) {
        for (index, layer) in layers.iter_mut().enumerate() {
            layer.stream = Some(layer.stream_at(index));
        }
    }

    /// An error if a list of layers is too long, or if two have the same stream: then the ids of their plants would be the same.
    pub(crate) fn check_all(layers: &[Self]) -> Vec<ParamError> {
        let count = layers.len();
        if count > Plants::MAX_LAYERS {
            let allowed = format!("up to {} layers", Plants::MAX_LAYERS);
            return vec![ParamError { path: "plants".to_owned(), found: format!("a list of {count}"), allowed }];
        }
        let mut errors = Vec::new();
        for (index, layer) in layers.iter().enumerate() {
            let before = || layers[..index].iter().enumerate();
            let mut refuse = |field: &str, value: String, other: usize| {
                errors.push(ParamError {
                    path: format!("plants[{index}].{field}"),
                    found: format!("{value}, as that of `plants[{other}]`"),
                    allowed: format!("a {field} that no other layer of plants has"),
                });
            };
            if let Some((other, _)) = before().find(|(_, other)| !layer.name.is_empty() && other.name == layer.name) {
                refuse("name", format!("{:?}", layer.name), other);
            } else if let Some((other, _)) =
                before().find(|(number, other)| other.stream_at(*number) == layer.stream_at(index))
            {
                refuse("stream", layer.stream_at(index).to_string(), other);
            }
            let names = layer.on.len();
            if names > Self::MAX_ON {
                let allowed = format!("up to {} names", Self::MAX_ON);
                errors.push(ParamError {
                    path: format!("plants[{index}].on"),
                    found: format!("a list of {names}"),
                    allowed,
                });
            }
        }
        errors
    }

    /// The ranges, in the order of [`SurfaceLayer::RANGES`].
    #[doc(hidden)]
    #[must_use]
    pub fn ranges(&self) -> [PlainRange; 6] {
        self.as_surface().ranges()
    }

    /// A layer of the ground that lies where the plants grow.
    pub(super) fn as_surface(&self) -> SurfaceLayer {
        SurfaceLayer {
            ragged: self.ragged,
            height: self.height.clone(),
            slope: self.slope.clone(),
            aspect: self.aspect.clone(),
            curvature: self.curvature.clone(),
            drainage: self.drainage.clone(),
            noise: self.noise.clone(),
            ..SurfaceLayer::default()
        }
    }
}
