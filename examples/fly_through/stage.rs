//! Draws the shots of a list, one after another, without a window.
//!
//! Each shot waits until the ground is settled before its camera draws anything. All shots have the same clock, so a list gives the
//! same pictures again.

use crate::assets::{asset_path, asset_plugin};

use crate::shot::{FIELD_OF_VIEW, Shot, surface};
use bevy::anti_alias::smaa::Smaa;
use bevy::app::ScheduleRunnerPlugin;
use bevy::camera::{RenderTarget, SubCameraView};
use bevy::ecs::system::SystemParam;
use bevy::light::{CascadeShadowConfig, CascadeShadowConfigBuilder, DirectionalLightShadowMap};
use bevy::prelude::*;
use bevy::render::RenderPlugin;
use bevy::render::diagnostic::RenderDiagnosticsPlugin;
use bevy::render::render_resource::TextureFormat;
use bevy::time::TimeUpdateStrategy;
use bevy::window::ExitCondition;
use bevy::winit::WinitPlugin;
use bevy_perlin_terrain::light::{SkySettings, Sun, SunAngles};
use bevy_perlin_terrain::prelude::*;
use bevy_perlin_terrain::render::{GroundTextures, TerrainFarMaps, TerrainQuality, TerrainRenderPlugin};
use bevy_perlin_terrain::sky::{TerrainSkyPlugin, TerrainSun};
use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// With fewer frames, anti-aliasing by earlier ones would leave edges rough.
const FRAMES_OF_TAA: u32 = 16;

/// How to draw all shots.
#[derive(Resource)]
pub struct Stage {
    /// The current shot, and those after it.
    pub shots: VecDeque<Shot>,
    /// The number of frames that each shot draws.
    pub frames: u32,
    /// Multiplies the width and the height of all pictures. The ground keeps the detail of the full size.
    pub scale: f32,
    /// A piece of each picture, in pixels of the full size.
    pub crop: Option<[u32; 4]>,
    /// Draws small and rough pictures.
    pub fast: bool,
    /// When the current shot started.
    pub started: Instant,
    step: Step,
}

impl Stage {
    /// A stage that draws `frames` frames of each shot.
    pub fn new(shots: Vec<Shot>, frames: u32) -> Self {
        let (shots, started, step) = (shots.into(), Instant::now(), Step::Start);
        Self { shots, frames, scale: 1.0, crop: None, fast: false, started, step }
    }

    /// Goes on with the next shot, after [`ShotDrawn`].
    pub fn next_shot(&mut self) {
        self.shots.pop_front();
        self.step = Step::Start;
    }
}

/// All frames of the current shot were drawn. The stage waits for [`Stage::next_shot`].
#[derive(Event)]
pub struct ShotDrawn;

/// The camera of the current shot starts to draw.
#[derive(Event)]
pub struct ShotBegins;

/// What the current shot waits for.
enum Step {
    /// Its scene.
    Start,
    /// The height of the ground below its camera.
    Settings,
    /// The chunks.
    Ground,
    /// This number of frames.
    Frames(u32),
    /// What the app does with it.
    Drawn,
}

/// Everything that a shot spawns.
#[derive(Component)]
struct Scene;

/// An app that draws all shots, and ends.
pub fn app(stage: Stage, sky: TerrainSkyPlugin, render: TerrainRenderPlugin) -> App {
    let mut app = App::new();
    app.add_plugins((
        DefaultPlugins
            .build()
            .disable::<WinitPlugin>()
            .set(asset_plugin())
            .set(WindowPlugin { primary_window: None, exit_condition: ExitCondition::DontExit, ..default() })
            // Nothing must be drawn before the shaders are compiled.
            .set(RenderPlugin { synchronous_pipeline_compilation: true, ..default() }),
        ScheduleRunnerPlugin::run_loop(Duration::ZERO),
        RenderDiagnosticsPlugin,
        TerrainPlugins.set(sky).set(render),
    ));
    let shadow_map = if stage.fast { 1024 } else { 2048 };
    app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_micros(16_667)))
        .insert_resource(DirectionalLightShadowMap { size: shadow_map })
        .insert_resource(stage)
        .add_systems(Update, (take_step, shorten_shadows));
    app
}

/// The assets that shots change.
#[derive(SystemParam)]
struct Stores<'w, 's> {
    maps: Query<'w, 's, &'static TerrainFarMaps>,
    server: Res<'w, AssetServer>,
    textures: Res<'w, GroundTextures>,
    quality: Res<'w, TerrainQuality>,
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
struct Spawned<'w, 's> {
    scene: Query<'w, 's, Entity, With<Scene>>,
    cameras: Query<'w, 's, &'static mut Camera>,
    places: Query<'w, 's, &'static mut Transform, Or<(With<Camera3d>, With<TerrainViewer>)>>,
    terrains: Query<'w, 's, (&'static Terrain, &'static TerrainState)>,
    ground: TerrainGround<'w, 's>,
}

/// Brings the current shot one step further.
fn take_step(
    mut commands: Commands,
    mut stage: ResMut<Stage>,
    mut stores: Stores,
    spawned: Spawned,
    mut exit: MessageWriter<AppExit>,
) {
    let Spawned { scene, mut cameras, mut places, terrains, ground } = spawned;
    let Some(shot) = stage.shots.front().cloned() else {
        exit.write(AppExit::Success);
        return;
    };
    if let Some(problem) = terrains.iter().find_map(|(_, state)| state.problems().next()) {
        eprintln!("error: {}: {problem}", shot.name);
        exit.write(AppExit::error());
        return;
    }
    let [x, z, up, yaw, pitch] = shot.camera;
    stage.step = match stage.step {
        Step::Start => {
            stage.started = Instant::now();
            scene.iter().for_each(|entity| commands.entity(entity).despawn());
            commands.spawn((Scene, Terrain(stores.server.load(asset_path(&shot.settings))), TerrainOrigin::new(x, z)));
            let camera = camera(&shot, &stage, &mut stores.images);
            let [azimuth, elevation] = shot.sun.map(f64::to_radians);
            let sun = Sun::Angles(SunAngles { azimuth, elevation });
            // Of the viewer's view distance, which the camera does not have.
            let visibility =
                if shot.visibility > 0.0 { shot.visibility } else { f64::from(shot.view / 1000.0).min(40.0) };
            let sky = SkySettings { sun, visibility, exposure: shot.exposure, ..default() };
            let mut camera = commands.spawn((Scene, camera));
            if stage.frames < FRAMES_OF_TAA {
                camera.insert(Smaa::default());
            }
            camera.insert(TerrainSky(stores.skies.add(sky)));
            // The detail is that of the whole picture, also where the camera draws a piece of it.
            let height = if stage.fast { 360 } else { shot.size[1] };
            let rows = height as f32 * stores.quality.rows();
            let lens = ViewerLens::Perspective { height: rows, field_of_view: FIELD_OF_VIEW };
            commands.spawn((Scene, TerrainViewer { view_distance: shot.view }, lens, Transform::default()));
            Step::Settings
        }
        Step::Settings => match ground.height(Vec3::ZERO) {
            Some(height) => {
                let turn = Quat::from_euler(EulerRot::YXZ, (yaw as f32).to_radians(), (pitch as f32).to_radians(), 0.0);
                let height = terrains.iter().next().map_or(height, |(_, terrain)| surface(terrain, height));
                let here = Transform::from_xyz(0.0, height + up as f32, 0.0).with_rotation(turn);
                places.iter_mut().for_each(|mut place| *place = here);
                if stage.fast {
                    for (terrain, _) in &terrains {
                        stores
                            .settings
                            .get_mut(&terrain.0)
                            .into_iter()
                            .for_each(|mut settings| settings.lod.pixel_error = 6.0);
                    }
                }
                Step::Ground
            }
            None => Step::Settings,
        },
        Step::Ground if terrains.iter().all(|(_, state)| state.is_settled()) && stores.are_ready() => {
            cameras.iter_mut().for_each(|mut camera| camera.is_active = true);
            commands.trigger(ShotBegins);
            Step::Frames(stage.frames)
        }
        Step::Ground => Step::Ground,
        Step::Frames(0) => {
            commands.trigger(ShotDrawn);
            Step::Drawn
        }
        Step::Frames(frames) => Step::Frames(frames - 1),
        Step::Drawn => Step::Drawn,
    };
}

/// The camera of a shot. It does not draw yet.
fn camera(shot: &Shot, stage: &Stage, images: &mut Assets<Image>) -> impl Bundle {
    let [width, height] = shot.size.map(|side| side.max(1));
    let [x, y, piece_width, piece_height] = stage.crop.unwrap_or([0, 0, width, height]);
    let scale = if stage.fast { 640.0 / width as f32 } else { stage.scale };
    let scaled = |pixels: u32| ((pixels as f32 * scale).round() as u32).max(1);
    let (piece, whole) = ([scaled(piece_width), scaled(piece_height)], [scaled(width), scaled(height)]);
    let image = Image::new_target_texture(piece[0], piece[1], TextureFormat::Rgba8UnormSrgb, None);
    let sub_camera_view = stage.crop.map(|_| SubCameraView {
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

/// One small cascade is enough for a rough picture.
fn shorten_shadows(stage: Res<Stage>, mut suns: Query<&mut CascadeShadowConfig, Added<TerrainSun>>) {
    for mut cascades in &mut suns {
        if stage.fast {
            *cascades = CascadeShadowConfigBuilder { num_cascades: 1, maximum_distance: 400.0, ..default() }.build();
        }
    }
}
