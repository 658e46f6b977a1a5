//! The layers of the ground in the panel.

use super::ranges::{range_sections, summary_with};
use super::section::{add_button, change_of_bar, item_section, parameters};
use super::widgets::Remarks;
use crate::draft::{Draft, ListEdit, Row, SURFACE_LAYERS};
use crate::param::parent_path;
use crate::settings::TerrainSettings;
use bevy_egui::egui::Ui;

/// Draws the layers of the ground, and the button that adds one.
pub(super) fn surface_layers(ui: &mut Ui, draft: &mut Draft<TerrainSettings>, rows: &[Row], remarks: Remarks<'_>) {
    let count = draft.settings().look.layers.len();
    let mut change = None;
    for index in 0..count {
        change = surface_layer(ui, draft, rows, index, remarks).or(change);
    }
    let texts = ["➕ Add layer of ground", "Add a layer on top of these."];
    let change = add_button(ui, draft, SURFACE_LAYERS, texts, remarks).or(change);
    if let Some(change) = change {
        // Can't fail: the buttons of impossible changes are off.
        drop(draft.edit_list(&change));
    }
}

/// Draws a layer of the ground. Returns the change of the list that the user asks for.
fn surface_layer(
    ui: &mut Ui,
    draft: &mut Draft<TerrainSettings>,
    rows: &[Row],
    index: usize,
    remarks: Remarks<'_>,
) -> Option<ListEdit> {
    let path = format!("{SURFACE_LAYERS}[{index}]");
    let shown = draft.settings().look.layers.get(index)?;
    let title = if shown.name.is_empty() { format!("Ground {}", index + 1) } else { shown.name.clone() };
    let ranges = shown.ranges();
    let summary = summary_with(&format!("{:?}", shown.texture).to_lowercase(), &ranges);
    let mut change = None;
    let bar = |ui: &mut Ui| change = change_of_bar(ui, &path, &summary, remarks);
    item_section(ui, &path, &path, &title, false, bar, |ui| {
        parameters(ui, draft, rows.iter().filter(|row| parent_path(&row.path) == path), remarks);
        range_sections(ui, draft, rows, &path, &ranges, remarks);
    });
    change
}
