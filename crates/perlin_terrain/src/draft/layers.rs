//! Adds, removes and moves layers of the draft.

use super::InspectorModel;
use super::layer_change::{LayerChange, list_and_index, swap_with_next};
use super::surface_layers::{change_surface, is_of_surface};
use crate::field::{Curve, FieldSettings, Layer, LayerKind, Mask};
use crate::param::{ParamError, parent_path};
use crate::settings::TerrainSettings;

impl InspectorModel {
    /// Whether [`change_layers`](Self::change_layers) would succeed.
    #[must_use]
    pub fn can_change_layers(&self, change: &LayerChange) -> bool {
        self.with_change(change).is_ok()
    }

    /// Changes a list of layers.
    ///
    /// # Errors
    ///
    /// Returns an error if there is no such layer, list, mask or point, if the terrain would have more layers, masks, points or
    /// evaluations than allowed, or if a mask would no longer read the same layer. The draft does not change.
    pub fn change_layers(&mut self, change: &LayerChange) -> Result<(), ParamError> {
        let nothing = || ParamError {
            path: "field.layers".to_owned(),
            found: format!("a list of {}", self.draft.field.all_layers().len()),
            allowed: "changes of layers, masks and points that exist".to_owned(),
        };
        self.draft = self.with_change(change).map_err(|error| error.unwrap_or_else(nothing))?;
        self.pending = true;
        // Refusals name layers by their old indices.
        self.refusals.retain(|error| !error.path.contains(".layers["));
        Ok(())
    }

    /// Why [`change_layers`](Self::change_layers) would fail, for a tooltip. `None` if it would succeed. Empty if there is nothing to
    /// change, such as a layer above the first one.
    #[must_use]
    pub fn why_not(&self, change: &LayerChange) -> Option<String> {
        let error = self.with_change(change).err()?;
        Some(error.map_or_else(String::new, |error| format!("Would give {}. Allowed: {}.", error.found, error.allowed)))
    }

    /// The settings after a change. The error is `None` if there is nothing to change.
    fn with_change(&self, change: &LayerChange) -> Result<TerrainSettings, Option<ParamError>> {
        let mut settings = self.draft.clone();
        if is_of_surface(change.path()) {
            change_surface(&mut settings.look, change).ok_or(None)?;
            return settings.look.check_layers().map_or(Ok(settings), |error| Err(Some(error)));
        }
        let (before, field) = (&self.draft.field, &mut settings.field);
        self.apply(change, field).ok_or(None)?;
        check_masks(before, field, change)?;
        check_layers(before, field)?;
        Ok(settings)
    }

    fn apply(&self, change: &LayerChange, field: &mut FieldSettings) -> Option<()> {
        // From here on, an index is no longer a stream.
        field.pin_streams();
        let free = self.free_stream(field);
        match change {
            LayerChange::Add(list) => {
                layers_at_mut(field, list)?.push(Layer { stream: Some(free), ..Layer::default() });
            }
            LayerChange::Duplicate(layer) => {
                let (list, index) = list_and_index(layer)?;
                let mut copy = layers_at(field, list)?.get(index)?.clone();
                copy.for_each_mut(&mut |layer| layer.stream = None);
                rename_copy(&mut copy, field);
                layers_at_mut(field, list)?.insert(index + 1, copy);
                self.give_free_streams(field);
            }
            LayerChange::Remove(layer) => {
                let (list, index) = list_and_index(layer)?;
                let layers = layers_at_mut(field, list)?;
                layers.get(index)?;
                layers.remove(index);
            }
            LayerChange::MoveUp(layer) => {
                let (list, index) = list_and_index(layer)?;
                swap_with_next(layers_at_mut(field, list)?, index.checked_sub(1)?)?;
            }
            LayerChange::MoveDown(layer) => {
                let (list, index) = list_and_index(layer)?;
                swap_with_next(layers_at_mut(field, list)?, index)?;
            }
            LayerChange::Roll(layer) => {
                layer_at_mut(field, layer)?.stream = Some(free);
            }
            LayerChange::AddMask(layer, name) => {
                let (list, index) = list_and_index(layer)?;
                let mask = mask_for(layers_at(field, list)?.get(..index)?, name)?;
                layer_at_mut(field, layer)?.masks.push(mask);
            }
            LayerChange::RemoveMask(layer, mask) => {
                let masks = &mut layer_at_mut(field, layer)?.masks;
                masks.get(*mask)?;
                masks.remove(*mask);
            }
            LayerChange::AddPoint(layer) => {
                let curve = curve_at_mut(field, layer)?;
                curve.points.push(curve.next_point()?);
            }
            LayerChange::RemovePoint(layer, point) => {
                let points = &mut curve_at_mut(field, layer)?.points;
                points.get(*point)?;
                points.remove(*point);
            }
        }
        Some(())
    }

    /// A stream that neither a layer of the draft nor one of the file has. Saving would take a new layer with the stream of a
    /// removed one for that layer, and give it its comments.
    fn free_stream(&self, field: &FieldSettings) -> u32 {
        let Some(file) = self.file() else { return field.free_stream() };
        let layers = field.layers.iter().chain(&file.field.layers).cloned().collect();
        FieldSettings { layers, ..FieldSettings::default() }.free_stream()
    }

    /// Gives each layer without a stream a free one.
    fn give_free_streams(&self, field: &mut FieldSettings) {
        for _ in 0..field.all_layers().len() {
            // One after another, because the next stream may not be free.
            let mut free = Some(self.free_stream(field));
            for layer in &mut field.layers {
                layer.for_each_mut(&mut |layer| {
                    if layer.stream.is_none() {
                        layer.stream = free.take();
                    }
                });
            }
        }
    }
}

/// Gives the named layers of a copy names that no layer of the field has. Masks in a copied group read the copies.
fn rename_copy(copy: &mut Layer, field: &FieldSettings) {
    let mut taken: Vec<String> = field.all_layers().into_iter().map(|(_, layer)| layer.name.clone()).collect();
    let mut renamed = Vec::new();
    copy.for_each_mut(&mut |layer| {
        if !layer.name.is_empty() {
            let new = free_name(&layer.name, &taken);
            taken.push(new.clone());
            renamed.push((std::mem::replace(&mut layer.name, new.clone()), new));
        }
    });
    for child in copy.children_mut().into_iter().flatten() {
        child.for_each_mut(&mut |layer| {
            for mask in &mut layer.masks {
                if let Mask::Layer(mask) = mask
                    && let Some((_, new)) = renamed.iter().find(|(old, _)| *old == mask.layer)
                {
                    mask.layer.clone_from(new);
                }
            }
        });
    }
}

/// The name with the lowest number from 2 on that is not `taken`: `hills 2` for `hills`, and `hills 3` for `hills 2`.
fn free_name(name: &str, taken: &[String]) -> String {
    let stem = match name.rsplit_once(' ') {
        Some((stem, number)) if number.parse::<u32>().is_ok() => stem,
        _ => name,
    };
    let numbered = |number: u32| {
        let number = format!(" {number}");
        stem.chars().take(Layer::MAX_NAME - number.len()).chain(number.chars()).collect::<String>()
    };
    (2..).map(numbered).find(|name| !taken.contains(name)).unwrap_or_default()
}

/// An error if a change gave a stack of layers that is not allowed, unless the stack `before` was not allowed either.
pub(crate) fn check_layers(before: &FieldSettings, after: &FieldSettings) -> Result<(), ParamError> {
    let error = after.check_layers().into_iter().next();
    error.filter(|_| before.check_layers().is_empty()).map_or(Ok(()), Err)
}

/// An error if a mask reads another layer after a change of a list.
fn check_masks(before: &FieldSettings, after: &FieldSettings, change: &LayerChange) -> Result<(), ParamError> {
    let (layer, moved): (_, fn(usize, usize) -> Option<usize>) = match change {
        LayerChange::Duplicate(layer) => (layer, |index, copied| Some(index + usize::from(index > copied))),
        LayerChange::Remove(layer) => {
            (layer, |index, removed| (index != removed).then(|| index - usize::from(index > removed)))
        }
        LayerChange::MoveUp(layer) => (layer, |index, up| Some(swapped(index, up.wrapping_sub(1)))),
        LayerChange::MoveDown(layer) => (layer, |index, down| Some(swapped(index, down))),
        _ => return Ok(()),
    };
    let Some((list, changed)) = list_and_index(layer) else { return Ok(()) };
    check_reads(before, after, list, |index| moved(index, changed))
}

/// The index of a layer after the layers at `first` and `first + 1` were swapped.
const fn swapped(index: usize, first: usize) -> usize {
    if index == first {
        first + 1
    } else if index == first + 1 {
        first
    } else {
        index
    }
}

/// An error if a mask in the list at `list` reads another layer than `before`. `moved` returns the new index of a layer, or `None` if it
/// was removed.
fn check_reads(
    before: &FieldSettings,
    after: &FieldSettings,
    list: &str,
    moved: impl Fn(usize) -> Option<usize>,
) -> Result<(), ParamError> {
    let (Some(before), Some(after)) = (layers_at(before, list), layers_at(after, list)) else { return Ok(()) };
    for (old, layer) in before.iter().enumerate() {
        let Some((new, now)) = moved(old).and_then(|new| Some((new, after.get(new)?))) else { continue };
        for (index, (mask, now)) in layer.masks.iter().zip(&now.masks).enumerate() {
            let (Some(name), Some(now)) = (mask.named_layer(), now.named_layer()) else { continue };
            let Some(read) = Layer::find(&before[..old], name) else { continue };
            let reads_now = Layer::find(&after[..new], now);
            if reads_now.is_none() || reads_now != moved(read) {
                return Err(ParamError {
                    path: format!("{list}[{old}].masks[{index}].layer"),
                    found: format!("a mask that no longer reads its layer {name:?}"),
                    allowed: "changes after which each mask reads the same layer as before".to_owned(),
                });
            }
        }
    }
    Ok(())
}

/// A new mask for a layer above the layers `below`. A mask that reads a layer reads the nearest one with a name.
fn mask_for(below: &[Layer], name: &str) -> Option<Mask> {
    let mut mask = Mask::with_defaults(name)?;
    if let Mask::Layer(mask) = &mut mask {
        mask.layer = below.iter().rfind(|layer| !layer.name.is_empty())?.name.clone();
    }
    Some(mask)
}

/// Whether two layers have a name.
fn has_two_layers(field: &FieldSettings, name: &str) -> bool {
    !name.is_empty() && field.all_layers().iter().filter(|(_, layer)| layer.name == name).count() > 1
}

/// Gives the masks that read a layer its new name, after the parameter at `path` of a field was changed. It was `before`. The layer keeps
/// its stream, and so its noise.
///
/// # Errors
///
/// Returns an error if a mask reads no layer now, because the name is gone.
pub(crate) fn rename_in_masks(field: &mut FieldSettings, before: &FieldSettings, path: &str) -> Result<(), ParamError> {
    let Some((list, named)) = path.strip_suffix(".name").and_then(list_and_index) else { return Ok(()) };
    let mut pinned = before.clone();
    pinned.pin_streams();
    let (Some(old), Some(new)) = (layers_at(&pinned, list), layers_at_mut(field, list)) else { return Ok(()) };
    let (Some(layer), Some(old_layer)) = (new.get_mut(named), old.get(named)) else { return Ok(()) };
    layer.stream = old_layer.stream;
    let name = layer.name.clone();
    if has_two_layers(field, &name) {
        // That is the mistake, and not which of them a mask reads.
        return Ok(());
    }
    let Some(new) = layers_at_mut(field, list) else { return Ok(()) };
    for (index, layer) in new.iter_mut().enumerate() {
        for mask in &mut layer.masks {
            if let Mask::Layer(mask) = mask
                && Layer::find(&old[..index], &mask.layer) == Some(named)
            {
                mask.layer.clone_from(&name);
            }
        }
    }
    check_reads(before, field, list, Some)
}

/// The names that a mask with the parameter `path` can read, the nearest layer first. `None` if the parameter is not the layer of a
/// mask.
pub(crate) fn readable_names<'a>(field: &'a FieldSettings, path: &str) -> Option<Vec<&'a str>> {
    let (list, layer) = list_and_index(parent_path(path.strip_suffix(".layer")?).strip_suffix(".masks")?)?;
    let below = layers_at(field, list)?.get(..layer)?;
    Some(below.iter().rev().map(|layer| layer.name.as_str()).filter(|name| !name.is_empty()).collect())
}

/// The curve of a layer. `None` for a layer of another kind.
pub const fn curve(layer: &Layer) -> Option<&Curve> {
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

/// The path of the group with the list at `path`. `None` for the outermost list.
fn group_of(path: &str) -> Option<(&str, usize)> {
    list_and_index(path.strip_suffix(".kind.layers")?)
}

/// The list of layers at `path`.
pub fn layers_at<'a>(field: &'a FieldSettings, path: &str) -> Option<&'a [Layer]> {
    if path == "field.layers" {
        return Some(&field.layers);
    }
    let (list, index) = group_of(path)?;
    let group = layers_at(field, list)?.get(index)?;
    group.is_group().then(|| group.children())
}

fn layer_at_mut<'a>(field: &'a mut FieldSettings, path: &str) -> Option<&'a mut Layer> {
    let (list, index) = list_and_index(path)?;
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
    use crate::param::{Choice, ParamValue};
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
        let names: Vec<&str> = model.draft().field.layers[0].masks.iter().map(Choice::name).collect();
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
        assert_eq!(model.draft().field.layers[1].name, "ridges 2", "masks read the original");
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

    fn kind(name: &str) -> Layer {
        LayerKind::with_defaults(name).expect("it is a kind").into()
    }

    #[test]
    fn a_change_that_the_check_of_layers_refuses_is_known_before() {
        let layer = |index: usize| format!("field.layers[{index}]");
        let erosion = || kind("Erosion");
        for (layers, change) in [
            (vec![Layer::default(), erosion(), erosion()], LayerChange::Duplicate(layer(2))),
            (vec![kind("Scatter"); FieldSettings::MAX_SCATTERS], LayerChange::Duplicate(layer(0))),
            (vec![erosion(), Layer::default(), erosion(), erosion()], LayerChange::MoveUp(layer(1))),
            (vec![erosion(), Layer::default(), erosion(), erosion()], LayerChange::MoveDown(layer(0))),
        ] {
            let mut model = model(layers);
            let before = model.draft().clone();
            assert_eq!(before.validate(), Ok(()));
            assert!(!model.can_change_layers(&change), "{change:?}");
            assert!(model.why_not(&change).is_some_and(|why| why.starts_with("Would give a l")), "{change:?}");
            model.change_layers(&change).expect_err("it is too much");
            assert_eq!(*model.draft(), before);
        }
        let model = model(vec![Layer::default(); 2]);
        assert_eq!(model.why_not(&LayerChange::MoveUp(layer(0))).as_deref(), Some(""), "nothing is above it");
        assert_eq!(model.why_not(&LayerChange::MoveDown(layer(0))), None);
    }

    fn named(name: &str) -> Layer {
        Layer { name: name.to_owned(), ..constant(1.0) }
    }

    fn reader(name: &str) -> Layer {
        let mask = crate::field::LayerMask { layer: name.to_owned(), ..Default::default() };
        Layer { masks: vec![Mask::Layer(mask)], ..constant(2.0) }
    }

    #[test]
    fn no_two_layers_have_a_name() {
        let mut model = model(vec![named("crests"), named("other"), reader("crests")]);
        let before = model.draft().clone();
        let rename = |model: &mut InspectorModel, index: usize, name: &str| {
            let path = format!("field.layers[{index}].name");
            model.edit(&path, ParamValue::Text(name.to_owned())).map_err(|error| error.to_string())
        };
        let expected = "`field.layers[1].name` is \"crests\", allowed: a name that no other layer has";
        assert_eq!(rename(&mut model, 1, "crests"), Err(expected.to_owned()));
        assert_eq!(*model.draft(), before);
        for expected in ["crests 2", "crests 3"] {
            model.change_layers(&LayerChange::Duplicate("field.layers[0]".to_owned())).expect("there is room");
            assert_eq!(model.draft().field.layers[1].name, expected);
        }
        model.change_layers(&LayerChange::Duplicate("field.layers[1]".to_owned())).expect("there is room");
        assert_eq!(model.draft().field.layers[2].name, "crests 4");
        assert_eq!(model.draft().validate(), Ok(()));
    }

    #[test]
    fn a_copied_group_has_names_of_its_own() {
        let group = LayerKind::Group(Group::from(vec![named("inner"), reader("inner")]));
        let mut model = model(vec![constant(1.0), Layer { name: "group".to_owned(), ..group.into() }]);
        model.change_layers(&LayerChange::Duplicate("field.layers[1]".to_owned())).expect("there is room");
        let copy = &model.draft().field.layers[2];
        assert_eq!([&copy.name, &copy.children()[0].name], ["group 2", "inner 2"]);
        assert_eq!(copy.children()[1].masks[0].named_layer(), Some("inner 2"));
        assert_eq!(model.draft().validate(), Ok(()));
    }

    #[test]
    fn a_layer_with_a_new_name_keeps_its_stream() {
        let mut model = model(vec![constant(0.0), named("crests")]);
        let stream = crate::field::stream_of_name("crests");
        model.edit("field.layers[1].name", ParamValue::Text("ridges".to_owned())).expect("it is a name");
        assert_eq!(model.draft().field.layers[1].stream, Some(stream));
        model.edit("field.layers[0].name", ParamValue::Text("ground".to_owned())).expect("it is a name");
        assert_eq!(model.draft().field.layers[0].stream, Some(0));
    }

    #[test]
    fn a_mask_can_read_the_names_below_it() {
        let mut field = FieldSettings::default();
        let group = LayerKind::Group(Group::from(vec![named("inner"), reader("inner")]));
        field.layers = vec![named("a"), named(""), named("b"), named(""), reader("a"), group.into(), named("above")];
        let names = |path: &str| readable_names(&field, path);
        assert_eq!(names("field.layers[4].masks[0].layer"), Some(vec!["b", "a"]));
        assert_eq!(names("field.layers[5].kind.layers[1].masks[0].layer"), Some(vec!["inner"]));
        assert_eq!(names("field.layers[4].masks[0].from"), None);
        assert_eq!(names("field.layers[4].name"), None);
    }

    #[test]
    fn a_new_layer_does_not_get_the_comments_of_a_removed_one() {
        let text = "(version: 2, field: (layers: [\n    (kind: Noise()),\n    (kind: Constant()),\n    // the old hills\n    (kind: Noise(octaves: 3)),\n]))";
        let file = TerrainSettings::from_ron(text).expect("the text is valid");
        let change = |change: &dyn Fn(&mut InspectorModel)| {
            let mut model = InspectorModel::from_file(file.clone());
            change(&mut model);
            (layers(&model).last().map(|(stream, _)| *stream), model.draft().save_into(text))
        };
        let (stream, saved) = change(&|model| {
            model.change_layers(&LayerChange::Remove("field.layers[2]".to_owned())).expect("it exists");
            model.change_layers(&LayerChange::Add("field.layers".to_owned())).expect("there is room");
        });
        assert_eq!(stream, Some(3));
        assert!(!saved.contains("// the old hills"), "{saved}");
        let (stream, _) = change(&|model| {
            model.change_layers(&LayerChange::Remove("field.layers[2]".to_owned())).expect("it exists");
            model.change_layers(&LayerChange::Duplicate("field.layers[1]".to_owned())).expect("there is room");
        });
        assert_eq!(stream, Some(3));
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
