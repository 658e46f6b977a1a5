//! Nothing that a designer did gets lost.

use super::*;
use bevy_perlin_terrain::draft::{FileNews, write_recovery};

fn save(app: &mut App) -> Result<String, String> {
    request(app, PanelAction::Terrain(FileAction::Save));
    app.update();
    let message = app.world().resource::<TerrainInspector>().message().expect("a save has a result");
    message.map(str::to_owned).map_err(str::to_owned)
}

fn set(app: &mut App, path: &str, value: f64) {
    draft(app).edit(path, ParamValue::Float(value)).expect("in range");
    pump(app, 10);
}

/// Replaces the handle of the terrain, as a game does.
fn open(app: &mut App, name: &str) {
    let handle = app.world().resource::<AssetServer>().load(name.to_owned());
    let mut terrains = app.world_mut().query::<&mut Terrain>();
    terrains.single_mut(app.world_mut()).expect("one terrain").0 = handle;
}

#[test]
fn edits_survive_a_change_of_the_file() {
    let folder = settings_folder();
    let mut app = app(&folder);
    // The watcher checks the file every half second. Let it see the current content first.
    pump(&mut app, 100);
    set(&mut app, "chunks.spacing", 8.0);
    folder.write("hills.terrain.ron", HILLS.replace("seed: 1", "seed: 7"));
    run_until(&mut app, |app| seed_in_use(app) == Some(7) && in_use(app).is_some_and(|now| now.chunks.spacing == 8.0));
    let news = FileNews { taken: vec!["Field: seed 1 to 7".to_owned()], ..FileNews::default() };
    assert_eq!(draft(&mut app).news(), Some(&news));
    assert_eq!(draft(&mut app).is_edited(), Some(true));
    assert_eq!(draft(&mut app).undo(), Ok(true), "an undo takes back the edit alone");
    pump(&mut app, 10);
    assert_eq!(in_use(&mut app).map(|now| (now.field.seed, now.chunks.spacing)), Some((7, 4.0)));
}

#[test]
fn saving_takes_what_a_colleague_changed_before_it_writes() {
    let folder = settings_folder();
    let mut app = app(&folder);
    set(&mut app, "chunks.spacing", 8.0);
    let theirs = HILLS.replace("seed: 1", "base_height: 77.0, seed: 1");
    folder.write("hills.terrain.ron", &theirs);
    let why = save(&mut app).expect_err("the file has changed");
    assert!(why.starts_with("Not saved yet"), "{why}");
    assert_eq!(folder.read("hills.terrain.ron"), theirs);
    assert_eq!(draft(&mut app).settings().field.base_height, 77.0);
    for _ in 0..2 {
        save(&mut app).expect("it has what the file has");
    }
    let saved = TerrainSettings::from_ron(&folder.read("hills.terrain.ron")).expect("it is valid");
    assert_eq!((saved.field.base_height, saved.chunks.spacing), (77.0, 8.0));
    assert!(folder.read("hills.terrain.ron").contains("// lucky"));
    assert_eq!(folder.read("hills.terrain.ron.bak"), theirs);
}

#[test]
fn a_file_with_a_typo_is_not_written_and_a_missing_one_gets_its_comments_back() {
    let folder = settings_folder();
    let mut app = app(&folder);
    set(&mut app, "chunks.spacing", 8.0);
    let typo = HILLS.replace("seed: 1", "sed: 1");
    folder.write("hills.terrain.ron", &typo);
    let why = save(&mut app).expect_err("the file has a typo");
    assert!(why.contains("hills.terrain.ron:4:9: unknown field `sed`"), "{why}");
    assert_eq!(folder.read("hills.terrain.ron"), typo);
    assert_eq!(draft(&mut app).settings().chunks.spacing, 8.0);
    std::fs::remove_file(folder.path("hills.terrain.ron")).expect("it is there");
    save(&mut app).expect("the folder can be written");
    let saved = folder.read("hills.terrain.ron");
    assert!(
        saved.contains("// Ann's hills") && saved.contains("// lucky") && saved.contains("spacing: 8.0"),
        "{saved}"
    );
}

#[test]
fn edits_and_history_stay_when_another_file_is_opened() {
    let folder = settings_folder();
    let mut app = app(&folder);
    set(&mut app, "chunks.spacing", 8.0);
    open(&mut app, "plain.terrain.ron");
    run_until(&mut app, |app| seed_in_use(app) == Some(100));
    pump(&mut app, 20);
    assert_eq!(draft(&mut app).is_edited(), Some(false));
    open(&mut app, "hills.terrain.ron");
    run_until(&mut app, |app| seed_in_use(app) == Some(1));
    assert_eq!((draft(&mut app).settings().chunks.spacing, draft(&mut app).is_edited()), (8.0, Some(true)));
    assert_eq!(in_use(&mut app).map(|now| now.chunks.spacing), Some(8.0));
    assert_eq!(draft(&mut app).undo(), Ok(true));
    // Without edits, the file is let go.
    pump(&mut app, 10);
    open(&mut app, "plain.terrain.ron");
    run_until(&mut app, |app| seed_in_use(app) == Some(100));
    run_until(&mut app, |app| app.world().resource::<Assets<TerrainSettings>>().len() == 1);
}

#[test]
fn a_new_file_takes_the_history_along() {
    let folder = settings_folder();
    let mut app = app(&folder);
    set(&mut app, "chunks.spacing", 8.0);
    request(&mut app, PanelAction::Terrain(FileAction::SaveAs("copy".to_owned())));
    run_until(&mut app, |app| {
        app.world().resource::<TerrainInspector>().draft().is_some_and(|draft| draft.file_text().contains("8.0"))
    });
    pump(&mut app, 10);
    assert_eq!(draft(&mut app).is_edited(), Some(false));
    assert_eq!(draft(&mut app).undo(), Ok(true));
    pump(&mut app, 10);
    assert_eq!(in_use(&mut app).map(|now| now.chunks.spacing), Some(4.0));
    assert!(folder.read("copy.terrain.ron").contains("spacing: 8.0"), "the file is not changed");
    open(&mut app, "hills.terrain.ron");
    run_until(&mut app, |app| {
        app.world().resource::<TerrainInspector>().draft().is_some_and(|draft| draft.file_text() == HILLS)
    });
    assert_eq!(draft(&mut app).is_edited(), Some(false), "its edits went along");
}

#[test]
fn the_last_edit_of_the_terrain_or_of_the_light_is_undone() {
    let folder = settings_folder();
    let mut app = app(&folder);
    for seed in [5, 6] {
        draft(&mut app).edit("field.seed", ParamValue::Seed(seed)).expect("any seed is allowed");
        pump(&mut app, 10);
    }
    for (action, seed) in
        [(PanelAction::Undo, 5), (PanelAction::Undo, 1), (PanelAction::Undo, 1), (PanelAction::Redo, 5)]
    {
        request(&mut app, action);
        pump(&mut app, 10);
        assert_eq!(seed_in_use(&mut app), Some(seed));
    }
    request(&mut app, PanelAction::Terrain(FileAction::Jump(2)));
    pump(&mut app, 10);
    assert_eq!(seed_in_use(&mut app), Some(6));
}

const DRAFT: &str = "hills.terrain.ron.draft";

/// Runs frames until a task has written or removed the file of the unsaved edits.
fn until_draft(app: &mut App, folder: &Folder, is_there: bool) {
    run_until(app, |_| folder.path(DRAFT).exists() == is_there);
}

#[test]
fn edits_are_there_again_after_a_crash() {
    let folder = settings_folder();
    let mut crashed = app(&folder);
    set(&mut crashed, "chunks.spacing", 8.0);
    assert!(!folder.path(DRAFT).exists(), "two seconds have not passed");
    until_draft(&mut crashed, &folder, true);
    drop(crashed);
    assert!(folder.read(DRAFT).contains("// lucky"), "it is a whole file");

    let mut restarted = app(&folder);
    assert_eq!(draft(&mut restarted).settings().chunks.spacing, 4.0, "they are only offered");
    request(&mut restarted, PanelAction::Terrain(FileAction::Restore));
    pump(&mut restarted, 10);
    assert_eq!(in_use(&mut restarted).map(|now| now.chunks.spacing), Some(8.0));
    assert_eq!(draft(&mut restarted).history().labels().collect::<Vec<_>>(), ["Restore"]);
    until_draft(&mut restarted, &folder, true);
    pump(&mut restarted, 200);
    save(&mut restarted).expect("the folder can be written");
    until_draft(&mut restarted, &folder, false);
}

#[test]
fn edits_of_a_crash_can_be_discarded() {
    let folder = settings_folder();
    write_recovery(&folder.path("hills.terrain.ron"), &HILLS.replace("seed: 1", "seed: 9"), HILLS, true)
        .expect("the folder can be written");
    let mut app = app(&folder);
    request(&mut app, PanelAction::Terrain(FileAction::Discard));
    app.update();
    assert!(!folder.path(DRAFT).exists());
    assert_eq!(seed_in_use(&mut app), Some(1));
    // An undo that leads back to the file removes it too.
    set(&mut app, "chunks.spacing", 8.0);
    until_draft(&mut app, &folder, true);
    request(&mut app, PanelAction::Terrain(FileAction::Discard));
    app.update();
    assert!(folder.path(DRAFT).exists(), "nothing was offered");
    assert_eq!(draft(&mut app).undo(), Ok(true));
    until_draft(&mut app, &folder, false);
}

#[test]
fn restored_edits_don_t_undo_what_changed_in_the_file_since_the_crash() {
    let folder = settings_folder();
    let edited = HILLS.replace("seed: 1", "base_height: 12.0, seed: 1");
    write_recovery(&folder.path("hills.terrain.ron"), &edited, HILLS, true).expect("the folder can be written");
    folder.write("hills.terrain.ron", HILLS.replace("seed: 1", "seed: 7"));
    let mut app = app(&folder);
    request(&mut app, PanelAction::Terrain(FileAction::Restore));
    pump(&mut app, 10);
    assert_eq!(in_use(&mut app).map(|now| (now.field.seed, now.field.base_height)), Some((7, 12.0)));
}

#[test]
fn edits_beside_those_of_a_crash_and_those_before_the_end_are_kept() {
    let folder = settings_folder();
    let old = HILLS.replace("seed: 1", "seed: 9");
    write_recovery(&folder.path("hills.terrain.ron"), &old, HILLS, true).expect("the folder can be written");
    let mut app = app(&folder);
    draft(&mut app).edit("chunks.spacing", ParamValue::Float(8.0)).expect("in range");
    app.world_mut().write_message(AppExit::Success);
    app.update();
    assert!(folder.read(DRAFT).contains("spacing: 8.0"), "the app ends less than two seconds after the edit");
    assert!(folder.read("hills.terrain.ron.draft.bak").contains("seed: 9"), "these were never seen");
}

#[test]
fn discarding_edits_of_a_crash_keeps_those_of_this_run() {
    let folder = settings_folder();
    let old = HILLS.replace("seed: 1", "seed: 9");
    write_recovery(&folder.path("hills.terrain.ron"), &old, HILLS, true).expect("the folder can be written");
    let mut app = app(&folder);
    set(&mut app, "chunks.spacing", 8.0);
    run_until(&mut app, |_| folder.path("hills.terrain.ron.draft.bak").exists() && folder.path(DRAFT).exists());
    request(&mut app, PanelAction::Terrain(FileAction::Discard));
    pump(&mut app, 3);
    assert!(folder.read(DRAFT).contains("spacing: 8.0"));
}

#[test]
fn saving_without_edits_shows_a_file_that_changed() {
    let folder = settings_folder();
    let mut app = app(&folder);
    let theirs = HILLS.replace("seed: 1", "seed: 7");
    folder.write("hills.terrain.ron", &theirs);
    assert_eq!(save(&mut app), Ok("The file had changed. It is shown now.".to_owned()));
    assert_eq!(folder.read("hills.terrain.ron"), theirs);
    run_until(&mut app, |app| seed_in_use(app) == Some(7));
}

#[test]
fn an_edit_stays_if_its_file_is_left_in_the_same_frame() {
    let folder = settings_folder();
    let mut app = app(&folder);
    draft(&mut app).edit("chunks.spacing", ParamValue::Float(8.0)).expect("in range");
    request(&mut app, PanelAction::Terrain(FileAction::Open("plain.terrain.ron".to_owned())));
    run_until(&mut app, |app| seed_in_use(app) == Some(100));
    pump(&mut app, 20);
    open(&mut app, "hills.terrain.ron");
    run_until(&mut app, |app| in_use(app).is_some_and(|now| now.field.seed == 1 && now.chunks.spacing == 8.0));
}
