//! The names of layers: what masks read, and what the items of lists are called.

use super::lists::{item_path, layers_at, layers_at_mut};
use crate::field::{FieldSettings, Layer, Mask};
use crate::param::parent_path;
use crate::settings::TerrainSettings;

/// Gives the masks that read a layer its new name, after the parameter at `path` of a field was changed. It was `before`. The layer keeps
/// its stream, and so its noise.
pub(super) fn rename_in_masks(field: &mut FieldSettings, before: &FieldSettings, path: &str) {
    let Some((list, named)) = path.strip_suffix(".name").and_then(item_path) else { return };
    let mut pinned = before.clone();
    pinned.pin_streams();
    let (Some(old), Some(new)) = (layers_at(&pinned, list), layers_at_mut(field, list)) else { return };
    let (Some(layer), Some(old_layer)) = (new.get_mut(named), old.get(named)) else { return };
    layer.stream = old_layer.stream;
    let name = layer.name.clone();
    let is_taken = !name.is_empty() && field.all_layers().iter().filter(|(_, layer)| layer.name == name).count() > 1;
    if is_taken {
        // That is the mistake, and not which of them a mask reads.
        return;
    }
    let Some(new) = layers_at_mut(field, list) else { return };
    for (index, layer) in new.iter_mut().enumerate() {
        for mask in &mut layer.masks {
            if let Mask::Layer(mask) = mask
                && Layer::find(&old[..index], &mask.layer) == Some(named)
            {
                mask.layer.clone_from(&name);
            }
        }
    }
}

/// The same for plants: a layer of plants keeps its stream, and with it its places, and plants grow on a layer of the ground under its new
/// name.
pub(super) fn rename_in_plants(settings: &mut TerrainSettings, before: &TerrainSettings, path: &str) {
    let Some((list, index)) = path.strip_suffix(".name").and_then(item_path) else { return };
    if list == super::PLANTS {
        let stream = before.plants.get(index).map(|layer| layer.stream_at(index));
        if let Some(layer) = settings.plants.get_mut(index) {
            layer.stream = stream;
        }
    }
    if list == super::SURFACE_LAYERS {
        let name_in = |settings: &TerrainSettings| settings.look.layers.get(index).map(|layer| layer.name.clone());
        let (Some(old), Some(new)) = (name_in(before), name_in(settings)) else { return };
        // Two layers of the ground may have one name.
        if before.look.layers.iter().filter(|layer| layer.name == old).count() > 1 {
            return;
        }
        for name in settings.plants.iter_mut().flat_map(|layer| &mut layer.on).filter(|name| **name == old) {
            name.clone_from(&new);
        }
    }
}

/// The names that a mask with the parameter `path` can read, the nearest layer first. `None` if the parameter is not the layer of a
/// mask.
pub(super) fn readable_names<'a>(field: &'a FieldSettings, path: &str) -> Option<Vec<&'a str>> {
    let (list, layer) = item_path(parent_path(path.strip_suffix(".layer")?).strip_suffix(".masks")?)?;
    let below = layers_at(field, list)?.get(..layer)?;
    Some(below.iter().rev().map(|layer| layer.name.as_str()).filter(|name| !name.is_empty()).collect())
}

/// Gives the named layers of a copy names that no layer of the field has. Masks in a copied group read the copies.
pub(super) fn rename_copy(copy: &mut Layer, field: &FieldSettings) {
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

/// The name itself if it is not `taken`. Otherwise the name with the lowest number from 2 on that is not: `hills 2` for `hills`, and
/// `hills 3` for `hills 2`.
pub(super) fn free_name(name: &str, taken: &[String]) -> String {
    if !taken.iter().any(|other| other == name) {
        return name.to_owned();
    }
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

/// What the items of lists around the parameter or the item at `path` are called, from the innermost one out: their names, or
/// `Layer 3`.
pub(super) fn item_titles(settings: &TerrainSettings, path: &str) -> Vec<String> {
    let mut titles = Vec::new();
    let mut rest = path;
    while !rest.is_empty() {
        if let Some((list, index)) = item_path(rest) {
            titles.extend(item_title(settings, list, index));
        }
        rest = parent_path(rest);
    }
    titles
}

fn item_title(settings: &TerrainSettings, list: &str, index: usize) -> Option<String> {
    let named =
        |name: &str, what: &str| if name.is_empty() { format!("{what} {}", index + 1) } else { name.to_owned() };
    if list == super::SURFACE_LAYERS {
        return settings.look.layers.get(index).map(|layer| named(&layer.name, "Ground"));
    }
    if list == super::PLANTS {
        return settings.plants.get(index).map(|layer| named(&layer.name, "Plants"));
    }
    if list == super::EDITS {
        return settings.field.edits.get(index).map(|_| named("", "Edit"));
    }
    layers_at(&settings.field, list)?.get(index).map(|layer| named(&layer.name, "Layer"))
}
