//! The layers of plants in the panel.

use super::ranges::{range_sections, summary_with};
use super::section::{add_button, change_of_bar, item_section, parameters, section};
use super::stats::{megabytes, millions};
use super::style::{TEXT, small};
use super::widgets::Remarks;
use crate::draft::{Draft, ListEdit, PLANTS, Row};
use crate::param::{Choice, parent_path};
use crate::plants::{PlantCost, PlantLayer};
use crate::settings::TerrainSettings;
use bevy::color::{Color, ColorToComponents};
use bevy_egui::egui::Ui;

/// Draws the layers of plants, and the button that adds one.
pub(super) fn plant_layers(ui: &mut Ui, draft: &mut Draft<TerrainSettings>, rows: &[Row], remarks: Remarks<'_>) {
    let mut change = None;
    for index in 0..draft.settings().plants.len() {
        change = plant_layer(ui, draft, rows, index, remarks).or(change);
    }
    if let [_, _, ..] = remarks.plant_costs {
        show_cost(ui, "All plants", &remarks.plant_costs.iter().copied().sum());
    }
    let texts = ["➕ Add layer of plants", "Add trees, bushes or stones that stand on the ground."];
    let change = add_button(ui, draft, PLANTS, texts, remarks).or(change);
    if let Some(change) = change {
        // Can't fail: the buttons of impossible changes are off.
        drop(draft.edit_list(&change));
    }
}

/// Draws a layer of plants. Returns the change of the list that the user asks for.
fn plant_layer(
    ui: &mut Ui,
    draft: &mut Draft<TerrainSettings>,
    rows: &[Row],
    index: usize,
    remarks: Remarks<'_>,
) -> Option<ListEdit> {
    let path = format!("{PLANTS}[{index}]");
    let shown = draft.settings().plants.get(index)?;
    let title = title(shown, index);
    let ranges = shown.ranges();
    let summary = summary_with(&Choice::name(&shown.kind).to_lowercase(), &ranges);
    // A section stays open when its layer moves, and when it gets another name.
    let id = format!("{PLANTS} {}", shown.stream_at(index));
    let mut change = None;
    let bar = |ui: &mut Ui| change = change_of_bar(ui, &path, &summary, remarks);
    item_section(ui, &path, &id, &title, index == 0, bar, |ui| {
        let size = format!("{path}.size");
        let own = rows.iter().filter(|row| parent_path(&row.path) == path);
        let (details, main): (Vec<&Row>, Vec<&Row>) = own.partition(|row| row.param.is_detail);
        parameters(ui, draft, main, remarks);
        own_color(ui, draft, index);
        section(
            ui,
            &size,
            "Size",
            true,
            |_| {},
            |ui| {
                parameters(ui, draft, rows.iter().filter(|row| parent_path(&row.path) == size), remarks);
            },
        );
        ground_names(ui, draft, index);
        range_sections(ui, draft, rows, &path, &ranges, remarks);
        section(ui, &format!("{path}.details"), "Details", false, |_| {}, |ui| parameters(ui, draft, details, remarks));
        if let Some(cost) = remarks.plant_costs.get(index) {
            let number = cost.per_hectare;
            let plants = if number < 10.0 { format!("{number:.1}") } else { format!("{number:.0}") };
            show_cost(ui, &format!("{plants} on a hectare"), cost);
        }
    });
    change
}

/// Shows the estimated cost of plants.
fn show_cost(ui: &mut Ui, what: &str, cost: &PlantCost) {
    let text =
        format!("{what}: {} triangles, {} for this viewer", millions(cost.triangles), megabytes(cost.megabytes()));
    ui.add(small(&text, TEXT).wrap()).on_hover_text(
        "Estimate for the first viewer after all its plants are loaded: the triangles in all directions, and the memory of their meshes. \
         Counted at some places around the viewer.",
    );
}

/// Draws a switch: whether the plants have a color of their own, which is a parameter then.
fn own_color(ui: &mut Ui, draft: &mut Draft<TerrainSettings>, index: usize) {
    let Some(layer) = draft.settings().plants.get(index) else { return };
    let mut has_own = layer.color.is_some();
    let help = "Whether the leaves or the stones have another color than their kind.";
    if ui.checkbox(&mut has_own, "own color").on_hover_text(help).changed() {
        let label = format!("{}: {}", title(layer, index), if has_own { "own color" } else { "color of its kind" });
        let [red, green, blue] = layer.kind.color();
        let color = Color::linear_rgb(red, green, blue).to_srgba().to_f32_array_no_alpha();
        let mut settings = draft.settings().clone();
        settings.plants[index].color = has_own.then_some(color);
        // Can't fail: colors of kinds are allowed.
        drop(draft.set(label, settings));
    }
}

/// Draws a switch for each layer of the ground: whether the plants grow on it.
fn ground_names(ui: &mut Ui, draft: &mut Draft<TerrainSettings>, index: usize) {
    let ground: Vec<String> = draft.settings().look.layers.iter().map(|layer| layer.name.clone()).collect();
    let bar = |_: &mut Ui| {};
    section(ui, &format!("{PLANTS}[{index}].on"), "On", false, bar, |ui| {
        for name in ground.iter().filter(|name| !name.is_empty()) {
            let Some(layer) = draft.settings().plants.get(index) else { return };
            let mut is_on = layer.on.contains(name);
            let help = "Whether the plants grow on this layer of the ground. With no switch on, they grow on all.";
            if ui.checkbox(&mut is_on, name).on_hover_text(help).changed() {
                let label = format!("{}: {} {name}", title(layer, index), if is_on { "on" } else { "not on" });
                let mut settings = draft.settings().clone();
                let on = &mut settings.plants[index].on;
                on.retain(|other| other != name);
                if is_on {
                    on.push(name.clone());
                }
                // Can't fail: there are at most as many names as layers of the ground.
                drop(draft.set(label, settings));
            }
        }
    });
}

/// The name of a layer, or its number if it has none.
fn title(layer: &PlantLayer, index: usize) -> String {
    if layer.name.is_empty() { format!("Plants {}", index + 1) } else { layer.name.clone() }
}
