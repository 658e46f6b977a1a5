//! The inspector without a window and a GPU.

mod lost_edits;
mod panel;
#[cfg(feature = "sky")]
mod sky;

use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_perlin_terrain::chunk::{ChunkLayout, LodCost};
use bevy_perlin_terrain::draft::Draft;
use bevy_perlin_terrain::field::HeightField;
use bevy_perlin_terrain::inspector::{FileAction, PanelAction, TerrainInspector, TerrainInspectorCorePlugin};
use bevy_perlin_terrain::param::ParamValue;
use bevy_perlin_terrain::plants::{PlantKind, PlantLayer};
use bevy_perlin_terrain::prelude::*;
use bevy_perlin_terrain::render::TerrainQuality;
use bevy_perlin_terrain::stream::SeamWatch;
use std::time::Duration;
use testing::Folder;
use testing::app::{finish, pump, pump_until};

const HILLS: &str = "// Ann's hills\n(\n    field: (\n        seed: 1, // lucky\n    ),\n)\n";

/// A folder with two settings files.
fn settings_folder() -> Folder {
    let folder = Folder::new();
    folder.write("hills.terrain.ron", HILLS);
    folder.write("plain.terrain.ron", "(field: (seed: 100))");
    folder
}

/// The number of changes of the settings asset.
#[derive(Resource, Default)]
struct Writes(u32);

/// An app without a window. The inspector is open and has loaded `hills.terrain.ron`.
fn app(folder: &Folder) -> App {
    let mut app = App::new();
    app.add_plugins((
        MinimalPlugins,
        AssetPlugin { file_path: folder.path("").to_string_lossy().into_owned(), ..Default::default() },
        TransformPlugin,
        TerrainMinimalPlugins,
        TerrainInspectorCorePlugin,
    ))
    .insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_millis(20)))
    .init_resource::<Writes>()
    .add_systems(Last, |mut events: MessageReader<AssetEvent<TerrainSettings>>, mut writes: ResMut<Writes>| {
        writes.0 += events.read().filter(|event| matches!(event, AssetEvent::Modified { .. })).count() as u32;
    });
    finish(&mut app);
    app.world_mut().resource_mut::<TerrainInspector>().open = true;
    let handle = app.world().resource::<AssetServer>().load("hills.terrain.ron");
    app.world_mut().spawn(Terrain(handle));
    run_until(&mut app, |app| in_use(app).is_some() && app.world().resource::<TerrainInspector>().draft().is_some());
    app
}

/// Runs frames until `done` is true. Other threads read files.
fn run_until(app: &mut App, done: impl Fn(&mut App) -> bool) {
    pump_until(app, "it is done", done);
}

/// The settings that the terrain uses.
fn in_use(app: &mut App) -> Option<TerrainSettings> {
    let mut states = app.world_mut().query::<&TerrainState>();
    states.single(app.world()).ok().and_then(|state| state.settings().cloned())
}

fn draft(app: &mut App) -> &mut Draft<TerrainSettings> {
    app.world_mut().resource_mut::<TerrainInspector>().into_inner().draft_mut().expect("settings are loaded")
}

fn request(app: &mut App, action: PanelAction) {
    app.world_mut().resource_mut::<TerrainInspector>().request(action);
}

fn seed_in_use(app: &mut App) -> Option<u64> {
    in_use(app).map(|settings| settings.field.seed)
}

#[test]
fn an_edit_reaches_the_terrain_in_the_same_frame() {
    let folder = settings_folder();
    let mut app = app(&folder);
    draft(&mut app).edit("field.seed", ParamValue::Seed(42)).expect("any seed is allowed");
    app.update();
    assert_eq!(seed_in_use(&mut app), Some(42));
    assert_eq!(folder.read("hills.terrain.ron"), HILLS, "the file is not changed");
}

#[test]
fn a_new_budget_changes_the_resource_but_not_the_settings_or_the_file() {
    let folder = settings_folder();
    let mut app = app(&folder);
    let before = in_use(&mut app);
    let budget = TerrainBudget { time_budget: 2.5, max_tasks: 7, ..Default::default() };
    request(&mut app, PanelAction::SetBudget(budget.clone()));
    app.update();
    assert_eq!(*app.world().resource::<TerrainBudget>(), budget);
    assert_eq!(in_use(&mut app), before);
    assert_eq!(app.world().resource::<Writes>().0, 0);
    assert_eq!(draft(&mut app).is_edited(), Some(false));
    request(&mut app, PanelAction::Terrain(FileAction::Save));
    app.update();
    assert_eq!(folder.read("hills.terrain.ron"), HILLS);
}

#[test]
fn a_refused_value_changes_nothing() {
    let folder = settings_folder();
    let mut app = app(&folder);
    let before = in_use(&mut app);
    draft(&mut app).edit("chunks.spacing", ParamValue::Float(-2.0)).expect_err("a negative spacing");
    pump(&mut app, 20);
    assert_eq!(in_use(&mut app), before);
    assert_eq!(app.world().resource::<Writes>().0, 0);
}

#[test]
fn a_burst_of_edits_ends_with_the_last_after_few_writes() {
    let folder = settings_folder();
    let mut app = app(&folder);
    // A second of dragging: 50 frames of 20 ms.
    for seed in 1000..1050 {
        draft(&mut app).edit("field.seed", ParamValue::Seed(seed)).expect("any seed is allowed");
        app.update();
    }
    pump(&mut app, 10);
    assert_eq!(seed_in_use(&mut app), Some(1049));
    let writes = app.world().resource::<Writes>().0;
    assert!((9..=12).contains(&writes), "{writes} writes in a second");
}

#[test]
fn edits_are_still_written_after_the_panel_is_closed() {
    let folder = settings_folder();
    let mut app = app(&folder);
    for seed in [5, 6] {
        draft(&mut app).edit("field.seed", ParamValue::Seed(seed)).expect("any seed is allowed");
        app.update();
    }
    app.world_mut().resource_mut::<TerrainInspector>().toggle();
    pump(&mut app, 10);
    assert_eq!(seed_in_use(&mut app), Some(6));
}

#[test]
fn changes_by_code_are_shown_but_neither_saved_nor_lost() {
    let folder = settings_folder();
    let mut app = app(&folder);
    let mut assets = app.world_mut().resource_mut::<Assets<TerrainSettings>>();
    for (_, settings) in assets.iter_mut() {
        settings.look.water_height = 77.0;
    }
    app.update();
    let shown = |app: &mut App| {
        let draft = draft(app);
        draft.value_by_game(&draft.row("look.water_height").expect("it is a parameter"))
    };
    assert_eq!(shown(&mut app), Some(ParamValue::Float(77.0)));
    assert_eq!(draft(&mut app).is_edited(), Some(false));
    draft(&mut app).edit("field.seed", ParamValue::Seed(5)).expect("any seed is allowed");
    pump(&mut app, 20);
    let settings = in_use(&mut app).expect("there is ground");
    assert_eq!((settings.field.seed, settings.look.water_height), (5, 77.0));
    request(&mut app, PanelAction::Terrain(FileAction::Save));
    app.update();
    assert_eq!(
        folder.read("hills.terrain.ron"),
        HILLS.replace("seed: 1", "seed: 5"),
        "the change of the game is not saved"
    );
    assert_eq!(shown(&mut app), Some(ParamValue::Float(77.0)));
}

#[test]
fn saving_keeps_comments_and_later_edits_survive_its_reload() {
    let folder = settings_folder();
    let mut app = app(&folder);
    // The watcher checks the file every half second. Let it see the current content first.
    pump(&mut app, 100);
    draft(&mut app).edit("field.seed", ParamValue::Seed(2)).expect("any seed is allowed");
    request(&mut app, PanelAction::Terrain(FileAction::Save));
    app.update();
    assert_eq!(folder.read("hills.terrain.ron"), HILLS.replace("seed: 1", "seed: 2"));
    assert_eq!(folder.read("hills.terrain.ron.bak"), HILLS);
    assert_eq!(draft(&mut app).is_edited(), Some(false));
    assert!(app.world().resource::<TerrainInspector>().message().is_some_and(|message| message.is_ok()));
    draft(&mut app).edit("field.seed", ParamValue::Seed(3)).expect("any seed is allowed");
    for _ in 0..3000 {
        app.update();
        std::thread::yield_now();
    }
    assert_eq!(seed_in_use(&mut app), Some(3));
    assert_eq!(draft(&mut app).settings().field.seed, 3);
}

#[test]
fn reset_returns_to_the_settings_of_the_file() {
    let folder = settings_folder();
    let mut app = app(&folder);
    draft(&mut app).edit("field.seed", ParamValue::Seed(9)).expect("any seed is allowed");
    app.update();
    assert_eq!(seed_in_use(&mut app), Some(9));
    request(&mut app, PanelAction::Terrain(FileAction::Reset));
    run_until(&mut app, |app| seed_in_use(app) == Some(1));
    assert_eq!(draft(&mut app).is_edited(), Some(false));
    pump(&mut app, 20);
    assert_eq!(seed_in_use(&mut app), Some(1), "no late edit is written");
}

#[test]
fn another_file_of_the_folder_can_be_opened() {
    let folder = settings_folder();
    let mut app = app(&folder);
    run_until(&mut app, |app| !app.world().resource::<TerrainInspector>().files().is_empty());
    assert_eq!(app.world().resource::<TerrainInspector>().files(), ["hills.terrain.ron", "plain.terrain.ron"]);
    request(&mut app, PanelAction::Terrain(FileAction::Open("plain.terrain.ron".to_owned())));
    run_until(&mut app, |app| seed_in_use(app) == Some(100));
    run_until(&mut app, |app| app.world().resource::<TerrainInspector>().draft().is_some());
    assert_eq!(draft(&mut app).settings().field.seed, 100);
}

#[test]
fn save_as_creates_a_file_and_switches_to_it() {
    let folder = settings_folder();
    let mut app = app(&folder);
    draft(&mut app).edit("field.seed", ParamValue::Seed(8)).expect("any seed is allowed");
    request(&mut app, PanelAction::Terrain(FileAction::SaveAs("Bob's hills".to_owned())));
    app.update();
    assert_eq!(folder.read("Bob_s_hills.terrain.ron"), HILLS.replace("seed: 1", "seed: 8"));
    assert_eq!(folder.read("hills.terrain.ron"), HILLS);
    run_until(&mut app, |app| app.world().resource::<TerrainInspector>().draft().is_some());
    assert_eq!(draft(&mut app).is_edited(), Some(false));
    let mut terrains = app.world_mut().query::<&Terrain>();
    let id = terrains.single(app.world()).expect("one terrain").0.id();
    let path = app.world().resource::<AssetServer>().get_path(id).map(|path| path.to_string());
    assert_eq!(path.as_deref(), Some("Bob_s_hills.terrain.ron"));
    request(&mut app, PanelAction::Terrain(FileAction::SaveAs("plain".to_owned())));
    app.update();
    let message = app.world().resource::<TerrainInspector>().message().map(|message| message.map_err(str::to_owned));
    assert!(message.is_some_and(|message| message.is_err()), "a file that exists must not be replaced");
    assert_eq!(folder.read("plain.terrain.ron"), "(field: (seed: 100))");
}

#[test]
fn settings_from_code_can_be_edited_but_not_saved() {
    let folder = settings_folder();
    let mut app = app(&folder);
    let handle = app.world_mut().resource_mut::<Assets<TerrainSettings>>().add(TerrainSettings::default());
    let mut terrains = app.world_mut().query::<&mut Terrain>();
    terrains.single_mut(app.world_mut()).expect("one terrain").0 = handle;
    pump(&mut app, 2);
    draft(&mut app).edit("field.seed", ParamValue::Seed(4)).expect("any seed is allowed");
    request(&mut app, PanelAction::Terrain(FileAction::Save));
    pump(&mut app, 10);
    assert_eq!(seed_in_use(&mut app), Some(4));
    let message = app.world().resource::<TerrainInspector>().message();
    assert_eq!(message, Some(Err("these settings come from code, so there is no file to save to")));
    assert_eq!(draft(&mut app).is_edited(), None);
}

/// Adds a viewer, so that there is ground.
fn add_viewer(app: &mut App) {
    app.world_mut().spawn((TerrainViewer { view_distance: 1500.0 }, Transform::from_xyz(20.0, 100.0, -30.0)));
}

/// The cost of `settings` for the viewer of the terrain, computed directly.
fn cost_of(app: &mut App, settings: &TerrainSettings) -> LodCost {
    let mut states = app.world_mut().query::<&TerrainState>();
    let viewer = states.single(app.world()).expect("one terrain").viewers().next().expect("a viewer").point;
    let field = HeightField::new(&settings.field);
    LodCost::expected(&field, &ChunkLayout::new(&settings.chunks), &settings.lod, &viewer)
}

fn expected_cost(app: &App) -> Option<LodCost> {
    app.world().resource::<TerrainInspector>().expected_cost()
}

#[test]
fn the_cost_of_edited_settings_is_computed_in_the_background() {
    let folder = settings_folder();
    let mut app = app(&folder);
    pump(&mut app, 3);
    assert_eq!(expected_cost(&app), None, "there is no viewer");
    add_viewer(&mut app);
    run_until(&mut app, |app| expected_cost(app).is_some());
    let first = expected_cost(&app);
    let settings = draft(&mut app).settings().clone();
    assert_eq!(first, Some(cost_of(&mut app, &settings)));
    // While a slider is dragged, the cost of the last value is shown in the end.
    for pixel_error in [0.5, 0.3, 0.1] {
        draft(&mut app).edit("lod.pixel_error", ParamValue::Float(pixel_error)).expect("in range");
        app.update();
    }
    let settings = draft(&mut app).settings().clone();
    let fine = cost_of(&mut app, &settings);
    run_until(&mut app, |app| expected_cost(app) == Some(fine));
    assert!(first.is_some_and(|first| first.triangles < fine.triangles), "{first:?}, {fine:?}");
    draft(&mut app).edit("chunks.spacing", ParamValue::Float(1.0)).expect("in range");
    let settings = draft(&mut app).settings().clone();
    let dense = cost_of(&mut app, &settings);
    run_until(&mut app, |app| expected_cost(app) == Some(dense));
    assert_ne!(dense, fine);
}

#[test]
fn the_costs_of_plants_are_computed_in_the_background() {
    let folder = settings_folder();
    let mut app = app(&folder);
    let costs = |app: &App| app.world().resource::<TerrainInspector>().plant_costs().to_vec();
    app.insert_resource(TerrainQuality::High);
    add_viewer(&mut app);
    let mut settings = draft(&mut app).settings().clone();
    settings.plants = vec![PlantLayer { spacing: 8.0, ..PlantLayer::default() }];
    draft(&mut app).set("plants".to_owned(), settings.clone()).expect("in range");
    run_until(&mut app, |app| costs(app).len() == 1);
    let first = costs(&app)[0];
    assert!((first.per_hectare / 87.0 - 1.0).abs() < 0.1, "{first:?}");
    settings.plants[0].chance = 0.5;
    settings.plants.push(PlantLayer { name: "bush".to_owned(), kind: PlantKind::Empty, ..PlantLayer::default() });
    draft(&mut app).set("plants".to_owned(), settings).expect("in range");
    run_until(&mut app, |app| costs(app).len() == 2);
    let [half, empty] = costs(&app)[..] else { panic!("two layers") };
    assert!((half.triangles as f64 / first.triangles as f64 - 0.5).abs() < 0.1, "{first:?}, {half:?}");
    assert!(empty.triangles == 0 && empty.per_hectare > 0.0);
}

#[test]
fn the_shown_terrain_is_checked_and_has_no_seam() {
    let folder = settings_folder();
    let mut app = app(&folder);
    add_viewer(&mut app);
    run_until(&mut app, |app| {
        let mut states = app.world_mut().query::<&TerrainState>();
        states.single(app.world()).expect("one terrain").is_settled()
    });
    // The first checks may have started while chunks were still loading.
    run_until(&mut app, |app| {
        let mut terrains = app.world_mut().query::<(&TerrainState, &SeamWatch)>();
        let (state, watch) = terrains.single(app.world()).expect("one terrain");
        watch.report.as_ref().is_some_and(|report| report.borders > state.chunks_drawn())
    });
    let mut watches = app.world_mut().query::<&SeamWatch>();
    let report = watches.single(app.world()).expect("one terrain").report.clone().expect("it was checked");
    assert_eq!(report.seams, []);
}

#[test]
fn seams_are_checked_only_while_the_panel_is_open() {
    let folder = settings_folder();
    let mut app = app(&folder);
    let watched = |app: &mut App| {
        let mut watches = app.world_mut().query_filtered::<Entity, With<SeamWatch>>();
        watches.iter(app.world()).collect::<Vec<_>>()
    };
    app.update();
    let shown = app.world().resource::<TerrainInspector>().terrain().expect("there is a terrain");
    assert_eq!(watched(&mut app), [shown]);
    app.world_mut().resource_mut::<TerrainInspector>().toggle();
    app.update();
    assert_eq!(watched(&mut app), []);
    // The inspector does not remove a watch that a game added.
    app.world_mut().entity_mut(shown).insert(SeamWatch::default());
    for _ in 0..2 {
        app.world_mut().resource_mut::<TerrainInspector>().toggle();
        app.update();
        assert_eq!(watched(&mut app), [shown]);
    }
}
