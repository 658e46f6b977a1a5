//! The panel in an app, by clicks and keys.

use super::*;
use bevy::ecs::system::RunSystemOnce;
use bevy_egui::egui;
use bevy_perlin_terrain::inspector::TerrainPanel;
use egui::accesskit::Role;
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;

fn draw(InMut(ui): InMut<egui::Ui>, mut panel: TerrainPanel) {
    panel.ui(ui);
}

/// The panel of an app with the settings of `hills.terrain.ron`. Each frame of egui is a frame of the app.
fn panel(folder: &Folder) -> Harness<'static, App> {
    let app = app(folder);
    let harness = Harness::builder().with_size(egui::vec2(360.0, 1400.0)).build_ui_state(
        |ui, app: &mut App| {
            app.world_mut().run_system_once_with(draw, ui).expect("the app has all that the panel needs");
            app.update();
        },
        app,
    );
    steps(harness)
}

/// Runs a few frames. The app asks for frames without end, so it never rests.
fn steps(mut harness: Harness<'static, App>) -> Harness<'static, App> {
    run(&mut harness);
    harness
}

fn run(harness: &mut Harness<'static, App>) {
    harness.run_steps(4);
}

fn labels(harness: &mut Harness<'static, App>) -> Vec<String> {
    draft(harness.state_mut()).history().labels().map(str::to_owned).collect()
}

fn octaves(harness: &mut Harness<'static, App>) -> u32 {
    draft(harness.state_mut()).settings().field.layers[0].noise().expect("a layer of noise").octaves
}

/// Drags the slider of the octaves to its right end.
fn drag_octaves(harness: &mut Harness<'static, App>) {
    let slider = harness.get_by_role_and_label(Role::Slider, "octaves").rect();
    harness.drag_at(slider.center());
    run(harness);
    for part in [0.6, 0.8, 1.0] {
        harness.hover_at(slider.lerp_inside(egui::vec2(part, 0.5)));
        run(harness);
        assert_eq!(labels(harness), [""; 0], "the button is down");
    }
    harness.drop_at(slider.right_center());
    run(harness);
}

fn press(harness: &mut Harness<'static, App>, modifiers: egui::Modifiers, key: egui::Key) {
    harness.key_press_modifiers(modifiers, key);
    run(harness);
}

#[test]
fn one_drag_is_one_edit_and_keys_undo_and_redo_it() {
    let folder = settings_folder();
    let mut harness = panel(&folder);
    let before = octaves(&mut harness);
    drag_octaves(&mut harness);
    assert_eq!((octaves(&mut harness), labels(&mut harness)), (32, vec![format!("Layer 1: octaves {before} to 32")]));
    press(&mut harness, egui::Modifiers::COMMAND, egui::Key::Z);
    assert_eq!(octaves(&mut harness), before);
    for redo in
        [(egui::Modifiers::COMMAND | egui::Modifiers::SHIFT, egui::Key::Z), (egui::Modifiers::COMMAND, egui::Key::Y)]
    {
        press(&mut harness, redo.0, redo.1);
        assert_eq!(octaves(&mut harness), 32);
        harness.get_by_label("⟲ Undo").click();
        run(&mut harness);
        assert_eq!(octaves(&mut harness), before);
    }
    harness.get_by_label("⟳ Redo").click();
    run(&mut harness);
    press(&mut harness, egui::Modifiers::COMMAND, egui::Key::S);
    assert!(folder.read("hills.terrain.ron").contains("octaves: 32"));
    // Without its keys, and while a text has the focus.
    harness.state_mut().world_mut().resource_mut::<TerrainInspector>().shortcuts = false;
    press(&mut harness, egui::Modifiers::COMMAND, egui::Key::Z);
    assert_eq!(octaves(&mut harness), 32);
    harness.state_mut().world_mut().resource_mut::<TerrainInspector>().shortcuts = true;
    harness.get_by_role_and_label(Role::TextInput, "seed").click();
    run(&mut harness);
    press(&mut harness, egui::Modifiers::COMMAND, egui::Key::Z);
    assert_eq!(octaves(&mut harness), 32);
}

#[test]
fn the_history_is_a_list_to_jump_in() {
    let folder = settings_folder();
    let mut harness = panel(&folder);
    for seed in [5, 6, 7] {
        draft(harness.state_mut()).edit("field.seed", ParamValue::Seed(seed)).expect("any seed is allowed");
        run(&mut harness);
    }
    harness.get_by_label("History").click();
    run(&mut harness);
    harness.get_by_label("Field: seed 1 to 5").click();
    run(&mut harness);
    assert_eq!(draft(harness.state_mut()).settings().field.seed, 5);
    assert_eq!(draft(harness.state_mut()).history().done(), 1);
}

#[test]
fn a_layer_is_copied_and_pasted_under_the_pointer() {
    let folder = settings_folder();
    let mut harness = panel(&folder);
    let bar = harness.get_by_label("Layer 1").rect().center();
    harness.hover_at(bar);
    run(&mut harness);
    harness.event(egui::Event::Copy);
    harness.step();
    let commands = &harness.output().platform_output.commands;
    let copied = commands.iter().find_map(|command| match command {
        egui::OutputCommand::CopyText(text) => Some(text.clone()),
        _ => None,
    });
    let copied = copied.expect("the layer is copied");
    harness.event(egui::Event::Paste(copied.clone()));
    run(&mut harness);
    // On a desktop, a paste is the key and then the text. Other text is not pasted.
    for modifiers in [egui::Modifiers::COMMAND | egui::Modifiers::ALT, egui::Modifiers::COMMAND] {
        let key = egui::Key::V;
        harness.input_mut().events.push(egui::Event::Key {
            key,
            physical_key: None,
            pressed: true,
            repeat: false,
            modifiers,
        });
        harness.input_mut().events.push(egui::Event::Text(copied.clone()));
        run(&mut harness);
    }
    assert_eq!(draft(harness.state_mut()).settings().field.layers.len(), 3);
    harness.event(egui::Event::Paste("(kind: Noise(octaves: 99))".to_owned()));
    run(&mut harness);
    let why = "Not pasted: 1:23: `kind.octaves` is 99, allowed: 0 to 32";
    assert!(harness.query_by_label(why).is_some());
    assert_eq!(draft(harness.state_mut()).settings().field.layers.len(), 3);
}

#[test]
fn a_value_that_the_game_changed_can_be_taken() {
    let folder = settings_folder();
    let mut harness = panel(&folder);
    let mut assets = harness.state_mut().world_mut().resource_mut::<Assets<TerrainSettings>>();
    for (_, settings) in assets.iter_mut() {
        settings.field.base_height = 312.0;
    }
    run(&mut harness);
    harness.get_by_label("now 312.0 m, by the game").click();
    run(&mut harness);
    assert_eq!(draft(harness.state_mut()).settings().field.base_height, 312.0);
    assert!(harness.query_by_label_contains("by the game").is_none());
}

#[test]
fn the_panel_says_what_a_changed_file_brought() {
    let folder = settings_folder();
    let mut harness = panel(&folder);
    draft(harness.state_mut()).edit("chunks.spacing", ParamValue::Float(8.0)).expect("in range");
    run(&mut harness);
    for also in [egui::Modifiers::ALT, egui::Modifiers::SHIFT] {
        press(&mut harness, egui::Modifiers::COMMAND | also, egui::Key::S);
        assert_eq!(folder.read("hills.terrain.ron"), HILLS, "that is another key");
    }
    folder.write("hills.terrain.ron", HILLS.replace("seed: 1", "seed: 7"));
    harness.get_by_label("💾 Save").click();
    run(&mut harness);
    assert!(harness.query_by_label("The file has changed.").is_some());
    assert!(harness.query_by_label("Taken: Field: seed 1 to 7").is_some());
    harness.get_by_label("OK").click();
    run(&mut harness);
    assert!(harness.query_by_label("The file has changed.").is_none());
}
