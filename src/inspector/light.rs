//! The section of the light.

use super::actions::FileAction;
use super::file_ui::{FileState, file_ui, problems_ui, saved_label};
use super::info::FileInfo;
use super::section::section;
use super::style::{BAD, FAINT, small};
use super::widgets::{Remarks, parameter};
use crate::draft::{Checks, Draft};
use crate::light::SkySettings;
use bevy_egui::egui::Ui;

/// Draws the section, edits the draft, and returns the requested actions.
pub(super) fn light_section(
    ui: &mut Ui,
    state: &mut FileState,
    draft: Option<&mut Draft<SkySettings>>,
    info: &FileInfo,
) -> Vec<FileAction> {
    let mut actions = Vec::new();
    let is_edited = draft.as_deref().and_then(Draft::is_edited);
    let bar = |ui: &mut Ui| {
        if !info.problems.is_empty() {
            ui.add(small("⚠ broken file", BAD).selectable(false));
        }
        if is_edited == Some(true) {
            saved_label(ui, is_edited);
        }
    };
    section(ui, "sky", "Light", false, bar, |ui| {
        let mut draft = draft;
        actions = file_ui(ui, state, draft.as_deref_mut(), info);
        let title = match &draft {
            Some(_) => "⚠ The light keeps its last valid settings",
            None => "⚠ The default light, until the file is fixed",
        };
        problems_ui(ui, title, info);
        if let Some(draft) = draft {
            let (checks, problems) = (Checks::default(), &info.problems);
            let remarks = Remarks { problems, checks: &checks, expected_cost: None, plant_costs: &[] };
            for row in draft.rows().iter() {
                parameter(ui, draft, row, remarks);
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
