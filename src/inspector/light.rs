//! The section of the light.

use super::file_ui::{file_ui, problems_ui, saved_label};
use super::panel_state::FileState;
use super::section::section;
use super::style::{BAD, FAINT, small};
use super::widgets::{Remarks, parameter};
use super::{FileAction, FileInfo};
use crate::draft::DraftChecks;
use crate::draft::SkyModel;
use bevy_egui::egui::Ui;

/// Draws the section, edits the model, and returns the requested actions.
pub(super) fn light_section(
    ui: &mut Ui,
    state: &mut FileState,
    model: Option<&mut SkyModel>,
    info: &FileInfo,
) -> Vec<FileAction> {
    let mut actions = Vec::new();
    let is_edited = model.as_deref().and_then(SkyModel::is_edited);
    let bar = |ui: &mut Ui| {
        if !info.problems.is_empty() {
            ui.add(small("⚠ broken file", BAD).selectable(false));
        }
        if is_edited == Some(true) {
            saved_label(ui, is_edited);
        }
    };
    section(ui, "sky", "Light", false, bar, |ui| {
        actions = file_ui(ui, state, model.as_deref(), info);
        let title = match &model {
            Some(_) => "⚠ The light keeps its last valid settings",
            None => "⚠ The default light, until the file is fixed",
        };
        problems_ui(ui, title, info);
        if let Some(model) = model {
            let (checks, problems) = (DraftChecks::default(), &info.problems);
            let remarks = Remarks { problems, checks: &checks, expected_cost: None };
            for row in model.rows() {
                parameter(ui, model, &row, remarks);
            }
        } else if info.name.is_empty() {
            let text = "This camera has the default light. Give its TerrainSky a file to change it.";
            ui.add(small(text, FAINT).wrap());
        } else if info.problems.is_empty() {
            ui.add(small("Waiting for settings", FAINT));
        }
    });
    actions
}
