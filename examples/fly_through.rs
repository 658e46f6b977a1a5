//! Fly over endless terrain, and change it while you fly.
//!
//! Controls: W A S D and E Q fly, Shift is fast, the mouse wheel changes the speed; hold the right mouse button, or press M, to
//! look around. F1 inspector, F2 wireframe, F3 chunk borders, F4 the numbers, F12 screenshot.
//!
//! What to look at: edit the RON file that is named in the corner and save it; the ground follows. Break it on purpose: the
//! ground stays, and the log names line and column.
//!
//! `--headless` flies the same path without a window or a GPU, prints statistics, and draws a map of what it flew over.

use bevy::asset::UnapprovedPathMode;
use bevy::camera::Exposure;
use bevy::camera_controller::free_camera::{FreeCamera, FreeCameraPlugin, FreeCameraState};
use bevy::core_pipeline::tonemapping::Tonemapping;
use bevy::diagnostic::{Diagnostic, DiagnosticsStore, FrameTimeDiagnosticsPlugin};
use bevy::light::{CascadeShadowConfigBuilder, DirectionalLightShadowMap, NotShadowCaster, NotShadowReceiver};
use bevy::pbr::wireframe::{WireframeConfig, WireframePlugin};
use bevy::prelude::*;
use bevy::render::view::screenshot::{Screenshot, ScreenshotCaptured, save_to_disk};
use bevy::time::TimeUpdateStrategy;
use bevy_egui::{EguiContexts, EguiPrimaryContextPass, egui};
use bevy_perlin_terrain::inspector::{TerrainInspector, TerrainInspectorPlugin};
use bevy_perlin_terrain::prelude::*;
use bevy_perlin_terrain::stream::TerrainDiagnosticsPlugin;
use clap::Parser;
use std::f32::consts::FRAC_PI_2;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Fly over endless terrain.
#[derive(Parser, Resource, Clone)]
struct Options {
    /// The settings: a file, or a name below `assets/`.
    #[arg(long, value_name = "FILE", default_value = "terrain/rolling_hills.terrain.ron")]
    settings: String,
    /// Flies a fixed path for so many frames, then ends.
    #[arg(long, value_name = "N")]
    frames: Option<u32>,
    /// Saves a picture before it ends: the last frame, or with --headless a map. Without --frames, that is after 300 frames.
    #[arg(long, value_name = "FILE")]
    screenshot: Option<PathBuf>,
    /// Flies without a window or a GPU.
    #[arg(long)]
    headless: bool,
    /// How far the view reaches, in metres.
    #[arg(long, value_name = "METRES", default_value_t = 2000.0)]
    view: f32,
    /// Where to start: x, height above the ground and z in metres, direction and tilt in degrees.
    #[arg(long, value_name = "X,UP,Z,YAW,PITCH", value_parser = five_numbers, allow_hyphen_values = true)]
    camera: Option<Numbers>,
    /// Begins with the inspector open.
    #[arg(long)]
    inspector: bool,
    /// The window's size in pixels.
    #[arg(long, value_name = "WIDTHxHEIGHT", value_parser = two_numbers, default_value = "1280x720")]
    window: [u32; 2],
    /// Hides the numbers and the controls.
    #[arg(long)]
    bare: bool,
}

type Numbers = [f32; 5];

fn five_numbers(text: &str) -> Result<Numbers, String> {
    let numbers: Result<Vec<f32>, _> = text.split(',').map(|number| number.trim().parse()).collect();
    let numbers = numbers.map_err(|error| error.to_string())?;
    numbers.try_into().map_err(|numbers: Vec<f32>| format!("five numbers are needed, here are {}", numbers.len()))
}

fn two_numbers(text: &str) -> Result<[u32; 2], String> {
    let (width, height) = text.split_once('x').ok_or("two numbers with an x between them are needed")?;
    let number = |text: &str| text.trim().parse().map_err(|error| format!("{text}: {error}"));
    Ok([number(width)?, number(height)?])
}

impl Options {
    /// Whether the camera follows the fixed path.
    const fn on_rails(&self) -> bool {
        self.headless || self.frames.is_some() && self.camera.is_none()
    }

    fn last_frame(&self) -> Option<u32> {
        self.frames.or_else(|| (self.headless || self.screenshot.is_some()).then_some(300))
    }

    /// An asset path: files outside `assets/` are named by their full path.
    fn asset_path(&self) -> String {
        let path = Path::new(&self.settings);
        match path.canonicalize() {
            Ok(full) => full.to_string_lossy().into_owned(),
            Err(_) => self.settings.clone(),
        }
    }
}

fn main() -> ExitCode {
    let options = Options::parse();
    if options.headless { fly_headless(options) } else { fly_in_window(options) }
}

fn asset_plugin() -> AssetPlugin {
    // `--settings` may name a file anywhere.
    AssetPlugin { unapproved_path_mode: UnapprovedPathMode::Allow, ..default() }
}

// ---------------------------------------------------------------------------------------------------- the flight

/// The place and direction after `seconds` on the fixed path: a wide curve at 60 m/s.
fn path(seconds: f32) -> (Vec2, f32) {
    let place = |t: f32| Vec2::new(60.0 * t, 500.0 * (t * 0.11).sin());
    let ahead = place(seconds + 0.5) - place(seconds);
    (place(seconds), (-ahead.x).atan2(-ahead.y))
}

fn fly_on_rails(
    mut cameras: Query<(&mut Transform, &mut Rails)>,
    terrains: Query<&TerrainState>,
    ground: TerrainGround,
    time: Res<Time>,
) {
    for (mut camera, mut rails) in &mut cameras {
        rails.departed |= terrains.iter().any(TerrainState::is_settled);
        if !rails.departed {
            continue;
        }
        rails.seconds += time.delta_secs().min(0.1);
        let (place, yaw) = path(rails.seconds);
        // Over the highest of what comes next, changing height slowly.
        let clear = (0..6)
            .filter_map(|i| {
                let (next, _) = path(rails.seconds + i as f32);
                ground.height(Vec3::new(next.x, 0.0, next.y))
            })
            .fold(f32::NEG_INFINITY, f32::max);
        if clear.is_finite() {
            let wanted = clear.max(0.0) + 90.0;
            let height = rails.height.get_or_insert(wanted);
            *height += (wanted - *height) * (time.delta_secs().min(0.1) * 0.8);
            *camera = Transform::from_xyz(place.x, *height, place.y).with_rotation(Quat::from_euler(
                EulerRot::YXZ,
                yaw,
                -0.22,
                0.0,
            ));
        }
    }
}

/// The camera follows the fixed path.
#[derive(Component, Default)]
struct Rails {
    /// The ground was whole for the first time, and the flight has begun.
    departed: bool,
    seconds: f32,
    height: Option<f32>,
}

fn spawn_terrain(mut commands: Commands, assets: Res<AssetServer>, options: Res<Options>) {
    commands.spawn((Name::new("Terrain"), Terrain(assets.load(options.asset_path()))));
}

// ---------------------------------------------------------------------------------------------------- in a window

/// The first frame was drawn: what panics from here on is no matter of missing windows and GPUs.
static RUNNING: AtomicBool = AtomicBool::new(false);

/// Runs the app in a window. Without a display or a GPU, says so in one line.
fn fly_in_window(options: Options) -> ExitCode {
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
                reason if reason.contains("event loop") => "there is no display to open a window on".to_owned(),
                reason if reason.contains("GPU") => "there is no GPU to draw with".to_owned(),
                other => format!("the window could not be opened: {other}"),
            };
            eprintln!("error: {reason}; use --headless to fly without");
            ExitCode::FAILURE
        }
    }
}

/// Brighter than white paper: the tone mapping brings it back.
const HORIZON: Color = Color::linear_rgb(0.80, 0.98, 1.25);
const ZENITH: Color = Color::linear_rgb(0.08, 0.24, 0.78);
const SUN_DIRECTION: Vec3 = Vec3::new(-0.72, -0.52, -0.30);

fn window_app(options: Options) -> App {
    let mut app = App::new();
    let [width, height] = options.window;
    let window = Window { title: "bevy_perlin_terrain".into(), resolution: (width, height).into(), ..default() };
    app.add_plugins((
        DefaultPlugins.set(asset_plugin()).set(WindowPlugin { primary_window: Some(window), ..default() }),
        FreeCameraPlugin,
        FrameTimeDiagnosticsPlugin::default(),
        WireframePlugin::default(),
        TerrainPlugins,
        TerrainDiagnosticsPlugin,
        TerrainInspectorPlugin { open: options.inspector },
    ));
    app.insert_resource(ClearColor(HORIZON))
        .insert_resource(DirectionalLightShadowMap { size: 2048 })
        .insert_resource(GlobalAmbientLight { color: Color::srgb(0.62, 0.74, 1.0), brightness: 6500.0, ..default() })
        .insert_resource(Show { borders: false, numbers: !options.bare })
        .insert_resource(options)
        .add_systems(Startup, (spawn_terrain, spawn_scene))
        .add_systems(
            Update,
            (
                fly_on_rails,
                stand_above_ground,
                press_keys,
                hold_camera,
                draw_chunk_borders.run_if(|show: Res<Show>| show.borders),
            ),
        )
        .add_systems(PostUpdate, keep_sky_around_camera.before(TransformSystems::Propagate))
        .add_systems(Last, end_after_last_frame)
        .add_systems(EguiPrimaryContextPass, draw_numbers.run_if(|show: Res<Show>| show.numbers));
    app
}

/// What is drawn on top.
#[derive(Resource)]
struct Show {
    borders: bool,
    numbers: bool,
}

/// Part of the sky: stays around the camera.
#[derive(Component)]
struct Sky;

fn spawn_scene(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
    options: Res<Options>,
) {
    let view = options.view;
    let mut camera = commands.spawn((
        Camera3d::default(),
        Projection::from(PerspectiveProjection { far: view * 4.0, fov: 0.95, ..default() }),
        Exposure { ev100: 12.0 },
        Tonemapping::AcesFitted,
        TerrainViewer { view_distance: view },
        Transform::from_xyz(0.0, 600.0, 0.0).with_rotation(Quat::from_euler(EulerRot::YXZ, -0.8, -0.2, 0.0)),
        DistanceFog {
            color: HORIZON,
            directional_light_color: Color::srgba(1.0, 0.93, 0.80, 0.35),
            directional_light_exponent: 12.0,
            falloff: FogFalloff::Linear { start: view * 0.3, end: view * 0.97 },
        },
    ));
    if options.on_rails() {
        camera.insert(Rails::default());
    } else {
        let [x, up, z, yaw, pitch] = options.camera.unwrap_or([0.0, 120.0, 0.0, -45.0, -12.0]);
        camera.insert((
            FreeCamera {
                walk_speed: 60.0,
                run_speed: 300.0,
                key_up: KeyCode::KeyE,
                key_down: KeyCode::KeyQ,
                ..default()
            },
            StartAboveGround { place: [x, z], up, yaw, pitch },
        ));
    }
    commands.spawn((
        DirectionalLight {
            color: Color::srgb(1.0, 0.95, 0.86),
            illuminance: 42_000.0,
            shadow_maps_enabled: true,
            ..default()
        },
        CascadeShadowConfigBuilder {
            num_cascades: 4,
            first_cascade_far_bound: 120.0,
            maximum_distance: view.min(3000.0),
            ..default()
        }
        .build(),
        Transform::default().looking_to(SUN_DIRECTION, Vec3::Y),
    ));
    let unlit = StandardMaterial { unlit: true, fog_enabled: false, cull_mode: None, ..default() };
    commands.spawn((
        Sky,
        Mesh3d(meshes.add(sky_dome())),
        MeshMaterial3d(materials.add(unlit)),
        Transform::from_scale(Vec3::splat(view * 3.0)),
        NotShadowCaster,
        NotShadowReceiver,
    ));
}

/// A sphere coloured from the fog's colour at the horizon to blue overhead, brighter around the sun.
fn sky_dome() -> Mesh {
    let mesh = Sphere::new(1.0).mesh().uv(96, 64);
    let positions = mesh.attribute(Mesh::ATTRIBUTE_POSITION).and_then(|positions| positions.as_float3());
    let sun = -SUN_DIRECTION.normalize();
    let (horizon, zenith) = (HORIZON.to_linear(), ZENITH.to_linear());
    let colours: Vec<[f32; 4]> = positions
        .unwrap_or_default()
        .iter()
        .map(|&position| {
            let direction = Vec3::from_array(position).normalize();
            let up = direction.y.max(0.0).powf(0.55);
            let glow = direction.dot(sun).max(0.0);
            // Fades to nothing at the horizon, where the sky must have the colour of the fog.
            let glow = (glow.powi(6) * 0.25 + glow.powi(48) * 0.5) * (direction.y * 6.0).clamp(0.0, 1.0);
            let colour = horizon.to_vec4().lerp(zenith.to_vec4(), up) + Vec4::new(1.0, 0.92, 0.78, 0.0) * glow;
            colour.with_w(1.0).to_array()
        })
        .collect();
    mesh.with_inserted_attribute(Mesh::ATTRIBUTE_COLOR, colours)
}

fn keep_sky_around_camera(
    cameras: Query<&Transform, (With<Camera3d>, Without<Sky>)>,
    mut sky: Query<&mut Transform, With<Sky>>,
) {
    if let (Some(camera), Ok(mut sky)) = (cameras.iter().next(), sky.single_mut()) {
        sky.translation = camera.translation;
    }
}

/// Waits for the ground, then puts the camera above it.
#[derive(Component)]
struct StartAboveGround {
    place: [f32; 2],
    up: f32,
    yaw: f32,
    pitch: f32,
}

fn stand_above_ground(
    mut commands: Commands,
    mut cameras: Query<(Entity, &mut Transform, &mut FreeCameraState, &StartAboveGround)>,
    ground: TerrainGround,
) {
    for (entity, mut camera, mut state, start) in &mut cameras {
        let [x, z] = start.place;
        if let Some(height) = ground.height(Vec3::new(x, 0.0, z)) {
            (state.yaw, state.pitch) = (start.yaw.to_radians(), start.pitch.to_radians());
            *camera = Transform::from_xyz(x, height.max(0.0) + start.up, z).with_rotation(Quat::from_euler(
                EulerRot::YXZ,
                state.yaw,
                state.pitch.clamp(-FRAC_PI_2, FRAC_PI_2),
                0.0,
            ));
            commands.entity(entity).remove::<StartAboveGround>();
        }
    }
}

fn press_keys(
    mut commands: Commands,
    keys: Res<ButtonInput<KeyCode>>,
    mut show: ResMut<Show>,
    mut wireframe: ResMut<WireframeConfig>,
    mut inspector: ResMut<TerrainInspector>,
    mut pictures: Local<u32>,
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
    if keys.just_pressed(KeyCode::F12) {
        *pictures += 1;
        let path = format!("terrain-{}.png", *pictures);
        commands.spawn(Screenshot::primary_window()).observe(save_to_disk(path));
    }
}

/// The camera keeps still while the pointer or the keyboard is busy in the inspector.
fn hold_camera(inspector: Res<TerrainInspector>, mut cameras: Query<&mut FreeCameraState>) {
    for mut camera in &mut cameras {
        camera.enabled = !inspector.wants_input();
    }
}

/// Lines along the border of every chunk that is shown, on the ground.
fn draw_chunk_borders(
    mut gizmos: Gizmos,
    terrains: Query<(&TerrainState, &GlobalTransform)>,
    chunks: Query<&TerrainChunk, With<ChunkShown>>,
) {
    for chunk in &chunks {
        let Ok((state, transform)) = terrains.get(chunk.terrain) else {
            continue;
        };
        let (Some(field), Some(layout)) = (state.field(), state.layout()) else {
            continue;
        };
        // The west and north border: the others are the neighbours'.
        let grid = layout.grid(chunk.coord, 0);
        let last = grid.size[0] - 1;
        let point = |column: usize, row: usize| {
            let [x, z] = grid.position(column, row);
            transform.transform_point(Vec3::new(x as f32, field.height(x, z) + 0.5, z as f32))
        };
        let colour = Color::srgb(1.0, 0.55, 0.1);
        gizmos.linestrip((0..=last).step_by(4).map(|i| point(i, 0)), colour);
        gizmos.linestrip((0..=last).step_by(4).map(|i| point(0, i)), colour);
    }
}

fn draw_numbers(
    mut contexts: EguiContexts,
    options: Res<Options>,
    stats: Res<TerrainStats>,
    diagnostics: Res<DiagnosticsStore>,
    terrains: Query<&TerrainState>,
    cameras: Query<&Transform, With<TerrainViewer>>,
) -> Result {
    let fps = diagnostics.get(&FrameTimeDiagnosticsPlugin::FPS).and_then(Diagnostic::smoothed).unwrap_or_default();
    let wanted: usize = terrains.iter().map(TerrainState::chunks_wanted).sum();
    egui::Area::new("numbers".into()).fixed_pos([12.0, 12.0]).interactable(false).show(contexts.ctx_mut()?, |ui| {
        egui::Frame::new().fill(egui::Color32::from_black_alpha(150)).corner_radius(6).inner_margin(10).show(
            ui,
            |ui| {
                ui.style_mut().visuals.override_text_color = Some(egui::Color32::from_gray(235));
                ui.strong(options.settings.rsplit(['/', '\\']).next().unwrap_or_default());
                ui.label(format!("{fps:.0} frames/s, terrain {:.2} ms", stats.frame_time.as_secs_f64() * 1000.0));
                ui.label(format!("{} of {wanted} chunks, {} building", stats.chunks_shown, stats.tasks_in_flight));
                if let Some(camera) = cameras.iter().next() {
                    let Vec3 { x, y, z } = camera.translation;
                    ui.label(format!("at {x:.0}, {y:.0}, {z:.0} m"));
                }
                for problem in terrains.iter().flat_map(TerrainState::problems) {
                    ui.colored_label(egui::Color32::from_rgb(255, 140, 120), problem);
                }
                ui.add_space(4.0);
                ui.small("W A S D E Q fly, Shift fast, wheel speed, right mouse look");
                ui.small("F1 inspector  F2 wireframe  F3 borders  F4 numbers  F12 picture");
            },
        );
    });
    Ok(())
}

/// Takes the picture and ends, when there is a last frame. A picture waits until the ground is whole.
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
    // A terrain that can't be loaded will not become whole.
    let hopeless = terrains.iter().any(|state| state.settings().is_none() && state.problems().next().is_some());
    let ready = *frame >= last && (options.on_rails() || terrains.iter().all(TerrainState::is_settled));
    if *taken || !ready && !hopeless {
        return;
    }
    *taken = true;
    match options.screenshot.clone() {
        Some(path) => {
            commands.spawn(Screenshot::primary_window()).observe(save_to_disk(path)).observe(
                |_: On<ScreenshotCaptured>, mut exit: MessageWriter<AppExit>| {
                    exit.write(AppExit::Success);
                },
            );
        }
        None => {
            exit.write(if hopeless { AppExit::error() } else { AppExit::Success });
        }
    }
}

// ---------------------------------------------------------------------------------------------------- without a window

/// Flies the same path with nothing to draw on, and draws a map of it.
fn fly_headless(options: Options) -> ExitCode {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin, asset_plugin(), TerrainMinimalPlugins))
        .insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs_f64(1.0 / 60.0)))
        .insert_resource(options.clone())
        .add_systems(Startup, spawn_terrain)
        .add_systems(Update, fly_on_rails);
    app.finish();
    app.cleanup();
    app.world_mut().spawn((TerrainViewer { view_distance: options.view }, Rails::default()));

    let mut milliseconds = Vec::new();
    let mut places = Vec::new();
    let mut most_chunks = 0;
    let frame_time = Duration::from_secs_f64(1.0 / 60.0);
    while milliseconds.len() < options.last_frame().unwrap_or(300) as usize {
        let started = Instant::now();
        app.update();
        // As long as a frame with a window takes: background tasks run meanwhile.
        std::thread::sleep(frame_time.saturating_sub(started.elapsed()));
        let mut terrains = app.world_mut().query::<&TerrainState>();
        let waiting = terrains.iter(app.world()).find(|state| state.settings().is_none());
        if let Some(problem) = waiting.and_then(|state| state.problems().next()) {
            eprintln!("error: {problem}");
            return ExitCode::FAILURE;
        }
        let stats = *app.world().resource::<TerrainStats>();
        most_chunks = most_chunks.max(stats.chunks_shown);
        let mut viewers = app.world_mut().query::<(&Transform, &Rails)>();
        for (viewer, _) in viewers.iter(app.world()).filter(|(_, rails)| rails.departed) {
            places.push(viewer.translation.xz());
            milliseconds.push(stats.frame_time.as_secs_f64() * 1000.0);
        }
    }
    let stats = *app.world().resource::<TerrainStats>();
    milliseconds.sort_by(f64::total_cmp);
    let at =
        |part: f64| milliseconds.get((part * (milliseconds.len() as f64 - 1.0)) as usize).copied().unwrap_or_default();
    let length: f32 = places.windows(2).map(|pair| pair[0].distance(pair[1])).sum();
    println!("flew {length:.0} m in {} frames over {}", milliseconds.len(), options.settings);
    println!(
        "chunks: {} built, at most {most_chunks} at once, {} removed, {} cancelled",
        stats.tasks_done, stats.chunks_removed, stats.tasks_cancelled
    );
    println!("main thread per frame: median {:.3} ms, 99 % {:.3} ms, longest {:.3} ms", at(0.5), at(0.99), at(1.0));
    let mut terrains = app.world_mut().query::<&TerrainState>();
    let (Some(path), Some(state)) = (&options.screenshot, terrains.iter(app.world()).next()) else {
        return ExitCode::SUCCESS;
    };
    match draw_map(state, &places, options.view, path) {
        Ok([width, height]) => {
            println!("map: {}, {width} by {height} pixels", path.display());
            ExitCode::SUCCESS
        }
        Err(reason) => {
            eprintln!("error: can't write {}: {reason}", path.display());
            ExitCode::FAILURE
        }
    }
}

/// Draws the ground along the flight, lit from the north-west, with the flight itself in red. Returns its width and height.
fn draw_map(
    state: &TerrainState,
    places: &[Vec2],
    view: f32,
    path: &Path,
) -> Result<[u32; 2], Box<dyn std::error::Error>> {
    let (field, settings) = state.field().zip(state.settings()).ok_or("there is no terrain")?;
    let first = places.iter().copied().reduce(Vec2::min).unwrap_or_default() - Vec2::splat(view);
    let last = places.iter().copied().reduce(Vec2::max).unwrap_or_default() + Vec2::splat(view);
    let metres = ((last - first).max_element() / 1024.0).max(1.0);
    let [width, height] = ((last - first) / metres).ceil().as_uvec2().to_array();
    let light = Vec3::new(-0.5, 0.65, -0.5).normalize();
    let look = &settings.look;
    let mut pixels = Vec::with_capacity((width * height * 3) as usize);
    for row in 0..height {
        for column in 0..width {
            let place = first + Vec2::new(column as f32, row as f32) * metres;
            let (x, z) = (f64::from(place.x), f64::from(place.y));
            let up = f64::from(field.height(x, z));
            let normal = Vec3::from_array(field.normal(x, z, f64::from(metres)));
            let slope = f64::from(normal.y.acos());
            let (colour, shade) = match () {
                () if look.water && up < look.water_height => (look.water_colour, 0.8),
                () if up < look.sand_height => (look.sand, normal.dot(light)),
                () if slope > look.rock_slope => (look.rock, normal.dot(light)),
                () if up > look.snow_height => (look.snow, normal.dot(light)),
                () => (look.grass, normal.dot(light)),
            };
            pixels.extend(colour.map(|c| ((c * (0.25 + shade.max(0.0))) * 255.0).clamp(0.0, 255.0) as u8));
        }
    }
    for place in places {
        let [column, row] = ((*place - first) / metres).as_uvec2().min(UVec2::new(width - 1, height - 1)).to_array();
        let at = ((row * width + column) * 3) as usize;
        pixels[at..at + 3].copy_from_slice(&[230, 40, 30]);
    }
    let mut encoder = png::Encoder::new(std::io::BufWriter::new(std::fs::File::create(path)?), width, height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.write_header()?.write_image_data(&pixels)?;
    Ok([width, height])
}
