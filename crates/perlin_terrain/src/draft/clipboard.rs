//! Items of lists and whole files as text, for the clipboard and for text editors.

use super::lists::{EDITS, LAYERS, ListItem, PLANTS, SURFACE_LAYERS, item_path, list_at};
use super::{Draft, EditableSettings, ListEdit};
use crate::field::{CurvePoint, Layer, Mask, PathPoint, TerrainEdit};
use crate::look::SurfaceLayer;
use crate::param::parent_path;
use crate::plants::{PlantKind, PlantLayer};
use crate::settings::{SettingsProblem, TerrainSettings, dialect, pretty};
use serde::de::DeserializeOwned;

impl<T: EditableSettings> Draft<T> {
    /// The text of the file with the settings of the draft.
    #[must_use]
    pub fn copy_all(&self) -> String {
        self.settings().save_into(self.file_text())
    }

    /// Replaces all settings by those of the text of a file.
    ///
    /// # Errors
    ///
    /// Returns the problems of the text. The draft does not change.
    pub fn paste_all(&mut self, text: &str) -> Result<(), Vec<SettingsProblem>> {
        let settings = T::from_ron(text).map_err(|error| error.problems)?;
        self.set("Paste a file", settings).map_err(|errors| errors.into_iter().map(SettingsProblem::from).collect())
    }
}

impl Draft<TerrainSettings> {
    /// The item of a list at `path` as RON.
    #[must_use]
    pub fn copy(&self, path: &str) -> Option<String> {
        let (list, index) = item_path(path)?;
        let mut text = match list_at(self.settings(), list)?.get(index)? {
            ListItem::Layer(layer) => pretty(&layer),
            ListItem::Mask(mask) => pretty(&mask),
            ListItem::Point(point) => pretty(&point),
            ListItem::Edit(edit) => pretty(&edit),
            ListItem::PathPoint(point) => pretty(&point),
            ListItem::SurfaceLayer(layer) => pretty(&layer),
            ListItem::Plants(layer) => pretty(&layer),
        };
        text.truncate(text.trim_end().len());
        Some(text)
    }

    /// Pastes RON: an item of a list after the item at the path `after`, or at the end of its list, or a whole file.
    ///
    /// # Errors
    ///
    /// Returns the problems of the text, with their positions in it, or why the item can't be there. The draft does not change.
    pub fn paste(&mut self, after: Option<&str>, text: &str) -> Result<(), Vec<SettingsProblem>> {
        let text = text.trim();
        if text.len() as u64 > TerrainSettings::MAX_FILE_SIZE {
            return Err(vec![SettingsProblem::new("the text is larger than a file may be")]);
        }
        let Some((kind, item)) = Kind::of(text) else { return self.paste_all(text) };
        let mut problems = kind.problems(text);
        if item.is_some() {
            // The layers that its masks read are not in this text.
            problems.retain(|problem| !problem.path.ends_with(".layer") && problem.path != "layer");
        }
        let (Some(item), true) = (item, problems.is_empty()) else { return Err(problems) };
        let (list, index) = self.position(kind, after).ok_or_else(|| vec![SettingsProblem::new(kind.nowhere())])?;
        self.edit_list(&ListEdit::Insert { list, index, item }).map_err(|error| vec![error.into()])
    }

    /// The list and the index for a new item after the item at `after`.
    fn position(&self, kind: Kind, after: Option<&str>) -> Option<(String, usize)> {
        let mut path = after.unwrap_or_default();
        while !path.is_empty() {
            if let Some((list, index)) = item_path(path) {
                if kind.is_of(list) {
                    return Some((list.to_owned(), index + 1));
                }
                let inner = format!("{path}{}", kind.list_in_layer());
                if let Some(list) = list_at(self.settings(), &inner).filter(|_| !kind.list_in_layer().is_empty()) {
                    return Some((inner, list.len()));
                }
            }
            path = parent_path(path);
        }
        let list = match kind {
            Kind::Layer => LAYERS,
            Kind::SurfaceLayer => SURFACE_LAYERS,
            Kind::Plants => PLANTS,
            Kind::Edit => EDITS,
            Kind::Mask | Kind::Point | Kind::PathPoint => return None,
        };
        Some((list.to_owned(), list_at(self.settings(), list)?.len()))
    }
}

/// What a text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Layer,
    Mask,
    Point,
    Edit,
    PathPoint,
    SurfaceLayer,
    Plants,
}

impl Kind {
    /// The kind of an item, and the item if it can be read. `None` for a whole file.
    fn of(text: &str) -> Option<(Self, Option<ListItem>)> {
        let document = crate::ron_edit::Document::parse(text);
        let root = document.root();
        let has = |field: &str| root.child(field).is_some();
        let word = root.first_word();
        Some(if Mask::with_defaults(word).is_some() {
            (Self::Mask, read(text).map(ListItem::Mask))
        } else if has("shape") || has("change") {
            (Self::Edit, read::<TerrainEdit>(text).map(ListItem::Edit))
        } else if has("x") || has("z") {
            (Self::PathPoint, read::<PathPoint>(text).map(ListItem::PathPoint))
        } else if has("spacing")
            || root.child("kind").is_some_and(|kind| PlantKind::with_defaults(kind.first_word()).is_some())
        {
            (Self::Plants, read::<PlantLayer>(text).map(ListItem::Plants))
        } else if has("kind") {
            (Self::Layer, read::<Layer>(text).map(ListItem::Layer))
        } else if has("from") || has("to") {
            (Self::Point, read::<CurvePoint>(text).map(ListItem::Point))
        } else if has("texture") || has("name") {
            (Self::SurfaceLayer, read::<SurfaceLayer>(text).map(ListItem::SurfaceLayer))
        } else {
            return None;
        })
    }

    /// Whether the list at this path has such items.
    fn is_of(self, list: &str) -> bool {
        match self {
            Self::Layer => list == LAYERS || list.ends_with(".kind.layers"),
            Self::Mask => list.ends_with(".masks"),
            Self::Point => list.ends_with(".kind.points"),
            Self::Edit => list == EDITS,
            Self::PathPoint => list.ends_with(".shape.points"),
            Self::SurfaceLayer => list == SURFACE_LAYERS,
            Self::Plants => list == PLANTS,
        }
    }

    /// The list of such items in a layer or in an edit.
    const fn list_in_layer(self) -> &'static str {
        match self {
            Self::Mask => ".masks",
            Self::Point => ".kind.points",
            Self::PathPoint => ".shape.points",
            Self::Layer | Self::Edit | Self::SurfaceLayer | Self::Plants => "",
        }
    }

    /// Why there is no list for the item.
    const fn nowhere(self) -> &'static str {
        match self {
            Self::Point => "a point can be pasted only into a curve: hold the pointer over its layer",
            Self::PathPoint => "a point can be pasted only into a path: hold the pointer over its edit",
            _ => "a mask can be pasted only into a layer: hold the pointer over it",
        }
    }

    /// The problems of an item's text, with their positions in it.
    fn problems(self, text: &str) -> Vec<SettingsProblem> {
        let (before, after, path) = match self {
            Self::Layer => ("(field: (layers: [\n", "\n]))", "field.layers[0]."),
            Self::Mask => ("(field: (layers: [(kind: Constant(), masks: [\n", "\n])]))", "field.layers[0].masks[0]."),
            Self::Point => {
                ("(field: (layers: [(kind: Curve(points: [\n", "\n]))]))", "field.layers[0].kind.points[0].")
            }
            Self::Edit => ("(field: (edits: [\n", "\n]))", "field.edits[0]."),
            Self::PathPoint => (
                "(field: (edits: [(change: Raise(), shape: Path(points: [(x: 0, z: 0),\n",
                "\n]))]))",
                "field.edits[0].shape.points[1].",
            ),
            Self::SurfaceLayer => ("(look: (layers: [\n", "\n]))", "look.layers[0]."),
            Self::Plants => ("(plants: [\n", "\n])", "plants[0]."),
        };
        let Err(error) = TerrainSettings::from_ron(&format!("{before}{text}{after}")) else { return Vec::new() };
        let mut problems = error.problems;
        for problem in &mut problems {
            // As if the item were the whole text.
            if let Some(inner) = problem.path.strip_prefix(path) {
                problem.path = inner.to_owned();
            }
            if let Some(position) = &mut problem.position {
                position.line -= 1;
            }
        }
        problems
    }
}

fn read<T: DeserializeOwned>(text: &str) -> Option<T> {
    dialect().from_str(text).ok()
}
