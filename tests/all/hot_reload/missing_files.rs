//! Files that are missing, deleted, or created later.

use super::*;
use bevy::ecs::message::MessageCursor;

#[test]
fn a_file_that_is_missing_at_the_start_gives_terrain_once_it_exists() {
    let mut fixture = Fixture::new(None);
    let problems = fixture.pump_until_problem();
    assert!(problems[0].contains(FILE), "{problems:?}");
    fixture.write(&hills(9));
    fixture.pump_until_seed(9);
    assert_eq!(fixture.problems(), Vec::<String>::new());
}

#[test]
fn a_file_that_is_created_before_the_first_check_is_loaded() {
    let mut fixture = Fixture::new(None);
    fixture.stop_clock();
    fixture.pump_until_problem();
    fixture.write(&hills(4));
    fixture.start_clock();
    fixture.pump_until_seed(4);
}

#[test]
fn a_file_that_reaches_no_loader_is_loaded_again_after_a_change() {
    let mut fixture = Fixture::new(None);
    fixture.pump_until_problem();
    let [meta, other] = ["hills.terrain.ron.meta", "dunes.terrain.ron"].map(|name| fixture.folder.join(name));
    fs::write(&meta, "not a valid meta file").expect("the file can be written");
    fixture.write(&hills(3));
    fs::write(&other, hills(0)).expect("the file can be written");
    let dunes = fixture.app.world().resource::<AssetServer>().load("dunes.terrain.ron");
    let dunes = fixture.app.world_mut().spawn(Terrain(dunes)).id();
    let mut cursor = MessageCursor::<AssetLoadFailedEvent<TerrainSettings>>::default();
    let mut failures = 0;
    let mut count = |app: &App| {
        failures += cursor.read(app.world().resource::<Messages<_>>()).count();
        failures
    };
    // A check that notices the change of the other file has checked this file too.
    for seed in 1..=6 {
        fs::write(&other, hills(seed)).expect("the file can be written");
        pump_until(&mut fixture.app, "the other file is reloaded", |app| {
            count(app);
            state(app, dunes).settings().is_some_and(|settings| settings.field.seed == seed)
        });
    }
    let before = count(&fixture.app);
    assert!((1..=3).contains(&before), "{before} failures of a file that was created once");
    fixture.write(&hills(4));
    pump_until(&mut fixture.app, "it is loaded again", |app| count(app) > before);
    fs::remove_file(meta).expect("the file can be removed");
    fixture.write(&hills(5));
    fixture.pump_until_seed(5);
}

#[test]
fn a_deleted_file_leaves_its_terrain_and_a_new_one_is_loaded() {
    let mut fixture = Fixture::settled(&hills(3));
    let chunks = fixture.chunks();
    fixture.delete();
    pump(&mut fixture.app, 300);
    assert_eq!((fixture.seed(), fixture.chunks()), (Some(3), chunks));
    fixture.write(&hills(6));
    fixture.pump_until_seed(6);
    assert_eq!(fixture.problems(), Vec::<String>::new());
}

#[test]
fn a_file_that_is_restored_clears_the_problem_that_it_was_missing() {
    let mut fixture = Fixture::settled(&hills(3));
    fixture.delete();
    pump(&mut fixture.app, 100);
    fixture.app.world().resource::<AssetServer>().reload(FILE);
    fixture.pump_until_problem();
    fixture.write(&hills(3));
    pump_until(&mut fixture.app, "the problem is gone", |app| {
        let mut terrains = app.world_mut().query::<&TerrainState>();
        terrains.iter(app.world()).all(|state| state.problems().next().is_none())
    });
    assert_eq!(fixture.seed(), Some(3));
}
