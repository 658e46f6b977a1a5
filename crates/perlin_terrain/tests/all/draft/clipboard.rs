//! Items and files as text.

use super::*;
use perlin_terrain::settings::SettingsProblem;

const FILE: &str = r#"(
    // Ann's
    field: (layers: [
        (name: "hills", kind: Noise(octaves: 3)),
        (name: "dunes", kind: Dunes(), masks: [Layer(layer: "hills"), Height(from: 5.0)]),
        (name: "steps", kind: Curve(points: [(from: 0.0, to: 0.0), (from: 50.0, to: 20.0)])),
    ]),
)"#;

fn draft() -> TerrainDraft {
    Draft::from_file(TerrainSettings::from_ron(FILE).expect("the text is valid"), FILE)
}

fn names(draft: &TerrainDraft) -> Vec<&str> {
    draft.settings().field.layers.iter().map(|layer| layer.name.as_str()).collect()
}

fn refused(draft: &mut TerrainDraft, after: Option<&str>, text: &str) -> Vec<String> {
    let before = draft.settings().clone();
    let problems = draft.paste(after, text).expect_err("it is refused");
    assert_eq!(draft.settings(), &before);
    problems.iter().map(SettingsProblem::to_string).collect()
}

#[test]
fn a_layer_is_pasted_after_another_one_or_at_the_end_with_its_own_name_and_stream() {
    let mut draft = draft();
    let text = draft.copy("field.layers[0]").expect("it exists");
    draft.paste(Some("field.layers[1].masks[0]"), &text).expect("there is room");
    draft.paste(None, &text).expect("there is room");
    assert_eq!(names(&draft), ["hills", "dunes", "hills 2", "steps", "hills 3"]);
    let layers = &draft.settings().field.layers;
    assert_eq!((&layers[2].kind, &layers[4].kind), (&layers[0].kind, &layers[0].kind));
    let streams: Vec<u32> = layers.iter().enumerate().map(|(index, layer)| layer.stream_at(index)).collect();
    assert!((1..5).all(|index| !streams[..index].contains(&streams[index])), "{streams:?}");
    assert_eq!(draft.history().labels().last(), Some("add hills"));
    // Text as in a file, of somebody else.
    draft.paste(None, "(kind: Noise(\n  octaves: 2, // few\n))").expect("there is room");
    assert_eq!(draft.settings().field.layers[5].noise().map(|noise| noise.octaves), Some(2));
}

#[test]
fn masks_points_and_layers_of_the_ground_are_pasted_into_their_lists() {
    let mut draft = draft();
    let mask = draft.copy("field.layers[1].masks[1]").expect("it exists");
    draft.paste(Some("field.layers[0]"), &mask).expect("a layer has masks");
    draft.paste(Some("field.layers[1].masks[0]"), &mask).expect("there is room");
    let masks: Vec<usize> = draft.settings().field.layers.iter().map(|layer| layer.masks.len()).collect();
    assert_eq!(masks, [1, 3, 0]);
    assert_eq!(draft.settings().field.layers[1].masks[1], draft.settings().field.layers[0].masks[0]);
    draft.paste(Some("field.layers[2].kind.points[0]"), "(from: 20.0, to: 5.0)").expect("it is between");
    let point = draft.copy("field.layers[2].kind.points[1]").expect("it exists");
    assert!(point.contains("from: 20.0"), "{point}");
    let ground = draft.copy("look.layers[0]").expect("it exists");
    let count = draft.settings().look.layers.len();
    draft.paste(None, &ground).expect("there is room");
    assert_eq!(draft.settings().look.layers[count], draft.settings().look.layers[0]);
    let nowhere = "a mask can be pasted only into a layer: hold the pointer over it";
    assert_eq!(refused(&mut draft, None, &mask), [nowhere]);
    assert!(
        refused(&mut draft, Some("field.layers[0]"), &point)[0].starts_with("a point can be pasted only into a curve")
    );
}

#[test]
fn a_whole_file_replaces_all_settings_and_keeps_its_comments_in_a_copy() {
    let mut draft = draft();
    assert_eq!(draft.copy_all(), FILE);
    let before = draft.settings().clone();
    draft.paste(None, "(version: 2, field: (seed: 9))").expect("it is a file");
    assert_eq!(draft.settings().field.seed, 9);
    assert!(draft.copy_all().contains("// Ann's"));
    assert_eq!(draft.undo(), Ok(true));
    assert_eq!(draft.settings(), &before);
}

#[test]
fn a_text_with_mistakes_is_refused_with_their_positions() {
    let mut draft = draft();
    assert_eq!(
        refused(&mut draft, None, "(\n  kind: Noise(octaves: 40),\n)"),
        ["2:24: `kind.octaves` is 40, allowed: 0 to 32"]
    );
    let typo = refused(&mut draft, None, "(kind: Noise(octavs: 4))");
    assert!(typo[0].starts_with("1:14: unknown field `octavs`"), "{typo:?}");
    let typo = refused(&mut draft, Some("field.layers[0]"), "Height(frm: 4.0)");
    assert!(typo[0].starts_with("1:8: unknown field `frm`"), "{typo:?}");
    let unread = refused(&mut draft, Some("field.layers[0]"), "Layer(layer: \"nothing\")");
    assert!(unread[0].contains("the name of a layer below it"), "{unread:?}");
    let number = refused(&mut draft, Some("field.layers[0]"), "Layer(layer: 3)");
    assert!(number[0].starts_with("1:14: "), "{number:?}");
    for text in ["", "hello", "(", "(field: (sed: 1))", "\u{0}"] {
        refused(&mut draft, None, text);
    }
}
