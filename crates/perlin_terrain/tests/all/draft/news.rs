//! Changes of the file and of the asset while a draft has edits.

use super::*;
use perlin_terrain::draft::FileNews;

const HILLS: &str = "(field: (layers: [(name: \"hills\", kind: Noise(octaves: 5)), (name: \"dunes\", kind: Dunes())]))";

fn read(text: &str) -> TerrainSettings {
    TerrainSettings::from_ron(text).expect("the text is valid")
}

fn hills() -> TerrainDraft {
    Draft::from_file(read(HILLS), HILLS)
}

fn set(draft: &mut TerrainDraft, path: &str, value: f64) {
    draft.edit(path, ParamValue::Float(value)).expect("in range");
    draft.finish_edit();
}

/// Loads another text of the file.
fn load(draft: &mut TerrainDraft, text: &str) {
    draft.file_loaded(&read(text), text);
}

/// The settings that a write gives to the asset.
fn written(draft: &mut TerrainDraft) -> TerrainSettings {
    let late = (1..99).map(|count| TerrainDraft::WRITE_INTERVAL * count).find_map(|time| draft.take_write(time));
    late.filter(|_| !draft.is_pending()).expect("there is something to write")
}

fn in_file(draft: &TerrainDraft, path: &str) -> Option<ParamValue> {
    draft.row(path).expect("it is a parameter").in_file
}

fn by_game(draft: &TerrainDraft, path: &str) -> Option<ParamValue> {
    draft.value_by_game(&draft.row(path).expect("it is a parameter"))
}

#[test]
fn edited_and_saved_drafts_are_distinguished() {
    let mut draft = hills();
    assert_eq!(draft.is_edited(), Some(false));
    set(&mut draft, "chunks.spacing", 8.0);
    assert_eq!(draft.is_edited(), Some(true));
    assert_eq!(in_file(&draft, "chunks.spacing"), Some(ParamValue::Float(4.0)));
    assert_eq!(in_file(&draft, "chunks.quads"), None);
    draft.file_saved("");
    assert_eq!(draft.is_edited(), Some(false));
    assert_eq!(Draft::new(TerrainSettings::default()).is_edited(), None);
}

#[test]
fn a_draft_without_edits_follows_the_file() {
    let mut draft = hills();
    let changed = HILLS.replace("octaves: 5", "octaves: 6");
    load(&mut draft, &changed);
    assert_eq!(draft.settings(), &read(&changed));
    assert_eq!((draft.is_edited(), draft.news(), draft.is_pending()), (Some(false), None, false));
    assert_eq!(draft.file_text(), changed);
}

#[test]
fn edits_survive_a_changed_file_and_its_changes_are_taken() {
    let mut draft = hills();
    set(&mut draft, "chunks.spacing", 8.0);
    set(&mut draft, "field.layers[0].opacity", 0.5);
    let changed =
        HILLS.replace("(layers", "(base_height: 77.0, layers").replace("octaves: 5", "octaves: 6, height_scale: 9.0");
    load(&mut draft, &changed.replace("Noise(", "Noise(persistence: 0.25, "));
    let both = read(&changed.replace("Noise(", "Noise(persistence: 0.25, "));
    assert_eq!(draft.settings().field.base_height, 77.0);
    assert_eq!((draft.settings().chunks.spacing, draft.settings().field.layers[0].opacity), (8.0, 0.5));
    assert_eq!(draft.settings().field.layers[0].kind, both.field.layers[0].kind);
    let taken = [
        "Field: base height 30.0 to 77.0 m",
        "hills: octaves 5 to 6",
        "hills: persistence 0.5 to 0.25",
        "hills: height scale 100.0 to 9.0 m",
    ];
    let news = FileNews { taken: taken.map(str::to_owned).to_vec(), ..FileNews::default() };
    assert_eq!(draft.news(), Some(&news));
    // The load overwrote the asset, so the draft is written again.
    assert_eq!(&written(&mut draft), draft.settings());
    draft.dismiss_news();
    assert_eq!(draft.news(), None);
}

#[test]
fn where_both_changed_a_value_the_draft_keeps_its_own_and_shows_that_of_the_file() {
    let mut draft = hills();
    set(&mut draft, "field.base_height", 12.0);
    load(&mut draft, &HILLS.replace("(layers", "(base_height: 77.0, layers"));
    let news = FileNews { kept: vec!["Field: base height".to_owned()], ..FileNews::default() };
    assert_eq!((draft.settings().field.base_height, draft.news()), (12.0, Some(&news)));
    assert_eq!(in_file(&draft, "field.base_height"), Some(ParamValue::Float(77.0)));
}

#[test]
fn a_change_of_the_file_that_does_not_fit_leaves_the_draft() {
    let mut draft = hills();
    draft.change(&add_mask("field.layers[1]", "Layer")).expect("it reads the hills");
    let before = draft.settings().clone();
    let gone = "(field: (layers: [(name: \"dunes\", kind: Dunes())]))";
    load(&mut draft, gone);
    assert_eq!(draft.settings(), &before);
    let refused = draft.news().and_then(|news| news.refused.clone()).expect("the layer of the mask is gone");
    assert!(refused.contains("field.layers[0].masks[0].layer"), "{refused}");
    assert_eq!(&written(&mut draft), draft.settings(), "the asset keeps the draft");
    // Both ways out of it.
    let mut kept = draft.clone();
    kept.dismiss_news();
    assert_eq!((kept.settings(), kept.is_edited()), (&before, Some(true)));
    draft.reset();
    assert_eq!((draft.settings(), draft.is_edited(), draft.news()), (&read(gone), Some(false), None));
    assert_eq!(draft.undo(), Ok(true));
    assert_eq!(draft.settings(), &before);
}

#[test]
fn a_saved_file_that_loads_again_changes_nothing() {
    let mut draft = hills();
    set(&mut draft, "chunks.spacing", 8.0);
    draft.file_saved("saved");
    let saved = draft.settings().clone();
    set(&mut draft, "chunks.spacing", 9.0);
    assert!(draft.take_write(Duration::ZERO).is_some());
    draft.file_loaded(&saved, "saved");
    assert_eq!((draft.settings().chunks.spacing, draft.news()), (9.0, None));
    let again = draft.take_write(Duration::from_millis(1)).expect("the load overwrote the asset");
    assert_eq!(again.chunks.spacing, 9.0);
}

#[test]
fn a_change_by_the_game_is_shown_and_neither_saved_nor_lost() {
    let mut draft = hills();
    let mut asset = draft.settings().clone();
    asset.look.water_height = 312.0;
    draft.asset_seen(&asset);
    assert_eq!((draft.settings(), draft.is_edited()), (&read(HILLS), Some(false)), "it would be saved");
    assert_eq!(by_game(&draft, "look.water_height"), Some(ParamValue::Float(312.0)));
    assert_eq!(by_game(&draft, "field.base_height"), None);
    // A write keeps it, again and again, while it moves on.
    for (spacing, height) in [(8.0, 312.0), (9.0, 313.0)] {
        asset.look.water_height = height;
        draft.asset_seen(&asset);
        set(&mut draft, "chunks.spacing", spacing);
        asset = written(&mut draft);
        assert_eq!((asset.look.water_height, asset.chunks.spacing), (height, spacing));
        draft.asset_seen(&asset);
        assert_eq!(by_game(&draft, "look.water_height"), Some(ParamValue::Float(height)));
        assert_eq!(draft.settings().look.water_height, read(HILLS).look.water_height);
    }
    // The designer takes it.
    draft.edit("look.water_height", ParamValue::Float(313.0)).expect("in range");
    assert_eq!(by_game(&draft, "look.water_height"), None);
    assert_eq!(written(&mut draft).look.water_height, 313.0);
    // The designer has the last word.
    set(&mut draft, "look.water_height", 5.0);
    assert_eq!(written(&mut draft).look.water_height, 5.0);
}

#[test]
fn a_file_written_with_other_streams_is_the_same_file() {
    let text = "(field: (layers: [(kind: Noise()), (kind: Dunes())]))";
    let mut draft = Draft::from_file(read(text), text);
    draft.change(&down("field.layers[0]")).expect("there are two");
    draft.change(&up("field.layers[1]")).expect("there are two");
    assert_eq!(draft.is_edited(), Some(false));
    assert_eq!(draft.settings().save_into(text), text);
}

#[test]
fn a_refused_change_is_taken_with_the_next_one_that_fits() {
    let mut draft = hills();
    draft.change(&add_mask("field.layers[1]", "Layer")).expect("it reads the hills");
    load(&mut draft, "(field: (seed: 7, layers: [(name: \"dunes\", kind: Dunes())]))");
    assert!(draft.news().is_some_and(|news| news.refused.is_some()));
    load(&mut draft, &HILLS.replace("(layers", "(seed: 7, layers"));
    assert!(draft.news().is_some_and(|news| news.refused.is_none() && news.kept.is_empty()), "{:?}", draft.news());
    assert_eq!((draft.settings().field.seed, draft.settings().field.layers[1].masks.len()), (7, 1));
}

#[test]
fn news_stays_until_it_was_read() {
    let mut draft = hills();
    set(&mut draft, "field.base_height", 12.0);
    load(&mut draft, &HILLS.replace("(layers", "(base_height: 77.0, layers"));
    load(&mut draft, &HILLS.replace("(layers", "(base_height: 77.0, seed: 7, layers"));
    let news = draft.news().expect("two changes");
    assert_eq!((news.taken.len(), &news.kept[..]), (1, &["Field: base height".to_owned()][..]));
}

#[test]
fn a_file_that_loads_during_a_drag_is_no_edit() {
    let mut draft = hills();
    for height in [50.0, 30.0] {
        draft.edit("field.base_height", ParamValue::Float(height)).expect("in range");
    }
    load(&mut draft, &HILLS.replace("(layers", "(seed: 7, layers"));
    draft.finish_edit();
    assert_eq!((draft.history().done(), draft.undo()), (0, Ok(false)));
    assert_eq!(draft.settings().field.seed, 7);
}

#[test]
fn edits_of_a_crash_are_merged_into_a_file_that_changed_since() {
    let base = read(HILLS);
    let mut edited = base.clone();
    edited.chunks.spacing = 8.0;
    edited.field.base_height = 12.0;
    let text = HILLS.replace("(layers", "(base_height: 77.0, seed: 7, layers");
    let mut draft = Draft::from_file(read(&text), text);
    draft.restore(&edited, &base).expect("it is allowed");
    let settings = draft.settings();
    assert_eq!((settings.chunks.spacing, settings.field.base_height, settings.field.seed), (8.0, 12.0, 7));
    assert_eq!(draft.news().map(|news| news.kept.clone()), Some(vec!["Field: base height".to_owned()]));
    assert_eq!(draft.undo(), Ok(true));
    assert_eq!(draft.is_edited(), Some(false));
}

#[test]
fn an_edit_back_to_the_first_value_reaches_the_asset() {
    let mut draft = hills();
    for height in [12.0, 30.0, 12.0] {
        set(&mut draft, "field.base_height", height);
        let asset = written(&mut draft);
        assert_eq!(asset.field.base_height, height);
        draft.asset_seen(&asset);
    }
}
