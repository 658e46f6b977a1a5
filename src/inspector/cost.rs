//! The text of the estimated cost of the draft.

use super::numbers::{grouped, megabytes, millions};
use super::style::{TEXT, small};
use super::widgets::Remarks;
use crate::chunk::LodCost;
use bevy_egui::egui::Ui;

/// Shows the estimated cost of the draft, at the end of the detail section.
pub(super) fn expected_cost(ui: &mut Ui, remarks: Remarks<'_>) {
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
        megabytes(cost)
    )
}

/// A short form of the cost, for the bar of a section.
pub(super) fn cost_in_short(cost: &LodCost) -> String {
    format!("{} chunks · {} triangles", grouped(cost.chunks), millions(cost.triangles))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cost_is_shown_with_rounded_numbers() {
        let mut cost = LodCost::default();
        (cost.chunks, cost.triangles) = (1182, 1_510_000);
        (cost.vertex_bytes, cost.index_bytes) = (25_000_000, 6_000_000);
        assert_eq!(preview(&cost), "These settings: 1 182 chunks, 1.51 M triangles, 31 MB for this viewer");
        assert_eq!(cost_in_short(&cost), "1 182 chunks · 1.51 M triangles");
    }
}
