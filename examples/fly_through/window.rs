//! Flies in a window.

use crate::assets::asset_plugin;
use crate::borders::{draw_chunk_borders, record_shown, write_chunk_levels};
use crate::flight::{Rails, fly_on_rails, override_settings, spawn_terrain};
use crate::options::{Options, Shown};
use crate::overlay::{Show, draw_numbers};
use crate::quality::render_plugin;
use crate::scene::{spawn_scene, stand_above_ground};
use crate::{freeze, picture, seams, touch, tour};
use bevy::camera_controller::free_camera::{FreeCameraPlugin, FreeCameraState};
use bevy::diagnostic::FrameTimeDiagnosticsPlugin;
use bevy::light::DirectionalLightShadowMap;
use bevy::pbr::wireframe::{WireframeConfig, WireframePlugin};
use bevy::prelude::*;
use bevy::render::RenderPlugin;
use bevy::render::view::screenshot::{Screenshot, ScreenshotCaptured, save_to_disk};
use bevy_egui::EguiPrimaryContextPass;
use bevy_perlin_terrain::inspector::{TerrainInspector, TerrainInspectorPlugin};
use bevy_perlin_terrain::prelude::*;
use bevy_perlin_terrain::render::TerrainView;
use bevy_perlin_terrain::stream::TerrainDiagnosticsPlugin;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether the first frame ran. A later panic is not about a missing display or GPU.
static RUNNING: AtomicBool = AtomicBool::new(false);

/// Runs the app in a window. Without a display or a GPU, prints an error of one line.
pub fn fly(options: Options) -> ExitCode {
    static REASON: Mutex<String> = Mutex::new(String::new());
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if RUNNING.load(Ordering::Relaxed) {
            usual(panic);
        } else if let Ok(mut reason) = REASON.lock()
            && reason.is_empty()
        {
            let text = panic.payload_as_str().unwrap_or("unknown reason");
            *reason = text.lines().next().unwrap_or_default().chars().take(160).collect();
        }
    }));
    match std::panic::catch_unwind(|| window_app(options).run()) {
        Ok(AppExit::Success) => ExitCode::SUCCESS,
        Ok(AppExit::Error(code)) => ExitCode::from(code.get()),
        Err(panic) if RUNNING.load(Ordering::Relaxed) => std::panic::resume_unwind(panic),
        Err(_) => {
            let reason = REASON.lock().map(|reason| reason.clone()).unwrap_or_default();
            let reason = match reason {
                reason if reason.contains("event loop") => "no display was found".to_owned(),
                reason if reason.contains("GPU") => "no GPU was found".to_owned(),
                other => format!("the window could not be opened: {other}"),
            };
            eprintln!("error: {reason}; use --headless to fly without a window");
            ExitCode::FAILURE
        }
    }
}

fn window_app(options: Options) -> App {
    let mut app = App::new();
    let [width, height] = options.window;
    let window = Window { title: "bevy_perlin_terrain".into(), resolution: (width, height).into(), ..default() };
    app.add_plugins((
        DefaultPlugins
            .set(asset_plugin())
            .set(WindowPlugin { primary_window: Some(window), ..default() })
            // A picture must not be taken before the shaders are compiled.
            .set(RenderPlugin { synchronous_pipeline_compilation: options.screenshot.is_some(), ..default() }),
        controls,
        FrameTimeDiagnosticsPlugin::default(),
        WireframePlugin::default(),
        TerrainPlugins.set(options.sky_plugin()).set(render_plugin(options.quality)),
        TerrainDiagnosticsPlugin,
        TerrainInspectorPlugin { open: options.inspector },
    ));
    if !options.on_rails() {
        // Free flight may go far from the origin.
        app.add_plugins(OriginShiftPlugin::default());
    }
    app.insert_resource(DirectionalLightShadowMap { size: 2048 })
        .insert_resource(Show { borders: options.show == Shown::Borders, numbers: !options.bare, seams: false })
        .insert_resource(match options.show {
            Shown::Look | Shown::Borders => TerrainView::Look,
            Shown::Levels => TerrainView::Levels,
            Shown::Morph => TerrainView::Morph,
        })
        .add_observer(record_shown)
        .insert_resource(options)
        .add_systems(
            Update,
            (
                press_keys,
                draw_chunk_borders.run_if(|show: Res<Show>| show.borders),
                freeze::toggle.run_if(|keys: Res<ButtonInput<KeyCode>>| keys.just_pressed(KeyCode::F6)),
                freeze::draw_frozen_viewer,
                (seams::watch, seams::draw.run_if(|show: Res<Show>| show.seams)),
            ),
        )
        .add_systems(Last, end_after_last_frame)
        .add_systems(
            EguiPrimaryContextPass,
            (write_chunk_levels, draw_numbers.run_if(|show: Res<Show>| show.numbers)).chain(),
        );
    app
}

/// The scene, and all that flies, looks around and takes pictures. Needs no window.
pub fn controls(app: &mut App) {
    app.add_plugins((FreeCameraPlugin, tour::plugin, touch::plugin))
        .add_systems(Startup, (spawn_terrain, spawn_scene))
        .add_systems(
            Update,
            (override_settings, fly_on_rails, stand_above_ground, hold_camera, picture::start, picture::take),
        );
}

fn press_keys(
    keys: Res<ButtonInput<KeyCode>>,
    mut show: ResMut<Show>,
    mut wireframe: ResMut<WireframeConfig>,
    mut inspector: ResMut<TerrainInspector>,
    mut view: ResMut<TerrainView>,
) {
    if keys.just_pressed(KeyCode::F1) {
        inspector.toggle();
    }
    if keys.just_pressed(KeyCode::F2) {
        wireframe.global = !wireframe.global;
        wireframe.default_color = Color::srgb(0.05, 0.05, 0.05);
    }
    if keys.just_pressed(KeyCode::F3) {
        show.borders = !show.borders;
    }
    if keys.just_pressed(KeyCode::F4) {
        show.numbers = !show.numbers;
    }
    if keys.just_pressed(KeyCode::F5) {
        *view = match *view {
            TerrainView::Look => TerrainView::Levels,
            TerrainView::Levels => TerrainView::Morph,
            _ => TerrainView::Look,
        };
    }
    if keys.just_pressed(KeyCode::F7) {
        show.seams = !show.seams;
    }
}

/// Stops the camera while the inspector uses the pointer or the keyboard.
fn hold_camera(inspector: Res<TerrainInspector>, mut cameras: Query<&mut FreeCameraState>) {
    for mut camera in &mut cameras {
        camera.enabled = !inspector.wants_input();
    }
}

/// Takes the screenshot and exits after the last frame, if the options set one. A free camera waits until the ground is settled.
fn end_after_last_frame(
    mut commands: Commands,
    options: Res<Options>,
    terrains: Query<&TerrainState>,
    rails: Query<&Rails>,
    mut exit: MessageWriter<AppExit>,
    mut frame: Local<u32>,
    mut taken: Local<bool>,
) {
    RUNNING.store(true, Ordering::Relaxed);
    *frame += u32::from(rails.iter().all(|rails| rails.departed));
    let Some(last) = options.last_frame() else {
        return;
    };
    // Settings that failed to load never settle.
    let has_failed = terrains.iter().any(|state| state.settings().is_none() && state.problems().next().is_some());
    let ready = *frame >= last && (options.on_rails() || terrains.iter().all(TerrainState::is_settled));
    if *taken || !ready && !has_failed {
        return;
    }
    *taken = true;
    match options.screenshot.clone() {
        Some(path) => {
            commands.spawn(Screenshot::primary_window()).observe(save_to_disk(path)).observe(
                move |_: On<ScreenshotCaptured>, mut exit: MessageWriter<AppExit>| {
                    exit.write(if has_failed { AppExit::error() } else { AppExit::Success });
                },
            );
        }
        None => {
            exit.write(if has_failed { AppExit::error() } else { AppExit::Success });
        }
    }
}
