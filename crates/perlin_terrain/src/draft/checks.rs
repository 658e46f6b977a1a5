//! The remarks of the panel about a draft, which take too long to compute in each frame.

use super::surface_layers::SURFACE_LAYERS;
use super::{InspectorModel, LayerChange};
use crate::settings::{SettingsWarning, TerrainSettings};
use std::collections::HashMap;

/// The changes that the bar of a layer offers.
pub struct BarChange {
    /// The symbol of its button.
    pub symbol: &'static str,
    pub help: &'static str,
    /// The change of the layer at a path.
    pub of: fn(String) -> LayerChange,
}

/// The changes that the bar of a layer offers, from right to left.
pub const BAR: [BarChange; 4] = [
    BarChange { symbol: "🗑", help: "Remove this layer.", of: LayerChange::Remove },
    BarChange {
        symbol: "🗐",
        help: "Duplicate this layer. A copy of a layer of heights gets other random numbers.",
        of: LayerChange::Duplicate,
    },
    BarChange { symbol: "⏷", help: "Move down", of: LayerChange::MoveDown },
    BarChange { symbol: "⏶", help: "Move up", of: LayerChange::MoveUp },
];

/// The warnings about a draft, and why its layers can't be changed. Computed once for each draft.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DraftChecks {
    /// The draft that was checked. `None` before the first one.
    draft: Option<TerrainSettings>,
    /// The warnings about the draft.
    pub warnings: Vec<SettingsWarning>,
    /// For each layer: why each change of [`BAR`] is not possible.
    refused: HashMap<String, [Option<String>; BAR.len()]>,
}

impl DraftChecks {
    /// Checks the draft of `model` if it is another one than the last time. Returns whether it was.
    pub fn update(&mut self, model: &InspectorModel) -> bool {
        let draft = model.draft();
        if self.draft.as_ref() == Some(draft) {
            return false;
        }
        self.warnings = draft.warnings();
        self.refused.clear();
        let of_field = draft.field.all_layers().into_iter().map(|(path, _)| format!("field.{path}"));
        let of_ground = (0..draft.look.layers.len()).map(|index| format!("{SURFACE_LAYERS}[{index}]"));
        for path in of_field.chain(of_ground) {
            let why_not = BAR.map(|change| model.why_not(&(change.of)(path.clone())));
            self.refused.insert(path, why_not);
        }
        self.draft = Some(draft.clone());
        true
    }

    /// Why the change `index` of [`BAR`] is not possible for the layer at `path`. `None` if it is.
    pub fn why_not(&self, path: &str, index: usize) -> Option<&str> {
        self.refused.get(path)?[index].as_deref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::Layer;
    use crate::param::ParamValue;

    #[test]
    fn a_draft_is_checked_again_only_after_it_changed() {
        let mut settings = TerrainSettings::default();
        settings.field.layers = vec![Layer::default(); 2];
        let (mut checks, mut model) = (DraftChecks::default(), InspectorModel::new(settings));
        assert!(checks.update(&model));
        assert!(!checks.update(&model));
        assert_eq!(checks.warnings, model.draft().warnings());
        let (first, last) = ("field.layers[0]", "field.layers[1]");
        let down = 2;
        assert_eq!([checks.why_not(first, down), checks.why_not(last, down)], [None, Some("")]);

        model.edit("field.layers[0].kind.octaves", ParamValue::Count(20)).expect("in range");
        assert!(checks.update(&model) && !checks.update(&model));
        assert_eq!(checks.warnings, model.draft().warnings());
        model.change_layers(&LayerChange::Remove(last.to_owned())).expect("it exists");
        assert!(checks.update(&model));
        assert_eq!(checks.why_not(first, down), Some(""));
    }
}
