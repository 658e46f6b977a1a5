//! Edits of the layers of the ground.

use super::*;

fn names(draft: &TerrainDraft) -> Vec<&str> {
    draft.settings().look.layers.iter().map(|layer| layer.name.as_str()).collect()
}

fn layer(index: usize) -> String {
    format!("look.layers[{index}]")
}

#[test]
fn surface_layers_are_added_copied_moved_and_removed() {
    let mut draft = TerrainDraft::new(TerrainSettings::default());
    let defaults = draft.settings().look.layers.clone();
    let mut change = |change: Change| {
        assert!(draft.can_change(&change), "{change:?}");
        draft.change(&change).expect("the layer exists");
        names(&draft).join(", ")
    };
    assert_eq!(change(remove(&layer(2))), "grass, dry grass, sand, scree, rock, snow");
    assert_eq!(change(down(&layer(0))), "dry grass, grass, sand, scree, rock, snow");
    assert_eq!(change(up(&layer(5))), "dry grass, grass, sand, scree, snow, rock");
    assert_eq!(change(duplicate(&layer(0))), "dry grass, dry grass, grass, sand, scree, snow, rock");
    assert_eq!(change(add("look.layers")), "dry grass, dry grass, grass, sand, scree, snow, rock, ");
    assert_eq!(draft.settings().look.layers[6], defaults[5]);
    assert_eq!(draft.settings().validate(), Ok(()));
    draft.edit("look.layers[7].height.from", ParamValue::Float(3.0)).expect("in range");
    assert_eq!(draft.settings().look.layers[7].height.from, 3.0);
}

#[test]
fn changes_of_missing_layers_and_too_many_layers_are_refused() {
    let mut draft = TerrainDraft::new(TerrainSettings::default());
    draft.change(&duplicate(&layer(3))).expect("there is room");
    let full = draft.settings().clone();
    for change in [
        add("look.layers"),
        duplicate(&layer(0)),
        remove(&layer(8)),
        up(&layer(0)),
        down(&layer(7)),
        roll(&layer(0)),
        add_mask(&layer(0), "Height"),
        add(&layer(0)),
    ] {
        assert!(!draft.can_change(&change), "{change:?}");
        assert!(draft.change(&change).is_err(), "{change:?}");
        assert_eq!(*draft.settings(), full);
    }
    let why = draft.why(&add("look.layers"));
    assert_eq!(why.as_deref(), Some("Would give a list of 9. Allowed: 1 to 8 layers."));
}

#[test]
fn the_last_layer_stays() {
    let mut draft = TerrainDraft::new(TerrainSettings::default());
    for _ in 1..draft.settings().look.layers.len() {
        draft.change(&remove(&layer(0))).expect("there are more");
    }
    assert_eq!(names(&draft), ["snow"]);
    let why = draft.why(&remove(&layer(0)));
    assert_eq!(why.as_deref(), Some("Would give a list of 0. Allowed: 1 to 8 layers."));
}
