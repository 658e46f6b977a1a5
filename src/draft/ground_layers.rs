//! Adds, removes and moves layers of the ground.

use super::layer_change::{LayerChange, place_of, swap_with_next};
use crate::look::{GroundLayer, LookSettings};

/// The path of the list of layers of the ground.
pub(crate) const GROUND_LAYERS: &str = "look.layers";

/// Whether the path is that of the list of layers of the ground, or of one of them.
pub(crate) fn is_of_ground(path: &str) -> bool {
    path.starts_with(GROUND_LAYERS)
}

/// Changes the layers of a look. `None` if there is nothing to change.
pub(crate) fn change_ground(look: &mut LookSettings, change: &LayerChange) -> Option<()> {
    if let LayerChange::Add(list) = change {
        if list != GROUND_LAYERS {
            return None;
        }
        if look.layers.is_empty() {
            look.layers = look.ground_layers();
        } else {
            look.layers.push(GroundLayer::default());
        }
        return Some(());
    }
    let (list, index) = place_of(change.path())?;
    if list != GROUND_LAYERS || index >= look.layers.len() {
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
    fn layers_of_the_ground_are_added_copied_moved_and_removed() {
        let mut model = InspectorModel::default();
        let short = model.draft().look.ground_layers();
        let mut change = |change: LayerChange| {
            assert!(model.can_change_layers(&change), "{change:?}");
            model.change_layers(&change).expect("the layer exists");
            names(&model).join(", ")
        };
        let all = "grass, dry grass, forest floor, sand, scree, rock, snow";
        assert_eq!(
            change(LayerChange::Add("look.layers".to_owned())),
            all,
            "the list begins with the layers of the colors"
        );
        assert_eq!(change(LayerChange::Remove(layer(2))), "grass, dry grass, sand, scree, rock, snow");
        assert_eq!(change(LayerChange::MoveDown(layer(0))), "dry grass, grass, sand, scree, rock, snow");
        assert_eq!(change(LayerChange::MoveUp(layer(5))), "dry grass, grass, sand, scree, snow, rock");
        assert_eq!(change(LayerChange::Duplicate(layer(0))), "dry grass, dry grass, grass, sand, scree, snow, rock");
        assert_eq!(
            change(LayerChange::Add("look.layers".to_owned())),
            "dry grass, dry grass, grass, sand, scree, snow, rock, "
        );
        assert_eq!(model.draft().look.layers[6], short[5]);
        assert_eq!(model.draft().validate(), Ok(()));
        model.edit("look.layers[7].height.from", ParamValue::Float(3.0)).expect("in range");
        assert_eq!(model.draft().look.layers[7].height.from, 3.0);
    }

    #[test]
    fn changes_of_missing_layers_and_too_many_layers_are_refused() {
        let mut model = InspectorModel::default();
        assert!(!model.can_change_layers(&LayerChange::Remove(layer(0))), "the short form has no list");
        model.change_layers(&LayerChange::Add("look.layers".to_owned())).expect("there is room");
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
        assert_eq!(why.as_deref(), Some("Would give a list of 9. Allowed: up to 8 layers."));
    }
}
