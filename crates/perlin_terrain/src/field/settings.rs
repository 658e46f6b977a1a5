//! The settings of the height field.

use super::{Blend, Layer, TerrainEdit};
use crate::param::params;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;

/// The settings of the heights: a stack of layers on top of a base height, and edits of the ground that they make.
#[params]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bevy_reflect", derive(bevy_reflect::Reflect))]
#[serde(deny_unknown_fields, default)]
pub struct FieldSettings {
    /// Selects one of 2^64 worlds. The same seed and settings give the same heights on every machine.
    #[param(default = 0)]
    pub seed: u64,
    /// The height below the first layer. A higher value raises the whole ground, except where a layer replaces it.
    ///
    /// With the default, nearly all of the default hills lie above a sea at 0.
    #[param(default = 30.0, range = -10_000.0..=10_000.0, unit = "m")]
    pub base_height: f64,
    /// The layers, from bottom to top: up to 32. The default is one layer of rolling hills.
    #[param(default = vec![Layer { stream: Some(0), ..Layer::default() }])]
    pub layers: Vec<Layer>,
    /// Edits of the ground that the layers make, in their order: up to 256. Layers and masks see the ground without them.
    #[param(default = Vec::new())]
    pub edits: Vec<TerrainEdit>,
}

impl FieldSettings {
    /// The largest number of edits.
    pub const MAX_EDITS: usize = 256;

    /// The largest number of layers, including groups and the layers in them.
    pub const MAX_LAYERS: usize = 32;

    /// How deep groups may be nested: a group in a group in a group. Deeper groups may have no effect.
    pub const MAX_DEPTH: usize = 3;

    /// The largest number of layers of scattered hills, including those in groups. A position has to look for hills in nine cells for
    /// each of them.
    pub const MAX_SCATTERS: usize = 16;

    /// The largest number of layers whose own results masks read, including those in groups.
    pub const MAX_NAMED_LAYERS: usize = 8;

    /// The largest number of nodes in all lattices of the kind [`Grid`](crate::noise::LatticeKind::Grid) together, those of masks
    /// included. They take 64 MiB: four grids of 1024 by 1024 nodes, or 64 of the default size.
    pub const MAX_GRID_NODES: u64 = 1 << 22;

    /// Whether both make the same ground, but for edits.
    #[must_use]
    pub fn is_same_without_edits(&self, other: &Self) -> bool {
        let Self { seed, base_height, layers, edits: _ } = self;
        *seed == other.seed && *base_height == other.base_height && *layers == other.layers
    }

    /// Gives each layer without a stream the one that it takes from its name or its index, so that it keeps its noise when layers are
    /// added, moved, removed or renamed. Does not change the heights.
    pub fn pin_streams(&mut self) {
        let mut index = 0;
        for layer in &mut self.layers {
            layer.for_each_mut(&mut |layer| {
                layer.stream = Some(layer.stream_at(index));
                index += 1;
            });
        }
    }

    /// Gives each filter the only blend and the only blend radius that it may have.
    pub(crate) fn reset_blends_of_filters(&mut self) {
        for layer in &mut self.layers {
            layer.for_each_mut(&mut |layer| {
                if layer.kind.is_filter() {
                    layer.blend = Blend::default();
                    layer.blend_radius = 0.0;
                }
            });
        }
    }

    /// A stream above those of all layers, or the lowest one that no layer has.
    #[must_use]
    pub fn free_stream(&self) -> u32 {
        self.free_stream_beside(&Self { layers: Vec::new(), ..Self::default() })
    }

    /// A stream that no layer has, neither here nor in `other`.
    pub(crate) fn free_stream_beside(&self, other: &Self) -> u32 {
        let mut used = HashSet::new();
        for layer in self.layers.iter().chain(&other.layers) {
            layer.for_each(&mut |layer| used.extend(layer.stream));
        }
        let above = used.iter().max().map_or(Some(0), |highest| highest.checked_add(1));
        above.unwrap_or_else(|| (0..).find(|stream| !used.contains(stream)).unwrap_or_default())
    }

    /// All layers with their paths, such as `layers[2].kind.layers[0]`. A group comes before the layers in it.
    #[must_use]
    pub fn all_layers(&self) -> Vec<(String, &Layer)> {
        fn collect<'a>(list: &str, layers: &'a [Layer], all: &mut Vec<(String, &'a Layer)>) {
            for (index, layer) in layers.iter().enumerate() {
                let path = format!("{list}[{index}]");
                let inner = (!layer.children().is_empty()).then(|| format!("{path}.kind.layers"));
                all.push((path, layer));
                if let Some(inner) = inner {
                    collect(&inner, layer.children(), all);
                }
            }
        }
        let mut all = Vec::new();
        collect("layers", &self.layers, &mut all);
        all
    }
}
