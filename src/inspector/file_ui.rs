//! The file of settings: its name, its buttons, its history, and its problems.

use super::actions::FileAction;
use super::info::FileInfo;
use super::style::{self, BAD, EDITED, FAINT, GOOD, small};
use crate::draft::{Draft, EditableSettings, FileNews, sanitize_file_name};
use bevy_egui::egui::{Align, Button, Key, Layout, RichText, ScrollArea, TextEdit, Ui, vec2};

/// The state of the buttons of a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct FileState {
    /// The name typed for *save as*, while its field is open.
    save_as: Option<String>,
}

/// Draws a word for whether settings are saved; see [`Draft::is_edited`].
pub(super) fn saved_label(ui: &mut Ui, is_edited: Option<bool>) {
    let (text, color, help) = match is_edited {
        Some(true) => ("edited", EDITED, "The settings differ from the file."),
        Some(false) => ("saved", GOOD, "The settings equal the file."),
        None => ("no file", FAINT, "The settings were not loaded from a file."),
    };
    ui.label(RichText::new(text).color(color)).on_hover_text(help);
}

/// Draws the name and the buttons of a file, and the result of the last action. Returns the requested actions.
pub(super) fn file_ui<T: EditableSettings>(
    ui: &mut Ui,
    state: &mut FileState,
    draft: Option<&mut Draft<T>>,
    info: &FileInfo,
) -> Vec<FileAction> {
    let mut actions = Vec::new();
    file_list(ui, info, &mut actions);
    let edited = draft.as_deref().and_then(Draft::is_edited) == Some(true);
    let why_not = info.cannot_save.clone().unwrap_or_default();
    ui.columns(3, |columns| {
        let can_save = info.cannot_save.is_none() && draft.is_some();
        let help = "Save these settings to the file. Comments stay, and the old file is kept as .bak.";
        let clean = if can_save { "Nothing to save: the settings equal the file." } else { &why_not };
        if button(&mut columns[0], "💾 Save", can_save && edited, help, clean) {
            actions.push(FileAction::Save);
        }
        let help = "Save these settings to a new file in the same folder, and switch to that file.";
        if button(&mut columns[1], "Save as…", can_save, help, &why_not) {
            state.save_as = if state.save_as.is_some() { None } else { Some(String::new()) };
        }
        let help = "Set all settings to those of the file. Can be undone.";
        let without = if info.name.is_empty() { "There is no file to reset to." } else { "There are no edits." };
        if button(&mut columns[2], "↺ Reset to file", edited && !info.name.is_empty(), help, without) {
            actions.push(FileAction::Reset);
        }
    });
    save_as::<T>(ui, state, &mut actions);
    if let Some(draft) = draft.as_deref() {
        history_ui(ui, draft, &mut actions);
    }
    if info.has_recovery {
        recovery_ui(ui, &mut actions);
    }
    if let Some(draft) = draft
        && let Some(news) = draft.news().cloned()
    {
        news_ui(ui, draft, &news, &mut actions);
    }
    match &info.message {
        Some(Ok(text)) => drop(ui.add(small(text, GOOD).wrap())),
        Some(Err(text)) => drop(ui.add(small(text, BAD).wrap())),
        None => {}
    }
    actions
}

/// Draws a wide button. It is off with the reason `why_not`. Returns whether it was clicked.
fn button(ui: &mut Ui, text: &str, enabled: bool, help: &str, why_not: &str) -> bool {
    let size = vec2(ui.available_width(), 22.0);
    let button = ui.add_enabled_ui(enabled, |ui| ui.add_sized(size, Button::new(text))).inner;
    button.on_hover_text(help).on_disabled_hover_text(why_not).clicked()
}

/// Draws the list of the files in the folder. Those with unsaved edits have a mark.
fn file_list(ui: &mut Ui, info: &FileInfo, actions: &mut Vec<FileAction>) {
    let selected = if info.name.is_empty() { "settings from code" } else { &info.name };
    let combo = style::combo("file").selected_text(selected).width(ui.available_width());
    let combo = combo.show_ui(ui, |ui| {
        for name in &info.files {
            let is_edited = info.edited.contains(name) && *name != info.name;
            let text = if is_edited { format!("{name} (edited)") } else { name.clone() };
            if ui.selectable_label(*name == info.name, text).clicked() && *name != info.name {
                actions.push(FileAction::Open(name.clone()));
            }
        }
        if info.files.is_empty() {
            ui.label(RichText::new("no other files").color(FAINT));
        }
    });
    let help = "The settings files in this folder. Edits stay when you open another one.";
    if combo.response.on_hover_text(help).clicked() {
        actions.push(FileAction::List);
    }
}

/// Draws the buttons that undo, redo, jump in the history, and copy the file.
fn history_ui<T: EditableSettings>(ui: &mut Ui, draft: &Draft<T>, actions: &mut Vec<FileAction>) {
    let history = draft.history();
    let labels: Vec<&str> = history.labels().collect();
    let done = history.done();
    ui.columns(4, |columns| {
        let undone = done.checked_sub(1).and_then(|last| labels.get(last));
        let help = undone.map(|label| format!("Undo: {label}")).unwrap_or_default();
        if button(&mut columns[0], "⟲ Undo", undone.is_some() || draft.is_editing(), &help, "There are no edits.") {
            actions.push(FileAction::Undo);
        }
        let redone = labels.get(done);
        let help = redone.map(|label| format!("Redo: {label}")).unwrap_or_default();
        if button(&mut columns[1], "⟳ Redo", redone.is_some(), &help, "Nothing was undone.") {
            actions.push(FileAction::Redo);
        }
        columns[2].add_enabled_ui(!labels.is_empty(), |ui| {
            let menu = ui.menu_button("History", |ui| {
                ScrollArea::vertical().max_height(320.0).stick_to_bottom(true).show(ui, |ui| {
                    if ui.selectable_label(done == 0, "Before all edits").clicked() {
                        actions.push(FileAction::Jump(0));
                    }
                    for (index, label) in labels.iter().enumerate() {
                        let color = if index < done { style::TEXT } else { FAINT };
                        let label = RichText::new(*label).color(color);
                        if ui.selectable_label(index + 1 == done, label).clicked() {
                            actions.push(FileAction::Jump(index + 1));
                        }
                    }
                });
            });
            menu.response.on_hover_text("All edits. Click one to go back or forward to it.");
        });
        let help = "Copy the whole file as text, with these settings.";
        if button(&mut columns[3], "Copy all", true, help, "") {
            columns[3].ctx().copy_text(draft.copy_all());
        }
    });
}

/// Offers the edits that the last run left behind.
fn recovery_ui(ui: &mut Ui, actions: &mut Vec<FileAction>) {
    style::raised_frame().show(ui, |ui| {
        ui.horizontal(|ui| {
            ui.label(RichText::new("The last run ended with unsaved edits.").color(EDITED));
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                if ui.button("Discard").clicked() {
                    actions.push(FileAction::Discard);
                }
                if ui.button("Restore").clicked() {
                    actions.push(FileAction::Restore);
                }
            });
        });
    });
}

/// Says what a changed file did to the draft.
fn news_ui<T: EditableSettings>(ui: &mut Ui, draft: &mut Draft<T>, news: &FileNews, actions: &mut Vec<FileAction>) {
    style::raised_frame().show(ui, |ui| {
        ui.set_width(ui.available_width());
        if let Some(why) = &news.refused {
            let text = "The file has changed, and its changes don't go with your edits. Yours are as they were.";
            ui.add(small(text, EDITED).wrap());
            ui.add(small(why, FAINT).wrap());
            ui.horizontal(|ui| {
                if ui.button("Take the file").on_hover_text("Can be undone").clicked() {
                    actions.push(FileAction::Reset);
                }
                if ui.button("Keep mine").clicked() {
                    draft.dismiss_news();
                }
            });
            return;
        }
        ui.horizontal(|ui| {
            ui.label(RichText::new("The file has changed.").color(EDITED));
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                if ui.button("OK").clicked() {
                    draft.dismiss_news();
                }
            });
        });
        for (title, list) in [("Taken", &news.taken), ("Kept as edited here", &news.kept)] {
            const MAX: usize = 5;
            if !list.is_empty() {
                let more = list.len().saturating_sub(MAX);
                let more = if more > 0 { format!(", and {more} more") } else { String::new() };
                let text = format!("{title}: {}{more}", list[..list.len().min(MAX)].join(", "));
                ui.add(small(&text, FAINT).wrap());
            }
        }
    });
}

fn save_as<T: EditableSettings>(ui: &mut Ui, state: &mut FileState, actions: &mut Vec<FileAction>) {
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
