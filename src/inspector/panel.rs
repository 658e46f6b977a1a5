//! The panel: header, file, map, sections and statistics. It edits the model and returns all other requests as actions.

use super::all_sections::all_sections;
use super::budget::budget_section;
use super::file_ui::{file_ui, problems_ui, saved_label};
use super::graphs::history_graphs;
use super::light::light_section;
use super::map::map_ui;
use super::section::section;
use super::stats::{stats_bar, stats_ui};
use super::style::{self, FAINT, STRONG};
use super::widgets::Remarks;
use super::{PanelAction, PanelInfo, PanelState};
use crate::draft::{InspectorModel, SkyModel};
use bevy_egui::egui::{Align, Button, Layout, RichText, ScrollArea, Ui};

/// The models that the panel edits. `None` until the settings are loaded.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct PanelModels<'a> {
    /// The terrain.
    pub terrain: Option<&'a mut InspectorModel>,
    /// The light. The panel shows it if [`PanelInfo::sky`] has its file.
    pub sky: Option<&'a mut SkyModel>,
}

impl<'a> PanelModels<'a> {
    /// Adds the light.
    #[must_use]
    pub fn with_sky(mut self, sky: Option<&'a mut SkyModel>) -> Self {
        self.sky = sky;
        self
    }
}

impl<'a> From<Option<&'a mut InspectorModel>> for PanelModels<'a> {
    fn from(terrain: Option<&'a mut InspectorModel>) -> Self {
        Self { terrain, ..Self::default() }
    }
}

/// Draws the panel into `ui`, edits the models, and returns the requested actions.
///
/// Without the model of the terrain, the panel shows only the file, its problems, the map, the light, the budget and the
/// statistics.
pub fn panel_ui<'a>(
    ui: &mut Ui,
    state: &mut PanelState,
    models: impl Into<PanelModels<'a>>,
    info: &PanelInfo,
) -> Vec<PanelAction> {
    let PanelModels { terrain: model, sky } = models.into();
    let mut actions = Vec::new();
    style::apply(ui);
    style::scroll_margin().show(ui, |ui| {
        header(ui, model.as_deref(), info, &mut actions);
        actions.extend(file_ui(ui, &mut state.file, model.as_deref(), &info.file).into_iter().map(PanelAction::from));
        let title = if info.has_ground {
            "⚠ The terrain keeps its last valid settings"
        } else {
            "⚠ No terrain until the file is fixed"
        };
        problems_ui(ui, title, &info.file);
    });
    ScrollArea::vertical().auto_shrink([false, false]).show(ui, |ui| {
        style::scroll_margin().show(ui, |ui| {
            ui.set_width(ui.available_width());
            section(ui, "map", "Map", true, |_| {}, |ui| map_ui(ui, state, info.map.as_ref()));
            match model {
                Some(model) => {
                    state.checks.update(model);
                    let (problems, expected_cost) = (&info.file.problems, info.expected_cost);
                    all_sections(ui, model, Remarks { problems, checks: &state.checks, expected_cost });
                }
                None => drop(ui.label(RichText::new("Waiting for settings").color(FAINT))),
            }
            if let Some(file) = &info.sky {
                actions.extend(light_section(ui, &mut state.sky, sky, file).into_iter().map(PanelAction::Sky));
            }
            actions.extend(budget_section(ui, &info.budget).map(PanelAction::SetBudget));
            let bar = |ui: &mut Ui| stats_bar(ui, &info.stats);
            section(ui, "stats", "Statistics", false, bar, |ui| {
                history_graphs(ui, &info.history);
                stats_ui(ui, &info.stats);
            });
        });
    });
    actions
}

fn header(ui: &mut Ui, model: Option<&InspectorModel>, info: &PanelInfo, actions: &mut Vec<PanelAction>) {
    ui.horizontal(|ui| {
        ui.label(RichText::new("Terrain").heading().color(STRONG));
        if info.terrains.len() > 1 {
            let name_of = |entity| info.terrains.iter().find(|(other, _)| Some(*other) == entity);
            let selected = name_of(info.terrain).map_or("", |(_, name)| name.as_str());
            style::combo("terrain").selected_text(selected).width(110.0).show_ui(ui, |ui| {
                for (entity, name) in &info.terrains {
                    if ui.selectable_label(Some(*entity) == info.terrain, name).clicked() {
                        actions.push(PanelAction::Select(*entity));
                    }
                }
            });
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if ui.add(Button::new("✖").frame(false)).on_hover_text("Close").clicked() {
                actions.push(PanelAction::Close);
            }
            if let Some(model) = model {
                saved_label(ui, model.is_edited());
            }
        });
    });
}
