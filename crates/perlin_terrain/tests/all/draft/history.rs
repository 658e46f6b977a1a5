//! Undo and redo.

use super::*;
use perlin_terrain::draft::History;

const FILE: &str = "(field: (layers: [(name: \"Ranges\", kind: Noise(octaves: 5)), (name: \"dunes\", kind: Dunes())]))";

fn ranges() -> TerrainDraft {
    Draft::from_file(TerrainSettings::from_ron(FILE).expect("the text is valid"), FILE)
}

fn octaves(draft: &mut TerrainDraft, octaves: u32) {
    draft.edit("field.layers[0].kind.octaves", ParamValue::Count(octaves)).expect("in range");
}

fn labels(draft: &TerrainDraft) -> Vec<&str> {
    draft.history().labels().collect()
}

#[test]
fn the_edits_of_one_drag_are_one_entry_with_both_values() {
    let mut draft = ranges();
    for step in 6..20 {
        octaves(&mut draft, step);
    }
    draft.finish_edit();
    draft.finish_edit();
    draft.edit("chunks.spacing", ParamValue::Float(8.0)).expect("in range");
    draft.finish_edit();
    assert_eq!(labels(&draft), ["Ranges: octaves 5 to 19", "Chunks: spacing 4.0 to 8.0 m"]);
    // A drag that ends where it began, and a value that is refused.
    octaves(&mut draft, 3);
    octaves(&mut draft, 19);
    draft.edit("chunks.spacing", ParamValue::Float(-8.0)).expect_err("out of range");
    draft.finish_edit();
    assert_eq!(draft.history().done(), 2);
}

#[test]
fn undo_and_redo_walk_through_the_edits() {
    let mut draft = ranges();
    let first = draft.settings().clone();
    octaves(&mut draft, 6);
    draft.finish_edit();
    draft.change(&remove("field.layers[1]")).expect("it exists");
    draft.edit("field.layers[0].name", ParamValue::Text("Crests".to_owned())).expect("it is a name");
    draft.finish_edit();
    assert_eq!(labels(&draft), ["Ranges: octaves 5 to 6", "Remove dunes", "Ranges: name \"Ranges\" to \"Crests\""]);
    let last = draft.settings().clone();
    for done in (0..3).rev() {
        assert_eq!(draft.undo(), Ok(true));
        assert_eq!(draft.history().done(), done);
    }
    assert_eq!(draft.undo(), Ok(false));
    assert_eq!((draft.settings(), draft.is_edited()), (&first, Some(false)));
    while draft.redo() == Ok(true) {}
    assert_eq!((draft.settings(), draft.history().done()), (&last, 3));
    draft.jump(1).expect("each can be undone");
    assert_eq!((draft.settings().field.layers.len(), draft.history().done()), (2, 1));
    draft.jump(3).expect("each can be redone");
    assert_eq!(draft.settings(), &last);
    // A new edit forgets what was undone.
    draft.jump(1).expect("each can be undone");
    draft.roll_seed();
    draft.finish_edit();
    assert_eq!(labels(&draft).len(), 2);
    assert!(labels(&draft)[1].starts_with("Field: seed "));
    assert_eq!(draft.redo(), Ok(false));
}

#[test]
fn undo_takes_back_its_edit_alone_after_the_file_has_changed() {
    let mut draft = ranges();
    octaves(&mut draft, 6);
    draft.finish_edit();
    let changed = FILE.replace("(layers", "(base_height: 77.0, layers");
    draft.file_loaded(&TerrainSettings::from_ron(&changed).expect("it is valid"), changed.clone());
    assert_eq!(draft.undo(), Ok(true));
    assert_eq!(draft.settings(), &TerrainSettings::from_ron(&changed).expect("it is valid"));
    assert_eq!(draft.redo(), Ok(true));
    assert_eq!(draft.settings().field.base_height, 77.0);
    assert_eq!(draft.is_edited(), Some(true));
    // An edit that the file has too is skipped, forwards and backwards.
    let changed = FILE.replace("octaves: 5", "octaves: 7");
    let mut draft = ranges();
    draft.edit("chunks.spacing", ParamValue::Float(8.0)).expect("in range");
    draft.finish_edit();
    octaves(&mut draft, 7);
    draft.finish_edit();
    draft.file_loaded(&TerrainSettings::from_ron(&changed).expect("it is valid"), changed);
    octaves(&mut draft, 5);
    draft.finish_edit();
    assert_eq!(draft.history().done(), 3);
    draft.jump(2).expect("it can be undone");
    draft.file_loaded(&TerrainSettings::from_ron(FILE).expect("it is valid"), FILE);
    assert_eq!(draft.undo(), Ok(true));
    assert_eq!(draft.history().done(), 0, "the edit of the octaves is gone already");
    assert_eq!(draft.settings().chunks.spacing, 4.0);
}

#[test]
fn an_undo_that_is_not_allowed_changes_nothing() {
    let mut draft = ranges();
    draft.change(&add("field.layers")).expect("there is room");
    draft.edit("field.layers[2].name", ParamValue::Text("new".to_owned())).expect("it is a name");
    draft.finish_edit();
    // The file has a layer that reads this one.
    let text = draft.settings().save_into(FILE);
    let reader = text.rfind("]").expect("a list");
    draft.file_saved(text.clone());
    let reading = format!("{}, (kind: Constant(), masks: [Layer(layer: \"new\")]){}", &text[..reader], &text[reader..]);
    draft.file_loaded(&TerrainSettings::from_ron(&reading).expect("it is valid"), reading);
    let before = draft.settings().clone();
    // The mask follows the old name, and then its layer can't go.
    let why = draft.undo().and_then(|_| draft.undo()).expect_err("a mask reads it");
    assert!(why.contains("masks[0].layer"), "{why}");
    assert_eq!(draft.settings().field.layers.len(), before.field.layers.len());
}

#[test]
fn a_history_keeps_the_last_edits() {
    let mut draft = ranges();
    for seed in 0..250 {
        draft.edit("field.seed", ParamValue::Seed(1000 + seed)).expect("any seed is allowed");
        draft.finish_edit();
    }
    assert_eq!(draft.history().labels().len(), History::<TerrainSettings>::MAX);
    while draft.undo() == Ok(true) {}
    assert_eq!(draft.settings().field.seed, 1049);
}

#[test]
fn a_reset_and_a_replacement_can_be_undone() {
    let mut draft = ranges();
    octaves(&mut draft, 6);
    draft.reset();
    assert_eq!((labels(&draft), draft.is_edited()), (vec!["Ranges: octaves 5 to 6", "Reset to file"], Some(false)));
    assert_eq!(draft.undo(), Ok(true));
    assert_eq!(draft.is_edited(), Some(true));
    let mut broken = TerrainSettings::default();
    broken.chunks.spacing = -1.0;
    assert!(draft.set("Paste", broken).is_err());
    draft.set("Paste", TerrainSettings::default()).expect("it is valid");
    assert_eq!(
        (labels(&draft), draft.settings()),
        (vec!["Ranges: octaves 5 to 6", "Paste"], &TerrainSettings::default())
    );
}

#[test]
fn later_edits_have_higher_numbers_in_all_histories() {
    let (mut a, mut b) = (ranges(), ranges());
    octaves(&mut a, 6);
    a.finish_edit();
    octaves(&mut b, 6);
    b.finish_edit();
    assert!(a.history().last_done_number() < b.history().last_done_number());
    assert_eq!(b.undo(), Ok(true));
    assert_eq!(b.history().last_done_number(), None);
    assert!(b.history().first_undone_number() > a.history().last_done_number());
}

#[test]
fn an_undo_leaves_what_came_from_elsewhere_since() {
    let mut draft = ranges();
    octaves(&mut draft, 6);
    draft.finish_edit();
    draft.file_saved(FILE.replace("octaves: 5", "octaves: 6"));
    let theirs = FILE.replace("octaves: 5", "octaves: 8");
    draft.file_loaded(&TerrainSettings::from_ron(&theirs).expect("it is valid"), theirs);
    assert_eq!(draft.undo(), Ok(false), "the edit is gone already");
    assert_eq!(draft.settings().field.layers[0].noise().map(|noise| noise.octaves), Some(8));
}

#[test]
fn a_jump_does_no_more_than_was_asked() {
    let mut draft = ranges();
    for (path, value) in [("chunks.spacing", 8.0), ("field.base_height", 1.0), ("chunks.spacing", 9.0)] {
        draft.edit(path, ParamValue::Float(value)).expect("in range");
        draft.finish_edit();
    }
    draft.jump(1).expect("nothing came from elsewhere");
    // The second edit is in the file by now.
    let text = FILE.replace("(layers", "(base_height: 1.0, layers");
    draft.file_loaded(&TerrainSettings::from_ron(&text).expect("it is valid"), text);
    draft.jump(2).expect("it changes nothing");
    assert_eq!((draft.history().done(), draft.settings().chunks.spacing), (2, 8.0));
}
