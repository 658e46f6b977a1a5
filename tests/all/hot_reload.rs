//! Settings files: problems are reported and changes are reloaded, with real files and with an asset source in memory.

mod errors;
mod memory_source;
mod missing_files;
mod presets;
mod special_files;

use bevy::asset::{AssetLoadFailedEvent, AssetMode};
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_perlin_terrain::asset::TerrainSettingsLoadError;
use bevy_perlin_terrain::prelude::*;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use testing::Folder;
use testing::app::log::warnings_of;
use testing::app::*;

const FILE: &str = "hills.terrain.ron";

/// An app with a terrain of [`FILE`], which is in a temporary folder.
struct Fixture {
    app: App,
    folder: PathBuf,
    _folder: Folder,
    terrain: Entity,
}

impl Fixture {
    /// Writes [`FILE`] if there is `content`, and spawns the terrain. No frame has run.
    fn new(content: Option<&[u8]>) -> Self {
        Self::with_assets(content, |file_path| AssetPlugin { file_path, ..default() })
    }

    /// Like [`new`](Self::new), in an app with the asset plugin that `plugin` returns for the temporary folder.
    fn with_assets(content: Option<&[u8]>, plugin: impl FnOnce(String) -> AssetPlugin) -> Self {
        let files = Folder::new();
        if let Some(content) = content {
            files.write(FILE, content);
        }
        let folder = files.path("");
        let mut app = app_with(plugin(text(&folder)));
        let terrain = app.world_mut().spawn(Terrain::default()).id();
        let handle = app.world().resource::<AssetServer>().load(FILE);
        app.world_mut().get_mut::<Terrain>(terrain).expect("a terrain").0 = handle;
        add_viewer(&mut app, 0.0, 0.0, 60.0);
        Self { app, folder, _folder: files, terrain }
    }

    /// A settled terrain of a valid file.
    fn settled(content: &str) -> Self {
        let mut fixture = Self::new(Some(content.as_bytes()));
        settle(&mut fixture.app, fixture.terrain);
        fixture
    }

    fn write(&self, content: &str) {
        fs::write(self.folder.join(FILE), content).expect("the file can be written");
    }

    fn delete(&self) {
        fs::remove_file(self.folder.join(FILE)).expect("the file can be removed");
    }

    /// Saves like many editors: writes another file and renames it to [`FILE`].
    fn write_and_rename(&self, content: &str) {
        let other = self.folder.join("hills.terrain.ron~");
        fs::write(&other, content).expect("the file can be written");
        fs::rename(other, self.folder.join(FILE)).expect("the file can be renamed");
    }

    fn problems(&self) -> Vec<String> {
        problems(&self.app, self.terrain)
    }

    fn chunks(&mut self) -> Vec<Entity> {
        drawn_chunks(&mut self.app, self.terrain).into_values().collect()
    }

    fn seed(&self) -> Option<u64> {
        state(&self.app, self.terrain).settings().map(|settings| settings.field.seed)
    }

    /// Runs frames until the terrain is settled with `seed`.
    fn pump_until_seed(&mut self, seed: u64) {
        let terrain = self.terrain;
        pump_until(&mut self.app, &format!("the terrain is settled with seed {seed}"), |app| {
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

    /// Stops the clock, so that files are not checked until [`start_clock`](Self::start_clock).
    fn stop_clock(&mut self) {
        self.app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::ZERO));
    }

    fn start_clock(&mut self) {
        self.app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs(1) / 60));
    }
}

fn app_with_assets_in(folder: &Path) -> App {
    app_with(AssetPlugin { file_path: text(folder), ..default() })
}

fn app_with(assets: AssetPlugin) -> App {
    let mut app = with_manual_clock(App::new());
    app.add_plugins((MinimalPlugins, TransformPlugin, assets, TerrainMinimalPlugins));
    app
}

fn text(path: &Path) -> String {
    path.to_str().expect("the path is UTF-8").to_owned()
}

/// The content of a valid file.
fn hills(seed: u64) -> String {
    format!("// Hills\n(\n    field: (seed: {seed}),\n    chunks: (quads: 8, spacing: 4.0),\n)\n")
}

#[test]
fn a_file_is_loaded_by_its_path() {
    let mut fixture = Fixture::settled(&hills(3));
    assert_eq!(fixture.seed(), Some(3));
    assert_eq!(fixture.problems(), Vec::<String>::new());
    assert!(!fixture.chunks().is_empty());
}

#[test]
fn an_edit_in_place_is_reloaded() {
    let mut fixture = Fixture::settled(&hills(3));
    for seed in [4, 5, 3] {
        fixture.write(&hills(seed));
        fixture.pump_until_seed(seed);
    }
}

/// Of processed assets, the server reads the processed files.
#[test]
fn an_edit_of_a_processed_file_is_reloaded_and_one_of_its_source_is_not() {
    let source = Folder::new();
    let mut fixture = Fixture::with_assets(Some(hills(3).as_bytes()), |processed_file_path| AssetPlugin {
        file_path: text(&source.path("")),
        processed_file_path,
        mode: AssetMode::Processed,
        use_asset_processor_override: Some(false),
        ..default()
    });
    settle(&mut fixture.app, fixture.terrain);
    let warnings = warnings_of(&mut fixture.app, |app| {
        // There is no source, and then one that is no file: both would be logged.
        pump(app, 1000);
        fs::create_dir(source.path(FILE)).expect("the folder can be created");
        pump(app, 1000);
    });
    assert_eq!(warnings, Vec::<String>::new());
    fs::remove_dir(source.path(FILE)).expect("the folder can be removed");
    source.write(FILE, hills(4));
    fixture.write(&hills(5));
    fixture.pump_until_seed(5);
}

#[test]
fn an_edit_by_renaming_is_reloaded() {
    let mut fixture = Fixture::settled(&hills(3));
    for seed in [4, 5, 3] {
        fixture.write_and_rename(&hills(seed));
        fixture.pump_until_seed(seed);
    }
}

#[test]
fn a_burst_of_edits_ends_with_the_last() {
    let mut fixture = Fixture::settled(&hills(3));
    for seed in 100..120 {
        if seed % 2 == 0 {
            fixture.write(&hills(seed));
        } else {
            fixture.write_and_rename(&hills(seed));
        }
        // The number of frames between two edits varies, so that some edits are between two checks of the file.
        pump(&mut fixture.app, (seed as usize % 5) * 10);
    }
    fixture.pump_until_seed(119);
    pump(&mut fixture.app, 100);
    assert_eq!((fixture.seed(), fixture.problems()), (Some(119), vec![]));
}

#[test]
fn an_edit_before_the_first_check_of_the_file_is_reloaded() {
    let mut fixture = Fixture::new(Some(hills(3).as_bytes()));
    fixture.stop_clock();
    settle(&mut fixture.app, fixture.terrain);
    fixture.write(&hills(4));
    fixture.start_clock();
    fixture.pump_until_seed(4);
}

#[test]
fn edits_in_code_stay_until_the_file_changes() {
    let mut fixture = Fixture::settled(&hills(3));
    edit(&mut fixture.app, fixture.terrain, |settings| settings.field.seed = 50);
    fixture.pump_until_seed(50);
    pump(&mut fixture.app, 200);
    assert_eq!(fixture.seed(), Some(50));
    fixture.write(&hills(4));
    fixture.pump_until_seed(4);
}

/// The failed loads that are reported as messages during `run`.
fn failures_of(app: &mut App, run: impl FnOnce(&mut App)) -> Vec<String> {
    let failed = Arc::new(Mutex::new(Vec::new()));
    let writer = failed.clone();
    let record = move |mut failures: MessageReader<AssetLoadFailedEvent<TerrainSettings>>| {
        let texts = failures
            .read()
            .map(|failure| TerrainSettingsLoadError::of(&failure.error).expect("an error of this loader").to_string());
        writer.lock().expect("no thread panicked").extend(texts);
    };
    app.add_systems(Last, record);
    // Earlier messages do not count.
    app.update();
    failed.lock().expect("no thread panicked").clear();
    run(app);
    failed.lock().expect("no thread panicked").clone()
}
