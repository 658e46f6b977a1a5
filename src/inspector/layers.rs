//! Adds, removes and moves layers of the draft.

use super::InspectorModel;
use crate::field::{Curve, FieldSettings, Layer, LayerKind, Mask};
use crate::param::{ParamError, parent_path};

/// A change to a list of layers. A list has a path such as `field.layers` or `field.layers[2].kind.layers`, and a layer has a path
/// such as `field.layers[2]`.
///
/// A layer that moves keeps its [stream](Layer::stream), and so its noise. New layers and copies get streams that no layer has.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LayerChange {
    /// Adds a layer with default values at the end of a list.
    Add(String),
    /// Inserts a copy of a layer after it.
    Duplicate(String),
    /// Removes a layer.
    Remove(String),
    /// Swaps a layer with the previous one of its list.
    MoveUp(String),
    /// Swaps a layer with the next one of its list.
    MoveDown(String),
    /// Gives a layer a stream that no layer has.
    Roll(String),
    /// Adds a mask with default values to a layer: the path of the layer, and the name of the mask in a file. A mask that reads a
    /// layer reads the nearest one below that has a name.
    AddMask(String, &'static str),
    /// Removes a mask from a layer: the path of the layer, and the index of the mask.
    RemoveMask(String, usize),
    /// Adds a point at the upper end of a curve: the path of the layer. It lies on the curve, so it changes nothing yet.
    AddPoint(String),
    /// Removes a point from a curve: the path of the layer, and the index of the point.
    RemovePoint(String, usize),
}

impl InspectorModel {
    /// Whether [`change_layers`](Self::change_layers) would succeed.
    #[must_use]
    pub fn can_change_layers(&self, change: &LayerChange) -> bool {
        let field = &self.draft.field;
        let has_room = |more: usize| field.all_layers().len() + more <= FieldSettings::MAX_LAYERS;
        let place = |layer: &str| {
            let (list, index) = place_of(layer)?;
            let layers = layers_at(field, list)?;
            (index < layers.len()).then_some((layers, index))
        };
        let layer = |path: &str| place(path).map(|(layers, index)| &layers[index]);
        // A mask can only read a layer below its own.
        let can_swap = |layers: &[Layer], above: usize| above < layers.len() && !Layer::reads(layers, above, above - 1);
        match change {
            LayerChange::Add(list) => layers_at(field, list).is_some() && has_room(1),
            LayerChange::Duplicate(path) => layer(path).is_some_and(|layer| has_room(count(layer))),
            LayerChange::Remove(path) => place(path).is_some_and(|(layers, index)| {
                (index + 1..layers.len()).all(|above| !Layer::reads(layers, above, index))
            }),
            LayerChange::Roll(path) => layer(path).is_some(),
            LayerChange::AddMask(path, name) => place(path).is_some_and(|(layers, index)| {
                let Some(mask) = mask_for(&layers[..index], name) else { return false };
                let mut field = field.clone();
                let added = layer_at_mut(&mut field, path).map(|layer| layer.masks.push(mask));
                added.is_some() && field.check_layers().is_empty()
            }),
            LayerChange::RemoveMask(path, mask) => layer(path).is_some_and(|layer| *mask < layer.masks.len()),
            LayerChange::AddPoint(path) => {
                layer(path).and_then(curve).is_some_and(|curve| curve.next_point().is_some())
            }
            LayerChange::RemovePoint(path, point) => {
                layer(path).and_then(curve).is_some_and(|curve| *point < curve.points.len())
            }
            LayerChange::MoveUp(path) => {
                place(path).is_some_and(|(layers, index)| index > 0 && can_swap(layers, index))
            }
            LayerChange::MoveDown(path) => place(path).is_some_and(|(layers, index)| can_swap(layers, index + 1)),
        }
    }

    /// Changes a list of layers.
    ///
    /// # Errors
    ///
    /// Returns an error if there is no such layer, list, mask or point, or no room for another one, or if a mask reads a layer that
    /// would no longer be below it. The draft does not change.
    pub fn change_layers(&mut self, change: &LayerChange) -> Result<(), ParamError> {
        let can_change = self.can_change_layers(change);
        let before = self.draft.field.clone();
        if !can_change || self.apply(change).is_none() {
            return Err(ParamError {
                path: "field.layers".to_owned(),
                found: format!("a list of {}", self.draft.field.all_layers().len()),
                allowed: format!(
                    "up to {} layers with up to {} masks each, and changes only to existing ones",
                    FieldSettings::MAX_LAYERS,
                    Layer::MAX_MASKS
                ),
            });
        }
        self.keep_valid_layers(before)?;
        // Refusals name layers by their old indices.
        self.refusals.retain(|error| !error.path.starts_with("field.layers["));
        Ok(())
    }

    fn apply(&mut self, change: &LayerChange) -> Option<()> {
        let field = &mut self.draft.field;
        // From here on, an index is no longer a stream.
        field.pin_streams();
        let free = field.free_stream();
        match change {
            LayerChange::Add(list) => {
                layers_at_mut(field, list)?.push(Layer { stream: Some(free), ..Layer::default() });
            }
            LayerChange::Duplicate(layer) => {
                let (list, index) = place_of(layer)?;
                let layers = layers_at_mut(field, list)?;
                let mut copy = layers.get(index)?.clone();
                copy.for_each_mut(&mut |layer| layer.stream = None);
                if Layer::is_read(layers, index) {
                    // Masks go on reading the original.
                    copy.name.clear();
                }
                layers.insert(index + 1, copy);
                give_free_streams(field);
            }
            LayerChange::Remove(layer) => {
                let (list, index) = place_of(layer)?;
                layers_at_mut(field, list)?.remove(index);
            }
            LayerChange::MoveUp(layer) => {
                let (list, index) = place_of(layer)?;
                layers_at_mut(field, list)?.swap(index - 1, index);
            }
            LayerChange::MoveDown(layer) => {
                let (list, index) = place_of(layer)?;
                layers_at_mut(field, list)?.swap(index, index + 1);
            }
            LayerChange::Roll(layer) => {
                layer_at_mut(field, layer)?.stream = Some(free);
            }
            LayerChange::AddMask(layer, name) => {
                let (list, index) = place_of(layer)?;
                let mask = mask_for(layers_at(field, list)?.get(..index)?, name)?;
                layer_at_mut(field, layer)?.masks.push(mask);
            }
            LayerChange::RemoveMask(layer, mask) => {
                layer_at_mut(field, layer)?.masks.remove(*mask);
            }
            LayerChange::AddPoint(layer) => {
                let curve = curve_at_mut(field, layer)?;
                curve.points.push(curve.next_point()?);
            }
            LayerChange::RemovePoint(layer, point) => {
                curve_at_mut(field, layer)?.points.remove(*point);
            }
        }
        Some(())
    }
}

/// A new mask for a layer above the layers `below`. A mask that reads a layer reads the nearest one with a name.
fn mask_for(below: &[Layer], name: &str) -> Option<Mask> {
    let mut mask = Mask::with_defaults(name)?;
    if let Mask::Layer(mask) = &mut mask {
        mask.layer = below.iter().rfind(|layer| !layer.name.is_empty())?.name.clone();
    }
    Some(mask)
}

/// Gives the masks that read a layer its new name, after the parameter at `path` of a field was changed. It was `before`.
pub(super) fn rename_in_masks(field: &mut FieldSettings, before: &FieldSettings, path: &str) {
    let mut rename = || {
        let (list, named) = place_of(path.strip_suffix(".name")?)?;
        let (old, new) = (layers_at(before, list)?, layers_at_mut(field, list)?);
        let name = new.get(named)?.name.clone();
        for (index, layer) in new.iter_mut().enumerate() {
            for mask in &mut layer.masks {
                if let Mask::Layer(mask) = mask
                    && Layer::find(&old[..index], &mask.layer) == Some(named)
                {
                    mask.layer.clone_from(&name);
                }
            }
        }
        Some(())
    };
    // Any other parameter is not the name of a layer.
    let _: Option<()> = rename();
}

/// The curve of a layer. `None` for a layer of another kind.
pub(super) const fn curve(layer: &Layer) -> Option<&Curve> {
    match &layer.kind {
        LayerKind::Curve(curve) => Some(curve),
        _ => None,
    }
}

fn curve_at_mut<'a>(field: &'a mut FieldSettings, layer: &str) -> Option<&'a mut Curve> {
    match &mut layer_at_mut(field, layer)?.kind {
        LayerKind::Curve(curve) => Some(curve),
        _ => None,
    }
}

/// Gives each layer without a stream one that no layer has.
fn give_free_streams(field: &mut FieldSettings) {
    for _ in 0..field.all_layers().len() {
        // One after another, because the next stream may not be free.
        let mut free = Some(field.free_stream());
        for layer in &mut field.layers {
            layer.for_each_mut(&mut |layer| {
                if layer.stream.is_none() {
                    layer.stream = free.take();
                }
            });
        }
    }
}

/// The number of layers in `layer`, with itself.
fn count(layer: &Layer) -> usize {
    1 + layer.children().iter().map(count).sum::<usize>()
}

/// The path of the list, and the index in it, of the layer at `path`.
fn place_of(path: &str) -> Option<(&str, usize)> {
    let list = parent_path(path);
    let index = path[list.len()..].strip_prefix('[')?.strip_suffix(']')?;
    Some((list, index.parse().ok()?))
}

/// The path of the group with the list at `path`. `None` for the outermost list.
fn group_of(path: &str) -> Option<(&str, usize)> {
    place_of(path.strip_suffix(".kind.layers")?)
}

/// The list of layers at `path`.
pub(super) fn layers_at<'a>(field: &'a FieldSettings, path: &str) -> Option<&'a [Layer]> {
    if path == "field.layers" {
        return Some(&field.layers);
    }
    let (list, index) = group_of(path)?;
    let group = layers_at(field, list)?.get(index)?;
    group.is_group().then(|| group.children())
}

fn layer_at_mut<'a>(field: &'a mut FieldSettings, path: &str) -> Option<&'a mut Layer> {
    let (list, index) = place_of(path)?;
    layers_at_mut(field, list)?.get_mut(index)
}

fn layers_at_mut<'a>(field: &'a mut FieldSettings, path: &str) -> Option<&'a mut Vec<Layer>> {
    if path == "field.layers" {
        return Some(&mut field.layers);
    }
    let (list, index) = group_of(path)?;
    layers_at_mut(field, list)?.get_mut(index)?.children_mut()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::{Constant, Group, HeightField};
    use crate::param::ParamValue;
    use crate::settings::TerrainSettings;
    use std::time::Duration;

    fn constant(height: f64) -> Layer {
        LayerKind::Constant(Constant { height }).into()
    }

    fn model(layers: Vec<Layer>) -> InspectorModel {
        let mut settings = TerrainSettings::default();
        settings.field.layers = layers;
        InspectorModel::new(settings)
    }

    /// Each layer: its stream and its height, with -1 for a group and 100 for a new layer.
    fn layers(model: &InspectorModel) -> Vec<(u32, f64)> {
        let height = |layer: &Layer| match &layer.kind {
            LayerKind::Constant(constant) => constant.height,
            LayerKind::Noise(noise) => noise.height_scale,
            _ => -1.0,
        };
        let all = model.draft().field.all_layers();
        all.iter().map(|(_, layer)| (layer.stream.expect("it is pinned"), height(layer))).collect()
    }

    #[test]
    fn layers_are_added_copied_moved_and_removed_and_keep_their_streams() {
        let mut model = model(vec![constant(1.0), constant(2.0)]);
        let layer = |index: usize| format!("field.layers[{index}]");
        for (change, expected) in [
            (LayerChange::Add("field.layers".to_owned()), vec![(0, 1.0), (1, 2.0), (2, 100.0)]),
            (LayerChange::Duplicate(layer(0)), vec![(0, 1.0), (3, 1.0), (1, 2.0), (2, 100.0)]),
            (LayerChange::MoveDown(layer(1)), vec![(0, 1.0), (1, 2.0), (3, 1.0), (2, 100.0)]),
            (LayerChange::MoveUp(layer(3)), vec![(0, 1.0), (1, 2.0), (2, 100.0), (3, 1.0)]),
            (LayerChange::Remove(layer(0)), vec![(1, 2.0), (2, 100.0), (3, 1.0)]),
            (LayerChange::Roll(layer(1)), vec![(1, 2.0), (4, 100.0), (3, 1.0)]),
        ] {
            model.change_layers(&change).expect("the layer exists");
            assert_eq!(layers(&model), expected, "after {change:?}");
            assert!(model.take_write(Duration::MAX).is_some() || model.pending);
        }
    }

    #[test]
    fn layers_in_groups_can_be_changed_too() {
        let group = LayerKind::Group(Group::from(vec![constant(1.0), constant(2.0)]));
        let mut model = model(vec![constant(0.0), group.into()]);
        let list = "field.layers[1].kind.layers";
        model.change_layers(&LayerChange::MoveDown(format!("{list}[0]"))).expect("it exists");
        assert_eq!(layers(&model), [(0, 0.0), (1, -1.0), (3, 2.0), (2, 1.0)]);
        model.change_layers(&LayerChange::Duplicate("field.layers[1]".to_owned())).expect("it exists");
        assert_eq!(layers(&model)[4..], [(4, -1.0), (5, 2.0), (6, 1.0)]);
        model.change_layers(&LayerChange::Remove(format!("{list}[1]"))).expect("it exists");
        model.change_layers(&LayerChange::Add(list.to_owned())).expect("there is room");
        assert_eq!(layers(&model)[..4], [(0, 0.0), (1, -1.0), (3, 2.0), (7, 100.0)]);
        assert!(!model.can_change_layers(&LayerChange::Add("field.layers[0].kind.layers".to_owned())));
    }

    #[test]
    fn copies_get_streams_that_no_layer_has_even_at_the_end_of_all_streams() {
        for highest in [u32::MAX - 1, u32::MAX] {
            let group = LayerKind::Group(Group::from(vec![constant(1.0), constant(2.0)]));
            let mut model = model(vec![group.into(), Layer { stream: Some(highest), ..constant(3.0) }]);
            model.change_layers(&LayerChange::Duplicate("field.layers[0]".to_owned())).expect("it exists");
            let mut streams: Vec<u32> = layers(&model).into_iter().map(|(stream, _)| stream).collect();
            streams.sort_unstable();
            streams.dedup();
            assert_eq!(streams.len(), 7, "{streams:?}");
        }
    }

    #[test]
    fn masks_are_added_and_removed_up_to_the_limit() {
        let mut model = model(vec![constant(1.0)]);
        let layer = || "field.layers[0]".to_owned();
        for _ in 0..Layer::MAX_MASKS {
            model.change_layers(&LayerChange::AddMask(layer(), "Height")).expect("there is room");
        }
        assert!(model.change_layers(&LayerChange::AddMask(layer(), "Height")).is_err());
        model.change_layers(&LayerChange::RemoveMask(layer(), 3)).expect("it exists");
        assert!(model.change_layers(&LayerChange::AddMask(layer(), "Width")).is_err());
        model.change_layers(&LayerChange::AddMask(layer(), "Noise")).expect("there is room");
        assert!(model.change_layers(&LayerChange::RemoveMask(layer(), Layer::MAX_MASKS)).is_err());
        let names: Vec<&str> = model.draft().field.layers[0].masks.iter().map(Mask::name).collect();
        assert_eq!(names[Layer::MAX_MASKS - 2..], ["Height", "Noise"]);
    }

    #[test]
    fn masks_that_read_a_layer_follow_its_name() {
        let named = |name: &str| Layer { name: name.to_owned(), ..constant(1.0) };
        let mut model = model(vec![named("crests"), named(""), constant(2.0)]);
        let layer = |index: usize| format!("field.layers[{index}]");
        let read = |model: &InspectorModel, index: usize| {
            let masks = &model.draft().field.layers[index].masks;
            masks[0].named_layer().map(str::to_owned)
        };
        assert!(!model.can_change_layers(&LayerChange::AddMask(layer(0), "Layer")), "no layer is below it");
        model.change_layers(&LayerChange::AddMask(layer(2), "Layer")).expect("a layer below has a name");
        assert_eq!(read(&model, 2).as_deref(), Some("crests"));
        model.edit("field.layers[0].name", ParamValue::Text("ridges".to_owned())).expect("it is a name");
        assert_eq!(read(&model, 2).as_deref(), Some("ridges"));
        model.edit("field.layers[1].name", ParamValue::Text("other".to_owned())).expect("it is a name");
        assert_eq!(read(&model, 2).as_deref(), Some("ridges"), "another layer was named");
        model.change_layers(&LayerChange::Duplicate(layer(0))).expect("there is room");
        assert_eq!(model.draft().field.layers[1].name, "", "masks read the original");
        assert_eq!(read(&model, 3).as_deref(), Some("ridges"));
        // What a mask reads can't go away.
        let before = model.draft().clone();
        assert!(model.edit("field.layers[0].name", ParamValue::Text(String::new())).is_err());
        assert!(model.change_layers(&LayerChange::Remove(layer(0))).is_err());
        assert!(!model.can_change_layers(&LayerChange::Remove(layer(0))));
        assert!(model.edit("field.layers[3].masks[0].layer", ParamValue::Text("no such".to_owned())).is_err());
        assert_eq!(model.draft(), &before);
        model.edit("field.layers[3].masks[0].layer", ParamValue::Text("other".to_owned())).expect("it is below");
    }

    #[test]
    fn points_of_a_curve_are_added_and_removed() {
        let curve = LayerKind::with_defaults("Curve").expect("it is a kind");
        let mut model = model(vec![constant(1.0), curve.into()]);
        let layer = || "field.layers[1]".to_owned();
        assert!(!model.can_change_layers(&LayerChange::AddPoint("field.layers[0]".to_owned())));
        let count =
            |model: &InspectorModel| super::curve(&model.draft().field.layers[1]).map(|curve| curve.points.len());
        let before = count(&model).expect("it is a curve");
        let height = |model: &InspectorModel| HeightField::new(&model.draft().field).height(0.0, 0.0);
        let ground = height(&model);
        for _ in before..Curve::MAX_POINTS {
            model.change_layers(&LayerChange::AddPoint(layer())).expect("there is room");
        }
        assert_eq!(height(&model), ground);
        assert!(model.change_layers(&LayerChange::AddPoint(layer())).is_err());
        model.change_layers(&LayerChange::RemovePoint(layer(), 3)).expect("it exists");
        assert!(model.change_layers(&LayerChange::RemovePoint(layer(), Curve::MAX_POINTS - 1)).is_err());
        assert_eq!(count(&model), Some(Curve::MAX_POINTS - 1));
        assert_eq!(model.draft().validate(), Ok(()));
    }

    #[test]
    fn changes_of_missing_layers_and_too_many_layers_are_errors() {
        let mut model = model(vec![constant(1.0); FieldSettings::MAX_LAYERS]);
        let layer = |index: usize| format!("field.layers[{index}]");
        let last = FieldSettings::MAX_LAYERS - 1;
        let all = [
            LayerChange::Add("field.layers".to_owned()),
            LayerChange::Add("field.layers[0]".to_owned()),
            LayerChange::Add("look".to_owned()),
            LayerChange::Duplicate(layer(0)),
            LayerChange::Duplicate(layer(last + 1)),
            LayerChange::Remove(layer(last + 1)),
            LayerChange::Remove("field.layers[x]".to_owned()),
            LayerChange::MoveUp(layer(0)),
            LayerChange::MoveDown(layer(last)),
            LayerChange::Roll("field".to_owned()),
        ];
        for change in all {
            assert!(model.change_layers(&change).is_err(), "{change:?}");
        }
        assert_eq!(model.draft().field.layers.len(), FieldSettings::MAX_LAYERS);
        assert_eq!(model.take_write(Duration::ZERO), None);
    }

    #[test]
    fn a_refusal_does_not_move_to_another_layer() {
        let mut model = model(vec![Layer::default(); 2]);
        model.refuse_text("field.layers[0].kind.octaves", "x");
        model.change_layers(&LayerChange::MoveDown("field.layers[0]".to_owned())).expect("there are two");
        assert_eq!(model.refusal("field.layers[0].kind.octaves"), None);
    }
}
