//! A layer of plants in the form in which it is evaluated.

use super::pattern::Pattern;
use super::site::Site;
use super::{Plant, PlantId, PlantLayer};
use crate::look::surface_layers::PlacedLayer;
use crate::look::{LookSettings, SurfaceLayers};
use std::f32::consts::TAU;

/// A layer of plants, compiled.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct PlacedPlants {
    pub settings: PlantLayer,
    pub stream: u32,
    pub pattern: Pattern,
    pub chance: f32,
    /// Where the ranges of the layer have plants.
    pub ranges: PlacedLayer,
    /// The layers of the ground that have plants. `None` if all have.
    pub on: Option<[bool; LookSettings::MAX_LAYERS]>,
    /// The layers for whose plants it leaves room.
    pub larger: Vec<usize>,
    spacing: f64,
    size: [f32; 2],
}

impl PlacedPlants {
    /// Compiles the layer at `index` of `layers`. Numbers out of their ranges count as the nearest number in them.
    pub fn new(layers: &[PlantLayer], index: usize, seed: u64, surface: &SurfaceLayers) -> Self {
        let settings = layers[index].clone();
        let spacing_of = |layer: &PlantLayer| PlantLayer::SPACING.nearest(layer.spacing);
        let (stream, spacing) = (settings.stream_at(index), spacing_of(&settings));
        let is_larger = |(other, layer): (usize, &PlantLayer)| {
            let larger = spacing_of(layer);
            larger > spacing || larger == spacing && other < index
        };
        let names = |layer: usize| surface.layers().get(layer).is_some_and(|layer| settings.on.contains(&layer.name));
        Self {
            stream,
            pattern: Pattern::new(seed, stream, spacing),
            chance: PlantLayer::CHANCE.nearest(settings.chance) as f32,
            ranges: PlacedLayer::new(&settings.as_surface()),
            on: (!settings.on.is_empty()).then(|| std::array::from_fn(names)),
            larger: layers.iter().enumerate().filter(|layer| is_larger(*layer)).map(|(other, _)| other).collect(),
            spacing,
            size: [settings.size.from, settings.size.to].map(|size| super::PlantSize::FROM.nearest(size) as f32),
            settings,
        }
    }

    /// How far plants stay away from those of layers with a larger spacing, in metres.
    pub fn room(&self) -> f64 {
        0.5 * self.spacing
    }

    /// Whether the plant of the cell grows on the best ground.
    pub fn may_grow(&self, cell: [i64; 2]) -> bool {
        rank(self.pattern.bits(cell)) < self.chance
    }

    /// The plant of a cell.
    pub fn plant(&self, cell: [i64; 2], site: &Site) -> Plant {
        let bits = self.pattern.bits(cell);
        let [yaw, size] = [24, 36].map(|shift| (bits >> shift & 0xfff) as f32 / 4096.0);
        Plant {
            id: PlantId { stream: self.stream, cell },
            position: site.position,
            normal: site.sample.normal,
            yaw: yaw * TAU,
            size: self.size[0] + (self.size[1] - self.size[0]) * size,
            variant: (bits >> 56) as u8,
            rank: rank(bits),
        }
    }
}

fn rank(bits: u64) -> f32 {
    (bits & 0xff_ffff) as f32 / 16_777_216.0
}
