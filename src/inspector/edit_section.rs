//! The edits of the ground in the panel, with the points of their paths.

use super::section::{add_button, change_of_bar, item_section, parameters};
use super::widgets::{Remarks, metres, small_button};
use crate::draft::{Draft, EDITS, ListEdit, Row, edit_path};
use crate::field::{EditChange, EditHeight, EditShape, HeightBase, TerrainEdit};
use crate::param::parent_path;
use crate::settings::TerrainSettings;
use bevy_egui::egui::Ui;

/// Draws the edits, and the button that adds one. `viewer` is where *Here* is.
pub(super) fn edit_list(
    ui: &mut Ui,
    draft: &mut Draft<TerrainSettings>,
    rows: &[Row],
    remarks: Remarks<'_>,
    viewer: Option<[f64; 2]>,
) {
    let mut change = None;
    for index in 0..draft.settings().field.edits.len() {
        change = edit(ui, draft, rows, index, remarks, viewer).or(change);
    }
    let texts = ["➕ Add edit", "Level, raise or lower the ground somewhere."];
    let added = add_button(ui, draft, EDITS, texts, remarks);
    let change = added.map(|added| at_viewer(added, viewer)).or(change);
    if let Some(change) = change {
        // Can't fail: the buttons of impossible changes are off.
        drop(draft.edit_list(&change));
    }
}

/// A new edit where the viewer is.
fn at_viewer(mut added: ListEdit, viewer: Option<[f64; 2]>) -> ListEdit {
    if let ListEdit::Insert {
        item: crate::draft::ListItem::Edit(TerrainEdit { shape: EditShape::Circle(circle), .. }),
        ..
    } = &mut added
        && let Some(viewer) = viewer
    {
        [circle.x, circle.z] = viewer.map(f64::round);
    }
    added
}

/// Draws an edit. Returns the change of the list that the user asks for.
fn edit(
    ui: &mut Ui,
    draft: &mut Draft<TerrainSettings>,
    rows: &[Row],
    index: usize,
    remarks: Remarks<'_>,
    viewer: Option<[f64; 2]>,
) -> Option<ListEdit> {
    let path = format!("{EDITS}[{index}]");
    let shown = draft.settings().field.edits.get(index)?;
    let summary = summary(shown);
    let points = edit_path(shown).map(|path| path.points.len());
    let (mut change, mut own_change) = (None, None);
    let extra = |ui: &mut Ui| {
        change = change_of_bar(ui, &path, &summary, remarks);
    };
    item_section(ui, &path, &path, &format!("Edit {}", index + 1), false, extra, |ui| {
        own_change = Here::new(draft, &path, viewer).button(ui);
        let parts = [path.clone(), format!("{path}.shape"), format!("{path}.change")];
        let is_own = |row: &&Row| parts.iter().any(|part| parent_path(&row.path) == part);
        parameters(ui, draft, rows.iter().filter(is_own), remarks);
        if let Some(count) = points {
            own_change = point_list(ui, draft, rows, &path, count, remarks, viewer).or(own_change.take());
        }
    });
    change.or(own_change)
}

/// The button that moves an edit, or a point of its path, to the viewer.
struct Here {
    /// `None` without a viewer.
    place: Option<ListEdit>,
    why_not: Option<String>,
}

impl Here {
    fn new(draft: &Draft<TerrainSettings>, path: &str, viewer: Option<[f64; 2]>) -> Self {
        let place = viewer.map(|at| ListEdit::Place { item: path.to_owned(), at: at.map(f64::round) });
        let no_viewer = || Some("No viewer is known yet.".to_owned());
        let why_not = place.as_ref().map_or_else(no_viewer, |place| draft.why_not(place));
        Self { place, why_not }
    }

    /// Draws the button. Returns the change if it was clicked.
    fn button(self, ui: &mut Ui) -> Option<ListEdit> {
        let is_clicked = small_button(ui, "Here", "Move it below the first viewer.", self.why_not.as_deref());
        self.place.filter(|_| is_clicked)
    }
}

/// Draws the points of the path of the edit at `path`, and the button that adds one. Returns the change that the user asks for.
fn point_list(
    ui: &mut Ui,
    draft: &mut Draft<TerrainSettings>,
    rows: &[Row],
    path: &str,
    count: usize,
    remarks: Remarks<'_>,
    viewer: Option<[f64; 2]>,
) -> Option<ListEdit> {
    let mut change = None;
    for index in 0..count {
        let point = format!("{path}.shape.points[{index}]");
        let here = Here::new(draft, &point, viewer);
        let extra = |ui: &mut Ui| {
            let remove = ListEdit::Remove(point.clone());
            let why_not = (count <= 2).then_some("A path has at least two points.");
            if small_button(ui, "🗑", "Remove this point", why_not) {
                change = Some(remove);
            }
            change = here.button(ui).or(change.take());
        };
        item_section(ui, &point, &point, &format!("Point {}", index + 1), false, extra, |ui| {
            parameters(ui, draft, rows.iter().filter(|row| parent_path(&row.path) == point), remarks);
        });
    }
    let texts = ["➕ Add point", "Add a point at the end."];
    add_button(ui, draft, &format!("{path}.shape.points"), texts, remarks).or(change)
}

/// A short description of an edit: `raise 2 m · circle, 25 m`.
fn summary(edit: &TerrainEdit) -> String {
    let height = |EditHeight { height, above }: &EditHeight| match above {
        HeightBase::Ground if *height == 0.0 => "ground".to_owned(),
        HeightBase::Ground => format!("ground {height:+} m"),
        HeightBase::Zero => metres(*height),
    };
    let change = match &edit.change {
        EditChange::Flatten(level) => format!("flatten to {}", height(level)),
        EditChange::Fill(level) => format!("fill to {}", height(level)),
        EditChange::Cut(level) => format!("cut to {}", height(level)),
        EditChange::Raise(raise) if raise.height < 0.0 => format!("lower {}", metres(-raise.height)),
        EditChange::Raise(raise) => format!("raise {}", metres(raise.height)),
        EditChange::Hill(hill) => format!("{:?} {}", hill.shape, metres(hill.height)).to_lowercase(),
        _ => String::new(),
    };
    let shape = match &edit.shape {
        EditShape::Circle(circle) => format!("circle, {}", metres(circle.radius)),
        EditShape::Box(rectangle) => format!("box, {} by {}", metres(rectangle.width), metres(rectangle.length)),
        EditShape::Path(path) => format!("path of {} points", path.points.len()),
        _ => String::new(),
    };
    format!("{change} · {shape}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::{EditBox, EditCircle, EditHill, EditPath, HillShape, Raise};

    #[test]
    fn an_edit_has_a_short_summary() {
        let circle = EditShape::Circle(EditCircle::default());
        for (shape, change, expected) in [
            (circle.clone(), EditChange::Flatten(EditHeight::above_ground(0.0)), "flatten to ground · circle, 25 m"),
            (circle.clone(), EditChange::Raise(Raise { height: -2.0 }), "lower 2.0 m · circle, 25 m"),
            (
                circle,
                EditChange::Hill(EditHill { shape: HillShape::Crater, height: 4.0 }),
                "crater 4.0 m · circle, 25 m",
            ),
            (
                EditShape::Box(EditBox::default()),
                EditChange::Cut(EditHeight::above_ground(-1.5)),
                "cut to ground -1.5 m · box, 20 m by 20 m",
            ),
            (
                EditShape::Path(EditPath::default()),
                EditChange::Fill(EditHeight::above_zero(50.0)),
                "fill to 50 m · path of 2 points",
            ),
        ] {
            assert_eq!(summary(&TerrainEdit { shape, change, ..TerrainEdit::default() }), expected);
        }
    }
}
