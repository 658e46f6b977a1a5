//! What the panel says about a draft: its warnings, and why items of lists can't be edited.

use super::ListEdit;
use super::list_edit::Before;
use super::lists::{EDITS, LAYERS, PLANTS, SURFACE_LAYERS, edit_path};
use crate::field::{Layer, LayerKind};
use crate::settings::{SettingsWarning, TerrainSettings};
use std::collections::HashMap;

/// An edit that the bar of a layer offers.
pub struct BarEdit {
    /// The symbol of its button.
    pub symbol: &'static str,
    pub help: &'static str,
    /// The edit of the layer at a path. `None` if there is nothing to edit.
    pub of: fn(&str) -> Option<ListEdit>,
}

/// The edits that the bar of a layer offers, from right to left.
pub const BAR: [BarEdit; 4] = [
    BarEdit { symbol: "🗑", help: "Remove this layer.", of: |path| Some(ListEdit::Remove(path.to_owned())) },
    BarEdit {
        symbol: "🗐",
        help: "Duplicate this layer. A copy of a layer of heights or of plants gets other random numbers.",
        of: |path| Some(ListEdit::Duplicate(path.to_owned())),
    },
    BarEdit { symbol: "⏷", help: "Move down", of: |path| ListEdit::move_by(path, 1) },
    BarEdit { symbol: "⏶", help: "Move up", of: |path| ListEdit::move_by(path, -1) },
];

/// The warnings about settings, and why the layers can't be edited.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Checks {
    /// The warnings.
    pub warnings: Vec<SettingsWarning>,
    /// For each layer: why each edit of [`BAR`] is not possible.
    refused: HashMap<String, [Option<String>; BAR.len()]>,
    /// For each list that has a button: why nothing can be added.
    full: HashMap<String, String>,
}

impl Checks {
    /// Checks `settings`. `file` has the settings in the file.
    pub(super) fn of(settings: &TerrainSettings, file: Option<&TerrainSettings>) -> Self {
        let before = Before::new(settings, file);
        let why = |edit: Option<ListEdit>| edit.map_or(Some(String::new()), |edit| before.why_not(&edit));
        let layers = settings.field.all_layers().into_iter().map(|(path, layer)| (format!("field.{path}"), layer));
        let layers: Vec<(String, &Layer)> = layers.collect();
        let of_ground = (0..settings.look.layers.len()).map(|index| format!("{SURFACE_LAYERS}[{index}]"));
        let plants = (0..settings.plants.len()).map(|index| format!("{PLANTS}[{index}]"));
        let edits = settings.field.edits.iter().enumerate().map(|(index, edit)| (format!("{EDITS}[{index}]"), edit));
        let bars = layers
            .iter()
            .map(|(path, _)| path.clone())
            .chain(of_ground)
            .chain(plants)
            .chain(edits.clone().map(|(path, _)| path));
        let lists = layers.iter().filter_map(|(path, layer)| match layer.kind {
            LayerKind::Group(_) => Some(format!("{path}.kind.layers")),
            LayerKind::Curve(_) => Some(format!("{path}.kind.points")),
            _ => None,
        });
        let paths = edits.filter(|(_, edit)| edit_path(edit).is_some()).map(|(path, _)| format!("{path}.shape.points"));
        let lists = lists.chain(paths).chain([LAYERS, EDITS, SURFACE_LAYERS, PLANTS].map(str::to_owned));
        Self {
            refused: bars.map(|path| (path.clone(), BAR.map(|edit| why((edit.of)(&path))))).collect(),
            full: lists.filter_map(|list| Some((list.clone(), why(ListEdit::add(settings, &list, ""))?))).collect(),
            warnings: settings.warnings(),
        }
    }

    /// Checks with these warnings alone.
    #[must_use]
    pub fn with_warnings(warnings: Vec<SettingsWarning>) -> Self {
        Self { warnings, ..Self::default() }
    }

    /// Why the edit `index` of [`BAR`] is not possible for the layer at `path`. `None` if it is.
    #[must_use]
    pub fn why_not(&self, path: &str, index: usize) -> Option<&str> {
        self.refused.get(path)?[index].as_deref()
    }

    /// Why nothing can be added to the list at `path`. `None` if it can.
    #[must_use]
    pub fn why_not_add(&self, path: &str) -> Option<&str> {
        self.full.get(path).map(String::as_str)
    }
}
