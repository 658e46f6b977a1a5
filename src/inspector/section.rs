//! Collapsible sections and the parameters in them.

use super::cost::{cost_in_short, expected_cost};
use super::draft_checks::BAR;
use super::ground_layers::is_of_ground;
use super::ground_section::{ground_layers, has_effect};
use super::layers::{curve, layers_at};
use super::style::{FAINT, RAISED, RAISED_HOVERED, STRONG, WARNING, small};
use super::widgets::{Remarks, add_or_explain, id_of, metres, parameter, small_button};
use super::{InspectorModel, LayerChange, Row};
use crate::field::{Layer, LayerKind, Mask};
use crate::param::parent_path;
use bevy_egui::egui::collapsing_header::{CollapsingState, paint_default_icon};
use bevy_egui::egui::{
    Align, Align2, Button, CornerRadius, Direction, Frame, Label, Layout, Margin, Rect, RichText, Sense, TextStyle, Ui,
    UiBuilder, WidgetInfo, WidgetType, pos2, vec2,
};

/// Height of a section's bar, in points.
const BAR_HEIGHT: f32 = 26.0;

/// The path of the list of layers.
const LAYERS: &str = "field.layers";

/// The path of the level-of-detail section. It also shows the estimated cost.
const DETAIL: &str = "lod";

/// Why a layer can't get a mask that reads another layer.
const UNNAMED: &str = "No layer below it in this list has a name.";

/// Draws a bar with a title that collapses `body`. `extra` draws at the right end of the bar, from right to left.
pub(super) fn section(
    ui: &mut Ui,
    path: &str,
    title: &str,
    open: bool,
    extra: impl FnOnce(&mut Ui),
    body: impl FnOnce(&mut Ui),
) {
    let mut state = CollapsingState::load_with_default_open(ui.ctx(), id_of(path), open);
    let (rect, bar) = ui.allocate_exact_size(vec2(ui.available_width(), BAR_HEIGHT), Sense::click());
    bar.widget_info(|| WidgetInfo::labeled(WidgetType::CollapsingHeader, ui.is_enabled(), title));
    let color = if bar.hovered() { RAISED_HOVERED } else { RAISED };
    ui.painter().rect_filled(rect, CornerRadius::same(4), color);
    let icon = Rect::from_center_size(rect.left_center() + vec2(12.0, 0.0), vec2(12.0, 12.0));
    paint_default_icon(ui, state.openness(ui.ctx()), &bar.clone().with_new_rect(icon));
    let font = TextStyle::Body.resolve(ui.style());
    let at = rect.left_center() + vec2(24.0, 0.0);
    let title = ui.painter().text(at, Align2::LEFT_CENTER, title, font, STRONG);
    if bar.clicked() {
        state.toggle(ui);
    }
    // Added after the bar, so that its buttons are on top and get the clicks.
    let rest = Rect::from_min_max(pos2(title.right() + 8.0, rect.top()), rect.max - vec2(6.0, 0.0));
    let layout = Layout::right_to_left(Align::Center);
    extra(&mut ui.new_child(UiBuilder::new().id_salt(path).max_rect(rest).layout(layout)));
    state.show_body_unindented(ui, |ui| {
        Frame::new().inner_margin(Margin { left: 8, right: 2, top: 0, bottom: 4 }).show(ui, |ui| {
            ui.set_width(ui.available_width());
            body(ui);
        });
    });
}

/// Draws all parameters in their sections.
pub(super) fn all_sections(ui: &mut Ui, model: &mut InspectorModel, remarks: Remarks<'_>) {
    let rows = model.rows();
    // Group consecutive rows by parent: `field`, `chunks`, ... Layers follow the parameters of the field.
    for group in rows.chunk_by(|a, b| parent_path(&a.path) == parent_path(&b.path)) {
        let path = group.first().map_or("", |row| parent_path(&row.path));
        if path.starts_with(LAYERS) || is_of_ground(path) {
            continue;
        }
        let cost = remarks.expected_cost.filter(|_| path == DETAIL);
        let bar = |ui: &mut Ui| {
            if let Some(cost) = &cost {
                ui.add(small(&cost_in_short(cost), FAINT).truncate().selectable(false));
            }
        };
        section(ui, path, &title(path), path == "field", bar, |ui| {
            let shown: Vec<&Row> = group.iter().filter(|row| has_effect(model, row)).collect();
            parameters(ui, model, shown, remarks);
            if path == DETAIL {
                expected_cost(ui, remarks);
            }
        });
        match path {
            "field" => layer_list(ui, model, &rows, LAYERS, remarks),
            "look" => ground_layers(ui, model, &rows, remarks),
            _ => {}
        }
    }
}

pub(super) fn parameters<'a>(
    ui: &mut Ui,
    model: &mut InspectorModel,
    rows: impl IntoIterator<Item = &'a Row>,
    remarks: Remarks<'_>,
) {
    for row in rows {
        if parameter(ui, model, row, remarks) {
            model.roll(&row.path);
        }
    }
}

/// Draws the layers of the list at `list`, and the button that adds one.
fn layer_list(ui: &mut Ui, model: &mut InspectorModel, rows: &[Row], list: &str, remarks: Remarks<'_>) {
    let count = layers_at(&model.draft().field, list).map_or(0, <[Layer]>::len);
    let mut change = None;
    for index in 0..count {
        change = layer(ui, model, rows, list, index, remarks).or(change);
    }
    let add = LayerChange::Add(list.to_owned());
    let (size, why_not) = (vec2(ui.available_width(), 22.0), model.why_not(&add));
    let layout = Layout::centered_and_justified(Direction::TopDown);
    let button = ui.allocate_ui_with_layout(size, layout, |ui| {
        add_or_explain(ui, Button::new("➕ Add layer"), "Add a layer on top of these.", why_not.as_deref())
    });
    if button.inner.clicked() {
        change = Some(add);
    }
    ui.add_space(4.0);
    if let Some(change) = change {
        // Can't fail: the buttons of impossible changes are off.
        drop(model.change_layers(&change));
    }
}

/// Draws a layer. Returns the change of the list that the user asks for.
fn layer(
    ui: &mut Ui,
    model: &mut InspectorModel,
    rows: &[Row],
    list: &str,
    index: usize,
    remarks: Remarks<'_>,
) -> Option<LayerChange> {
    let path = format!("{list}[{index}]");
    let shown = layers_at(&model.draft().field, list)?.get(index)?;
    let (summary, title, is_group) = (summary(shown), layer_title(shown, index), shown.is_group());
    // A section stays open when its layer moves.
    let id = shown.stream.map_or_else(|| path.clone(), |stream| format!("{list} {stream}"));
    let masks: Vec<&str> = shown.masks.iter().map(Mask::name).collect();
    let points = curve(shown).map(|curve| curve.points.len());
    let mut change = None;
    let extra = |ui: &mut Ui| change = change_of_bar(ui, &path, &summary, remarks);
    let (kind, mut own_change) = (format!("{path}.kind"), None);
    section(ui, &id, &title, index == 0, extra, |ui| {
        let own = rows.iter().filter(|row| parent_path(&row.path) == path || parent_path(&row.path) == kind);
        let (details, main): (Vec<&Row>, Vec<&Row>) = own.partition(|row| row.param.is_detail);
        parameters(ui, model, main, remarks);
        if let Some(count) = points {
            own_change = point_list(ui, model, rows, &path, count, remarks);
        }
        ui.add_space(2.0);
        section(ui, &format!("{path}.details"), "Details", false, |_| {}, |ui| parameters(ui, model, details, remarks));
        own_change = mask_list(ui, model, rows, &path, &masks, remarks).or(own_change.take());
        if is_group {
            layer_list(ui, model, rows, &format!("{kind}.layers"), remarks);
        }
    });
    change.or(own_change)
}

/// Draws the buttons, the warnings and the `summary` in the bar of the layer at `path`. Returns the change that the user asks for.
pub(super) fn change_of_bar(ui: &mut Ui, path: &str, summary: &str, remarks: Remarks<'_>) -> Option<LayerChange> {
    let mut change = None;
    ui.spacing_mut().item_spacing.x = 1.0;
    for (index, wanted) in BAR.iter().enumerate() {
        if small_button(ui, wanted.symbol, wanted.help, remarks.checks.why_not(path, index)) {
            change = Some((wanted.of)(path.to_owned()));
        }
    }
    ui.add_space(4.0);
    let warnings = remarks.warnings_below(path);
    if !warnings.is_empty() {
        // The row with the warning may be collapsed.
        let mark = Label::new(RichText::new("⚠").color(WARNING)).selectable(false).sense(Sense::hover());
        ui.add(mark).on_hover_text(warnings.join("\n"));
    }
    ui.add(small(summary, FAINT).truncate().selectable(false));
    change
}

/// Draws the points of the curve in the layer at `path`, and the button that adds one. Returns the change that the user asks for.
fn point_list(
    ui: &mut Ui,
    model: &mut InspectorModel,
    rows: &[Row],
    path: &str,
    count: usize,
    remarks: Remarks<'_>,
) -> Option<LayerChange> {
    let mut change = None;
    for index in 0..count {
        let point = format!("{path}.kind.points[{index}]");
        let extra = |ui: &mut Ui| {
            if small_button(ui, "🗑", "Remove this point", None) {
                change = Some(LayerChange::RemovePoint(path.to_owned(), index));
            }
        };
        section(ui, &point, &format!("Point {}", index + 1), true, extra, |ui| {
            parameters(ui, model, rows.iter().filter(|row| parent_path(&row.path) == point), remarks);
        });
    }
    let add = LayerChange::AddPoint(path.to_owned());
    let why_not = model.why_not(&add);
    if add_or_explain(ui, Button::new("➕ Add point"), "Add a point at the upper end.", why_not.as_deref()).clicked() {
        change = Some(add);
    }
    change
}

/// Draws the masks of the layer at `path`, and the button that adds one. Returns the change that the user asks for.
fn mask_list(
    ui: &mut Ui,
    model: &mut InspectorModel,
    rows: &[Row],
    path: &str,
    masks: &[&str],
    remarks: Remarks<'_>,
) -> Option<LayerChange> {
    let mut change = None;
    for (index, name) in masks.iter().enumerate() {
        let mask = format!("{path}.masks[{index}]");
        let noise = format!("{mask}.noise");
        let extra = |ui: &mut Ui| {
            if small_button(ui, "🗑", "Remove this mask", None) {
                change = Some(LayerChange::RemoveMask(path.to_owned(), index));
            }
        };
        section(ui, &mask, &format!("Mask: {}", name.to_lowercase()), false, extra, |ui| {
            let is_own = |row: &&Row| [mask.as_str(), &noise].contains(&parent_path(&row.path));
            let own = rows.iter().filter(is_own);
            parameters(ui, model, own, remarks);
        });
    }
    ui.menu_button("➕ Add mask", |ui| {
        for kind in &Mask::KINDS {
            let add = LayerChange::AddMask(path.to_owned(), kind.name);
            // Every kind has a mask, so if there is no other reason, there is nothing to read.
            let why_not = model.why_not(&add).map(|why| if why.is_empty() { UNNAMED.to_owned() } else { why });
            if add_or_explain(ui, Button::new(kind.name), kind.help, why_not.as_deref()).clicked() {
                change = Some(add);
                ui.close();
            }
        }
    });
    change
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
    };
    if layer.enabled { what } else { format!("off · {what}") }
}

/// A path as a title: `Stream` for `stream`.
fn title(path: &str) -> String {
    if path == DETAIL {
        return "Detail".to_owned();
    }
    let words = path.replace(['_', '.'], " ");
    let mut letters = words.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_come_from_paths() {
        assert_eq!(title("stream"), "Stream");
        assert_eq!(title("lod"), "Detail");
        assert_eq!(title("chunks.level_of_detail"), "Chunks level of detail");
    }

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
