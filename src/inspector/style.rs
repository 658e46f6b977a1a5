//! Colors and sizes of the panel.

use bevy_egui::egui::style::StyleModifier;
use bevy_egui::egui::{
    Color32, ComboBox, CornerRadius, FontFamily, FontId, Frame, Label, Margin, RichText, Stroke, Style, TextStyle, Ui,
    Visuals, vec2,
};

/// Width of the panel, in points.
pub(super) const PANEL_WIDTH: f32 = 360.0;
/// Width of the names of parameters, in points.
pub(super) const LABEL_WIDTH: f32 = 112.0;
/// Width of a number, in points.
pub(super) const VALUE_WIDTH: f32 = 84.0;
/// Height of a row, in points.
pub(super) const ROW_HEIGHT: f32 = 20.0;

pub(super) const BACKGROUND: Color32 = Color32::from_rgb(24, 27, 30);
pub(super) const RAISED: Color32 = Color32::from_rgb(36, 41, 45);
/// A section's bar under the pointer.
pub(super) const RAISED_HOVERED: Color32 = Color32::from_rgb(44, 50, 55);
pub(super) const TEXT: Color32 = Color32::from_rgb(206, 211, 214);
pub(super) const STRONG: Color32 = Color32::from_rgb(242, 244, 245);
pub(super) const FAINT: Color32 = Color32::from_rgb(138, 147, 152);
pub(super) const ACCENT: Color32 = Color32::from_rgb(84, 152, 116);
/// Values that differ from the file.
pub(super) const EDITED: Color32 = Color32::from_rgb(236, 190, 106);
pub(super) const GOOD: Color32 = Color32::from_rgb(128, 200, 148);
/// Values that are allowed but look wrong.
pub(super) const WARNING: Color32 = Color32::from_rgb(240, 226, 98);
pub(super) const BAD: Color32 = Color32::from_rgb(250, 122, 108);

/// The panel's own frame.
pub(super) fn panel_frame() -> Frame {
    Frame::new().fill(BACKGROUND).inner_margin(Margin { left: 10, right: 0, top: 10, bottom: 10 })
}

/// Leaves room at the right for the floating scroll bar.
pub(super) fn scroll_margin() -> Frame {
    Frame::new().inner_margin(Margin { right: 10, ..Margin::ZERO })
}

/// A box with rounded corners.
pub(super) fn raised_frame() -> Frame {
    Frame::new().fill(RAISED).corner_radius(CornerRadius::same(4)).inner_margin(Margin::symmetric(6, 3))
}

/// Applies the panel's style to `ui` only. A game's own egui windows keep their style.
pub(super) fn apply(ui: &mut Ui) {
    set_style(ui.style_mut());
}

/// Sets the style of the panel. Popups need it separately, because they do not inherit the style of their `Ui`.
pub(super) fn set_style(style: &mut Style) {
    let font = |size| FontId::new(size, FontFamily::Proportional);
    style.text_styles = [
        (TextStyle::Heading, font(17.0)),
        (TextStyle::Body, font(13.0)),
        (TextStyle::Button, font(13.0)),
        (TextStyle::Small, font(11.0)),
        (TextStyle::Monospace, FontId::new(12.0, FontFamily::Monospace)),
    ]
    .into();
    style.spacing.item_spacing = vec2(6.0, 4.0);
    style.spacing.button_padding = vec2(6.0, 2.0);
    style.spacing.interact_size = vec2(28.0, ROW_HEIGHT);
    style.spacing.slider_rail_height = 5.0;
    let mut visuals = Visuals::dark();
    visuals.panel_fill = BACKGROUND;
    visuals.extreme_bg_color = Color32::from_rgb(14, 16, 18);
    visuals.selection.bg_fill = ACCENT;
    visuals.selection.stroke = Stroke::new(1.0, STRONG);
    visuals.slider_trailing_fill = true;
    visuals.widgets.noninteractive.fg_stroke = Stroke::new(1.0, TEXT);
    visuals.widgets.noninteractive.bg_stroke = Stroke::new(1.0, Color32::from_rgb(52, 58, 63));
    visuals.widgets.inactive.fg_stroke = Stroke::new(1.0, TEXT);
    visuals.widgets.inactive.weak_bg_fill = Color32::from_rgb(48, 54, 59);
    visuals.widgets.inactive.bg_fill = Color32::from_rgb(58, 65, 70);
    visuals.widgets.hovered.weak_bg_fill = Color32::from_rgb(64, 72, 78);
    visuals.widgets.active.weak_bg_fill = Color32::from_rgb(74, 84, 90);
    let widgets = &mut visuals.widgets;
    for widget in [&mut widgets.inactive, &mut widgets.hovered, &mut widgets.active, &mut widgets.open] {
        widget.corner_radius = CornerRadius::same(4);
        widget.expansion = 0.0;
    }
    style.visuals = visuals;
}

/// A line of small text.
pub(super) fn small(text: &str, color: Color32) -> Label {
    Label::new(RichText::new(text).small().color(color))
}

/// A drop-down list in the style of the panel.
pub(super) fn combo(id: &str) -> ComboBox {
    ComboBox::from_id_salt(id).popup_style(StyleModifier::new(set_style))
}
