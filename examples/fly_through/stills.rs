//! Takes the pictures of a shot list, without a window.
//!
//! Each shot waits until the ground is settled before its camera draws anything, then draws two frames, and takes the second. All
//! shots have the same clock, so a list gives the same pictures again.

use crate::flight::asset_plugin;
use crate::options::{Options, asset_path};
use crate::scene::FIELD_OF_VIEW;
use bevy::app::ScheduleRunnerPlugin;
use bevy::camera::{RenderTarget, SubCameraView};
use bevy::diagnostic::{Diagnostic, DiagnosticsStore};
use bevy::ecs::system::SystemParam;
use bevy::light::{CascadeShadowConfig, CascadeShadowConfigBuilder, DirectionalLightShadowMap};
use bevy::prelude::*;
use bevy::render::RenderPlugin;
use bevy::render::diagnostic::RenderDiagnosticsPlugin;
use bevy::render::render_resource::TextureFormat;
use bevy::render::view::screenshot::{Screenshot, ScreenshotCaptured, save_to_disk};
use bevy::time::TimeUpdateStrategy;
use bevy::window::ExitCondition;
use bevy::winit::WinitPlugin;
use bevy_perlin_terrain::prelude::*;
use bevy_perlin_terrain::render::{GroundTextures, TerrainFarMaps};
use bevy_perlin_terrain::sky::{SkySettings, Sun, SunAngles, TerrainSkyPlugin, TerrainSun};
use serde::Deserialize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// One picture.
#[derive(Deserialize, Clone)]
#[serde(deny_unknown_fields)]
struct Shot {
    /// The name of the picture's file, without `.png`.
    name: String,
    /// The settings of the ground: a path below `assets/`, or any file.
    settings: String,
    /// x and z of the place in metres, height above the ground in metres, yaw and pitch in degrees.
    camera: [f64; 5],
    /// Azimuth and elevation of the sun in degrees.
    sun: [f64; 2],
    #[serde(default = "view")]
    view: f32,
    /// Width and height in pixels.
    #[serde(default = "size")]
    size: [u32; 2],
    /// How far one can see, in kilometres. 0 means the view distance.
    #[serde(default)]
    visibility: f64,
    /// Stops by which the picture is brighter.
    #[serde(default)]
    exposure: f64,
}

const fn view() -> f32 {
    16_000.0
}

const fn size() -> [u32; 2] {
    [1920, 1080]
}

/// How to take all shots.
#[derive(Resource)]
struct Session {
    shots: Vec<Shot>,
    next: usize,
    folder: PathBuf,
    scale: f32,
    crop: Option<[u32; 4]>,
    fast: bool,
    stage: Stage,
    started: Instant,
}

/// What the current shot waits for.
enum Stage {
    /// Its scene.
    Start,
    /// The height of the ground below its camera.
    Settings,
    /// The chunks.
    Ground,
    /// This number of frames.
    Frames(u32),
    /// Its picture.
    Picture,
}

/// Everything that a shot spawns.
#[derive(Component)]
struct Scene;

/// Takes the shots of the list in the file `list`.
pub fn take(list: &Path, options: &Options) -> ExitCode {
    let shots = std::fs::read_to_string(list)
        .map_err(|error| error.to_string())
        .and_then(|text| ron::from_str::<Vec<Shot>>(&text).map_err(|error| error.to_string()));
    let mut shots = match shots {
        Ok(shots) => shots,
        Err(error) => {
            eprintln!("error: {}: {error}", list.display());
            return ExitCode::FAILURE;
        }
    };
    shots.retain(|shot| options.only.as_ref().is_none_or(|only| shot.name.contains(only)));
    if let Err(error) = std::fs::create_dir_all(&options.folder) {
        eprintln!("error: {}: {error}", options.folder.display());
        return ExitCode::FAILURE;
    }
    let session = Session {
        shots,
        next: 0,
        folder: options.folder.clone(),
        scale: options.scale,
        crop: options.crop,
        fast: options.fast,
        stage: Stage::Start,
        started: Instant::now(),
    };
    match app(session, options.sky_plugin()).run() {
        AppExit::Success => ExitCode::SUCCESS,
        AppExit::Error(code) => ExitCode::from(code.get()),
    }
}

fn app(session: Session, sky: TerrainSkyPlugin) -> App {
    let mut app = App::new();
    app.add_plugins((
        DefaultPlugins
            .build()
            .disable::<WinitPlugin>()
            .set(asset_plugin())
            .set(WindowPlugin { primary_window: None, exit_condition: ExitCondition::DontExit, ..default() })
            // A picture must not be taken before the shaders are compiled.
            .set(RenderPlugin { synchronous_pipeline_compilation: true, ..default() }),
        ScheduleRunnerPlugin::run_loop(Duration::ZERO),
        RenderDiagnosticsPlugin,
        TerrainPlugins.set(sky),
    ));
    let shadow_map = if session.fast { 1024 } else { 2048 };
    app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_micros(16_667)))
        .insert_resource(DirectionalLightShadowMap { size: shadow_map })
        .insert_resource(session)
        .add_systems(Update, (take_next, shorten_shadows));
    app
}

/// The assets that shots change.
#[derive(SystemParam)]
struct Stores<'w, 's> {
    maps: Query<'w, 's, &'static TerrainFarMaps>,
    server: Res<'w, AssetServer>,
    textures: Res<'w, GroundTextures>,
    images: ResMut<'w, Assets<Image>>,
    skies: ResMut<'w, Assets<SkySettings>>,
    settings: ResMut<'w, Assets<TerrainSettings>>,
}

impl Stores<'_, '_> {
    /// Whether all that is made in the background is there.
    fn are_ready(&self) -> bool {
        self.textures.are_complete() && self.maps.iter().all(TerrainFarMaps::are_complete)
    }
}

/// What a shot has spawned.
#[derive(SystemParam)]
struct Stage3d<'w, 's> {
    scene: Query<'w, 's, Entity, With<Scene>>,
    cameras: Query<'w, 's, (&'static mut Camera, &'static RenderTarget)>,
    places: Query<'w, 's, &'static mut Transform, Or<(With<Camera3d>, With<TerrainViewer>)>>,
    terrains: Query<'w, 's, (&'static Terrain, &'static TerrainState)>,
    ground: TerrainGround<'w, 's>,
}

/// Brings the current shot one step further.
fn take_next(
    mut commands: Commands,
    mut session: ResMut<Session>,
    mut stores: Stores,
    stage: Stage3d,
    mut exit: MessageWriter<AppExit>,
) {
    let Stage3d { scene, mut cameras, mut places, terrains, ground } = stage;
    let Some(shot) = session.shots.get(session.next).cloned() else {
        exit.write(AppExit::Success);
        return;
    };
    if let Some(problem) = terrains.iter().find_map(|(_, state)| state.problems().next()) {
        eprintln!("error: {}: {problem}", shot.name);
        exit.write(AppExit::error());
        return;
    }
    let [x, z, up, yaw, pitch] = shot.camera;
    session.stage = match session.stage {
        Stage::Start => {
            session.started = Instant::now();
            scene.iter().for_each(|entity| commands.entity(entity).despawn());
            commands.spawn((Scene, Terrain(stores.server.load(asset_path(&shot.settings))), TerrainOrigin::new(x, z)));
            let camera = camera(&shot, &session, &mut stores.images);
            let [azimuth, elevation] = shot.sun.map(f64::to_radians);
            let sun = Sun::Angles(SunAngles { azimuth, elevation });
            // Of the viewer's view distance, which the camera does not have.
            let visibility =
                if shot.visibility > 0.0 { shot.visibility } else { f64::from(shot.view / 1000.0).min(40.0) };
            let sky = SkySettings { sun, visibility, exposure: shot.exposure, ..default() };
            commands.spawn((Scene, TerrainSky(stores.skies.add(sky)), camera));
            // The detail is that of the whole picture, also where the camera draws a piece of it.
            let height = if session.fast { 360 } else { shot.size[1] };
            let lens = ViewerLens { height: height as f32, field_of_view: FIELD_OF_VIEW };
            commands.spawn((Scene, TerrainViewer { view_distance: shot.view }, lens, Transform::default()));
            Stage::Settings
        }
        Stage::Settings => match ground.height(Vec3::ZERO) {
            Some(height) => {
                let turn = Quat::from_euler(EulerRot::YXZ, (yaw as f32).to_radians(), (pitch as f32).to_radians(), 0.0);
                let here = Transform::from_xyz(0.0, height.max(0.0) + up as f32, 0.0).with_rotation(turn);
                places.iter_mut().for_each(|mut place| *place = here);
                if session.fast {
                    for (terrain, _) in &terrains {
                        stores
                            .settings
                            .get_mut(&terrain.0)
                            .into_iter()
                            .for_each(|mut settings| settings.lod.pixel_error = 6.0);
                    }
                }
                Stage::Ground
            }
            None => Stage::Settings,
        },
        Stage::Ground if terrains.iter().all(|(_, state)| state.is_settled()) && stores.are_ready() => {
            cameras.iter_mut().for_each(|(mut camera, _)| camera.is_active = true);
            Stage::Frames(2)
        }
        Stage::Ground => Stage::Ground,
        Stage::Frames(0) => {
            let path = session.folder.join(format!("{}.png", shot.name));
            let target = cameras.iter().find_map(|(_, target)| target.as_image()).cloned().unwrap_or_default();
            commands.spawn(Screenshot::image(target)).observe(save_to_disk(path)).observe(end_shot);
            Stage::Picture
        }
        Stage::Frames(frames) => Stage::Frames(frames - 1),
        Stage::Picture => Stage::Picture,
    };
}

/// The camera of a shot. It does not draw yet.
fn camera(shot: &Shot, session: &Session, images: &mut Assets<Image>) -> impl Bundle {
    let [width, height] = shot.size.map(|side| side.max(1));
    let [x, y, piece_width, piece_height] = session.crop.unwrap_or([0, 0, width, height]);
    let scale = if session.fast { 640.0 / width as f32 } else { session.scale };
    let scaled = |pixels: u32| ((pixels as f32 * scale).round() as u32).max(1);
    let (piece, whole) = ([scaled(piece_width), scaled(piece_height)], [scaled(width), scaled(height)]);
    let image = Image::new_target_texture(piece[0], piece[1], TextureFormat::Rgba8UnormSrgb, None);
    let sub_camera_view = session.crop.map(|_| SubCameraView {
        full_size: whole.into(),
        offset: Vec2::new(x as f32 * scale, y as f32 * scale),
        size: piece.into(),
    });
    (
        Camera3d::default(),
        Camera { is_active: false, sub_camera_view, ..default() },
        RenderTarget::from(images.add(image)),
        Projection::from(PerspectiveProjection { far: shot.view * 2.0, fov: FIELD_OF_VIEW, ..default() }),
        Transform::default(),
    )
}

/// Prints what the shot cost, and starts the next one.
fn end_shot(
    _: On<ScreenshotCaptured>,
    mut session: ResMut<Session>,
    terrains: Query<&TerrainState>,
    diagnostics: Res<DiagnosticsStore>,
) {
    let Some(shot) = session.shots.get(session.next) else { return };
    let seconds = session.started.elapsed().as_secs_f32();
    let triangles: usize = terrains.iter().map(triangles).sum();
    let fragments: f64 = diagnostics
        .iter()
        .filter(|diagnostic| diagnostic.path().as_str().ends_with("fragment_shader_invocations"))
        .filter_map(Diagnostic::value)
        .sum();
    println!(
        "{}: {seconds:.1} s, {:.2} M triangles, {:.1} M fragments",
        shot.name,
        triangles as f64 / 1e6,
        fragments / 1e6
    );
    session.next += 1;
    session.stage = Stage::Start;
}

/// Triangles in the chunks that are drawn around the viewer.
fn triangles(state: &TerrainState) -> usize {
    let quads = state.settings().map_or(0, |settings| settings.chunks.quads as usize);
    2 * quads * quads * state.chunks_drawn()
}

/// One small cascade is enough for a rough picture.
fn shorten_shadows(session: Res<Session>, mut suns: Query<&mut CascadeShadowConfig, Added<TerrainSun>>) {
    for mut cascades in &mut suns {
        if session.fast {
            *cascades = CascadeShadowConfigBuilder { num_cascades: 1, maximum_distance: 400.0, ..default() }.build();
        }
    }
}
