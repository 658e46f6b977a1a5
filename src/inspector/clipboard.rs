//! Copy and paste of items of lists and of whole files, and the keys of the panel.

use super::actions::PanelAction;
use crate::draft::Draft;
use crate::settings::{SettingsProblem, TerrainSettings, joined};
use bevy_egui::egui::{Context, Event, Id, Key, Modifiers, Rect, Ui};

/// The item of a list under the pointer, and the pass of egui in which it was found.
#[derive(Clone, Debug, Default)]
struct Hovered {
    pass: u64,
    item: String,
}

fn hovered_id() -> Id {
    Id::new("terrain inspector hovered item")
}

/// Remembers the item at `path` if the pointer is in its rectangle. Of items in one another, the inner one is drawn first.
pub(super) fn note_hover(ui: &Ui, rect: Rect, path: &str) {
    if !ui.rect_contains_pointer(rect) {
        return;
    }
    let pass = ui.ctx().cumulative_pass_nr();
    ui.data_mut(|data| {
        let hovered: &mut Hovered = data.get_temp_mut_or_default(hovered_id());
        if hovered.pass != pass {
            *hovered = Hovered { pass, item: path.to_owned() };
        }
    });
}

/// The item under the pointer in this pass. Call it after the lists are drawn.
fn hovered_item(context: &Context) -> Option<String> {
    let pass = context.cumulative_pass_nr();
    let hovered: Option<Hovered> = context.data(|data| data.get_temp(hovered_id()));
    hovered.filter(|hovered| hovered.pass == pass).map(|hovered| hovered.item)
}

/// Copies the item under the pointer, or pastes after it. Returns why a text can't be pasted.
pub(super) fn copy_and_paste(ui: &Ui, draft: &mut Draft<TerrainSettings>) -> Option<Vec<SettingsProblem>> {
    let context = ui.ctx();
    if context.text_edit_focused() {
        return None;
    }
    let item = hovered_item(context);
    let is_over_panel = ui.rect_contains_pointer(ui.max_rect());
    let (mut copies, mut pasted, mut is_after_v) = (false, None, false);
    context.input(|input| {
        for event in &input.events {
            match event {
                Event::Copy => copies = true,
                Event::Paste(text) => pasted = Some(text.clone()),
                // On a desktop, a paste is the key, and then the text itself.
                Event::Key { key: Key::V, pressed: true, modifiers, .. } => {
                    is_after_v = modifiers.matches_exact(Modifiers::COMMAND);
                }
                Event::Text(text) if is_after_v => pasted = Some(text.clone()),
                _ => {}
            }
        }
    });
    if copies && let Some(text) = item.as_deref().and_then(|item| draft.copy(item)) {
        context.copy_text(text);
    }
    let pasted = pasted.filter(|_| is_over_panel);
    pasted.and_then(|text| draft.paste(item.as_deref(), &text).err())
}

/// The problems of a text that was pasted.
pub(super) fn refusal(problems: &[SettingsProblem]) -> String {
    format!("Not pasted: {}", joined(problems, "; "))
}

/// The actions of the keys that are pressed, unless a text has the focus.
pub(super) fn actions_of_keys(context: &Context, save: &PanelAction) -> Vec<PanelAction> {
    if context.text_edit_focused() {
        return Vec::new();
    }
    let undo_again = Modifiers::COMMAND | Modifiers::SHIFT;
    let keys = [
        (undo_again, Key::Z, &PanelAction::Redo),
        (Modifiers::COMMAND, Key::Y, &PanelAction::Redo),
        (Modifiers::COMMAND, Key::Z, &PanelAction::Undo),
        (Modifiers::COMMAND, Key::S, save),
    ];
    context.input_mut(|input| {
        let mut actions = Vec::new();
        input.events.retain(|event| {
            let Event::Key { key, modifiers, pressed: true, .. } = event else { return true };
            // Exactly these: other keys may be those of the game.
            let found = keys.iter().find(|(with, wanted, _)| wanted == key && modifiers.matches_exact(*with));
            actions.extend(found.map(|(.., action)| (*action).clone()));
            found.is_none()
        });
        actions
    })
}
