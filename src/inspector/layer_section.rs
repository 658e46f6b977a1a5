//! The layers of the field in the panel, with their masks and points.

use super::section::{add_button, change_of_bar, item_section, parameters, section};
use super::widgets::{Remarks, add_or_explain, metres, small_button};
use crate::draft::{Draft, ListEdit, Row, curve, layers_at};
use crate::field::{Layer, LayerKind, Mask};
use crate::noise::NoiseSettings;
use crate::param::{Choice, parent_path};
use crate::settings::TerrainSettings;
use bevy_egui::egui::{Button, Ui};

/// Why a layer can't get a mask that reads another layer.
const UNNAMED: &str = "No layer below it in this list has a name.";

/// Draws the layers of the list at `list`, and the button that adds one.
pub(super) fn layer_list(
    ui: &mut Ui,
    draft: &mut Draft<TerrainSettings>,
    rows: &[Row],
    list: &str,
    remarks: Remarks<'_>,
) {
    let count = layers_at(&draft.settings().field, list).map_or(0, <[Layer]>::len);
    let mut change = None;
    for index in 0..count {
        change = layer(ui, draft, rows, list, index, remarks).or(change);
    }
    let texts = ["➕ Add layer", "Add a layer on top of these."];
    let change = add_button(ui, draft, list, texts, remarks).or(change);
    if let Some(change) = change {
        // Can't fail: the buttons of impossible changes are off.
        drop(draft.edit_list(&change));
    }
}

/// Draws a layer. Returns the change of the list that the user asks for.
fn layer(
    ui: &mut Ui,
    draft: &mut Draft<TerrainSettings>,
    rows: &[Row],
    list: &str,
    index: usize,
    remarks: Remarks<'_>,
) -> Option<ListEdit> {
    let path = format!("{list}[{index}]");
    let shown = layers_at(&draft.settings().field, list)?.get(index)?;
    let (summary, title, is_group) = (summary(shown), layer_title(shown, index), shown.is_group());
    // A section stays open when its layer moves, and when it gets another name.
    let number = draft.settings().field.all_layers().iter().position(|(found, _)| *found == path);
    let id = format!("{list} {}", shown.stream_at(number.unwrap_or(index)));
    let masks: Vec<&str> = shown.masks.iter().map(Choice::name).collect();
    let points = curve(shown).map(|curve| curve.points.len());
    let mut change = None;
    let extra = |ui: &mut Ui| change = change_of_bar(ui, &path, &summary, remarks);
    let (kind, mut own_change) = (format!("{path}.kind"), None);
    item_section(ui, &path, &id, &title, index == 0, extra, |ui| {
        let is_own = |row: &&Row| parent_path(&row.path) == path || parent_path(&row.path) == kind;
        let own = rows.iter().filter(is_own).filter(is_of_ground);
        let (details, main): (Vec<&Row>, Vec<&Row>) = own.partition(|row| row.param.is_detail);
        parameters(ui, draft, main, remarks);
        if let Some(count) = points {
            own_change = point_list(ui, draft, rows, &path, count, remarks);
        }
        ui.add_space(2.0);
        section(ui, &format!("{path}.details"), "Details", false, |_| {}, |ui| parameters(ui, draft, details, remarks));
        own_change = mask_list(ui, draft, rows, &path, &masks, remarks).or(own_change.take());
        if is_group {
            layer_list(ui, draft, rows, &format!("{kind}.layers"), remarks);
        }
    });
    change.or(own_change)
}

/// Draws the points of the curve in the layer at `path`, and the button that adds one. Returns the change that the user asks for.
fn point_list(
    ui: &mut Ui,
    draft: &mut Draft<TerrainSettings>,
    rows: &[Row],
    path: &str,
    count: usize,
    remarks: Remarks<'_>,
) -> Option<ListEdit> {
    let mut change = None;
    for index in 0..count {
        let point = format!("{path}.kind.points[{index}]");
        let extra = |ui: &mut Ui| {
            if small_button(ui, "🗑", "Remove this point", None) {
                change = Some(ListEdit::Remove(point.clone()));
            }
        };
        item_section(ui, &point, &point, &format!("Point {}", index + 1), true, extra, |ui| {
            parameters(ui, draft, rows.iter().filter(|row| parent_path(&row.path) == point), remarks);
        });
    }
    let texts = ["➕ Add point", "Add a point at the upper end."];
    add_button(ui, draft, &format!("{path}.kind.points"), texts, remarks).or(change)
}

/// Draws the masks of the layer at `path`, and the button that adds one. Returns the change that the user asks for.
fn mask_list(
    ui: &mut Ui,
    draft: &mut Draft<TerrainSettings>,
    rows: &[Row],
    path: &str,
    masks: &[&str],
    remarks: Remarks<'_>,
) -> Option<ListEdit> {
    let mut change = None;
    for (index, name) in masks.iter().enumerate() {
        let mask = format!("{path}.masks[{index}]");
        let noise = format!("{mask}.noise");
        let extra = |ui: &mut Ui| {
            if small_button(ui, "🗑", "Remove this mask", None) {
                change = Some(ListEdit::Remove(mask.clone()));
            }
        };
        item_section(ui, &mask, &mask, &format!("Mask: {}", name.to_lowercase()), false, extra, |ui| {
            let is_own = |row: &&Row| [mask.as_str(), &noise].contains(&parent_path(&row.path));
            let own = rows.iter().filter(is_own).filter(is_of_ground);
            parameters(ui, draft, own, remarks);
        });
    }
    ui.menu_button("➕ Add mask", |ui| {
        for kind in &Mask::ALTERNATIVES {
            let add = ListEdit::add(draft.settings(), &format!("{path}.masks"), kind.name);
            let why_not = add.as_ref().map_or(Some(String::new()), |add| draft.why_not(add));
            // Every kind has a mask, so if there is no other reason, there is nothing to read.
            let why_not = why_not.map(|why| if why.is_empty() { UNNAMED.to_owned() } else { why });
            if add_or_explain(ui, Button::new(kind.name), kind.help, why_not.as_deref()).clicked() {
                change = add;
                ui.close();
            }
        }
    });
    change
}

/// Whether a parameter has an effect on the ground. Noise has up to four axes, and the ground has two.
fn is_of_ground(row: &&Row) -> bool {
    NoiseSettings::BEYOND_PLANE.iter().all(|param| param.name != row.param.name)
}

/// The name of a layer, or its number if it has none.
fn layer_title(layer: &Layer, index: usize) -> String {
    if layer.name.is_empty() { format!("Layer {}", index + 1) } else { layer.name.clone() }
}

/// A short description of a layer: `ridged · 620 m every 2.4 km`.
fn summary(layer: &Layer) -> String {
    let what = match &layer.kind {
        LayerKind::Noise(noise) => {
            let shape = format!("{:?}", noise.shape).to_lowercase();
            format!("{shape} · {} every {}", metres(noise.height_scale), metres(1.0 / noise.first_frequency()))
        }
        LayerKind::Carve(carve) => format!("valleys · {} wide", metres(carve.width)),
        LayerKind::Constant(constant) => format!("constant · {}", metres(constant.height)),
        LayerKind::Scatter(scatter) => format!("hills · one in {}", metres(scatter.spacing)),
        LayerKind::Dunes(dunes) => format!("dunes · {} every {}", metres(dunes.height), metres(dunes.wavelength)),
        LayerKind::Group(group) => format!("group · {}", group.layers.len()),
        LayerKind::Terrace(terrace) => format!("terraces · {}", metres(terrace.height)),
        LayerKind::Curve(curve) => format!("curve · {} points", curve.points.len()),
        LayerKind::Erosion(erosion) => format!("erosion · gullies every {}", metres(erosion.gully_length)),
        other => Choice::name(other).to_lowercase(),
    };
    if layer.enabled { what } else { format!("off · {what}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_layer_has_a_short_summary() {
        let mut layer = Layer::default();
        assert_eq!(summary(&layer), "fbm · 100 m every 1.0 km");
        assert_eq!(layer_title(&layer, 1), "Layer 2");
        (layer.name, layer.enabled) = ("Hills".to_owned(), false);
        assert_eq!(summary(&layer), "off · fbm · 100 m every 1.0 km");
        assert_eq!(layer_title(&layer, 1), "Hills");
    }
}
