//! Adds, removes and moves layers of the ground.

use super::layer_change::{LayerChange, list_and_index, swap_with_next};
use crate::look::{LookSettings, SurfaceLayer};

/// The path of the list of layers of the ground.
pub const SURFACE_LAYERS: &str = "look.layers";

/// Whether the path is that of the list of layers of the ground, or of one of them.
pub fn is_of_surface(path: &str) -> bool {
    path.starts_with(SURFACE_LAYERS)
}

/// Changes the layers of a look. `None` if there is nothing to change.
pub(crate) fn change_surface(look: &mut LookSettings, change: &LayerChange) -> Option<()> {
    if let LayerChange::Add(list) = change {
        if list != SURFACE_LAYERS {
            return None;
        }
        look.layers.push(SurfaceLayer::default());
        return Some(());
    }
    let (list, index) = list_and_index(change.path())?;
    if list != SURFACE_LAYERS || index >= look.layers.len() {
        return None;
    }
    match change {
        LayerChange::Duplicate(_) => look.layers.insert(index + 1, look.layers[index].clone()),
        LayerChange::Remove(_) => drop(look.layers.remove(index)),
        LayerChange::MoveUp(_) => swap_with_next(&mut look.layers, index.checked_sub(1)?)?,
        LayerChange::MoveDown(_) => swap_with_next(&mut look.layers, index)?,
        _ => return None,
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draft::InspectorModel;
    use crate::param::ParamValue;

    fn names(model: &InspectorModel) -> Vec<&str> {
        model.draft().look.layers.iter().map(|layer| layer.name.as_str()).collect()
    }

    fn layer(index: usize) -> String {
        format!("look.layers[{index}]")
    }

    #[test]
    fn surface_layers_are_added_copied_moved_and_removed() {
        let mut model = InspectorModel::default();
        let defaults = model.draft().look.layers.clone();
        let mut change = |change: LayerChange| {
            assert!(model.can_change_layers(&change), "{change:?}");
            model.change_layers(&change).expect("the layer exists");
            names(&model).join(", ")
        };
        assert_eq!(change(LayerChange::Remove(layer(2))), "grass, dry grass, sand, scree, rock, snow");
        assert_eq!(change(LayerChange::MoveDown(layer(0))), "dry grass, grass, sand, scree, rock, snow");
        assert_eq!(change(LayerChange::MoveUp(layer(5))), "dry grass, grass, sand, scree, snow, rock");
        assert_eq!(change(LayerChange::Duplicate(layer(0))), "dry grass, dry grass, grass, sand, scree, snow, rock");
        assert_eq!(
            change(LayerChange::Add("look.layers".to_owned())),
            "dry grass, dry grass, grass, sand, scree, snow, rock, "
        );
        assert_eq!(model.draft().look.layers[6], defaults[5]);
        assert_eq!(model.draft().validate(), Ok(()));
        model.edit("look.layers[7].height.from", ParamValue::Float(3.0)).expect("in range");
        assert_eq!(model.draft().look.layers[7].height.from, 3.0);
    }

    #[test]
    fn changes_of_missing_layers_and_too_many_layers_are_refused() {
        let mut model = InspectorModel::default();
        model.change_layers(&LayerChange::Duplicate(layer(3))).expect("there is room");
        let full = model.draft().clone();
        for change in [
            LayerChange::Add("look.layers".to_owned()),
            LayerChange::Duplicate(layer(0)),
            LayerChange::Remove(layer(8)),
            LayerChange::MoveUp(layer(0)),
            LayerChange::MoveDown(layer(7)),
            LayerChange::Roll(layer(0)),
            LayerChange::AddMask(layer(0), "Height"),
            LayerChange::Add(layer(0)),
        ] {
            assert!(!model.can_change_layers(&change), "{change:?}");
            assert!(model.change_layers(&change).is_err(), "{change:?}");
            assert_eq!(*model.draft(), full);
        }
        let why = model.why_not(&LayerChange::Add("look.layers".to_owned()));
        assert_eq!(why.as_deref(), Some("Would give a list of 9. Allowed: 1 to 8 layers."));
    }

    #[test]
    fn the_last_layer_stays() {
        let mut model = InspectorModel::default();
        for _ in 1..model.draft().look.layers.len() {
            model.change_layers(&LayerChange::Remove(layer(0))).expect("there are more");
        }
        assert_eq!(names(&model), ["snow"]);
        let why = model.why_not(&LayerChange::Remove(layer(0)));
        assert_eq!(why.as_deref(), Some("Would give a list of 0. Allowed: 1 to 8 layers."));
    }
}
