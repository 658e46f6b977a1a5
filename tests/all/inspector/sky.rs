//! The light of a camera in the inspector.

use super::*;
use bevy::camera::Exposure;
use bevy::log::LogPlugin;
use bevy::render::RenderPlugin;
use bevy::render::settings::WgpuSettings;
use bevy::window::ExitCondition;
use bevy::winit::WinitPlugin;
use bevy_perlin_terrain::light::SkySettings;

const DAWN: &str = "// Bob's dawn\n(\n    exposure: 1.0, // bright\n    visibility: 20.0,\n)\n";

/// A folder with two sky files.
fn sky_folder() -> Folder {
    let folder = Folder::new();
    folder.write("dawn.sky.ron", DAWN);
    folder.write("noon.sky.ron", "(exposure: -2.0)");
    folder.write("hills.terrain.ron", HILLS);
    folder
}

/// An app without a window and a GPU. The inspector is open, and the sky of a camera is the file `name`.
fn app_of(folder: &Folder, name: &str) -> App {
    let mut app = App::new();
    let render_creation = WgpuSettings { backends: None, ..default() }.into();
    app.add_plugins((
        DefaultPlugins
            .build()
            .disable::<WinitPlugin>()
            .disable::<LogPlugin>()
            .set(AssetPlugin { file_path: folder.path("").to_string_lossy().into_owned(), ..default() })
            .set(WindowPlugin { primary_window: None, exit_condition: ExitCondition::DontExit, ..default() })
            .set(RenderPlugin { render_creation, ..default() }),
        TerrainPlugins,
        TerrainInspectorCorePlugin,
    ))
    .insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_millis(20)));
    finish(&mut app);
    app.world_mut().resource_mut::<TerrainInspector>().open = true;
    let handle = app.world().resource::<AssetServer>().load(name.to_owned());
    app.world_mut().spawn((Camera3d::default(), TerrainSky(handle)));
    app
}

/// The same, with a loaded sky.
fn app(folder: &Folder) -> App {
    let mut app = app_of(folder, "dawn.sky.ron");
    run_until(&mut app, |app| app.world().resource::<TerrainInspector>().sky_draft().is_some());
    run_until(&mut app, |app| is_lit_by(app, DAWN));
    app
}

fn sky(app: &mut App) -> &mut Draft<SkySettings> {
    app.world_mut().resource_mut::<TerrainInspector>().into_inner().sky_draft_mut().expect("settings are loaded")
}

fn edit(app: &mut App, path: &str, value: f64) {
    sky(app).edit(path, ParamValue::Float(value)).expect("in range");
}

fn request(app: &mut App, action: FileAction) {
    super::request(app, PanelAction::Sky(action));
}

fn exposure(app: &mut App) -> f32 {
    let mut cameras = app.world_mut().query_filtered::<&Exposure, With<TerrainSky>>();
    cameras.single(app.world()).expect("there is one camera").ev100
}

/// Whether the camera has the exposure of the settings in a text.
fn is_lit_by(app: &mut App, text: &str) -> bool {
    let settings = SkySettings::from_ron(text).expect("the text is valid");
    exposure(app) == settings.exposure_value() as f32
}

fn problems(app: &App) -> Vec<String> {
    let inspector = app.world().resource::<TerrainInspector>();
    inspector.sky_problems().iter().map(ToString::to_string).collect()
}

#[test]
fn an_edit_reaches_the_sky_in_the_same_frame_and_can_be_undone() {
    let folder = sky_folder();
    let mut app = app(&folder);
    edit(&mut app, "exposure", 3.0);
    app.update();
    assert!(is_lit_by(&mut app, "(exposure: 3.0)"));
    edit(&mut app, "sun.elevation", -0.3);
    pump(&mut app, 10);
    assert!(is_lit_by(&mut app, "(exposure: 3.0, sun: Angles(elevation: -0.3))"));
    assert_eq!(folder.read("dawn.sky.ron"), DAWN, "the file is not changed");
    let sky = sky(&mut app);
    assert!(sky.edit("sun.elevation", ParamValue::Float(2.0)).is_err());
    assert_eq!(sky.is_edited(), Some(true));
    for path in ["exposure", "sun.elevation"] {
        let value = sky.row(path).and_then(|row| row.in_file).expect("it differs");
        sky.edit(path, value).expect("it was in the file");
    }
    assert_eq!(sky.is_edited(), Some(false));
    pump(&mut app, 10);
    assert!(is_lit_by(&mut app, DAWN));
}

#[test]
fn saving_keeps_comments_and_later_edits_survive_its_reload() {
    let folder = sky_folder();
    let mut app = app(&folder);
    // The watcher checks the file every half second. Let it see the current content first.
    pump(&mut app, 100);
    edit(&mut app, "exposure", 2.5);
    request(&mut app, FileAction::Save);
    app.update();
    assert_eq!(folder.read("dawn.sky.ron"), DAWN.replace("1.0", "2.5"));
    assert_eq!(folder.read("dawn.sky.ron.bak"), DAWN);
    assert_eq!(sky(&mut app).is_edited(), Some(false));
    assert!(app.world().resource::<TerrainInspector>().sky_message().is_some_and(|message| message.is_ok()));
    edit(&mut app, "exposure", 4.0);
    for _ in 0..300 {
        app.update();
        std::thread::yield_now();
    }
    assert!(is_lit_by(&mut app, "(exposure: 4.0)"));
    request(&mut app, FileAction::Reset);
    run_until(&mut app, |app| is_lit_by(app, "(exposure: 2.5)"));
}

#[test]
fn a_changed_file_reaches_the_light_and_a_broken_one_keeps_it() {
    let folder = sky_folder();
    let mut app = app(&folder);
    let changed = DAWN.replace("1.0", "-1.5");
    folder.write("dawn.sky.ron", &changed);
    run_until(&mut app, |app| is_lit_by(app, &changed));
    assert_eq!(sky(&mut app).settings().exposure, -1.5);
    folder.write("dawn.sky.ron", DAWN.replace("1.0", "99.0"));
    run_until(&mut app, |app| !problems(app).is_empty());
    assert_eq!(problems(&app), ["dawn.sky.ron:3:15: `exposure` is 99.0, allowed: -10 to 10 EV"]);
    assert!(is_lit_by(&mut app, &changed));
    edit(&mut app, "exposure", 0.5);
    app.update();
    assert!(is_lit_by(&mut app, "(exposure: 0.5)"), "it can still be edited");
    folder.write("dawn.sky.ron", DAWN);
    run_until(&mut app, |app| problems(app).is_empty());
    pump(&mut app, 10);
    assert!(is_lit_by(&mut app, "(exposure: 0.5)"), "the edit stays");
    assert_eq!(sky(&mut app).news().map(|news| news.kept.clone()), Some(vec!["exposure".to_owned()]));
    request(&mut app, FileAction::Reset);
    run_until(&mut app, |app| is_lit_by(app, DAWN));
    assert_eq!(sky(&mut app).is_edited(), Some(false));
}

#[test]
fn a_file_that_is_broken_from_the_start_gives_the_default_light() {
    let folder = sky_folder();
    folder.write("dawn.sky.ron", "(sun: Moon())");
    let mut app = app_of(&folder, "dawn.sky.ron");
    run_until(&mut app, |app| !problems(app).is_empty());
    assert_eq!(problems(&app), ["dawn.sky.ron:1:7: `sun` is Moon(), allowed: Angles, Time"]);
    assert!(is_lit_by(&mut app, "()"));
    assert!(app.world().resource::<TerrainInspector>().sky_draft().is_none());
    folder.write("dawn.sky.ron", DAWN);
    run_until(&mut app, |app| problems(app).is_empty() && is_lit_by(app, DAWN));
    assert!(app.world().resource::<TerrainInspector>().sky_draft().is_some());
}

#[test]
fn another_sky_can_be_opened_and_saved_under_a_new_name() {
    let folder = sky_folder();
    let mut app = app(&folder);
    request(&mut app, FileAction::Open("noon.sky.ron".to_owned()));
    run_until(&mut app, |app| is_lit_by(app, "(exposure: -2.0)"));
    run_until(&mut app, |app| app.world().resource::<TerrainInspector>().sky_draft().is_some());
    edit(&mut app, "air", 2.0);
    request(&mut app, FileAction::SaveAs("thick".to_owned()));
    app.update();
    assert_eq!(folder.read("thick.sky.ron"), "(air: 2.0, exposure: -2.0)");
    assert_eq!(folder.read("noon.sky.ron"), "(exposure: -2.0)");
    assert!(app.world().resource::<TerrainInspector>().message().is_none(), "that is of the terrain's file");
}

/// The number of pairs of systems without an order that access the inspector.
fn unordered(app: &App) -> usize {
    let inspector = app.world().components().component_id::<TerrainInspector>().expect("the app has it");
    let schedules = app.world().resource::<Schedules>();
    let graph = schedules.get(PostUpdate).expect("the schedule exists").graph();
    graph.conflicting_systems().iter().filter(|(.., on)| on.contains(&inspector)).count()
}

#[test]
fn the_systems_of_the_inspector_have_an_order() {
    let folder = sky_folder();
    let mut app = app(&folder);
    assert_eq!(unordered(&app), 0);
    // A system without an order is found.
    app.add_systems(PostUpdate, |_: Res<TerrainInspector>| {});
    app.update();
    assert!(unordered(&app) > 0);
}
