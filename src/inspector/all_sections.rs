//! All settings in their sections.

use super::edit_section::edit_list;
use super::layer_section::layer_list;
use super::plant_section::plant_layers;
use super::section::{parameters, section};
use super::stats::{grouped, megabytes, millions};
use super::style::{FAINT, TEXT, small};
use super::surface_section::surface_layers;
use super::widgets::Remarks;
use crate::chunk::LodCost;
use crate::draft::{Draft, EDITS, LAYERS, PLANTS, SURFACE_LAYERS};
use crate::param::parent_path;
use crate::settings::TerrainSettings;
use bevy_egui::egui::Ui;

/// The path of the level-of-detail section. It also shows the estimated cost.
const DETAIL: &str = "lod";

/// Draws all parameters in their sections.
///
/// `viewer` is the position of the first viewer: x and z in the terrain's coordinates, in metres.
pub(super) fn all_sections(
    ui: &mut Ui,
    draft: &mut Draft<TerrainSettings>,
    remarks: Remarks<'_>,
    viewer: Option<[f64; 2]>,
) {
    let rows = draft.rows();
    // Group consecutive rows by parent: `field`, `chunks`, ... Layers follow the parameters of the field.
    for group in rows.chunk_by(|a, b| parent_path(&a.path) == parent_path(&b.path)) {
        let path = group.first().map_or("", |row| parent_path(&row.path));
        if [LAYERS, EDITS, SURFACE_LAYERS, PLANTS].iter().any(|list| path.starts_with(list)) {
            continue;
        }
        let cost = remarks.expected_cost.filter(|_| path == DETAIL);
        let bar = |ui: &mut Ui| {
            if let Some(cost) = &cost {
                ui.add(small(&cost_in_short(cost), FAINT).truncate().selectable(false));
            }
        };
        section(ui, path, &title(path), path == "field", bar, |ui| {
            parameters(ui, draft, group, remarks);
            if path == DETAIL {
                expected_cost(ui, remarks);
            }
        });
        match path {
            "field" => {
                layer_list(ui, draft, &rows, LAYERS, remarks);
                edit_list(ui, draft, &rows, remarks, viewer);
            }
            "look" => {
                surface_layers(ui, draft, &rows, remarks);
                plant_layers(ui, draft, &rows, remarks);
            }
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

/// Shows the estimated cost of the draft, at the end of the detail section.
fn expected_cost(ui: &mut Ui, remarks: Remarks<'_>) {
    if let Some(cost) = remarks.expected_cost {
        ui.add(small(&preview(&cost), TEXT).wrap()).on_hover_text(
            "Estimate for the first viewer after all its chunks are loaded: drawn chunks and triangles, and the memory of all loaded \
             chunks. Ground that is rougher than the samples costs more.",
        );
    }
}

fn preview(cost: &LodCost) -> String {
    format!(
        "These settings: {} chunks, {} triangles, {} for this viewer",
        grouped(cost.chunks),
        millions(cost.triangles),
        megabytes(cost.megabytes())
    )
}

/// A short form of the cost, for the bar of a section.
fn cost_in_short(cost: &LodCost) -> String {
    format!("{} chunks · {} triangles", grouped(cost.chunks), millions(cost.triangles))
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
    fn a_cost_is_shown_with_rounded_numbers() {
        let mut cost = LodCost::default();
        (cost.chunks, cost.triangles) = (1182, 1_510_000);
        cost.bytes = 31_000_000;
        assert_eq!(preview(&cost), "These settings: 1 182 chunks, 1.51 M triangles, 31 MB for this viewer");
        assert_eq!(cost_in_short(&cost), "1 182 chunks · 1.51 M triangles");
    }
}
