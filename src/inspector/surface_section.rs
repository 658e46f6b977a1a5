//! The layers of the ground in the panel.

use super::section::{add_button, change_of_bar, item_section, parameters, section};
use super::style::{FAINT, small};
use super::widgets::Remarks;
use crate::draft::{Draft, ListEdit, Row, SURFACE_LAYERS};
use crate::field::PlainRange;
use crate::look::SurfaceLayer;
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
    let (summary, ranges) = (summary(shown), shown.ranges());
    let mut change = None;
    let bar = |ui: &mut Ui| change = change_of_bar(ui, &path, &summary, remarks);
    item_section(ui, &path, &path, &title, false, bar, |ui| {
        let own = |parent: String| rows.iter().filter(move |row| parent_path(&row.path) == parent);
        parameters(ui, draft, own(path.clone()), remarks);
        for (name, range) in SurfaceLayer::RANGES.into_iter().zip(ranges) {
            let path = format!("{path}.{name}");
            let shown = in_short(range);
            let title = format!("{}{}", name[..1].to_uppercase(), &name[1..]);
            let bar = |ui: &mut Ui| {
                ui.add(small(&shown, FAINT).truncate().selectable(false));
            };
            section(ui, &path, &title, false, bar, |ui| parameters(ui, draft, own(path.clone()), remarks));
        }
    });
    change
}

/// A range in a few words, such as `from 780`.
fn in_short(range: PlainRange) -> String {
    let text = match (range.from.is_finite(), range.to.is_finite()) {
        (false, false) => "all".to_owned(),
        (true, false) => format!("from {}", range.from),
        (false, true) => format!("to {}", range.to),
        (true, true) => format!("{} to {}", range.from, range.to),
    };
    if range.invert { format!("not {text}") } else { text }
}

/// The texture of a layer and the names of its ranges: `snow · height, slope`.
fn summary(layer: &SurfaceLayer) -> String {
    let ranges = SurfaceLayer::RANGES.into_iter().zip(layer.ranges());
    let names: Vec<&str> = ranges.filter(|(_, range)| !range.is_everything()).map(|(name, _)| name).collect();
    let texture = format!("{:?}", layer.texture).to_lowercase();
    if names.is_empty() { texture } else { format!("{texture} · {}", names.join(", ")) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::look::{HeightRange, ReliefRange, SlopeRange};

    #[test]
    fn a_layer_of_the_ground_has_a_short_summary() {
        let mut layer = SurfaceLayer::default();
        assert_eq!(summary(&layer), "rock");
        layer.height = HeightRange { from: 780.0, ..HeightRange::default() };
        layer.slope = SlopeRange { from: 0.1, to: 0.7, ..SlopeRange::default() };
        layer.curvature = ReliefRange { to: 0.2, invert: true, ..ReliefRange::default() };
        assert_eq!(summary(&layer), "rock · height, slope, curvature");
        assert_eq!(
            layer.ranges()[..4].iter().map(|&range| in_short(range)).collect::<Vec<_>>(),
            ["from 780", "0.1 to 0.7", "all", "not to 0.2"]
        );
    }
}
