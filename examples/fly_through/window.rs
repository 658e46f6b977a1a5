//! The flight in a window.

use crate::flight::{self, PRESETS, Start};
use crate::{Options, asset_plugin};
use bevy::camera_controller::free_camera::{FreeCamera, FreeCameraPlugin, FreeCameraState};
use bevy::input::touch::Touches;
use bevy::prelude::*;
use bevy::render::RenderPlugin;
use bevy::render::view::screenshot::{Screenshot, ScreenshotCaptured, save_to_disk};
use bevy_perlin_terrain::inspector::{TerrainInspector, TerrainInspectorPlugin};
use bevy_perlin_terrain::prelude::*;
use bevy_perlin_terrain::render::TerrainView;

pub fn app(options: &Options) -> App {
    let [width, height] = options.window;
    let window = Window { resolution: (width, height).into(), ..default() };
    let mut app = App::new();
    app.add_plugins((
        DefaultPlugins
            .set(asset_plugin())
            .set(WindowPlugin { primary_window: Some(window), ..default() })
            // A screenshot must not be taken before the shaders are compiled.
            .set(RenderPlugin { synchronous_pipeline_compilation: options.screenshot.is_some(), ..default() }),
        TerrainPlugins,
        TerrainInspectorPlugin { open: options.inspector, ..Default::default() },
        (OriginShiftPlugin::default(), flight::plugin, camera_plugin),
    ))
    .add_systems(Update, (press_function_keys, write_title.run_if(resource_changed::<Options>)))
    .add_systems(Last, end.run_if(flight::is_last_frame));
    app
}

/// The camera, and what moves it.
pub fn camera_plugin(app: &mut App) {
    app.add_plugins(FreeCameraPlugin)
        .add_systems(PostStartup, add_camera)
        .add_systems(Update, (hold_camera, choose_preset, fly_with_two_fingers).chain());
}

/// Makes the viewer a camera under a sky.
fn add_camera(
    mut commands: Commands,
    viewer: Single<Entity, With<TerrainViewer>>,
    assets: Res<AssetServer>,
    options: Res<Options>,
) {
    let mut camera = commands.entity(*viewer);
    camera.insert((
        Camera3d::default(),
        Projection::from(PerspectiveProjection { fov: 0.95, far: 2.0 * options.view.unwrap_or(24_000.0), ..default() }),
        TerrainSky(assets.load("sky/morning.sky.ron")),
    ));
    if options.last_frame().is_none() {
        camera.insert(FreeCamera { walk_speed: 60.0, run_speed: 300.0, ..default() });
    }
}

/// Stops the camera while the inspector uses the pointer or the keyboard.
fn hold_camera(inspector: Res<TerrainInspector>, mut camera: Single<&mut FreeCameraState>) {
    camera.enabled = !inspector.wants_input();
}

/// The keys 1 to 8 replace the terrain.
fn choose_preset(
    mut commands: Commands,
    keys: Res<ButtonInput<KeyCode>>,
    assets: Res<AssetServer>,
    terrain: Single<Entity, With<Terrain>>,
    camera: Single<(Entity, &FreeCameraState)>,
    mut options: ResMut<Options>,
) {
    use KeyCode::{Digit1, Digit2, Digit3, Digit4, Digit5, Digit6, Digit7, Digit8};
    let digits = [Digit1, Digit2, Digit3, Digit4, Digit5, Digit6, Digit7, Digit8];
    let (camera, FreeCameraState { enabled, .. }) = *camera;
    let Some(number) = digits.into_iter().position(|key| *enabled && keys.just_pressed(key)) else { return };
    let preset = &PRESETS[number];
    options.settings = preset.file();
    commands.entity(*terrain).despawn();
    commands.spawn(Terrain(assets.load(preset.file())));
    commands.entity(camera).insert(preset.viewer(&options));
}

/// Two fingers fly ahead, where there are no keys. With one finger, the camera looks around by itself.
fn fly_with_two_fingers(
    touches: Res<Touches>,
    time: Res<Time>,
    camera: Single<(&mut Transform, &FreeCamera, &FreeCameraState), Without<Start>>,
) {
    let (mut transform, camera, state) = camera.into_inner();
    if touches.iter().count() == 2 && state.enabled {
        let ahead = transform.forward() * camera.walk_speed * time.delta_secs().min(0.1);
        transform.translation += ahead;
    }
}

fn press_function_keys(
    keys: Res<ButtonInput<KeyCode>>,
    mut inspector: ResMut<TerrainInspector>,
    mut view: ResMut<TerrainView>,
) {
    if keys.just_pressed(KeyCode::F1) {
        inspector.toggle();
    }
    if keys.just_pressed(KeyCode::F2) {
        *view = match *view {
            TerrainView::Look => TerrainView::Levels,
            TerrainView::Levels => TerrainView::Triangles,
            _ => TerrainView::Look,
        };
    }
}

fn write_title(options: Res<Options>, mut window: Single<&mut Window>) {
    window.title = format!("{} - 1 to 8 preset, F1 inspector, F2 levels of detail, triangles", options.settings);
}

/// Ends the flight, with a screenshot if the options want one.
fn end(mut commands: Commands, options: Res<Options>, mut exit: MessageWriter<AppExit>) {
    if let Some(file) = options.screenshot.clone() {
        let end = |_: On<ScreenshotCaptured>, mut exit: MessageWriter<AppExit>| _ = exit.write(AppExit::Success);
        commands.spawn(Screenshot::primary_window()).observe(save_to_disk(file)).observe(end);
    } else {
        exit.write(AppExit::Success);
    }
}
