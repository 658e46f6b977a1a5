//! The panel: the texts of its widgets, and the actions that they return.

use super::actions::{FileAction, PanelAction};
use super::info::{FileInfo, MapInfo, PanelInfo, SeamsInfo, StatsInfo};
use super::panel::{PanelState, panel_ui};
use crate::chunk::LodCost;
use crate::draft::{Draft, HeightMap};
use crate::field::{EditCircle, EditShape, FieldSettings, Group, HeightField, Layer, LayerKind, LayerMask, Mask};
use crate::light::{SkySettings, Sun};
use crate::plants::{PlantCost, PlantLayer};
use crate::settings::TerrainSettings;
use crate::stream::TerrainBudget;
use bevy_egui::egui;
use egui::accesskit::Role;
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};
use std::sync::Arc;

struct Fixture {
    state: PanelState,
    draft: Draft<TerrainSettings>,
    sky: Draft<SkySettings>,
    info: PanelInfo,
    actions: Vec<PanelAction>,
}

fn panel(settings: TerrainSettings) -> Harness<'static, Fixture> {
    let info = PanelInfo {
        file: FileInfo {
            name: "a.terrain.ron".to_owned(),
            files: vec!["a.terrain.ron".to_owned(), "b.terrain.ron".to_owned()],
            ..Default::default()
        },
        has_ground: true,
        ..Default::default()
    };
    let draft = Draft::from_file(settings, "");
    let sky = Draft::from_file(SkySettings::default(), "");
    let fixture = Fixture { state: PanelState::default(), draft, sky, info, actions: Vec::new() };
    let mut harness = Harness::builder().with_size(egui::vec2(360.0, 2400.0)).build_ui_state(
        |ui, fixture: &mut Fixture| {
            let Fixture { state, draft, sky, info, actions } = fixture;
            actions.extend(panel_ui(ui, state, Some(draft), Some(sky), info));
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

/// Drags a slider to its right end.
fn drag_to_end(harness: &mut Harness<'static, Fixture>, label: &str) {
    let slider = harness.get_by_role_and_label(Role::Slider, label).rect();
    harness.drag_at(slider.center());
    harness.run();
    harness.hover_at(slider.right_center());
    harness.run();
    harness.drop_at(slider.right_center());
    harness.run();
}

fn octaves(harness: &Harness<'static, Fixture>) -> u32 {
    harness.state().draft.settings().field.layers[0].noise().expect("a layer of noise").octaves
}

#[test]
fn dragging_a_slider_changes_the_draft() {
    let mut harness = panel(TerrainSettings::default());
    drag_to_end(&mut harness, "octaves");
    assert_eq!(octaves(&harness), 32);
    assert!(harness.query_by_label("edited").is_some());
}

#[test]
fn the_machine_budget_is_changed_by_actions_and_is_not_part_of_the_settings() {
    let mut harness = panel(TerrainSettings::default());
    assert!(harness.query_by_role_and_label(Role::Slider, "memory limit").is_none(), "the section is closed");
    harness.get_by_label("Machine budget").click();
    harness.run();
    assert!(harness.query_by_label_contains("not saved to the terrain's file").is_some());
    let budgets = |harness: &mut Harness<'static, Fixture>| -> Vec<TerrainBudget> {
        let actions = std::mem::take(&mut harness.state_mut().actions);
        let budget = |action| if let PanelAction::SetBudget(budget) = action { Some(budget) } else { None };
        actions.into_iter().filter_map(budget).collect()
    };
    assert_eq!(budgets(&mut harness), []);
    drag_to_end(&mut harness, "max tasks");
    let expected = TerrainBudget { max_tasks: 1024, ..Default::default() };
    assert_eq!(budgets(&mut harness).last(), Some(&expected));
    harness.state_mut().info.budget = expected.clone();
    type_number(&mut harness, "memory limit", "512 MB");
    assert_eq!(budgets(&mut harness), [TerrainBudget { memory_limit: 512.0, ..expected }]);
    for text in ["0.05", "much"] {
        type_number(&mut harness, "memory limit", text);
        assert_eq!(budgets(&mut harness), [], "after {text}");
        assert!(harness.query_by_label_contains("is refused, allowed: 0.1 to 100000 MB").is_some(), "{text}");
    }
    type_number(&mut harness, "memory limit", "2");
    assert_eq!(budgets(&mut harness).len(), 1);
    assert!(harness.query_by_label_contains("is refused").is_none());
    assert_eq!(*harness.state().draft.settings(), TerrainSettings::default());
    assert!(harness.query_by_label("edited").is_none());
}

#[test]
fn typed_values_are_accepted_or_refused_with_a_reason() {
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
    assert_eq!(harness.state().draft.settings().field.base_height, 12.5);
}

#[test]
fn the_dice_and_the_text_field_change_the_seed() {
    let mut harness = panel(TerrainSettings::default());
    harness.get_by_label("🎲").click();
    harness.run();
    let rolled = harness.state().draft.settings().field.seed;
    let mut expected = Draft::new(TerrainSettings::default());
    expected.roll_seed();
    assert_eq!(rolled, expected.settings().field.seed);
    assert_ne!(rolled, TerrainSettings::default().field.seed);
    for (text, seed) in [("1234", 1234), ("minus one", 1234)] {
        harness.get_by_role_and_label(Role::TextInput, "seed").click();
        harness.run();
        harness.key_press_modifiers(egui::Modifiers::COMMAND, egui::Key::A);
        harness.event(egui::Event::Text(text.to_owned()));
        harness.run();
        harness.key_press(egui::Key::Enter);
        harness.run();
        assert_eq!(harness.state().draft.settings().field.seed, seed, "after {text}");
    }
    assert!(harness.query_by_label_contains("\"minus one\" is refused").is_some());
}

#[test]
fn layers_can_be_added_up_to_the_limit() {
    let mut settings = TerrainSettings::default();
    // The layers of a group are not shown while it is closed.
    let group = Group::from(vec![Layer::default(); FieldSettings::MAX_LAYERS - 4]);
    settings.field.layers.push(LayerKind::Group(group).into());
    let mut harness = panel(settings);
    for _ in 0..4 {
        harness.get_by_label("➕ Add layer").click();
        harness.run();
    }
    assert_eq!(harness.state().draft.settings().field.all_layers().len(), FieldSettings::MAX_LAYERS);
    assert!(harness.query_by_label("Layer 4").is_some() && harness.query_by_label("Layer 5").is_none());
}

/// Types `text` in place of the text of a field, one character after another.
fn type_text(harness: &mut Harness<'static, Fixture>, index: usize, label: &str, text: &str) {
    let field = harness.get_all_by_role_and_label(Role::TextInput, label).nth(index).expect("there is a field");
    field.click();
    harness.run();
    harness.key_press_modifiers(egui::Modifiers::COMMAND, egui::Key::A);
    for letter in text.chars() {
        harness.event(egui::Event::Text(letter.to_string()));
        harness.run();
    }
}

fn constant(name: &str) -> Layer {
    let kind = LayerKind::with_defaults("Constant").expect("it is a kind");
    Layer { name: name.to_owned(), ..kind.into() }
}

/// Opens a closed section.
fn open(harness: &mut Harness<'static, Fixture>, title: &str) {
    harness.get_by_label(title).click();
    harness.run();
}

#[test]
fn a_layer_gets_a_typed_name_when_the_field_is_left() {
    let mut settings = TerrainSettings::default();
    let mask = LayerMask { layer: "crest".to_owned(), ..LayerMask::default() };
    let reader = Layer { masks: vec![Mask::Layer(mask)], ..constant("top") };
    settings.field.layers = vec![constant("crest"), constant("hills"), reader];
    let mut harness = panel(settings);
    open(&mut harness, "hills");
    let names = |harness: &Harness<'static, Fixture>| {
        let layers = &harness.state().draft.settings().field.layers;
        layers.iter().map(|layer| layer.name.clone()).collect::<Vec<_>>()
    };
    // On its way, the text is the name that a mask reads.
    type_text(&mut harness, 1, "name", "crests");
    assert_eq!(names(&harness), ["crest", "hills", "top"]);
    harness.key_press(egui::Key::Enter);
    harness.run();
    assert_eq!(names(&harness), ["crest", "crests", "top"]);
    type_text(&mut harness, 1, "name", "nothing");
    harness.key_press(egui::Key::Escape);
    harness.run();
    assert_eq!(names(&harness), ["crest", "crests", "top"]);
    type_text(&mut harness, 1, "name", "crest");
    harness.key_press(egui::Key::Enter);
    harness.run();
    assert_eq!(names(&harness), ["crest", "crests", "top"], "the mask would read another layer");
    assert!(harness.query_by_label_contains("\"crest\" is refused").is_some());
}

#[test]
fn the_layer_of_a_mask_is_chosen_from_the_names_below() {
    let mut settings = TerrainSettings::default();
    let mask = LayerMask { layer: "crest".to_owned(), ..LayerMask::default() };
    let reader = Layer { masks: vec![Mask::Layer(mask)], ..constant("top") };
    settings.field.layers = vec![constant("crests"), constant("crest"), reader, constant("above")];
    let mut harness = panel(settings);
    open(&mut harness, "top");
    open(&mut harness, "Mask: layer");
    harness.get_by_role_and_label(Role::ComboBox, "layer").click();
    harness.run();
    // The first one is the bar of the layer.
    harness.get_all_by_role_and_label(Role::Button, "crests").last().expect("it is listed").click();
    harness.run();
    let mask = &harness.state().draft.settings().field.layers[2].masks[0];
    assert!(matches!(mask, Mask::Layer(mask) if mask.layer == "crests"), "{mask:?}");
    assert!(harness.state().draft.refusal("field.layers[2].masks[0].layer").is_none());
}

#[test]
fn changes_that_are_not_possible_have_no_button() {
    let erosion = || Layer::from(LayerKind::with_defaults("Erosion").expect("it is a kind"));
    let mut settings = TerrainSettings::default();
    settings.field.layers = vec![Layer::default(), erosion(), erosion()];
    let mut harness = panel(settings);
    // Those of the field. The layers of the look follow.
    let is_on = |harness: &Harness<'static, Fixture>, symbol: &str| {
        let layers = harness.state().draft.settings().field.layers.len();
        let buttons = harness.get_all_by_label(symbol).take(layers);
        buttons.map(|button| !button.accesskit_node().is_disabled()).collect::<Vec<_>>()
    };
    assert_eq!(is_on(&harness, "🗐"), [true, false, false], "a third erosion");
    assert_eq!(is_on(&harness, "⏷"), [true, true, false]);
    assert_eq!(is_on(&harness, "⏶"), [false, true, true]);
    harness.get_all_by_label("🗐").nth(2).expect("it is there").hover();
    harness.run();
    let why = "Would give a layer that each height evaluates 125 times. Allowed: at most 64 evaluations";
    assert!(harness.query_by_label_contains(why).is_some());
    harness.get_all_by_label("🗑").nth(2).expect("it is there").click();
    harness.run();
    assert_eq!(is_on(&harness, "🗐"), [true, true]);
}

#[test]
fn opening_another_file_asks_nothing_and_files_with_edits_have_a_mark() {
    let mut harness = panel(TerrainSettings::default());
    harness.state_mut().draft.roll_seed();
    harness.state_mut().info.file.edited = vec!["a.terrain.ron".to_owned(), "b.terrain.ron".to_owned()];
    harness.run();
    let combo = harness.get_all_by_role(Role::ComboBox).next().expect("the file picker is the first").rect();
    harness.drag_at(combo.center());
    harness.drop_at(combo.center());
    harness.run();
    harness.get_by_label("b.terrain.ron (edited)").click();
    harness.run();
    harness.state_mut().actions.retain(|action| *action != PanelAction::Terrain(FileAction::List));
    assert_eq!(harness.state().actions, [PanelAction::Terrain(FileAction::Open("b.terrain.ron".to_owned()))]);
}

#[test]
fn problems_are_shown_at_the_top_and_beside_their_field() {
    let mut harness = panel(TerrainSettings::default());
    let problem = "a.terrain.ron:3:27: `field.layers[0].kind.octaves` is 40, allowed: 0 to 32";
    let error = TerrainSettings::from_ron("(field: (layers: [\n\n    (kind: Noise(octaves: 40))]))")
        .expect_err("40 is too many");
    harness.state_mut().info.file.problems.push(error.problems[0].clone().in_file("a.terrain.ron"));
    harness.run();
    assert!(harness.query_by_label(problem).is_some());
    assert!(harness.query_by_label("is 40, allowed: 0 to 32").is_some());
}

#[test]
fn octaves_too_fine_for_the_mesh_are_marked_at_their_field_and_their_layer() {
    let mut harness = panel(TerrainSettings::default());
    assert!(harness.query_by_label_contains("⚠").is_none());
    type_number(&mut harness, "octaves", "12");
    let warning = "octave 8 has 0.51 cycles per vertex spacing (4 m)";
    assert!(harness.query_by_label_contains(&format!("⚠ {warning}")).is_some());
    assert!(harness.query_by_label("⚠").is_some(), "the layer has no mark");
    assert_eq!(octaves(&harness), 12);
    type_number(&mut harness, "octaves", "99");
    assert!(harness.query_by_label_contains(warning).is_none(), "the refusal replaces the warning");
    type_number(&mut harness, "octaves", "7");
    assert!(harness.query_by_label_contains("⚠").is_none());
}

fn cost(triangles: usize) -> LodCost {
    let mut cost = LodCost::default();
    (cost.chunks, cost.resident, cost.triangles) = (182, 241, triangles);
    cost.bytes = 31_000_000;
    cost
}

#[test]
fn the_detail_section_has_its_parameters_and_their_cost() {
    let mut harness = panel(TerrainSettings::default());
    harness.get_by_label("Detail").click();
    harness.run();
    assert!(harness.query_by_role_and_label(Role::Slider, "pixel error").is_some());
    assert!(harness.query_by_label_contains("These settings").is_none(), "the cost is not known yet");
    for (triangles, text) in [(1_490_000, "1.49 M"), (90_112, "90 112")] {
        harness.state_mut().info.expected_cost = Some(cost(triangles));
        harness.run();
        let text = format!("These settings: 182 chunks, {text} triangles, 31 MB for this viewer");
        assert!(harness.query_by_label(&text).is_some(), "no `{text}`");
    }
    type_number(&mut harness, "pixel error", "4 pixels");
    assert_eq!(harness.state().draft.settings().lod.pixel_error, 4.0);
    // The first one switches the layer.
    harness.get_all_by_role(Role::CheckBox).last().expect("there are two").click();
    harness.run();
    assert!(!harness.state().draft.settings().lod.morph);
    assert!(harness.query_by_label("edited").is_some());
}

#[test]
fn the_cost_is_shown_while_its_section_is_closed() {
    let mut harness = panel(TerrainSettings::default());
    harness.state_mut().info.expected_cost = Some(cost(1_490_000));
    harness.run();
    assert!(harness.query_by_label("182 chunks · 1.49 M triangles").is_some());
}

#[test]
fn statistics_show_chunks_by_level_and_seams() {
    let mut harness = panel(TerrainSettings::default());
    harness.state_mut().info.stats = StatsInfo {
        chunks_drawn: 182,
        chunks_loaded: 241,
        chunks_wanted: 250,
        levels: vec![12, 30, 140],
        cost: cost(1_490_000),
        ..StatsInfo::default()
    };
    harness.get_by_label("Statistics").click();
    harness.run();
    for text in ["182 / 241 / 250", "level 0: 12 · 1: 30 · 2: 140", "1.49 M", "31 MB", "not checked yet"] {
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
fn a_file_that_cannot_be_written_disables_its_save_button() {
    let mut harness = panel(TerrainSettings::default());
    harness.state_mut().draft.roll_seed();
    harness.state_mut().info.file.cannot_save = Some("the folder is read-only".to_owned());
    harness.run();
    harness.get_by_label("💾 Save").click();
    harness.get_by_label("Save as…").click();
    harness.run();
    assert_eq!(harness.state().actions, []);
    harness.state_mut().info.file.cannot_save = None;
    harness.run();
    harness.get_by_label("💾 Save").click();
    harness.run();
    assert_eq!(harness.state().actions, [PanelAction::Terrain(FileAction::Save)]);
}

/// A panel with an open section of the light.
fn sky_panel() -> Harness<'static, Fixture> {
    let mut harness = panel(TerrainSettings::default());
    assert!(harness.query_by_label("Light").is_none(), "no camera has a sky");
    harness.state_mut().info.sky = Some(FileInfo { name: "dawn.sky.ron".to_owned(), ..FileInfo::default() });
    harness.run();
    open(&mut harness, "Light");
    harness
}

#[test]
fn the_light_has_sliders_and_a_choice_of_the_sun() {
    let mut harness = sky_panel();
    type_number(&mut harness, "visibility", "25 km");
    assert_eq!(harness.state().sky.settings().visibility, 25.0);
    type_number(&mut harness, "elevation", "2");
    assert!(harness.query_by_label_contains("2.0 is refused, allowed: -1.57 to 1.57 rad").is_some());
    harness.get_by_role_and_label(Role::ComboBox, "sun").click();
    harness.run();
    harness.get_by_label("Time").click();
    harness.run();
    assert!(matches!(harness.state().sky.settings().sun, Sun::Time(_)));
    type_number(&mut harness, "hour", "7.5");
    assert!(matches!(&harness.state().sky.settings().sun, Sun::Time(time) if time.hour == 7.5));
    assert!(harness.query_by_label("elevation").is_none());
    assert_eq!(harness.state().draft.is_edited(), Some(false), "the terrain is not edited");
    // A double click on the name restores the value of the file.
    let name = harness.get_by_role_and_label(Role::Label, "visibility").rect().center();
    harness.hover_at(name);
    harness.step();
    // In one frame: the frames of a test are too far apart for a double click.
    for pressed in [true, false, true, false] {
        let (button, modifiers) = (egui::PointerButton::Primary, egui::Modifiers::NONE);
        harness.input_mut().events.push(egui::Event::PointerButton { pos: name, button, pressed, modifiers });
    }
    harness.run();
    assert_eq!(harness.state().sky.settings().visibility, 0.0);
}

#[test]
fn the_light_has_clouds_and_wind() {
    let mut harness = sky_panel();
    for (label, text) in [("cover", "0.7"), ("height", "2000"), ("speed", "12"), ("toward", "3")] {
        type_number(&mut harness, label, text);
    }
    let SkySettings { clouds, wind, .. } = harness.state().sky.settings();
    assert_eq!((clouds.cover, clouds.height, wind.speed, wind.toward), (0.7, 2000.0, 12.0, 3.0));
    type_number(&mut harness, "cover", "1.2");
    assert!(harness.query_by_label_contains("1.2 is refused, allowed: 0 to 1").is_some());
}

#[test]
fn the_file_of_the_light_has_its_own_buttons_and_problems() {
    let mut harness = sky_panel();
    type_number(&mut harness, "air", "2");
    harness.get_all_by_label("💾 Save").last().expect("it is open").click();
    harness.run();
    assert_eq!(harness.state().actions, [PanelAction::Sky(FileAction::Save)]);
    harness.state_mut().actions.clear();
    harness.get_all_by_label("↺ Reset to file").last().expect("it is open").click();
    harness.run();
    assert_eq!(harness.state().actions, [PanelAction::Sky(FileAction::Reset)]);

    let error = SkySettings::from_ron("(air: 11.0)").expect_err("too much air");
    let problem = error.problems[0].clone().in_file("dawn.sky.ron");
    harness.state_mut().info.sky.as_mut().expect("there is a sky").problems.push(problem);
    harness.run();
    for text in [
        "⚠ The light keeps its last valid settings",
        "dawn.sky.ron:1:7: `air` is 11.0, allowed: 0 to 10",
        "is 11.0, allowed: 0 to 10",
    ] {
        assert!(harness.query_by_label(text).is_some(), "no `{text}`");
    }
    open(&mut harness, "Light");
    assert!(harness.query_by_label("⚠ broken file").is_some(), "also while the section is closed");
}

#[test]
fn edits_of_the_ground_are_added_at_the_viewer_and_moved_there() {
    let mut harness = panel(TerrainSettings::default());
    let shapes = |harness: &Harness<'static, Fixture>| {
        let edits = &harness.state().draft.settings().field.edits;
        edits.iter().map(|edit| edit.shape.clone()).collect::<Vec<_>>()
    };
    let circle = |x, z| EditShape::Circle(EditCircle { x, z, ..EditCircle::default() });
    harness.get_by_label("➕ Add edit").click();
    harness.run();
    assert_eq!(shapes(&harness), [circle(0.0, 0.0)], "no viewer is known");
    let field = HeightField::new(&FieldSettings::default());
    let map = Arc::new(HeightMap::new(&field, [0.0; 2], 1000.0, None));
    harness.state_mut().info.map = Some(MapInfo { texture: egui::TextureId::default(), map, viewer: [120.4, -80.0] });
    harness.run();
    harness.get_by_label("➕ Add edit").click();
    harness.run();
    assert_eq!(shapes(&harness), [circle(0.0, 0.0), circle(120.0, -80.0)]);
    open(&mut harness, "Edit 1");
    harness.get_by_label("Here").click();
    harness.run();
    assert_eq!(shapes(&harness), [circle(120.0, -80.0), circle(120.0, -80.0)]);
    let label = harness.state().draft.history().labels().last().map(str::to_owned);
    assert_eq!(label.as_deref(), Some("Move Edit 1 here"));
    type_number(&mut harness, "fade", "3.5");
    assert_eq!(harness.state().draft.settings().field.edits[0].fade, 3.5);
}

#[test]
fn layers_of_plants_are_added_and_grow_on_chosen_ground() {
    let mut harness = panel(TerrainSettings::default());
    harness.get_by_label("➕ Add layer of plants").click();
    harness.run();
    assert!(harness.query_by_label("Plants 1").is_some() && harness.query_by_label("broadleaf").is_some());
    type_number(&mut harness, "chance", "0.25");
    open(&mut harness, "On");
    let on = |harness: &Harness<'static, Fixture>| harness.state().draft.settings().plants[0].on.clone();
    for (name, expected) in [("sand", vec!["sand"]), ("scree", vec!["sand", "scree"]), ("sand", vec!["scree"])] {
        harness.get_by_role_and_label(Role::CheckBox, name).click();
        harness.run();
        assert_eq!(on(&harness), expected);
    }
    assert_eq!(harness.state().draft.settings().plants[0].chance, 0.25);
    let label = harness.state().draft.history().labels().last().map(str::to_owned);
    assert_eq!(label.as_deref(), Some("Plants 1: not on sand"));
}

#[test]
fn layers_of_plants_show_their_cost() {
    let layer = |name: &str| PlantLayer { name: name.to_owned(), ..PlantLayer::default() };
    let mut harness = panel(TerrainSettings { plants: vec![layer("oak"), layer("lone oak")], ..Default::default() });
    let cost = |per_hectare: f64, triangles: usize, bytes: usize| {
        let mut cost = PlantCost::default();
        (cost.per_hectare, cost.triangles, cost.bytes) = (per_hectare, triangles, bytes);
        cost
    };
    harness.state_mut().info.plant_costs = vec![cost(204.6, 1_500_000, 31_000_000), cost(0.72, 8000, 450_000)];
    open(&mut harness, "lone oak");
    for text in [
        "205 on a hectare: 1.50 M triangles, 31 MB for this viewer",
        "0.7 on a hectare: 8 000 triangles, 0.5 MB for this viewer",
        "All plants: 1.51 M triangles, 31 MB for this viewer",
    ] {
        assert!(harness.query_by_label(text).is_some(), "no `{text}`");
    }
}
