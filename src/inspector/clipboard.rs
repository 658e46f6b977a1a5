//! Copy and paste of items of lists and of whole files, and the keys of the panel.

use super::actions::PanelAction;
use crate::draft::Draft;
use crate::settings::{SettingsProblem, TerrainSettings, joined};
use bevy_egui::egui::{Context, Event, Id, Key, KeyboardShortcut, Modifiers, Rect, Ui};

const UNDO: KeyboardShortcut = KeyboardShortcut::new(Modifiers::COMMAND, Key::Z);
const REDO: [KeyboardShortcut; 2] = [
    KeyboardShortcut::new(Modifiers::COMMAND.plus(Modifiers::SHIFT), Key::Z),
    KeyboardShortcut::new(Modifiers::COMMAND, Key::Y),
];
const SAVE: KeyboardShortcut = KeyboardShortcut::new(Modifiers::COMMAND, Key::S);

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
    let (mut copies, mut pasted) = (false, None);
    context.input(|input| {
        for event in &input.events {
            match event {
                Event::Copy => copies = true,
                Event::Paste(text) => pasted = Some(text.clone()),
                // On a desktop, a paste comes as the text itself.
                Event::Text(text) if input.modifiers.command => pasted = Some(text.clone()),
                _ => {}
            }
        }
    });
    if copies && let Some(text) = item.as_deref().and_then(|item| draft.copy(item)) {
        context.copy_text(text);
    }
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
    context.input_mut(|input| {
        let mut actions = Vec::new();
        // First, because the other one would match too.
        if REDO.iter().any(|redo| input.consume_shortcut(redo)) {
            actions.push(PanelAction::Redo);
        }
        if input.consume_shortcut(&UNDO) {
            actions.push(PanelAction::Undo);
        }
        if input.consume_shortcut(&SAVE) {
            actions.push(save.clone());
        }
        actions
    })
}
