//! Collapsible sections and the parameters in them.

use super::clipboard::note_hover;
use super::style::{FAINT, RAISED, RAISED_HOVERED, STRONG, WARNING, small};
use super::widgets::{Remarks, add_or_explain, id_of, parameter, small_button};
use crate::draft::{BAR, Draft, ListEdit, Row};
use crate::settings::TerrainSettings;
use bevy_egui::egui::collapsing_header::{CollapsingState, paint_default_icon};
use bevy_egui::egui::{
    Align, Align2, Button, CornerRadius, Direction, Frame, Label, Layout, Margin, Rect, RichText, Sense, TextStyle, Ui,
    UiBuilder, WidgetInfo, WidgetType, pos2, vec2,
};

/// Height of a section's bar, in points.
const BAR_HEIGHT: f32 = 26.0;

/// Draws the section of the item of a list at `item`: copy and paste work on the one under the pointer. Otherwise like [`section`].
pub(super) fn item_section(
    ui: &mut Ui,
    item: &str,
    id: &str,
    title: &str,
    open: bool,
    extra: impl FnOnce(&mut Ui),
    body: impl FnOnce(&mut Ui),
) {
    let top = ui.cursor().top();
    section(ui, id, title, open, extra, body);
    let rect = Rect::from_x_y_ranges(ui.max_rect().x_range(), top..=ui.min_rect().bottom());
    note_hover(ui, rect, item);
}

/// Draws a bar with a title that collapses `body`. `extra` draws at the right end of the bar, from right to left.
pub(super) fn section(
    ui: &mut Ui,
    path: &str,
    title: &str,
    open: bool,
    extra: impl FnOnce(&mut Ui),
    body: impl FnOnce(&mut Ui),
) {
    let mut state = CollapsingState::load_with_default_open(ui.ctx(), id_of(path), open);
    let (rect, bar) = ui.allocate_exact_size(vec2(ui.available_width(), BAR_HEIGHT), Sense::click());
    bar.widget_info(|| WidgetInfo::labeled(WidgetType::CollapsingHeader, ui.is_enabled(), title));
    let color = if bar.hovered() { RAISED_HOVERED } else { RAISED };
    ui.painter().rect_filled(rect, CornerRadius::same(4), color);
    let icon = Rect::from_center_size(rect.left_center() + vec2(12.0, 0.0), vec2(12.0, 12.0));
    paint_default_icon(ui, state.openness(ui.ctx()), &bar.clone().with_new_rect(icon));
    let font = TextStyle::Body.resolve(ui.style());
    let at = rect.left_center() + vec2(24.0, 0.0);
    let title = ui.painter().text(at, Align2::LEFT_CENTER, title, font, STRONG);
    if bar.clicked() {
        state.toggle(ui);
    }
    // Added after the bar, so that its buttons are on top and get the clicks.
    let rest = Rect::from_min_max(pos2(title.right() + 8.0, rect.top()), rect.max - vec2(6.0, 0.0));
    let layout = Layout::right_to_left(Align::Center);
    extra(&mut ui.new_child(UiBuilder::new().id_salt(path).max_rect(rest).layout(layout)));
    state.show_body_unindented(ui, |ui| {
        Frame::new().inner_margin(Margin { left: 8, right: 2, top: 0, bottom: 4 }).show(ui, |ui| {
            ui.set_width(ui.available_width());
            body(ui);
        });
    });
}

/// Draws parameters, one below the other.
pub(super) fn parameters<'a>(
    ui: &mut Ui,
    draft: &mut Draft<TerrainSettings>,
    rows: impl IntoIterator<Item = &'a Row>,
    remarks: Remarks<'_>,
) {
    for row in rows {
        if parameter(ui, draft, row, remarks) {
            draft.roll(&row.path);
        }
    }
}

/// Draws the buttons, the warnings and the `summary` in the bar of the layer at `path`. Returns the change that the user asks for.
pub(super) fn change_of_bar(ui: &mut Ui, path: &str, summary: &str, remarks: Remarks<'_>) -> Option<ListEdit> {
    let mut change = None;
    ui.spacing_mut().item_spacing.x = 1.0;
    for (index, wanted) in BAR.iter().enumerate() {
        if small_button(ui, wanted.symbol, wanted.help, remarks.checks.why_not(path, index)) {
            change = (wanted.of)(path);
        }
    }
    ui.add_space(4.0);
    let warnings = remarks.warnings_below(path);
    if !warnings.is_empty() {
        // The row with the warning may be collapsed.
        let mark = Label::new(RichText::new("⚠").color(WARNING)).selectable(false).sense(Sense::hover());
        ui.add(mark).on_hover_text(warnings.join("\n"));
    }
    ui.add(small(summary, FAINT).truncate().selectable(false));
    change
}

/// Draws the button that adds an item at the end of the list at `list`. Returns the edit if it was clicked.
pub(super) fn add_button(
    ui: &mut Ui,
    draft: &Draft<TerrainSettings>,
    list: &str,
    [text, help]: [&str; 2],
    remarks: Remarks<'_>,
) -> Option<ListEdit> {
    let layout = Layout::centered_and_justified(Direction::TopDown);
    let button = ui.allocate_ui_with_layout(vec2(ui.available_width(), 22.0), layout, |ui| {
        add_or_explain(ui, Button::new(text), help, remarks.checks.why_not_add(list))
    });
    ui.add_space(4.0);
    button.inner.clicked().then(|| ListEdit::add(draft.settings(), list, "")).flatten()
}
