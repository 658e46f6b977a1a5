//! All settings in their sections.

use super::cost::{cost_in_short, expected_cost};
use super::layer_section::{LAYERS, layer_list};
use super::section::{parameters, section};
use super::style::{FAINT, small};
use super::surface_section::surface_layers;
use super::widgets::Remarks;
use crate::draft::InspectorModel;
use crate::draft::is_of_surface;
use crate::param::parent_path;
use bevy_egui::egui::Ui;

/// The path of the level-of-detail section. It also shows the estimated cost.
const DETAIL: &str = "lod";

/// Draws all parameters in their sections.
pub(super) fn all_sections(ui: &mut Ui, model: &mut InspectorModel, remarks: Remarks<'_>) {
    let rows = model.rows();
    // Group consecutive rows by parent: `field`, `chunks`, ... Layers follow the parameters of the field.
    for group in rows.chunk_by(|a, b| parent_path(&a.path) == parent_path(&b.path)) {
        let path = group.first().map_or("", |row| parent_path(&row.path));
        if path.starts_with(LAYERS) || is_of_surface(path) {
            continue;
        }
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
        match path {
            "field" => layer_list(ui, model, &rows, LAYERS, remarks),
            "look" => surface_layers(ui, model, &rows, remarks),
            _ => {}
        }
    }
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
}
