//! Edits of lists: layers, masks, points, edits of the ground, layers of the ground and layers of plants.

use super::Draft;
use super::lists::{
    EDITS, LAYERS, ListItem, PLANTS, SURFACE_LAYERS, item_path, layer_at_mut, list_at_mut, new_item, place,
};
use super::names::{free_name, item_titles, rename_copy};
use super::settings::first_error;
use crate::field::{FieldSettings, Layer};
use crate::param::{Choice, ParamError, parent_path};
use crate::plants::PlantLayer;
use crate::settings::TerrainSettings;
use std::cell::OnceCell;

/// An edit of a list. A list has a path such as `field.layers`, `field.layers[2].kind.layers`, `field.layers[2].masks`,
/// `field.layers[2].kind.points`, `field.edits`, `look.layers` or `plants`; an item has a path such as `field.layers[2]`.
///
/// A layer that moves keeps its [stream](Layer::stream), and so its noise. New layers and copies get streams that no layer has, and names
/// that no layer has, such as `hills 2` for `hills`.
#[derive(Clone, Debug, PartialEq)]
#[expect(clippy::large_enum_variant, reason = "there is one at a time")]
pub enum ListEdit {
    /// Inserts an item. The layers of a file that it comes from don't matter: its streams are new.
    Insert {
        /// The path of the list.
        list: String,
        /// The index that the item gets.
        index: usize,
        /// The item.
        item: ListItem,
    },
    /// Removes the item at this path.
    Remove(String),
    /// Moves an item within its list, or to another list of such items.
    Move {
        /// The path of the item.
        item: String,
        /// The path of the list that gets it, as it is before the move.
        list: String,
        /// The index that the item gets.
        index: usize,
    },
    /// Inserts a copy of the item at this path after it.
    Duplicate(String),
    /// Gives the layer at this path a stream that no layer has.
    Roll(String),
    /// Moves the edit of the ground, or the point of its path, at `item` to a place: x and z, in metres. A path goes there with its first
    /// point.
    Place {
        /// The path of the item.
        item: String,
        /// The place.
        at: [f64; 2],
    },
}

impl ListEdit {
    /// Adds an item with default values at the end of a list: a layer, a point that lies on the curve, so that it changes nothing yet, or a
    /// mask of the kind that a file calls `kind`. A mask that reads a layer reads the nearest one below that has a name.
    ///
    /// `None` if there is no such list, no layer to read, or no room for a point.
    #[must_use]
    pub fn add(settings: &TerrainSettings, list: &str, kind: &str) -> Option<Self> {
        let (index, item) = new_item(settings, list, kind)?;
        Some(Self::Insert { list: list.to_owned(), index, item })
    }

    /// Moves the item at `path` by `steps` in its list. `None` if there is no place above the first item.
    #[must_use]
    pub fn move_by(path: &str, steps: isize) -> Option<Self> {
        let (list, index) = item_path(path)?;
        Some(Self::Move { item: path.to_owned(), list: list.to_owned(), index: index.checked_add_signed(steps)? })
    }

    /// The path of a list or of an item that the edit concerns.
    fn path(&self) -> &str {
        match self {
            Self::Insert { list, .. } => list,
            Self::Move { item, .. } | Self::Place { item, .. } => item,
            Self::Remove(path) | Self::Duplicate(path) | Self::Roll(path) => path,
        }
    }

    /// The edit in words, for the history.
    fn label(&self, settings: &TerrainSettings) -> String {
        let what = |path: &str| {
            let titles = item_titles(settings, path);
            let title = titles.first().map_or("", String::as_str);
            match item_path(path) {
                Some((list, index)) if list.ends_with(".masks") => format!("mask {} of {title}", index + 1),
                Some((list, index)) if list.ends_with(".points") => format!("point {} of {title}", index + 1),
                _ => title.to_owned(),
            }
        };
        match self {
            Self::Insert { list, item, .. } => {
                let into = item_titles(settings, list).first().map(|title| format!("{title}: ")).unwrap_or_default();
                match item {
                    ListItem::Layer(layer) if !layer.name.is_empty() => format!("{into}add {}", layer.name),
                    ListItem::Layer(_) => format!("{into}add a layer"),
                    ListItem::Mask(mask) => format!("{into}add mask {}", mask.name()),
                    ListItem::Point(_) | ListItem::PathPoint(_) => format!("{into}add a point"),
                    ListItem::Edit(_) => "Add an edit".to_owned(),
                    ListItem::SurfaceLayer(_) => format!("{into}add a layer of ground"),
                    ListItem::Plants(_) => "Add a layer of plants".to_owned(),
                }
            }
            Self::Remove(path) => format!("Remove {}", what(path)),
            Self::Move { item, .. } => format!("Move {}", what(item)),
            Self::Duplicate(path) => format!("Duplicate {}", what(path)),
            Self::Roll(path) => format!("Roll {}", what(path)),
            Self::Place { item, .. } => format!("Move {} here", what(item)),
        }
    }
}

impl Draft<TerrainSettings> {
    /// Edits a list.
    ///
    /// # Errors
    ///
    /// Returns an error if there is no such list or item, if the terrain would have more layers, masks, points or evaluations than
    /// allowed, if a value is out of its range, or if a mask would no longer read the same layer. The draft does not change.
    pub fn edit_list(&mut self, edit: &ListEdit) -> Result<(), ParamError> {
        let nothing = || ParamError {
            path: edit.path().to_owned(),
            found: "not in the settings".to_owned(),
            allowed: "edits of lists and of items that exist".to_owned(),
        };
        let after =
            Before::new(self.settings(), self.file()).with(edit).map_err(|error| error.unwrap_or_else(nothing))?;
        // A pasted item can have any values. Other edits keep them.
        if matches!(edit, ListEdit::Insert { .. })
            && self.settings().validate().is_ok()
            && let Err(errors) = after.validate()
        {
            return Err(errors.into_iter().next().unwrap_or_else(nothing));
        }
        let label = edit.label(self.settings());
        // Refusals name items by their old indices.
        self.refusals.retain(|error| !error.path.contains('['));
        self.act(label, after);
        Ok(())
    }

    /// Why [`edit_list`](Self::edit_list) would fail, for a tooltip. `None` if it would succeed. Empty if there is nothing to edit, such as
    /// a layer above the first one.
    #[must_use]
    pub fn why_not(&self, edit: &ListEdit) -> Option<String> {
        Before::new(self.settings(), self.file()).why_not(edit)
    }
}

/// Settings before an edit of a list.
pub(super) struct Before<'a> {
    settings: &'a TerrainSettings,
    file: Option<&'a TerrainSettings>,
    /// Whether the stack of layers is allowed.
    is_allowed: OnceCell<bool>,
}

impl<'a> Before<'a> {
    /// `file` has the settings in the file.
    pub const fn new(settings: &'a TerrainSettings, file: Option<&'a TerrainSettings>) -> Self {
        Self { settings, file, is_allowed: OnceCell::new() }
    }

    /// Why an edit fails, for a tooltip. Empty if there is nothing to edit.
    pub fn why_not(&self, edit: &ListEdit) -> Option<String> {
        let error = self.with(edit).err()?;
        Some(error.map_or_else(String::new, |error| format!("Would give {}. Allowed: {}.", error.found, error.allowed)))
    }

    /// The settings after an edit, with all streams if layers were edited. The error is `None` if there is nothing to edit.
    fn with(&self, edit: &ListEdit) -> Result<TerrainSettings, Option<ParamError>> {
        let mut after = self.settings.clone();
        let list = match edit {
            ListEdit::Insert { list, .. } => list,
            _ => parent_path(edit.path()),
        };
        let is_of_layers = list == LAYERS || list.ends_with(".kind.layers");
        // From here on, an index is no longer a stream.
        if is_of_layers {
            after.field.pin_streams();
        }
        if list == PLANTS {
            PlantLayer::pin_streams(&mut after.plants);
        }
        apply(edit, &mut after, self.file).ok_or(None)?;
        if list == SURFACE_LAYERS {
            return after.look.check_layers().map_or(Ok(after), |error| Err(Some(error)));
        }
        if list == PLANTS {
            let error = PlantLayer::check_all(&after.plants).into_iter().next();
            let was_allowed = || PlantLayer::check_all(&self.settings.plants).is_empty();
            return error.filter(|_| was_allowed()).map_or(Ok(after), |error| Err(Some(error)));
        }
        if list == EDITS || list.ends_with(".shape.points") {
            let error = after.field.check_edits().into_iter().next();
            let was_allowed = || self.settings.field.check_edits().is_empty();
            return error.filter(|_| was_allowed()).map_or(Ok(after), |error| Err(Some(error)));
        }
        // A stack that is not allowed may be edited: it may become better.
        let was_allowed = || *self.is_allowed.get_or_init(|| self.settings.field.check_layers().is_empty());
        let error = first_error(&after.field, !matches!(edit, ListEdit::Insert { .. }));
        error.filter(|_| was_allowed()).map_or(Ok(after), |error| Err(Some(error)))
    }
}

fn apply(edit: &ListEdit, settings: &mut TerrainSettings, file: Option<&TerrainSettings>) -> Option<()> {
    match edit {
        ListEdit::Insert { list, index, item } => insert(settings, file, list, *index, item.clone()),
        ListEdit::Remove(path) => {
            let (list, index) = item_path(path)?;
            list_at_mut(settings, list)?.remove(index).map(drop)
        }
        ListEdit::Move { item, list, index } => {
            let (from, from_index) = item_path(item)?;
            let to = path_without(list, from, from_index)?;
            if to == from && *index == from_index {
                return None;
            }
            let moved = list_at_mut(settings, from)?.remove(from_index)?;
            list_at_mut(settings, &to)?.insert(*index, moved)
        }
        ListEdit::Duplicate(path) => {
            let (list, index) = item_path(path)?;
            let item = list_at_mut(settings, list)?.get(index)?;
            insert(settings, file, list, index + 1, item)
        }
        ListEdit::Roll(path) if item_path(path).is_some_and(|(list, _)| list == PLANTS) => {
            let (_, index) = item_path(path)?;
            let free = free_stream_of_plants(settings, file);
            settings.plants.get_mut(index)?.stream = Some(free);
            Some(())
        }
        ListEdit::Roll(path) => {
            let free = free_stream(&settings.field, file);
            layer_at_mut(&mut settings.field, path)?.stream = Some(free);
            Some(())
        }
        ListEdit::Place { item, at } => place(&mut settings.field, item, *at),
    }
}

/// Inserts an item that was not in the settings. Layers get streams and names of their own.
fn insert(
    settings: &mut TerrainSettings,
    file: Option<&TerrainSettings>,
    list: &str,
    index: usize,
    mut item: ListItem,
) -> Option<()> {
    if let ListItem::Layer(layer) = &mut item {
        rename_copy(layer, &settings.field);
        let mut taken = settings.field.clone();
        layer.for_each_mut(&mut |layer| {
            let stream = free_stream(&taken, file);
            layer.stream = Some(stream);
            taken.layers.push(Layer { stream: Some(stream), ..Layer::default() });
        });
    }
    if let ListItem::Plants(layer) = &mut item {
        let taken: Vec<String> = settings.plants.iter().map(|layer| layer.name.clone()).collect();
        if !layer.name.is_empty() {
            layer.name = free_name(&layer.name, &taken);
        }
        layer.stream = Some(free_stream_of_plants(settings, file));
    }
    list_at_mut(settings, list)?.insert(index, item)
}

/// The same for layers of plants.
fn free_stream_of_plants(settings: &TerrainSettings, file: Option<&TerrainSettings>) -> u32 {
    let layers = || settings.plants.iter().chain(file.map_or(&[][..], |file| &file.plants));
    (0..).find(|stream| layers().all(|layer| layer.stream != Some(*stream))).unwrap_or_default()
}

/// A stream that neither a layer of the field nor one of the file has. Saving would take a new layer with the stream of a removed one
/// for that layer, and give it its comments.
fn free_stream(field: &FieldSettings, file: Option<&TerrainSettings>) -> u32 {
    file.map_or_else(|| field.free_stream(), |file| field.free_stream_beside(&file.field))
}

/// The path of a list after the item `index` of the list at `from` was removed. `None` if it is in that item.
fn path_without(list: &str, from: &str, index: usize) -> Option<String> {
    let Some((number, rest)) = list.strip_prefix(from).and_then(|rest| rest.strip_prefix('[')?.split_once(']')) else {
        return Some(list.to_owned());
    };
    let number: usize = number.parse().ok()?;
    (number != index).then(|| format!("{from}[{}]{rest}", number - usize::from(number > index)))
}
