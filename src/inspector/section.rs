//! Collapsible sections and the parameters in them.

use super::cost::{cost_in_short, expected_cost};
use super::style::{FAINT, RAISED, RAISED_HOVERED, STRONG, WARNING, small};
use super::widgets::{Remarks, id_of, metres, parameter, small_button};
use super::{InspectorModel, LayerChange, Row};
use crate::field::FieldSettings;
use crate::noise::NoiseSettings;
use crate::param::parent_path;
use bevy_egui::egui::collapsing_header::{CollapsingState, paint_default_icon};
use bevy_egui::egui::{
    Align, Align2, Button, CornerRadius, Frame, Label, Layout, Margin, Rect, RichText, Sense, TextStyle, Ui, UiBuilder,
    WidgetInfo, WidgetType, pos2, vec2,
};

/// Height of a section's bar, in points.
const BAR_HEIGHT: f32 = 26.0;

/// The path of the level-of-detail section. It also shows the estimated cost.
const DETAIL: &str = "lod";

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
    // Group consecutive rows by parent: `field`, `field.layers[0]`, ..., `chunks`, ...
    for group in rows.chunk_by(|a, b| parent_path(&a.path) == parent_path(&b.path)) {
        let path = group.first().map_or("", |row| parent_path(&row.path));
        match layer_index(path) {
            Some(index) => layer(ui, model, group, path, index, remarks),
            None => {
                let cost = remarks.expected_cost.filter(|_| path == DETAIL);
                let bar = |ui: &mut Ui| {
                    if let Some(cost) = &cost {
                        ui.add(small(&cost_in_short(cost), FAINT).truncate().selectable(false));
                    }
                };
                section(ui, path, &title(path), path == "field", bar, |ui| {
                    parameters(ui, model, group, remarks);
                    if path == DETAIL {
                        expected_cost(ui, remarks);
                    }
                });
                if path == "field" && model.draft().field.layers.is_empty() {
                    add_layer(ui, model);
                }
            }
        }
    }
}

fn parameters(ui: &mut Ui, model: &mut InspectorModel, rows: &[Row], remarks: Remarks<'_>) {
    for row in rows {
        parameter(ui, model, row, remarks);
    }
}

fn layer(ui: &mut Ui, model: &mut InspectorModel, rows: &[Row], path: &str, index: usize, remarks: Remarks<'_>) {
    let layers = &model.draft().field.layers;
    let is_last = index + 1 == layers.len();
    let summary = layers.get(index).map(summary).unwrap_or_default();
    // Listed from right to left.
    let buttons = [
        ("🗑", LayerChange::Remove(index), "Remove this layer"),
        ("🗐", LayerChange::Duplicate(index), "Duplicate this layer"),
        (
            "⏷",
            LayerChange::MoveDown(index),
            "Move down. This changes the layer's noise, which depends on its position.",
        ),
        ("⏶", LayerChange::MoveUp(index), "Move up. This changes the layer's noise, which depends on its position."),
    ]
    .map(|(text, change, help)| (text, change, help, model.can_change_layers(change)));
    let mut change = None;
    let warnings = remarks.warnings_below(path);
    let extra = |ui: &mut Ui| {
        ui.spacing_mut().item_spacing.x = 1.0;
        for (text, wanted, help, enabled) in buttons {
            if small_button(ui, text, enabled, help) {
                change = Some(wanted);
            }
        }
        ui.add_space(4.0);
        if !warnings.is_empty() {
            // The row with the warning may be collapsed.
            let mark = Label::new(RichText::new("⚠").color(WARNING)).selectable(false).sense(Sense::hover());
            ui.add(mark).on_hover_text(warnings.join("\n"));
        }
        ui.add(Label::new(RichText::new(summary).small().color(FAINT)).truncate().selectable(false));
    };
    let title = format!("Layer {}", index + 1);
    section(ui, path, &title, index == 0, extra, |ui| {
        let (details, main): (Vec<Row>, Vec<Row>) = rows.iter().cloned().partition(|row| row.param.is_detail);
        parameters(ui, model, &main, remarks);
        ui.add_space(2.0);
        section(
            ui,
            &format!("{path}.details"),
            "Details",
            false,
            |_| {},
            |ui| parameters(ui, model, &details, remarks),
        );
    });
    if is_last {
        add_layer(ui, model);
    }
    if let Some(change) = change {
        // Can't fail: the buttons of impossible changes are disabled.
        drop(model.change_layers(change));
    }
}

fn add_layer(ui: &mut Ui, model: &mut InspectorModel) {
    let can_add = model.can_change_layers(LayerChange::Add);
    let size = vec2(ui.available_width(), 22.0);
    let response = ui.add_enabled_ui(can_add, |ui| ui.add_sized(size, Button::new("➕ Add layer"))).inner;
    let most = FieldSettings::MAX_LAYERS;
    if response.on_disabled_hover_text(format!("A terrain has at most {most} layers.")).clicked() {
        drop(model.change_layers(LayerChange::Add));
    }
    ui.add_space(4.0);
}

/// A short description of a layer: `ridged · 620 m every 2.4 km`.
fn summary(layer: &NoiseSettings) -> String {
    let shape = format!("{:?}", layer.shape).to_lowercase();
    format!("{shape} · {} every {}", metres(layer.height_scale), metres(1.0 / layer.frequency))
}

/// The index in `field.layers[2]`.
fn layer_index(path: &str) -> Option<usize> {
    path.strip_prefix("field.layers[")?.strip_suffix(']')?.parse().ok()
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
        assert_eq!(layer_index("field.layers[12]"), Some(12));
        assert_eq!(layer_index("field"), None);
    }

    #[test]
    fn a_layer_has_a_short_summary() {
        assert_eq!(summary(&NoiseSettings::default()), "fbm · 100 m every 1.0 km");
    }
}
