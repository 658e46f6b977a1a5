//! Edits of the lists of a field: layers, masks, points and edits of the ground.

use super::*;
use perlin_terrain::field::{Constant, Curve, FieldSettings, Group, HeightField, LayerKind, LayerMask, Mask};
use perlin_terrain::param::Choice;

/// The name of the layer that a mask reads.
fn named_layer(mask: &Mask) -> Option<&str> {
    match mask {
        Mask::Layer(mask) => Some(&mask.layer),
        _ => None,
    }
}

fn constant(height: f64) -> Layer {
    LayerKind::Constant(Constant { height }).into()
}

fn draft_of(layers: Vec<Layer>) -> TerrainDraft {
    let mut settings = TerrainSettings::default();
    settings.field.layers = layers;
    TerrainDraft::new(settings)
}

/// Each layer: its stream and its height, with -1 for a group and 100 for a new layer.
fn layers(draft: &TerrainDraft) -> Vec<(u32, f64)> {
    let height = |layer: &Layer| match &layer.kind {
        LayerKind::Constant(constant) => constant.height,
        LayerKind::Noise(noise) => noise.height_scale,
        _ => -1.0,
    };
    let all = draft.settings().field.all_layers();
    all.iter().enumerate().map(|(index, (_, layer))| (layer.stream_at(index), height(layer))).collect()
}

#[test]
fn layers_are_added_copied_moved_and_removed_and_keep_their_streams() {
    let mut draft = draft_of(vec![constant(1.0), constant(2.0)]);
    let layer = |index: usize| format!("field.layers[{index}]");
    for (change, expected) in [
        (add("field.layers"), vec![(0, 1.0), (1, 2.0), (2, 100.0)]),
        (duplicate(&layer(0)), vec![(0, 1.0), (3, 1.0), (1, 2.0), (2, 100.0)]),
        (down(&layer(1)), vec![(0, 1.0), (1, 2.0), (3, 1.0), (2, 100.0)]),
        (up(&layer(3)), vec![(0, 1.0), (1, 2.0), (2, 100.0), (3, 1.0)]),
        (remove(&layer(0)), vec![(1, 2.0), (2, 100.0), (3, 1.0)]),
        (roll(&layer(1)), vec![(1, 2.0), (4, 100.0), (3, 1.0)]),
    ] {
        draft.change(&change).expect("the layer exists");
        assert_eq!(layers(&draft), expected, "after {change:?}");
        assert!(draft.take_write(Duration::MAX).is_some() || draft.is_pending());
    }
}

#[test]
fn layers_in_groups_can_be_changed_too() {
    let group = LayerKind::Group(Group::from(vec![constant(1.0), constant(2.0)]));
    let mut draft = draft_of(vec![constant(0.0), group.into()]);
    let list = "field.layers[1].kind.layers";
    draft.change(&down(&format!("{list}[0]"))).expect("it exists");
    assert_eq!(layers(&draft), [(0, 0.0), (1, -1.0), (3, 2.0), (2, 1.0)]);
    draft.change(&duplicate("field.layers[1]")).expect("it exists");
    assert_eq!(layers(&draft)[4..], [(4, -1.0), (5, 2.0), (6, 1.0)]);
    draft.change(&remove(&format!("{list}[1]"))).expect("it exists");
    draft.change(&add(list)).expect("there is room");
    assert_eq!(layers(&draft)[..4], [(0, 0.0), (1, -1.0), (3, 2.0), (7, 100.0)]);
    assert!(!draft.can_change(&add("field.layers[0].kind.layers")));
}

#[test]
fn layers_move_into_groups_and_out_of_them() {
    let group = LayerKind::Group(Group::from(vec![constant(2.0)]));
    let mut draft = draft_of(vec![constant(0.0), constant(1.0), group.into()]);
    let inner = "field.layers[2].kind.layers";
    let edit = |item: &str, list: &str, index| ListEdit::Move { item: item.to_owned(), list: list.to_owned(), index };
    draft.edit_list(&edit("field.layers[0]", inner, 1)).expect("a group has room");
    assert_eq!(layers(&draft), [(1, 1.0), (2, -1.0), (3, 2.0), (0, 0.0)]);
    draft.edit_list(&edit("field.layers[1].kind.layers[0]", "field.layers", 0)).expect("there is room");
    assert_eq!(layers(&draft), [(3, 2.0), (1, 1.0), (2, -1.0), (0, 0.0)]);
    for (item, list) in [("field.layers[2]", "field.layers[2].kind.layers"), ("field.layers[0]", "look.layers")] {
        assert!(draft.edit_list(&edit(item, list, 0)).is_err(), "{item} to {list}");
    }
}

#[test]
fn copies_get_streams_that_no_layer_has_even_at_the_end_of_all_streams() {
    for highest in [u32::MAX - 1, u32::MAX] {
        let group = LayerKind::Group(Group::from(vec![constant(1.0), constant(2.0)]));
        let mut draft = draft_of(vec![group.into(), Layer { stream: Some(highest), ..constant(3.0) }]);
        draft.change(&duplicate("field.layers[0]")).expect("it exists");
        let mut streams: Vec<u32> = layers(&draft).into_iter().map(|(stream, _)| stream).collect();
        streams.sort_unstable();
        streams.dedup();
        assert_eq!(streams.len(), 7, "{streams:?}");
    }
}

#[test]
fn masks_are_added_and_removed_up_to_the_limit() {
    let mut draft = draft_of(vec![constant(1.0)]);
    let layer = || "field.layers[0]".to_owned();
    for _ in 0..Layer::MAX_MASKS {
        draft.change(&add_mask(&layer(), "Height")).expect("there is room");
    }
    assert!(draft.change(&add_mask(&layer(), "Height")).is_err());
    draft.change(&remove(&format!("{}.masks[{}]", layer(), 3))).expect("it exists");
    assert!(draft.change(&add_mask(&layer(), "Width")).is_err());
    draft.change(&add_mask(&layer(), "Noise")).expect("there is room");
    assert!(draft.change(&remove(&format!("{}.masks[{}]", layer(), Layer::MAX_MASKS))).is_err());
    let names: Vec<&str> = draft.settings().field.layers[0].masks.iter().map(Choice::name).collect();
    assert_eq!(names[Layer::MAX_MASKS - 2..], ["Height", "Noise"]);
}

#[test]
fn masks_that_read_a_layer_follow_its_name() {
    let named = |name: &str| Layer { name: name.to_owned(), ..constant(1.0) };
    let mut draft = draft_of(vec![named("crests"), named(""), constant(2.0)]);
    let layer = |index: usize| format!("field.layers[{index}]");
    let read = |draft: &TerrainDraft, index: usize| {
        let masks = &draft.settings().field.layers[index].masks;
        named_layer(&masks[0]).map(str::to_owned)
    };
    assert!(!draft.can_change(&add_mask(&layer(0), "Layer")), "no layer is below it");
    draft.change(&add_mask(&layer(2), "Layer")).expect("a layer below has a name");
    assert_eq!(read(&draft, 2).as_deref(), Some("crests"));
    draft.edit("field.layers[0].name", ParamValue::Text("ridges".to_owned())).expect("it is a name");
    assert_eq!(read(&draft, 2).as_deref(), Some("ridges"));
    draft.edit("field.layers[1].name", ParamValue::Text("other".to_owned())).expect("it is a name");
    assert_eq!(read(&draft, 2).as_deref(), Some("ridges"), "another layer was named");
    draft.change(&duplicate(&layer(0))).expect("there is room");
    assert_eq!(draft.settings().field.layers[1].name, "ridges 2", "masks read the original");
    assert_eq!(read(&draft, 3).as_deref(), Some("ridges"));
    // What a mask reads can't go away.
    let before = draft.settings().clone();
    assert!(draft.edit("field.layers[0].name", ParamValue::Text(String::new())).is_err());
    assert!(draft.change(&remove(&layer(0))).is_err());
    let why = "Would give a mask that no longer reads its layer \"ridges\". Allowed: edits after which each mask reads the same layer as before.";
    assert_eq!(draft.why(&remove(&layer(0))).as_deref(), Some(why));
    assert!(draft.edit("field.layers[3].masks[0].layer", ParamValue::Text("no such".to_owned())).is_err());
    assert_eq!(draft.settings(), &before);
    draft.edit("field.layers[3].masks[0].layer", ParamValue::Text("other".to_owned())).expect("it is below");
}

fn kind(name: &str) -> Layer {
    LayerKind::with_defaults(name).expect("it is a kind").into()
}

#[test]
fn a_change_that_the_check_of_layers_refuses_is_known_before() {
    let layer = |index: usize| format!("field.layers[{index}]");
    let erosion = || kind("Erosion");
    for (layers, change) in [
        (vec![Layer::default(), erosion(), erosion()], duplicate(&layer(2))),
        (vec![kind("Scatter"); FieldSettings::MAX_SCATTERS], duplicate(&layer(0))),
        (vec![erosion(), Layer::default(), erosion(), erosion()], up(&layer(1))),
        (vec![erosion(), Layer::default(), erosion(), erosion()], down(&layer(0))),
    ] {
        let mut draft = draft_of(layers);
        let before = draft.settings().clone();
        assert_eq!(before.validate(), Ok(()));
        assert!(!draft.can_change(&change), "{change:?}");
        assert!(draft.why(&change).is_some_and(|why| why.starts_with("Would give a l")), "{change:?}");
        draft.change(&change).expect_err("it is too much");
        assert_eq!(*draft.settings(), before);
    }
    let draft = draft_of(vec![Layer::default(); 2]);
    assert_eq!(draft.why(&up(&layer(0))).as_deref(), Some(""), "nothing is above it");
    assert_eq!(draft.why(&down(&layer(0))), None);
}

fn named(name: &str) -> Layer {
    Layer { name: name.to_owned(), ..constant(1.0) }
}

fn reader(name: &str) -> Layer {
    let mask = LayerMask { layer: name.to_owned(), ..Default::default() };
    Layer { masks: vec![Mask::Layer(mask)], ..constant(2.0) }
}

#[test]
fn no_two_layers_have_a_name() {
    let mut draft = draft_of(vec![named("crests"), named("other"), reader("crests")]);
    let before = draft.settings().clone();
    let rename = |draft: &mut TerrainDraft, index: usize, name: &str| {
        let path = format!("field.layers[{index}].name");
        draft.edit(&path, ParamValue::Text(name.to_owned())).map_err(|error| error.to_string())
    };
    let expected = "`field.layers[1].name` is \"crests\", allowed: a name that no other layer has";
    assert_eq!(rename(&mut draft, 1, "crests"), Err(expected.to_owned()));
    assert_eq!(*draft.settings(), before);
    for expected in ["crests 2", "crests 3"] {
        draft.change(&duplicate("field.layers[0]")).expect("there is room");
        assert_eq!(draft.settings().field.layers[1].name, expected);
    }
    draft.change(&duplicate("field.layers[1]")).expect("there is room");
    assert_eq!(draft.settings().field.layers[2].name, "crests 4");
    assert_eq!(draft.settings().validate(), Ok(()));
}

#[test]
fn a_copied_group_has_names_of_its_own() {
    let group = LayerKind::Group(Group::from(vec![named("inner"), reader("inner")]));
    let mut draft = draft_of(vec![constant(1.0), Layer { name: "group".to_owned(), ..group.into() }]);
    draft.change(&duplicate("field.layers[1]")).expect("there is room");
    let copy = &draft.settings().field.layers[2];
    assert_eq!([&copy.name, &copy.children()[0].name], ["group 2", "inner 2"]);
    assert_eq!(named_layer(&copy.children()[1].masks[0]), Some("inner 2"));
    assert_eq!(draft.settings().validate(), Ok(()));
}

#[test]
fn a_layer_with_a_new_name_keeps_its_stream() {
    let mut draft = draft_of(vec![constant(0.0), named("crests")]);
    let stream = draft.settings().field.layers[1].stream_at(1);
    draft.edit("field.layers[1].name", ParamValue::Text("ridges".to_owned())).expect("it is a name");
    assert_eq!(draft.settings().field.layers[1].stream, Some(stream));
    draft.edit("field.layers[0].name", ParamValue::Text("ground".to_owned())).expect("it is a name");
    assert_eq!(draft.settings().field.layers[0].stream, Some(0));
}

#[test]
fn a_mask_can_read_the_names_below_it() {
    let mut field = FieldSettings::default();
    let group = LayerKind::Group(Group::from(vec![named("inner"), reader("inner")]));
    field.layers = vec![named("a"), named(""), named("b"), named(""), reader("a"), group.into(), named("above")];
    let settings = TerrainSettings { field, ..TerrainSettings::default() };
    let names = |path: &str| settings.texts_for(path);
    assert_eq!(names("field.layers[4].masks[0].layer"), Some(vec!["b", "a"]));
    assert_eq!(names("field.layers[5].kind.layers[1].masks[0].layer"), Some(vec!["inner"]));
    assert_eq!(names("field.layers[4].masks[0].from"), None);
    assert_eq!(names("field.layers[4].name"), None);
}

#[test]
fn a_new_layer_does_not_get_the_comments_of_a_removed_one() {
    let text = "(version: 2, field: (layers: [\n    (kind: Noise()),\n    (kind: Constant()),\n    // the old hills\n    (kind: Noise(octaves: 3)),\n]))";
    let file = TerrainSettings::from_ron(text).expect("the text is valid");
    let change = |change: &dyn Fn(&mut TerrainDraft)| {
        let mut draft = from_file(file.clone());
        change(&mut draft);
        (layers(&draft).last().map(|(stream, _)| *stream), draft.settings().save_into(text))
    };
    let (stream, saved) = change(&|draft| {
        draft.change(&remove("field.layers[2]")).expect("it exists");
        draft.change(&add("field.layers")).expect("there is room");
    });
    assert_eq!(stream, Some(3));
    assert!(!saved.contains("// the old hills"), "{saved}");
    let (stream, _) = change(&|draft| {
        draft.change(&remove("field.layers[2]")).expect("it exists");
        draft.change(&duplicate("field.layers[1]")).expect("there is room");
    });
    assert_eq!(stream, Some(3));
}

#[test]
fn points_of_a_curve_are_added_and_removed() {
    let curve = LayerKind::with_defaults("Curve").expect("it is a kind");
    let mut draft = draft_of(vec![constant(1.0), curve.into()]);
    let layer = || "field.layers[1]".to_owned();
    assert!(!draft.can_change(&add("field.layers[0].kind.points")));
    let count = |draft: &TerrainDraft| {
        perlin_terrain::draft::curve(&draft.settings().field.layers[1]).map(|curve| curve.points.len())
    };
    let before = count(&draft).expect("it is a curve");
    let height = |draft: &TerrainDraft| HeightField::new(&draft.settings().field).height(0.0, 0.0);
    let ground = height(&draft);
    for _ in before..Curve::MAX_POINTS {
        draft.change(&add(&format!("{}.kind.points", layer()))).expect("there is room");
    }
    assert_eq!(height(&draft), ground);
    assert!(draft.change(&add(&format!("{}.kind.points", layer()))).is_err());
    draft.change(&remove(&format!("{}.kind.points[{}]", layer(), 3))).expect("it exists");
    assert!(draft.change(&remove(&format!("{}.kind.points[{}]", layer(), Curve::MAX_POINTS - 1))).is_err());
    assert_eq!(count(&draft), Some(Curve::MAX_POINTS - 1));
    assert_eq!(draft.settings().validate(), Ok(()));
}

#[test]
fn changes_of_missing_layers_and_too_many_layers_are_errors() {
    let mut draft = draft_of(vec![constant(1.0); FieldSettings::MAX_LAYERS]);
    let layer = |index: usize| format!("field.layers[{index}]");
    let last = FieldSettings::MAX_LAYERS - 1;
    let all = [
        add("field.layers"),
        add("field.layers[0]"),
        add("look"),
        duplicate(&layer(0)),
        duplicate(&layer(last + 1)),
        remove(&layer(last + 1)),
        remove("field.layers[x]"),
        up(&layer(0)),
        down(&layer(last)),
        roll("field"),
    ];
    for change in all {
        assert!(draft.change(&change).is_err(), "{change:?}");
    }
    assert_eq!(draft.settings().field.layers.len(), FieldSettings::MAX_LAYERS);
    assert_eq!(draft.take_write(Duration::ZERO), None);
}

#[test]
fn a_refusal_does_not_move_to_another_layer() {
    let mut draft = draft_of(vec![Layer::default(); 2]);
    draft.refuse_text("field.layers[0].kind.octaves", "x");
    draft.change(&down("field.layers[0]")).expect("there are two");
    assert_eq!(draft.refusal("field.layers[0].kind.octaves"), None);
}

#[test]
fn edits_of_the_ground_and_the_points_of_their_paths_are_added_copied_moved_and_removed() {
    let mut draft = draft_of(vec![constant(1.0)]);
    let fades = |draft: &TerrainDraft| draft.settings().field.edits.iter().map(|edit| edit.fade).collect::<Vec<_>>();
    let set = |draft: &mut TerrainDraft, path: &str, value| draft.edit(path, value);
    draft.change(&add("field.edits")).expect("there is room");
    set(&mut draft, "field.edits[0].fade", ParamValue::Float(3.0)).expect("it is allowed");
    for (change, expected) in [
        (duplicate("field.edits[0]"), vec![3.0, 3.0]),
        (add("field.edits"), vec![3.0, 3.0, 10.0]),
        (up("field.edits[2]"), vec![3.0, 10.0, 3.0]),
        (remove("field.edits[0]"), vec![10.0, 3.0]),
    ] {
        draft.change(&change).expect("it is there");
        assert_eq!(fades(&draft), expected, "after {change:?}");
    }
    let points = "field.edits[1].shape.points";
    assert!(!draft.can_change(&add(points)), "a circle has no points");
    set(&mut draft, "field.edits[1].shape", ParamValue::Choice("Path")).expect("it is allowed");
    draft.change(&add(points)).expect("there is room");
    assert_eq!(draft.settings().get(&format!("{points}[2].x")), Some(ParamValue::Float(200.0)), "it goes on");
    draft.change(&remove(&format!("{points}[0]"))).expect("two are left");
    assert!(!draft.can_change(&remove(&format!("{points}[0]"))), "a path has two points at least");
    let error = set(&mut draft, "field.edits[1].change", ParamValue::Choice("Hill")).expect_err("it is no circle");
    assert_eq!(error.allowed, "a circle, for a hill");
    let place = |draft: &mut TerrainDraft, item: &str, at| {
        draft.edit_list(&ListEdit::Place { item: item.to_owned(), at }).expect("it is there");
    };
    place(&mut draft, "field.edits[0]", [7.0, -8.0]);
    place(&mut draft, "field.edits[1]", [1000.0, 50.0]);
    place(&mut draft, &format!("{points}[1]"), [3.0, 4.0]);
    let at = |draft: &TerrainDraft, path: &str| draft.settings().get(path);
    for (path, value) in [("[0].shape.x", 7.0), ("[0].shape.z", -8.0), ("[1].shape.points[0].x", 1000.0)] {
        assert_eq!(at(&draft, &format!("field.edits{path}")), Some(ParamValue::Float(value)), "{path}");
    }
    for (path, value) in [("points[0].z", 50.0), ("points[1].x", 3.0), ("points[1].z", 4.0)] {
        assert_eq!(at(&draft, &format!("field.edits[1].shape.{path}")), Some(ParamValue::Float(value)), "{path}");
    }
    let labels: Vec<_> = draft.history().labels().collect();
    assert_eq!(labels.last(), Some(&"Move point 2 of Edit 2 here"));
    let copied = draft.copy("field.edits[1]").expect("it is there");
    draft.paste(Some("field.edits[0].fade"), &copied).expect("it is an edit");
    assert_eq!(fades(&draft), [10.0, 3.0, 3.0]);
    let point = draft.copy(&format!("{points}[0]")).expect("it is there");
    draft.paste(Some("field.edits[1]"), &point).expect("it is a point");
    assert_eq!(draft.settings().get(&format!("{points}[2].x")), draft.settings().get(&format!("{points}[0].x")));
    let mut full = draft_of(vec![constant(1.0)]);
    (0..FieldSettings::MAX_EDITS).for_each(|_| full.change(&add("field.edits")).expect("there is room"));
    assert!(!full.can_change(&add("field.edits")));
}
