//! Settings files: what is wrong with them is told, and what changes in them is followed, through real files and through a
//! source of assets that can hang.

mod presets;
mod shelf;

use crate::common::log::warnings_of;
use crate::common::*;
use crate::folder::Folder;
use bevy::asset::io::{AssetReader, AssetReaderError, AssetSourceBuilder, PathStream, Reader, VecReader};
use bevy::asset::{AssetApp, AssetLoadFailedEvent};
use bevy::ecs::message::MessageCursor;
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_perlin_terrain::prelude::*;
use bevy_perlin_terrain::settings::TerrainSettingsLoadError;
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

const FILE: &str = "hills.terrain.ron";

/// An app whose assets are in a folder of its own, which is removed in the end.
struct Lab {
    app: App,
    /// Where the files are.
    folder: PathBuf,
    _folder: Folder,
    terrain: Entity,
}

impl Lab {
    /// A terrain of [`FILE`], which has this `content`, if any, and no frame has run yet.
    fn new(content: Option<&[u8]>) -> Self {
        let files = Folder::new();
        if let Some(content) = content {
            files.write(FILE, content);
        }
        let folder = files.path("");
        let mut app = app_with_assets_in(&folder);
        let terrain = app.world_mut().spawn(Terrain::default()).id();
        let handle = app.world().resource::<AssetServer>().load(FILE);
        app.world_mut().get_mut::<Terrain>(terrain).expect("a terrain").0 = handle;
        add_viewer(&mut app, 0.0, 0.0, 60.0);
        Self { app, folder, _folder: files, terrain }
    }

    /// Settled terrain of a good file.
    fn settled(content: &str) -> Self {
        let mut lab = Self::new(Some(content.as_bytes()));
        settle(&mut lab.app, lab.terrain);
        lab
    }

    fn write(&self, content: &str) {
        fs::write(self.folder.join(FILE), content).expect("the file can be written");
    }

    fn delete(&self) {
        fs::remove_file(self.folder.join(FILE)).expect("the file can be removed");
    }

    /// Saves as many editors do: into another file, which then takes the place of the old one.
    fn write_and_rename(&self, content: &str) {
        let other = self.folder.join("hills.terrain.ron~");
        fs::write(&other, content).expect("the file can be written");
        fs::rename(other, self.folder.join(FILE)).expect("the file can be renamed");
    }

    fn problems(&self) -> Vec<String> {
        problems(&self.app, self.terrain)
    }

    fn chunks(&mut self) -> Vec<Entity> {
        shown(&mut self.app, self.terrain).into_values().collect()
    }

    fn seed(&self) -> Option<u64> {
        state(&self.app, self.terrain).settings().map(|settings| settings.field.seed)
    }

    /// Runs frames until the ground of `seed` is all there.
    fn pump_until_seed(&mut self, seed: u64) {
        let terrain = self.terrain;
        pump_until(&mut self.app, &format!("the ground of seed {seed} is shown"), |app| {
            let state = state(app, terrain);
            state.is_settled() && state.settings().is_some_and(|settings| settings.field.seed == seed)
        });
        let expected = state(&self.app, terrain).settings().map(|settings| HeightField::new(&settings.field));
        assert_eq!(state(&self.app, terrain).field().map(|field| (**field).clone()), expected);
        assert!(!self.chunks().is_empty());
    }

    fn pump_until_problem(&mut self) -> Vec<String> {
        let terrain = self.terrain;
        pump_until(&mut self.app, "a problem is reported", |app| !problems(app, terrain).is_empty());
        self.problems()
    }

    /// Time stands still, so that nobody looks at files, until [`go_on`](Self::go_on).
    fn halt(&mut self) {
        self.app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::ZERO));
    }

    fn go_on(&mut self) {
        self.app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs(1) / 60));
    }
}

fn app_with_assets_in(folder: &Path) -> App {
    let mut app = with_manual_clock(App::new());
    let file_path = folder.to_str().expect("a path of plain text").to_owned();
    app.add_plugins((MinimalPlugins, TransformPlugin, AssetPlugin { file_path, ..default() }, TerrainMinimalPlugins));
    app
}

/// A good file.
fn hills(seed: u64) -> String {
    format!("// Hills\n(\n    field: (seed: {seed}),\n    chunks: (quads: 8, spacing: 4.0),\n)\n")
}

#[test]
fn a_file_is_loaded_by_its_path() {
    let mut lab = Lab::settled(&hills(3));
    assert_eq!(lab.seed(), Some(3));
    assert_eq!(lab.problems(), Vec::<String>::new());
    assert!(!lab.chunks().is_empty());
}

#[test]
fn an_edit_in_place_is_followed() {
    let mut lab = Lab::settled(&hills(3));
    for seed in [4, 5, 3] {
        lab.write(&hills(seed));
        lab.pump_until_seed(seed);
    }
}

#[test]
fn an_edit_by_renaming_is_followed() {
    let mut lab = Lab::settled(&hills(3));
    for seed in [4, 5, 3] {
        lab.write_and_rename(&hills(seed));
        lab.pump_until_seed(seed);
    }
}

#[test]
fn reload_keeps_the_last_good_terrain_when_the_file_is_broken() {
    let mut lab = Lab::settled(&hills(3));
    let chunks = lab.chunks();
    lab.write(&hills(4).replace("spacing: 4.0", "spacing: -4.0"));
    assert_eq!(lab.pump_until_problem(), ["hills.terrain.ron:4:33: `chunks.spacing` is -4.0, allowed: 0.1 to 100 m"]);
    pump(&mut lab.app, 100);
    assert_eq!((lab.seed(), lab.chunks()), (Some(3), chunks));
    // Broken in another way: the report follows.
    lab.write(&hills(4).replace("quads", "quats"));
    let terrain = lab.terrain;
    pump_until(&mut lab.app, "the other problem is reported", |app| problems(app, terrain)[0].contains("`quats`"));
    lab.write(&hills(4));
    lab.pump_until_seed(4);
    assert_eq!(lab.problems(), Vec::<String>::new());
}

#[test]
fn an_old_name_is_told_with_its_place_until_the_file_has_the_new_one() {
    let named = |name: &str| {
        hills(3).replace(
            "),\n    chunks",
            &format!(", layers: [(octaves: 2, frequency: 0.01, {name}: 30.0)]),\n    chunks"),
        )
    };
    let mut lab = Lab::settled(&named("size"));
    let terrain = lab.terrain;
    let place = "hills.terrain.ron:3:61";
    assert_eq!(warnings(&lab.app, terrain), [format!("{place}: `size` is now called `height_scale`; rename it")]);
    assert_eq!(lab.problems(), Vec::<String>::new());
    lab.write(&named("height_scale"));
    pump_until(&mut lab.app, "the note goes", |app| warnings(app, terrain).is_empty());
}

#[test]
fn warnings_have_a_place_in_the_file_as_long_as_the_settings_are_those_of_the_file() {
    let fine = |seed: u64, octaves: u32, frequency: f64| {
        hills(seed).replace(
            "),\n    chunks",
            &format!(", layers: [(octaves: {octaves}, frequency: {frequency})]),\n    chunks"),
        )
    };
    let mut lab = Lab::settled(&fine(3, 5, 0.01));
    let terrain = lab.terrain;
    let [warning] = &warnings(&lab.app, terrain)[..] else { panic!("{:?}", warnings(&lab.app, terrain)) };
    let octave = "`field.layers[0].octaves`: octave 5 has 0.64 cycles per vertex spacing (4 m)";
    assert!(warning.starts_with(&format!("hills.terrain.ron:3:41: {octave}")), "{warning}");
    // The same settings in another line.
    lab.write(&format!("\n{}", fine(3, 5, 0.01)));
    pump_until(&mut lab.app, "the warning moves on", |app| warnings(app, terrain)[0].contains("ron:4:41: "));
    edit(&mut lab.app, terrain, |settings| settings.field.seed = 50);
    lab.app.update();
    assert!(warnings(&lab.app, terrain)[0].starts_with(octave));
    lab.write(&fine(4, 4, 0.01));
    lab.pump_until_seed(4);
    assert_eq!(warnings(&lab.app, terrain), Vec::<String>::new());
    assert_eq!(lab.problems(), Vec::<String>::new());
}

#[test]
fn a_file_that_is_mended_to_what_it_was_rebuilds_nothing() {
    let mut lab = Lab::settled(&hills(3));
    let chunks = lab.chunks();
    lab.write("(");
    lab.pump_until_problem();
    lab.write(&hills(3));
    let terrain = lab.terrain;
    pump_until(&mut lab.app, "all is well", |app| problems(app, terrain).is_empty());
    pump(&mut lab.app, 10);
    assert_eq!((lab.seed(), lab.chunks()), (Some(3), chunks));
}

#[test]
fn a_file_that_is_broken_at_the_start_gives_terrain_once_it_is_mended() {
    let mut lab = Lab::new(Some(b"(field: (seed: x))"));
    lab.pump_until_problem();
    assert!(lab.chunks().is_empty());
    lab.write(&hills(8));
    lab.pump_until_seed(8);
    assert_eq!(lab.problems(), Vec::<String>::new());
}

#[test]
fn a_file_that_is_missing_at_the_start_gives_terrain_once_it_is_there() {
    let mut lab = Lab::new(None);
    let problems = lab.pump_until_problem();
    assert!(problems[0].contains(FILE), "{problems:?}");
    lab.write(&hills(9));
    lab.pump_until_seed(9);
    assert_eq!(lab.problems(), Vec::<String>::new());
}

#[test]
fn a_file_that_reaches_no_loader_is_tried_again_when_it_has_changed() {
    let mut lab = Lab::new(None);
    lab.pump_until_problem();
    let [meta, other] = ["hills.terrain.ron.meta", "dunes.terrain.ron"].map(|name| lab.folder.join(name));
    fs::write(&meta, "what lies beside a file may be broken too").expect("the file can be written");
    lab.write(&hills(3));
    fs::write(&other, hills(0)).expect("the file can be written");
    let dunes = lab.app.world().resource::<AssetServer>().load("dunes.terrain.ron");
    let dunes = lab.app.world_mut().spawn(Terrain(dunes)).id();
    let mut cursor = MessageCursor::<AssetLoadFailedEvent<TerrainSettings>>::default();
    let mut failures = 0;
    let mut count = |app: &App| {
        failures += cursor.read(app.world().resource::<Messages<_>>()).count();
        failures
    };
    // Whoever sees that another file has changed has looked at this one too.
    for seed in 1..=6 {
        fs::write(&other, hills(seed)).expect("the file can be written");
        pump_until(&mut lab.app, "the other file is followed", |app| {
            count(app);
            state(app, dunes).settings().is_some_and(|settings| settings.field.seed == seed)
        });
    }
    let before = count(&lab.app);
    assert!((1..=3).contains(&before), "{before} failures of a file that came once");
    lab.write(&hills(4));
    pump_until(&mut lab.app, "it is tried again", |app| count(app) > before);
    fs::remove_file(meta).expect("the file can be removed");
    lab.write(&hills(5));
    lab.pump_until_seed(5);
}

#[test]
fn a_file_that_is_deleted_leaves_its_terrain_and_may_come_back() {
    let mut lab = Lab::settled(&hills(3));
    let chunks = lab.chunks();
    lab.delete();
    pump(&mut lab.app, 300);
    assert_eq!((lab.seed(), lab.chunks()), (Some(3), chunks));
    lab.write(&hills(6));
    lab.pump_until_seed(6);
    assert_eq!(lab.problems(), Vec::<String>::new());
}

#[test]
fn a_file_that_comes_back_as_it_was_clears_the_problem_of_its_absence() {
    let mut lab = Lab::settled(&hills(3));
    lab.delete();
    pump(&mut lab.app, 100);
    lab.app.world().resource::<AssetServer>().reload(FILE);
    lab.pump_until_problem();
    lab.write(&hills(3));
    pump_until(&mut lab.app, "the problem is gone", |app| {
        let mut terrains = app.world_mut().query::<&TerrainState>();
        terrains.iter(app.world()).all(|state| state.problems().next().is_none())
    });
    assert_eq!(lab.seed(), Some(3));
}

#[test]
fn a_burst_of_edits_ends_in_the_last() {
    let mut lab = Lab::settled(&hills(3));
    for seed in 100..120 {
        if seed % 2 == 0 {
            lab.write(&hills(seed));
        } else {
            lab.write_and_rename(&hills(seed));
        }
        // From none to many frames between two edits; some edits fall between two looks, others do not.
        pump(&mut lab.app, (seed as usize % 5) * 10);
    }
    lab.pump_until_seed(119);
    pump(&mut lab.app, 100);
    assert_eq!((lab.seed(), lab.problems()), (Some(119), vec![]));
}

#[test]
fn an_edit_before_the_first_look_at_the_file_is_followed() {
    let mut lab = Lab::new(Some(hills(3).as_bytes()));
    lab.halt();
    settle(&mut lab.app, lab.terrain);
    lab.write(&hills(4));
    lab.go_on();
    lab.pump_until_seed(4);
}

#[test]
fn a_file_that_comes_before_the_first_look_is_loaded() {
    let mut lab = Lab::new(None);
    lab.halt();
    lab.pump_until_problem();
    lab.write(&hills(4));
    lab.go_on();
    lab.pump_until_seed(4);
}

#[test]
fn a_terrain_that_comes_after_its_file_has_failed_tells_why() {
    let mut lab = Lab::new(Some(b"(field: (seed: x))"));
    lab.pump_until_problem();
    let handle = lab.app.world().get::<Terrain>(lab.terrain).expect("a terrain").0.clone();
    pump(&mut lab.app, 10);
    let late = lab.app.world_mut().spawn(Terrain(handle)).id();
    lab.app.update();
    assert_eq!(problems(&lab.app, late), lab.problems());
}

#[test]
fn edits_in_code_stay_until_the_file_changes() {
    let mut lab = Lab::settled(&hills(3));
    edit(&mut lab.app, lab.terrain, |settings| settings.field.seed = 50);
    lab.pump_until_seed(50);
    pump(&mut lab.app, 200);
    assert_eq!(lab.seed(), Some(50));
    lab.write(&hills(4));
    lab.pump_until_seed(4);
}

#[test]
fn every_kind_of_error_is_told_with_its_place() {
    let several = "(\n  field: (sed: 3, layers: [(octaves: 40)]),\n  chunks: (quads: \"many\"),\n)";
    let cases: [(&[u8], &[&str]); 6] = [
        (b"(\xff)", &["hills.terrain.ron is not UTF-8 text: invalid utf-8 sequence of 1 bytes from index 1"]),
        (
            b"(field: (seed: 3 base_height: 2.0))",
            &["hills.terrain.ron:1:18: expected comma, in or after `field.base_height`"],
        ),
        (
            b"(field: (sed: 3))",
            &["hills.terrain.ron:1:10: unknown field `sed`, did you mean `seed`? allowed: seed, base_height, layers"],
        ),
        (
            b"(chunks: (spacing: \"wide\"))",
            &["hills.terrain.ron:1:20: `chunks.spacing` is \"wide\", allowed: a number, 0.1 to 100 m"],
        ),
        (b"(stream: (look_ahead: 11))", &["hills.terrain.ron:1:23: `stream.look_ahead` is 11.0, allowed: 0 to 10 s"]),
        (
            several.as_bytes(),
            &[
                "hills.terrain.ron:2:11: unknown field `sed`, did you mean `seed`? allowed: seed, base_height, layers",
                "hills.terrain.ron:2:38: `field.layers[0].octaves` is 40, allowed: 0 to 32",
                "hills.terrain.ron:3:19: `chunks.quads` is \"many\", allowed: a whole number, a power of two, 8 to 128",
            ],
        ),
    ];
    for (content, expected) in cases {
        let mut lab = Lab::new(Some(content));
        assert_eq!(lab.pump_until_problem(), expected);
        assert!(lab.chunks().is_empty());
    }
}

/// The failed loads that somebody who listens hears of while `run` lasts.
fn failures_of(app: &mut App, run: impl FnOnce(&mut App)) -> Vec<String> {
    let heard = Arc::new(Mutex::new(Vec::new()));
    let listener = heard.clone();
    let listen = move |mut failures: MessageReader<AssetLoadFailedEvent<TerrainSettings>>| {
        let texts =
            failures.read().map(|failure| TerrainSettingsLoadError::of(&failure.error).expect("ours").to_string());
        listener.lock().expect("nobody panics").extend(texts);
    };
    app.add_systems(Last, listen);
    // What was told before is not news.
    app.update();
    heard.lock().expect("nobody panics").clear();
    run(app);
    heard.lock().expect("nobody panics").clone()
}

#[test]
fn a_broken_file_that_never_was_good_fails_once_for_each_change() {
    let mut lab = Lab::new(Some(b"(field: (seed: x))"));
    lab.pump_until_problem();
    let (terrain, folder) = (lab.terrain, lab.folder.clone());
    let failures = failures_of(&mut lab.app, |app| {
        pump(app, 200);
        fs::write(folder.join(FILE), "(field: (seed: y))").expect("the file can be written");
        pump_until(app, "the other problem is told", |app| problems(app, terrain)[0].contains("is y"));
        pump(app, 200);
    });
    assert_eq!(
        failures,
        ["hills.terrain.ron:1:16: `field.seed` is y, allowed: a whole number, 0 to 18446744073709551615"]
    );
}

#[test]
fn a_terrain_that_comes_after_its_file_was_broken_tells_why() {
    let mut lab = Lab::settled(&hills(3));
    lab.write("(");
    lab.pump_until_problem();
    let handle = lab.app.world().get::<Terrain>(lab.terrain).expect("a terrain").0.clone();
    pump(&mut lab.app, 10);
    let late = lab.app.world_mut().spawn(Terrain(handle)).id();
    lab.app.update();
    assert_eq!(problems(&lab.app, late), lab.problems());
    assert_eq!(state(&lab.app, late).settings().map(|settings| settings.field.seed), Some(3));
}

#[test]
fn a_file_that_is_too_large_is_not_read_to_its_end() {
    let mut lab = Lab::settled(&hills(3));
    // Nothing but zeros, which take no room on the disk.
    let file = fs::File::create(lab.folder.join(FILE)).expect("the file can be written");
    file.set_len(200 << 20).expect("the file can be longer");
    let expected = ["hills.terrain.ron has 209715200 bytes, allowed: up to 4194304 bytes (4 MiB)"];
    assert_eq!(lab.pump_until_problem(), expected);
    assert_eq!(lab.seed(), Some(3));
    lab.write(&hills(4));
    lab.pump_until_seed(4);
    let mut lab = Lab::new(None);
    let file = fs::File::create(lab.folder.join(FILE)).expect("the file can be written");
    file.set_len(200 << 20).expect("the file can be longer");
    pump_until(&mut lab.app, "it is told", |app| problems(app, lab.terrain) == expected);
}

/// What is told of a file that was loaded and is no regular file any more, until one is there again.
fn told_of_what_is_no_file(put: impl FnOnce(&Path)) -> Vec<String> {
    let mut lab = Lab::settled(&hills(3));
    let (terrain, folder) = (lab.terrain, lab.folder.clone());
    let chunks = lab.chunks();
    let path = folder.join(FILE);
    let told = warnings_of(&mut lab.app, |app| {
        fs::remove_file(&path).expect("the file can be removed");
        put(&path);
        // Longer than any look may take.
        pump(app, 1000);
        assert_eq!(state(app, terrain).settings().map(|settings| settings.field.seed), Some(3));
    });
    assert_eq!(lab.chunks(), chunks);
    let other = folder.join("other");
    fs::write(&other, hills(4)).expect("the file can be written");
    if path.is_dir() {
        fs::remove_dir(&path).expect("the folder can be removed");
    }
    fs::rename(other, &path).expect("the file can be renamed");
    lab.pump_until_seed(4);
    told
}

#[cfg(unix)]
#[test]
fn a_named_pipe_in_the_place_of_a_file_is_told_once_and_not_opened() {
    let told = told_of_what_is_no_file(|path| {
        let made = std::process::Command::new("mkfifo").arg(path).status().expect("every Unix has it");
        assert!(made.success());
    });
    let expected = " WARN hills.terrain.ron is a named pipe, not a regular file, so hot reload does not read it";
    assert_eq!(told.iter().filter(|line| *line == expected).count(), 1, "{told:?}");
}

#[test]
fn a_folder_in_the_place_of_a_file_is_told_once() {
    let told = told_of_what_is_no_file(|path| fs::create_dir(path).expect("the folder can be made"));
    let expected = " WARN hills.terrain.ron is a folder, not a regular file, so hot reload does not read it";
    assert_eq!(told.iter().filter(|line| *line == expected).count(), 1, "{told:?}");
}
