//! The row of a parameter: its name, its widget, and its error or warning.

use super::style::{self, BAD, EDITED, FAINT, LABEL_WIDTH, ROW_HEIGHT, TEXT, VALUE_WIDTH, WARNING};
use crate::chunk::LodCost;
use crate::draft::{Checks, Draft, EditableSettings, Row};
use crate::param::{Param, ParamValue, Scale};
use crate::plants::PlantCost;
use crate::settings::{SettingsProblem, SettingsWarning};
use bevy_egui::egui::{
    self, Align, Button, DragValue, Id, Label, Layout, Response, RichText, Sense, Slider, SliderClamping, TextEdit, Ui,
    vec2,
};
use std::cell::RefCell;

/// Problems, warnings and costs that the rows show.
#[derive(Clone, Copy)]
pub(super) struct Remarks<'a> {
    /// Problems of the file or of a value.
    pub problems: &'a [SettingsProblem],
    /// Warnings about the draft, and what can't be changed in it.
    pub checks: &'a Checks,
    /// The estimated cost of the draft. `None` until it is known.
    pub expected_cost: Option<LodCost>,
    /// The estimated cost of each layer of plants. Empty until it is known.
    pub plant_costs: &'a [PlantCost],
}

impl<'a> Remarks<'a> {
    /// The problem of the parameter at `path`, without the path.
    fn problem(&self, path: &str) -> Option<String> {
        self.problems.iter().find(|problem| problem.path == path).map(SettingsProblem::without_path)
    }

    /// The warning about the parameter at `path`, without the path.
    fn warning(&self, path: &str) -> Option<&'a str> {
        self.checks.warnings.iter().find(|warning| warning.path == path).map(|warning| warning.message.as_str())
    }

    /// The warnings about the parameters of the layer at `path`, without their paths.
    pub fn warnings_below(&self, path: &str) -> Vec<&'a str> {
        // The layers of a group have bars of their own.
        let is_own = |warning: &&SettingsWarning| {
            let rest = warning.path.strip_prefix(path);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.') && !rest.contains("layers["))
        };
        let below = self.checks.warnings.iter().filter(is_own);
        below.map(|warning| warning.message.as_str()).collect()
    }
}

/// Draws the row of a parameter and edits the draft. Returns whether its dice button was clicked.
pub(super) fn parameter<T: EditableSettings>(
    ui: &mut Ui,
    draft: &mut Draft<T>,
    row: &Row,
    remarks: Remarks<'_>,
) -> bool {
    let mut is_rolled = false;
    let (problem, warning) = (remarks.problem(&row.path), remarks.warning(&row.path));
    let color = if draft.refusal(&row.path).is_some() || problem.is_some() {
        BAD
    } else if warning.is_some() {
        WARNING
    } else if row.in_file.is_some() {
        EDITED
    } else {
        TEXT
    };
    let texts = match row.value {
        ParamValue::Text(_) => draft.settings().texts_for(&row.path),
        _ => None,
    };
    match row_of(ui, row, color, texts.as_deref()) {
        // The draft keeps the refusal, and the code below shows it.
        Some(Edit::Value(value)) => drop(draft.edit(&row.path, value)),
        Some(Edit::InvalidText(text)) => draft.refuse_text(&row.path, &text),
        Some(Edit::Dice) => is_rolled = true,
        None => {}
    }
    if let Some(refusal) = draft.refusal(&row.path) {
        let text = format!("{} is refused, allowed: {}", refusal.found, refusal.allowed);
        let note = note(ui, &text, BAD).on_hover_text("Click to dismiss. The value above stays.");
        if note.interact(Sense::click()).clicked() {
            draft.dismiss_refusal(&row.path);
        }
    } else if let Some(problem) = problem {
        note(ui, &problem, BAD);
    } else if let Some(warning) = warning {
        note(ui, &format!("⚠ {warning}"), WARNING);
    }
    if let Some(now) = draft.value_by_game(row) {
        let unit = if row.param.unit.is_empty() { String::new() } else { format!(" {}", row.param.unit) };
        let text = format!("now {now}{unit}, by the game");
        let help = "The game has changed this value since the last edit here. It is not saved. Click to take it.";
        if note(ui, &text, FAINT).on_hover_text(help).interact(Sense::click()).clicked() {
            drop(draft.edit(&row.path, now));
        }
    }
    is_rolled
}

/// Draws the name and the widgets of a parameter that is not in a file.
pub(super) fn plain_row(ui: &mut Ui, row: &Row, color: egui::Color32) -> Option<Edit> {
    row_of(ui, row, color, None)
}

/// Draws the name and the widgets of a parameter. `texts` are those that it may have, if it is one of a few.
fn row_of(ui: &mut Ui, row: &Row, color: egui::Color32, texts: Option<&[&str]>) -> Option<Edit> {
    ui.horizontal(|ui| {
        let name = name(ui, row, color);
        let restored = name.double_clicked().then(|| row.in_file.clone()).flatten().map(Edit::Value);
        ui.push_id(&row.path, |ui| widget(ui, row, &name, texts)).inner.or(restored)
    })
    .inner
}

/// An edit by the user.
pub(super) enum Edit {
    Value(ParamValue),
    /// Typed text that is not a number.
    InvalidText(String),
    /// A click on the dice button.
    Dice,
}

/// Draws a line of small text below the widgets of a row.
pub(super) fn note(ui: &mut Ui, text: &str, color: egui::Color32) -> Response {
    ui.horizontal(|ui| {
        ui.add_space(LABEL_WIDTH + ui.spacing().item_spacing.x);
        ui.add(Label::new(RichText::new(text).small().color(color)).wrap())
    })
    .inner
}

fn name(ui: &mut Ui, row: &Row, color: egui::Color32) -> Response {
    let text = RichText::new(row.param.name.replace('_', " ")).color(color);
    let layout = Layout::left_to_right(Align::Center);
    ui.allocate_ui_with_layout(vec2(LABEL_WIDTH, ROW_HEIGHT), layout, |ui| {
        ui.set_min_width(LABEL_WIDTH);
        ui.add(Label::new(text).truncate().selectable(false).sense(Sense::click()))
    })
    .inner
    .on_hover_ui(|ui| tooltip(ui, row))
}

fn tooltip(ui: &mut Ui, row: &Row) {
    ui.set_max_width(280.0);
    ui.label(row.param.help);
    if row.param.min.is_finite() && !matches!(row.value, ParamValue::Color(_)) {
        ui.label(RichText::new(format!("Range: {}", row.param.allowed())).color(FAINT));
    }
    if let Some(wavelength) = wavelength(row) {
        ui.label(RichText::new(format!("Wavelength: {}", metres(wavelength))).color(FAINT));
    }
    if let Some(value) = &row.in_file {
        ui.label(RichText::new(format!("In the file: {value}. Double-click to restore it.")).color(EDITED));
    }
    ui.label(RichText::new(&row.path).small().monospace().color(FAINT));
}

/// The wavelength of a frequency, in metres.
fn wavelength(row: &Row) -> Option<f64> {
    match row.value {
        ParamValue::Float(frequency) if row.param.unit == "1/m" && frequency > 0.0 => Some(1.0 / frequency),
        _ => None,
    }
}

/// Formats a length: `850 m`, `2.4 km`.
pub(super) fn metres(length: f64) -> String {
    match length.abs() {
        size if size >= 100_000.0 => format!("{:.0} km", length / 1000.0),
        size if size >= 1000.0 => format!("{:.1} km", length / 1000.0),
        size if size >= 10.0 => format!("{length:.0} m"),
        _ => format!("{length:.1} m"),
    }
}

fn widget(ui: &mut Ui, row: &Row, name: &Response, texts: Option<&[&str]>) -> Option<Edit> {
    match row.value {
        ParamValue::Float(value) => number(ui, row, name, value).map(|edit| edit.into_edit(ParamValue::Float)),
        ParamValue::Count(value) if row.param.scale == Scale::PowersOfTwo => powers_of_two(ui, row.param, name, value),
        ParamValue::Count(stream) if row.param.name == "stream" => stream_field(ui, row.param, name, stream),
        ParamValue::Count(value) => {
            let edit = number(ui, row, name, f64::from(value))?;
            Some(match edit {
                // Keep a fraction, so that the refusal shows its digits.
                Number::Value(value) if value.fract() != 0.0 => Edit::Value(ParamValue::Float(value)),
                Number::Value(value) if !(0.0..=f64::from(u32::MAX)).contains(&value) => {
                    Edit::Value(ParamValue::Float(value))
                }
                edit => edit.into_edit(|value| ParamValue::Count(value as u32)),
            })
        }
        ParamValue::Seed(seed) => seed_field(ui, name, seed),
        ParamValue::Text(ref text) => {
            let new = match texts {
                Some(texts) => one_of(ui, name, text, texts),
                None => text_field(ui, name, text, f32::INFINITY, egui::TextStyle::Body),
            };
            new.map(|new| Edit::Value(ParamValue::Text(new)))
        }
        ParamValue::Switch(mut on) => {
            let response = ui.checkbox(&mut on, "").labelled_by(name.id);
            response.changed().then_some(Edit::Value(ParamValue::Switch(on)))
        }
        ParamValue::Color(color) => {
            // Three decimals are enough for 8 bits per channel, and keep the file readable.
            let mut bytes = color.map(|channel| (channel.clamp(0.0, 1.0) * 255.0).round() as u8);
            ui.spacing_mut().interact_size.x = VALUE_WIDTH;
            let response = ui.color_edit_button_srgb(&mut bytes).labelled_by(name.id);
            let color = bytes.map(|byte| (f32::from(byte) / 255.0 * 1000.0).round() / 1000.0);
            response.changed().then_some(Edit::Value(ParamValue::Color(color)))
        }
        ParamValue::Choice(chosen) => {
            let mut choice = chosen;
            combo(ui, name, chosen, |ui| {
                for alternative in row.alternatives {
                    ui.selectable_value(&mut choice, alternative.name, alternative.name)
                        .on_hover_text(alternative.help);
                }
            });
            (choice != chosen).then_some(Edit::Value(ParamValue::Choice(choice)))
        }
    }
}

fn combo(ui: &mut Ui, name: &Response, selected: &str, add_contents: impl FnOnce(&mut Ui)) {
    let combo = style::combo("combo").selected_text(selected).width(ui.available_width());
    combo.show_ui(ui, add_contents).response.labelled_by(name.id);
}

fn powers_of_two(ui: &mut Ui, param: &Param, name: &Response, value: u32) -> Option<Edit> {
    let mut choice = value;
    combo(ui, name, &value.to_string(), |ui| {
        for power in (0..32).map(|exponent| 1_u32 << exponent) {
            if param.allows(&ParamValue::Count(power)) {
                ui.selectable_value(&mut choice, power, power.to_string());
            }
        }
    });
    (choice != value).then_some(Edit::Value(ParamValue::Count(choice)))
}

/// Draws a list of texts to choose from.
fn one_of(ui: &mut Ui, name: &Response, selected: &str, texts: &[&str]) -> Option<String> {
    let mut choice = selected;
    combo(ui, name, selected, |ui| {
        for text in texts {
            ui.selectable_value(&mut choice, text, *text);
        }
    });
    (choice != selected).then(|| choice.to_owned())
}

/// An edit of a number.
enum Number {
    Value(f64),
    InvalidText(String),
}

impl Number {
    fn into_edit(self, value: impl Fn(f64) -> ParamValue) -> Edit {
        match self {
            Self::Value(number) => Edit::Value(value(number)),
            Self::InvalidText(text) => Edit::InvalidText(text),
        }
    }
}

/// Draws a slider, and a number that can be dragged or typed.
fn number(ui: &mut Ui, row: &Row, name: &Response, value: f64) -> Option<Number> {
    let (param, whole) = (row.param, matches!(row.value, ParamValue::Count(_)));
    let mut slid = value;
    ui.spacing_mut().slider_width = (ui.available_width() - VALUE_WIDTH - ui.spacing().item_spacing.x).max(40.0);
    // For a range of kilometres on both sides of zero, a pixel of a linear slider would be a hundred metres.
    let wide = param.min <= -1000.0 && param.max >= 1000.0;
    let mut slider = Slider::new(&mut slid, param.min..=param.max)
        .show_value(false)
        .logarithmic(wide || param.scale == Scale::Logarithmic)
        .clamping(SliderClamping::Never);
    if wide {
        slider = slider.smallest_positive(1.0);
    } else if param.min > 0.0 {
        slider = slider.smallest_positive(param.min);
    } else {
        // For a logarithmic scale that begins at zero: three powers of ten are enough.
        slider = slider.smallest_positive(param.max * 1e-3);
    }
    if whole {
        slider = slider.integer();
    }
    let slider = ui.add(slider).labelled_by(name.id);
    let moved = (slider.changed() && slid != value).then_some(Number::Value(slid));

    ui.spacing_mut().interact_size.x = VALUE_WIDTH;
    let typed = drag_value(ui, param, name, value, whole);
    moved.or(typed)
}

fn drag_value(ui: &mut Ui, param: &Param, name: &Response, value: f64, whole: bool) -> Option<Number> {
    let invalid_text = RefCell::new(None);
    let mut new = None;
    let suffix = if param.unit.is_empty() { String::new() } else { format!(" {}", param.unit) };
    let unit = param.unit;
    let widget = DragValue::from_get_set(|set| {
        new = set.or(new);
        new.unwrap_or(value)
    })
    .speed(if whole { 0.1 } else { value.abs().max(0.002 * (param.max - param.min).min(50.0)) * 0.005 })
    .max_decimals(if whole { 0 } else { 9 })
    .update_while_editing(false)
    .suffix(suffix)
    .custom_formatter(
        move |value, decimals| if whole { format!("{value:.0}") } else { short(value, *decimals.start()) },
    )
    .custom_parser(|text| {
        let number = parse_number(text, unit);
        if number.is_none() {
            *invalid_text.borrow_mut() = Some(text.to_owned());
        }
        number
    });
    let response = ui.add(widget).labelled_by(name.id);
    if let Some(text) = invalid_text.into_inner() {
        return Some(Number::InvalidText(text));
    }
    let new = new.filter(|new| *new != value)?;
    // Clamp a drag beyond the range. A typed value beyond the range is an error.
    let new = if response.dragged() { new.clamp(param.min, param.max) } else { new };
    (new != value).then_some(Number::Value(if whole && response.dragged() { new.round() } else { new }))
}

/// Parses a number, with or without its unit at the end.
fn parse_number(text: &str, unit: &str) -> Option<f64> {
    let text = text.trim();
    let text = if unit.is_empty() { text } else { text.strip_suffix(unit).unwrap_or(text) };
    text.trim().replace(',', ".").parse().ok()
}

/// Formats `value` with at least five significant digits, without trailing zeros.
fn short(value: f64, decimals: usize) -> String {
    let magnitude = if value == 0.0 { 0.0 } else { value.abs().log10().floor() };
    let decimals = decimals.min(9).max((4.0 - magnitude).clamp(0.0, 9.0) as usize);
    let text = format!("{value:.decimals$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

const DICE_WIDTH: f32 = 30.0;

fn dice(ui: &mut Ui, help: &str) -> bool {
    let button = Button::new(RichText::new("🎲").size(16.0));
    ui.add_sized([DICE_WIDTH, ROW_HEIGHT], button).on_hover_text(help).clicked()
}

/// Draws the stream of a layer as a number, and the dice button. Streams have no order, so they have no slider.
fn stream_field(ui: &mut Ui, param: &Param, name: &Response, stream: u32) -> Option<Edit> {
    ui.spacing_mut().interact_size.x = VALUE_WIDTH;
    let edit = drag_value(ui, param, name, f64::from(stream), true);
    if dice(ui, "Give the layer other random numbers, which no layer has yet.") {
        return Some(Edit::Dice);
    }
    edit.map(|edit| edit.into_edit(|value| ParamValue::Count(value as u32)))
}

/// Draws a text field. Returns the text when the user leaves the field and has changed it: half a text may mean something else,
/// or be refused. The escape key restores the text.
fn text_field(ui: &mut Ui, name: &Response, text: &str, width: f32, font: egui::TextStyle) -> Option<String> {
    let id = ui.make_persistent_id("typing");
    let typing: Option<String> = ui.data(|data| data.get_temp(id));
    let mut typed = typing.unwrap_or_else(|| text.to_owned());
    let field = TextEdit::singleline(&mut typed).id(id.with("text")).desired_width(width).clip_text(true);
    let field = field.font(font).min_size(vec2(0.0, ROW_HEIGHT)).vertical_align(Align::Center);
    let field = ui.add(field).labelled_by(name.id);
    if field.has_focus() {
        ui.data_mut(|data| data.insert_temp(id, typed.clone()));
    } else {
        ui.data_mut(|data| data.remove::<String>(id));
    }
    let canceled = ui.input(|input| input.key_pressed(egui::Key::Escape));
    (field.lost_focus() && !canceled && typed != text).then_some(typed)
}

/// Draws the seed as a text field, and the dice button.
fn seed_field(ui: &mut Ui, name: &Response, seed: u64) -> Option<Edit> {
    let width = ui.available_width() - DICE_WIDTH - ui.spacing().item_spacing.x;
    let typed = text_field(ui, name, &seed.to_string(), width, egui::TextStyle::Monospace);
    let is_rolled = dice(
        ui,
        "Go to the next world. The sequence of seeds is fixed, so you can find a world again from the same start.",
    );
    if is_rolled {
        return Some(Edit::Dice);
    }
    let text = typed.filter(|text| text.trim() != seed.to_string())?;
    Some(text.trim().parse().map_or(Edit::InvalidText(text), |seed| Edit::Value(ParamValue::Seed(seed))))
}

/// Draws a small button without a frame. It is off if there is a reason `why_not`, which it shows with its help text. Returns
/// whether it was clicked.
pub(super) fn small_button(ui: &mut Ui, text: &str, help: &str, why_not: Option<&str>) -> bool {
    let button = Button::new(RichText::new(text).size(12.0)).frame(false).min_size(vec2(18.0, 18.0));
    add_or_explain(ui, button, help, why_not).clicked()
}

/// Adds a button. It is off if there is a reason `why_not`, which it shows with its help text.
pub(super) fn add_or_explain(ui: &mut Ui, button: Button<'_>, help: &str, why_not: Option<&str>) -> Response {
    let explained = format!("{help}\n{}", why_not.unwrap_or_default());
    ui.add_enabled(why_not.is_none(), button).on_hover_text(help).on_disabled_hover_text(explained.trim())
}

/// An id that depends only on the path, not on the parent `Ui`.
pub(super) fn id_of(path: &str) -> Id {
    Id::new("terrain inspector").with(path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::TerrainSettings;

    #[test]
    fn numbers_keep_their_significant_digits() {
        for (value, text) in
            [(0.0, "0"), (0.00042, "0.00042"), (900.0, "900"), (0.1 + 0.2, "0.3"), (-12.5, "-12.5"), (1e-6, "0.000001")]
        {
            assert_eq!(short(value, 0), text);
        }
    }

    #[test]
    fn numbers_may_be_typed_with_their_unit_or_a_comma() {
        assert_eq!(parse_number(" 12.5 m ", "m"), Some(12.5));
        assert_eq!(parse_number("0,001 1/m", "1/m"), Some(0.001));
        assert_eq!(parse_number("1e-3", ""), Some(0.001));
        assert_eq!(parse_number("twelve", "m"), None);
    }

    #[test]
    fn lengths_are_rounded_for_reading() {
        assert_eq!([4.26, 850.4, 2380.9, 250_000.0].map(metres), ["4.3 m", "850 m", "2.4 km", "250 km"]);
    }

    #[test]
    fn a_problem_belongs_to_the_row_of_its_path() {
        let error = TerrainSettings::from_ron(
            "(field: (layers: [(kind: Noise()), (kind: Noise(octaves: 40))], base_height: -1e9))",
        );
        let problems = error.expect_err("there are several problems").problems;
        let checks = Checks::default();
        let remarks = Remarks { problems: &problems, checks: &checks, expected_cost: None, plant_costs: &[] };
        assert_eq!(remarks.problem("field.layers[1].kind.octaves").as_deref(), Some("is 40, allowed: 0 to 32"));
        assert_eq!(remarks.problem("field.layers[0].kind.octaves"), None);
    }

    #[test]
    fn a_warning_belongs_to_its_row_and_to_the_layer_around_it() {
        let path = "field.layers[1].kind.octaves".to_owned();
        let warnings = vec![SettingsWarning { path, message: "too many".to_owned() }];
        let checks = Checks::with_warnings(warnings);
        let remarks = Remarks { problems: &[], checks: &checks, expected_cost: None, plant_costs: &[] };
        assert_eq!(remarks.warning("field.layers[1].kind.octaves"), Some("too many"));
        assert_eq!(remarks.warning("field.layers[0].kind.octaves"), None);
        assert_eq!(remarks.warnings_below("field.layers[1]"), ["too many"]);
        let path = "field.layers[1].masks[0].from".to_owned();
        let warnings = vec![SettingsWarning { path, message: "too high".to_owned() }];
        let checks = Checks::with_warnings(warnings);
        assert_eq!(Remarks { checks: &checks, ..remarks }.warnings_below("field.layers[1]"), ["too high"]);
        assert!(remarks.warnings_below("field").is_empty() && remarks.warnings_below("field.layers[0]").is_empty());
    }
}
