//! Settings that have the parameter of a path, to look up what it allows.

use super::TerrainSettings;
use crate::field::{CurvePoint, EditChange, EditShape, Layer, LayerKind, Mask, TerrainEdit};
use crate::look::SurfaceLayer;
use crate::plants::PlantLayer;
use crate::ron_edit::{Document, Node};

/// Default settings with an item for each item of a list that `path` goes through, of the kind that `file` says. List indices are 0.
pub(super) fn example_of(file: &Document<'_>, path: &str) -> TerrainSettings {
    let mut settings = TerrainSettings::default();
    if let Some(layer) = example_layer(file, "field.layers", path) {
        settings.field.layers = vec![layer];
    }
    if let Some((index, _)) = path.strip_prefix("field.edits[").and_then(|rest| rest.split_once(']')) {
        let written = |field: &str| file.find(&format!("field.edits[{index}].{field}")).map(Node::first_word);
        settings.field.edits = vec![TerrainEdit {
            shape: written("shape").and_then(EditShape::with_defaults).unwrap_or(TerrainEdit::default().shape),
            change: written("change").and_then(EditChange::with_defaults).unwrap_or(TerrainEdit::default().change),
            ..TerrainEdit::default()
        }];
    }
    if path.starts_with("look.layers[") {
        settings.look.layers = vec![SurfaceLayer::default()];
    }
    if path.starts_with("plants[") {
        settings.plants = vec![PlantLayer { stream: Some(0), ..PlantLayer::default() }];
    }
    settings
}

/// The layer of the list at `list` that `path` goes through, with the layers in it.
fn example_layer(file: &Document<'_>, list: &str, path: &str) -> Option<Layer> {
    let (index, _) = path.strip_prefix(list)?.strip_prefix('[')?.split_once(']')?;
    let kind_path = format!("{list}[{index}].kind");
    let kind = file.find(&kind_path).and_then(|kind| LayerKind::with_defaults(kind.first_word()));
    let mut layer = Layer { stream: Some(0), ..kind.map_or_else(Layer::default, Layer::from) };
    let masks = format!("{list}[{index}].masks");
    if let Some((mask, _)) = path.strip_prefix(&masks).and_then(|rest| rest.strip_prefix('[')?.split_once(']')) {
        let written = file.find(&format!("{masks}[{mask}]")).map(Node::first_word);
        layer.masks.extend(written.and_then(Mask::with_defaults));
    }
    if let LayerKind::Curve(curve) = &mut layer.kind {
        curve.points.push(CurvePoint::default());
    }
    if let Some(children) = layer.children_mut() {
        children.extend(example_layer(file, &format!("{kind_path}.layers"), path));
    }
    Some(layer)
}
