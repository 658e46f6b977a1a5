//! The file of settings: its name, its buttons, and its problems.

use super::panel_state::FileState;
use super::style::{self, BAD, EDITED, FAINT, GOOD, small};
use super::{FileAction, FileInfo};
use crate::draft::sanitize_file_name;
use crate::draft::{InspectedSettings, SettingsModel};
use bevy_egui::egui::{Align, Button, Key, Layout, RichText, TextEdit, Ui, vec2};

/// Draws a word for whether settings are saved; see [`SettingsModel::is_edited`].
pub(super) fn saved_label(ui: &mut Ui, is_edited: Option<bool>) {
    let (text, color, help) = match is_edited {
        Some(true) => ("edited", EDITED, "The settings differ from the file."),
        Some(false) => ("saved", GOOD, "The settings equal the file."),
        None => ("no file", FAINT, "The settings were not loaded from a file."),
    };
    ui.label(RichText::new(text).color(color)).on_hover_text(help);
}

/// Draws the name and the buttons of a file, and the result of the last action. Returns the requested actions.
pub(super) fn file_ui<T: InspectedSettings>(
    ui: &mut Ui,
    state: &mut FileState,
    model: Option<&SettingsModel<T>>,
    info: &FileInfo,
) -> Vec<FileAction> {
    let mut actions = Vec::new();
    let edited = model.and_then(SettingsModel::is_edited) == Some(true);
    let selected = if info.name.is_empty() { "settings from code" } else { &info.name };
    let combo = style::combo("file").selected_text(selected).width(ui.available_width());
    let combo = combo.show_ui(ui, |ui| {
        for name in &info.files {
            if ui.selectable_label(*name == info.name, name).clicked() && *name != info.name {
                let open = FileAction::Open(name.clone());
                if edited { state.unconfirmed = Some(open) } else { actions.push(open) }
            }
        }
        if info.files.is_empty() {
            ui.label(RichText::new("no other files").color(FAINT));
        }
    });
    if combo.response.on_hover_text("The settings files in this folder").clicked() {
        actions.push(FileAction::List);
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
            actions.push(FileAction::Save);
        }
        let help = "Save these settings to a new file in the same folder, and switch to that file.";
        if button(&mut columns[1], "Save as…", can_save, help, &why_not) {
            state.save_as = if state.save_as.is_some() { None } else { Some(String::new()) };
        }
        let help = "Load the file again. Unsaved edits are lost.";
        let without = if info.name.is_empty() { "There is no file to reset to." } else { "There are no edits." };
        if button(&mut columns[2], "↺ Reset to file", edited && !info.name.is_empty(), help, without) {
            state.unconfirmed = Some(FileAction::Reset);
        }
    });
    save_as::<T>(ui, state, &mut actions);
    confirm(ui, state, edited, &mut actions);
    match &info.message {
        Some(Ok(text)) => drop(ui.add(small(text, GOOD).wrap())),
        Some(Err(text)) => drop(ui.add(small(text, BAD).wrap())),
        None => {}
    }
    actions
}

fn save_as<T: InspectedSettings>(ui: &mut Ui, state: &mut FileState, actions: &mut Vec<FileAction>) {
    let Some(text) = &mut state.save_as else {
        return;
    };
    let mut done = false;
    ui.horizontal(|ui| {
        let width = ui.available_width() - 64.0;
        let field = ui.add(TextEdit::singleline(text).hint_text("name of the new file").desired_width(width));
        let name = sanitize_file_name::<T>(text);
        let enter = field.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
        let button = ui.add_enabled(name.is_some(), Button::new("Save").min_size(vec2(54.0, 0.0)));
        if let Some(name) = name
            && (button.on_hover_text(&name).clicked() || enter)
        {
            actions.push(FileAction::SaveAs(name));
            done = true;
        }
    });
    if !text.is_empty()
        && let Some(name) = sanitize_file_name::<T>(text)
    {
        ui.add(small(&name, FAINT));
    }
    if done {
        state.save_as = None;
    }
}

fn confirm(ui: &mut Ui, state: &mut FileState, edited: bool, actions: &mut Vec<FileAction>) {
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

/// Draws the first problems of a file below `title`, if it has any.
pub(super) fn problems_ui(ui: &mut Ui, title: &str, info: &FileInfo) {
    if info.problems.is_empty() {
        return;
    }
    style::raised_frame().show(ui, |ui| {
        ui.set_width(ui.available_width());
        ui.label(RichText::new(title).color(BAD));
        const MAX: usize = 5;
        for problem in info.problems.iter().take(MAX) {
            ui.add(small(&problem.to_string(), BAD).wrap());
        }
        if info.problems.len() > MAX {
            ui.add(small(&format!("and {} more, see the log", info.problems.len() - MAX), BAD));
        }
    });
}
