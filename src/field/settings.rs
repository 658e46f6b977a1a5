//! The settings of the height field.

use super::{Blend, Curve, Layer, LayerKind};
use crate::param::{Param, ParamError, ParamMut, ParamVisitor, Params};
use serde::{Deserialize, Serialize};

/// The settings of the heights: a stack of layers on top of a base height.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bevy", derive(bevy::reflect::Reflect))]
#[serde(deny_unknown_fields, default)]
pub struct FieldSettings {
    /// Selects one of 2^64 worlds. The same seed and settings give the same heights on every machine.
    /// \[Limit: 0 to 2^64 - 1\] Default: 0.
    pub seed: u64,
    /// The height below the first layer. A higher value raises the whole ground, except where a layer replaces it.
    /// \[Limit: -10000 to 10000\] \[Units: m\] Default: 0.
    pub base_height: f64,
    /// The layers, from bottom to top. \[Limit: up to 32 layers\] Default: one layer of rolling hills.
    pub layers: Vec<Layer>,
}

impl FieldSettings {
    /// The largest number of layers, including groups and the layers in them.
    pub const MAX_LAYERS: usize = 32;

    /// How deep groups may be nested: a group in a group in a group. Deeper groups may have no effect.
    pub const MAX_DEPTH: usize = 3;

    /// The largest number of layers of scattered hills, including those in groups. A place has to look for hills in nine cells for
    /// each of them.
    pub const MAX_SCATTERS: usize = 16;

    /// The largest number of layers whose own results masks read, including those in groups.
    pub const MAX_NAMED_LAYERS: usize = 8;

    /// Gives each layer without a stream its index as its stream, so that it keeps its noise when layers are added, moved or
    /// removed. The index counts all layers, the layers of groups after their group. Does not change the heights.
    pub fn pin_streams(&mut self) {
        let mut index = 0;
        for layer in &mut self.layers {
            layer.for_each_mut(&mut |layer| {
                layer.stream.get_or_insert(index);
                index += 1;
            });
        }
    }

    /// Gives each filter the only blend that it may have.
    pub(crate) fn reset_blends_of_filters(&mut self) {
        for layer in &mut self.layers {
            layer.for_each_mut(&mut |layer| {
                if layer.kind.is_filter() {
                    layer.blend = Blend::default();
                }
            });
        }
    }

    /// A stream above those of all layers, or the lowest one that no layer has.
    #[must_use]
    pub fn free_stream(&self) -> u32 {
        let layers = self.all_layers();
        let used = |stream: u32| layers.iter().any(|(_, layer)| layer.stream == Some(stream));
        let highest = layers.iter().filter_map(|(_, layer)| layer.stream).max();
        let above = highest.map_or(Some(0), |highest| highest.checked_add(1));
        above.unwrap_or_else(|| (0..).find(|&stream| !used(stream)).unwrap_or_default())
    }

    /// All layers with their paths, such as `layers[2].kind.layers[0]`. A group comes before the layers in it.
    #[must_use]
    pub fn all_layers(&self) -> Vec<(String, &Layer)> {
        fn collect<'a>(list: &str, layers: &'a [Layer], all: &mut Vec<(String, &'a Layer)>) {
            for (index, layer) in layers.iter().enumerate() {
                let path = format!("{list}[{index}]");
                all.push((path.clone(), layer));
                collect(&format!("{path}.kind.layers"), layer.children(), all);
            }
        }
        let mut all = Vec::new();
        collect("layers", &self.layers, &mut all);
        all
    }

    /// Checks what concerns more than one parameter: the number of layers, how they are nested, what they measure and read, the
    /// blends of filters, and the points of curves.
    pub(crate) fn check_layers(&self) -> Vec<ParamError> {
        let layers = self.all_layers();
        let (count, depth) = (layers.len(), self.depth());
        let mut errors = Vec::new();
        if depth > Self::MAX_DEPTH {
            let found = format!("a list with {depth} levels of groups");
            errors.push(error("layers", found, format!("up to {}", Self::MAX_DEPTH)));
        }
        if count > Self::MAX_LAYERS {
            errors.push(error("layers", format!("a list of {count}"), format!("up to {} layers", Self::MAX_LAYERS)));
        }
        if errors.is_empty() {
            self.check_evaluations(&mut errors);
            let read = check_named_layers("layers", &self.layers, &mut errors);
            if read > Self::MAX_NAMED_LAYERS {
                let found = format!("a list with {read} layers that masks read");
                errors.push(error("layers", found, format!("up to {}", Self::MAX_NAMED_LAYERS)));
            }
        }
        let scatters = layers.iter().filter(|(_, layer)| matches!(layer.kind, LayerKind::Scatter(_))).count();
        if scatters > Self::MAX_SCATTERS {
            let found = format!("a list with {scatters} layers of scattered hills");
            errors.push(error("layers", found, format!("up to {}", Self::MAX_SCATTERS)));
        }
        for (path, layer) in layers {
            if layer.masks.len() > Layer::MAX_MASKS {
                let found = format!("a list of {}", layer.masks.len());
                errors.push(error(&format!("{path}.masks"), found, format!("up to {} masks", Layer::MAX_MASKS)));
            }
            if let LayerKind::Curve(curve) = &layer.kind {
                let (points, most) = (&curve.points, Curve::MAX_POINTS);
                let path = format!("{path}.kind.points");
                if points.len() > most {
                    let found = format!("a list of {}", points.len());
                    errors.push(error(&path, found, format!("up to {most} points")));
                }
                for index in curve.unordered_points() {
                    let (before, distance) = (points[index - 1].from, Curve::MIN_DISTANCE);
                    let allowed = format!("at least {distance:?} m above {before:?}, the `from` of the point before");
                    errors.push(error(&format!("{path}[{index}].from"), format!("{:?}", points[index].from), allowed));
                }
            }
            if layer.kind.is_filter() && layer.blend != Blend::default() {
                let allowed = "no blend for a filter: it changes the height below".to_owned();
                errors.push(error(&format!("{path}.blend"), format!("{:?}", layer.blend), allowed));
            }
        }
        errors
    }

    /// Adds an error if a layer is evaluated too often.
    fn check_evaluations(&self, errors: &mut Vec<ParamError>) {
        let evaluations = self.evaluations();
        let Some((times, (path, _))) = evaluations.iter().zip(self.all_layers()).max_by_key(|(times, _)| **times)
        else {
            return;
        };
        if *times > Self::MAX_EVALUATIONS {
            let found = format!("a layer that each height evaluates {times} times");
            let allowed = format!(
                "at most {} evaluations of a layer; an erosion or a slope mask evaluates all below it four times more",
                Self::MAX_EVALUATIONS
            );
            errors.push(error(&path, found, allowed));
        }
    }

    /// How deep groups are nested: 1 for a group without another group in it.
    fn depth(&self) -> usize {
        fn depth(layers: &[Layer]) -> usize {
            let groups = layers.iter().filter(|layer| layer.is_group());
            groups.map(|group| 1 + depth(group.children())).max().unwrap_or(0)
        }
        depth(&self.layers)
    }
}

fn error(path: &str, found: String, allowed: String) -> ParamError {
    ParamError { path: format!("field.{path}"), found, allowed }
}

/// Adds an error for each mask in the list at `path` that names no layer below its own. Returns how many layers are read.
fn check_named_layers(path: &str, layers: &[Layer], errors: &mut Vec<ParamError>) -> usize {
    let mut read = 0;
    for (index, layer) in layers.iter().enumerate() {
        let below = &layers[..index];
        for (mask, name) in layer.masks.iter().enumerate().filter_map(|(i, mask)| Some((i, mask.named_layer()?))) {
            if Layer::find(below, name).is_none() {
                let path = format!("{path}[{index}].masks[{mask}].layer");
                errors.push(error(&path, format!("{name:?}"), names_below(below, name)));
            }
        }
        read += usize::from(Layer::is_read(layers, index));
        read += check_named_layers(&format!("{path}[{index}].kind.layers"), layer.children(), errors);
    }
    read
}

/// The names that a mask above the layers `below` may have, the one most like `wrong` first.
fn names_below(below: &[Layer], wrong: &str) -> String {
    let mut names: Vec<&str> = below.iter().map(|layer| layer.name.as_str()).filter(|name| !name.is_empty()).collect();
    names.sort_by_key(|name| strsim::damerau_levenshtein(wrong, name));
    let names: Vec<String> = names.iter().map(|name| format!("{name:?}")).collect();
    let what = "the name of a layer below it in the same list";
    if names.is_empty() {
        format!("{what}, and none of them has a name")
    } else {
        format!("{what}: {}", names.join(", "))
    }
}

impl Default for FieldSettings {
    fn default() -> Self {
        Self { seed: 0, base_height: 0.0, layers: vec![Layer { stream: Some(0), ..Layer::default() }] }
    }
}

static SEED: Param =
    Param::free("seed", "Selects the world. The same seed and settings give the same heights on every machine.");
static BASE_HEIGHT: Param = Param::new(
    "base_height",
    "m",
    -10_000.0,
    10_000.0,
    "The height below the first layer. A higher value raises the whole ground.",
);

impl Params for FieldSettings {
    fn visit(&mut self, visitor: &mut ParamVisitor<'_>) {
        visitor.param(&SEED, ParamMut::Seed(&mut self.seed));
        visitor.param(&BASE_HEIGHT, ParamMut::Float(&mut self.base_height));
        visitor.list("layers", &mut self.layers);
    }
}
