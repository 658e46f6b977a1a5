//! Checks of a stack of layers that concern more than one parameter.

use super::{Blend, Curve, FieldSettings, Layer, LayerKind, Mask};
use crate::noise::{AnyLattice, LatticeKind, NoiseSettings};
use crate::param::{ParamError, ParamValue};
use std::borrow::Cow;
use std::collections::HashSet;

impl FieldSettings {
    /// Checks what concerns more than one parameter: the number of layers, masks and points, how layers are nested, what they measure
    /// and read, their names, the nodes of their grids, the values of their noises, the blends of filters, and the order of the points
    /// of curves.
    pub(crate) fn check_layers(&self) -> Vec<ParamError> {
        let layers = self.all_layers();
        let mut errors = Vec::new();
        self.check_counts(&layers, &mut errors);
        // The time for these checks grows with the product of the numbers.
        if errors.is_empty() {
            self.check_evaluations(&layers, &mut errors);
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
        check_names(&layers, &mut errors);
        check_grids(&layers, &mut errors);
        check_values(&layers, &mut errors);
        for (path, layer) in layers {
            check_points(&path, layer, &mut errors);
            check_filter(&path, layer, &mut errors);
        }
        errors
    }

    /// Checks what concerns more than one parameter of the edits: their number, and their shapes.
    pub(crate) fn check_edits(&self) -> Vec<ParamError> {
        let count = self.edits.len();
        if count > Self::MAX_EDITS {
            return vec![error("edits", format!("a list of {count}"), format!("up to {} edits", Self::MAX_EDITS))];
        }
        let errors = self.edits.iter().enumerate().filter_map(|(index, edit)| {
            let ParamError { path, found, allowed } = edit.check_shape()?;
            Some(error(&format!("edits[{index}].{path}"), found, allowed))
        });
        errors.collect()
    }

    /// Adds an error for each list that is too long, and if groups are nested too deep.
    fn check_counts(&self, layers: &[(String, &Layer)], errors: &mut Vec<ParamError>) {
        let depth = depth(&self.layers);
        if depth > Self::MAX_DEPTH {
            let found = format!("a list with {depth} levels of groups");
            errors.push(error("layers", found, format!("up to {}", Self::MAX_DEPTH)));
        }
        let mut check = |layer: &str, list: &str, count: usize, max: usize, of: &str| {
            if count > max {
                errors.push(error(
                    &format!("{layer}{list}"),
                    format!("a list of {count}"),
                    format!("up to {max} {of}"),
                ));
            }
        };
        check("", "layers", layers.len(), Self::MAX_LAYERS, "layers");
        for (path, layer) in layers {
            check(path, ".masks", layer.masks.len(), Layer::MAX_MASKS, "masks");
            if let LayerKind::Curve(curve) = &layer.kind {
                check(path, ".kind.points", curve.points.len(), Curve::MAX_POINTS, "points");
            }
        }
    }

    /// Adds an error if a layer is evaluated too often.
    fn check_evaluations(&self, layers: &[(String, &Layer)], errors: &mut Vec<ParamError>) {
        let evaluations = self.evaluations().into_iter().zip(layers).map(|(times, (path, layer))| {
            let is_carve = matches!(layer.kind, LayerKind::Carve(_));
            (times.saturating_mul(if is_carve { 5 } else { 1 }), path, is_carve)
        });
        let Some((times, path, is_carve)) = evaluations.max_by_key(|(times, ..)| *times) else { return };
        if times > Self::MAX_EVALUATIONS {
            let what = if is_carve { "a layer whose noise" } else { "a layer that" };
            let max = Self::MAX_EVALUATIONS;
            let allowed = format!(
                "at most {max} evaluations of a layer; an erosion or a slope mask evaluates all below it four times more"
            );
            let of_noise = if is_carve { ", and valleys evaluate their noise five times" } else { "" };
            errors.push(error(path, format!("{what} each height evaluates {times} times"), allowed + of_noise));
        }
    }
}

fn error(path: &str, found: String, allowed: String) -> ParamError {
    ParamError { path: format!("field.{path}"), found, allowed }
}

/// How deep groups are nested: 1 for a group without another group in it.
fn depth(layers: &[Layer]) -> usize {
    let groups = layers.iter().filter(|layer| layer.is_group());
    groups.map(|group| 1 + depth(group.children())).max().unwrap_or(0)
}

/// Where a noise is: the path of its layer, and the index of the mask that has it.
struct NoisePath<'a>(&'a str, Option<usize>);

impl NoisePath<'_> {
    fn text(&self) -> String {
        match self {
            Self(layer, None) => format!("{layer}.kind"),
            Self(layer, Some(mask)) => format!("{layer}.masks[{mask}].noise"),
        }
    }
}

/// The noises of the layers and of their masks, as they are evaluated, with their paths.
fn noises<'a>(layers: &'a [(String, &Layer)]) -> impl Iterator<Item = (NoisePath<'a>, Cow<'a, NoiseSettings>)> {
    layers.iter().flat_map(|(path, layer)| {
        let masks = layer.masks.iter().enumerate().filter_map(move |(index, mask)| match mask {
            Mask::Noise(mask) => Some((NoisePath(path, Some(index)), Cow::Owned(mask.noise_of_values()))),
            _ => None,
        });
        layer.noise().map(|noise| (NoisePath(path, None), Cow::Borrowed(noise))).into_iter().chain(masks)
    })
}

/// Adds an error for each layer that has the name of a layer before it. Equal names would give both the same random numbers.
fn check_names(layers: &[(String, &Layer)], errors: &mut Vec<ParamError>) {
    let mut names = HashSet::new();
    // A text that is no name has an error of its own.
    let named = layers.iter().filter(|(_, layer)| !layer.name.is_empty() && is_name(&layer.name));
    for (path, layer) in named.filter(|(_, layer)| !names.insert(&layer.name)) {
        errors.push(error(&format!("{path}.name"), quoted(&layer.name), "a name that no other layer has".to_owned()));
    }
}

/// Adds an error for each noise whose values can be too large. With the others, all heights are finite: a stack has few layers, and
/// curves have a limit of their own.
fn check_values(layers: &[(String, &Layer)], errors: &mut Vec<ParamError>) {
    errors.extend(noises(layers).filter_map(|(path, noise)| {
        let ParamError { path: field, found, allowed } = noise.check_values()?;
        Some(error(&format!("{}.{field}", path.text()), found, allowed))
    }));
}

/// Adds an error for the first noise whose grid does not fit in the limit together with those before it.
fn check_grids(layers: &[(String, &Layer)], errors: &mut Vec<ParamError>) {
    let mut sum = 0;
    for (path, noise) in noises(layers).filter(|(_, noise)| noise.lattice == LatticeKind::Grid) {
        let nodes: u64 = AnyLattice::<2>::grid_size(&noise).into_iter().map(u64::from).product();
        sum += nodes;
        if sum > FieldSettings::MAX_GRID_NODES {
            let found = format!("Grid, with {nodes} nodes, which makes {sum} in all grids up to here");
            let allowed =
                format!("up to {} nodes in all grids; give them shorter periods", FieldSettings::MAX_GRID_NODES);
            errors.push(error(&format!("{}.lattice", path.text()), found, allowed));
            return;
        }
    }
}

/// Adds an error for each point of a curve that is not above the point before it. A list that is too long has an error already.
fn check_points(path: &str, layer: &Layer, errors: &mut Vec<ParamError>) {
    let LayerKind::Curve(curve) = &layer.kind else { return };
    let points = &curve.points;
    if points.len() > Curve::MAX_POINTS {
        return;
    }
    for index in curve.unordered_points() {
        let (before, distance) = (points[index - 1].from, Curve::MIN_DISTANCE);
        let allowed = format!("at least {distance:?} m above {before:?}, the `from` of the point before");
        let path = format!("{path}.kind.points[{index}].from");
        errors.push(error(&path, format!("{:?}", points[index].from), allowed));
    }
}

/// Adds an error if a filter has a blend or a blend radius.
fn check_filter(path: &str, layer: &Layer, errors: &mut Vec<ParamError>) {
    if !layer.kind.is_filter() {
        return;
    }
    let mut refuse = |what: &str, field: &str, found: String| {
        let allowed = format!("no {what} for a filter: it changes the height below");
        errors.push(error(&format!("{path}.{field}"), found, allowed));
    };
    if layer.blend != Blend::default() {
        refuse("blend", "blend", format!("{:?}", layer.blend));
    }
    if layer.blend_radius != 0.0 {
        refuse("blend radius", "blend_radius", format!("{:?}", layer.blend_radius));
    }
}

/// Adds an error for each mask in the list at `path` that names no layer below its own. Returns how many layers are read.
fn check_named_layers(path: &str, layers: &[Layer], errors: &mut Vec<ParamError>) -> usize {
    let mut read = 0;
    for (index, layer) in layers.iter().enumerate() {
        let below = &layers[..index];
        for (mask, name) in layer.masks.iter().enumerate().filter_map(|(i, mask)| Some((i, mask.named_layer()?))) {
            // A text that is no name has an error of its own.
            if is_name(name) && Layer::find(below, name).is_none() {
                let path = format!("{path}[{index}].masks[{mask}].layer");
                errors.push(error(&path, quoted(name), names_below(below, name)));
            }
        }
        read += usize::from(Layer::is_read(layers, index));
        read += check_named_layers(&format!("{path}[{index}].kind.layers"), layer.children(), errors);
    }
    read
}

/// Whether a layer may have this name. Comparing longer texts takes time in proportion to the product of their lengths.
fn is_name(text: &str) -> bool {
    text.chars().nth(Layer::MAX_NAME).is_none() && !text.contains(char::is_control)
}

/// A name as written in a file.
fn quoted(name: &str) -> String {
    ParamValue::Text(name.to_owned()).to_string()
}

/// Some of the names that a mask above the layers `below` may have, those most like `wrong` first.
fn names_below(below: &[Layer], wrong: &str) -> String {
    /// More would not fit into a message.
    const MAX: usize = 4;
    let names = below.iter().map(|layer| layer.name.as_str());
    let mut names: Vec<&str> = names.filter(|name| !name.is_empty() && is_name(name)).collect();
    names.sort_by_key(|name| strsim::damerau_levenshtein(wrong, name));
    let nearest: Vec<String> = names.iter().take(MAX).map(|name| quoted(name)).collect();
    let what = "the name of a layer below it in the same list";
    match names.len().saturating_sub(MAX) {
        _ if names.is_empty() => format!("{what}, and none of them has a name"),
        0 => format!("{what}: {}", nearest.join(", ")),
        more => format!("{what}: {} or {more} more", nearest.join(", ")),
    }
}
