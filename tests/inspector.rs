//! The inspector's panel and what stands behind it: without a window, and without a GPU.

#![cfg(feature = "inspector")]

#[path = "common/folder.rs"]
mod folder;

use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_egui::egui;
use bevy_perlin_terrain::chunk::{ChunkLayout, LodCost};
use bevy_perlin_terrain::field::HeightField;
use bevy_perlin_terrain::inspector::{
    InspectorModel, PanelAction, PanelInfo, PanelState, SeamsInfo, StatsInfo, TerrainInspector,
    TerrainInspectorCorePlugin, panel_ui,
};
use bevy_perlin_terrain::param::ParamValue;
use bevy_perlin_terrain::prelude::*;
use bevy_perlin_terrain::stream::SeamWatch;
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use folder::Folder;
use std::time::Duration;

mod panel {
    use super::*;
    use egui::accesskit::Role;

    struct Fixture {
        state: PanelState,
        model: InspectorModel,
        info: PanelInfo,
        actions: Vec<PanelAction>,
    }

    fn panel(settings: TerrainSettings) -> Harness<'static, Fixture> {
        let info = PanelInfo {
            file: "a.terrain.ron".to_owned(),
            files: vec!["a.terrain.ron".to_owned(), "b.terrain.ron".to_owned()],
            has_ground: true,
            ..Default::default()
        };
        let model = InspectorModel::from_file(settings);
        let fixture = Fixture { state: PanelState::default(), model, info, actions: Vec::new() };
        let mut harness = Harness::builder().with_size(egui::vec2(360.0, 1400.0)).build_ui_state(
            |ui, fixture: &mut Fixture| {
                let Fixture { state, model, info, actions } = fixture;
                actions.extend(panel_ui(ui, state, Some(model), info));
            },
            fixture,
        );
        harness.run();
        harness
    }

    fn type_number(harness: &mut Harness<'static, Fixture>, label: &str, text: &str) {
        harness.get_by_role_and_label(Role::SpinButton, label).click();
        harness.run();
        harness.event(egui::Event::Text(text.to_owned()));
        harness.run();
        harness.key_press(egui::Key::Enter);
        harness.run();
    }

    fn octaves(harness: &Harness<'static, Fixture>) -> u32 {
        harness.state().model.draft().field.layers[0].octaves
    }

    #[test]
    fn dragging_a_slider_changes_the_draft() {
        let mut harness = panel(TerrainSettings::default());
        let slider = harness.get_by_role_and_label(Role::Slider, "octaves").rect();
        harness.drag_at(slider.center());
        harness.run();
        harness.hover_at(slider.right_center());
        harness.run();
        harness.drop_at(slider.right_center());
        harness.run();
        assert_eq!(octaves(&harness), 32);
        assert!(harness.query_by_label("edited").is_some());
    }

    #[test]
    fn the_budget_of_the_machine_is_asked_for_and_no_part_of_the_settings() {
        let mut harness = panel(TerrainSettings::default());
        assert!(harness.query_by_role_and_label(Role::Slider, "memory limit").is_none(), "it is folded away");
        harness.get_by_label("Machine budget").click();
        harness.run();
        assert!(harness.query_by_label_contains("not saved to the terrain's file").is_some());
        let budgets = |harness: &mut Harness<'static, Fixture>| -> Vec<TerrainBudget> {
            let actions = std::mem::take(&mut harness.state_mut().actions);
            let budget = |action| if let PanelAction::SetBudget(budget) = action { Some(budget) } else { None };
            actions.into_iter().filter_map(budget).collect()
        };
        assert_eq!(budgets(&mut harness), []);
        let slider = harness.get_by_role_and_label(Role::Slider, "max tasks").rect();
        harness.drag_at(slider.center());
        harness.run();
        harness.hover_at(slider.right_center());
        harness.run();
        harness.drop_at(slider.right_center());
        harness.run();
        let expected = TerrainBudget { max_tasks: 1024, ..Default::default() };
        assert_eq!(budgets(&mut harness).last(), Some(&expected));
        harness.state_mut().info.budget = expected.clone();
        type_number(&mut harness, "memory limit", "512 MB");
        assert_eq!(budgets(&mut harness), [TerrainBudget { memory_limit: 512.0, ..expected }]);
        for text in ["0.5", "much"] {
            type_number(&mut harness, "memory limit", text);
            assert_eq!(budgets(&mut harness), [], "after {text}");
            assert!(harness.query_by_label_contains("is refused, allowed: 1 to 100000 MB").is_some(), "{text}");
        }
        type_number(&mut harness, "memory limit", "2");
        assert_eq!(budgets(&mut harness).len(), 1);
        assert!(harness.query_by_label_contains("is refused").is_none());
        assert_eq!(*harness.state().model.draft(), TerrainSettings::default());
        assert!(harness.query_by_label("edited").is_none());
    }

    #[test]
    fn typed_values_are_taken_or_refused_with_the_reason() {
        let mut harness = panel(TerrainSettings::default());
        type_number(&mut harness, "octaves", "12");
        assert_eq!(octaves(&harness), 12);
        for text in ["99", "3.5", "-4", "many"] {
            type_number(&mut harness, "octaves", text);
            assert_eq!(octaves(&harness), 12, "after {text}");
            let reason = harness.query_by_label_contains("is refused, allowed: a whole number, 0 to 32");
            assert!(reason.is_some(), "no reason for {text}");
        }
        type_number(&mut harness, "octaves", "5");
        assert_eq!(octaves(&harness), 5);
        assert!(harness.query_by_label_contains("is refused").is_none());
        type_number(&mut harness, "base height", "12.5 m");
        assert_eq!(harness.state().model.draft().field.base_height, 12.5);
    }

    #[test]
    fn the_dice_and_the_text_field_change_the_seed() {
        let mut harness = panel(TerrainSettings::default());
        harness.get_by_label("🎲").click();
        harness.run();
        let rolled = harness.state().model.draft().field.seed;
        let mut expected = InspectorModel::default();
        expected.roll_seed();
        assert_eq!(rolled, expected.draft().field.seed);
        assert_ne!(rolled, TerrainSettings::default().field.seed);
        for (text, seed) in [("1234", 1234), ("minus one", 1234)] {
            harness.get_by_role_and_label(Role::TextInput, "seed").click();
            harness.run();
            harness.key_press_modifiers(egui::Modifiers::COMMAND, egui::Key::A);
            harness.event(egui::Event::Text(text.to_owned()));
            harness.run();
            harness.key_press(egui::Key::Enter);
            harness.run();
            assert_eq!(harness.state().model.draft().field.seed, seed, "after {text}");
        }
        assert!(harness.query_by_label_contains("\"minus one\" is refused").is_some());
    }

    #[test]
    fn layers_are_added_until_there_are_eight() {
        let mut harness = panel(TerrainSettings::default());
        for _ in 0..10 {
            harness.get_by_label("➕ Add layer").click();
            harness.run();
        }
        assert_eq!(harness.state().model.draft().field.layers.len(), 8);
        assert!(harness.query_by_label("Layer 8").is_some());
    }

    #[test]
    fn another_file_is_asked_for_when_edits_would_be_lost() {
        for (answer, expected) in [("Keep", vec![]), ("Discard", vec![PanelAction::Open("b.terrain.ron".to_owned())])] {
            let mut harness = panel(TerrainSettings::default());
            harness.state_mut().model.roll_seed();
            harness.run();
            let combo = harness.get_all_by_role(Role::ComboBox).next().expect("the file picker is the first").rect();
            harness.drag_at(combo.center());
            harness.drop_at(combo.center());
            harness.run();
            harness.get_by_label("b.terrain.ron").click();
            harness.run();
            harness.state_mut().actions.retain(|action| *action != PanelAction::ListFiles);
            assert_eq!(harness.state().actions, [], "nothing happens before the answer");
            harness.get_by_label(answer).click();
            harness.run();
            assert_eq!(harness.state().actions, expected);
            assert!(harness.query_by_label("Discard").is_none(), "the question is gone");
        }
    }

    #[test]
    fn problems_are_shown_on_top_and_by_their_field() {
        let mut harness = panel(TerrainSettings::default());
        let problem = "a.terrain.ron:3:15: `field.layers[0].octaves` is 40, allowed: 0 to 32";
        let error =
            TerrainSettings::from_ron("(field: (layers: [\n\n    (octaves: 40)]))").expect_err("40 is too many");
        harness.state_mut().info.problems.push(error.problems[0].clone().in_file("a.terrain.ron"));
        harness.run();
        assert!(harness.query_by_label(problem).is_some());
        assert!(harness.query_by_label("is 40, allowed: 0 to 32").is_some());
    }

    #[test]
    fn octaves_too_fine_for_the_mesh_are_told_by_their_field_and_their_layer_until_they_are_gone() {
        let mut harness = panel(TerrainSettings::default());
        assert!(harness.query_by_label_contains("⚠").is_none());
        type_number(&mut harness, "octaves", "12");
        let warning = "octave 8 has 0.51 hills between neighboring vertices (4 m apart)";
        assert!(harness.query_by_label_contains(&format!("⚠ {warning}")).is_some());
        assert!(harness.query_by_label("⚠").is_some(), "the layer has a mark");
        assert_eq!(octaves(&harness), 12);
        type_number(&mut harness, "octaves", "99");
        assert!(harness.query_by_label_contains(warning).is_none(), "a refusal comes first");
        type_number(&mut harness, "octaves", "7");
        assert!(harness.query_by_label_contains("⚠").is_none());
    }

    fn cost(triangles: usize) -> LodCost {
        LodCost { chunks: 182, resident: 241, triangles, vertex_bytes: 24_400_000, index_bytes: 6_600_000 }
    }

    #[test]
    fn detail_has_a_section_with_its_parameters_and_what_they_cost() {
        let mut harness = panel(TerrainSettings::default());
        harness.get_by_label("Detail").click();
        harness.run();
        assert!(harness.query_by_role_and_label(Role::Slider, "pixel error").is_some());
        assert!(harness.query_by_label_contains("These settings").is_none(), "not known yet");
        for (triangles, text) in [(1_490_000, "1.49 M"), (90_112, "90 112")] {
            harness.state_mut().info.expected_cost = Some(cost(triangles));
            harness.run();
            let text = format!("These settings: 182 chunks, {text} triangles, 31 MB for this viewer");
            assert!(harness.query_by_label(&text).is_some(), "no `{text}`");
        }
        type_number(&mut harness, "pixel error", "4 pixels");
        assert_eq!(harness.state().model.draft().lod.pixel_error, 4.0);
        harness.get_by_role(Role::CheckBox).click();
        harness.run();
        assert!(!harness.state().model.draft().lod.morph);
        assert!(harness.query_by_label("edited").is_some());
    }

    #[test]
    fn what_settings_cost_is_seen_while_their_section_is_folded_away() {
        let mut harness = panel(TerrainSettings::default());
        harness.state_mut().info.expected_cost = Some(cost(1_490_000));
        harness.run();
        assert!(harness.query_by_label("182 chunks · 1.49 M triangles").is_some());
    }

    #[test]
    fn statistics_tell_chunks_by_level_and_seams() {
        let mut harness = panel(TerrainSettings::default());
        harness.state_mut().info.stats = StatsInfo {
            chunks_shown: 182,
            chunks_loaded: 241,
            chunks_wanted: 250,
            levels: vec![12, 30, 140],
            cost: cost(1_490_000),
            ..StatsInfo::default()
        };
        harness.get_by_label("Statistics").click();
        harness.run();
        for text in ["182 / 241 / 250", "level 0: 12 · 1: 30 · 2: 140", "1.49 M", "31 MB", "24", "not checked yet"] {
            assert!(harness.query_by_label(text).is_some(), "no `{text}`");
        }
        harness.state_mut().info.stats.seams = Some(SeamsInfo { borders: 1234, ..SeamsInfo::default() });
        harness.run();
        assert!(harness.query_by_label("0 along 1 234 borders").is_some());
        assert!(harness.query_by_label("⚠ seams").is_none());
        let first = Some("a gap of 0.250 m".to_owned());
        harness.state_mut().info.stats.seams = Some(SeamsInfo { borders: 1234, seams: 2, first });
        harness.run();
        for text in ["2 along 1 234 borders", "a gap of 0.250 m", "⚠ seams"] {
            assert!(harness.query_by_label(text).is_some(), "no `{text}`");
        }
    }

    #[test]
    fn a_file_that_cannot_be_written_has_no_save_button() {
        let mut harness = panel(TerrainSettings::default());
        harness.state_mut().model.roll_seed();
        harness.state_mut().info.cannot_save = Some("it is on the moon".to_owned());
        harness.run();
        harness.get_by_label("💾 Save").click();
        harness.get_by_label("Save as…").click();
        harness.run();
        assert_eq!(harness.state().actions, []);
        harness.state_mut().info.cannot_save = None;
        harness.run();
        harness.get_by_label("💾 Save").click();
        harness.run();
        assert_eq!(harness.state().actions, [PanelAction::Save]);
    }
}

const HILLS: &str = "// Ann's hills\n(\n    field: (\n        seed: 1, // lucky\n    ),\n)\n";

/// A folder with two settings files.
fn settings_folder() -> Folder {
    let folder = Folder::new();
    folder.write("hills.terrain.ron", HILLS);
    folder.write("plain.terrain.ron", "(field: (seed: 100))");
    folder
}

/// Counts how often the settings were changed.
#[derive(Resource, Default)]
struct Writes(u32);

/// An app without a window, with the inspector open on `hills.terrain.ron`, once that is loaded.
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
    app.finish();
    app.cleanup();
    app.world_mut().resource_mut::<TerrainInspector>().open = true;
    let handle = app.world().resource::<AssetServer>().load("hills.terrain.ron");
    app.world_mut().spawn(Terrain(handle));
    run_until(&mut app, |app| in_use(app).is_some() && app.world().resource::<TerrainInspector>().model().is_some());
    app
}

/// Runs frames until `done`, and fails when it never is.
fn run_until(app: &mut App, done: impl Fn(&mut App) -> bool) {
    for _ in 0..20_000 {
        app.update();
        if done(app) {
            return;
        }
        // Files are read in other threads.
        std::thread::yield_now();
    }
    panic!("it did not happen in 20000 frames");
}

fn run_frames(app: &mut App, frames: usize) {
    for _ in 0..frames {
        app.update();
    }
}

/// The settings that the terrain is made from.
fn in_use(app: &mut App) -> Option<TerrainSettings> {
    let mut states = app.world_mut().query::<&TerrainState>();
    states.single(app.world()).ok().and_then(|state| state.settings().cloned())
}

fn model(app: &mut App) -> &mut InspectorModel {
    app.world_mut().resource_mut::<TerrainInspector>().into_inner().model_mut().expect("settings are loaded")
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
    model(&mut app).edit("field.seed", ParamValue::Seed(42)).expect("any seed is allowed");
    app.update();
    assert_eq!(seed_in_use(&mut app), Some(42));
    assert_eq!(folder.read("hills.terrain.ron"), HILLS, "the file is left alone");
}

#[test]
fn a_budget_reaches_the_resource_and_neither_the_settings_nor_the_file() {
    let folder = settings_folder();
    let mut app = app(&folder);
    let before = in_use(&mut app);
    let budget = TerrainBudget { time_budget: 2.5, max_tasks: 7, ..Default::default() };
    request(&mut app, PanelAction::SetBudget(budget.clone()));
    app.update();
    assert_eq!(*app.world().resource::<TerrainBudget>(), budget);
    assert_eq!(in_use(&mut app), before);
    assert_eq!(app.world().resource::<Writes>().0, 0);
    assert_eq!(model(&mut app).is_edited(), Some(false));
    request(&mut app, PanelAction::Save);
    app.update();
    assert_eq!(folder.read("hills.terrain.ron"), HILLS);
}

#[test]
fn a_refused_value_changes_nothing() {
    let folder = settings_folder();
    let mut app = app(&folder);
    let before = in_use(&mut app);
    model(&mut app).edit("chunks.spacing", ParamValue::Float(-2.0)).expect_err("a negative spacing");
    run_frames(&mut app, 20);
    assert_eq!(in_use(&mut app), before);
    assert_eq!(app.world().resource::<Writes>().0, 0);
}

#[test]
fn a_burst_of_edits_ends_in_the_last_state_with_few_writes() {
    let folder = settings_folder();
    let mut app = app(&folder);
    // A second of dragging, 50 frames of 20 ms.
    for seed in 1000..1050 {
        model(&mut app).edit("field.seed", ParamValue::Seed(seed)).expect("any seed is allowed");
        app.update();
    }
    run_frames(&mut app, 10);
    assert_eq!(seed_in_use(&mut app), Some(1049));
    let writes = app.world().resource::<Writes>().0;
    assert!((9..=12).contains(&writes), "{writes} writes in a second");
}

#[test]
fn edits_are_written_to_the_end_though_the_panel_is_closed() {
    let folder = settings_folder();
    let mut app = app(&folder);
    for seed in [5, 6] {
        model(&mut app).edit("field.seed", ParamValue::Seed(seed)).expect("any seed is allowed");
        app.update();
    }
    app.world_mut().resource_mut::<TerrainInspector>().toggle();
    run_frames(&mut app, 10);
    assert_eq!(seed_in_use(&mut app), Some(6));
}

#[test]
fn changes_by_code_show_in_the_draft() {
    let folder = settings_folder();
    let mut app = app(&folder);
    let mut assets = app.world_mut().resource_mut::<Assets<TerrainSettings>>();
    for (_, settings) in assets.iter_mut() {
        settings.field.seed = 77;
    }
    app.update();
    assert_eq!(model(&mut app).draft().field.seed, 77);
    assert_eq!(model(&mut app).is_edited(), Some(true));
}

#[test]
fn saving_keeps_comments_and_later_edits_survive_its_reload() {
    let folder = settings_folder();
    let mut app = app(&folder);
    // The watcher looks every half second; let it see the file as it is first.
    run_frames(&mut app, 100);
    model(&mut app).edit("field.seed", ParamValue::Seed(2)).expect("any seed is allowed");
    request(&mut app, PanelAction::Save);
    app.update();
    assert_eq!(folder.read("hills.terrain.ron"), HILLS.replace("seed: 1", "seed: 2"));
    assert_eq!(folder.read("hills.terrain.ron.bak"), HILLS);
    assert_eq!(model(&mut app).is_edited(), Some(false));
    assert!(app.world().resource::<TerrainInspector>().message().is_some_and(|message| message.is_ok()));
    model(&mut app).edit("field.seed", ParamValue::Seed(3)).expect("any seed is allowed");
    for _ in 0..3000 {
        app.update();
        std::thread::yield_now();
    }
    assert_eq!(seed_in_use(&mut app), Some(3));
    assert_eq!(model(&mut app).draft().field.seed, 3);
}

#[test]
fn reset_goes_back_to_the_file() {
    let folder = settings_folder();
    let mut app = app(&folder);
    model(&mut app).edit("field.seed", ParamValue::Seed(9)).expect("any seed is allowed");
    app.update();
    assert_eq!(seed_in_use(&mut app), Some(9));
    request(&mut app, PanelAction::Reset);
    run_until(&mut app, |app| seed_in_use(app) == Some(1));
    assert_eq!(model(&mut app).is_edited(), Some(false));
    run_frames(&mut app, 20);
    assert_eq!(seed_in_use(&mut app), Some(1), "no late edit comes back");
}

#[test]
fn another_file_of_the_folder_can_be_opened() {
    let folder = settings_folder();
    let mut app = app(&folder);
    run_until(&mut app, |app| !app.world().resource::<TerrainInspector>().files().is_empty());
    assert_eq!(app.world().resource::<TerrainInspector>().files(), ["hills.terrain.ron", "plain.terrain.ron"]);
    request(&mut app, PanelAction::Open("plain.terrain.ron".to_owned()));
    run_until(&mut app, |app| seed_in_use(app) == Some(100));
    run_until(&mut app, |app| app.world().resource::<TerrainInspector>().model().is_some());
    assert_eq!(model(&mut app).draft().field.seed, 100);
}

#[test]
fn save_as_makes_a_new_file_and_goes_on_with_it() {
    let folder = settings_folder();
    let mut app = app(&folder);
    model(&mut app).edit("field.seed", ParamValue::Seed(8)).expect("any seed is allowed");
    request(&mut app, PanelAction::SaveAs("Bob's hills".to_owned()));
    app.update();
    assert_eq!(folder.read("Bob_s_hills.terrain.ron"), HILLS.replace("seed: 1", "seed: 8"));
    assert_eq!(folder.read("hills.terrain.ron"), HILLS);
    run_until(&mut app, |app| app.world().resource::<TerrainInspector>().model().is_some());
    assert_eq!(model(&mut app).is_edited(), Some(false));
    let mut terrains = app.world_mut().query::<&Terrain>();
    let id = terrains.single(app.world()).expect("one terrain").0.id();
    let path = app.world().resource::<AssetServer>().get_path(id).map(|path| path.to_string());
    assert_eq!(path.as_deref(), Some("Bob_s_hills.terrain.ron"));
    request(&mut app, PanelAction::SaveAs("plain".to_owned()));
    app.update();
    let message = app.world().resource::<TerrainInspector>().message().map(|message| message.map_err(str::to_owned));
    assert!(message.is_some_and(|message| message.is_err()), "a file that exists must not be replaced");
    assert_eq!(folder.read("plain.terrain.ron"), "(field: (seed: 100))");
}

#[test]
fn settings_made_by_code_can_be_edited_but_not_saved() {
    let folder = settings_folder();
    let mut app = app(&folder);
    let handle = app.world_mut().resource_mut::<Assets<TerrainSettings>>().add(TerrainSettings::default());
    let mut terrains = app.world_mut().query::<&mut Terrain>();
    terrains.single_mut(app.world_mut()).expect("one terrain").0 = handle;
    run_frames(&mut app, 2);
    model(&mut app).edit("field.seed", ParamValue::Seed(4)).expect("any seed is allowed");
    request(&mut app, PanelAction::Save);
    run_frames(&mut app, 10);
    assert_eq!(seed_in_use(&mut app), Some(4));
    let message = app.world().resource::<TerrainInspector>().message();
    assert_eq!(message, Some(Err("these settings were made by code, there is no file to write")));
    assert_eq!(model(&mut app).is_edited(), None);
}

/// Where a viewer is added, so that there is ground.
fn add_viewer(app: &mut App) {
    app.world_mut().spawn((TerrainViewer { view_distance: 1500.0 }, Transform::from_xyz(20.0, 100.0, -30.0)));
}

/// What `settings` cost for the viewer of the terrain, found directly.
fn cost_of(app: &mut App, settings: &TerrainSettings) -> LodCost {
    let mut states = app.world_mut().query::<&TerrainState>();
    let viewer = states.single(app.world()).expect("one terrain").viewers().next().expect("a viewer").point;
    let field = HeightField::new(&settings.field);
    LodCost::expected(&field, &ChunkLayout::new(&settings.chunks), &settings.lod, &viewer)
}

fn expected_cost(app: &App) -> Option<LodCost> {
    app.world().resource::<TerrainInspector>().expected_cost()
}

/// The numbers that the panel shows.
fn stats(app: &mut App) -> StatsInfo {
    let stats = *app.world().resource::<TerrainStats>();
    let mut terrains = app.world_mut().query::<(&TerrainState, Option<&SeamWatch>)>();
    let (state, watch) = terrains.single(app.world()).expect("one terrain");
    StatsInfo::new(&stats, Some(state), watch)
}

#[test]
fn what_edited_settings_will_cost_is_found_in_the_background() {
    let folder = settings_folder();
    let mut app = app(&folder);
    run_frames(&mut app, 3);
    assert_eq!(expected_cost(&app), None, "nobody looks");
    add_viewer(&mut app);
    run_until(&mut app, |app| expected_cost(app).is_some());
    let first = expected_cost(&app);
    let draft = model(&mut app).draft().clone();
    assert_eq!(first, Some(cost_of(&mut app, &draft)));
    // A slider is dragged: whatever was on its way, the last value counts.
    for pixel_error in [0.5, 0.3, 0.1] {
        model(&mut app).edit("lod.pixel_error", ParamValue::Float(pixel_error)).expect("in range");
        app.update();
    }
    let draft = model(&mut app).draft().clone();
    let fine = cost_of(&mut app, &draft);
    run_until(&mut app, |app| expected_cost(app) == Some(fine));
    assert!(first.is_some_and(|first| first.triangles < fine.triangles), "{first:?}, {fine:?}");
    model(&mut app).edit("chunks.spacing", ParamValue::Float(1.0)).expect("in range");
    let draft = model(&mut app).draft().clone();
    let dense = cost_of(&mut app, &draft);
    run_until(&mut app, |app| expected_cost(app) == Some(dense));
    assert_ne!(dense, fine);
}

#[test]
fn statistics_are_those_of_the_cover_and_there_is_no_seam_in_it() {
    let folder = settings_folder();
    let mut app = app(&folder);
    add_viewer(&mut app);
    run_until(&mut app, |app| {
        let mut states = app.world_mut().query::<&TerrainState>();
        states.single(app.world()).expect("one terrain").is_settled()
    });
    // The first checks may have begun while chunks were still coming.
    run_until(&mut app, |app| {
        let stats = stats(app);
        stats.seams.is_some_and(|seams| seams.borders > stats.chunks_shown)
    });
    let stats = stats(&mut app);
    let resident = app.world_mut().query::<&TerrainChunk>().iter(app.world()).count();
    let mut states = app.world_mut().query::<&TerrainState>();
    let state = states.single(app.world()).expect("one terrain");
    let layout = state.layout().expect("there is ground");
    assert_eq!(stats.cost, LodCost::of(state.quadtree().expect("there is ground"), resident, layout));
    assert_eq!((stats.cost.chunks, stats.cost.resident), (stats.chunks_shown, stats.chunks_loaded));
    assert!(stats.chunks_loaded >= stats.chunks_wanted);
    assert_eq!(stats.levels.iter().sum::<usize>(), stats.chunks_shown);
    assert!(stats.levels.iter().filter(|chunks| **chunks > 0).count() > 1, "several levels: {:?}", stats.levels);
    let seams = stats.seams.expect("it was checked");
    assert_eq!((seams.seams, seams.first), (0, None));
}

#[test]
fn seams_are_looked_for_while_the_panel_is_open_and_no_longer() {
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
    // One that the game put there is not the inspector's to remove.
    app.world_mut().entity_mut(shown).insert(SeamWatch::default());
    for _ in 0..2 {
        app.world_mut().resource_mut::<TerrainInspector>().toggle();
        app.update();
        assert_eq!(watched(&mut app), [shown]);
    }
}
