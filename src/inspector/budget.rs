//! The section of the machine's budgets. They are not part of a settings file.

use super::section::section;
use super::style::{BAD, FAINT, TEXT, small};
use super::widgets::{Edit, note, plain_row};
use crate::draft::Row;
use crate::param::{ParamVisitor, Params};
use crate::stream::TerrainBudget;
use bevy_egui::egui::{Id, Ui};

/// Draws the section. Returns the new budget if it was edited.
pub(super) fn budget_section(ui: &mut Ui, budget: &TerrainBudget) -> Option<TerrainBudget> {
    let mut edited = None;
    section(
        ui,
        "budget",
        "Machine budget",
        false,
        |_| {},
        |ui| {
            let text = "Limits for this machine, shared by all terrains. They are not saved to the terrain's file.";
            ui.add(small(text, FAINT).wrap());
            for row in rows(budget) {
                edited = budget_row(ui, &row, budget).or(edited.take());
            }
        },
    );
    edited
}

/// The parameters of a budget.
fn rows(budget: &TerrainBudget) -> Vec<Row> {
    let mut rows = Vec::new();
    budget.clone().visit(&mut ParamVisitor::new(&mut |path, param, value| {
        rows.push(Row {
            path: format!("budget.{path}"),
            param,
            value: value.get(),
            alternatives: value.alternatives(),
            in_file: None,
        });
    }));
    rows
}

/// Draws the row of a parameter. Rejects a value out of range, and shows an error until a valid value is set.
fn budget_row(ui: &mut Ui, row: &Row, budget: &TerrainBudget) -> Option<TerrainBudget> {
    let id = Id::new("terrain inspector refusal").with(&row.path);
    let refused: Option<String> = ui.data(|data| data.get_temp(id));
    let color = if refused.is_some() { BAD } else { TEXT };
    let mut edited = None;
    match plain_row(ui, row, color) {
        Some(Edit::Value(value)) => {
            let mut new = budget.clone();
            let mut is_set = false;
            new.visit(&mut ParamVisitor::new(&mut |_, param, mut slot| {
                if param.name == row.param.name && param.allows(&value) {
                    is_set = slot.set(value.clone());
                }
            }));
            if is_set {
                ui.data_mut(|data| data.remove::<String>(id));
                edited = Some(new);
            } else {
                ui.data_mut(|data| data.insert_temp(id, value.to_string()));
            }
        }
        Some(Edit::InvalidText(text)) => {
            let refused = format!("\"{}\"", text.trim());
            ui.data_mut(|data| data.insert_temp(id, refused));
        }
        Some(Edit::Dice) | None => {}
    }
    if let Some(refused) = refused {
        note(ui, &format!("{refused} is refused, allowed: {}", row.param.allowed()), BAD);
    }
    edited
}
