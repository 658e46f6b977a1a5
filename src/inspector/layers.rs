//! Adds, removes and moves layers of the draft.

use super::InspectorModel;
use crate::field::FieldSettings;
use crate::noise::NoiseSettings;
use crate::param::ParamError;

/// A change to the list of layers. Numbers are indices into [`FieldSettings::layers`].
///
/// The index of a layer selects its random numbers. So moving a layer changes its noise, but not its settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LayerChange {
    /// Adds a layer with default values at the end.
    Add,
    /// Inserts a copy of a layer after it.
    Duplicate(usize),
    /// Removes a layer.
    Remove(usize),
    /// Swaps a layer with the previous one.
    MoveUp(usize),
    /// Swaps a layer with the next one.
    MoveDown(usize),
}

impl InspectorModel {
    /// Whether [`change_layers`](Self::change_layers) would succeed.
    #[must_use]
    pub fn can_change_layers(&self, change: LayerChange) -> bool {
        let count = self.draft.field.layers.len();
        match change {
            LayerChange::Add => count < FieldSettings::MAX_LAYERS,
            LayerChange::Duplicate(index) => index < count && count < FieldSettings::MAX_LAYERS,
            LayerChange::Remove(index) => index < count,
            LayerChange::MoveUp(index) => index > 0 && index < count,
            LayerChange::MoveDown(index) => index + 1 < count,
        }
    }

    /// Changes the list of layers.
    ///
    /// # Errors
    ///
    /// Returns an error if there is no such layer, or no room for another one. The draft does not change.
    pub fn change_layers(&mut self, change: LayerChange) -> Result<(), ParamError> {
        if !self.can_change_layers(change) {
            return Err(ParamError {
                path: "field.layers".to_owned(),
                found: format!("a list of {}", self.draft.field.layers.len()),
                allowed: format!("up to {} layers, and changes only to existing ones", FieldSettings::MAX_LAYERS),
            });
        }
        let layers = &mut self.draft.field.layers;
        match change {
            LayerChange::Add => layers.push(NoiseSettings::default()),
            LayerChange::Duplicate(index) => layers.insert(index + 1, layers[index].clone()),
            LayerChange::Remove(index) => drop(layers.remove(index)),
            LayerChange::MoveUp(index) => layers.swap(index - 1, index),
            LayerChange::MoveDown(index) => layers.swap(index, index + 1),
        }
        // Refusals name layers by their old indices.
        self.refusals.retain(|error| !error.path.starts_with("field.layers["));
        self.pending = true;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::TerrainSettings;
    use std::time::Duration;

    fn model(scales: &[f64]) -> InspectorModel {
        let mut settings = TerrainSettings::default();
        settings.field.layers =
            scales.iter().map(|&height_scale| NoiseSettings { height_scale, ..Default::default() }).collect();
        InspectorModel::new(settings)
    }

    fn height_scales(model: &InspectorModel) -> Vec<f64> {
        model.draft().field.layers.iter().map(|layer| layer.height_scale).collect()
    }

    #[test]
    fn layers_are_added_copied_moved_and_removed() {
        let mut model = model(&[1.0, 2.0]);
        for (change, expected) in [
            (LayerChange::Add, vec![1.0, 2.0, 100.0]),
            (LayerChange::Duplicate(0), vec![1.0, 1.0, 2.0, 100.0]),
            (LayerChange::MoveDown(1), vec![1.0, 2.0, 1.0, 100.0]),
            (LayerChange::MoveUp(3), vec![1.0, 2.0, 100.0, 1.0]),
            (LayerChange::Remove(0), vec![2.0, 100.0, 1.0]),
        ] {
            model.change_layers(change).expect("the layer exists");
            assert_eq!(height_scales(&model), expected, "after {change:?}");
            assert!(model.take_write(Duration::MAX).is_some() || model.pending);
        }
    }

    #[test]
    fn changes_of_missing_layers_and_a_ninth_layer_are_errors() {
        let mut model = model(&[1.0; FieldSettings::MAX_LAYERS]);
        let all = [
            LayerChange::Add,
            LayerChange::Duplicate(0),
            LayerChange::Duplicate(8),
            LayerChange::Remove(8),
            LayerChange::MoveUp(0),
            LayerChange::MoveDown(7),
        ];
        for change in all {
            assert!(model.change_layers(change).is_err(), "{change:?}");
        }
        assert_eq!(height_scales(&model).len(), FieldSettings::MAX_LAYERS);
        assert_eq!(model.take_write(Duration::ZERO), None);
    }

    #[test]
    fn a_refusal_does_not_move_to_another_layer() {
        let mut model = model(&[1.0, 2.0]);
        model.refuse_text("field.layers[0].octaves", "x");
        model.change_layers(LayerChange::MoveDown(0)).expect("there are two");
        assert_eq!(model.refusal("field.layers[0].octaves"), None);
    }
}
