//! The panel: header, file, map, sections and statistics. It edits the model and returns all other requests as actions.

use super::budget::budget_section;
use super::files::sanitize_file_name;
use super::graphs::history_graphs;
use super::map::map_ui;
use super::section::{all_sections, section};
use super::stats::{stats_bar, stats_ui};
use super::style::{self, BAD, EDITED, FAINT, GOOD, STRONG, small};
use super::widgets::Remarks;
use super::{InspectorModel, PanelAction, PanelInfo, PanelState};
use bevy_egui::egui::{Align, Button, Key, Layout, RichText, ScrollArea, TextEdit, Ui, vec2};

/// Draws the panel into `ui`, edits `model`, and returns the requested actions.
///
/// `model` is `None` until settings are loaded. Then the panel shows only the file, its problems, the map, the budget and the
/// statistics.
pub fn panel_ui(
    ui: &mut Ui,
    state: &mut PanelState,
    model: Option<&mut InspectorModel>,
    info: &PanelInfo,
) -> Vec<PanelAction> {
    let mut actions = Vec::new();
    style::apply(ui);
    style::scroll_margin().show(ui, |ui| {
        header(ui, model.as_deref(), info, &mut actions);
        file(ui, state, model.as_deref(), info, &mut actions);
        messages(ui, info);
    });
    ScrollArea::vertical().auto_shrink([false, false]).show(ui, |ui| {
        style::scroll_margin().show(ui, |ui| {
            ui.set_width(ui.available_width());
            section(ui, "map", "Map", true, |_| {}, |ui| map_ui(ui, state, info.map.as_ref()));
            match model {
                Some(model) => {
                    state.checks.update(model);
                    let (problems, expected_cost) = (&info.problems, info.expected_cost);
                    all_sections(ui, model, Remarks { problems, checks: &state.checks, expected_cost });
                }
                None => drop(ui.label(RichText::new("Waiting for settings").color(FAINT))),
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
            let (text, color, help) = match model.and_then(InspectorModel::is_edited) {
                Some(true) => ("edited", EDITED, "The settings differ from the file."),
                Some(false) => ("saved", GOOD, "The settings equal the file."),
                None if model.is_some() => ("no file", FAINT, "The settings were not loaded from a file."),
                None => ("", FAINT, ""),
            };
            if !text.is_empty() {
                ui.label(RichText::new(text).color(color)).on_hover_text(help);
            }
        });
    });
}

fn file(
    ui: &mut Ui,
    state: &mut PanelState,
    model: Option<&InspectorModel>,
    info: &PanelInfo,
    actions: &mut Vec<PanelAction>,
) {
    let edited = model.and_then(InspectorModel::is_edited) == Some(true);
    let selected = if info.file.is_empty() { "settings from code" } else { &info.file };
    let combo = style::combo("file").selected_text(selected).width(ui.available_width());
    let combo = combo.show_ui(ui, |ui| {
        for name in &info.files {
            if ui.selectable_label(*name == info.file, name).clicked() && *name != info.file {
                let open = PanelAction::Open(name.clone());
                if edited { state.unconfirmed = Some(open) } else { actions.push(open) }
            }
        }
        if info.files.is_empty() {
            ui.label(RichText::new("no other files").color(FAINT));
        }
    });
    if combo.response.on_hover_text("The settings files in this folder").clicked() {
        actions.push(PanelAction::ListFiles);
    }
    let why_not = info.cannot_save.clone().unwrap_or_default();
    ui.columns(3, |columns| {
        let button = |ui: &mut Ui, text: &str, enabled: bool, help: &str, why_not: &str| {
            let size = vec2(ui.available_width(), 22.0);
            let button = ui.add_enabled_ui(enabled, |ui| ui.add_sized(size, Button::new(text))).inner;
            button.on_hover_text(help).on_disabled_hover_text(why_not).clicked()
        };
        let can_save = info.cannot_save.is_none() && model.is_some();
        let help = "Save these settings to the file. Comments stay, and the old file is kept as .bak.";
        let clean = if can_save { "Nothing to save: the settings equal the file." } else { &why_not };
        if button(&mut columns[0], "💾 Save", can_save && edited, help, clean) {
            actions.push(PanelAction::Save);
        }
        let help = "Save these settings to a new file in the same folder, and switch to that file.";
        if button(&mut columns[1], "Save as…", can_save, help, &why_not) {
            state.save_as = if state.save_as.is_some() { None } else { Some(String::new()) };
        }
        let help = "Load the file again. Unsaved edits are lost.";
        let without = if info.file.is_empty() { "There is no file to reset to." } else { "There are no edits." };
        if button(&mut columns[2], "↺ Reset to file", edited && !info.file.is_empty(), help, without) {
            state.unconfirmed = Some(PanelAction::Reset);
        }
    });
    save_as(ui, state, actions);
    confirm(ui, state, edited, actions);
}

fn save_as(ui: &mut Ui, state: &mut PanelState, actions: &mut Vec<PanelAction>) {
    let Some(text) = &mut state.save_as else {
        return;
    };
    let mut done = false;
    ui.horizontal(|ui| {
        let width = ui.available_width() - 64.0;
        let field = ui.add(TextEdit::singleline(text).hint_text("name of the new file").desired_width(width));
        let name = sanitize_file_name(text);
        let enter = field.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
        let button = ui.add_enabled(name.is_some(), Button::new("Save").min_size(vec2(54.0, 0.0)));
        if let Some(name) = name
            && (button.on_hover_text(&name).clicked() || enter)
        {
            actions.push(PanelAction::SaveAs(name));
            done = true;
        }
    });
    if !text.is_empty()
        && let Some(name) = sanitize_file_name(text)
    {
        ui.add(small(&name, FAINT));
    }
    if done {
        state.save_as = None;
    }
}

fn confirm(ui: &mut Ui, state: &mut PanelState, edited: bool, actions: &mut Vec<PanelAction>) {
    let Some(action) = state.unconfirmed.clone() else {
        return;
    };
    if !edited {
        // The edits were saved or undone meanwhile, so the question is obsolete.
        state.unconfirmed = None;
        return;
    }
    style::raised_frame().show(ui, |ui| {
        ui.horizontal(|ui| {
            ui.label(RichText::new("Unsaved edits will be lost.").color(EDITED));
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                if ui.button("Keep").clicked() {
                    state.unconfirmed = None;
                }
                if ui.button("Discard").clicked() {
                    state.unconfirmed = None;
                    actions.push(action);
                }
            });
        });
    });
}

fn messages(ui: &mut Ui, info: &PanelInfo) {
    match &info.message {
        Some(Ok(text)) => drop(ui.add(small(text, GOOD).wrap())),
        Some(Err(text)) => drop(ui.add(small(text, BAD).wrap())),
        None => {}
    }
    if info.problems.is_empty() {
        return;
    }
    style::raised_frame().show(ui, |ui| {
        ui.set_width(ui.available_width());
        let title = if info.has_ground {
            "⚠ The terrain keeps its last valid settings"
        } else {
            "⚠ No terrain until the file is fixed"
        };
        ui.label(RichText::new(title).color(BAD));
        const MOST: usize = 5;
        for problem in info.problems.iter().take(MOST) {
            ui.add(small(&problem.to_string(), BAD).wrap());
        }
        if info.problems.len() > MOST {
            ui.add(small(&format!("and {} more, see the log", info.problems.len() - MOST), BAD));
        }
    });
}
